import { ask } from './base.js';

const known = new Map(); // the choices about each check that was looked at

// Choices are what a person wants done with rows and cells of a check. The server keeps them, and the steps that led to them: what one
// request asks for is undone and made again together, also after the page was loaded again.
export class Choices {
  constructor(job) { Object.assign(this, { job, list: [], at: new Map(), back: 0, again: 0, sent: 0, changed: () => {}, last: Promise.resolve() }); }
  // turn does one thing after the other.
  turn(deed) {
    const mine = this.last.then(deed).finally(() => this.changed());
    this.last = mine.catch(() => {});
    return mine;
  }
  // of are those about a check.
  static async of(job) {
    if (!known.has(job)) known.set(job, new Choices(job));
    await known.get(job).look();
    return known.get(job);
  }
  // look asks for what stands now.
  async look() {
    for (let sent = -1; sent !== this.sent;) { // an answer from before the latest choice would bring back what stood then
      sent = this.sent;
      const answer = await ask(`/jobs/${this.job}/choices`, { raw: true });
      if (sent === this.sent) await this.note(answer);
    }
  }
  key(row, column = '') { return `${row} ${column}`; }
  async note(answer) {
    const list = await answer.json();
    [this.back, this.again] = ['Undo-Steps', 'Redo-Steps'].map(name => Number(answer.headers.get(name)));
    this.list = list;
    this.at = new Map(list.map(c => [this.key(c.row, c.column), c.choice]));
    this.changed();
  }
  // seen refuses what would be done to other choices than those that are shown.
  async seen() {
    const before = JSON.stringify(this.list);
    await this.look();
    if (JSON.stringify(this.list) !== before) throw new Error('Other choices were made elsewhere meanwhile. They are shown now: look at them before you go on.');
  }
  // make chooses the same for several rows, or for a cell of each.
  make(rows, column, choice) { return this.turn(() => rows.length > 0 && this.send('', 'POST', { rows, column: column || undefined, choice })); }
  // step is undo or redo, or takes all back.
  step(path, method = 'POST') { return this.turn(async () => { await this.seen(); await this.send(path, method); }); }
  async send(path, method, body) {
    const answer = await ask(`/jobs/${this.job}/choices${path}`, { method, raw: true, headers: { 'Content-Type': 'application/json' }, body: body && JSON.stringify(body) });
    this.sent++;
    await this.note(answer);
  }
}
