// Linked pictures of a check. Every row is drawn; rows that are brushed in one picture are selected in all others and in the
// list below, the others turn grey.

const edge = { left: 58, right: 12, top: 10, bottom: 34 };
const wrong = 1; // of the verdict column

// board keeps the columns of a check, loaded when they are first drawn, and which rows are selected.
export class Board {
  constructor(load, points, h) {
    Object.assign(this, { load, points, h, n: points.rows, columns: new Map(), pictures: [], selected: null, count: points.rows, listeners: [] });
  }
  async column(k) {
    if (!this.columns.has(k)) this.columns.set(k, this.load(k).then(buffer => new Float32Array(buffer)));
    return this.columns.get(k);
  }
  // select takes a function of the number of a row, or null for all; more adds to what is selected.
  select(test, more = false) {
    if (!test) { this.selected = null; this.count = this.n; } else {
      const before = more ? this.selected : null, now = new Uint8Array(this.n);
      let count = 0;
      for (let i = 0; i < this.n; i++) if ((before && before[i]) || test(i)) { now[i] = 1; count++; }
      this.selected = now;
      this.count = count;
    }
    for (const p of this.pictures) p.draw();
    for (const f of this.listeners) f();
  }
  rows(most) {
    const list = [];
    for (let i = 0; i < this.n && list.length < most; i++) if (this.selected && this.selected[i]) list.push(i + 1);
    return list;
  }
}

// extent is the range in which most values lie; what is beyond stands at its edge.
function extent(values) {
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

function ticks(low, high) {
  const rough = (high - low) / 5, power = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].map(f => f * power).find(s => s >= rough);
  const list = [];
  for (let k = 0, first = Math.ceil(low / step) * step; k < 12 && first + k * step <= high; k++) { // numbers may be so large that a step is lost in them
    const v = first + k * step;
    list.push(Math.abs(v) < step / 1e6 ? 0 : v);
  }
  return list;
}

function label(column, value) {
  if (column.levels) return column.levels[Math.round(value)] ?? '';
  if (column.kind === 'date') { const d = new Date(value * (Math.abs(value) < 1e6 ? 86400000 : 1000)); return Number.isNaN(d.getTime()) ? '' : d.toISOString().slice(0, 10); }
  return Number(value.toPrecision(4)).toLocaleString('en', { maximumSignificantDigits: 4 });
}

const paint = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
function colour(name) {
  const hex = paint(name).replace('#', ''), full = hex.length === 3 ? [...hex].map(c => c + c).join('') : hex;
  return [0, 2, 4].map(k => parseInt(full.slice(k, k + 2), 16));
}

// picture is what all pictures share: a canvas of the right size, its frame, and brushing.
class Picture {
  constructor(board, title) {
    Object.assign(this, { board, title });
    this.canvas = board.h('canvas', { tabindex: 0, role: 'img' });
    this.tip = board.h('p', { class: 'tip', 'aria-hidden': 'true' });
    this.caption = board.h('figcaption', {}, title);
    this.element = board.h('figure', {}, this.caption, this.canvas, this.tip);
    board.pictures.push(this);
    let from = null, frame = 0;
    const at = e => { const r = this.canvas.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
    this.canvas.addEventListener('pointerdown', e => { from = at(e); this.canvas.setPointerCapture(e.pointerId); });
    this.canvas.addEventListener('pointermove', e => {
      const to = at(e);
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => { if (from) this.mark(from, to); else this.hover(to); });
    });
    this.canvas.addEventListener('pointerup', e => {
      if (!from) return;
      const to = at(e), start = from;
      from = null;
      cancelAnimationFrame(frame);
      if (Math.hypot(to[0] - start[0], to[1] - start[1]) < 4) this.board.select(null);
      else this.brush(start, to, e.shiftKey);
    });
    this.canvas.addEventListener('keydown', e => { if (e.key === 'Escape') this.board.select(null); });
    new ResizeObserver(() => requestAnimationFrame(() => { if (this.element.clientWidth !== this.width) this.draw(); })).observe(this.element);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }
  begin() {
    const width = Math.max(220, this.element.clientWidth), height = Math.round(Math.min(340, Math.max(200, 0.55 * width))), ratio = devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio)) { this.canvas.width = Math.round(width * ratio); this.canvas.height = Math.round(height * ratio); this.canvas.style.width = `${width}px`; this.canvas.style.height = `${height}px`; }
    Object.assign(this, { width, height, ratio, ink: this.canvas.getContext('2d') });
    this.ink.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.ink.clearRect(0, 0, width, height);
  }
  // frame draws the axes; [low, high] are in the units of the points.
  frame(x, y) {
    const g = this.ink, bottom = this.height - edge.bottom, right = this.width - edge.right;
    g.font = '12px system-ui, sans-serif';
    g.strokeStyle = paint('--rule');
    g.fillStyle = paint('--soft');
    g.strokeRect(edge.left, edge.top, right - edge.left, bottom - edge.top);
    const marks = (axis, length) => {
      const c = axis.column, low = c.centre + c.scale * axis.range[0], high = c.centre + c.scale * axis.range[1];
      return (c.levels ? c.levels.map((_, k) => k).filter(k => k >= low && k <= high && c.levels.length <= length / 40) : ticks(low, high)).map(v => [(v - low) / (high - low), label(c, v)]);
    };
    g.textAlign = 'center';
    let free = 0;
    for (const [share, text] of marks(x, right - edge.left)) {
      const at = edge.left + share * (right - edge.left), half = g.measureText(text).width / 2;
      if (at - half < free || at + half > this.width) continue;
      g.fillText(text, at, bottom + 14);
      free = at + half + 8;
    }
    g.fillText(x.column.name.slice(0, 60), (edge.left + right) / 2, this.height - 4);
    g.textAlign = 'right';
    for (const [share, text] of marks(y, bottom - edge.top)) g.fillText(text.slice(0, 9), edge.left - 4, bottom - share * (bottom - edge.top) + 4);
  }
  mark(from, to) {
    this.draw();
    this.ink.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.ink.strokeStyle = paint('--deed');
    this.ink.strokeRect(Math.min(from[0], to[0]), Math.min(from[1], to[1]), Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]));
  }
  hover() {}
}

// Scatter draws one point per row. x or y may be null: the number of the row.
export class Scatter extends Picture {
  async show(x, y) {
    const rows = { name: 'row', kind: 'number', centre: 1, scale: 1 };
    const axis = async k => {
      const values = k == null ? null : await this.board.column(k);
      return { k, column: k == null ? rows : this.board.points.columns[k], values, range: values ? extent(values) : [-0.02 * this.board.n, 1.02 * this.board.n] };
    };
    [this.x, this.y, this.verdict] = await Promise.all([axis(x), axis(y), this.board.column(1)]);
    this.caption.textContent = `${this.title}: ${this.y.column.name} above ${this.x.column.name}`;
    this.canvas.setAttribute('aria-label', `${this.caption.textContent}, ${this.board.n} rows`);
    this.draw();
  }
  // places are where the rows stand, in points of the screen; a row with a missing number stands nowhere (NaN). They are kept
  // until the columns or the size change, since brushing and drawing ask for all of them.
  places() {
    const { x, y, width, height } = this, n = this.board.n;
    if (this.kept && this.kept.x === x && this.kept.y === y && this.kept.width === width && this.kept.height === height) return this.kept;
    const w = width - edge.left - edge.right, h = height - edge.top - edge.bottom, left = new Float32Array(n), top = new Float32Array(n);
    const fill = (into, axis, length, place) => {
      const { values, range } = axis, unit = length / (range[1] - range[0]);
      for (let i = 0; i < n; i++) {
        const v = ((values ? values[i] : i) - range[0]) * unit;
        into[i] = place(v < 0 ? 0 : v > length ? length : v);
      }
    };
    fill(left, x, w, v => edge.left + v);
    fill(top, y, h, v => edge.top + h - v);
    this.kept = { x, y, width, height, left, top };
    return this.kept;
  }
  draw() {
    if (!this.x) return;
    this.begin();
    this.frame(this.x, this.y);
    const n = this.board.n, selected = this.board.selected, verdict = this.verdict, { left, top } = this.places(), ratio = this.ratio;
    const image = this.ink.getImageData(0, 0, this.canvas.width, this.canvas.height), pixels = new Uint32Array(image.data.buffer), width = image.width, height = image.height;
    const size = Math.max(1, Math.round((n > 200000 ? 1 : n > 20000 ? 1.5 : n > 2000 ? 2.5 : 4) * ratio)), half = size >> 1, grow = Math.max(1, half);
    const packed = name => { const [r, g, b] = colour(name); return (255 << 24 | b << 16 | g << 8 | r) >>> 0; }; // little end first, as all machines with browsers are
    const point = (i, paint, half, size) => {
      const x = Math.round(left[i] * ratio) - half, y = Math.round(top[i] * ratio) - half;
      for (let v = Math.max(0, y); v < Math.min(height, y + size); v++) for (let u = Math.max(0, x); u < Math.min(width, x + size); u++) pixels[v * width + u] = paint;
    };
    const grey = packed('--rule'), plain = packed('--deed'), bad = packed('--mark');
    if (selected) for (let i = 0; i < n; i++) if (!selected[i] && left[i] === left[i] && top[i] === top[i]) point(i, grey, half, size);
    for (let i = 0; i < n; i++) if ((!selected || selected[i]) && left[i] === left[i] && top[i] === top[i]) point(i, plain, half, size);
    for (let i = 0; i < n; i++) if (verdict[i] === wrong && (!selected || selected[i]) && left[i] === left[i] && top[i] === top[i]) point(i, bad, half + grow, size + 2 * grow);
    this.ink.putImageData(image, 0, 0);
  }
  brush(from, to, more) {
    const { left, top } = this.places(), l = Math.min(from[0], to[0]), r = Math.max(from[0], to[0]), t = Math.min(from[1], to[1]), b = Math.max(from[1], to[1]);
    this.board.select(i => left[i] >= l && left[i] <= r && top[i] >= t && top[i] <= b, more);
  }
  hover(to) {
    if (!this.x) return;
    const { left, top } = this.places();
    let best = -1, near = 64;
    for (let i = 0; i < this.board.n; i++) {
      const d = (left[i] - to[0]) ** 2 + (top[i] - to[1]) ** 2;
      if (d < near) { near = d; best = i; }
    }
    const say = a => a.k == null ? '' : `, ${a.column.name} ${label(a.column, a.column.centre + a.column.scale * a.values[best])}`;
    this.tip.textContent = best < 0 ? '' : `row ${best + 1}${say(this.x)}${say(this.y)}`;
  }
}

// Histogram counts the rows of a column; the selected ones stand in front.
export class Histogram extends Picture {
  async show(x) {
    const values = await this.board.column(x), column = this.board.points.columns[x];
    const range = column.levels ? [-0.5, column.levels.length - 0.5] : extent(values);
    this.x = { k: x, values, column, range };
    this.bins = column.levels ? column.levels.length : Math.min(60, Math.max(8, Math.ceil(2 * Math.cbrt(values.length))));
    this.caption.textContent = `${this.title}: ${column.name}`;
    this.canvas.setAttribute('aria-label', `How ${column.name} is spread`);
    this.draw();
  }
  bin(i) {
    const { values, range } = this.x, v = values[i];
    if (Number.isNaN(v)) return -1;
    return Math.min(this.bins - 1, Math.max(0, Math.floor((v - range[0]) / (range[1] - range[0]) * this.bins)));
  }
  draw() {
    if (!this.x) return;
    this.begin();
    const all = new Float64Array(this.bins), chosen = new Float64Array(this.bins), selected = this.board.selected;
    for (let i = 0; i < this.board.n; i++) {
      const k = this.bin(i);
      if (k < 0) continue;
      all[k]++;
      if (!selected || selected[i]) chosen[k]++;
    }
    const top = Math.max(1, ...all), g = this.ink, w = (this.width - edge.left - edge.right) / this.bins, h = this.height - edge.top - edge.bottom;
    const bars = (counts, name) => { g.fillStyle = paint(name); counts.forEach((c, k) => { if (c > 0) { const tall = Math.max(1.5, h * c / top * 0.97); g.fillRect(edge.left + k * w + 0.5, edge.top + h - tall, Math.max(1, w - 1), tall); } }); };
    bars(all, '--rule');
    bars(chosen, '--deed');
    this.frame(this.x, { column: { name: '', kind: 'number', centre: 0, scale: 1 }, range: [0, top / 0.97] });
  }
  brush(from, to, more) {
    const w = (this.width - edge.left - edge.right) / this.bins;
    const first = Math.floor((Math.min(from[0], to[0]) - edge.left) / w), last = Math.floor((Math.max(from[0], to[0]) - edge.left) / w);
    this.board.select(i => { const k = this.bin(i); return k >= first && k <= last && k >= 0; }, more);
  }
}
