// A scaling study: time and memory over the number of bodies, by phase, with fitted exponents.
import { Plot } from './chart.js';
import { el, select } from './dom.js';
import { shown } from './numbers.js';
import { nameOf } from './run.js';
import { pairs, sortableTable } from './table.js';

const phases = [['evaluate', 'evaluate'], ['factorise', 'factorise'], ['solve', 'solve'], ['rest', 'rest'], ['step', 'whole step']];
const label = (s) => `${s.stepper}${Object.entries(s.options).map(([k, v]) => `:${k}=${v}`).join('')}, ${s.backend}, ${s.threads} ${s.threads === 1 ? 'thread' : 'threads'}`;
const power = (e) => (e ? `N^${shown(e.exponent, 3)} ± ${shown(e.uncertainty, 2)}` : '');

export class ScaleCard {
  constructor(card) {
    const { data } = card;
    const ok = (s) => s.runs.filter((r) => !r.failure && r.bodies > 0);
    const lost = data.series.flatMap((s) => s.runs.filter((r) => r.failure).map((r) => ({ s, r })));
    let of = 0;
    const byPhase = () => phases.map(([key, name]) => ({
      name: `${name}${data.series[of].exponents[key] ? `  ${power(data.series[of].exponents[key])}` : ''}`, marks: true,
      points: ok(data.series[of]).map((r) => [r.bodies, r[`seconds_${key}_per_step`]]).filter((p) => p[1] > 0) }));
    const phase = new Plot({ title: 'Time of a step, by phase', x: { name: 'bodies', log: true }, y: { name: 'time of a step [s]', unit: 's', log: true }, curves: byPhase,
      choices: data.series.length > 1 ? [select('method', data.series.map((s, k) => [k, label(s)]), 0, (v) => { of = Number(v); phase.draw(); })] : [] });
    const total = new Plot({ title: 'Time of a step and body', x: { name: 'bodies', log: true }, y: { name: 'time of a step and body [ns]', unit: 'ns', log: true }, curves: data.series.flatMap((s, k) => [
      { name: label(s), group: k, marks: true, points: ok(s).map((r) => [r.bodies, (1e9 * r.seconds_step_per_step) / r.bodies]) },
      { name: `${label(s)}: predicted`, group: k, dashed: true, points: s.runs.filter((r) => r.bodies > 0 && r.predicted?.seconds_step_per_step).map((r) => [r.bodies, (1e9 * r.predicted.seconds_step_per_step) / r.bodies]) }]).filter((c) => c.points.length > 0) });
    const curve = (s, group, name, of, more) => ({ name, group, marks: true, points: ok(s).map((r) => [r.bodies, of(r)]).filter((p) => p[1] > 0), ...more });
    const fitted = (s, key) => (s.exponents[key] ? `  ${power(s.exponents[key])}` : '');
    // The part of the linear solver is counted from the pattern: matrix, factor, and what its analysis keeps.
    const memory = new Plot({ title: 'Peak of memory, and the linear solver in it', x: { name: 'bodies', log: true }, y: { name: 'memory [MB]', unit: 'MB', log: true }, curves: data.series.flatMap((s, k) => [
      curve(s, k, `${label(s)}${fitted(s, 'memory')}`, (r) => r.peak_bytes / 1e6), curve(s, k, `${label(s)}: linear solver`, (r) => r.solver_bytes / 1e6, { dashed: true })]).filter((c) => c.points.length > 0) });
    const setUp = new Plot({ title: 'Time of the set-up', x: { name: 'bodies', log: true }, y: { name: 'time [s]', unit: 's', log: true }, curves: data.series.map((s, k) => curve(s, k, `${label(s)}${fitted(s, 'set_up')}`, (r) => r.seconds_set_up)) });
    const speed = data.series.flatMap((s, k) => {
      const run = s.runs[s.runs.length - 1];
      return s.threads === data.series[0].threads && run?.predicted?.speed_up ? [{ name: `${label(s)}, ${run.bodies} bodies: predicted`, group: k, dashed: true, marks: true, points: [[1, 1], ...run.predicted.speed_up.map((u) => [u.cores, u.step])] }] : [];
    });
    const rows = data.series.flatMap((s) => s.runs.map((r) => ({ s, r })));
    this.node = el('article', { class: 'card' }, el('h2', {}, nameOf(card)),
      el('div', { class: `ending ${lost.length > 0 ? 'failed' : 'ok'}` }, el('p', { class: 'verdict' }, el('span', { class: 'chip' }, lost.length > 0 ? `${lost.length} of ${rows.length} runs failed` : `all ${rows.length} runs ended well`), ' ',
        el('strong', {}, lost.length > 0 ? `${label(lost[0].s)}, ${lost[0].r.size}: ${lost[0].r.failure}` : `${data.problem}, steps of ${shown(data.step)} s`))),
      el('div', { class: 'panels' }, phase.node, total.node, setUp.node, memory.node, speed.length > 0 ? new Plot({ title: 'Speed-up of a step over cores', x: { name: 'cores', log: true }, y: { name: 'speed-up' }, curves: speed }).node : null),
      el('h3', {}, 'Exponents'),
      sortableTable('Exponents', [{ title: 'method', of: (s) => label(s) }, ...[...phases, ['set_up', 'set-up'], ['memory', 'memory']].map(([key, name]) => ({ title: name, of: (s) => s.exponents[key]?.exponent ?? null, show: (s) => power(s.exponents[key]) || '–' }))], data.series),
      el('h3', {}, 'Runs'),
      sortableTable('Runs', [{ title: 'method', of: ({ s }) => label(s) }, { title: data.by, of: ({ r }) => Number(r.size) }, { title: 'bodies', of: ({ r }) => r.bodies }, { title: 'rows', of: ({ r }) => r.rows }, { title: 'failure', of: ({ r }) => r.failure },
        { title: 'Newton a step', of: ({ r }) => r.newton_iterations_per_step }, ...phases.map(([key, name]) => ({ title: `${name} [s]`, of: ({ r }) => r[`seconds_${key}_per_step`] })), { title: 'set-up [s]', of: ({ r }) => r.seconds_set_up }, { title: 'memory [MB]', of: ({ r }) => r.peak_bytes / 1e6 }, { title: 'linear solver [MB]', of: ({ r }) => r.solver_bytes / 1e6 }], rows),
      el('details', {}, el('summary', {}, 'Manifest: with what it was computed'), pairs('Manifest', Object.entries(data.manifest))));
  }
}
