// What a card of many runs says first: how many of them failed, and why.
import { el } from './dom.js';

const most = 20;  // that are listed in words

/** what: "runs" or "rows"; reasons: in words, of all that failed or of the first `most` of them; words: behind the first reason. */
export function verdict(what, all, failed, reasons, words = '') {
  const further = reasons.slice(1, most).map((reason) => el('li', {}, reason));
  if (failed > most) further.push(el('li', {}, `and ${failed - most} more, in the table below`));
  return el('div', { class: `ending ${failed > 0 ? 'failed' : 'ok'}` },
    el('p', { class: 'verdict' }, el('span', { class: 'chip' }, failed > 0 ? `${failed} of ${all} ${what} failed` : `all ${all} ${what} ended well`), ' ', el('strong', {}, reasons[0] ?? ''), words),
    further.length > 0 ? el('ul', {}, further) : null);
}

/** Plots, or the reason why there are none. */
export const panels = (plots, reason) => (plots.length > 0 ? el('div', { class: 'panels' }, plots.map((plot) => plot.node)) : el('p', { class: 'note' }, reason));
export const noneEnded = 'Nothing to plot: no run reached its end.';
