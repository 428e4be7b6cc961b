// The page of `catena report` and `catena view`.
import licences from 'licences';
import './page.css';
import { undecoded } from './chart.js';
import { CompareCard } from './compare.js';
import { el } from './dom.js';
import { ModelCard, RunCard, nameOf } from './run.js';
import { ScaleCard } from './scale.js';
import { SweepCard } from './sweep.js';
import { chooseTheme, isDark } from './theme.js';

const data = JSON.parse(document.getElementById('catena-data').textContent);
const kinds = { run: RunCard, model: ModelCard, compare: CompareCard, scale: ScaleCard, sweep: SweepCard };
const words = { run: 'run', model: 'model', compare: 'comparison', scale: 'scaling', sweep: 'sweep' };

// Runs in memory have no folder: they are told apart by their numbers.
const names = data.cards.map((card) => nameOf(card) || words[card.kind]);
data.cards.forEach((card, k) => {
  const alike = names.flatMap((name, n) => (name === names[k] ? [n] : []));
  card.name = alike.length > 1 ? `${names[k]} (${alike.indexOf(k) + 1})` : names[k];
});
const cards = data.cards.map((card) => new kinds[card.kind](card, data.cards));
const theme = el('button', { type: 'button', onclick: () => { chooseTheme(isDark() ? 'light' : 'dark'); } }, 'Dark or light');
const main = document.getElementById('page');
document.body.prepend(el('header', {},
  el('h1', {}, data.title),
  cards.length > 1 ? el('nav', { 'aria-label': 'Contents' }, data.cards.map((card, k) => el('a', { href: `#card-${k}` }, `${nameOf(card)} (${words[card.kind]})`))) : null,
  theme));
cards.forEach((card, k) => { card.node.id = `card-${k}`; });
main.replaceChildren(...cards.map((card) => card.node));
document.body.append(el('footer', {}, el('p', {}, `Catena ${data.version}, written ${data.made}. Opens without a network; the whole data are in the folder that it was made from.`),
  el('p', {}, 'Drawn with three.js (MIT), Apache ECharts (Apache License 2.0), zrender (BSD 3-Clause) and tslib (0BSD).'),
  el('details', {}, el('summary', {}, 'Their licences'), el('pre', { tabindex: 0, class: 'licences' }, licences))));
// What is folded up on the screen is open on paper: method, options and manifest belong to the figures. Licences stay on the screen.
let unfolded = [];
window.addEventListener('beforeprint', () => {
  unfolded.push(...main.querySelectorAll('details:not([open])'));
  for (const one of unfolded) one.open = true;
});
window.addEventListener('afterprint', () => {
  for (const one of unfolded) one.open = false;
  unfolded = [];
});
// The space bar plays the motion that is in view, unless it is meant for what has the focus.
window.addEventListener('keydown', (event) => {
  if (event.key !== ' ' || event.target !== document.body || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
  const replay = cards.map((card) => card.replay).find((one) => one?.moving && one.inView());
  if (!replay) return;
  event.preventDefault();
  if (!event.repeat) replay.ready.then(() => replay.toggle());
});
// For tests.
window.catena = { cards, data, undecoded };
