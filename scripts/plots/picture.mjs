// Takes pictures of pages of catena report in Debian's chromium, without a window:
//   CHROMIUM=... node picture.mjs JOBS.json
// JOBS.json: [{page, output, width, height, times, camera, colour, trail, joints, frames, grid,
// scale, panels}]; scripts/pictures makes it.
// camera: a view of the page, or a direction from the middle. With several times the pictures are side by side, each under its
// time; panels are curves, by their titles.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';

const jobs = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--font-render-hinting=none'] });

// In the page: nothing but what is to be seen stays in it.
async function moments({ times, width, height, camera, colour, trail, joints, frames, grid }) {
  const replay = window.catena.cards[0].replay;
  await replay.ready;
  const { stage, motion } = replay;
  stage.draw = () => {};  // a picture that nobody sees takes a second by software
  replay.view.style.cssText = `width:${width}px;height:${height}px;aspect-ratio:auto;max-height:none;min-height:0;border:0;border-radius:0`;
  await new Promise((done) => setTimeout(done, 100));  // the observer of its size
  stage.resize(width, height);
  stage.joints.show(joints);
  replay.showFrames(frames);
  if (replay.moving) replay.trail(trail);
  if (colour) await replay.colourBy(colour);
  stage.grid.visible = grid;
  // The ground may be bodies without a shape, whose boxes of their inertia hide what hangs on them.
  if (motion.scene.fixed.every((body) => body.shape.of_inertia)) for (const mesh of stage.fixed.meshes) mesh.visible = false;
  const instants = times.map((time) => (time === 'end' ? motion.end : time === 'start' ? motion.start : time));

  // As near as all that is shown allows: corners of bodies in the coordinates of the camera.
  replay.look(Array.isArray(camera) ? 'fit' : camera);
  replay.touched = true;  // or the observer of the size moves the camera
  const way = stage.camera.position.clone().sub(stage.orbit.target);
  if (Array.isArray(camera)) way.set(...camera);
  way.normalize();
  const right = stage.up.clone().cross(way).normalize(), above = way.clone().cross(right), point = way.clone(), seen = [];
  const see = (p) => seen.push([p.dot(right), p.dot(above), p.dot(way)]);
  const corners = (shape) => {
    const edges = shape.kind === 'box' ? shape.edges : [0, 1, 2].map((k) => (k === shape.axis ? (shape.length ?? 0) + (shape.kind === 'capsule' ? 2 * shape.radius : 0) : 2 * shape.radius));
    return [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [0, 1, 2].map((c) => ((k >> c) & 1 ? 0.5 : -0.5) * edges[c]));
  };
  const turn = stage.camera.quaternion.clone();
  for (const instant of instants) {
    stage.show(instant);
    motion.scene.bodies.forEach((body, b) => {
      const o = 7 * b, at = stage.poses;
      turn.set(at[o + 3], at[o + 4], at[o + 5], at[o + 6]);
      for (const corner of corners(body.shape)) { point.set(...corner).applyQuaternion(turn); point.x += at[o]; point.y += at[o + 1]; point.z += at[o + 2]; see(point); }
    });
    if (trail !== 'none' && replay.moving)
      for (let f = 0; f <= stage.frame; ++f) { const o = 3 * (f * motion.bodies + motion.bodies - 1); see(point.set(motion.at[o], motion.at[o + 1], motion.at[o + 2])); }
  }
  for (const line of motion.scene.lines) for (const end of line.ends) if (end.body < 0) see(point.set(...end.point));
  for (const joint of motion.scene.joints) for (const f of joint.frames ?? []) if (f.body < 0) see(point.set(...f.point));
  const middle = [0, 1, 2].map((c) => (Math.min(...seen.map((p) => p[c])) + Math.max(...seen.map((p) => p[c]))) / 2);
  const slope = Math.tan((stage.camera.fov * Math.PI) / 360), margin = 1.12;
  const distance = Math.max(...seen.map((p) => p[2] - middle[2] + margin * Math.max(Math.abs(p[1] - middle[1]) / slope, Math.abs(p[0] - middle[0]) / (slope * stage.camera.aspect))));
  const target = right.clone().multiplyScalar(middle[0]).addScaledVector(above, middle[1]).addScaledVector(way, middle[2]);
  stage.orbit.target.copy(target);
  stage.camera.position.copy(target).addScaledVector(way, distance);
  stage.orbit.update();

  const list = document.createElement('div');
  list.id = 'picture';
  list.style.cssText = `display:grid;grid-template-columns:repeat(${times.length}, ${width}px);width:max-content;position:relative;background:var(--back)`;
  for (const instant of instants) {
    if (replay.moving) replay.seek(instant);
    stage.drawNow();
    const figure = document.createElement('figure');
    figure.style.cssText = 'margin:0;position:relative';
    const image = new Image(width, height);
    image.src = replay.canvas.toDataURL('image/png');
    image.style.display = 'block';
    await image.decode();
    figure.append(image);
    if (times.length > 1) {
      const name = document.createElement('figcaption');
      name.textContent = `t = ${instant} s`;
      name.style.cssText = 'position:absolute;top:.4rem;left:0;right:0;text-align:center;font-size:1rem';
      figure.append(name);
    }
    list.append(figure);
  }
  const legend = replay.legend.cloneNode(true);
  if (!grid) legend.lastElementChild.remove();
  list.append(legend);
  document.body.replaceChildren(list);
  document.body.style.width = 'max-content';
}

async function curves({ panels, width, height }) {
  const cards = window.catena.cards[0];
  const list = document.createElement('div');
  list.id = 'picture';
  list.style.cssText = `display:grid;grid-template-columns:repeat(${panels.length}, ${width}px);width:max-content;background:var(--paper)`;
  for (const title of panels) {
    const plot = cards.plots.find((p) => p.plot.title === title);
    if (!plot) throw new Error(`the page has no panel "${title}", but ${cards.plots.map((p) => p.plot.title).join(', ')}`);
    plot.canvas.style.height = `${height}px`;
    plot.node.style.border = '0';
    for (const part of plot.node.querySelectorAll('.tools, .choices, .note, .cursor')) part.remove();
    list.append(plot.node);
    await plot.ready();
  }
  document.body.replaceChildren(list);
  for (const title of panels) cards.plots.find((p) => p.plot.title === title).chart.resize();
  await new Promise((done) => setTimeout(done, 300));
}

let failed = 0;
for (const job of jobs) {
  const context = await browser.newContext({ viewport: { width: 640, height: 400 }, deviceScaleFactor: job.scale ?? 1, colorScheme: 'light', reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(120000);
  page.on('pageerror', (error) => { console.error(`${job.output}: ${error.message}`); ++failed; });
  await page.goto(`file://${resolve(job.page)}`);
  await page.waitForFunction(() => window.catena);
  await page.evaluate(job.panels ? curves : moments, job);
  await page.locator('#picture').screenshot({ path: job.output });
  console.log(job.output);
  await context.close();
}
await browser.close();
process.exit(failed > 0 ? 1 : 0);
