import { ask } from './base.js';

const most = 10000; // rows of one request
const known = new Map(); // the choices about each check that was looked at

// Choices are what a person wants done with rows and cells of a check. They are kept by the server one by one; here is also what stood
// before each of them, so that they can be taken back in turn, many at once where they were made at once, also after the page was loaded again.
export class Choices {
  constructor(job) {
    let steps = [];
    try { steps = JSON.parse(sessionStorage.getItem(`steps ${job}`)) || []; } catch { /* none are kept */ }
    Object.assign(this, { job, list: [], at: new Map(), steps, sent: 0, changed: () => {}, last: Promise.resolve() });
  }
  // turn does one thing after the other, and keeps the steps for when the page is loaded again.
  turn(deed) {
    const mine = this.last.then(deed).finally(() => {
      const name = `steps ${this.job}`;
      try {
        sessionStorage.removeItem(name); // so many that there is no room are lost with the page, and those before them: each goes on from the one before
        sessionStorage.setItem(name, JSON.stringify(this.steps));
      } catch { /* none are kept */ }
      this.changed();
    });
    this.last = mine.catch(() => {});
    return mine;
  }
  // of are those about a check.
  static async of(job) {
    if (!known.has(job)) known.set(job, new Choices(job));
    const own = known.get(job);
    for (let sent = -1; sent !== own.sent;) { // an answer from before the latest choice would bring back what stood then
      sent = own.sent;
      const list = await ask(`/jobs/${job}/choices`);
      if (sent === own.sent) own.note(list);
    }
    return own;
  }
  key(row, column = '') { return `${row} ${column}`; }
  note(list) {
    this.list = list;
    this.at = new Map(list.map(c => [this.key(c.row, c.column), c.choice]));
    this.changed();
  }
  // make chooses the same for several rows, or for a cell of each.
  make(rows, column, choice) {
    return this.turn(async () => {
      if (rows.length === 0) return;
      const before = rows.map(row => ({ row, column, choice: this.at.get(this.key(row, column)) || '' }));
      await this.send(rows, column, choice);
      this.steps.push(before);
    });
  }
  // undo brings back what stood before the latest step.
  undo() {
    return this.turn(async () => {
      await this.restore(this.steps[this.steps.length - 1] || []);
      this.steps.pop();
    });
  }
  // clear takes all back, which can itself be undone.
  clear() {
    return this.turn(async () => {
      const before = this.list.map(c => ({ ...c, column: c.column || '' }));
      await this.restore(before.map(c => ({ ...c, choice: '' })));
      this.steps.push(before);
    });
  }
  // restore makes choices be what they were, as few requests as there are columns and kinds.
  async restore(list) {
    const groups = new Map();
    for (const c of list) {
      const key = JSON.stringify([c.column, c.choice]);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(c.row);
    }
    for (const [key, rows] of groups) await this.send(rows, ...JSON.parse(key));
  }
  async send(rows, column, choice) {
    for (let k = 0; k < rows.length; k += most) {
      const body = { rows: rows.slice(k, k + most), choice };
      if (column) body.column = column;
      const now = await ask(`/jobs/${this.job}/choices`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
      this.sent++;
      this.note(now);
    }
  }
}
