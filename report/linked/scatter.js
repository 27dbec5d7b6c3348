import { axisName, extent, marks, packed } from './board.js';
import { Picture, edge } from './picture.js';

// squares makes what paints one of a size around a spot, which is a number of a pixel, or -1 for nowhere.
function squares(pixels, width, height) {
  return (spot, paint, size) => {
    if (spot < 0) return;
    if (size === 1) { pixels[spot] = paint; return; }
    const x = spot % width - (size >> 1), y = (spot / width | 0) - (size >> 1);
    for (let v = Math.max(0, y); v < Math.min(height, y + size); v++) for (let u = Math.max(0, x); u < Math.min(width, x + size); u++) pixels[v * width + u] = paint;
  };
}

// Scatter draws one point per row. x or y may be null: the number of the row.
export class Scatter extends Picture {
  async show(x, y) {
    const { board } = this, mine = this.asked = (this.asked || 0) + 1, rows = { name: 'row', kind: 'number', centre: 0, scale: 1, order: true };
    await board.ready;
    const last = Math.max(board.total, board.number(board.n - 1));
    const axis = async k => {
      if (k != null) { const values = await board.column(k), column = board.points.columns[k]; return { column, values, range: column.range || (column.levels ? [-0.5, column.levels.length - 0.5] : extent(values)) }; }
      return { column: rows, values: board.numbers || null, range: [-0.02 * last, 1.02 * last] };
    };
    const axes = await Promise.all([axis(x), axis(y)]);
    if (mine !== this.asked) return; // others were chosen since
    [this.x, this.y] = axes;
    this.name();
    this.draw();
  }
  name() {
    this.caption.textContent = `${this.title}: ${axisName(this.y)}${this.x.column.order ? '' : ` against ${this.x.column.name}`}`;
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
  // spots are the pixels of the rows, -1 for one that stands nowhere; kept with the places.
  spots() {
    const kept = this.places(), ratio = this.ratio, width = this.canvas.width, height = this.canvas.height;
    if (kept.spots && kept.ratio === ratio) return kept.spots;
    const { left, top } = kept, spots = new Int32Array(left.length);
    for (let i = 0; i < spots.length; i++) {
      const u = (left[i] * ratio + 0.5) | 0, v = (top[i] * ratio + 0.5) | 0;
      spots[i] = left[i] === left[i] && top[i] === top[i] && u < width && v < height ? v * width + u : -1;
    }
    Object.assign(kept, { spots, ratio });
    return spots;
  }
  // stamp is 1 for each pixel on which some row stands, drawn as squares of a size; kept with the spots.
  stamp(size) {
    const spots = this.spots(), kept = this.kept, { width, height } = this.canvas;
    if (kept.stamp && kept.stamped === spots && kept.size === size) return kept.stamp;
    const stamp = new Uint8Array(width * height), square = squares(stamp, width, height);
    for (let i = 0; i < spots.length; i++) square(spots[i], 1, size);
    Object.assign(kept, { stamp, stamped: spots, size });
    return stamp;
  }
  draw() {
    if (!this.x) return;
    this.begin();
    this.frame(this.x, this.y);
    const { selected, list, n } = this.board, spots = this.spots();
    const image = this.ink.getImageData(0, 0, this.canvas.width, this.canvas.height), pixels = new Uint32Array(image.data.buffer);
    const size = Math.max(1, Math.round((n > 200000 ? 1 : n > 20000 ? 1.5 : n > 2000 ? 2.5 : 4) * this.ratio)), square = squares(pixels, image.width, image.height);
    const stamp = this.stamp(size), row = packed('--p-row'), all = selected ? packed('--p-grey') : row;
    for (let p = 0; p < stamp.length; p++) if (stamp[p]) pixels[p] = all;
    if (selected && size === 1) for (let k = 0; k < list.length; k++) { const spot = spots[list[k]]; if (spot >= 0) pixels[spot] = row; } // without a call for each of many
    else if (selected) for (let k = 0; k < list.length; k++) square(spots[list[k]], row, size);
    const [bad, far] = marks(this.flags || this.board.flags), some = (places, paint, size) => { for (let k = 0; k < places.length; k++) if (!selected || selected[places[k]]) square(spots[places[k]], paint, size); };
    some(far, packed('--p-far'), size);
    some(bad, packed('--p-wrong'), size + (bad.length > 3000 ? 0 : 2 * Math.max(1, size >> 1))); // few stand out, many are a cloud of their own
    this.ink.putImageData(image, 0, 0);
  }
  brush(region, more) {
    const { left, top } = this.places(), now = new Uint8Array(this.board.n), { mask, width } = region, l = region.left, r = region.right, t = region.top, b = region.bottom;
    for (let i = 0; i < now.length; i++) {
      const x = left[i], y = top[i];
      if (x >= l && x <= r && y >= t && y <= b && (!mask || mask[Math.round(y) * width + Math.round(x)])) now[i] = 1;
    }
    this.board.choose(now, more);
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
