// The motion as glTF (binary), with one node and two tracks a body.
import { AnimationClip, BoxGeometry, CapsuleGeometry, CylinderGeometry, Group, Mesh, MeshStandardMaterial, QuaternionKeyframeTrack, SphereGeometry, VectorKeyframeTrack } from 'three';
import { GLTFExporter } from 'three/examples/jsm/exporters/GLTFExporter.js';

const geometries = new Map();
function geometryOf(shape) {
  const key = JSON.stringify(shape);
  if (!geometries.has(key)) {
    let made;
    if (shape.kind === 'sphere' || shape.kind === 'point') made = new SphereGeometry(shape.radius, 24, 16);
    else if (shape.kind === 'box') made = new BoxGeometry(...shape.edges);
    else {
      made = shape.kind === 'cylinder' ? new CylinderGeometry(shape.radius, shape.radius, shape.length, 28) : new CapsuleGeometry(shape.radius, shape.length, 6, 20);
      if (shape.axis === 0) made.rotateZ(-Math.PI / 2);
      if (shape.axis === 2) made.rotateX(Math.PI / 2);
    }
    geometries.set(key, made);
  }
  return geometries.get(key);
}

export async function gltfOf(motion, colour) {
  const root = new Group(), tracks = [];
  root.name = 'catena';
  if (motion.scene.gravity && Math.abs(motion.scene.gravity[2]) > 0) root.rotation.x = -Math.PI / 2;  // glTF has y upwards
  const material = new MeshStandardMaterial({ color: colour });
  const times = Float32Array.from(motion.times, (t) => t - motion.start);
  motion.scene.bodies.forEach((body, k) => {
    const mesh = new Mesh(geometryOf(body.shape), material);
    mesh.name = body.name;
    mesh.position.fromArray(motion.at, 3 * k);
    mesh.quaternion.fromArray(motion.turn, 4 * k);
    root.add(mesh);
    if (motion.count < 2) return;
    const at = new Float32Array(3 * motion.count), turn = new Float32Array(4 * motion.count);
    for (let f = 0; f < motion.count; ++f) {
      const o = f * motion.bodies + k;
      at.set(motion.at.subarray(3 * o, 3 * o + 3), 3 * f);
      turn.set(motion.turn.subarray(4 * o, 4 * o + 4), 4 * f);
      // Neighbours on the same half of the sphere, so that players take the short way.
      let dot = 0;
      for (let c = 0; f > 0 && c < 4; ++c) dot += turn[4 * f + c] * turn[4 * f - 4 + c];
      if (dot < 0) for (let c = 0; c < 4; ++c) turn[4 * f + c] *= -1;
    }
    tracks.push(new VectorKeyframeTrack(`${mesh.uuid}.position`, times, at), new QuaternionKeyframeTrack(`${mesh.uuid}.quaternion`, times, turn));
  });
  for (const body of motion.scene.fixed) {
    const mesh = new Mesh(geometryOf(body.shape), material);
    mesh.name = body.name;
    mesh.position.fromArray(body.position);
    mesh.quaternion.set(body.orientation[1], body.orientation[2], body.orientation[3], body.orientation[0]);
    root.add(mesh);
  }
  const animations = tracks.length > 0 ? [new AnimationClip('motion', -1, tracks)] : [];
  const bytes = await new GLTFExporter().parseAsync(root, { binary: true, animations, onlyVisible: false });
  return new Blob([bytes], { type: 'model/gltf-binary' });
}
