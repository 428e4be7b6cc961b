// The 3-D replay with its controls.
import { holdPlots } from './chart.js';
import { check, download, el, freshId, select } from './dom.js';
import { gltfOf } from './gltf.js';
import { FreeMotions } from './free_motions.js';
import { Motion } from './motion.js';
import { shown } from './numbers.js';
import { Pattern } from './pattern.js';
import { Stage } from './stage.js';
import { colours, isDark, onTheme, scaleGradient } from './theme.js';

/** Of what the library names, as a culprit say: its kind and its name. */
export const culpritItem = /^(body|joint|force) "(.*)"/;

export class Replay {
  /** card: of a run or a model; others: further cards that may be laid over it; ontime(time): the time has changed. */
  constructor(card, name, others, ontime) {
    this.card = card;
    this.freeMotions = new FreeMotions(card.motions);
    this.name = name;
    this.ontime = ontime;
    this.motion = new Motion(card);
    this.canvas = el('canvas', { class: 'stage', tabindex: 0, role: 'img', 'aria-label': `Moving picture of ${name}. Space plays, the arrow keys step; the pointer, or Shift and the arrow keys, turn the camera, plus and minus zoom.` });
    this.tip = el('div', { class: 'tip', hidden: true });
    this.info = el('div', { class: 'info', 'aria-live': 'polite' });
    this.legend = el('div', { class: 'legend3d' });
    this.overlayLegend = el('div', { class: 'overlay-legend', hidden: true });
    this.view = el('div', { class: 'view' }, this.canvas, this.tip, this.legend, this.overlayLegend);
    this.moving = card.frames.count > 1;
    this.node = el('section', { class: 'replay', 'aria-label': `Replay of ${name}` }, this.view, this.moving ? this.transport() : null, this.options(others), el('div', { class: 'side' }, this.info));
    /** Settled when the first frame is drawn, or will not be: what else the page shows comes after it. */
    this.first = new Promise((done) => { this.drawn = done; });
    this.ready = this.load();
    this.ready.catch(() => this.drawn());
    holdPlots(this.ready);
  }

  transport() {
    this.play = el('button', { type: 'button', class: 'play', 'aria-label': 'Play', onclick: () => this.toggle() }, '▶');
    this.slider = el('input', { type: 'range', min: 0, max: 1000, step: 'any', value: 0, 'aria-label': 'Time', oninput: () => { this.stop(); this.seek(this.motion.start + (this.slider.value / 1000) * (this.motion.end - this.motion.start)); } });
    this.clock = el('output', { class: 'clock' }, '0 s');
    this.speed = select('Speed', [[0.01, '1/100'], [0.1, '1/10'], [0.25, '1/4'], [0.5, '1/2'], [1, '1'], [2, '2'], [5, '5'], [10, '10'], [100, '100']], 1, (v) => { this.rate = Number(v); });
    this.rate = 1;
    return el('div', { class: 'transport' },
      el('button', { type: 'button', 'aria-label': 'One frame back', onclick: () => this.step(-1) }, '◂|'), this.play,
      el('button', { type: 'button', 'aria-label': 'One frame forward', onclick: () => this.step(1) }, '|▸'), this.slider, this.clock, this.speed);
  }

  options(others) {
    const { frames, scene } = this.card;
    const kinds = [['none', 'body'], frames.energy && ['energy', 'kinetic energy'], frames.force && ['reaction', 'largest joint force'], frames.residual && ['residual', 'residual of its joints'], frames.pivot && ['pivot', 'smallest pivot of its joints']].filter(Boolean);
    const stage = (change) => () => this.ready.then(change);
    const parts = [
      kinds.length > 1 && this.moving ? select('Colour', kinds, 'none', (v) => this.ready.then(() => this.colourBy(v))) : null,
      select('Camera', [['fit', 'all'], ['front', 'front'], ['side', 'side'], ['top', 'top'], ['follow', 'follow selected']], 'fit', (v) => this.ready.then(() => this.look(v))),
      this.moving ? select('Trail', [['last', 'last body'], ['selected', 'selected'], ['all', 'all (50 at most)'], ['none', 'none']], 'last', (v) => this.ready.then(() => this.trail(v))) : null,
      this.freeMotions.count > 0 ? select('Free motion', [['', 'none'], ...this.freeMotions.names.map((name, k) => [k, name])], '', (v) => this.ready.then(() => this.move(v))) : null,
      scene.joints.length > 0 ? check('Joints', true, (on) => this.ready.then(() => this.stage.showJoints(on))) : null,
      scene.joints.some((j) => j.frames) ? check('Joint frames', !this.moving, (on) => this.ready.then(() => this.showFrames(on))) : null,
      frames.force ? check('Reactions', false, (on) => this.ready.then(async () => this.stage.arrowsOf(on ? await this.motion.channel('force') : null))) : null,
      others.length > 0 ? select('Second run', [['', 'none'], ...others.map((o, k) => [k, o.name])], '', (v) => { this.second = v === '' ? null : others[v]; this.ready.then(() => this.overlay()); }) : null,
      others.length > 0 ? check('Side by side', false, (on) => { this.beside = on; this.ready.then(() => this.overlay()); }) : null,
      this.finder(),
      el('button', { type: 'button', onclick: stage(() => this.savePng()) }, 'PNG'),
      el('button', { type: 'button', onclick: stage(() => this.saveGltf()) }, 'glTF'),
    ];
    return el('div', { class: 'options' }, parts.filter(Boolean));
  }

  // Bodies, joints and forces by name, for those who do not point.
  finder() {
    const { scene } = this.card, id = freshId('find'), list = freshId('items');
    const items = [['body', scene.bodies], ['joint', scene.joints], ['force', scene.forces]].flatMap(([kind, all]) => all.map((item) => `${kind} "${item.name}"`));
    const field = el('input', { id, list, autocomplete: 'off', onchange: () => { if (culpritItem.test(field.value)) this.goTo(field.value, undefined, false); } });
    return el('span', { class: 'choice' }, el('label', { for: id }, 'Find'), field, el('datalist', { id: list }, items.slice(0, 2000).map((value) => el('option', { value }))));
  }

  async load() {
    await this.motion.begin();
    try {
      this.stage = new Stage(this.canvas, this.motion);
    } catch (error) {
      this.view.replaceChildren(el('p', { class: 'note' }, `This browser shows no 3-D picture (${error.message}).`));
      throw error;
    }
    const fit = () => { const w = this.view.clientWidth, h = this.view.clientHeight; if (w > 0 && h > 0) { this.stage.resize(w, h); if (!this.touched) this.stage.look(this.camera ?? 'fit'); } };
    this.stage.follow = -1;
    this.stage.show(this.motion.start);
    new ResizeObserver(() => requestAnimationFrame(fit)).observe(this.view);
    fit();
    // The picture comes first, of the first frame and without shadows; then all the others.
    this.stage.onfirst = () => { document.documentElement.dataset.firstFrame ??= String(Math.round(performance.now())); this.drawn(); };
    setTimeout(this.drawn, 3000);  // of a tab that is not shown
    await this.first;
    await this.motion.load();
    this.stage.shadows();
    this.stage.orbit.addEventListener('start', () => { this.touched = true; });
    const last = this.motion.bodies - 1;
    if (this.moving) {
      this.trail('last');
      const length = this.motion.end - this.motion.start;
      const natural = [0.01, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100].find((r) => length / r <= 12) ?? 100;
      this.rate = natural;
      this.speed.querySelector('select').value = String(natural);
    } else this.showFrames(true);
    this.pattern = this.card.scene.joints.length > 0 ? new Pattern(this.card.scene, (item) => this.hover(item, false), (item) => this.pick(item)) : null;
    if (this.pattern) this.node.querySelector('.side').append(this.pattern.node);
    this.canvas.addEventListener('pointermove', (event) => { if (event.buttons === 0) this.hover(this.stage.pick(event), true, event); });
    this.canvas.addEventListener('pointerleave', () => this.hover(null, true));
    let pressed = null;
    this.canvas.addEventListener('pointerdown', (event) => { pressed = [event.clientX, event.clientY]; });
    this.canvas.addEventListener('pointerup', (event) => {
      if (pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 5) this.pick(this.stage.pick(event));
    });
    this.canvas.addEventListener('keydown', (event) => this.key(event));
    onTheme(() => { this.stage.theme(); this.showLegend(); });
    this.selected = { body: last };
    this.showLegend();
    this.pick(null);
    this.seek(this.motion.start);
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.motion.start), this.motion.end);
    this.stage.show(this.time);
    if (this.moving) {
      this.slider.value = (1000 * (this.time - this.motion.start)) / (this.motion.end - this.motion.start || 1);
      this.clock.textContent = `${shown(this.time, 4)} s`;
      this.slider.setAttribute('aria-valuetext', `${shown(this.time, 4)} s`);
    }
    this.describe();
    this.ontime?.(this.time);
  }
  inView() {
    const box = this.canvas.getBoundingClientRect();  // empty where the browser shows no picture
    return box.height > 0 && box.bottom > 0 && box.top < window.innerHeight;
  }
  toggle() { if (this.playing) this.stop(); else this.start(); }
  start() {
    if (this.time >= this.motion.end) this.seek(this.motion.start);
    this.play.textContent = '❚❚';
    this.play.setAttribute('aria-label', 'Pause');
    let last = performance.now();
    const next = (now) => {
      const time = this.time + ((now - last) / 1000) * this.rate;
      last = now;
      this.seek(time);
      if (this.time >= this.motion.end) this.stop();
      else this.playing = requestAnimationFrame(next);
    };
    this.playing = requestAnimationFrame(next);
  }
  stop() {
    cancelAnimationFrame(this.playing);
    this.playing = 0;
    this.play.textContent = '▶';
    this.play.setAttribute('aria-label', 'Play');
  }
  step(by) {
    this.stop();
    const [frame, part] = this.motion.find(this.time);
    const to = by > 0 ? (part >= 1 - 1e-9 ? frame + 2 : frame + 1) : part > 1e-9 ? frame + (part >= 1 - 1e-9 ? 0 : 0) : frame - 1;
    this.seek(this.motion.times[Math.min(Math.max(to, 0), this.motion.count - 1)]);
  }
  key(event) {
    const angle = Math.PI / 18;
    const turn = { ArrowLeft: [-angle, 0], ArrowRight: [angle, 0], ArrowUp: [0, angle], ArrowDown: [0, -angle] }[event.shiftKey ? event.key : ''] ?? { '+': [0, 0, 1.2], '=': [0, 0, 1.2], '-': [0, 0, 1 / 1.2] }[event.key];
    if (turn) {
      this.touched = true;
      this.stage.turn(...turn);
      event.preventDefault();
      return;
    }
    if (!this.moving) return;
    if (event.key === ' ') this.toggle();
    else if (event.key === 'ArrowRight') this.step(1);
    else if (event.key === 'ArrowLeft') this.step(-1);
    else if (event.key === 'Home') this.seek(this.motion.start);
    else if (event.key === 'End') this.seek(this.motion.end);
    else return;
    event.preventDefault();
  }

  hover(item, from3d, event) {
    this.stage.mark(item ?? this.selected);
    if (from3d) this.pattern?.mark(item ?? this.selected);
    this.tip.hidden = !(item && from3d);
    this.canvas.style.cursor = item && from3d ? 'pointer' : '';
    if (!item || !from3d) return;
    this.tip.textContent = this.titleOf(item);
    const box = this.view.getBoundingClientRect();
    this.tip.style.left = `${Math.min(event.clientX - box.left + 14, box.width - 180)}px`;
    this.tip.style.top = `${event.clientY - box.top + 14}px`;
  }
  pick(item) {
    this.selected = item;
    this.stage.mark(item);
    this.pattern?.mark(item);
    if (this.trails === 'selected') this.trail('selected');
    if (this.camera === 'follow') this.look('follow');
    this.describe();
  }
  titleOf(item) {
    const { bodies, joints, forces } = this.card.scene;
    const of = (kind, { name, type }) => `${kind} ${name} (${type})`;
    return item.body !== undefined ? `body ${bodies[item.body].name}` : item.joint !== undefined ? of('joint', joints[item.joint]) : of('force', forces[item.force]);
  }
  async describe() {
    const item = this.selected, { scene } = this.card;
    if (!item) { this.info.replaceChildren(el('p', { class: 'note' }, this.pattern ? 'Point at a body or a joint to see its block of the matrix; press it for its numbers.' : 'Press a body for its numbers.')); return; }
    const rows = [];
    if (item.body !== undefined) {
      const k = item.body, poses = this.stage.poses, body = scene.bodies[k];
      rows.push(['mass', body.mass === undefined ? '–' : `${shown(body.mass)} kg`], ['position', `(${[0, 1, 2].map((c) => shown(poses[7 * k + c])).join(', ')}) m`]);
      const energy = await this.motion.channel('energy');
      if (energy) rows.push(['kinetic energy', `${shown(energy[this.stage.frame * this.motion.bodies + k])} J`]);
      const held = scene.joints.filter((j) => j.bodies.includes(k)).map((j) => j.name);
      if (held.length > 0) rows.push(['joints', held.slice(0, 6).join(', ') + (held.length > 6 ? ` and ${held.length - 6} more` : '')]);
    } else if (item.force !== undefined) {
      const force = scene.forces[item.force];
      rows.push(['type', force.type], ['bodies', force.bodies.map((b) => (b < 0 ? 'ground' : scene.bodies[b].name)).join(', ')]);
    } else {
      const joint = scene.joints[item.joint];
      rows.push(['type', joint.type], ['rows', `${joint.rows}, of the ${joint.level}`], ['bodies', joint.bodies.map((b) => (b < 0 ? 'ground' : scene.bodies[b].name)).join(', ')]);
      const residual = await this.motion.channel('residual');
      const ofJoint = (data) => shown(data[(this.stage.frame * data.length) / this.motion.count + item.joint]);
      if (residual) rows.push(['residual', ofJoint(residual)]);
      const pivot = await this.motion.channel('pivot');
      if (pivot) rows.push(['smallest pivot', ofJoint(pivot)]);
      const side = scene.sides.findIndex((s) => s.joint === item.joint), force = await this.motion.channel('force');
      if (side >= 0 && force) {
        const o = 3 * (this.stage.frame * this.motion.sides + side);
        rows.push(['force', `${shown(Math.hypot(force[o], force[o + 1], force[o + 2]))} N`]);
      }
    }
    if (item !== this.selected) return;
    this.info.replaceChildren(el('h3', {}, this.titleOf(item)), el('dl', { class: 'pairs' }, rows.map(([a, b]) => el('div', {}, el('dt', {}, a), el('dd', {}, b)))));
  }

  async colourBy(kind) {
    const { motion, stage } = this, { scene } = this.card;
    this.scaleName = '';
    if (kind === 'none') { stage.colourBy(null); this.showLegend(); return; }
    let values;
    if (kind === 'energy') {
      const energy = await motion.channel('energy');
      values = (frame, body) => energy[frame * motion.bodies + body];
    } else {
      const of = scene.bodies.map(() => []);
      const items = kind === 'reaction' ? scene.sides : scene.joints;
      items.forEach((item, k) => { for (const b of kind === 'reaction' ? [item.body, ...scene.joints[item.joint].bodies] : item.bodies) if (b >= 0 && !of[b].includes(k)) of[b].push(k); });
      const data = await motion.channel(kind === 'reaction' ? 'force' : kind);
      const row = data.length / motion.count;  // of the joints, and of the rows that some coordinates bring
      values = {
        reaction: (frame, body) => of[body].reduce((most, k) => { const o = 3 * (frame * motion.sides + k); return Math.max(most, Math.hypot(data[o], data[o + 1], data[o + 2])); }, 0),
        residual: (frame, body) => of[body].reduce((most, k) => Math.max(most, data[frame * row + k]), 0),
        pivot: (frame, body) => of[body].reduce((least, k) => Math.min(least, data[frame * row + k]), 1),
      }[kind];
    }
    let largest = 0;
    const stride = Math.max(1, Math.floor((motion.count * motion.bodies) / 200000)), found = [];
    for (let f = 0; f < motion.count; f += stride) for (let b = 0; b < motion.bodies; ++b) { const v = values(f, b); if (v > 0) found.push(v); if (v > largest) largest = v; }
    found.sort((a, b) => a - b);
    if (kind === 'pivot') largest = 1;  // or the roundoff of redundant rows would take all colours
    // What is small is of no interest, but for pivots, which show what is all but redundant.
    const least = kind === 'pivot' ? Math.min(found[0] ?? 0.1, 0.1) : Math.max(found[Math.floor(0.02 * found.length)] ?? 0, largest * 1e-6);
    this.scaleName = { energy: 'kinetic energy [J]', reaction: 'largest joint force [N]', residual: 'residual [m or rad]', pivot: 'smallest pivot, relative' }[kind];
    this.scale = [least, largest];
    stage.colourBy(values, least, largest);
    this.showLegend();
  }
  showLegend() {
    const types = this.stage.types.map((type) => el('span', { class: 'key' }, el('i', { style: `background:${this.stage.typeColour(type)}` }), type.replaceAll('_', ' ')));
    const scale = this.scaleName ? el('span', { class: 'scale' }, el('b', {}, this.scaleName), ` ${shown(this.scale[0], 2)} `, el('i', { style: `background:${scaleGradient}` }), ` ${shown(this.scale[1], 2)}`) : null;
    this.legend.replaceChildren(...[scale, ...types, el('span', { class: 'key' }, `grid ${shown(this.stage.gridCell)} m`)].filter(Boolean));
    this.overlayLegend.hidden = !this.second;
    if (this.second) this.overlayLegend.replaceChildren(el('span', { class: 'key' }, el('i', { style: `background:${colours()[0]}` }), this.name), el('span', { class: 'key' }, el('i', { style: `background:${colours()[1]}` }), this.second.name));
  }
  look(from) {
    this.camera = from;
    this.stage.follow = from === 'follow' ? this.selected?.body ?? this.motion.bodies - 1 : -1;
    if (from === 'follow') this.stage.goTo(this.stage.follow);
    else { this.touched = false; this.stage.look(from); }
  }
  /** To and fro in a motion that the joints leave free; '': at rest. */
  async move(which) {
    cancelAnimationFrame(this.swinging);
    this.stage.show(this.motion.start);
    if (which === '') return;
    const motion = await this.freeMotions.of(Number(which), this.stage.poses, this.stage.typical), begun = performance.now();
    const next = (now) => {
      this.stage.pose(motion(Math.sin((now - begun) / 600)));
      this.swinging = requestAnimationFrame(next);
    };
    // Who wants no motion sees its far end.
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) this.stage.pose(motion(1)); else this.swinging = requestAnimationFrame(next);
  }
  trail(which) {
    this.trails = which;
    const n = this.motion.bodies;
    this.stage.trail({ none: [], last: [n - 1], selected: this.selected?.body !== undefined ? [this.selected.body] : [], all: Array.from({ length: Math.min(n, 50) }, (_, k) => k) }[which]);
  }
  showFrames(on) { this.stage.frames.lines.visible = on; this.stage.show(this.stage.time ?? this.motion.start); }
  async overlay() {
    if (!this.second) { this.stage.overlay(null); this.showLegend(); return; }
    this.second.motion ??= await new Motion(this.second.card).load();
    this.stage.overlay(this.second.motion, this.beside);
    this.showLegend();
  }
  /** The body, joint or force of that name, at that time, in the middle of the picture. */
  async goTo(name, time, focus = true) {
    await this.ready;
    const found = culpritItem.exec(name), { scene } = this.card;
    if (time !== undefined && this.moving) { this.stop(); this.seek(time); }
    const list = { body: scene.bodies, joint: scene.joints, force: scene.forces }[found?.[1]];
    const k = list?.findIndex((item) => item.name === found[2]) ?? -1;
    if (k < 0) return;
    this.pick({ [found[1]]: k });
    const body = found[1] === 'body' ? k : list[k].bodies.find((b) => b >= 0);
    this.touched = true;
    if (body !== undefined) this.stage.goTo(body);
    if (!focus) return;
    this.canvas.scrollIntoView({ block: 'center', behavior: window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
    this.canvas.focus({ preventScroll: true });
  }
  savePng() { this.stage.drawNow(); this.canvas.toBlob((blob) => download(`${this.name}.png`, blob)); }
  async saveGltf() { download(`${this.name}.glb`, await gltfOf(this.motion, isDark() ? '#56b4e9' : '#0072b2')); }
}
