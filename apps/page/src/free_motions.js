// Motions that the joints of a model leave free at its start: velocities, along which bodies go to and fro.
import { Quaternion, Vector3 } from 'three';
import { numbers } from './numbers.js';

export class FreeMotions {
  /** coded: "motions" of a model, or undefined. */
  constructor(coded) {
    this.coded = coded;
    this.count = coded?.words.length ?? 0;
    this.names = coded?.words.map((words, k) => words || `${k + 1}${coded.more ? ' of more than 6' : ''}`) ?? [];
  }
  /** part in -1 ... 1 -> poses of all bodies from `rest`; at 1 the fastest body has gone by half a body's size or turned by 0.5 rad. */
  async of(which, rest, size) {
    const all = await numbers(this.coded.velocity), bodies = rest.length / 7;
    const v = all.subarray(6 * bodies * which, 6 * bodies * (which + 1));
    let fastest = 0;
    for (let k = 0; k < bodies; ++k) fastest = Math.max(fastest, Math.hypot(v[6 * k], v[6 * k + 1], v[6 * k + 2]) / size, Math.hypot(v[6 * k + 3], v[6 * k + 4], v[6 * k + 5]));
    const far = fastest > 0 ? 0.5 / fastest : 0, still = Float64Array.from(rest), out = new Float64Array(rest.length);
    const turn = new Quaternion(), spin = new Quaternion(), axis = new Vector3();
    return (part) => {
      for (let k = 0; k < bodies; ++k) {
        const o = 7 * k;
        for (let c = 0; c < 3; ++c) out[o + c] = still[o + c] + part * far * v[6 * k + c];
        axis.set(v[6 * k + 3], v[6 * k + 4], v[6 * k + 5]);  // in the frame of the body
        const angle = part * far * axis.length();
        turn.set(still[o + 3], still[o + 4], still[o + 5], still[o + 6]).multiply(spin.setFromAxisAngle(axis.normalize(), angle));
        turn.toArray(out, o + 3);
      }
      return out;
    };
  }
}
