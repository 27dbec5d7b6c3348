import { packed, paint, wrong } from './board.js';
import { Picture, edge } from './picture.js';

const levels = 128; // of votes

// Paths draws each row's vote against the scale of the loss. Rows that take the same way from one scale to the next are one line, so
// that a million of them take no longer than their different ways.
export class Paths extends Picture {
  constructor(board, title, about, monitor) {
    super(board, title, about);
    Object.assign(this, { monitor, k: monitor.settled, fits: monitor.fits });
    this.canvas.setAttribute('aria-label', `${title}, ${board.n} rows at ${monitor.fits.length} scales. Arrows move a cross, space sets the corners of a box.`);
  }
  async load() { this.votes = await this.monitor.votes(); this.draw(); }
  at(k) { return edge.left + k / (this.fits.length - 1) * (this.width - edge.left - edge.right); }
  up(level) { return edge.top + (1 - level / (levels - 1)) * (this.height - edge.top - edge.bottom); }
  draw() {
    if (!this.votes) return;
    this.begin();
    const n = this.board.n, steps = this.fits.length, { selected, flags } = this.board, scale = k => Math.log10(this.fits[k].scale);
    const axis = { column: { name: 'scale of the loss', log: true, centre: 0, scale: 1, cuts: [this.fits[this.k].scale] }, range: [scale(0), scale(steps - 1)] };
    this.frame(axis, { column: { name: 'vote', centre: 0, scale: 1 }, range: [0, 1] });
    const image = this.ink.getImageData(0, 0, this.canvas.width, this.canvas.height), pixels = new Uint32Array(image.data.buffer), { ratio } = this;
    const colours = [packed('--p-grey'), packed('--p-row'), packed('--p-wrong')], thick = n > 5000 ? 1 : Math.ceil(ratio);
    const kind = new Uint8Array(n), ways = new Uint8Array(3 * levels * levels);
    for (let i = 0; i < n; i++) kind[i] = selected && !selected[i] ? 0 : flags[i] === wrong ? 2 : 1;
    for (let k = 0; k + 1 < steps; k++) {
      const a = this.votes.subarray(k * n, (k + 1) * n), b = this.votes.subarray((k + 1) * n, (k + 2) * n), left = this.at(k) * ratio, right = this.at(k + 1) * ratio;
      ways.fill(0);
      for (let i = 0; i < n; i++) ways[kind[i] << 14 | (a[i] & 127) << 7 | b[i] & 127] = 1;
      for (let p = 0; p < ways.length; p++) if (ways[p]) this.line(pixels, image, left, this.up(p >> 7 & 127) * ratio, right, this.up(p & 127) * ratio, colours[p >> 14], thick);
    }
    this.ink.putImageData(image, 0, 0);
  }
  line(pixels, image, x0, y0, x1, y1, colour, thick) {
    const steps = Math.max(1, Math.ceil(Math.max(x1 - x0, Math.abs(y1 - y0))));
    for (let s = 0; s <= steps; s++) {
      const x = Math.round(x0 + s / steps * (x1 - x0)), y = Math.round(y0 + s / steps * (y1 - y0));
      for (let t = 0; t < thick; t++) if (y + t < image.height && x < image.width) pixels[(y + t) * image.width + x] = colour;
    }
  }
  // brush selects the rows that pass through what it covers.
  brush(region, more) {
    const n = this.board.n, hit = [];
    let near = 0;
    for (let k = 0; k < this.fits.length; k++) {
      if (Math.abs(this.at(k) - (region.left + region.right) / 2) < Math.abs(this.at(near) - (region.left + region.right) / 2)) near = k;
      if (this.at(k) < region.left || this.at(k) > region.right) continue;
      hit.push([k, Uint8Array.from({ length: levels }, (_, v) => region.has(this.at(k), this.up(v)) ? 1 : 0)]);
    }
    if (hit.length === 0) hit.push([near, Uint8Array.from({ length: levels }, (_, v) => this.up(v) >= region.top && this.up(v) <= region.bottom ? 1 : 0)]);
    const now = new Uint8Array(n);
    for (const [k, on] of hit) {
      const votes = this.votes.subarray(k * n, (k + 1) * n);
      for (let i = 0; i < n; i++) now[i] |= on[votes[i] & 127];
    }
    this.board.choose(now, more);
  }
  hover(to) {
    if (!this.votes) return;
    const n = this.board.n, k = Math.max(0, Math.min(this.fits.length - 1, Math.round((to[0] - edge.left) / (this.width - edge.left - edge.right) * (this.fits.length - 1))));
    const column = this.votes.subarray(k * n, (k + 1) * n);
    let best = -1, near = 8;
    for (let i = 0; i < n; i++) { const d = Math.abs(this.up(column[i] & 127) - to[1]); if (d < near) { near = d; best = i; } }
    if (best < 0) { this.tip.textContent = ''; return; }
    let same = 0;
    for (let i = 0; i < n; i++) if ((column[i] & 127) === (column[best] & 127)) same++;
    this.tip.textContent = `vote ${((column[best] & 127) / 127).toFixed(2)} at scale ${Number(this.fits[k].scale).toPrecision(4)}: row ${this.board.name(best)}${same > 1 ? ` and ${(same - 1).toLocaleString('en')} more` : ''}`;
  }
  // flags at the scale k become those of the board.
  settle(k) {
    const n = this.board.n, column = this.votes.subarray(k * n, (k + 1) * n), { flags } = this.board;
    this.k = k;
    for (let i = 0; i < n; i++) flags[i] = column[i] >> 7;
    this.board.redraw();
  }
}
