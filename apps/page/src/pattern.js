// Which blocks of the KKT matrix are not zero, from who is joined to whom: bodies first, then joints; a spring between two
// bodies fills the block between them.
import { el } from './dom.js';
import { colours, faint, ink, onTheme } from './theme.js';

export class Pattern {
  /** onhover({body}|{joint}|null) and onpick of the same. */
  constructor(scene, onhover, onpick) {
    this.bodies = scene.bodies.length;
    this.size = this.bodies + scene.joints.length;
    this.names = [...scene.bodies.map((b) => b.name), ...scene.joints.map((j) => `${j.name} (${j.type})`)];
    this.entries = [];
    for (let b = 0; b < this.bodies; ++b) this.entries.push([b, b, 0]);
    scene.joints.forEach((joint, k) => {
      for (const body of new Set(joint.bodies)) if (body >= 0) this.entries.push([this.bodies + k, body, 1], [body, this.bodies + k, 1]);
    });
    for (const force of scene.forces) {
      const on = [...new Set(force.bodies)].filter((b) => b >= 0);
      for (const a of on) for (const b of on) if (a !== b) this.entries.push([a, b, 2]);
    }
    this.marked = -1;
    this.canvas = el('canvas', { class: 'pattern', role: 'img', 'aria-label': `Blocks of the KKT matrix: ${this.bodies} bodies and ${scene.joints.length} joints, ${this.entries.length} blocks` });
    this.says = el('p', { class: 'note', 'aria-live': 'polite' });
    this.node = el('div', { class: 'pattern-box' }, el('h3', {}, 'Blocks of the KKT matrix'), this.canvas, this.says);
    const at = (event) => {
      const box = this.canvas.getBoundingClientRect();
      const row = Math.floor(((event.clientY - box.top) / box.height) * this.size), column = Math.floor(((event.clientX - box.left) / box.width) * this.size);
      return [row, column];
    };
    const item = (k) => (k < 0 || k >= this.size ? null : k < this.bodies ? { body: k } : { joint: k - this.bodies });
    // A block of a joint and a body shows the joint.
    this.canvas.addEventListener('pointermove', (event) => { const [row, column] = at(event); this.say(row, column); onhover(item(Math.max(row, column))); });
    this.canvas.addEventListener('pointerleave', () => { this.says.textContent = this.still; onhover(null); });
    this.canvas.addEventListener('click', (event) => { const [row, column] = at(event); onpick(item(Math.max(row, column))); });
    const some = (n, one, more) => `${n} ${n === 1 ? one : more}`;
    this.still = `${some(this.bodies, 'body', 'bodies')}, then ${some(scene.joints.length, 'joint', 'joints')}; ${this.entries.length} blocks that are not zero`;
    this.says.textContent = this.still;
    onTheme(() => this.draw());
    this.draw();
  }
  say(row, column) {
    if (row < 0 || column < 0 || row >= this.size || column >= this.size) return;
    const filled = this.entries.some(([r, c]) => r === row && c === column);
    this.says.textContent = `row ${this.names[row]}, column ${this.names[column]}${filled ? '' : ': zero'}`;
  }
  mark(item) {
    this.marked = !item ? -1 : item.body !== undefined ? item.body : this.bodies + item.joint;
    this.draw();
  }
  draw() {
    const pixels = 560, cell = pixels / this.size;
    this.canvas.width = this.canvas.height = pixels;
    const pen = this.canvas.getContext('2d');
    const fills = [colours()[0], colours()[1], colours()[2]];
    pen.clearRect(0, 0, pixels, pixels);
    if (this.marked >= 0) {
      pen.fillStyle = faint();
      pen.fillRect(0, this.marked * cell, pixels, Math.max(cell, 2));
      pen.fillRect(this.marked * cell, 0, Math.max(cell, 2), pixels);
    }
    const gap = cell > 6 ? 1 : 0, side = Math.max(cell - gap, 1.2);
    for (const [row, column, kind] of this.entries) {
      pen.fillStyle = row === this.marked || column === this.marked ? ink() : fills[kind];
      pen.fillRect(column * cell, row * cell, side, side);
    }
    pen.strokeStyle = faint();
    const line = this.bodies * cell;
    pen.beginPath();
    pen.moveTo(line, 0); pen.lineTo(line, pixels); pen.moveTo(0, line); pen.lineTo(pixels, line);
    pen.stroke();
  }
}
