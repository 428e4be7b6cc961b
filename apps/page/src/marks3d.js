// What is drawn beside the bodies: joints by their type, joint frames, springs and rods, trails, reactions.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, DynamicDrawUsage, InstancedMesh, Line, LineBasicMaterial, LineSegments, Matrix4, MeshLambertMaterial, OctahedronGeometry, Quaternion, SphereGeometry, TetrahedronGeometry, TorusGeometry, Vector3,
} from 'three';
import { placed, turned } from './motion.js';

const up = new Vector3(0, 1, 0);

// A glyph of size 1 along y, which is turned to the axis of the joint. Of more than `many` joints each is some pixels, and triangles
// are what a picture by software takes its time for; of more than `veryMany` all are eight triangles.
const many = 200, veryMany = 5000;
const ring = () => new TorusGeometry(0.6, 0.16, 10, 24).rotateX(Math.PI / 2);  // three.js has it about z
const glyphs = {
  spherical: (fine) => (fine ? new SphereGeometry(0.55, 16, 12) : new SphereGeometry(0.55, 8, 6)),
  revolute: (fine) => new CylinderGeometry(0.5, 0.5, 1.1, fine ? 20 : 8),
  cylindrical: () => new CylinderGeometry(0.32, 0.32, 2, 20),
  screw: () => new CylinderGeometry(0.32, 0.5, 1.8, 8),
  prismatic: () => new BoxGeometry(0.6, 1.9, 0.6),
  universal: () => new OctahedronGeometry(0.75),
  weld: () => new BoxGeometry(0.9, 0.9, 0.9),
  planar: () => new BoxGeometry(1.6, 0.18, 1.6),
  point_in_plane: () => new ConeGeometry(0.6, 1.1, 16),
  point_on_line: () => new BoxGeometry(0.35, 2, 0.35),
  rolling_disc: ring,
  disc_contact: ring,
  gear: () => new CylinderGeometry(0.8, 0.8, 0.28, 12),
  rack_and_pinion: () => new CylinderGeometry(0.5, 0.5, 0.7, 6),
  differential: () => new CylinderGeometry(0.3, 0.8, 0.7, 12),
  knife_edge: () => new BoxGeometry(1.4, 0.1, 0.9),  // y across the blade
  constant_orientation: () => new TetrahedronGeometry(0.75),
  // Rings around the joints that they name, about the axes of these: a round one, and one of six sides.
  drive: (fine) => new TorusGeometry(0.95, 0.14, fine ? 10 : 4, fine ? 24 : 8).rotateX(Math.PI / 2),
  coupling: () => new TorusGeometry(0.95, 0.2, 6, 6).rotateX(Math.PI / 2),
  distance: () => new SphereGeometry(0.35, 12, 8),
};
const other = () => new OctahedronGeometry(0.6);

function dynamicLines(count, material) {
  const geometry = new BufferGeometry();
  const attribute = new BufferAttribute(new Float32Array(3 * count), 3);
  attribute.setUsage(DynamicDrawUsage);
  geometry.setAttribute('position', attribute);
  const lines = new LineSegments(geometry, material);
  lines.frustumCulled = false;
  return lines;
}

/** Joints by glyph and colour of their type. */
export class Joints3d {
  constructor(scene, joints, sides, size, colourOf, opacity = 1) {
    this.types = new Map();
    this.meshes = [];
    const sideOf = new Map(sides.map((side) => [side.joint, side]).reverse());  // the first of each joint
    joints.forEach((joint, k) => {
      const side = sideOf.get(k);
      const glyph = joint.glyph && { ...joint.glyph, inside: joint.glyph.point.every((v) => v === 0) };
      const frames = joint.around ?? [joint.frames?.[0] ?? glyph ?? (side && { body: side.body, point: side.point, axis: [0, 0, 1] })];
      for (const frame of frames) {
        if (!frame) continue;
        if (!this.types.has(joint.type)) this.types.set(joint.type, []);
        this.types.get(joint.type).push({ joint: k, frame });
      }
    });
    for (const [type, items] of this.types) {
      const mesh = new InstancedMesh(joints.length > veryMany ? other() : (glyphs[type] ?? other)(items.length <= many), new MeshLambertMaterial({ color: colourOf(type), transparent: opacity < 1, opacity, depthWrite: opacity === 1 }), items.length);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.userData = { items, type };
      if (items[0].frame.inside) {  // at the centre of a wheel: seen through it
        mesh.material.depthTest = false;
        mesh.renderOrder = 1;
      }
      this.meshes.push(mesh);
      scene.add(mesh);
    }
    this.size = size;
  }
  place(poses) {
    const p = [0, 0, 0], a = [0, 0, 0], world = new Matrix4(), at = new Vector3(), axis = new Vector3(), turn = new Quaternion();
    const scale = new Vector3(this.size, this.size, this.size);
    for (const mesh of this.meshes) {
      mesh.userData.items.forEach(({ frame }, i) => {
        placed(poses, frame.body, frame.point, p);
        turned(poses, frame.body, frame.axis, a);
        turn.setFromUnitVectors(up, axis.set(a[0], a[1], a[2]).normalize());
        mesh.setMatrixAt(i, world.compose(at.set(p[0], p[1], p[2]), turn, scale));
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }
  paint(colourOf) { for (const mesh of this.meshes) mesh.material.color.set(colourOf(mesh.userData.type)); }
  hit(raycaster) {
    const hits = raycaster.intersectObjects(this.meshes.filter((m) => m.visible), false);
    return hits.length > 0 ? { joint: hits[0].object.userData.items[hits[0].instanceId].joint, distance: hits[0].distance } : null;
  }
  show(visible) { for (const mesh of this.meshes) mesh.visible = visible; }
}

/** The two frames of each joint: x red-brown, y green, z blue. */
export class Frames3d {
  constructor(scene, joints, size) {
    this.frames = joints.flatMap((joint) => joint.frames ?? []);
    this.size = size;
    this.lines = dynamicLines(6 * this.frames.length, new LineBasicMaterial({ vertexColors: true }));
    const colours = new Float32Array(18 * this.frames.length);
    const of = [[0.84, 0.37, 0], [0, 0.62, 0.45], [0.15, 0.5, 0.85]];
    for (let k = 0; k < 6 * this.frames.length; ++k) colours.set(of[Math.floor(k / 2) % 3], 3 * k);
    this.lines.geometry.setAttribute('color', new BufferAttribute(colours, 3));
    this.lines.visible = false;
    scene.add(this.lines);
  }
  place(poses) {
    if (!this.lines.visible) return;
    const array = this.lines.geometry.attributes.position.array, p = [0, 0, 0], x = [0, 0, 0], z = [0, 0, 0];
    this.frames.forEach((frame, k) => {
      placed(poses, frame.body, frame.point, p);
      turned(poses, frame.body, frame.side, x);
      turned(poses, frame.body, frame.axis, z);
      const y = [z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]];
      [x, y, z].forEach((v, n) => {
        array.set(p, 18 * k + 6 * n);
        for (let c = 0; c < 3; ++c) array[18 * k + 6 * n + 3 + c] = p[c] + this.size * v[c];
      });
    });
    this.lines.geometry.attributes.position.needsUpdate = true;
  }
}

/** Springs as coils, rods as straight lines. */
export class Lines3d {
  constructor(scene, lines, size, colour) {
    this.lines = lines;
    this.size = size;
    this.turns = lines.length <= 300 ? 8 : 0;
    this.per = lines.map((line) => (line.joint || this.turns === 0 ? 1 : 10 * this.turns + 2));
    this.drawn = dynamicLines(2 * this.per.reduce((a, b) => a + b, 0), new LineBasicMaterial({ color: colour }));
    scene.add(this.drawn);
  }
  place(poses) {
    const array = this.drawn.geometry.attributes.position.array, ends = [new Vector3(), new Vector3()], p = [0, 0, 0];
    const along = new Vector3(), side = new Vector3(), third = new Vector3(), point = new Vector3(), last = new Vector3();
    let at = 0;
    const segment = (a, b) => { array.set([a.x, a.y, a.z, b.x, b.y, b.z], at); at += 6; };
    this.lines.forEach((line, k) => {
      line.ends.forEach((end, e) => ends[e].set(...placed(poses, end.body, end.point, p)));
      if (this.per[k] === 1) { segment(ends[0], ends[1]); return; }
      along.subVectors(ends[1], ends[0]);
      side.set(Math.abs(along.x) < 0.5 * along.length() ? 1 : 0, Math.abs(along.x) < 0.5 * along.length() ? 0 : 1, 0).cross(along).normalize();
      third.crossVectors(along, side).normalize();
      last.copy(ends[0]);
      const pieces = this.per[k];
      for (let i = 1; i <= pieces; ++i) {
        const part = i / pieces, turn = ((i - 1) / 10) * 2 * Math.PI;
        point.copy(ends[0]).addScaledVector(along, part);
        if (i < pieces) point.addScaledVector(side, this.size * Math.cos(turn)).addScaledVector(third, this.size * Math.sin(turn));
        segment(last, point);
        last.copy(point);
      }
    });
    this.drawn.geometry.attributes.position.needsUpdate = true;
  }
}

/** The path of a body up to the time that is shown. */
export class Trail3d {
  constructor(scene, motion, body, colour) {
    const geometry = new BufferGeometry();
    const points = new Float32Array(3 * motion.count);
    for (let f = 0; f < motion.count; ++f) points.set(motion.at.subarray(3 * (f * motion.bodies + body), 3 * (f * motion.bodies + body) + 3), 3 * f);
    geometry.setAttribute('position', new BufferAttribute(points, 3));
    this.body = body;
    this.line = new Line(geometry, new LineBasicMaterial({ color: colour }));
    this.line.frustumCulled = false;
    scene.add(this.line);
  }
  upTo(frame) { this.line.geometry.setDrawRange(0, frame + 1); }
  remove(scene) { scene.remove(this.line); this.line.geometry.dispose(); }
}

/** Forces of joints on bodies; the longest of the run is as long as `length`. */
export class Arrows3d {
  constructor(scene, sides, forces, length, colour) {
    this.sides = sides;
    this.forces = forces;
    let largest = 0;
    for (let k = 0; k < forces.length; k += 3) largest = Math.max(largest, Math.hypot(forces[k], forces[k + 1], forces[k + 2]));
    this.largest = largest;
    this.scale = largest > 0 ? length / largest : 0;
    this.shafts = dynamicLines(2 * sides.length, new LineBasicMaterial({ color: colour }));
    this.heads = new InstancedMesh(new ConeGeometry(0.035 * length, 0.12 * length, 10), new MeshLambertMaterial({ color: colour }), sides.length);
    this.heads.frustumCulled = false;
    scene.add(this.shafts, this.heads);
  }
  place(poses, frame) {
    const array = this.shafts.geometry.attributes.position.array, p = [0, 0, 0], at = new Vector3(), force = new Vector3(), tip = new Vector3(), turn = new Quaternion(), world = new Matrix4(), one = new Vector3(1, 1, 1), nothing = new Vector3(0, 0, 0);
    this.sides.forEach((side, k) => {
      placed(poses, side.body, side.point, p);
      const o = 3 * (frame * this.sides.length + k);
      force.set(this.forces[o], this.forces[o + 1], this.forces[o + 2]).multiplyScalar(this.scale);
      tip.set(p[0], p[1], p[2]).add(force);
      array.set([p[0], p[1], p[2], tip.x, tip.y, tip.z], 6 * k);
      turn.setFromUnitVectors(up, force.lengthSq() > 0 ? force.clone().normalize() : up);
      this.heads.setMatrixAt(k, world.compose(at.copy(tip), turn, force.lengthSq() > 0 ? one : nothing));
    });
    this.shafts.geometry.attributes.position.needsUpdate = true;
    this.heads.instanceMatrix.needsUpdate = true;
  }
  remove(scene) { scene.remove(this.shafts, this.heads); }
}
