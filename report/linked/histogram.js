import { extent, label, paint, plural } from './board.js';
import { Picture, edge } from './picture.js';

// Histogram counts the rows of a column; the selected ones stand in front.
export class Histogram extends Picture {
  async show(x) {
    const mine = this.asked = (this.asked || 0) + 1, values = await this.board.column(x), column = this.board.points.columns[x];
    if (mine !== this.asked) return; // another was chosen since
    const range = column.levels ? [-0.5, column.levels.length - 0.5] : extent(values);
    this.x = { k: x, values, column, range };
    this.bins = column.levels ? column.levels.length : Math.min(60, Math.max(8, Math.ceil(2 * Math.cbrt(values.length))));
    this.caption.textContent = `${this.title}: ${column.name}`;
    this.canvas.setAttribute('aria-label', `How ${column.name} is spread. Arrows move a cross, space sets the ends of a range.`);
    this.at = new Int16Array(this.board.n);
    this.all = new Float64Array(this.bins);
    const unit = this.bins / (range[1] - range[0]);
    for (let i = 0; i < this.at.length; i++) { const v = values[i]; this.at[i] = v === v ? Math.min(this.bins - 1, Math.max(0, Math.floor((v - range[0]) * unit))) : -1; }
    for (const k of this.at) if (k >= 0) this.all[k]++;
    this.draw();
  }
  draw() {
    if (!this.x) return;
    this.begin();
    const { all, at } = this, { list } = this.board, chosen = list ? new Float64Array(this.bins) : all;
    if (list) for (let i = 0; i < list.length; i++) { const k = at[list[i]]; if (k >= 0) chosen[k]++; }
    const top = Math.max(1, ...all), g = this.ink, w = (this.width - edge.left - edge.right) / this.bins, h = this.height - edge.top - edge.bottom;
    const bars = (counts, name) => { g.fillStyle = paint(name); counts.forEach((c, k) => { if (c > 0) { const tall = Math.max(1.5, h * c / top * 0.97); g.fillRect(edge.left + k * w + 0.5, edge.top + h - tall, Math.max(1, w - 1), tall); } }); };
    bars(all, '--p-grey');
    bars(chosen, '--p-row');
    this.chosen = chosen;
    this.frame(this.x, { column: { name: '', kind: 'number', centre: 0, scale: 1 }, range: [0, top / 0.97] });
  }
  bin(left) { return Math.floor((left - edge.left) / (this.width - edge.left - edge.right) * this.bins); }
  brush(region, more) {
    const first = Math.max(0, this.bin(region.left)), last = this.bin(region.right), at = this.at, now = new Uint8Array(at.length);
    for (let i = 0; i < at.length; i++) if (at[i] >= first && at[i] <= last) now[i] = 1;
    this.board.choose(now, more);
  }
  hover(to) {
    if (!this.x) return;
    const k = this.bin(to[0]);
    if (k < 0 || k >= this.bins) { this.tip.textContent = ''; return; }
    const { column, range } = this.x, each = (range[1] - range[0]) / this.bins, edges = [k, k + 1].map(b => label(column, column.centre + column.scale * (range[0] + b * each), column.scale * each / 10));
    const where = column.levels ? column.levels[k] : `${edges[0]} to ${edges[1]}`;
    this.tip.textContent = `${column.name} ${where}: ${this.board.selected ? `${this.chosen[k].toLocaleString('en')} of ` : ''}${plural(this.all[k], 'row')}`;
  }
}
