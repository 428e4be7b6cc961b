// A run: how it ended, the replay, the curves, the figures.
import { Plot } from './chart.js';
import { el, select } from './dom.js';
import { numbers, shown } from './numbers.js';
import { culpritItem, Replay } from './replay.js';
import { pairs, sortableTable } from './table.js';

const seriesOf = (card, names) => names.map((name) => card.series?.find((s) => s.name === name)).filter(Boolean);

export function nameOf(card) {
  if (card.name) return card.name;
  if (card.kind === 'model') return card.problem.replace(/^.*\//, '');
  return card.kind === 'run' ? card.folder || card.report.problem : card.folder || card.kind;
}

export class RunCard {
  constructor(card, cards) {
    this.card = card;
    this.plots = [];
    const name = nameOf(card);
    const others = cards.filter((c) => c !== card && c.frames && c.frames.count > 1).map((c) => ({ name: nameOf(c), card: c }));
    this.replay = card.frames ? new Replay(card, name, others, (time) => this.at(time)) : null;
    this.replay?.ready.catch(() => {});
    this.node = el('article', { class: 'card' }, el('h2', {}, name), this.ending(), this.replay?.node ?? null, card.lacks ? el('p', { class: 'note' }, card.lacks) : null);
    if (this.replay) this.replay.first.then(() => this.fill());
    else this.fill();
  }
  // Curves and figures, which are below the picture.
  fill() {
    const charts = this.card.series ? this.charts() : [];
    if (charts.length > 0) this.node.append(el('div', { class: 'panels' }, charts.map((plot) => plot.node)));
    this.node.append(...this.figures());
  }
  at(time) { for (const plot of this.plots) plot.at(time); }
  plot(options) {
    const plot = new Plot({ x: { name: 't [s]' }, ontime: (time) => this.replay?.moving && this.replay.ready.then(() => { this.replay.stop(); this.replay.seek(time); }), ...options });
    this.plots.push(plot);
    return plot;
  }

  // What ended how, with the culprit first.
  ending() {
    const { report } = this.card;
    const culprit = report.culprit?.name ? report.culprit : null;
    const press = (name, time) => this.replay && culpritItem.test(name) ? el('button', { type: 'button', class: 'culprit', onclick: () => this.replay.goTo(name, time) }, `Show ${name}`) : null;
    const reached = report.status === 'event' ? 'ended at its event' : report.status === 'stopped' ? 'was stopped' : 'reached its end';
    const word = { ok: reached, remarks: `${reached}, with remarks`, failed: 'ended early', error: 'was not run' }[report.verdict] ?? report.verdict;
    return el('div', { class: `ending ${report.verdict}` },
      el('p', { class: 'verdict' }, el('span', { class: 'chip' }, word), ' ', el('strong', {}, culprit ? `${culprit.name}: ${culprit.quantity} ${shown(culprit.value)}` : report.termination)),
      culprit ? el('p', {}, report.termination) : null,
      culprit ? press(culprit.name, report.time) : null,
      report.remarks?.length > 0 ? el('ul', { class: 'remarks' }, report.remarks.map((r) => el('li', {}, el('b', {}, r.key), ` ${r.text} `, press(r.name, undefined)))) : null,
      report.failed_step?.lines ? el('details', {}, el('summary', {}, 'The step that failed'), el('pre', { tabindex: 0 }, report.failed_step.lines.join('\n'))) : null);
  }

  async curvesOf(series) {
    this.time ??= this.card.time ? numbers(this.card.time) : Promise.resolve(null);
    const common = await this.time;
    return Promise.all(series.map(async (s) => {
      const [t, y] = [s.times ? await numbers(s.times) : common, await numbers(s.values)];
      return { name: s.name.replace(/^.*\//, '').replaceAll('_', ' '), unit: s.unit, points: Array.from(y, (v, k) => [t[k], v]), decimated: s.of };
    }));
  }
  charts() {
    const { card } = this, made = [];
    const decimated = (series) => (series.some((s) => s.of) ? `100 000 of ${series[0].of} instants, chosen by LTTB; results.h5 has all` : '');
    const add = (title, names, y, options = {}) => {
      const series = seriesOf(card, names);
      if (series.length > 0) made.push(this.plot({ title, y, curves: () => this.curvesOf(series), note: decimated(series), ...options }));
    };
    add('Balance of energy', ['energy/error'], { name: 'E(t) − E(0) − W(t) [J]', unit: 'J' });
    add('Energy', ['energy/kinetic', 'energy/potential', 'energy/total'], { name: 'energy [J]', unit: 'J' });
    add('Residuals', ['residuals/position', 'residuals/velocity', 'residuals/acceleration'], { name: 'largest row (m, rad; per s; per s²)', log: true });
    made.push(...this.jointCharts());
    add('Steps', ['step/size'], { name: 'h [s]', unit: 's', log: true });
    add('Work of the steps', ['step/newton_iterations', 'step/factorizations', 'step/evaluations', 'step/solves'], { name: 'number', unit: '' });
    const shownNames = /^(energy\/(error|kinetic|potential|total)|residuals\/|step\/)/;
    const rest = (card.series ?? []).filter((s) => !shownNames.test(s.name));
    const groups = new Map();
    for (const s of rest) { const key = `${s.name.split('/')[0]} ${s.unit}`; if (!groups.has(key)) groups.set(key, []); groups.get(key).push(s); }
    for (const series of groups.values()) made.push(this.plot({ title: series.length === 1 ? series[0].name.replace('/', ': ').replaceAll('_', ' ') : `${series[0].name.split('/')[0]}, further`, y: { name: `${series[0].name.split('/')[0]} [${series[0].unit}]`, unit: series[0].unit }, curves: () => this.curvesOf(series) }));
    return made;
  }

  // Joint coordinates and reactions over the frames of the replay, of the six largest or of one joint.
  jointCharts() {
    const { frames, scene } = this.card, made = [];
    if (!frames || frames.count < 2) return made;
    const motion = this.replay.motion;
    const label = (joint) => scene.joints[joint].name;
    // A ball joint has no axis that an angle could be about.
    const offered = (item, marked) => !marked || scene.joints[item].type !== 'spherical';
    const chart = (title, y, all, valueOf, marked) => {
      const items = all.map((item, k) => ({ item, k })).filter(({ item }) => offered(item, marked));
      if (items.length === 0) return;
      let chosen = 'six';
      const curves = async () => {
        await motion.ready;
        await this.replay.ready.catch(() => {});
        const value = await valueOf();
        if (!value) return [];
        let list = items;
        if (chosen === 'six') {
          const peak = ({ k }) => { let most = 0; for (let f = 0; f < motion.count; ++f) most = Math.max(most, Math.abs(value(f, k))); return most; };
          list = list.map((l) => ({ ...l, most: peak(l) })).sort((a, b) => b.most - a.most).filter((l, n) => n < 6 && (l.most > 1e-9 || !marked)).slice(0, 6);
        } else list = list.filter(({ k }) => k === Number(chosen));
        return list.map(({ item, k }) => ({ name: label(marked ? item : item.joint) + (marked ? '' : sideName(item)), points: Array.from(motion.times, (t, f) => [t, value(f, k)]) }));
      };
      const sideName = (side) => (all.filter((s) => s.joint === side.joint).length > 1 ? ` on ${scene.bodies[side.body].name}` : '');
      let plot;
      const choice = items.length > 6 ? [select('Joint', [['six', 'six largest'], ...items.slice(0, 2000).map(({ item, k }) => [k, label(marked ? item : item.joint) + (marked ? '' : sideName(item))])], 'six', (v) => { chosen = v; plot.draw(); })] : [];
      plot = this.plot({ title, y, curves, choices: choice, note: `at the ${motion.coded.count} instants of the replay${title === 'Joint angles' ? '; from −π to π: full turns are in results.h5' : ''}${title === 'Reaction forces' && !frames.torque ? '; torques and joint coordinates of so many joints are in results.h5 alone' : ''}` });
      made.push(plot);
    };
    if (frames.angle) chart('Joint angles', { name: 'angle [rad]', unit: 'rad' }, scene.marked, async () => { const a = await motion.channel('angle'); return (f, k) => a[f * scene.marked.length + k]; }, true);
    if (frames.displacement) chart('Joint displacements', { name: 'displacement [m]', unit: 'm' }, scene.marked, async () => { const a = await motion.channel('displacement'); return (f, k) => a[f * scene.marked.length + k]; }, true);
    const size = (name) => async () => { const a = await motion.channel(name), n = scene.sides.length; return a && ((f, k) => Math.hypot(a[3 * (f * n + k)], a[3 * (f * n + k) + 1], a[3 * (f * n + k) + 2])); };
    if (frames.force) chart('Reaction forces', { name: '|F| [N]', unit: 'N' }, scene.sides, size('force'), false);
    if (frames.torque) chart('Reaction torques', { name: '|T| [N m]', unit: 'N m' }, scene.sides, size('torque'), false);
    return made;
  }

  figures() {
    const { report, manifest, events } = this.card;
    const w = report.worst ?? {};
    const worst = (key) => (w[key] ? `${w[key].constraint ? `${w[key].constraint}, ` : ''}t = ${shown(w[key].time)} s` : '');
    const rows = [
      { figure: 'time reached [s]', value: report.time }, { figure: 'end asked for [s]', value: report.end }, { figure: 'steps', value: report.steps }, { figure: 'repeated steps', value: report.rejected_steps },
      { figure: 'step [s]', value: report.step }, { figure: 'smallest step [s]', value: report.smallest_step },
      { figure: `largest energy error${report.energy_error_is_absolute ? ' [J]' : ', relative'}`, value: report.energy_error_max, note: worst('energy') },
      { figure: 'largest position residual', value: report.position_residual_max, note: worst('position') }, { figure: 'largest velocity residual', value: report.velocity_residual_max, note: worst('velocity') },
      { figure: 'largest acceleration residual', value: report.acceleration_residual_max, note: worst('acceleration') },
      { figure: 'bodies', value: report.bodies }, { figure: 'constraint rows', value: report.constraint_rows }, { figure: 'redundant rows', value: report.redundancy?.redundant_rows },
      { figure: 'Newton iterations a step', value: report.newton_iterations_per_step }, { figure: 'factorizations', value: report.factorizations },
      { figure: 'stepping [ns a step and body]', value: report.ns_per_step_per_body }, { figure: 'wall time [s]', value: report.wall_time_s },
    ].filter((r) => r.value !== undefined && r.value !== null);
    const settings = { problem: report.problem, ...report.parameters, stepper: report.stepper, ...report.options, 'back end': report.backend };
    return [
      el('h3', {}, 'Figures'),
      sortableTable('Figures', [{ title: 'figure', of: (r) => r.figure }, { title: 'value', of: (r) => r.value }, { title: 'where', of: (r) => r.note ?? '' }], rows),
      events?.length > 0 ? el('div', {}, el('h3', {}, 'Events'), sortableTable('Events', [{ title: 'time [s]', of: (e) => e.time }, { title: 'event', of: (e) => e.name }], events)) : null,
      el('details', {}, el('summary', {}, 'Problem, method and options'), pairs('Settings', Object.entries(settings).map(([k, v]) => [k, v && typeof v === 'object' ? JSON.stringify(v) : v]))),
      manifest ? el('details', {}, el('summary', {}, 'Manifest: with what it was computed'), pairs('Manifest', Object.entries(manifest))) : null,
    ].filter(Boolean);
  }
}

export class ModelCard {
  constructor(card) {
    const name = nameOf(card);
    this.replay = new Replay(card, name, [], null);
    this.replay.ready.catch(() => {});
    const { scene } = card;
    const counts = new Map();
    for (const joint of scene.joints) counts.set(joint.type, (counts.get(joint.type) ?? 0) + 1);
    this.node = el('article', { class: 'card' }, el('h2', {}, name), el('p', { class: 'lead' }, card.summary), el('p', { class: 'note' }, 'At its start; nothing was run.'), this.replay.node,
      el('h3', {}, 'Joints'),
      sortableTable('Joints', [{ title: 'joint', of: (j) => j.name }, { title: 'type', of: (j) => j.type }, { title: 'rows', of: (j) => j.rows }, { title: 'level', of: (j) => j.level },
        { title: 'bodies', of: (j) => j.bodies.map((b) => (b < 0 ? 'ground' : scene.bodies[b].name)).join(', ') }], scene.joints),
      el('h3', {}, 'Bodies'),
      sortableTable('Bodies', [{ title: 'body', of: (b) => b.name }, { title: 'mass [kg]', of: (b) => b.mass }, { title: 'shape', of: (b) => (b.shape.of_inertia ? `${b.shape.kind === 'box' ? 'box' : 'disc'} of its inertia` : b.shape.kind) }], scene.bodies),
      el('details', {}, el('summary', {}, 'Parameters'), pairs('Parameters', Object.entries(card.parameters))));
  }
}
