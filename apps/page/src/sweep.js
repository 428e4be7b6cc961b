// A sweep: quantities over what varies, all of it as lines over parallel axes, the rows.
import { ParallelPlot, Plot } from './chart.js';
import { el, parseCsv, select } from './dom.js';
import { pairs, sortableTable } from './table.js';
import { nameOf } from './run.js';

const asNumber = (text) => (text !== '' && Number.isFinite(Number(text)) ? Number(text) : null);

export class SweepCard {
  constructor(card) {
    const [head, ...lines] = parseCsv(card.csv);
    this.rows = lines.map((line) => Object.fromEntries(head.map((title, k) => [title, line[k]])));
    this.card = card;
    const quantities = head.filter((title) => card.quantities.includes(title) || /\[.*\]$/.test(title) && !/^(t|seconds) \[/.test(title));
    this.quantities = [...new Set(quantities)].filter((q) => this.rows.some((r) => asNumber(r[q]) !== null));
    this.numeric = card.keys.filter((key) => this.rows.every((r) => r[key] === '' || asNumber(r[key]) !== null));
    const failed = card.failed > 0;
    this.node = el('article', { class: 'card' }, el('h2', {}, nameOf(card)),
      el('div', { class: `ending ${failed ? 'failed' : 'ok'}` },
        el('p', { class: 'verdict' }, el('span', { class: 'chip' }, failed ? `${card.failed} of ${card.rows} rows failed` : `all ${card.rows} rows ended well`), ' ', el('strong', {}, card.failures[0] ?? ''),
          card.rows < card.planned ? ` ${card.planned - card.rows} of ${card.planned} rows are still to be run.` : ''),
        card.failures.length > 1 ? el('ul', {}, card.failures.slice(1).map((f) => el('li', {}, f))) : null),
      el('div', { class: 'panels' }, this.overAxis(), this.parallel()),
      ...this.sobol(),
      el('h3', {}, 'Rows'),
      sortableTable('Rows', head.filter((t) => t !== 'key' && t !== 'machine').map((title) => ({ title, of: (r) => asNumber(r[title]) ?? r[title] })), this.rows),
      el('details', {}, el('summary', {}, 'Manifest: with what it was computed'), pairs('Manifest', [...Object.entries(card.manifest).map(([k, v]) => [k, v && typeof v === 'object' ? JSON.stringify(v) : v]), ['machines', [...new Set(this.rows.map((r) => r.machine))].join('; ')]])));
  }
  // Which part of the variance comes from which variable.
  sobol() {
    const { sobol } = this.card;
    if (!sobol) return [];
    const part = (value) => (value === null ? '–' : value.toFixed(3));
    return [el('h3', {}, 'Sobol indices'),
      el('p', { class: 'note' }, `Of ${sobol.points} points${sobol.dropped > 0 ? `; ${sobol.dropped} more miss a row` : ''}. First: the part of the variance that comes from the variable alone; total: with all others.`),
      sortableTable('Sobol indices', [{ title: 'quantity', of: (i) => i.quantity }, { title: 'variable', of: (i) => i.key }, { title: 'first', of: (i) => i.first, show: (i) => part(i.first) }, { title: 'total', of: (i) => i.total, show: (i) => part(i.total) }], sobol.indices)];
  }
  overAxis() {
    const { keys } = this.card;
    let x = this.numeric[0] ?? keys[0], y = this.quantities[0], plot;
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
      });
      const lost = this.rows.filter((r) => r.status !== 'ok' && asNumber(r[x]) !== null);
      const least = Math.min(...made.flatMap((c) => c.points.map((p) => p[1])));
      if (lost.length > 0) made.push({ name: 'failed', kind: 'points', symbol: 'path://M0,0L10,10M10,0L0,10', size: 11, colour: '#d55e00', points: lost.map((r) => [Number(r[x]), Number.isFinite(least) ? least : 0]), note: (i) => `${lost[i].status}: ${lost[i].culprit || lost[i].error}` });
      return made;
    };
    const axes = (log) => ({ x: { name: x }, y: { name: y, log } });
    const change = () => { Object.assign(plot.plot, axes()); plot.draw(); };
    plot = new Plot({ title: 'Quantities over axes', ...axes(), scatter: true, curves, choices: [
      select('over', this.numeric.map((k) => [k, k]), x, (v) => { x = v; change(); }), select('quantity', this.quantities.map((q) => [q, q]), y, (v) => { y = v; change(); })] });
    return plot.node;
  }
  parallel() {
    const ok = this.rows.filter((r) => r.status === 'ok');
    const of = (title) => ({ name: title, values: ok.every((r) => asNumber(r[title]) !== null) ? null : [...new Set(ok.map((r) => r[title]))] });
    const titles = [...this.card.keys, ...this.quantities].slice(0, 8);
    const axes = titles.map(of);
    return new ParallelPlot({ title: 'All rows over parallel axes', axes, rows: ok.map((r) => titles.map((t, k) => (axes[k].values ? r[t] : Number(r[t])))) }).node;
  }
}
