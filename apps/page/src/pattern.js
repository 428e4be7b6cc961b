// Which blocks of the KKT matrix are not zero, from who is joined to whom: bodies first, then joints; a spring between two
// bodies fills the block between them.
import { el } from './dom.js';
import { colours, faint, ink, onTheme } from './theme.js';

const pixels = 560;

export class Pattern {
  /** onhover({body}|{joint}|null) and onpick of the same. */
  constructor(scene, onhover, onpick) {
    this.bodies = scene.bodies.length;
    this.size = this.bodies + scene.joints.length;
    this.names = [...scene.bodies.map((b) => b.name), ...scene.joints.map((j) => `${j.name} (${j.type})`)];
    this.forces = scene.forces;
    this.entries = [];
    for (let b = 0; b < this.bodies; ++b) this.entries.push([b, b, 0]);
    scene.joints.forEach((joint, k) => {
      for (const body of new Set(joint.bodies)) if (body >= 0) this.entries.push([this.bodies + k, body, 1], [body, this.bodies + k, 1]);
    });
    for (const force of scene.forces) {
      const on = [...new Set(force.bodies)].filter((b) => b >= 0);
      for (const a of on) for (const b of on) if (a !== b) this.entries.push([a, b, 2]);
    }
    // Of each body and joint its blocks, and of each pixel a block: of large systems a pixel stands for many.
    this.of = Array.from({ length: this.size }, () => []);
    this.at = new Map();
    this.cell = pixels / this.size;
    const pixel = (k) => Math.floor(k * this.cell);
    this.entries.forEach(([row, column], k) => {
      this.of[row].push(k);
      if (column !== row) this.of[column].push(k);
      this.at.set(pixel(row) * pixels + pixel(column), k);
    });
    this.marked = -1;
    this.place = [0, 0];
    const some = (n, one, more) => `${n} ${n === 1 ? one : more}`;
    this.still = `${some(this.bodies, 'body', 'bodies')}, then ${some(scene.joints.length, 'joint', 'joints')}; ${this.entries.length} blocks that are not zero${this.cell < 1 ? `; a pixel stands for ${Math.ceil(1 / this.cell)} of them in each direction` : ''}`;
    this.canvas = el('canvas', { class: 'pattern', tabindex: 0, role: 'img', 'aria-label': `Blocks of the KKT matrix: ${this.still}. Up and down go over bodies and joints, left and right over the blocks of one, Enter shows it.` });
    this.says = el('p', { class: 'note', 'aria-live': 'polite' });
    this.node = el('div', { class: 'pattern-box' }, el('h3', {}, 'Blocks of the KKT matrix'), this.canvas, this.says);
    const at = (event) => {
      const box = this.canvas.getBoundingClientRect();
      return this.near((event.clientY - box.top) / box.height, (event.clientX - box.left) / box.width);
    };
    const item = (k) => (k < 0 || k >= this.size ? null : k < this.bodies ? { body: k } : { joint: k - this.bodies });
    // A block of a joint and a body shows the joint.
    this.canvas.addEventListener('pointermove', (event) => { const [row, column] = at(event); this.say(row, column); onhover(item(Math.max(row, column))); });
    this.canvas.addEventListener('pointerleave', () => { this.says.textContent = this.still; onhover(null); });
    this.canvas.addEventListener('click', (event) => { const [row, column] = at(event); onpick(item(Math.max(row, column))); });
    this.canvas.addEventListener('blur', () => { this.says.textContent = this.still; onhover(null); });
    this.canvas.addEventListener('keydown', (event) => {
      let [row, column] = this.place;
      const along = () => [...new Set(this.of[row].map((k) => (this.entries[k][0] === row ? this.entries[k][1] : this.entries[k][0])))].sort((a, b) => a - b);
      const diagonal = (k) => { row = Math.min(Math.max(k, 0), this.size - 1); column = row; };
      if (event.key === 'ArrowDown') diagonal(row + 1);
      else if (event.key === 'ArrowUp') diagonal(row - 1);
      else if (event.key === 'Home') diagonal(0);
      else if (event.key === 'End') diagonal(this.size - 1);
      else if (event.key === 'ArrowRight') column = along().find((c) => c > column) ?? column;
      else if (event.key === 'ArrowLeft') column = along().findLast((c) => c < column) ?? column;
      else if (event.key === 'Enter' || event.key === ' ') onpick(item(row));
      else return;
      event.preventDefault();
      this.place = [row, column];
      this.say(row, column);
      onhover(item(row));
    });
    this.says.textContent = this.still;
    onTheme(() => { this.base = null; this.draw(); });
    this.draw();
  }
  /** Row and column under a place of the picture; where a pixel stands for many, those of a block in it or beside it. */
  near(down, right) {
    const place = [Math.floor(down * this.size), Math.floor(right * this.size)];
    if (this.cell >= 1) return place;
    const y = Math.floor(down * pixels), x = Math.floor(right * pixels);
    for (const [dy, dx] of [[0, 0], [0, 1], [0, -1], [1, 0], [-1, 0]]) {
      const k = this.at.get((y + dy) * pixels + x + dx);
      if (k !== undefined) return this.entries[k];
    }
    return place;
  }
  say(row, column) {
    if (row < 0 || column < 0 || row >= this.size || column >= this.size) return;
    const filled = this.of[row].some((k) => { const [r, c] = this.entries[k]; return r === row && c === column; });
    this.says.textContent = `row ${this.names[row]}, column ${this.names[column]}${filled ? '' : ': zero'}`;
  }
  mark(item) {
    this.marked = !item ? -1 : item.joint !== undefined ? this.bodies + item.joint : item.body ?? Math.max(...this.forces[item.force].bodies);
    if (this.marked >= 0) this.place = [this.marked, this.marked];
    this.draw();
  }
  // All blocks once, and the marked ones over them.
  draw() {
    const { cell } = this, gap = cell > 6 ? 1 : 0, side = Math.max(cell - gap, 1.2);
    const block = (pen, [row, column], colour) => { pen.fillStyle = colour; pen.fillRect(column * cell, row * cell, side, side); };
    if (!this.base) {
      this.base = el('canvas', { width: pixels, height: pixels });
      const pen = this.base.getContext('2d'), fills = colours();
      for (const entry of this.entries) block(pen, entry, fills[entry[2]]);
      pen.strokeStyle = faint();
      const line = this.bodies * cell;
      pen.beginPath();
      pen.moveTo(line, 0); pen.lineTo(line, pixels); pen.moveTo(0, line); pen.lineTo(pixels, line);
      pen.stroke();
    }
    this.canvas.width = this.canvas.height = pixels;
    const pen = this.canvas.getContext('2d');
    if (this.marked >= 0) {
      pen.fillStyle = faint();
      pen.fillRect(0, this.marked * cell, pixels, Math.max(cell, 2));
      pen.fillRect(this.marked * cell, 0, Math.max(cell, 2), pixels);
    }
    pen.drawImage(this.base, 0, 0);
    if (this.marked >= 0) for (const k of this.of[this.marked]) block(pen, this.entries[k], ink());
  }
}
