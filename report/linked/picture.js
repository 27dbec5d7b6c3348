import { axisName, label, paint, ticks } from './board.js';
import { dateTicks } from './dates.js';
import { h } from './board.js';

export const edge = { left: 58, right: 12, top: 10, bottom: 34 };

// Region is what a brush covers, in points of the screen: a box, or a lasso as a mask of its points.
class Region {
  constructor(path, lasso, width, height) {
    const xs = path.map(p => p[0]), ys = path.map(p => p[1]);
    Object.assign(this, { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys), width });
    if (!lasso || path.length < 3) return;
    const canvas = h('canvas');
    Object.assign(canvas, { width, height });
    const g = canvas.getContext('2d', { willReadFrequently: true });
    g.beginPath();
    path.forEach(([x, y], k) => k ? g.lineTo(x, y) : g.moveTo(x, y));
    g.fill();
    const rgba = g.getImageData(0, 0, width, height).data;
    this.mask = new Uint8Array(width * height);
    for (let k = 0; k < this.mask.length; k++) this.mask[k] = rgba[4 * k + 3] > 127 ? 1 : 0;
  }
  has(x, y) {
    return x >= this.left && x <= this.right && y >= this.top && y <= this.bottom && (!this.mask || this.mask[Math.round(y) * this.width + Math.round(x)] === 1);
  }
}

// Picture is what all pictures share: a canvas of the right size, its frame, and brushing by pointer and keyboard.
export class Picture {
  constructor(board, title, about) {
    Object.assign(this, { board, title });
    this.canvas = h('canvas', { tabindex: 0, role: 'img', 'aria-label': title });
    this.tip = h('p', { class: 'tip' });
    this.caption = h('figcaption', {}, title);
    this.element = h('figure', {}, this.caption, about && h('p', { class: 'about' }, about), this.canvas, this.tip);
    board.pictures.push(this);
    let path = null, frame = 0;
    const at = e => { const r = this.canvas.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
    this.canvas.addEventListener('pointerdown', e => { path = [at(e)]; this.canvas.setPointerCapture(e.pointerId); });
    this.canvas.addEventListener('pointermove', e => {
      const to = at(e);
      if (path) { if (this.board.mode === 'lasso') path.push(to); else path[1] = to; }
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => { if (path) this.mark(path); else this.hover(to); });
    });
    this.canvas.addEventListener('pointerup', e => {
      if (!path) return;
      const whole = [...path, at(e)];
      path = null;
      cancelAnimationFrame(frame);
      this.finish(whole, e.shiftKey);
    });
    this.canvas.addEventListener('pointercancel', () => { path = null; this.draw(); });
    this.canvas.addEventListener('pointerleave', () => { if (!path) this.tip.textContent = ''; });
    this.canvas.addEventListener('keydown', e => this.key(e));
    this.canvas.addEventListener('blur', () => { this.cursor = this.corner = null; this.draw(); });
    new ResizeObserver(() => requestAnimationFrame(() => { if (this.element.clientWidth !== this.seen) { this.seen = this.element.clientWidth; this.draw(); } })).observe(this.element);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
  }
  finish(path, more) {
    const first = path[0];
    if (path.every(([x, y]) => Math.hypot(x - first[0], y - first[1]) < 4)) { this.board.select(null); return; }
    if (this.board.mode !== 'lasso') path = [first, path[path.length - 1]];
    this.brush(new Region(path, this.board.mode === 'lasso', Math.ceil(this.width), Math.ceil(this.height)), more);
  }
  // key moves a cross by the arrows; space sets the corners of a box, Escape lets go.
  key(e) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }, step = steps[e.key];
    if (e.key === 'Escape') { this.corner = null; this.board.select(null); return; }
    if (!step && e.key !== ' ' && e.key !== 'Enter') return;
    e.preventDefault();
    const far = e.shiftKey ? 40 : 10, bound = (v, low, high) => Math.max(low, Math.min(high, v));
    const [x, y] = this.cursor || [(edge.left + this.width - edge.right) / 2, (edge.top + this.height - edge.bottom) / 2];
    this.tip.setAttribute('role', 'status');
    if (step) {
      this.cursor = [bound(x + far * step[0], 0, this.width), bound(y + far * step[1], 0, this.height)];
      this.hover(this.cursor);
      this.tip.textContent ||= 'no row here';
    } else if (this.corner) {
      this.finish([this.corner, [x, y]], e.shiftKey);
      this.corner = null;
      this.tip.textContent = this.board.said();
    } else {
      this.cursor = this.corner = [x, y];
      this.tip.textContent = 'one corner is set; move by the arrows and press space for the other';
    }
    this.mark([this.corner || this.cursor, this.cursor]);
  }
  begin() {
    const width = Math.max(220, this.element.clientWidth), height = this.tall || Math.round(Math.min(340, Math.max(200, 0.55 * width))), ratio = devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio); this.canvas.height = Math.round(height * ratio);
      this.canvas.style.width = `${width}px`; this.canvas.style.height = `${height}px`;
    }
    Object.assign(this, { width, height, ratio, ink: this.canvas.getContext('2d', { willReadFrequently: true }) });
    this.ink.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.ink.clearRect(0, 0, width, height);
    this.ink.font = '12px system-ui, sans-serif';
  }
  // frame draws the axes; [low, high] are in the units of the points.
  frame(x, y) {
    const g = this.ink, bottom = this.height - edge.bottom, right = this.width - edge.right;
    g.strokeStyle = paint('--p-line');
    g.fillStyle = paint('--p-text');
    g.strokeRect(edge.left, edge.top, right - edge.left, bottom - edge.top);
    const marks = (axis, length) => {
      const c = axis.column, low = c.centre + c.scale * axis.range[0], high = c.centre + c.scale * axis.range[1];
      if (c.kind === 'date') return dateTicks(c, low, high).map(([v, text]) => [(v - low) / (high - low), text]);
      const list = c.levels ? c.levels.map((_, k) => k).filter(k => k >= low && k <= high && c.levels.length <= length / 40) : ticks(low, high, c.log);
      return list.map(v => [(v - low) / (high - low), label(c, v, !c.log && list.length > 1 && list[1] - list[0])]);
    };
    g.textAlign = 'center';
    let free = 0;
    for (const [share, text] of marks(x, right - edge.left)) {
      const at = edge.left + share * (right - edge.left), half = g.measureText(text).width / 2;
      if (at - half < free || at + half > this.width) continue;
      g.fillText(text, at, bottom + 14);
      free = at + half + 8;
    }
    g.fillText(axisName(x).slice(0, 60), (edge.left + right) / 2, this.height - 4);
    g.textAlign = 'right';
    for (const [share, text] of marks(y, bottom - edge.top)) g.fillText(y.column.levels ? text.slice(0, 9) : text, edge.left - 4, bottom - share * (bottom - edge.top) + 4, edge.left - 5); // long numbers narrower, and whole
    g.setLineDash([4, 4]);
    g.strokeStyle = paint('--p-text');
    for (const axis of [x, y]) for (const cut of axis.column.cuts || []) {
      const c = axis.column, share = (((c.log ? Math.log10(cut) : cut) - c.centre) / c.scale - axis.range[0]) / (axis.range[1] - axis.range[0]);
      if (!(share > 0 && share < 1)) continue;
      const u = edge.left + share * (right - edge.left), v = bottom - share * (bottom - edge.top);
      g.beginPath();
      if (axis === x) { g.moveTo(u, edge.top); g.lineTo(u, bottom); } else { g.moveTo(edge.left, v); g.lineTo(right, v); }
      g.stroke();
    }
    g.setLineDash([]);
  }
  // mark draws the brush under way over the picture.
  mark(path) {
    this.draw();
    const g = this.ink;
    if (!g) return;
    g.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    g.strokeStyle = paint('--p-text');
    const [x, y] = path[path.length - 1];
    if (this.cursor) { g.beginPath(); g.moveTo(x - 8, y); g.lineTo(x + 8, y); g.moveTo(x, y - 8); g.lineTo(x, y + 8); g.stroke(); }
    if (this.board.mode === 'lasso' && !this.cursor) { g.beginPath(); path.forEach(([u, v], k) => k ? g.lineTo(u, v) : g.moveTo(u, v)); g.closePath(); g.stroke(); return; }
    g.strokeRect(Math.min(path[0][0], x), Math.min(path[0][1], y), Math.abs(x - path[0][0]), Math.abs(y - path[0][1]));
  }
  draw() {}
  brush() {}
  hover() {}
}
