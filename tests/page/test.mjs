import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { accessible, check, drawAll, finish, launch, open, saved } from './browser.mjs';

const browser = await launch();

const pixelsOf = (page, picture) => page.evaluate(async (base64) => {
  const image = new Image(); image.src = `data:image/png;base64,${base64}`; await image.decode();
  const c = document.createElement('canvas'); c.width = image.width; c.height = image.height;
  const pen = c.getContext('2d', { willReadFrequently: true }); pen.drawImage(image, 0, 0);
  return { width: c.width, height: c.height, data: [...pen.getImageData(0, 0, c.width, c.height).data] };
}, picture.toString('base64'));
const csvOf = async (page, panel) => (await saved(page, () => panel.getByRole('button', { name: 'numbers as CSV' }).click())).bytes.toString().trim().split(/\r?\n/);

// The motion, decoded, against the CSV of the same run.
function bodiesOf(folder) {
  const lines = readFileSync(`results/${folder}/bodies.csv`, 'utf8').trim().split('\n').slice(1).map((line) => line.replaceAll('"', '').split(','));
  const times = [...new Set(lines.map((l) => Number(l[0])))];
  return { times, lines, bodies: lines.length / times.length };
}
const csv = bodiesOf('chain');
const page = await open(browser, 'chain.html');
{
  const motion = await page.evaluate(() => { const m = window.catena.cards[0].replay.motion; return { times: [...m.times], at: [...m.at], turn: [...m.turn], box: m.box, bodies: m.bodies }; });
  check(motion.bodies === csv.bodies && motion.times.length === csv.times.length, 'the page has the bodies and instants of bodies.csv');
  check(motion.times.every((t, k) => t === csv.times[k]), 'instants are the same numbers');
  let off = 0, turned = 0;
  csv.lines.forEach((line, k) => {
    for (let c = 0; c < 3; ++c) off = Math.max(off, Math.abs(Number(line[2 + c]) - motion.at[3 * k + c]) / Math.max(motion.box[c + 3] - motion.box[c], 1e-12));
    const q = [3, 0, 1, 2].map((n) => motion.turn[4 * k + n]), sign = q.reduce((sum, v, n) => sum + v * Number(line[5 + n]), 0) < 0 ? -1 : 1;
    for (let n = 0; n < 4; ++n) turned = Math.max(turned, Math.abs(sign * q[n] - Number(line[5 + n])));
  });
  check(off < 1 / 131070 + 1e-6, `positions are within half a mark of the box (${off})`);  // 1e-6: float32
  check(turned < 1.8 / 32767, `quaternions are within the error of 15 bits (${turned})`);  // of three numbers, and the fourth from them
}

// Figures say where and when the largest errors were, and a CSV has the zeros that a logarithmic plot does not draw.
{
  const page = await open(browser, 'failed.html');
  const rows = (await page.getByRole('row').allInnerTexts()).map((row) => row.split('\t'));
  const where = (figure) => rows.find((row) => row[0].startsWith(figure))?.[2] ?? '';
  check(/fixed point.*, t = .* s/.test(where('largest position residual')) && /^t = .* s/.test(where('largest energy error')), 'figures have the instants of the largest errors');
  const panel = page.locator('.panel', { hasText: 'Residuals' }).first();
  check((await csvOf(page, panel)).includes('position,0,0'), 'the CSV of a logarithmic plot has its zeros');
  check(await panel.locator('svg path[d^="M1 0A1"]').count() > 0, 'a single value between gaps has a mark');
  await page.close();
}

// A screenshot shows the chain where the data say that it is.
{
  const instant = Math.floor(csv.times.length / 2), time = csv.times[instant];
  const camera = await page.evaluate((t) => {
    const r = window.catena.cards[0].replay;
    r.seek(t); r.stage.joints.show(false); r.trail('none'); r.stage.grid.visible = false; r.pick(null); r.stage.drawNow();
    document.querySelectorAll('.legend3d').forEach((e) => { e.hidden = true; });
    const c = r.stage.camera; c.updateMatrixWorld();
    return { view: [...c.matrixWorldInverse.elements], projection: [...c.projectionMatrix.elements] };
  }, time);
  const canvas = page.locator('canvas.stage');
  const picture = await canvas.screenshot({ path: 'chain.png' });
  const pixels = await pixelsOf(page, picture);
  const times4 = (m, v) => [0, 1, 2, 3].map((r) => [0, 1, 2, 3].reduce((sum, k) => sum + m[4 * k + r] * v[k], 0));
  const blue = (x, y) => {  // the colour of bodies, whatever the light: much more blue than red
    for (let dy = -2; dy <= 2; ++dy) for (let dx = -2; dx <= 2; ++dx) {
      const o = 4 * ((Math.round(y) + dy) * pixels.width + Math.round(x) + dx);
      if (pixels.data[o + 2] > pixels.data[o] + 40) return true;
    }
    return false;
  };
  let seen = 0, low = [1e9, 1e9], high = [-1e9, -1e9];
  for (let b = 0; b < csv.bodies; ++b) {
    const line = csv.lines[instant * csv.bodies + b];
    const clip = times4(camera.projection, times4(camera.view, [Number(line[2]), Number(line[3]), Number(line[4]), 1]));
    const at = [((clip[0] / clip[3] + 1) / 2) * pixels.width, ((1 - clip[1] / clip[3]) / 2) * pixels.height];
    if (blue(at[0], at[1])) ++seen;
    for (let c = 0; c < 2; ++c) { low[c] = Math.min(low[c], at[c]); high[c] = Math.max(high[c], at[c]); }
  }
  check(seen === csv.bodies, `${seen} of ${csv.bodies} bodies are drawn where their centres project`);
  let strays = 0, drawn = 0;
  for (let y = 4; y < pixels.height - 4; ++y) for (let x = 4; x < pixels.width - 4; ++x) {
    const o = 4 * (y * pixels.width + x);
    if (!(pixels.data[o + 2] > pixels.data[o] + 40)) continue;
    ++drawn;
    const margin = (high[0] - low[0]) / csv.bodies + 8;  // half a link and some pixels beyond the outermost centres
    if (x < low[0] - margin || x > high[0] + margin || y < low[1] - margin || y > high[1] + margin) ++strays;
  }
  check(drawn > 50 && strays === 0, `nothing in the colour of bodies is elsewhere (${drawn} pixels, ${strays} elsewhere)`);
}
await page.close();

// Plays, steps, hovers, selects, exports.
{
  const page = await open(browser, 'chain.html');
  const time = () => page.evaluate(() => window.catena.cards[0].replay.time);
  const before = await time();
  await page.getByRole('button', { name: 'Play' }).click();
  await page.waitForFunction((t) => window.catena.cards[0].replay.time > t, before);
  await page.getByRole('button', { name: 'Pause' }).click();
  const halted = await time();
  await page.getByRole('button', { name: 'One frame forward' }).click();
  check((await time()) > halted, 'a step goes on by a frame');
  await page.getByRole('button', { name: 'One frame back' }).click();
  check((await time()) <= halted + 1e-9, 'a step goes back');
  await page.locator('canvas.stage').focus();
  await page.keyboard.press('End');
  check((await time()) === 1, 'the key End shows the last frame');
  await page.keyboard.press('Home');
  check((await time()) === 0, 'the key Home shows the first frame');
  await page.locator('canvas.stage').scrollIntoViewIfNeeded();
  const at = await page.evaluate(() => { const r = window.catena.cards[0].replay; r.stage.joints.show(false); r.stage.drawNow(); const b = r.canvas.getBoundingClientRect(), p = r.stage.project(5); return [b.left + p[0], b.top + p[1]]; });
  await page.mouse.move(at[0], at[1]);
  await page.waitForFunction(() => window.catena.cards[0].replay.pattern.marked === 5);
  check(/link 6/.test(await page.locator('.tip').textContent()), 'a body under the pointer says its name, and its block is marked');
  const block = page.locator('canvas.pattern');
  const box = await block.boundingBox();
  await block.hover({ position: { x: (box.width * 2.5) / 24, y: (box.height * 2.5) / 24 } });
  check((await page.evaluate(() => window.catena.cards[0].replay.stage.marked.body)) === 2, 'a block under the pointer marks its body');
  for (const kind of ['energy', 'reaction', 'residual', 'pivot']) {
    await page.getByLabel('Colour', { exact: true }).selectOption(kind);
    await page.waitForFunction(() => document.querySelector('.legend3d .scale'));
  }
  await page.getByLabel('Reactions', { exact: true }).check();
  await page.getByLabel('Joint frames', { exact: true }).check();
  for (const trail of ['all', 'selected', 'none']) await page.getByLabel('Trail', { exact: true }).selectOption(trail);
  for (const way of ['front', 'side', 'top', 'follow', 'fit']) await page.getByLabel('Camera', { exact: true }).selectOption(way);
  const glb = await saved(page, () => page.getByRole('button', { name: 'glTF' }).click());
  check(glb.bytes.subarray(0, 4).toString() === 'glTF', 'glTF begins as it must');
  const gltf = JSON.parse(glb.bytes.subarray(20, 20 + glb.bytes.readUInt32LE(12)).toString());
  check(gltf.animations.length === 1 && gltf.animations[0].channels.length === 24, 'glTF has two tracks a body');
  const png = await saved(page, () => page.locator('.options').getByRole('button', { name: 'PNG' }).click());
  check(png.bytes.subarray(1, 4).toString() === 'PNG', 'the picture is saved');
  await drawAll(page);
  const panel = page.locator('.panel', { hasText: 'Balance of energy' });
  const svg = await saved(page, () => panel.getByRole('button', { name: 'save as SVG' }).click());
  check(await page.evaluate((text) => !new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror'), svg.bytes.toString()), 'a plot is saved as an SVG that can be read');
  const plot = await saved(page, () => panel.getByRole('button', { name: 'save as PNG' }).click());
  check(plot.bytes.subarray(1, 4).toString() === 'PNG', 'a plot is saved as PNG');
  const scalars = readFileSync('results/chain/scalars.csv', 'utf8').trim().split('\n').map((l) => l.split(','));
  const column = scalars[0].findIndex((t) => /energy error/.test(t));
  const last = (await csvOf(page, panel)).pop().split(',');
  check(Number(last[1]) === Number(scalars.at(-1)[0]) && Number(last[2]) === Number(scalars.at(-1)[column]), 'the CSV of a plot has the numbers of scalars.csv to the last digit');
  const canvas = panel.locator('.canvas');
  const area = await canvas.boundingBox();
  await page.mouse.move(area.x + area.width / 2, area.y + area.height / 2);
  await page.waitForFunction(() => [...document.querySelectorAll('.canvas > div')].some((d) => /t \[s\]/.test(d.textContent) && / J/.test(d.textContent)));
  check(true, 'a plot under the pointer says values and units');
  await page.locator('.drawing').first().focus();
  await page.keyboard.press('+');
  check(await page.evaluate(() => window.catena.cards[0].plots[0].chart.getOption().dataZoom[0].end < 90), 'the key + zooms a plot');
  await page.close();
}

// A run that failed: the culprit first, and a press that goes there.
{
  const page = await open(browser, 'failed.html');
  const report = JSON.parse(readFileSync('results/failed/report.json', 'utf8'));
  const ending = page.locator('.ending').first();
  check((await ending.locator('strong').textContent()).includes(report.culprit.name), 'the culprit is the first that is said');
  const button = page.locator('.culprit').first();
  await button.click();
  const there = await page.evaluate(() => { const r = window.catena.cards[0].replay; return { time: r.time, end: r.motion.end, selected: r.selected }; });
  check(there.time === there.end && there.selected !== null, 'a press shows the culprit when the run ended');
  await accessible(page, 'failed.html');
  await page.screenshot({ path: 'failed.png', fullPage: true });
  await page.close();
}

// Without a pointer: bodies and joints by name and in the pattern, the camera by keys.
{
  const page = await open(browser, 'chain.html');
  const replay = (of) => page.evaluate(of);
  await page.locator('canvas.pattern').focus();
  for (const key of ['Home', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  check((await replay(() => window.catena.cards[0].replay.stage.marked.body)) === 2, 'Down goes to the next body in the pattern, and marks it');
  await page.keyboard.press('ArrowRight');
  check(/row link 3, column joint 3 /.test(await page.locator('.pattern-box .note').textContent()), 'Right goes to its next block');
  await page.keyboard.press('Enter');
  const shows = (words) => page.waitForFunction((text) => document.querySelector('.info').textContent.includes(text), words);  // Enter shows its numbers
  await shows('body link 3');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await shows('joint joint 12');
  const find = page.getByLabel('Find', { exact: true });
  await find.fill('body "link 7"');
  await find.press('Enter');
  await page.waitForFunction(() => window.catena.cards[0].replay.selected?.body === 6);
  await page.locator('canvas.stage').focus();
  const camera = () => replay(() => { const { camera, orbit, up } = window.catena.cards[0].replay.stage, way = camera.position.clone().sub(orbit.target); return { distance: way.length(), tilt: way.angleTo(up), at: [...way] }; });
  const from = await camera();
  await page.keyboard.press('Shift+ArrowRight');
  const turned = await camera();
  await page.keyboard.press('Shift+ArrowUp');
  const tilted = await camera();
  await page.keyboard.press('+');
  const near = await camera();
  const about = Math.hypot(...turned.at.map((v, k) => v - from.at[k]));
  check(Math.abs(turned.tilt - from.tilt) < 1e-9 && Math.abs(about - 2 * from.distance * Math.sin(from.tilt) * Math.sin(Math.PI / 36)) < 1e-6 * from.distance, 'Shift and the arrows turn the camera by ten degrees');
  check(Math.abs(from.tilt - tilted.tilt - Math.PI / 18) < 1e-9 && Math.abs(near.distance - from.distance / 1.2) < 1e-9 * from.distance, 'and tilt it, and plus goes nearer');
  await page.close();
}

// A force that fails is a culprit that a press goes to.
{
  const page = await open(browser, 'force.html');
  check((await page.locator('.ending strong').first().textContent()).startsWith('force "wind" (python): '), 'a force is named as the culprit');
  await page.locator('.culprit').first().click();
  await page.waitForFunction(() => /wind \(python\)/.test(document.querySelector('.info').textContent));
  const there = await page.evaluate(() => { const r = window.catena.cards[0].replay, [x, y] = r.stage.project(0); return { time: r.time, end: r.motion.end, marked: r.pattern.marked, off: Math.hypot(x - r.canvas.clientWidth / 2, y - r.canvas.clientHeight / 2) }; });
  check(there.time === there.end && there.marked === 0 && there.off < 2, `at the end of the run, its body in the middle and marked in the pattern (${JSON.stringify(there)})`);
  await page.close();
}

// Method, options and manifest, which are folded up on the screen, are open on paper; who had opened one finds it open behind it.
{
  const page = await open(browser, 'chain.html');
  await page.locator('main details').first().locator('summary').click();
  const [before, paper, after] = await page.evaluate(() => {
    const look = () => [...document.querySelectorAll('main details')].map((one) => one.open);
    const seen = [look()];
    for (const name of ['beforeprint', 'afterprint']) { window.dispatchEvent(new Event(name)); seen.push(look()); }
    return seen;
  });
  check(before.length >= 2 && before[0] && !before.at(-1) && paper.every(Boolean) && String(after) === String(before), `what is folded up is open on paper (${before}; ${paper}; ${after})`);
  await page.close();
}

// A ball joint has no axis, and no angle about one: hinges have curves, balls have none.
for (const [file, type, has] of [['chain.html', 'revolute', true], ['large.html', 'spherical', false]]) {
  const page = await open(browser, file);
  await page.locator('.panel', { hasText: 'Reaction forces' }).waitFor({ state: 'attached' });
  const types = await page.evaluate(() => { const { scene, frames } = window.catena.cards[0].card; return frames.angle ? [...new Set(scene.marked.map((joint) => scene.joints[joint].type))].join(', ') : 'no angles'; });
  const panels = await page.locator('.panel figcaption', { hasText: /^Joint (angles|displacements)$/ }).allTextContents();
  check(types === type && (has ? panels.includes('Joint angles') : panels.length === 0), `${file}: joints are ${types}, and have the plots ${panels.join(', ') || 'none'}`);
  await page.close();
}

// Paper is white, also from a dark screen: plots and picture are light when the page is laid out for it, and dark again behind it.
{
  const page = await open(browser, 'chain.html', { colorScheme: 'dark' });
  await drawAll(page);
  const [before, paper, after] = await page.evaluate(() => {
    const look = () => {
      const label = document.querySelector('.canvas svg text').getAttribute('fill');
      const stage = document.querySelector('canvas.stage'), copy = document.createElement('canvas');
      copy.width = stage.width; copy.height = stage.height;
      const pen = copy.getContext('2d');
      pen.drawImage(stage, 0, 0);
      return { label, scaled: document.querySelector('.canvas svg').hasAttribute('viewBox'), sky: pen.getImageData(copy.width - 3, 2, 1, 1).data[0] };
    };
    const seen = [look()];
    window.dispatchEvent(new Event('beforeprint'));
    seen.push(look());
    window.dispatchEvent(new Event('afterprint'));
    window.catena.cards[0].replay.stage.drawNow();
    return [...seen, look()];
  });
  check(paper.sky > 200 && before.sky < 60 && after.sky === before.sky, `the picture is light on paper (${before.sky}, ${paper.sky}, ${after.sky})`);
  check(['#525c6d', '#1c2330'].includes(paper.label) && before.label !== paper.label && after.label === before.label, `the labels of plots are dark on paper (${before.label}, ${paper.label}, ${after.label})`);
  check(paper.scaled && !before.scaled && !after.scaled, 'and their drawings are scaled to the panels of the sheet');
  await page.close();
}

// Who prints at once, without a look at the rest of the page, gets every plot: they are drawn before the event is over.
{
  const page = await open(browser, 'all.html');
  await page.waitForFunction(() => window.catena.cards.every((card) => card.replay === undefined || card.replay === null || card.replay.stage));
  const plots = () => page.evaluate(() => [...document.querySelectorAll('figure.panel')].filter((panel) => panel.querySelector('.canvas')?.clientWidth > 0).map((panel) => Boolean(panel.querySelector('.canvas svg path'))));
  await page.waitForFunction(() => window.catena.undecoded() === 0, null, { timeout: 60000 });
  const before = await plots();
  const after = await page.evaluate(() => {
    window.dispatchEvent(new Event('beforeprint'));
    const panels = [...document.querySelectorAll('figure.panel')].filter((panel) => panel.querySelector('.canvas')?.clientWidth > 0);
    const seen = panels.map((panel) => panel.querySelector('.canvas svg')?.hasAttribute('viewBox') && panel.querySelectorAll('.canvas svg path').length > 0);
    window.dispatchEvent(new Event('afterprint'));
    return seen;
  });
  check(after.length === before.length && after.length > 20 && before.some((drawn) => !drawn), `${before.filter((drawn) => !drawn).length} of ${before.length} plots were not drawn before they are printed`);
  check(after.every(Boolean), `all plots are on paper, ${after.filter((drawn) => !drawn).length} are not`);
  await page.close();
}

// Who prints by keyboard before they are decoded gets them a little later.
{
  const page = await open(browser, 'all.html');
  const [waited, left] = await page.evaluate(() => new Promise((done) => {
    const early = window.catena.undecoded();
    window.print = () => done([early, window.catena.undecoded()]);
    const press = new KeyboardEvent('keydown', { key: 'p', ctrlKey: true, cancelable: true });
    if (window.dispatchEvent(press)) done([early, -1]);  // what a browser prints by itself
  }));
  check(waited === 0 ? left === -1 : left === 0, `the keys print when all plots are decoded (${waited} were not, then ${left})`);
  await page.close();
}

// Lines over parallel axes by keyboard: from row to row.
{
  const page = await open(browser, 'swept.html');
  await drawAll(page);
  const panel = page.locator('.panel.wide');
  await panel.locator('.drawing').focus();
  const says = async (key) => { await page.keyboard.press(key); return panel.locator('.note').textContent(); };
  const first = await says('ArrowRight'), second = await says('ArrowRight');
  check(/^n: 5, step: 0\.001, /.test(first) && /^n: 5, step: 0\.002, /.test(second), `arrows go from row to row (${first}; ${second})`);
  check((await says('ArrowLeft')) === first && (await says('0')) === '', 'and back, and 0 leaves them');
  const lost = await panel.locator('svg path[stroke="#d55e00"]').evaluateAll((lines) => lines.map((line) => line.getTotalLength()));
  check(lost.length === 2 && lost.every((length) => length > 100), `the two rows that failed have lines of their own (${lost})`);
  check((await panel.locator('svg text').allTextContents()).filter((text) => ['status', 'ok', 'refused'].includes(text)).length === 3, 'which end at how they ended');
  await page.close();
}

// An axis with a unit is the same axis in the rows, the pictures and the choices.
{
  const page = await open(browser, 'units.html');
  await drawAll(page);
  const texts = await page.locator('.panel svg text').allTextContents(), over = await page.locator('.panel', { hasText: 'Quantities over axes' }).locator('select').first().locator('option').allTextContents();
  check(texts.some((text) => text.startsWith('k [kN/m]')) && !texts.includes('undefined'), `axes with units have their names (${texts.slice(0, 6)})`);
  check(over.includes('k [kN/m]') && over.includes('m'), `and a picture over them (${over})`);
  await page.close();
}

// A scaling study has curves of the set-up and of the memory of the solver, and a sweep its manifest.
{
  const page = await open(browser, 'scaled.html');
  await drawAll(page);
  const { runs } = JSON.parse(readFileSync('results/scaled/scale.json', 'utf8')).series[0];
  for (const [title, name, of] of [['Time of the set-up', /N\^/, (r) => r.seconds_set_up], ['Peak of memory', /linear solver$/, (r) => r.solver_bytes / 1e6], ['Peak of memory', /N\^/, (r) => r.peak_bytes / 1e6]]) {
    const rows = (await csvOf(page, page.locator('.panel', { hasText: title }))).slice(1).map((l) => /^(?:"([^"]*)"|([^,]*)),([^,]*),([^,]*)$/.exec(l)).filter((l) => name.test(l[1] ?? l[2]));
    check(rows.length === runs.length && rows.every((l, k) => Number(l[3]) === runs[k].bodies && Number(l[4]) === of(runs[k])), `${title}: ${name} has the numbers of scale.json`);
  }
  await page.close();
  const swept = await open(browser, 'swept.html');
  const manifest = await swept.locator('dl[aria-label="Manifest"]').textContent();
  check(/problemhelix_chain/.test(manifest) && /stepper/.test(manifest) && /n=0,5,10,20/.test(manifest) && /version/.test(manifest), `a sweep says what was asked for (${manifest})`);
  await swept.close();
}

// What failed is marked where its place is known, by a cross that is seen, and has no value; otherwise it is in words. All failures are.
{
  const page = await open(browser, 'crossed.html');
  await drawAll(page);
  const runs = JSON.parse(readFileSync('results/crossed/compare.json', 'utf8')).problems[0].runs, lost = runs.filter((r) => r.status !== 'ok');
  const panel = page.locator('.panel', { hasText: 'Error over step' }), pixels = await pixelsOf(page, await panel.locator('.canvas').screenshot());
  const seen = (from, to) => { let count = 0; for (let o = 4 * from * pixels.width; o < 4 * to * pixels.width; o += 4) if ([213, 94, 0].every((v, c) => Math.abs(pixels.data[o + c] - v) < 12)) ++count; return count; };
  const top = await page.evaluate(() => window.catena.cards[0].problems[0].plots[0].top());
  check(lost.length === 2 && seen(0, top) >= 30 && seen(top, pixels.height) >= 30 * lost.length, `crosses have an area (${seen(0, top)} pixels in the legend, ${seen(top, pixels.height)} in the plot, of ${lost.length})`);
  const lines = await csvOf(page, panel);
  check(lost.every((r) => lines.some((line) => line.startsWith(`failed,${r.step},,`) && line.includes(`generalized_alpha:max_newton_iterations=${r.options.max_newton_iterations} at ${r.step}: unstable`))), 'the CSV has them with their steps and reasons, without an error');
  const overTime = page.locator('.panel', { hasText: 'Error over time of computing' }).first();
  check((await csvOf(page, overTime)).every((line) => !line.startsWith('failed')) && /2 failed runs have no time, and are not drawn here\./.test(await overTime.locator('.note').last().textContent()), 'over time they are in words: it was not measured');
  check((await page.locator('.ending strong, .ending li').allTextContents()).filter((text) => /^generalized_alpha:max_newton_iterations=[23] at 0\.\d+: unstable/.test(text)).length === 2, 'the page says why each of them failed');
  await accessible(page, 'crossed.html');
  await page.close();
  const refused = await open(browser, 'refused.html');
  await drawAll(refused);
  check((await refused.locator('.ending strong').textContent()).startsWith('rattle: unsupported'), 'a method that was refused has a reason, and no step');
  check(await refused.evaluate(() => window.catena.cards[0].problems[0].plots.every((plot) => plot.curves.every((c) => c.points.every((p) => p[0] > 0)))), 'and no place on a logarithmic axis');
  const listed = await refused.evaluate(() => window.catena.cards[0].problems[0].plots.map((plot) => [...new Set(plot.curves.map((c) => c.name.replace(/ +slope.*/, '')))].join(', ')));
  check(listed.every((names) => /generalized_alpha/.test(names) && !/rattle/.test(names)), `and no name in the legend (${listed.join('; ')})`);
  check(/1 failed run has no step or tolerance, and is not drawn here\./.test(await refused.locator('.panel', { hasText: 'Error over step' }).locator('.note').last().textContent()), 'the plot says so');
  const orders = await refused.locator('table', { hasText: 'order of position' }).locator('tbody tr').allTextContents();
  check(/\(2\)/.test(orders[0]) && /tolerance/.test(orders[1]) && !/\(/.test(orders[1]), `the order that is promised is one of steps (${orders})`);
  await refused.close();
  const partly = await open(browser, 'partly.html');
  await drawAll(partly);
  const failed = JSON.parse(readFileSync('results/partly/scale.json', 'utf8')).series[0].runs.filter((r) => r.failure);
  check(failed.length > 0 && failed.length < 4, 'some sizes fail');
  for (const title of ['Time of a step, by phase', 'Time of a step and body', 'Time of the set-up', 'Peak of memory']) {
    const marked = (await csvOf(partly, partly.locator('.panel', { hasText: title }))).filter((line) => line.startsWith('failed'));
    check(marked.length === failed.length && failed.every((r, k) => marked[k].startsWith(`failed,${r.bodies},,`)), `${title}: sizes that failed are marked`);
  }
  const cells = await partly.locator('table', { hasText: 'Newton a step' }).locator('tbody tr').first().locator('td').allTextContents();
  check(cells.slice(5, 13).every((text) => text === '–'), `what was not measured is no 0 (${cells})`);
  await partly.close();
}

// Where all failed there is a sentence in place of plots.
for (const name of ['lost.html', 'unscaled.html']) {
  const page = await open(browser, name);
  check(await page.locator('.panel').count() === 0 && (await page.locator('.note').allTextContents()).some((text) => text.startsWith('Nothing to plot: ')), `${name}: a sentence in place of empty plots`);
  check(await page.locator('.ending strong, .ending li').count() === (name === 'lost.html' ? 2 : 3), `${name}: each failure has its reason`);
  await accessible(page, name);
  await page.close();
}

// A scaling study of two sizes says why it has no exponents, and what is predicted.
{
  const page = await open(browser, 'two_sizes.html');
  check((await page.locator('.note').allTextContents()).includes('No exponents of generalized_alpha, ldl, 1 thread: three sizes that reach their end are needed.'), 'exponents that are missing have their reason');
  check(await page.locator('figcaption', { hasText: 'Predicted speed-up of a step over cores' }).count() === 1, 'a speed-up that was not measured is called predicted');
  await page.close();
}

// Marks of an axis are told apart, however narrow it is; names of a legend are all seen, above the plot.
{
  const page = await open(browser, 'swept.html');
  await drawAll(page);
  const marks = await page.evaluate(async () => {
    const [panel] = document.querySelectorAll('.panel'), plot = window.catena.cards[0].plots[0];
    plot.chart.dispatchAction({ type: 'dataZoom', dataZoomIndex: 1, startValue: 192.9, endValue: 192.96 });
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return [...panel.querySelectorAll('svg text')].map((text) => text.textContent).filter((text) => /^19[23]/.test(text));
  });
  check(marks.length > 3 && new Set(marks).size === marks.length, `marks of a narrow axis are told apart (${marks})`);
  await page.close();
  for (const width of [1200, 390]) {
    const named = await open(browser, 'named.html', { viewport: { width, height: 900 } });
    await drawAll(named);
    const legend = await named.evaluate(() => {
      const { plots } = window.catena.cards[0].problems[0], { canvas, chart } = plots[0];
      const box = canvas.getBoundingClientRect(), top = box.top + chart.convertToPixel({ yAxisIndex: 1 }, 1);
      const texts = [...canvas.querySelectorAll('svg text')].map((text) => ({ text: text.textContent, at: text.getBoundingClientRect() }));
      const names = texts.filter(({ at }) => at.bottom < top + 1);
      return { all: names.map(({ text }) => text).join(' '), inside: names.every(({ at }) => at.left >= box.left && at.right <= box.right && at.top >= box.top), apart: names.every(({ at: a }, k) => names.slice(k + 1).every(({ at: b }) => a.right < b.left || b.right < a.left || a.bottom < b.top + 3 || b.bottom < a.top + 3)), pages: texts.some(({ text }) => /^\d+\/\d+$/.test(text)) };
    });
    check(['generalized_alpha:rho_inf=0.5', 'lie_dae', 'rattle'].every((name) => new RegExp(`${name} +slope \\d`).test(legend.all)) && legend.inside && legend.apart && !legend.pages, `${width} px: all names are in the legend (${JSON.stringify(legend)})`);
    await named.close();
  }
}

// The space bar plays the motion that is in view, and presses the button that has the focus.
{
  const page = await open(browser, 'chain.html');
  const playing = () => page.evaluate(() => Boolean(window.catena.cards[0].replay.playing));
  await page.keyboard.press('Space');
  check((await playing()) && (await page.evaluate(() => window.scrollY)) === 0, 'the space bar plays, and does not scroll');
  await page.keyboard.press('Space');
  check(!(await playing()), 'and halts');
  await page.getByRole('button', { name: 'Dark or light' }).focus();
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  const before = await theme();
  await page.keyboard.press('Space');
  check(!(await playing()) && (await theme()) !== before, 'the space bar on a button presses the button alone');
  await page.close();
}

// Errors of a comparison have the unit of what they are of.
{
  const page = await open(browser, 'compared.html');
  await drawAll(page);
  const panel = page.locator('.panel', { hasText: 'Error over step' });
  const axes = () => panel.locator('svg text').allTextContents();
  check((await axes()).includes('error of position [m]') && (await axes()).includes('step [s]'), 'the axes say units');
  const point = await page.evaluate(() => { const plot = window.catena.cards[0].problems[0].plots[0], box = plot.canvas.getBoundingClientRect(), at = plot.chart.convertToPixel('grid', plot.curves[0].points[0]); return [box.left + at[0], box.top + at[1]]; });
  await page.mouse.move(point[0], point[1]);
  await page.waitForFunction(() => [...document.querySelectorAll('.canvas > div')].some((d) => /step \[s\]: .* m(?!\/)/.test(d.textContent)));
  // A slope over steps is the order of the table; over time it is that of a line through the logarithms of the same points.
  const slopes = await page.evaluate(() => {
    const problem = window.catena.cards[0].problems[0], order = problem.problem.orders.find((o) => (o.stepper ?? o.name) === 'generalized_alpha').position;
    const runs = problem.problem.runs.filter((r) => (r.stepper ?? r.name) === 'generalized_alpha' && r.step >= order.finest * 0.999 && r.step <= order.coarsest * 1.001);
    const x = runs.map((r) => Math.log(Math.min(...r.seconds))), y = runs.map((r) => Math.log(r.largest_error.position)), n = runs.length;
    const sum = (f) => runs.reduce((s, _, k) => s + f(k), 0);
    const slope = (n * sum((k) => x[k] * y[k]) - sum((k) => x[k]) * sum((k) => y[k])) / (n * sum((k) => x[k] ** 2) - sum((k) => x[k]) ** 2);
    const named = (plot) => plot.curves.find((c) => c.name.startsWith('generalized_alpha')).name;
    return { step: named(problem.plots[0]), time: named(problem.plots[1]), order: order.order.toFixed(2), slope: slope.toFixed(2), runs: n };
  });
  check(slopes.runs > 1 && slopes.step.endsWith(`slope ${slopes.order}`) && slopes.time.endsWith(`slope ${slopes.slope}`) && Number(slopes.slope) < -1, `errors have slopes over steps and over time (${JSON.stringify(slopes)})`);
  await page.getByLabel('Error of', { exact: true }).selectOption('angular_velocity');
  await page.waitForFunction(() => [...document.querySelectorAll('.panel svg text')].some((t) => t.textContent === 'error of angular velocity [rad/s]'));
  check((await page.locator('th').allTextContents()).includes('error of multipliers [N or N m]'), 'and so do the heads of the table');
  check((await page.locator('th').allTextContents()).includes('energy error [J]') && (await page.locator('.panel svg text').allTextContents()).includes('energy error [J]'), 'energy errors are in joules');
  check((await page.locator('th').allTextContents()).includes('momentum about z [kg m²/s]'), 'the drift of momentum has its axis and unit');
  await page.close();
  const single = await open(browser, 'single.html');
  const reasons = (await single.locator('p.note').allTextContents()).filter((text) => text.startsWith('No order of'));
  check(reasons.length === 1 && /^No order of position, .*multipliers by generalized_alpha: .*[a-z]\.$/.test(reasons[0]), `orders that are missing have their reason (${reasons})`);
  await single.close();
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
for (const [name, options] of [['all.html', {}], ['all.html', { colorScheme: 'dark' }], ['chain.html', phone], ['swept.html', phone], ['scaled.html', phone], ['crossed.html', phone], ['model.html', {}], ['compared.html', { colorScheme: 'dark' }], ['scaled.html', {}], ['swept.html', {}]]) {
  const page = await open(browser, name, options);
  await drawAll(page);
  await accessible(page, name);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth), asked = page.viewportSize().width;  // a phone has a wider inner width where it scrolls
  check(wide <= asked + 1, `${name}: as wide as the window (${wide} of ${asked} px)`);
  if (name === 'all.html') {
    const [sorted] = await page.$$('th button');
    await sorted.click();
    check((await page.$$('th[aria-sort]')).length === 1, 'a table is sorted by its head');
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByLabel('Second run', { exact: true }).first().selectOption('0');
    await page.waitForFunction(() => window.catena.cards[0].replay.stage.other);
    await page.getByLabel('Side by side', { exact: true }).first().check();
    const other = await page.evaluate(() => {
      const { stage, second } = window.catena.cards[0].replay, { other } = stage, { scene } = second.card;
      const drawn = (made) => made.meshes.reduce((sum, mesh) => sum + mesh.count, 0);
      return { name: second.name, beside: other.group.position.length() > stage.typical, bodies: drawn(other.bodies) === scene.bodies.length, fixed: drawn(other.fixed) === scene.fixed.length, joints: drawn(other.joints) === scene.joints.length, inPicture: other.group.parent === stage.scene };
    });
    check(other.name === 'second' && Object.values(other).every(Boolean), `a second run is beside the first, with its joints and all its bodies (${JSON.stringify(other)})`);
    await page.getByLabel('Joints', { exact: true }).first().uncheck();
    check(await page.evaluate(() => { const { stage } = window.catena.cards[0].replay; return [stage.joints, stage.other.joints].every((j) => j.meshes.every((m) => !m.visible)); }), 'the joints of both are hidden together');
  }
  await page.screenshot({ path: `${name.replace('.html', '')}_${options.colorScheme ?? (options.isMobile ? 'phone' : 'light')}.png`, fullPage: true });
  await page.close();
}

// A motion that the joints leave free moves a model that was not run, and a choice of none puts it back.
{
  const page = await open(browser, 'model.html');
  const poses = () => page.evaluate(() => [...window.catena.cards[0].replay.stage.poses]);
  const rest = await poses();
  const choice = page.getByLabel('Free motion', { exact: true });
  check(/turns/.test(await choice.locator('option').nth(1).textContent()), 'a free motion is named by its joint');
  await choice.selectOption('0');
  await page.waitForFunction((was) => window.catena.cards[0].replay.stage.poses.some((v, k) => Math.abs(v - was[k]) > 1e-3), rest);
  // To first order joints hold: the gap at the far end is small against the way that bodies went.
  const [gap, way] = await page.evaluate(async (was) => {
    const r = window.catena.cards[0].replay, { joints } = r.card.scene, motion = await r.freeMotions.of(0, Float64Array.from(was), r.stage.typical);
    const p = Float64Array.from(motion(0.01));
    const point = (frame) => {
      if (frame.body < 0) return frame.point;
      const o = 7 * frame.body, [x, y, z, w] = p.subarray(o + 3, o + 7), v = frame.point;
      const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
      return [p[o] + v[0] + w * t[0] + y * t[2] - z * t[1], p[o + 1] + v[1] + w * t[1] + z * t[0] - x * t[2], p[o + 2] + v[2] + w * t[2] + x * t[1] - y * t[0]];
    };
    const apart = joints.filter((j) => j.frames).map((j) => { const [a, b] = j.frames.map(point); return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); });
    return [Math.max(...apart), Math.max(...[...p].map((v, k) => (k % 7 < 3 ? Math.abs(v - was[k]) : 0)))];
  }, rest);
  check(way > 1e-4 && gap < 0.02 * way, `a free motion keeps the joints together (${gap} of ${way} m)`);  // a hundredth of the way: the second order
  await choice.selectOption('');
  check((await poses()).every((v, k) => v === rest[k]), 'without a motion the model is where it was');
  await page.close();
}

// A page carries the licences of what is in it, and a sweep over the points of Saltelli its indices.
{
  const page = await open(browser, 'drawn.html');
  const licences = await page.locator('.licences').textContent();
  for (const words of ['three.js authors', 'Apache License', 'Apache Software Foundation', 'Redistributions of source code', 'Microsoft Corporation']) check(licences.includes(words), `the licences have "${words}"`);
  check(await page.locator('table', { hasText: 'variable' }).locator('tbody tr', { hasText: 'max energy/kinetic' }).count() === 2, 'two Sobol indices of one quantity');
  await accessible(page, 'drawn.html');
  await page.close();
}

// Pivots of the loop of hinges are those of redundant rows, at every instant; those of the chain are not.
for (const [name, redundant] of [['loop.html', true], ['chain.html', false]]) {
  const page = await open(browser, name);
  const [least, most] = await page.evaluate(async () => { const p = await window.catena.cards[0].replay.motion.channel('pivot'); return [Math.min(...p), Math.max(...p)]; });
  check(redundant ? most < 1e-9 : least > 1e-6, `${name}: pivots of its joints (${least} ... ${most})`);
  await page.close();
}

// Points are balls, where the data say that they are; a planar body without a shape is the disc of its moment.
{
  const page = await open(browser, 'points.html');
  const shapes = Object.fromEntries(await page.evaluate(() => window.catena.cards[0].replay.motion.scene.bodies.map((b) => [b.name, b.shape])));
  check([1, 2, 3].every((k) => shapes[`mass ${k}`].kind === 'point' && shapes[`mass ${k}`].radius > 0), 'three points have no edges');
  const { kind, radius, axis } = shapes.wheel;  // 0.5 kg m^2 = 4 kg r^2 / 2 about the normal y
  check(kind === 'cylinder' && Math.abs(radius - 0.5) < 1e-12 && axis === 1, 'a planar body is a disc');
  check(/disc of its inertia/.test(await page.locator('table', { hasText: 'mass [kg]' }).textContent()), 'and the table says so');
  await page.locator('.replay').screenshot({ path: 'points.png' });
  await page.close();
}

// Joints without markers have glyphs of their own, along the axis that they state.
for (const [name, type, axis] of [['differential.html', 'differential', [1, 0, 0]], ['rolling_disc.html', 'rolling_disc', null], ['drive.html', 'drive', [0, 1, 0]], ['coupling.html', 'coupling', [0, 0, 1]]]) {
  const page = await open(browser, name);
  const seen = await page.evaluate((of) => {
    const { joints, poses } = window.catena.cards[0].replay.stage, mesh = joints.meshes.find((m) => m.userData.type === of), m = mesh.instanceMatrix.array;
    mesh.geometry.computeBoundingBox();
    const { frame } = mesh.userData.items[0], [x, y, z, w] = frame.body < 0 ? [0, 0, 0, 1] : poses.subarray(7 * frame.body + 3, 7 * frame.body + 7), v = frame.axis;
    const t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])];
    const size = mesh.geometry.boundingBox.max, length = Math.hypot(m[4], m[5], m[6]);
    return { kind: mesh.geometry.type, up: [4, 5, 6].map((k) => m[k] / length), stated: [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]], glyph: Boolean(frame.axis), flat: size.y < size.x, count: mesh.count, second: [20, 21, 22].map((k) => m[k] / length) };
  }, type);
  check(seen.kind !== 'OctahedronGeometry' && seen.up.every((v, k) => Math.abs(v - (axis ?? seen.stated)[k]) < 2e-4), `${name}: its glyph is along its axis (${JSON.stringify(seen)})`);  // quaternions of 15 bits
  if (type !== 'differential') check(seen.flat, `${type}: a ring about its axis`);
  if (type === 'coupling') check(seen.count === 2 && seen.second.every((v, k) => Math.abs(Math.abs(v) - [0, 1, 0][k]) < 2e-4), 'a coupling is around both of its joints');
  await page.close();
}

// In a notebook, whose cell has the page in a frame: it moves there.
{
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
  page.setDefaultTimeout(60000);
  page.on('pageerror', (error) => check(false, `notebook.html: ${error.message}`));
  await page.goto(`file://${resolve('results', 'notebook.html')}`);
  const inside = page.frameLocator('iframe');
  await inside.locator('.replay canvas.stage').scrollIntoViewIfNeeded();
  const picture = () => inside.locator('canvas.stage').screenshot();
  const clock = () => inside.locator('.clock').textContent();
  await inside.locator('.legend3d .key').first().waitFor();
  const before = [await picture(), await clock()];
  await inside.getByRole('button', { name: 'Play' }).click();
  await inside.locator('.play[aria-label="Play"]').waitFor();  // to its end
  const after = [await picture(), await clock()];
  check(before[1] !== after[1] && after[1] === '1 s', `the clock of a page in a notebook goes to its end (${before[1]}, ${after[1]})`);
  check(!before[0].equals(after[0]), 'and the picture is another one');
  await page.close();
}

// Sizes, and the time to the first frame, the shortest of three: of a machine that does nothing else.
{
  const times = [];
  for (let k = 0; k < 3; ++k) {
    const page = await open(browser, 'large.html');
    times.push(Number(await page.evaluate(() => document.documentElement.dataset.firstFrame)));
    await page.close();
  }
  const first = Math.min(...times);
  check(first <= 2000, `the first frame of 1000 bodies is there within 2 s (${times} ms)`);
  const page = await open(browser, 'large.html');
  const frames = await page.evaluate(() => window.catena.cards[0].replay.motion.count);
  const numbers = await page.evaluate(async () => { const m = window.catena.cards[0].replay.motion; return [(await m.channel('force')).length, 3 * m.sides * m.count]; });
  check(numbers[0] === numbers[1], `forces behind the script are read (${numbers})`);
  const size = statSync('results/large.html').size, empty = statSync('results/chain.html').size;
  const fps = await page.evaluate(async () => {
    const r = window.catena.cards[0].replay;
    const begun = performance.now();
    for (let k = 0; k < 20; ++k) { r.seek((r.motion.end * k) / 20); r.stage.drawNow(); }
    return 20000 / (performance.now() - begun);
  });
  console.log(`page of a run of 1000 bodies: ${frames} frames, ${(size / 1e6).toFixed(2)} MB, first frame after ${first} ms, ${fps.toFixed(0)} frames a second by software; of 12 bodies ${(empty / 1e6).toFixed(2)} MB`);
  // What is not drawn by the graphics of a machine: a third of the 1/60 s that a smooth motion leaves for a frame.
  const script = await page.evaluate(() => {
    const r = window.catena.cards[0].replay;
    let least = Infinity;
    for (let k = 0; k < 10; ++k) { const begun = performance.now(); r.stage.show((r.motion.end * k) / 10); least = Math.min(least, performance.now() - begun); }
    return least;
  });
  check(script <= 6, `1000 bodies are moved within 6 ms (${script.toFixed(1)})`);
  check(size <= 6e6, 'a replay of 1000 bodies and 300 frames is at most 6 MB');
  check(empty <= 3e6, 'a report is at most 3 MB and its data');
  writeFileSync('measured.json', JSON.stringify({ frames, size, empty, first, fps }));
  await page.close();
}
// Ten thousand bodies: coarse shapes, and a script that takes little of a frame. Times are the least of three.
{
  const page = await open(browser, 'huge.html');
  const took = await page.evaluate(async () => {
    const r = window.catena.cards[0].replay, out = {};
    const least = async (name, work) => {
      out[name] = Infinity;
      for (let k = 0; k < 3; ++k) { const begun = performance.now(); await work(k); out[name] = Math.min(out[name], performance.now() - begun); }
    };
    await r.describe();
    await least('show', (k) => r.stage.show(r.motion.end * (0.2 + 0.2 * k)));
    await least('hit', () => r.stage.pick({ clientX: 400, clientY: 500 }));
    await least('pick', async (k) => { r.pick({ body: 5000 + k }); await r.describe(); });
    await least('pattern', (k) => r.hover({ body: k }, false));
    r.stage.drawNow();
    return { ...out, triangles: r.stage.renderer.info.render.triangles, blocks: r.pattern.entries.length };
  });
  for (const name of ['show', 'hit', 'pick', 'pattern']) check(took[name] <= 200, `10000 bodies: ${name} takes at most 0.2 s (${took[name].toFixed(0)} ms)`);
  check(took.triangles <= 250000, `10000 bodies and joints are drawn with ${took.triangles} triangles`);
  const box = await page.locator('canvas.pattern').boundingBox();
  await page.locator('canvas.pattern').hover({ position: { x: box.width / 4, y: box.height / 4 } });
  const says = await page.locator('.pattern-box .note').textContent();
  check(/^row (link|joint) .*, column (link|joint) /.test(says) && !/zero/.test(says), `a pixel of the pattern leads to a block (${says})`);
  console.log(`page of 10000 bodies: ${Object.entries(took).map(([name, value]) => `${name} ${value.toFixed(0)}`).join(', ')} (ms, and numbers)`);
  await page.close();
}
await browser.close();
finish();
