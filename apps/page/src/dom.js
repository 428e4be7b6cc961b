/** An element with attributes and children; a key that begins with "on" is a listener. */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, '');
    else made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

let numbered = 0;
export const freshId = (prefix) => `${prefix}-${++numbered}`;

export function download(name, blob) {
  const url = URL.createObjectURL(blob);
  const link = el('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export function csv(rows) {
  const cell = (value) => {
    const text = value === null || value === undefined ? '' : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return new Blob([rows.map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n'], { type: 'text/csv' });
}

/** RFC 4180. */
export function parseCsv(text) {
  const rows = [];
  let row = [], cell = '', quoted = false;
  for (let k = 0; k < text.length; ++k) {
    const c = text[k];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[k + 1] === '"') { cell += '"'; ++k; }
      else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === ',') { row.push(cell); cell = ''; }
    else if (c === '\n') { row.push(cell); rows.push(row); row = []; cell = ''; }
    else if (c !== '\r') cell += c;
  }
  if (cell !== '' || row.length > 0) { row.push(cell); rows.push(row); }
  return rows;
}

export function select(label, options, chosen, onchange) {
  const id = freshId('choice');
  const made = el('select', { id, onchange: (event) => onchange(event.target.value) },
    options.map(([value, text]) => el('option', { value, selected: String(value) === String(chosen) }, text)));
  return el('span', { class: 'choice' }, el('label', { for: id }, label), made);
}

export function check(label, checked, onchange) {
  const id = freshId('check');
  return el('span', { class: 'choice' },
    el('input', { id, type: 'checkbox', checked, onchange: (event) => onchange(event.target.checked) }),
    el('label', { for: id }, label));
}
