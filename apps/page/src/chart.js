// A plot with its tools: zoom, SVG, PNG and CSV, by mouse and by keyboard.
import { csv, download, el } from './dom.js';
import { script } from './late.js';
import { shown } from './numbers.js';
import { fileName } from './table.js';
import { colours, failure, faint, ink, isPrinting, muted, onTheme, paper } from './theme.js';

// Told apart without colour as well.
const dashes = ['solid', 'dashed', 'dotted', [8, 3, 2, 3], [12, 4], [2, 2], [10, 2], [4, 6]];
export const symbols = ['circle', 'rect', 'triangle', 'diamond', 'pin', 'arrow', 'emptyCircle', 'emptyRect'];
// Without quotation marks, which would end an attribute of the SVG.
const oneLine = 24, letter = 6.5;  // the height of a legend of one line, and the width of a letter in it, in pixels
const font = 'system-ui, Roboto, sans-serif';

const waiting = new Map();  // figures that nobody has looked at, and how they are drawn
const undrawn = new Set();  // plots
let holding = null;  // what is to come before any plot is drawn
/** Plots are drawn when this is settled: the moving picture comes first. */
export function holdPlots(promise) { holding = holding ? Promise.allSettled([holding, promise]) : promise; }
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries)
    if (entry.isIntersecting) start(entry.target);
}, { rootMargin: '400px' });
function start(target) {
  const draw = waiting.get(target);
  if (!draw) return;
  waiting.delete(target);
  seen.unobserve(target);
  Promise.allSettled([holding]).then(draw);
}
// Nothing is waited for when a page is laid out for paper: plots that nobody has looked at are drawn at once, of numbers that were
// decoded while the page had nothing else to do. What is not decoded yet is drawn behind it.
window.addEventListener('beforeprint', () => {
  for (const plot of [...undrawn]) if (plot.numbers && plot.canvas.clientWidth > 0) plot.drawNow();
  for (const target of [...waiting.keys()]) start(target);
});
// By keyboard it can be waited for.
window.addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'p' || undecoded() === 0) return;
  event.preventDefault();
  Promise.allSettled([...undrawn].filter((plot) => !plot.numbers).map((plot) => plot.decode())).then(() => window.print());
});
const idle = window.requestIdleCallback ?? ((work) => setTimeout(work, 100));
let decoding = false;
/** How many plots would be missing on paper; for tests. */
export const undecoded = () => [...undrawn].filter((plot) => !plot.numbers).length;
function decodeNext() {
  decoding = true;
  Promise.allSettled([holding]).then(async () => {
    const plot = [...undrawn].find((one) => !one.numbers && !one.refused);
    if (!plot) { decoding = false; return; }
    await plot.decode().catch(() => { plot.refused = true; });  // draw() says it
    idle(decodeNext);
  });
}

function axis(of, vertical) {
  return {
    type: of.log ? 'log' : 'value', name: of.name, nameLocation: 'middle', nameGap: vertical ? 58 : 28, scale: true,
    min: of.min, max: of.max,
    nameTextStyle: { color: ink(), fontFamily: font }, minorTick: { show: Boolean(of.log) },
    axisLine: { show: true, lineStyle: { color: muted() } }, axisTick: { show: true },
    axisLabel: { color: muted(), fontFamily: font, hideOverlap: true, formatter: (v) => shown(v, 7) },  // a mark has no more digits than it needs
    splitLine: { lineStyle: { color: faint() } },
  };
}

// What is drawn of a curve: a logarithmic axis has no place for zero, which is a gap; the CSV has it.
const drawable = (points, log) => (log ? points.map((point) => (point[1] > 0 ? point : [point[0], NaN])) : points);
// A line of one point has no length.
const alone = (points, i) => Number.isFinite(points[i]?.[1]) && !Number.isFinite(points[i - 1]?.[1]) && !Number.isFinite(points[i + 1]?.[1]);

/** An axis from 0 to 1 over the height of the plot, for what has no y. */
const heights = { type: 'value', min: 0, max: 1, show: false };
const upperEdge = 0.97;
const cross = 'path://M2,0L5,3L8,0L10,2L7,5L10,8L8,10L5,7L2,10L0,8L3,5L0,2Z';
const placed = (lost, x) => lost.filter((item) => Number.isFinite(x(item)));
/** A curve of what failed, at the upper edge of a plot, since it has no y: where x(item) is known. reason(item): in words. */
export function crosses(lost, x, reason) {
  const items = placed(lost, x);
  return items.length === 0 ? [] : [{ name: 'failed', kind: 'points', edge: true, symbol: cross, size: 12, colour: failure, points: items.map((item) => [x(item), null]), note: (i) => reason(items[i]) }];
}
/** The sentence about those that failed and are not among the crosses. what: "run" or "row"; of: what they lack. */
export function unplaced(lost, x, what, of) {
  const count = lost.length - placed(lost, x).length;
  return count === 0 ? '' : count === 1 ? `1 failed ${what} has no ${of}, and is not drawn here.` : `${count} failed ${what}s have no ${of}, and are not drawn here.`;
}

/**
 * plot: {title, x: {name, unit, log}, y: {...}, curves: [{name, unit, points: [[x, y], ...], kind: "line" or "points", note: (index) => text,
 * symbol, dashed, colour, edge: at the upper edge, without y}], cursor, note}; points of NaN are gaps. `curves` may be a promise or a function that gives one, so that what is not looked at is not decoded.
 */
export class Plot {
  constructor(plot) {
    this.plot = plot;
    this.more = 0;  // pixels of the legend, beyond one line
    this.canvas = el('div', { class: 'canvas' });
    this.line = el('div', { class: 'cursor', hidden: true });
    this.figure = el('div', {
      class: 'drawing', tabindex: 0, role: 'group', 'aria-label': `${plot.title}: ${plot.keys ?? 'plus and minus zoom, arrows move, 0 shows all'}`,
      onkeydown: (event) => this.key(event),
    }, this.canvas, this.line);
    this.note = el('p', { class: 'note' }, plot.note ?? '');
    this.empty = el('p', { class: 'note' }, 'Nothing to draw: no curve has a number.');
    this.choices = el('span', { class: 'choices' }, plot.choices ?? []);
    const tool = (text, meaning, onclick) => el('button', { type: 'button', title: meaning, 'aria-label': `${plot.title}: ${meaning}`, onclick }, text);
    this.node = el('figure', { class: 'panel' },
      el('figcaption', {}, plot.title), this.choices, this.figure, this.note,
      el('div', { class: 'tools' },
        tool('All', 'show all', () => this.all()), tool('SVG', 'save as SVG', () => this.saveSvg()),
        tool('PNG', 'save as PNG', () => this.savePng()), tool('CSV', 'save the numbers as CSV', () => this.saveCsv())));
    waiting.set(this.figure, () => (this.numbers ? this.drawNow() : this.draw()));
    seen.observe(this.figure);
    undrawn.add(this);
    if (!decoding) { decoding = true; idle(decodeNext); }
    onTheme(() => this.curves && this.fill());
  }

  async decode() {
    const { curves } = this.plot;
    const numbers = await (typeof curves === 'function' ? curves() : curves);
    await script('catena-charts');
    this.numbers = numbers;
  }
  /** Anew, where what is asked for has changed. */
  async draw() {
    await this.decode();
    this.drawNow();
  }
  drawNow() {
    const plot = this.plot;
    undrawn.delete(this);
    waiting.delete(this.figure);
    seen.unobserve(this.figure);
    if (!this.chart) {
      this.chart = window.catenaCharts.init(this.canvas, null, { renderer: 'svg' });
      new ResizeObserver(() => requestAnimationFrame(() => { this.chart.resize(); this.makeRoom(); this.at(this.time); })).observe(this.canvas);
      this.chart.on('datazoom', () => this.at(this.time));
      this.chart.on('click', (event) => plot.onpoint?.(event.seriesIndex, event.dataIndex));
      this.chart.getZr().on('dblclick', () => this.all());
      this.chart.getZr().on('click', (event) => {
        if (plot.ontime && this.chart.containPixel('grid', [event.offsetX, event.offsetY]))
          plot.ontime(this.chart.convertFromPixel({ xAxisIndex: 0 }, event.offsetX));
      });
    }
    this.curves = this.numbers;
    this.fill();
  }
  fill() {
    this.chart.setOption(this.option(this.curves), { notMerge: true });
    this.makeRoom();
    if (this.isEmpty()) this.figure.after(this.empty); else this.empty.remove();
    this.chart.dispatchAction({ type: 'takeGlobalCursor', key: 'dataZoomSelect', dataZoomSelectActive: window.matchMedia('(pointer: fine)').matches });
    this.node.dataset.drawn = 'yes';
    // On paper panels have other widths: the drawing is scaled to them.
    const drawing = this.canvas.querySelector('svg');
    if (isPrinting()) drawing.setAttribute('viewBox', `0 0 ${drawing.getAttribute('width')} ${drawing.getAttribute('height')}`);
    else drawing.removeAttribute('viewBox');
    this.at(this.time);
  }

  isEmpty() { return this.curves.every((curve) => drawable(curve.points, this.plot.y.log).every((point) => !Number.isFinite(point[1]))); }
  // A legend wraps, and the plot is higher by the lines that it needs more than one.
  makeRoom() {
    const legend = this.chart.getModel()?.getComponent('legend');
    const more = legend?.get('show') ? Math.max(0, Math.ceil(this.chart.getViewOfComponentModel(legend).group.getBoundingRect().height - oneLine)) : 0;
    if (more === this.more) return;
    this.more = more;
    this.canvas.style.setProperty('--more', `${more}px`);
    this.chart.resize();
    this.chart.setOption({ grid: { top: this.top() } });
  }
  top() { return this.curves.length > 1 ? 44 + this.more : 16; }

  option(curves) {
    const { x, y, title } = this.plot;
    const wheel = colours();
    const names = [...new Set(curves.filter((c) => !c.unlisted).map((c) => c.name))];
    const unit = (u) => (u && u !== '1' ? ` ${u}` : '');
    return {
      animation: false, backgroundColor: 'transparent', color: wheel, textStyle: { fontFamily: font, color: ink() },
      aria: { enabled: true, label: { description: `${title}. ${y.name} over ${x.name}; curves: ${curves.map((c) => c.name).join(', ')}` } },
      grid: { left: 76, right: 20, top: this.top(), bottom: 50, containLabel: false },
      legend: {
        show: curves.length > 1, type: names.length > 24 ? 'scroll' : 'plain', top: 4, left: 'center', formatter: (name) => broken(name, (this.canvas.clientWidth - 50) / letter), textStyle: { color: ink(), fontFamily: font, lineHeight: 15 }, inactiveColor: faint(), pageTextStyle: { color: ink() },
        data: names,
      },
      tooltip: {
        trigger: this.plot.scatter ? 'item' : 'axis', confine: true, backgroundColor: paper(), borderColor: muted(), textStyle: { color: ink(), fontFamily: font, fontSize: 13 },
        formatter: (of) => {
          const list = Array.isArray(of) ? of : [of];
          if (list.length === 0) return '';
          const head = `${x.name}: <b>${shown(list[0].value[0], 6)}</b>`;
          return [head, ...list.filter((p) => !curves[p.seriesIndex].silent).map((p) => {
            const curve = curves[p.seriesIndex];
            const more = curve.note?.(p.dataIndex);
            if (curve.edge) return `${p.marker} ${escaped(curve.name)}<br>${escaped(more)}`;
            return `${p.marker} ${escaped(curve.name)}: <b>${shown(p.value[1], 6)}</b>${unit(curve.unit ?? y.unit)}${more ? `<br>${escaped(more)}` : ''}`;
          })].join('<br>');
        },
      },
      toolbox: { show: true, itemSize: 0.01, showTitle: false, feature: { dataZoom: { yAxisIndex: 0, icon: { zoom: 'path://', back: 'path://' } } } },
      dataZoom: [{ type: 'inside', xAxisIndex: 0, zoomOnMouseWheel: 'ctrl', moveOnMouseMove: false, filterMode: 'none' },
        { type: 'inside', yAxisIndex: 0, zoomOnMouseWheel: 'shift', moveOnMouseMove: false, filterMode: 'none' }],
      xAxis: axis(x, false), yAxis: [axis(y, true), heights],
      series: curves.map((curve, k) => {
        const group = curve.group ?? k;
        const points = curve.edge ? curve.points.map(([at]) => [at, upperEdge]) : drawable(curve.points, y.log);
        const bare = curve.kind !== 'points' && !curve.marks && !curve.symbol;  // a line without marks
        const single = bare && points.some((_, i) => alone(points, i));
        return {
          name: curve.name, type: curve.kind === 'points' ? 'scatter' : 'line', data: points, yAxisIndex: curve.edge ? 1 : 0, silent: curve.silent,
          color: curve.colour ?? wheel[group % wheel.length],
          symbol: single ? 'circle' : curve.symbol ?? (curve.marks ? symbols[group % symbols.length] : curve.kind === 'points' ? symbols[group % symbols.length] : 'none'),
          symbolSize: single ? (_, at) => (alone(points, at.dataIndex) ? 6 : 0) : curve.size ?? 8, itemStyle: curve.edge ? { opacity: 1 } : undefined, showSymbol: single || Boolean(curve.marks), showAllSymbol: single || undefined, step: curve.step, connectNulls: false,
          sampling: !single && curve.points.length > 4000 ? 'lttb' : undefined,
          lineStyle: { width: curve.silent ? 1 : 1.8, type: curve.dashed ? 'dashed' : dashes[group % dashes.length] },
        };
      }),
    };
  }

  // The cursor of the replay.
  at(time) {
    this.time = time;
    if (time === undefined || !this.chart) return;
    const left = this.chart.convertToPixel({ xAxisIndex: 0 }, time);
    this.line.hidden = !(left >= 70 && left <= this.canvas.clientWidth - 18);
    this.line.style.left = `${left}px`;
  }
  all() { this.chart?.dispatchAction({ type: 'dataZoom', batch: [{ dataZoomIndex: 0, start: 0, end: 100 }, { dataZoomIndex: 1, start: 0, end: 100 }] }); }
  key(event) {
    if (!this.chart) return;
    const zoom = this.chart.getOption().dataZoom[0];
    const width = zoom.end - zoom.start, middle = (zoom.start + zoom.end) / 2;
    const to = (centre, w) => {
      const start = Math.min(Math.max(centre - w / 2, 0), 100 - Math.min(w, 100));
      this.chart.dispatchAction({ type: 'dataZoom', dataZoomIndex: 0, start, end: start + Math.min(w, 100) });
    };
    if (event.key === '+' || event.key === '=') to(middle, width / 1.5);
    else if (event.key === '-') to(middle, width * 1.5);
    else if (event.key === 'ArrowLeft') to(middle - width / 5, width);
    else if (event.key === 'ArrowRight') to(middle + width / 5, width);
    else if (event.key === '0') this.all();
    else return;
    event.preventDefault();
  }

  svg() { return this.chart.renderToSVGString(); }
  async ready() { start(this.figure); while (!this.chart || this.node.dataset.drawn !== 'yes') await new Promise((done) => setTimeout(done, 20)); }
  async saveSvg() { await this.ready(); download(`${fileName(this.plot.title)}.svg`, new Blob([this.svg()], { type: 'image/svg+xml' })); }
  async savePng() {
    await this.ready();
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(this.svg())}`;
    await image.decode();
    const [w, h] = [this.canvas.clientWidth, this.canvas.clientHeight];
    const canvas = el('canvas', { width: 2 * w, height: 2 * h });
    const pen = canvas.getContext('2d');
    pen.fillStyle = paper();
    pen.fillRect(0, 0, 2 * w, 2 * h);
    pen.drawImage(image, 0, 0, 2 * w, 2 * h);
    canvas.toBlob((blob) => download(`${fileName(this.plot.title)}.png`, blob));
  }
  async saveCsv() {
    await this.ready();
    const failed = this.curves.some((curve) => curve.edge);
    const rows = [['curve', this.plot.x.name, this.plot.y.name, ...(failed ? ['failure'] : [])]];
    for (const curve of this.curves) curve.points.forEach((point, i) => rows.push([curve.name, point[0], point[1], ...(failed ? [curve.edge ? curve.note(i) : ''] : [])]));
    download(`${fileName(this.plot.title)}.csv`, csv(rows));
  }
}

// In lines of at most so many letters, where it has spaces.
const broken = (text, most) => text.split(' ').reduce((lines, word) => {
  if (lines.length > 0 && lines.at(-1).length + 1 + word.length <= most) lines.push(`${lines.pop()} ${word}`);
  else lines.push(word);
  return lines;
}, []).join('\n');
export const escaped = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Lines over axes of their own; axes: [{name, values or null, log}], rows: arrays of numbers, null where there is none; failed(row): its line is another one. */
export class ParallelPlot extends Plot {
  constructor(plot) {
    super({ x: { name: 'row' }, y: { name: 'value' }, keys: 'the arrows go from row to row, 0 shows all', ...plot, curves: [] });
    this.note.setAttribute('aria-live', 'polite');
    this.row = -1;
    this.node.classList.add('wide');
  }
  isEmpty() { return this.plot.rows.length === 0; }
  option() {
    const { axes, rows } = this.plot;
    const lost = { type: 'dashed', color: failure, opacity: 1 };
    const dense = { color: muted(), fontFamily: font };
    return {
      animation: false, backgroundColor: 'transparent', textStyle: { fontFamily: font, color: ink() },
      tooltip: { confine: true, backgroundColor: paper(), borderColor: muted(), textStyle: { color: ink(), fontFamily: font }, formatter: (of) => axes.map((a, k) => `${escaped(a.name)}: <b>${shown(rows[of.dataIndex][k])}</b>`).join('<br>') },
      parallel: { left: 60, right: 90, top: 56, bottom: 24, parallelAxisDefault: { nameLocation: 'end', nameTextStyle: { ...dense, color: ink(), width: 120, overflow: 'break' } } },
      parallelAxis: axes.map((a, dim) => ({
        dim, name: a.name, type: a.values ? 'category' : 'value', data: a.values ?? undefined, scale: true,
        axisLine: { lineStyle: { color: muted() } }, axisLabel: { ...dense, formatter: a.values ? undefined : (v) => shown(v, 3) },
      })),
      series: [{ type: 'parallel', data: rows.map((row, n) => ({ value: row.map((v, k) => (axes[k].values && v !== null ? String(v) : v)), lineStyle: this.plot.failed?.(n) ? lost : undefined })), lineStyle: { width: 1.5, opacity: rows.length > 100 ? 0.25 : 0.7, color: colours()[0] }, emphasis: { lineStyle: { width: 3, color: colours()[1] } } }],
    };
  }
  all() { this.choose(-1); this.chart?.setOption(this.option(), { notMerge: true }); }
  /** The line of one row in front of the others, and its values below; -1: none. */
  choose(row) {
    const { axes, rows } = this.plot;
    this.row = row;
    this.chart?.dispatchAction({ type: 'downplay', seriesIndex: 0 });
    if (row >= 0) this.chart?.dispatchAction({ type: 'highlight', seriesIndex: 0, dataIndex: row });
    this.note.textContent = row < 0 ? '' : axes.map((a, k) => `${a.name}: ${shown(rows[row][k])}`).join(', ');
  }
  key(event) {
    const count = this.plot.rows.length;
    if (!this.chart || count === 0) return;
    if (event.key === 'ArrowRight' || event.key === 'ArrowDown') this.choose((this.row + 1) % count);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowUp') this.choose((Math.max(this.row, 0) + count - 1) % count);
    else if (event.key === '0') this.all();
    else return;
    event.preventDefault();
  }
  async saveCsv() { download(`${fileName(this.plot.title)}.csv`, csv([this.plot.axes.map((a) => a.name), ...this.plot.rows])); }
}
