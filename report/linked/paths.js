import { marks, packed } from './board.js';
import { Picture, edge } from './picture.js';

const levels = 128; // of votes

// walk notes the ways between five scales: together they take little more than half the time.
function walk(places, n, a, b, c, d, e, ab, bc, cd, de) {
  for (let p = 0; p < n; p++) {
    const i = places ? places[p] : p, v = b[i] & 127, w = c[i] & 127, x = d[i] & 127;
    ab[(a[i] & 127) << 7 | v] = 1;
    bc[v << 7 | w] = 1;
    cd[w << 7 | x] = 1;
    de[x << 7 | e[i] & 127] = 1;
  }
}

// touch marks the rows whose vote at one of four scales is on.
function touch(now, a, b, c, d, p, q, r, s) {
  for (let i = 0; i < now.length; i++) now[i] |= p[a[i]] | q[b[i]] | r[c[i]] | s[d[i]];
}

// Paths draws each row's vote against the scale of the loss. Rows that take the same way from one scale to the next are one line, so
// that a million of them take no longer than their different ways.
export class Paths extends Picture {
  constructor(board, title, about, monitor, along) { // along shows the votes at one scale
    super(board, title, about);
    Object.assign(this, { monitor, along, k: monitor.settled, fits: monitor.fits });
    this.canvas.setAttribute('aria-label', `${title}, ${board.n} rows at ${monitor.fits.length} scales. Arrows move a cross, space sets the corners of a box.`);
  }
  async load() {
    [this.votes] = await Promise.all([this.monitor.votes(), this.board.ready, this.along && this.board.column(0)]); // the flags are looked through once
    this.every = this.ways();
    if (this.k === this.monitor.settled) this.draw(); else this.settle(this.k);
  }
  // column are the votes at scale k, or at the last.
  column(k) { const n = this.board.n, from = Math.min(k, this.fits.length - 1) * n; return this.votes.subarray(from, from + n); }
  // ways are those that rows take from each scale to the next, 1 at the vote of the one times 128 and that of the other; of places, or of all.
  ways(places) {
    const all = [];
    while (all.length + 1 < this.fits.length) {
      const votes = [0, 1, 2, 3, 4].map(j => this.column(all.length + j)), four = [0, 1, 2, 3].map(() => new Uint8Array(levels * levels));
      walk(places, places ? places.length : this.board.n, ...votes, ...four);
      all.push(...four);
    }
    return all.slice(0, this.fits.length - 1);
  }
  at(k) { return edge.left + k / (this.fits.length - 1) * (this.width - edge.left - edge.right); }
  up(level) { return edge.top + (1 - level / (levels - 1)) * (this.height - edge.top - edge.bottom); }
  draw() {
    if (!this.votes) return;
    this.begin();
    const steps = this.fits.length, { selected, list, flags } = this.board, scale = k => Math.log10(this.fits[k].scale);
    const axis = { column: { name: 'scale of the loss', log: true, centre: 0, scale: 1, cuts: [this.fits[this.k].scale] }, range: [scale(0), scale(steps - 1)] };
    this.frame(axis, { column: { name: 'vote', centre: 0, scale: 1 }, range: [0, 1] });
    const image = this.ink.getImageData(0, 0, this.canvas.width, this.canvas.height), pixels = new Uint32Array(image.data.buffer);
    const [grey, row, red] = ['--p-grey', '--p-row', '--p-wrong'].map(packed), base = this.base(), all = selected ? grey : row;
    for (let p = 0; p < base.length; p++) if (base[p]) pixels[p] = all;
    const bad = selected ? marks(flags)[0].filter(i => selected[i]) : marks(flags)[0];
    if (selected) this.ways(list).forEach((ways, k) => this.lines(pixels, k, ways, row));
    this.ways(bad).forEach((ways, k) => this.lines(pixels, k, ways, red));
    this.ink.putImageData(image, 0, 0);
  }
  // base is 1 for each pixel that the line of some row passes; kept until the size changes.
  base() {
    const { width, height } = this.canvas;
    if (!this.kept || this.kept.width !== width || this.kept.height !== height) {
      this.kept = { width, height, base: new Uint8Array(width * height) };
      this.every.forEach((ways, k) => this.lines(this.kept.base, k, ways, 1));
    }
    return this.kept.base;
  }
  // lines paints the ways from scale k to the next.
  lines(pixels, k, ways, colour) {
    const { width, height } = this.canvas, { ratio } = this, thick = this.board.n > 5000 ? 1 : Math.ceil(ratio), left = this.at(k) * ratio, right = this.at(k + 1) * ratio;
    for (let p = 0; p < ways.length; p++) {
      if (!ways[p]) continue;
      const from = this.up(p >> 7) * ratio, to = this.up(p & 127) * ratio, steps = Math.max(1, Math.ceil(Math.max(right - left, Math.abs(to - from)))), across = (right - left) / steps, down = (to - from) / steps;
      for (let s = 0; s <= steps; s++) {
        const x = (left + s * across + 0.5) | 0, y = (from + s * down + 0.5) | 0;
        for (let t = 0; t < thick; t++) if (y + t < height && x < width) pixels[(y + t) * width + x] = colour;
      }
    }
  }
  // brush selects the rows that pass through what it covers.
  brush(region, more) {
    const n = this.board.n, hit = [], pass = test => Uint8Array.from({ length: 2 * levels }, (_, v) => test(this.up(v & 127)) ? 1 : 0); // the highest bit of a vote is its flag
    let near = 0;
    for (let k = 0; k < this.fits.length; k++) {
      if (Math.abs(this.at(k) - (region.left + region.right) / 2) < Math.abs(this.at(near) - (region.left + region.right) / 2)) near = k;
      if (this.at(k) < region.left || this.at(k) > region.right) continue;
      hit.push([k, pass(y => region.has(this.at(k), y))]);
    }
    if (hit.length === 0) hit.push([near, pass(y => y >= region.top && y <= region.bottom)]);
    while (hit.length % 4) hit.push([near, pass(() => false)]);
    const now = new Uint8Array(n);
    for (let k = 0; k < hit.length; k += 4) { // four scales together, as above
      const some = hit.slice(k, k + 4);
      touch(now, ...some.map(([k]) => this.column(k)), ...some.map(([, on]) => on));
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
  // flags and votes at the scale k become those of the board.
  settle(k) {
    const n = this.board.n;
    this.k = k;
    if (!this.votes) return; // until they are there
    this.own ??= this.board.flags; // those of the settled fit, which also tell who is far and in line
    this.first ??= this.board.loaded.get(0);
    let flags = this.own, votes = this.first;
    if (k !== this.monitor.settled) {
      flags = this.votes.slice(k * n, (k + 1) * n);
      votes = new Float32Array(n);
      for (let i = 0; i < n; i++) { votes[i] = (flags[i] & 127) / 127; flags[i] >>= 7; }
    }
    this.board.flags = flags;
    if (this.along) { this.board.put(0, votes); this.along.show(null, 0); }
    this.board.redraw();
    for (const f of this.board.listeners) f(); // the list tells verdicts too
  }
}
