// Bodies as instanced meshes: one draw call for all that have the same kind of shape.
import {
  BoxGeometry, CapsuleGeometry, Color, CylinderGeometry, DynamicDrawUsage, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3,
} from 'three';

// three.js has the axis of round shapes along y.
const alongAxis = [new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(1, 0, 0)), new Quaternion(), new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), new Vector3(0, 0, 1))];

// Triangles are what a picture by software takes its time for: of more bodies than this each is some pixels.
const many = 2000;
function kindOf(shape, fine) {
  const round = new Quaternion();
  switch (shape.kind) {
    case 'point':  // a sphere of the size that the picture gives it
    case 'sphere': return { key: 'sphere', make: () => (fine ? new SphereGeometry(1, 24, 16) : new SphereGeometry(1, 8, 5)), scale: [shape.radius, shape.radius, shape.radius], turn: round };
    case 'cylinder': return { key: 'cylinder', make: () => new CylinderGeometry(1, 1, 1, fine ? 28 : 8), scale: [shape.radius, shape.length, shape.radius], turn: alongAxis[shape.axis] };
    case 'capsule': return { key: `capsule ${shape.radius} ${shape.length}`, make: () => (fine ? new CapsuleGeometry(shape.radius, shape.length, 6, 20) : new CapsuleGeometry(shape.radius, shape.length, 2, 6)), scale: [1, 1, 1], turn: alongAxis[shape.axis] };
    default: return { key: 'box', make: () => new BoxGeometry(1, 1, 1), scale: shape.edges, turn: round };
  }
}

/** Half the diagonal of what is shown. */
export function extentOf(shape) {
  if (shape.kind === 'box') return 0.5 * Math.hypot(...shape.edges);
  return shape.radius + 0.5 * (shape.length ?? 0);
}

export class Bodies3d {
  constructor(scene, bodies, { opacity = 1 } = {}) {
    this.count = bodies.length;
    this.groups = new Map();
    bodies.forEach((body, k) => {
      const kind = kindOf(body.shape, bodies.length <= many);
      if (!this.groups.has(kind.key)) this.groups.set(kind.key, { kind, items: [] });
      this.groups.get(kind.key).items.push({ body: k, local: new Matrix4().compose(new Vector3(), kind.turn, new Vector3(...kind.scale)) });
    });
    this.meshes = [];
    for (const group of this.groups.values()) {
      const material = new MeshLambertMaterial({ transparent: opacity < 1, opacity, depthWrite: opacity === 1 });
      const mesh = new InstancedMesh(group.kind.make(), material, group.items.length);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.castShadow = mesh.receiveShadow = opacity === 1 && bodies.length <= many;
      mesh.userData = { items: group.items };
      for (let i = 0; i < group.items.length; ++i) mesh.setColorAt(i, new Color(1, 1, 1));
      this.meshes.push(mesh);
      scene.add(mesh);
    }
  }
  place(poses) {
    const at = new Vector3(), turn = new Quaternion(), one = new Vector3(1, 1, 1), world = new Matrix4();
    for (const mesh of this.meshes) {
      mesh.userData.items.forEach(({ body, local }, i) => {
        const o = 7 * body;
        at.set(poses[o], poses[o + 1], poses[o + 2]);
        turn.set(poses[o + 3], poses[o + 4], poses[o + 5], poses[o + 6]);
        mesh.setMatrixAt(i, world.compose(at, turn, one).multiply(local));
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }
  /** colourOf(body, colour): sets it. */
  paint(colourOf) {
    const colour = new Color();
    for (const mesh of this.meshes) {
      mesh.userData.items.forEach(({ body }, i) => { colourOf(body, colour); mesh.setColorAt(i, colour); });
      mesh.instanceColor.needsUpdate = true;
    }
  }
  /** The body under a ray, or -1. */
  hit(raycaster) {
    const hits = raycaster.intersectObjects(this.meshes, false);
    return hits.length > 0 ? hits[0].object.userData.items[hits[0].instanceId].body : -1;
  }
  dispose(scene) {
    for (const mesh of this.meshes) { scene.remove(mesh); mesh.geometry.dispose(); mesh.material.dispose(); mesh.dispose(); }
  }
}
