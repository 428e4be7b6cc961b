// licences.mjs FOLDER: writes FOLDER/licences.txt, the whole licences of what is bundled into the page, which is passed on
// with each page. Of every package of FOLDER/package-lock.json that is not for the build alone: LICENSE, and NOTICE and the
// licences of parts where there are some. Fails where a package has none.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
const texts = [];
for (const [place, { version, dev }] of Object.entries(packages)) {
  if (place === '' || dev) continue;
  const at = join(folder, place), names = readdirSync(at).filter((name) => /^(licen[cs]e|notice|copyrightnotice)/i.test(name) && !/^licenses$/i.test(name));
  if (!names.some((name) => /^licen[cs]e/i.test(name))) throw new Error(`${place} has no licence text`);
  const files = names.sort().map((name) => join(at, name));
  if (existsSync(join(at, 'licenses'))) for (const name of readdirSync(join(at, 'licenses')).sort()) files.push(join(at, 'licenses', name));
  texts.push(`${place.replace(/^.*node_modules\//, '')} ${version}\n\n${files.map((file) => readFileSync(file, 'utf8').trim()).join('\n\n')}`);
}
writeFileSync(join(folder, 'licences.txt'), `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
