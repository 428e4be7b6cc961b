// The site of the documentation, opened from disk: the search finds, links go on.
import { resolve } from 'node:path';
import { check, finish, launch } from './browser.mjs';

const browser = await launch();
const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
page.on('console', (message) => check(message.type() !== 'error', `site: console: ${message.text()}`));
page.on('pageerror', (error) => check(false, `site: ${error.message}`));
page.on('request', (request) => check(/^(file|data):/.test(request.url()), `site: asks for ${request.url()}`));
await page.goto(`file://${resolve('site/docs/theory/rattle.html')}`);
await page.locator('#search').fill('redundant rows');
const first = page.locator('#found a').first();
await first.waitFor({ timeout: 60000 });
check(/redundant rows/i.test(await first.textContent()), 'what has the words in its heading comes first');
await page.locator('#search').fill('Dormand Prince');
await page.waitForFunction(() => /dormand/i.test(document.querySelector('#found')?.textContent));
check((await page.locator('#found a').count()) > 0, 'words that no heading has are found in the text');
await page.locator('#search').fill('xqzzy');
await page.waitForFunction(() => /Nothing/.test(document.querySelector('#found p').textContent));
check((await page.locator('#found a').count()) === 0, 'what is nowhere is not found');
await page.keyboard.press('Escape');
check(await page.locator('#found').isHidden(), 'the key Escape puts the list away');
const next = page.locator('.neighbours a[rel="next"]');
const name = (await next.textContent()).replace(' →', '');
await Promise.all([page.waitForURL(/method_comparison/), next.click()]);
check((await page.locator('h1').first().textContent()).trim() === name, 'the link to the next page leads there');
check((await page.locator('.neighbours a[rel="prev"]').textContent()).includes('RATTLE'), 'and that one leads back');
// Every step of the tutorial in both languages, side by side.
for (const [name, steps] of [['1_first_chain', 3], ['2_own_joint', 3], ['3_own_stepper', 2], ['4_file_to_plot', 4]]) {
  await page.goto(`file://${resolve(`site/docs/tutorial/${name}.html`)}`);
  const pairs = page.locator('.beside');
  check((await pairs.count()) === steps, `${name} has ${await pairs.count()} steps in both languages`);
  for (const pair of await pairs.all()) {
    const [python, ours] = [pair.locator('> div').nth(0), pair.locator('> div').nth(1)];
    check((await python.locator('pre.python').count()) === 1 && (await ours.locator('pre.cpp').count()) === 1, `${name}: Python, then C++`);
    const [left, right] = [await python.boundingBox(), await ours.boundingBox()];
    check(left.y === right.y && left.x + left.width <= right.x, `${name}: one beside the other`);
  }
}
// Every joint of the gallery leads to its replay, and that one moves.
await page.goto(`file://${resolve('site/docs/gallery/joints.html')}`);
const replays = page.locator('a[title="the replay"]');
check((await replays.count()) === (await page.locator('main img').count()) && (await replays.count()) > 20, `every joint has a replay (${await replays.count()})`);
await Promise.all([page.waitForURL(/replays/), replays.first().click()]);
await page.waitForFunction(() => window.catena?.cards[0].replay.motion.count > 100);
await browser.close();
finish();
