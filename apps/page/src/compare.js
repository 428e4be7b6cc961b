// A comparison of methods: errors over step and over time, log-log, with fitted orders; runs that failed are crosses.
import { crosses, Plot, unplaced } from './chart.js';
import { el, select } from './dom.js';
import { shown } from './numbers.js';
import { nameOf } from './run.js';
import { pairs, sortableTable } from './table.js';
import { noneEnded, panels, verdict } from './verdict.js';

const label = (r) => `${r.stepper ?? r.name}${Object.entries(r.options ?? {}).map(([k, v]) => `:${k}=${v}`).join('')}${r.guards === 'off' ? ', plain' : ''}`;
const stepped = (r) => r.step !== undefined && r.step !== null;
const setting = (r) => (stepped(r) ? r.mean_step || r.step : r.tolerance) || null;  // a method that was refused has none
const time = (r) => (r.seconds?.length > 0 ? Math.min(...r.seconds) : null);  // as in compare.csv and the pictures
const reason = (r) => `${label(r)}${setting(r) === null ? '' : ` at ${shown(setting(r))}`}: ${r.failure || r.status}`;
const units = { position: 'm', rotation: 'rad', velocity: 'm/s', angular_velocity: 'rad/s', multipliers: 'N or N m' };  // coordinates and rates have their own
const withUnit = (part) => part.replaceAll('_', ' ') + (units[part] ? ` [${units[part]}]` : '');

// Of the logarithms of points.
function leastSquares(points) {
  const x = points.map((p) => Math.log(p[0])), y = points.map((p) => Math.log(p[1]));
  const mean = (v) => v.reduce((sum, e) => sum + e, 0) / v.length, mx = mean(x), my = mean(y);
  return x.reduce((sum, e, k) => sum + (e - mx) * (y[k] - my), 0) / x.reduce((sum, e) => sum + (e - mx) ** 2, 0);
}

class Problem {
  constructor(problem) {
    this.problem = problem;
    this.parts = Object.keys(problem.runs.find((r) => r.largest_error)?.largest_error ?? { position: 0 });
    this.part = this.parts[0];
    this.kind = 'largest_error';
    this.groups = new Map();
    for (const run of problem.runs) { if (!this.groups.has(label(run))) this.groups.set(label(run), []); this.groups.get(label(run)).push(run); }
    this.failed = problem.runs.filter((r) => r.status !== 'ok');
    this.settings = ['step [s]', 'tolerance'].filter((_, k) => problem.runs.some((r) => setting(r) !== null && (k === 0) === stepped(r))).join(' or ');
    const over = (title, name, x) => new Plot({ title, scatter: true, x: { name, log: true }, y: this.axis(), curves: () => this.curves(x), note: this.note(x) });
    this.overs = [setting, time];
    const kept = () => new Plot({ title: 'Energy error over time of computing', scatter: true, x: { name: 'time in stepping [s]', log: true }, y: { name: 'energy error [J]', log: true }, note: this.missing(time),
      curves: () => [...this.ended().map(([name, runs, k]) => this.curve(name, k, runs, time, (r) => r.energy_error)), ...crosses(this.failed, time, reason)] });
    this.plots = this.failed.length < problem.runs.length ? [over('Error over step', this.settings, setting), over('Error over time of computing', 'time in stepping [s]', time)] : [];
    const choices = () => el('div', { class: 'choices' }, select('Error of', this.parts.map((p) => [p, p.replaceAll('_', ' ')]), this.part, (v) => { this.part = v; this.redraw(); }),
      select('which is', [['largest_error', 'the largest of the run'], ['error_at_end', 'at the end']], this.kind, (v) => { this.kind = v; this.redraw(); }));
    this.node = el('section', { 'aria-label': problem.problem }, el('h3', {}, problem.problem),
      verdict('runs', problem.runs.length, this.failed.length, this.failed.map(reason)),
      el('p', {}, `Reference: ${problem.reference.method}${problem.reference.checked_by ? `, checked by ${problem.reference.checked_by}` : ''}.`),
      this.plots.length > 0 ? choices() : null, panels(this.plots.length > 0 ? [...this.plots, kept()] : [], noneEnded),
      el('h4', {}, 'Fitted orders'),
      sortableTable(`Orders, ${problem.problem}`, [{ title: 'method', of: label }, { title: 'over', of: (o) => o.over }, ...this.parts.map((p) => ({ title: `order of ${p.replaceAll('_', ' ')}`, of: (o) => o[p]?.order ?? null, show: (o) => (o[p]?.order == null ? '–' : `${o[p].order.toFixed(2)} ± ${shown(o[p].uncertainty, 2)}${o[p].promised && o.over === 'step' ? ` (${o[p].promised})` : ''}`) }))], problem.orders),
      ...this.withoutOrder().map((line) => el('p', { class: 'note' }, line)),
      el('h4', {}, 'Runs'),
      sortableTable(`Runs, ${problem.problem}`, [{ title: 'method', of: label }, { title: 'step [s] or tolerance', of: setting }, { title: 'status', of: (r) => r.status }, ...this.parts.map((p) => ({ title: `error of ${withUnit(p)}`, of: (r) => r.largest_error?.[p] ?? null })),
        { title: 'energy error [J]', of: (r) => r.energy_error }, ...this.momentum(), { title: 'error over tolerance', of: (r) => r.error_over_tolerance }, { title: 'position residual [m or rad]', of: (r) => r.position_residual }, { title: 'steps', of: (r) => r.steps }, { title: 'repeated', of: (r) => r.rejected_steps }, { title: 'Newton iterations', of: (r) => r.newton_iterations }, { title: 'factorizations', of: (r) => r.factorizations }, { title: 'time [s]', of: time }, ...(problem.runs.some((r) => r.seconds?.length > 1) ? [{ title: 'undisturbed time [s]', of: (r) => r.undisturbed_seconds }] : []), { title: 'memory [kB]', of: (r) => (r.heap_bytes ?? 0) / 1e3 }], problem.runs));
  }
  // Why orders are missing in the table: a line for each method and reason.
  withoutOrder() {
    return this.problem.orders.flatMap((o) => {
      const parts = new Map();
      for (const p of this.parts) if (o[p]?.why_none) parts.set(o[p].why_none, [...(parts.get(o[p].why_none) ?? []), p.replaceAll('_', ' ')]);
      return [...parts].map(([why, names]) => `No order of ${names.join(', ')} by ${label(o)}: ${why}.`);
    });
  }
  momentum() {
    return [['momentum_about', 'momentum_drift', 'about', 'kg m²/s'], ['momentum_along', 'linear_momentum_drift', 'along', 'kg m/s']]
      .filter(([axes]) => this.problem[axes]?.length > 0)
      .map(([axes, key, where, unit]) => ({ title: `momentum ${where} ${this.problem[axes].join(', ')} [${unit}]`, of: (r) => r[key] }));
  }
  // Methods of which a run came to its end, with their colours; the others have crosses alone, and no name in a legend.
  ended() { return [...this.groups].map(([name, runs], k) => [name, runs, k]).filter(([, runs]) => runs.some((r) => r.status === 'ok')); }
  missing(x) { return unplaced(this.failed, x, 'run', x === setting ? this.settings.replace(' [s]', '') : 'time'); }
  note(x) {
    const estimate = this.problem.reference[this.kind === 'largest_error' ? 'estimate' : 'estimate_at_end']?.[this.part];
    return [estimate ? `The reference itself is off by about ${shown(estimate, 2)} in ${this.part.replaceAll('_', ' ')}.` : '', this.missing(x)].filter(Boolean).join(' ');
  }
  axis() { return { name: `error of ${withUnit(this.part)}`, unit: units[this.part], log: true }; }
  redraw() { this.plots.forEach((plot, k) => { plot.plot.y = this.axis(); plot.note.textContent = this.note(this.overs[k]); plot.draw(); }); }
  curve(name, group, runs, x, y) {
    const ok = runs.filter((r) => r.status === 'ok' && x(r) > 0 && y(r) > 0).sort((a, b) => x(a) - x(b));
    return { name, group, marks: true, points: ok.map((r) => [x(r), y(r)]), settings: ok.map(setting), note: (i) => `${ok[i].step ? 'h' : 'tolerance'} = ${shown(setting(ok[i]))}, ${ok[i].steps} steps` };
  }
  curves(x) {
    const error = (r) => r[this.kind]?.[this.part], made = [];
    this.ended().forEach(([name, runs, group]) => {
      const curve = this.curve(name, group, runs, x, error);
      const order = this.problem.orders.find((o) => label(o) === name.replace(', plain', '') && (o.guards ?? 'on') === (runs[0].guards ?? 'on'))?.[this.part];
      made.push(curve);
      // A line through the middle of the points that the order was fitted to: over steps and tolerances with the order as its
      // slope, over time with that of least squares.
      const inside = order?.order != null ? curve.points.filter((_, k) => curve.settings[k] >= order.finest * 0.999 && curve.settings[k] <= order.coarsest * 1.001) : [];
      if (inside.length > 1) {
        const slope = x === setting ? order.order : leastSquares(inside);
        const mean = (k) => inside.reduce((sum, p) => sum + Math.log(p[k]), 0) / inside.length;
        const at = (h) => Math.exp(mean(1) + slope * (Math.log(h) - mean(0)));
        curve.name += `  slope ${slope.toFixed(2)}`;
        made.push({ name: curve.name, group, unlisted: true, silent: true, dashed: true, points: [Math.min(...inside.map((p) => p[0])), Math.max(...inside.map((p) => p[0]))].map((h) => [h, at(h)]) });
      } else if (x === setting && order?.order != null) {
        curve.name += `  slope ${order.order.toFixed(2)}`;
      }
    });
    return [...made, ...crosses(this.failed, x, reason)];
  }
}

export class CompareCard {
  constructor(card) {
    this.problems = card.data.problems.map((p) => new Problem(p));
    this.node = el('article', { class: 'card' }, el('h2', {}, nameOf(card)), this.problems.map((p) => p.node),
      el('details', {}, el('summary', {}, 'Manifest: with what it was computed'), pairs('Manifest', Object.entries(card.data.manifest))));
  }
}
