// A sweep: quantities over what varies, all of it as lines over parallel axes, the rows.
import { crosses, ParallelPlot, Plot, unplaced } from './chart.js';
import { el, parseCsv, select } from './dom.js';
import { pairs, sortableTable } from './table.js';
import { nameOf } from './run.js';
import { panels, verdict } from './verdict.js';

const asNumber = (text) => (text !== '' && Number.isFinite(Number(text)) ? Number(text) : null);

export class SweepCard {
  constructor(card) {
    const [head, ...lines] = parseCsv(card.csv);
    this.rows = lines.map((line) => Object.fromEntries(head.map((title, k) => [title, line[k]])));
    this.card = card;
    this.keys = head.slice(1, 1 + card.keys.length); // behind "row", with their units: "k [kN/m]"
    const quantities = head.filter((title) => !this.keys.includes(title)).filter((title) => card.quantities.includes(title) || /\[.*\]$/.test(title) && !/^(t|seconds) \[/.test(title));
    this.quantities = [...new Set(quantities)].filter((q) => this.rows.some((r) => asNumber(r[q]) !== null));
    this.numeric = this.keys.filter((key) => this.rows.every((r) => r[key] === '' || asNumber(r[key]) !== null));
    this.failed = this.rows.filter((r) => r.status !== 'ok');
    this.plots = this.quantities.length > 0 ? [...(this.numeric.length > 0 ? [this.overAxis()] : []), this.parallel()] : [];
    this.node = el('article', { class: 'card' }, el('h2', {}, nameOf(card)),
      verdict('rows', card.rows, card.failed, card.failures, card.rows < card.planned ? ` ${card.planned - card.rows} of ${card.planned} rows are still to be run.` : ''),
      panels(this.plots, 'Nothing to plot: no row has the value of a quantity.'),
      ...this.sobol(),
      el('h3', {}, 'Rows'),
      sortableTable('Rows', head.filter((t) => t !== 'key' && t !== 'machine').map((title) => ({ title, of: (r) => asNumber(r[title]) ?? r[title] })), this.rows),
      el('details', {}, el('summary', {}, 'Manifest: with what it was computed'), pairs('Manifest', [...Object.entries(card.manifest).map(([k, v]) => [k, v && typeof v === 'object' ? JSON.stringify(v) : v]), ['machines', [...new Set(this.rows.map((r) => r.machine))].join('; ')]])));
  }
  // Which part of the variance comes from which variable.
  sobol() {
    const { sobol } = this.card;
    if (!sobol) return [];
    const part = (value, bar) => (value === null ? '–' : value.toFixed(3) + (bar === null ? '' : ` ± ${bar.toFixed(3)}`));
    return [el('h3', {}, 'Sobol indices'),
      el('p', { class: 'note' }, `Of ${sobol.points} points${sobol.dropped > 0 ? `; ${sobol.dropped} more miss a row` : ''}; a quantity that some rows lack has the points whose rows all have it. First: the part of the variance that comes from the variable alone; total: with all others. With intervals of 95 %.`),
      sortableTable('Sobol indices', [{ title: 'quantity', of: (i) => i.quantity }, { title: 'variable', of: (i) => i.key }, { title: 'first', of: (i) => i.first, show: (i) => part(i.first, i.first_uncertainty) }, { title: 'total', of: (i) => i.total, show: (i) => part(i.total, i.total_uncertainty) }, { title: 'points', of: (i) => i.points }], sobol.indices)];
  }
  overAxis() {
    const { keys } = this;
    let x = this.numeric[0], y = this.quantities[0], plot;
    const at = (row) => asNumber(row[x]);
    const note = () => unplaced(this.failed, at, 'row', x);
    const curves = () => {
      const by = keys.filter((k) => k !== x);
      const groups = new Map();
      for (const row of this.rows) {
        const name = by.length <= 2 ? by.map((k) => `${k} = ${row[k]}`).join(', ') || y : y;
        if (!groups.has(name)) groups.set(name, []);
        groups.get(name).push(row);
      }
      const many = groups.size > 8;
      const merged = many ? new Map([[y, this.rows]]) : groups;
      const made = [...merged].map(([name, rows]) => {
        const ok = rows.filter((r) => asNumber(r[y]) !== null && asNumber(r[x]) !== null).sort((a, b) => a[x] - b[x]);
        return { name, kind: many ? 'points' : 'line', marks: true, points: ok.map((r) => [Number(r[x]), Number(r[y])]), note: (i) => keys.map((k) => `${k} = ${ok[i][k]}`).join(', ') };
      }).filter((curve) => curve.points.length > 0);
      return [...made, ...crosses(this.failed, at, (r) => `${keys.map((k) => `${k} = ${r[k]}`).join(', ')}: ${r.status}: ${r.culprit || r.error}`)];
    };
    const axes = (log) => ({ x: { name: x }, y: { name: y, log } });
    const change = () => { Object.assign(plot.plot, axes()); plot.note.textContent = note(); plot.draw(); };
    plot = new Plot({ title: 'Quantities over axes', ...axes(), scatter: true, curves, note: note(), choices: [
      select('over', this.numeric.map((k) => [k, k]), x, (v) => { x = v; change(); }), select('quantity', this.quantities.map((q) => [q, q]), y, (v) => { y = v; change(); })] });
    return plot;
  }
  // Rows that failed end at the axis of how they ended.
  parallel() {
    const rows = [...this.rows.filter((r) => r.status === 'ok'), ...this.failed];
    const value = (row, title, values) => (row[title] === '' ? null : values ? row[title] : Number(row[title]));
    const titles = [...this.keys, ...(this.failed.length > 0 ? ['status'] : []), ...this.quantities].slice(0, 8);
    const axes = titles.map((title) => ({ name: title, values: rows.every((r) => r[title] === '' || asNumber(r[title]) !== null) ? null : [...new Set(rows.map((r) => r[title]).filter((v) => v !== ''))] }));
    return new ParallelPlot({ title: 'All rows over parallel axes', axes, failed: (n) => rows[n].status !== 'ok', rows: rows.map((r) => titles.map((t, k) => value(r, t, axes[k].values))) });
  }
}
