// Colours that colour-blind eyes tell apart: M. Okabe and K. Ito, Color Universal Design, 2008, darkened where they
// are lines on white; and cividis (J. Nunez and others, PLoS ONE 13, 2018) for scales.
export const wheel = {
  light: ['#0072b2', '#c25700', '#00795a', '#a8477f', '#8a6500', '#2a7fb8', '#555555', '#6d4fb3'],
  dark: ['#56b4e9', '#e69f00', '#29c596', '#e491c3', '#f0e442', '#8fbcff', '#bbbbbb', '#ff9466'],
};
const cividis = [[0, 34, 78], [18, 53, 112], [59, 73, 108], [87, 93, 109], [112, 113, 115], [138, 134, 120], [165, 156, 116], [195, 179, 105], [225, 204, 85], [253, 234, 69]];

/** part in 0 ... 1 -> [r, g, b] in 0 ... 1. */
export function scaleColour(part) {
  const at = Math.min(Math.max(part, 0), 1) * (cividis.length - 1);
  const k = Math.min(Math.floor(at), cividis.length - 2);
  return [0, 1, 2].map((c) => (cividis[k][c] + (at - k) * (cividis[k + 1][c] - cividis[k][c])) / 255);
}
export const scaleGradient = `linear-gradient(90deg, ${cividis.map((c) => `rgb(${c})`).join(', ')})`;

const listeners = new Set();
const system = window.matchMedia('(prefers-color-scheme: dark)');
let chosen = null;  // "dark" or "light"; null: as the system has it
let printing = false;  // paper is white

export const isDark = () => !printing && (chosen ? chosen === 'dark' : system.matches);
export const isPrinting = () => printing;
export const colours = () => (isDark() ? wheel.dark : wheel.light);
export const failure = '#d55e00';  // on either paper
export const ink = () => (isDark() ? '#e7e9ee' : '#1c2330');
export const faint = () => (isDark() ? '#3a4252' : '#d9dee7');
export const paper = () => (isDark() ? '#171b24' : '#ffffff');
export const muted = () => (isDark() ? '#aab2c2' : '#525c6d');

/** A listener draws before it returns: a page is laid out for paper right behind it. */
export function onTheme(listener) { listeners.add(listener); }
function apply() {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  for (const listener of listeners) listener();
}
export function chooseTheme(name) { chosen = name; apply(); }
system.addEventListener('change', apply);
document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
window.addEventListener('beforeprint', () => { printing = true; apply(); });
window.addEventListener('afterprint', () => { printing = false; apply(); });
