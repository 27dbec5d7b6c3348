import { paint } from './board.js';
import { Picture } from './picture.js';

const limit = 8, innocent = 4; // deviations beyond have the same colour, and those of cells that are not called wrong

// Cells draws rows cell by cell: how far each is from what the rest of its row lets expect.
export class Cells extends Picture {
  constructor(board, title, about, map) {
    super(board, title, about);
    this.map = map;
    const at = new Map(board.numbers ? [...board.numbers].map((n, i) => [n, i]) : []);
    this.lines = map.rows.map(n => board.numbers ? at.get(n) ?? -1 : n - 1);
    this.tall = Math.min(620, 74 + 14 * map.rows.length);
    this.canvas.setAttribute('aria-label', `${title}, ${map.rows.length} rows and ${map.columns.length} columns. Arrows move a cross, space sets the ends of a range of rows.`);
  }
  // short is what there is room for of a name: its end where many begin alike.
  short(name) {
    this.alike ??= new Set(this.map.columns.map(c => c.slice(0, 11))).size < 0.7 * this.map.columns.length;
    return name.length <= 12 ? name : this.alike ? `…${name.slice(-10)}` : `${name.slice(0, 10)}…`;
  }
  // said tells of a cell; words are not above or below others, and what is not called wrong is not told beyond the innocent.
  said(name, v) {
    const size = Math.abs(v), c = this.board.points.columns.find(o => o.name === name);
    if (v == null) return 'missing';
    if (c && c.kind !== 'number' && c.kind !== 'date') return size >= limit ? 'not what was expected' : 'as expected';
    return `${Math.min(size, limit)}${size >= limit || size === innocent ? ' or more' : ''} standard deviations ${v < 0 ? 'below' : 'above'} what was expected${v >= limit ? ', or not to be read' : ''}`;
  }
  grid() {
    const left = 58, top = 64, each = (this.width - left - 6) / this.map.columns.length, right = Math.max(6, 52 - each / 2); // room for the last name
    return { left, top, wide: (this.width - left - right) / this.map.columns.length, tall: (this.height - top - 6) / this.map.rows.length };
  }
  draw() {
    this.begin();
    const { map, lines } = this, { left, top, wide, tall } = this.grid(), g = this.ink, selected = this.board.selected;
    const [high, low, faint, text] = ['--p-wrong', '--p-row', '--p-grey', '--p-text'].map(paint);
    g.fillStyle = text;
    g.textAlign = 'left';
    let free = -1;
    map.columns.forEach((name, k) => {
      const at = left + (k + 0.5) * wide;
      if (at < free) return;
      free = at + 18; // which lines of this slope need
      g.save();
      g.translate(at + 3, top - 5);
      g.rotate(-0.7);
      g.fillText(this.short(name), 0, 0, 78); // as long as there is room above
      g.restore();
    });
    g.textAlign = 'right';
    let clear = 0;
    map.rows.forEach((n, r) => {
      const y = top + r * tall, here = !selected || selected[lines[r]];
      if (y + tall / 2 > clear) { g.globalAlpha = here ? 1 : 0.45; g.fillText(String(n), left - 5, y + tall / 2 + 4); clear = y + tall / 2 + 11; }
      map.values[r].forEach((v, k) => {
        g.globalAlpha = 1;
        g.fillStyle = v == null ? faint : v > 0 ? high : low;
        g.globalAlpha = v == null ? 0.25 : Math.min(1, Math.abs(v) / limit) ** 1.3;
        if (!here) { g.globalAlpha *= 0.6; g.fillStyle = faint; }
        g.fillRect(left + k * wide, y, Math.max(1, wide - 1), Math.max(1, tall - (tall > 4 ? 1 : 0)));
      });
      g.fillStyle = text;
    });
    g.globalAlpha = 1;
    g.strokeStyle = paint('--p-line');
    g.strokeRect(left - 0.5, top - 0.5, wide * map.columns.length, tall * map.rows.length);
  }
  brush(region, more) {
    const { top, tall } = this.grid(), now = new Uint8Array(this.board.n);
    this.lines.forEach((i, r) => { const middle = top + (r + 0.5) * tall; if (i >= 0 && middle >= region.top - tall / 2 && middle <= region.bottom + tall / 2) now[i] = 1; });
    this.board.choose(now, more);
  }
  hover(to) {
    const { left, top, wide, tall } = this.grid(), k = Math.floor((to[0] - left) / wide), r = Math.floor((to[1] - top) / tall), line = this.map.values[r];
    if (!line || k < 0 || k >= line.length) { this.tip.textContent = ''; return; }
    const v = line[k], name = this.lines[r] >= 0 ? this.board.name(this.lines[r]) : this.map.rows[r];
    this.tip.textContent = `row ${name}, ${this.map.columns[k]}: ${this.said(this.map.columns[k], v)}`;
  }
}
