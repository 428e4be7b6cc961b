// Chromium, the pages, and checks that count.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { chromium } from 'playwright-core';

export const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let passed = 0, failed = 0;
export function check(holds, what) {
  if (holds) ++passed;
  else { ++failed; console.log(`FAILED: ${what}`); }
}
export function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 ? 1 : 0);
}

// Software rendering: the machines of CI have no graphics. Chromium's own choice without graphics: WebGL by swiftshader alone. With
// --use-angle=swiftshader it also draws its window so, thirty times a second while a page loads, which takes a processor.
export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--enable-unsafe-swiftshader'] });

/** A page from disk; what it prints as an error or asks of a network counts as a failure. */
export async function open(browser, name, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60000);
  page.on('console', (message) => check(message.type() !== 'error', `${name}: console: ${message.text()}`));
  page.on('pageerror', (error) => check(false, `${name}: ${error.message} ${error.stack}`));
  page.on('request', (request) => check(/^(file|blob|data):/.test(request.url()), `${name}: asks for ${request.url()}`));
  await page.goto(`file://${resolve('results', name)}`);
  await page.waitForFunction(() => window.catena);
  await page.evaluate(() => Promise.all(window.catena.cards.filter((c) => c.replay).map((c) => c.replay.ready)).then(() => {}));
  return page;
}

export async function saved(page, press) {
  const [file] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

export async function accessible(page, name) {
  await page.evaluate(axeScript);
  const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  for (const v of result.violations) check(false, `${name}: axe: ${v.id}: ${v.help}: ${v.nodes[0].html.slice(0, 200)} ${v.nodes[0].failureSummary}`);
  check(result.violations.length === 0, `${name}: no violation of axe-core`);
}

export async function drawAll(page) {
  for (const figure of await page.$$('.drawing')) await figure.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => [...document.querySelectorAll('.panel')].every((p) => p.dataset.drawn === 'yes'));
}
