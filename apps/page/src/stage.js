// The 3-D picture: camera, light, the bodies of one or two runs, and what is drawn beside them.
import {
  AmbientLight, Box3, Color, DirectionalLight, GridHelper, Group, HemisphereLight, PerspectiveCamera, Raycaster, Scene, Vector2, Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { Bodies3d, extentOf } from './bodies3d.js';
import { Arrows3d, Frames3d, Joints3d, Lines3d, Trail3d } from './marks3d.js';
import { colours, isDark, isPrinting, scaleColour } from './theme.js';

// Bodies that stay.
function fixedOf(scene, motion, look) {
  const made = new Bodies3d(scene, motion.scene.fixed, look);
  const rest = new Float64Array(7 * motion.scene.fixed.length);
  motion.scene.fixed.forEach((b, k) => rest.set([...b.position, b.orientation[1], b.orientation[2], b.orientation[3], b.orientation[0]], 7 * k));
  made.place(rest);
  return made;
}

// A second run, over the first one or beside it: its bodies in the second colour, and what is drawn beside them.
class Other {
  constructor(stage, motion, shift) {
    this.motion = motion;
    this.stage = stage;
    this.poses = new Float64Array(7 * motion.bodies);
    this.group = new Group();
    this.group.position.set(...shift);
    stage.scene.add(this.group);
    const over = shift.every((v) => v === 0), look = { opacity: over ? 0.45 : 1 };
    sizePoints(motion);
    stage.types = [...new Set([...stage.types, ...motion.scene.joints.map((j) => j.type)])];
    this.bodies = new Bodies3d(this.group, motion.scene.bodies, look);
    this.fixed = fixedOf(this.group, motion, look);
    this.joints = new Joints3d(this.group, motion.scene.joints, motion.scene.sides, 0.22 * stage.typical, (type) => stage.typeColour(type), look.opacity);
    this.joints.show(stage.jointsShown);
    this.lines = new Lines3d(this.group, motion.scene.lines, 0.12 * stage.typical, '#808a9c');
    this.paint();
  }
  show(time) {
    this.motion.poses(Math.min(Math.max(time, this.motion.start), this.motion.end), this.poses);
    for (const shown of [this.bodies, this.joints, this.lines]) shown.place(this.poses);
  }
  paint() {
    this.bodies.paint((body, colour) => colour.set(colours()[1]));
    this.fixed.paint((body, colour) => colour.set(this.stage.fixedColour));
    this.joints.paint((type) => this.stage.typeColour(type));
  }
  remove() {
    this.stage.scene.remove(this.group);
    this.group.traverse((made) => { made.geometry?.dispose(); made.material?.dispose(); made.dispose?.(); });
  }
}

// Points have no size: a fiftieth of the picture shows where they are.
function sizePoints({ scene, box }) {
  const dot = 0.01 * Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) || 0.05;
  for (const body of [...scene.bodies, ...scene.fixed]) if (body.shape.kind === 'point') body.shape.radius ??= dot;
}

export class Stage {
  constructor(canvas, motion) {
    this.motion = motion;
    this.canvas = canvas;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.shadowMap.enabled = true;
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(38, 16 / 9, 0.01, 1000);
    const gravity = new Vector3(...(motion.scene.gravity ?? [0, 0, -1]));
    this.up = gravity.lengthSq() > 0 ? gravity.clone().normalize().multiplyScalar(-1) : new Vector3(0, 0, 1);
    this.camera.up.copy(this.up);
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.enableDamping = false;
    this.orbit.addEventListener('change', () => this.draw());
    this.poses = new Float64Array(7 * motion.bodies);
    this.measure();
    this.light();
    this.bodies = new Bodies3d(this.scene, motion.scene.bodies);
    this.fixed = fixedOf(this.scene, motion);
    const size = this.typical;
    this.types = [...new Set(motion.scene.joints.map((j) => j.type))];
    this.joints = new Joints3d(this.scene, motion.scene.joints, motion.scene.sides, 0.22 * size, (type) => this.typeColour(type));
    this.frames = new Frames3d(this.scene, motion.scene.joints, 0.7 * size);
    this.lines = new Lines3d(this.scene, motion.scene.lines, 0.12 * size, '#808a9c');
    this.jointsShown = true;
    this.trails = [];
    this.arrows = null;
    this.other = null;
    this.paintBody = (body, colour) => colour.set(this.bodyColour);
    this.marked = null;
    this.theme();
    this.look('fit');
  }

  // The box of the run, grown by the bodies, and the size of a typical body.
  measure() {
    const { scene, box } = this.motion;
    sizePoints(this.motion);
    const sizes = scene.bodies.map((b) => extentOf(b.shape)).sort((a, b) => a - b);
    this.typical = sizes[Math.floor(sizes.length / 2)] || 0.1;
    const grow = sizes[sizes.length - 1] || 0.1;
    this.box = new Box3(new Vector3(box[0], box[1], box[2]), new Vector3(box[3], box[4], box[5])).expandByScalar(grow);
    for (const body of scene.fixed) this.box.expandByPoint(new Vector3(...body.position));
    for (const joint of scene.joints) for (const f of joint.frames ?? []) if (f.body < 0) this.box.expandByPoint(new Vector3(...f.point));
    for (const line of scene.lines) for (const end of line.ends) if (end.body < 0) this.box.expandByPoint(new Vector3(...end.point));
    this.radius = 0.5 * this.box.getSize(new Vector3()).length();
  }
  light() {
    this.sky = new HemisphereLight('#ffffff', '#8f98a8', 1.6);
    this.sky.position.copy(this.up);
    this.sun = new DirectionalLight('#ffffff', 2.2);
    const middle = this.box.getCenter(new Vector3());
    this.sun.position.copy(middle).addScaledVector(this.up, 2.5 * this.radius).add(new Vector3(0.9, -1.2, 0.7).multiplyScalar(this.radius));
    this.sun.target.position.copy(middle);
    this.sun.shadow.mapSize.set(1024, 1024);
    const c = this.sun.shadow.camera;
    c.left = c.bottom = -1.3 * this.radius; c.right = c.top = 1.3 * this.radius; c.far = 6 * this.radius; c.near = 0.1 * this.radius;
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = 0.02 * this.typical;
    this.scene.add(this.sky, this.sun, this.sun.target, new AmbientLight('#ffffff', 0.25));
  }
  shadows() {
    this.sun.castShadow = this.motion.bodies <= 2000;
    this.draw();
  }
  theme() {
    this.scene.background = new Color(isDark() ? '#10141c' : '#f3f5f9');
    if (this.grid) { this.scene.remove(this.grid); this.grid.geometry.dispose(); }
    const cell = 10 ** Math.round(Math.log10(this.radius / 4)), count = Math.ceil((3 * this.radius) / cell) * 2;
    this.grid = new GridHelper(count * cell, count, isDark() ? '#465064' : '#b3bccb', isDark() ? '#262e3c' : '#dbe0e9');
    this.gridCell = cell;
    this.grid.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), this.up);
    const middle = this.box.getCenter(new Vector3());
    let lowest = Infinity;
    for (const x of [this.box.min.x, this.box.max.x]) for (const y of [this.box.min.y, this.box.max.y]) for (const z of [this.box.min.z, this.box.max.z]) lowest = Math.min(lowest, new Vector3(x, y, z).dot(this.up));
    this.grid.position.copy(middle).addScaledVector(this.up, lowest - middle.dot(this.up));
    this.scene.add(this.grid);
    this.bodyColour = colours()[0];
    this.joints?.paint((type) => this.typeColour(type));
    this.other?.paint();
    this.repaint();
    if (isPrinting()) this.drawNow();  // the next frame comes behind the paper
  }
  get fixedColour() { return isDark() ? '#5b6478' : '#9aa3b3'; }
  showJoints(on) {
    this.jointsShown = on;
    this.joints.show(on);
    this.other?.joints.show(on);
    this.draw();
  }
  /** The camera around its target, by angles [rad], and to or from it by a factor. */
  turn(about, above, nearer = 1) {
    const way = this.camera.position.clone().sub(this.orbit.target), right = new Vector3().crossVectors(this.up, way).normalize();
    way.applyAxisAngle(this.up, about);
    const tilt = way.angleTo(this.up);
    const to = Math.min(Math.max(tilt - above, 0.05), Math.PI - 0.05);
    way.applyAxisAngle(right.applyAxisAngle(this.up, about), to - tilt).multiplyScalar(1 / nearer);
    this.camera.position.copy(this.orbit.target).add(way);
    this.orbit.update();
    this.draw();
  }
  typeColour(type) { return colours()[(1 + this.types.indexOf(type)) % colours().length]; }

  look(from) {
    const middle = this.box.getCenter(new Vector3()), up = this.up;
    const right = new Vector3(Math.abs(up.x) > 0.9 ? 0 : 1, Math.abs(up.x) > 0.9 ? 1 : 0, 0), toward = new Vector3().crossVectors(right, up);
    const ways = { fit: right.clone().multiplyScalar(0.55).addScaledVector(toward, 1).addScaledVector(up, 0.42), front: toward, side: right, top: up.clone().addScaledVector(toward, 0.001) };
    const aspect = Math.min(this.camera.aspect, 1.4);
    const distance = (this.radius * 0.92) / Math.sin((this.camera.fov * Math.PI) / 360) / Math.min(1, aspect);
    this.orbit.target.copy(middle);
    this.camera.position.copy(middle).addScaledVector(ways[from].normalize(), distance);
    this.camera.near = distance / 500;
    this.camera.far = distance * 20;
    this.camera.updateProjectionMatrix();
    this.orbit.update();
  }
  goTo(body) {
    const target = new Vector3(this.poses[7 * body], this.poses[7 * body + 1], this.poses[7 * body + 2]);
    const way = new Vector3().subVectors(this.camera.position, this.orbit.target).normalize();
    this.orbit.target.copy(target);
    this.camera.position.copy(target).addScaledVector(way, Math.max(9 * this.typical, 0.12 * this.radius));
    this.orbit.update();
  }
  resize(width, height) {
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  show(time) {
    this.time = time;
    const [frame, part] = this.motion.find(time);
    this.frame = part > 0.5 ? Math.min(frame + 1, this.motion.count - 1) : frame;
    this.motion.poses(time, this.poses);
    this.place();
    for (const trail of this.trails) trail.upTo(this.frame);
    this.arrows?.place(this.poses, this.frame);
    this.other?.show(time);
    if (this.follow >= 0) {
      const at = new Vector3(this.poses[7 * this.follow], this.poses[7 * this.follow + 1], this.poses[7 * this.follow + 2]);
      this.camera.position.add(at.clone().sub(this.orbit.target));
      this.orbit.target.copy(at);
      this.orbit.update();
    }
    this.repaint();
  }
  place() { for (const shown of [this.bodies, this.joints, this.frames, this.lines]) shown.place(this.poses); }
  /** Other poses than those of the run. */
  pose(poses) {
    this.poses.set(poses);
    this.place();
    this.draw();
  }
  repaint() {
    const accent = isDark() ? '#ffffff' : '#111111';
    const { joints, forces } = this.motion.scene, { joint, force } = this.marked ?? {};
    const near = new Set(joint !== undefined ? joints[joint].bodies : force !== undefined ? forces[force].bodies : []);
    this.bodies?.paint((body, colour) => {
      this.paintBody(body, colour);
      if (this.marked?.body === body || near.has(body)) colour.lerp(new Color(accent), 0.65);
    });
    this.fixed?.paint((body, colour) => colour.set(this.fixedColour));
    this.draw();
  }
  draw() {
    if (this.drawing) return;
    this.drawing = requestAnimationFrame(() => {
      this.drawing = 0;
      this.drawNow();
      if (!this.onfirst) return;
      const gl = this.renderer.getContext();  // a pixel that is read is there: the calls before it only ask for it
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
      this.onfirst();
      this.onfirst = null;
    });
  }
  drawNow() { this.renderer.render(this.scene, this.camera); }

  /** values: of the frame that is shown, one a body; on a logarithmic scale between least and largest. */
  colourBy(values, least, largest) {
    this.paintBody = !values ? (body, colour) => colour.set(this.bodyColour) : (body, colour) => {
      const value = values(this.frame, body);
      const part = value > 0 && largest > least ? Math.log(value / least) / Math.log(largest / least) : 0;
      colour.setRGB(...scaleColour(part)).convertSRGBToLinear();
    };
    this.repaint();
  }
  trail(bodies) {
    for (const trail of this.trails) trail.remove(this.scene);
    this.trails = bodies.map((body, k) => new Trail3d(this.scene, this.motion, body, colours()[(k + 1) % colours().length]));
    this.show(this.time);
  }
  arrowsOf(forces) {
    if (this.arrows) this.arrows.remove(this.scene);
    this.arrows = forces ? new Arrows3d(this.scene, this.motion.scene.sides, forces, Math.max(0.35 * this.radius, 2 * this.typical), colours()[3]) : null;
    this.show(this.time);
  }
  overlay(motion, beside) {
    this.other?.remove();
    this.other = null;
    if (motion) {
      const right = new Vector3(Math.abs(this.up.x) > 0.9 ? 0 : 1, Math.abs(this.up.x) > 0.9 ? 1 : 0, 0);
      const shift = beside ? right.multiplyScalar(2.1 * Math.abs(this.box.getSize(new Vector3()).dot(right)) / 2 + this.typical).toArray() : [0, 0, 0];
      this.other = new Other(this, motion, shift);
    }
    if (this.other && beside) {  // both in the picture
      this.orbit.target.addScaledVector(this.other.group.position, 0.5);
      this.camera.position.addScaledVector(this.other.group.position, 0.5).sub(this.orbit.target).multiplyScalar(1.5).add(this.orbit.target);
      this.orbit.update();
    }
    this.show(this.time);
  }
  /** What is under the pointer: {body}, {joint} or null. */
  pick(event) {
    const box = this.canvas.getBoundingClientRect();
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(((event.clientX - box.left) / box.width) * 2 - 1, 1 - ((event.clientY - box.top) / box.height) * 2), this.camera);
    const joint = this.joints.hit(ray);
    const body = this.bodies.hit(ray);
    if (joint && body < 0) return { joint: joint.joint };
    return body >= 0 ? { body } : null;
  }
  mark(item) { this.marked = item; this.repaint(); }
  /** The place of a body's centre on the canvas, in CSS pixels; for tests. */
  project(body) {
    const p = new Vector3(this.poses[7 * body], this.poses[7 * body + 1], this.poses[7 * body + 2]).project(this.camera);
    return [((p.x + 1) / 2) * this.canvas.clientWidth, ((1 - p.y) / 2) * this.canvas.clientHeight];
  }
}
