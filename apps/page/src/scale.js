// A scaling study: time and memory over the number of bodies, by phase, with fitted exponents.
import { crosses, Plot, unplaced } from './chart.js';
import { el, select } from './dom.js';
import { shown } from './numbers.js';
import { nameOf } from './run.js';
import { pairs, sortableTable } from './table.js';
import { noneEnded, panels, verdict } from './verdict.js';

const phases = [['evaluate', 'evaluate'], ['factorise', 'factorise'], ['solve', 'solve'], ['rest', 'rest'], ['step', 'whole step']];
const label = (s) => `${s.stepper}${Object.entries(s.options).map(([k, v]) => `:${k}=${v}`).join('')}, ${s.backend}, ${s.threads} ${s.threads === 1 ? 'thread' : 'threads'}`;
const power = (e) => (e ? `N^${shown(e.exponent, 3)} ± ${shown(e.uncertainty, 2)}` : '');

export class ScaleCard {
  constructor(card) {
    const { data } = card;
    const rows = data.series.flatMap((s) => s.runs.map((r) => ({ s, r })));
    const lost = rows.filter(({ r }) => r.failure);
    const reason = ({ s, r }) => `${label(s)}, ${data.by} = ${r.size}: ${r.failure}`;
    const measured = (title, value) => ({ title, of: ({ r }) => (r.failure ? null : value(r)) });
    const unfitted = data.series.filter((s) => Object.values(s.exponents).every((e) => !e));
    this.node = el('article', { class: 'card' }, el('h2', {}, nameOf(card)),
      verdict('runs', rows.length, lost.length, lost.map(reason)),
      el('p', {}, `${data.problem}, ${data.series.some((s) => s.chooses_step) ? `runs of ${shown(data.steps * data.step)}` : `steps of ${shown(data.step)}`} s.`),
      panels(lost.length < rows.length ? this.plots(data, lost, reason) : [], noneEnded),
      el('h3', {}, 'Exponents'),
      sortableTable('Exponents', [{ title: 'method', of: (s) => label(s) }, ...[...phases, ['set_up', 'set-up'], ['memory', 'memory']].map(([key, name]) => ({ title: name, of: (s) => s.exponents[key]?.exponent ?? null, show: (s) => power(s.exponents[key]) || '–' }))], data.series),
      unfitted.length > 0 ? el('p', { class: 'note' }, `No exponents of ${unfitted.map(label).join('; ')}: three sizes that reach their end are needed.`) : null,
      el('h3', {}, 'Runs'),
      sortableTable('Runs', [{ title: 'method', of: ({ s }) => label(s) }, { title: data.by, of: ({ r }) => Number(r.size) }, { title: 'bodies', of: ({ r }) => r.bodies }, { title: 'rows', of: ({ r }) => r.rows }, { title: 'failure', of: ({ r }) => r.failure },
        measured('Newton a step', (r) => r.newton_iterations_per_step), ...phases.map(([key, name]) => measured(`${name} [s]`, (r) => r[`seconds_${key}_per_step`])), measured('set-up [s]', (r) => r.seconds_set_up), measured('memory [MB]', (r) => r.peak_bytes / 1e6), { title: 'linear solver [MB]', of: ({ r }) => r.solver_bytes / 1e6 }], rows),
      el('details', {}, el('summary', {}, 'Manifest: with what it was computed'), pairs('Manifest', Object.entries(data.manifest))));
  }
  plots(data, lost, reason) {
    const ok = (s) => s.runs.filter((r) => !r.failure && r.bodies > 0);
    const bodies = ({ r }) => r.bodies || null;
    const marked = (curves) => [...curves, ...crosses(lost, bodies, reason)];
    const overBodies = (title, y, curves, more) => new Plot({ title, x: { name: 'bodies', log: true }, y: { log: true, ...y }, curves, note: unplaced(lost, bodies, 'run', 'number of bodies'), ...more });
    let of = 0;
    const byPhase = () => [...phases.map(([key, name]) => ({
      name: `${name}${data.series[of].exponents[key] ? `  ${power(data.series[of].exponents[key])}` : ''}`, marks: true,
      points: ok(data.series[of]).map((r) => [r.bodies, r[`seconds_${key}_per_step`]]).filter((p) => p[1] > 0) })), ...crosses(lost.filter(({ s }) => s === data.series[of]), bodies, reason)];
    const phase = overBodies('Time of a step, by phase', { name: 'time of a step [s]', unit: 's' }, byPhase, {
      choices: data.series.length > 1 ? [select('method', data.series.map((s, k) => [k, label(s)]), 0, (v) => { of = Number(v); phase.draw(); })] : [] });
    const total = overBodies('Time of a step and body', { name: 'time of a step and body [ns]', unit: 'ns' }, marked(data.series.flatMap((s, k) => [
      { name: label(s), group: k, marks: true, points: ok(s).map((r) => [r.bodies, (1e9 * r.seconds_step_per_step) / r.bodies]) },
      { name: `${label(s)}: predicted`, group: k, dashed: true, points: s.runs.filter((r) => r.bodies > 0 && r.predicted?.seconds_step_per_step).map((r) => [r.bodies, (1e9 * r.predicted.seconds_step_per_step) / r.bodies]) }]).filter((c) => c.points.length > 0)));
    const curve = (s, group, name, of, more) => ({ name, group, marks: true, points: ok(s).map((r) => [r.bodies, of(r)]).filter((p) => p[1] > 0), ...more });
    const fitted = (s, key) => (s.exponents[key] ? `  ${power(s.exponents[key])}` : '');
    // The part of the linear solver is counted from the pattern: matrix, factor, and what its analysis keeps.
    const memory = overBodies('Peak of memory, and the linear solver in it', { name: 'memory [MB]', unit: 'MB' }, marked(data.series.flatMap((s, k) => [
      curve(s, k, `${label(s)}${fitted(s, 'memory')}`, (r) => r.peak_bytes / 1e6), curve(s, k, `${label(s)}: linear solver`, (r) => r.solver_bytes / 1e6, { dashed: true })]).filter((c) => c.points.length > 0)));
    const setUp = overBodies('Time of the set-up', { name: 'time [s]', unit: 's' }, marked(data.series.map((s, k) => curve(s, k, `${label(s)}${fitted(s, 'set_up')}`, (r) => r.seconds_set_up))));
    const speed = data.series.flatMap((s, k) => {
      const run = s.runs[s.runs.length - 1];
      return s.threads === data.series[0].threads && run?.predicted?.speed_up ? [{ name: `${label(s)}, ${run.bodies} bodies: predicted`, group: k, dashed: true, marks: true, points: [[1, 1], ...run.predicted.speed_up.map((u) => [u.cores, u.step])] }] : [];
    });
    const cores = speed.length > 0 ? [new Plot({ title: 'Predicted speed-up of a step over cores', x: { name: 'cores', log: true }, y: { name: 'speed-up, predicted' }, curves: speed })] : [];
    return [phase, total, setUp, memory, ...cores];
  }
}
