import { dateSpan, dateText } from './dates.js';

// What linked pictures share. Every text of a file comes into the page as a text node, never as markup.

// h makes an element: attributes, listeners (onclick ...) and children.
export function h(tag, given = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
    else if (value === true) e.setAttribute(name, '');
    else if (value !== false && value != null) e.setAttribute(name, value);
  }
  e.append(...children.flat(Infinity).filter(c => c != null && c !== false));
  return e;
}

export const plural = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;

// table lays rows of texts or nodes out, and can be scrolled by the keyboard.
export function table(label, head, rows) {
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label },
    h('table', {}, h('thead', {}, h('tr', {}, head.map(t => h('th', { scope: 'col', title: t.length > 90 ? t : null }, t.length > 90 ? `${t.slice(0, 88)}…` : t || h('span', { class: 'unseen' }, 'what to do'))))),
      h('tbody', {}, rows.map(cells => h('tr', {}, cells.map(c => c instanceof HTMLTableCellElement ? c : h('td', { class: 'cell' }, c)))))));
}

// Numbers of the verdict column.
export const wrong = 1, extreme = 2;

// wordless are columns of too many words to be known here; their numbers say nothing.
const wordless = c => c.kind === 'category' && !c.levels;
// told are the columns that say something of a row beside its number and verdict.
export const told = c => c.kind !== 'verdict' && c.kind !== 'row' && !wordless(c);

// placesOf are those at which bytes have a value.
function placesOf(bytes, value) {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === value) count++;
  const list = new Int32Array(count);
  for (let i = 0, k = 0; k < count; i++) if (bytes[i] === value) list[k++] = i;
  return list;
}

// marks are the places of the wrong rows and of the extreme ones. They are looked for once, so flags that are shown stay as they are.
const marked = new WeakMap();
export function marks(flags) {
  if (!marked.has(flags)) marked.set(flags, [placesOf(flags, wrong), placesOf(flags, extreme)]);
  return marked.get(flags);
}

// Board keeps the columns of rows, loaded when they are first drawn, and which rows are selected: a byte for each, and the list of their places.
export class Board {
  constructor(load, points, { numbers, names, total } = {}) {
    Object.assign(this, { load, points, numbers, names, n: points.rows, total: total || points.rows, columns: new Map(), loaded: new Map(), pictures: [], selected: null, list: null, count: points.rows, listeners: [], mode: 'box', flags: new Uint8Array(points.rows) });
    const of = (kind, use) => { const k = points.columns.findIndex(c => c.kind === kind); return k < 0 ? null : this.column(k).then(use); };
    this.ready = Promise.all([of('verdict', v => { for (let i = 0; i < this.n; i++) this.flags[i] = v[i]; }), of('row', v => { this.numbers = v; })]);
  }
  async column(k) {
    if (!this.columns.has(k)) this.columns.set(k, this.load(k).then(buffer => { const v = new Float32Array(buffer); this.loaded.set(k, v); return v; }));
    return this.columns.get(k);
  }
  // put sets other values in the place of a column's.
  put(k, values) { this.columns.set(k, Promise.resolve(values)); this.loaded.set(k, values); }
  // number is that of the row in the file.
  number(i) { return this.numbers ? this.numbers[i] : i + 1; }
  name(i) { const name = this.names && this.names[i]; return name && name !== String(this.number(i)) ? `${this.number(i)} (${name})` : String(this.number(i)); }
  value(k, i) { const c = this.points.columns[k], v = this.loaded.get(k)[i]; return Number.isNaN(v) ? '' : c.kind === 'score' && Math.abs(v) < 1e-4 ? '0' : c.kind === 'number' && !c.log && !c.levels ? written(c, v) : label(c, c.centre + c.scale * v); }
  // tell says what is known of a row.
  tell(i) {
    const known = [...this.loaded.keys()].sort((a, b) => a - b).filter(k => told(this.points.columns[k])).slice(0, 9);
    return `row ${this.name(i)}: ${known.map(k => `${this.points.columns[k].name} ${this.value(k, i) || 'missing'}`).join(', ')}`;
  }
  // select takes a function of the place of a row, or null for all.
  select(test) {
    const now = test && new Uint8Array(this.n);
    if (test) for (let i = 0; i < this.n; i++) if (test(i)) now[i] = 1;
    this.choose(now);
  }
  // choose takes a byte for each row, 1 for the selected ones, or null for all; more adds to what is selected.
  choose(now, more = false) {
    const before = more && now && this.selected;
    if (before) for (let i = 0; i < this.n; i++) now[i] |= before[i];
    const list = now && placesOf(now, 1);
    Object.assign(this, { selected: now, list, count: now ? list.length : this.n });
    this.redraw();
    for (const f of this.listeners) f();
  }
  redraw() { for (const p of this.pictures) p.draw(); }
  // places are those of so many rows from one on: of the selected ones, or of all where none are chosen.
  places(most, first = 0) { return Array.from({ length: Math.max(0, Math.min(most, this.count - first)) }, (_, k) => this.list ? this.list[first + k] : first + k); }
  said() {
    const of = this.total > this.n ? ` (of ${plural(this.total, 'row')} in the file every wrong one, up to half of what is drawn, and others evenly)` : '';
    return this.selected ? `${this.count.toLocaleString('en')} of ${plural(this.n, 'row')} selected${of}.` : `All ${plural(this.n, 'row')}${of}.`;
  }
}

// extent is the range in which most values lie; what is beyond stands at its edge.
export function extent(values) {
  const step = Math.max(1, Math.floor(values.length / 20000)), some = [];
  let low = Infinity, high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const v = values[i];
    if (!Number.isFinite(v)) continue;
    if (v < low) low = v;
    if (v > high) high = v;
    if (i % step === 0) some.push(v);
  }
  if (some.length === 0) return [0, 1];
  some.sort((a, b) => a - b);
  const a = some[Math.floor(0.02 * (some.length - 1))], b = some[Math.ceil(0.98 * (some.length - 1))], reach = b - a;
  if (reach > 0) { low = Math.max(low, a - reach); high = Math.min(high, b + reach); }
  if (low === high) { low -= 0.5; high += 0.5; }
  const room = 0.03 * (high - low);
  return [low - room, high + room];
}

// ticks are where an axis has numbers; those of logarithms stand at 1, 2 and 5 times powers of 10.
export function ticks(low, high, log) {
  const list = [];
  if (log) {
    for (const steps of [[1, 2, 5], [1]]) {
      list.length = 0;
      for (let p = Math.floor(low); p <= high; p++) for (const s of steps) { const v = p + Math.log10(s); if (v >= low && v <= high) list.push(v); }
      if (list.length <= 7) break;
    }
    return list.length > 1 ? list.slice(0, 40) : [low + 0.1 * (high - low), low + 0.9 * (high - low)];
  }
  const rough = (high - low) / 5, power = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].map(f => f * power).find(s => s >= rough);
  for (let k = 0, first = Math.ceil(low / step) * step; k < 12 && first + k * step <= high; k++) { // numbers may be so large that a step is lost in them
    const v = first + k * step;
    list.push(Math.abs(v) < step / 1e6 ? 0 : v);
  }
  return list;
}

// brief is a number in few digits: as many as tell it from others that are a step away.
export function brief(value, step = 0) {
  const digits = Math.min(15, value && step > 0 ? Math.max(4, Math.ceil(Math.log10(Math.abs(value) / step) - 1e-9) + 1) : 4);
  return value !== 0 && !(Math.abs(value) >= 1e-4 && (Math.abs(value) < 1e7 || digits > 4 && Math.abs(value) < 1e15)) ? Number(value.toPrecision(digits - 1)).toExponential().replace('e+', 'e') : Number(value.toPrecision(digits)).toLocaleString('en', { maximumSignificantDigits: digits });
}

// label is a value as people read it; others that it is told from are a step away.
export function label(column, value, step) {
  if (column.log) return brief(10 ** value);
  if (column.levels) return column.levels[Math.round(value)] ?? '';
  if (column.kind === 'date') return dateText(column, value);
  if (wordless(column)) return '';
  return brief(value, step);
}

// written is a number of the file with the digits that 4 bytes keep of it, and no more: 0 is not -1e-7, nor 1018.2 only 1,018. Where they do not
// keep all whole ones it says so.
function written(column, v) {
  const value = column.centre + column.scale * v, power = Math.ceil(Math.log10(Math.abs(column.scale * v) * 2 ** -23));
  if (!(Math.abs(value) < 1e15)) return brief(value);
  const known = (!Number.isFinite(power) ? value : power <= 0 ? Number(value.toFixed(Math.min(100, -power))) : Math.round(value / 10 ** power) * 10 ** power) + 0;
  return known !== 0 && Math.abs(known) < 1e-4 ? Number(known.toPrecision(7)).toExponential() : `${power > 0 && Number.isFinite(power) ? '≈' : ''}${known.toLocaleString('en', { maximumSignificantDigits: 15 })}`;
}

// axisName is that of a column, with what marks of dates leave out.
export function axisName({ column: c, range }) {
  const span = c.kind === 'date' && dateSpan(c, c.centre + c.scale * range[0], c.centre + c.scale * range[1]);
  return span ? `${c.name}, ${span}` : c.name;
}

// paint is a colour of the style, packed one for pixels: little end first, as all machines with browsers are.
export const paint = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
export function packed(name) {
  const [r, g, b] = [1, 3, 5].map(k => parseInt(paint(name).slice(k, k + 2), 16));
  return (255 << 24 | b << 16 | g << 8 | r) >>> 0;
}
