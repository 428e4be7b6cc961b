// The frames of a run, decoded, and poses between them.
import { logarithms, numbers, positions, quaternions, vectors } from './numbers.js';

export class Motion {
  constructor(card) {
    this.scene = card.scene;
    this.coded = card.frames;
    this.bodies = card.scene.bodies.length;
    this.sides = card.scene.sides.length;
    this.joints = card.scene.joints.length;
    this.once = new Map();
  }
  /** The times and the first frame, which the picture begins with. */
  async begin() {
    const [times, at, turn] = await Promise.all([numbers(this.coded.times), numbers(this.coded.first_position), this.coded.rotation ? numbers(this.coded.first_rotation) : null]);
    this.times = times;
    this.count = times.length;
    this.box = this.coded.position.box;
    this.first = new Float64Array(7 * this.bodies);
    for (let k = 0; k < this.bodies; ++k) {
      this.first.set(at.subarray(3 * k, 3 * k + 3), 7 * k);
      const q = turn ? turn.subarray(4 * k, 4 * k + 4) : [1, 0, 0, 0];
      this.first.set([q[1], q[2], q[3], q[0]], 7 * k + 3);
    }
    return this;
  }
  async load() {
    if (!this.first) await this.begin();
    const [at, turn] = await Promise.all([positions(this.coded.position, this.bodies), this.coded.rotation ? quaternions(this.coded.rotation) : null]);
    this.at = at;
    this.turn = turn ?? new Float32Array(4 * this.bodies * this.count).map((_, k) => (k % 4 === 3 ? 1 : 0));
    return this;
  }
  get start() { return this.times[0]; }
  get end() { return this.times[this.count - 1]; }

  /** Of one kind, decoded once: energy (body), residual, pivot (joint), force, torque (side), angle, displacement (marked joint). */
  channel(name) {
    if (!this.once.has(name)) {
      const coded = this.coded[name];
      const decode = { energy: logarithms, residual: logarithms, pivot: logarithms, angle: numbers, displacement: numbers }[name];
      this.once.set(name, !coded ? Promise.resolve(null) : decode ? decode(coded) : vectors(coded, this.sides));
    }
    return this.once.get(name);
  }

  /** The frame before a time and the part of the way to the next one. */
  find(time) {
    let low = 0, high = this.count - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle; else high = middle;
    }
    if (this.count < 2) return [0, 0];
    const part = (time - this.times[low]) / (this.times[low + 1] - this.times[low] || 1);
    return [low, Math.min(Math.max(part, 0), 1)];
  }

  /** Poses of all bodies at a time: seven numbers each, x y z and the quaternion x y z w. */
  poses(time, out) {
    if (!this.at) { out.set(this.first); return out; }
    const [frame, part] = this.find(time);
    const n = this.bodies, a = frame * n, b = Math.min(frame + 1, this.count - 1) * n;
    for (let k = 0; k < n; ++k) {
      for (let c = 0; c < 3; ++c) {
        const from = this.at[3 * (a + k) + c];
        out[7 * k + c] = from + part * (this.at[3 * (b + k) + c] - from);
      }
      let dot = 0, size = 0;
      for (let c = 0; c < 4; ++c) dot += this.turn[4 * (a + k) + c] * this.turn[4 * (b + k) + c];
      const sign = dot < 0 ? -1 : 1;
      for (let c = 0; c < 4; ++c) {
        const value = (1 - part) * this.turn[4 * (a + k) + c] + part * sign * this.turn[4 * (b + k) + c];
        out[7 * k + 3 + c] = value;
        size += value * value;
      }
      size = Math.sqrt(size) || 1;
      for (let c = 0; c < 4; ++c) out[7 * k + 3 + c] /= size;
    }
    return out;
  }
}

/** A point of a body in the world; poses as above. body < 0: it is there already. */
export function placed(poses, body, p, out) {
  if (body < 0) { out[0] = p[0]; out[1] = p[1]; out[2] = p[2]; return out; }
  turned(poses, body, p, out);
  for (let c = 0; c < 3; ++c) out[c] += poses[7 * body + c];
  return out;
}
export function turned(poses, body, v, out) {
  if (body < 0) { out[0] = v[0]; out[1] = v[1]; out[2] = v[2]; return out; }
  const o = 7 * body + 3, x = poses[o], y = poses[o + 1], z = poses[o + 2], w = poses[o + 3];
  const tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]), tz = 2 * (x * v[1] - y * v[0]);
  out[0] = v[0] + w * tx + y * tz - z * ty;
  out[1] = v[1] + w * ty + z * tx - x * tz;
  out[2] = v[2] + w * tz + x * ty - y * tx;
  return out;
}
