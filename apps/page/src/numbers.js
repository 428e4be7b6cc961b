// Numbers as lib/catena/output/page_numbers.cpp writes them: little-endian, deflated, in base64.
import { text } from './late.js';

// "@2": the third of the arrays behind the script.
async function inflated(data) {
  const base64 = data[0] === '@' ? await text(`catena-data-${data.slice(1)}`) : data;
  const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(base64) : Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Response(stream).arrayBuffer();
}

function words(buffer, count, period) {
  const bytes = new Uint8Array(buffer);
  const out = new Uint16Array(count);  // adds modulo 65536 by itself
  for (let k = 0; k < count; ++k) {
    out[k] = bytes[k] | (bytes[count + k] << 8);
    if (k >= period) out[k] += out[k - period];
  }
  return out;
}

/** Float64Array, Float32Array or Uint16Array of {type, count, data}. */
export async function numbers(array) {
  const buffer = await inflated(array.data);
  if (array.type === 'f64') return new Float64Array(buffer);
  if (array.type === 'f32') return new Float32Array(buffer);
  return words(buffer, array.count, array.period);
}

/** Words on a logarithmic scale; 0 is a number that is zero or not known. */
export async function logarithms(scale) {
  const marks = await numbers(scale.data);
  const out = new Float32Array(marks.length);
  const range = scale.largest > scale.least ? Math.log(scale.largest / scale.least) : 1;
  for (let k = 0; k < marks.length; ++k)
    out[k] = marks[k] === 0 ? 0 : scale.least * Math.exp(((marks[k] - 1) / 65534) * range);
  return out;
}

/** Frame by frame, item by item, x y z: Float32Array. */
export async function positions(coded, items) {
  const marks = await numbers(coded.data);
  const per = marks.length / 3;
  const out = new Float32Array(marks.length);
  for (let c = 0; c < 3; ++c) {
    const least = coded.box[c], edge = coded.box[c + 3] - least;
    for (let k = 0; k < per; ++k) out[3 * k + c] = least + (edge * marks[c * per + k]) / 65535;
  }
  return out;
}

/** Frame by frame, item by item, x y z w as three.js orders them: Float32Array. */
export async function quaternions(coded) {
  const marks = await numbers(coded);
  const per = marks.length / 3;
  const out = new Float32Array(4 * per);
  const part = [0, 0, 0];
  for (let k = 0; k < per; ++k) {
    const leftOut = ((marks[k] >> 15) << 1) | (marks[per + k] >> 15);
    let rest = 1;
    for (let c = 0; c < 3; ++c) {
      part[c] = (((marks[c * per + k] & 32767) / 32767) * 2 - 1) / Math.SQRT2;
      rest -= part[c] * part[c];
    }
    for (let n = 0, at = 0; n < 4; ++n) {  // n: w, x, y, z
      const value = n === leftOut ? Math.sqrt(Math.max(0, rest)) : part[at++];
      out[4 * k + (n === 0 ? 3 : n - 1)] = value;
    }
  }
  return out;
}

/** Frame by frame, item by item, x y z: Float32Array. */
export async function vectors(coded, items) {
  const [scales, marks] = await Promise.all([numbers(coded.scales), numbers(coded.data)]);
  const per = marks.length / 3;
  const out = new Float32Array(marks.length);
  for (let c = 0; c < 3; ++c)
    for (let k = 0; k < per; ++k) out[3 * k + c] = (scales[k % items] * (marks[c * per + k] - 32768)) / 32767;
  return out;
}

/** For people: 0.00123, 1.23e-7, 12 345. */
export function shown(value, digits = 4) {
  if (value === null || value === undefined) return '–';
  if (typeof value !== 'number') return String(value);
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e6) return String(value);
  if (size >= 1e6 || size < 1e-3) return value.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e');
  return String(Number(value.toPrecision(digits)));
}
