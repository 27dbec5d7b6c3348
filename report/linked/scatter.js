import { extent, extreme, packed, wrong } from './board.js';
import { Picture, edge } from './picture.js';

// Scatter draws one point per row. x or y may be null: the number of the row.
export class Scatter extends Picture {
  async show(x, y) {
    const { board } = this, rows = { name: 'row', kind: 'number', centre: 0, scale: 1 };
    const axis = async k => {
      if (k != null) { const values = await board.column(k); return { column: board.points.columns[k], values, range: extent(values) }; }
      return { column: rows, values: board.numbers || null, range: [-0.02 * board.total, 1.02 * board.total] };
    };
    [this.x, this.y] = await Promise.all([axis(x), axis(y), board.ready]);
    this.name();
    this.draw();
  }
  name() {
    this.caption.textContent = `${this.title}: ${this.y.column.name} above ${this.x.column.name}`;
    this.canvas.setAttribute('aria-label', `${this.caption.textContent}, ${this.board.n} rows. Arrows move a cross, space sets the corners of a box.`);
  }
  // places are where the rows stand, in points of the screen; a row with a missing number stands nowhere (NaN). They are kept
  // until the columns or the size change, since brushing and drawing ask for all of them.
  places() {
    const { x, y, width, height } = this, n = this.board.n;
    if (this.kept && this.kept.x === x && this.kept.y === y && this.kept.width === width && this.kept.height === height) return this.kept;
    const w = width - edge.left - edge.right, h = height - edge.top - edge.bottom, left = new Float32Array(n), top = new Float32Array(n);
    const fill = (into, axis, length, from, sign) => {
      const { values, range } = axis, unit = length / (range[1] - range[0]), low = range[0];
      for (let i = 0; i < n; i++) {
        const v = ((values ? values[i] : i + 1) - low) * unit;
        into[i] = from + sign * (v < 0 ? 0 : v > length ? length : v);
      }
    };
    fill(left, x, w, edge.left, 1);
    fill(top, y, h, edge.top + h, -1);
    this.kept = { x, y, width, height, left, top };
    return this.kept;
  }
  draw() {
    if (!this.x) return;
    this.begin();
    this.frame(this.x, this.y);
    const { selected, n } = this.board, flags = this.flags || this.board.flags, { left, top } = this.places(), ratio = this.ratio;
    const image = this.ink.getImageData(0, 0, this.canvas.width, this.canvas.height), pixels = new Uint32Array(image.data.buffer), width = image.width, height = image.height;
    const size = Math.max(1, Math.round((n > 200000 ? 1 : n > 20000 ? 1.5 : n > 2000 ? 2.5 : 4) * ratio)), half = size >> 1, grow = Math.max(1, half);
    const point = (i, paint, half, size) => {
      const x = Math.round(left[i] * ratio) - half, y = Math.round(top[i] * ratio) - half;
      if (size === 1) { if (x >= 0 && x < width && y >= 0 && y < height) pixels[y * width + x] = paint; return; } // NaN is no place
      for (let v = Math.max(0, y); v < Math.min(height, y + size); v++) for (let u = Math.max(0, x); u < Math.min(width, x + size); u++) pixels[v * width + u] = paint;
    };
    const grey = packed('--p-grey'), plain = packed('--p-row'), far = packed('--p-far'), bad = packed('--p-wrong');
    if (selected) for (let i = 0; i < n; i++) if (!selected[i]) point(i, grey, half, size);
    for (let i = 0; i < n; i++) if (!selected || selected[i]) point(i, plain, half, size);
    for (let i = 0; i < n; i++) if (flags[i] === extreme && (!selected || selected[i])) point(i, far, half, size);
    for (let i = 0; i < n; i++) if (flags[i] === wrong && (!selected || selected[i])) point(i, bad, half + grow, size + 2 * grow);
    this.ink.putImageData(image, 0, 0);
  }
  brush(region, more) {
    const { left, top } = this.places();
    this.board.select(i => region.has(left[i], top[i]), more);
  }
  hover(to) {
    if (!this.x) return;
    const { left, top } = this.places();
    let best = -1, near = 64;
    for (let i = 0; i < this.board.n; i++) {
      const d = (left[i] - to[0]) ** 2 + (top[i] - to[1]) ** 2;
      if (d < near) { near = d; best = i; }
    }
    this.tip.textContent = best < 0 ? '' : this.board.tell(best);
  }
}
