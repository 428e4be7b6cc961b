import { csv, download, el } from './dom.js';
import { shown } from './numbers.js';

/**
 * A table that is sorted by a press on the head of a column.
 * columns: [{title, of: (row) => value, show: (row) => node or text}]; rows: any objects.
 */
export function sortableTable(name, columns, rows, most = 200) {
  const body = el('tbody');
  const heads = columns.map((column) =>
    el('th', { scope: 'col' }, el('button', { type: 'button', class: 'sort', onclick: () => sort(column) }, column.title)));
  const rest = el('p', { class: 'note' });
  let order = rows.slice(), by = null, down = false;

  const text = (row, column) => {
    if (column.show) return column.show(row);
    const value = column.of(row);
    return value === '' ? '–' : shown(value);
  };
  const cell = (value, content) => el('td', { class: typeof value === 'number' ? 'number' : String(content).length > 60 ? 'long' : undefined }, content);
  function fill() {
    body.replaceChildren(...order.slice(0, most).map((row) =>
      el('tr', {}, columns.map((column) =>
        cell(column.of(row), text(row, column))))));
    rest.textContent = order.length > most ? `${most} of ${order.length} rows; the CSV has all of them.` : '';
    heads.forEach((head, k) => {
      if (columns[k] === by) head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
  }
  function sort(column) {
    down = by === column ? !down : false;
    by = column;
    const sign = down ? -1 : 1;
    const rank = (value) => (value === null || value === undefined || value === '' || Number.isNaN(value) ? 1 : 0);
    order = rows.slice().sort((a, b) => {
      const x = column.of(a), y = column.of(b);
      if (rank(x) || rank(y)) return rank(x) - rank(y);  // what is not known comes last either way
      if (typeof x === 'number' && typeof y === 'number') return sign * (x - y);
      return sign * String(x).localeCompare(String(y), 'en', { numeric: true });
    });
    fill();
  }
  fill();
  return el('div', { class: 'table' },
    el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': name },
      el('table', {}, el('caption', { class: 'hidden' }, name), el('thead', {}, el('tr', {}, heads)), body)),
    el('div', { class: 'tools' },
      el('button', { type: 'button', onclick: () => download(`${fileName(name)}.csv`, csv([columns.map((c) => c.title), ...order.map((row) => columns.map((c) => c.of(row)))])) }, 'CSV'), rest));
}

export const fileName = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '');

/** Names and values. */
export function pairs(name, entries) {
  return el('dl', { class: 'pairs', 'aria-label': name },
    entries.filter(([, value]) => value !== '' && value !== undefined && value !== null)
      .map(([key, value]) => el('div', {}, el('dt', {}, key), el('dd', {}, value instanceof Node ? value : shown(value)))));
}
