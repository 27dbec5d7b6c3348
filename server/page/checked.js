import { act, app, ask, dropZone, h, open, plural, post, problem, send, short, table } from './base.js';
import { linked } from './linked/linked.js';

// checked shows the worst rows, each with its guilty cells, what was expected there, and what is to become of them.
export async function checked(j, found) {
  const guilty = new Map();
  for (const c of found.wrong_cells) guilty.set(`${c.row} ${c.column}`, c);
  const names = found.columns.map(c => c.name).slice(0, 40);
  const rank = new Map(names.map(n => [n, 0]));
  for (const c of found.wrong_cells) if (rank.has(c.column)) rank.set(c.column, rank.get(c.column) + 1);
  const order = names.map((n, k) => k).sort((a, b) => rank.get(names[b]) - rank.get(names[a]) || a - b).slice(0, 10);
  let choices = new Map();
  const note = list => { choices = new Map(list.map(c => [`${c.row} ${c.column || ''}`, c.choice])); };
  note(await ask(`/jobs/${j.id}/choices`));
  const history = []; // what stood before each choice made here
  const count = h('span', { role: 'status' }), selects = new Map();
  const tell = () => {
    const rows = [...choices.values()].filter(c => c === 'drop').length;
    count.textContent = choices.size === 0 ? 'Nothing is chosen yet.' : `${plural(choices.size, 'choice')}, ${plural(rows, 'row')} to drop.`;
    for (const [key, select] of selects) select.value = choices.get(key) || '';
    undo.disabled = history.length === 0;
    carry.disabled = choices.size === 0;
  };
  const choose = async (row, column, choice, again) => {
    const key = `${row} ${column}`;
    if (!again) history.push([row, column, choices.get(key) || '']);
    const body = { row, choice };
    if (column) body.column = column;
    note(await ask(`/jobs/${j.id}/choices`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }));
    tell();
  };
  const chooser = (label, row, column, words) => {
    const select = h('select', { 'aria-label': label, onchange: e => choose(row, column, e.target.value).catch(error => select.after(problem(error))) }, ['', ...words].map(w => h('option', { value: w }, w || 'undecided')));
    selects.set(`${row} ${column}`, select);
    return select;
  };
  const undo = act('Undo', async () => { const [row, column, before] = history.pop(); await choose(row, column, before, true); });
  const all = act('Repair all shown', async () => { for (const w of found.worst) if (!choices.has(`${w.row} `)) await choose(w.row, '', 'repair'); });
  const carry = act('Make the cleaned file', async () => open(await post(`/jobs/${j.id}/carry-out`, {})), 'deed');
  const rows = found.worst.map(w => [
    w.id ? `${w.row} (${w.id})` : String(w.row), chooser(`Row ${w.row}`, w.row, '', ['keep', 'drop', 'repair']), h('td', { class: 'why' }, w.why),
    ...order.map(k => {
      const c = guilty.get(`${w.row} ${names[k]}`);
      if (!c) return h('td', { class: 'cell' }, w.cells[k]);
      return h('td', { class: 'cell guilty' }, w.cells[k] || '(empty)', c.expected != null && h('small', {}, `expected ${c.expected}`), chooser(`Row ${w.row}, ${names[k]}`, w.row, names[k], ['keep', 'repair', 'empty']));
    })]);
  tell();
  return [
    h('p', { class: 'soft' }, `${plural(found.rows, 'row')}, ${plural(found.columns.length, 'column')}; ${plural(found.extreme_rows.length, 'row')} far out but in line with the others.`),
    rows.length > 0 && h('h2', {}, rows.length < found.wrong_rows.length ? `The worst ${rows.length} of ${found.wrong_rows.length} rows` : 'The worst rows'),
    rows.length > 0 && h('p', {}, 'Say what is to become of a row or a cell; the file that you sent stays as it is, and every choice can be taken back. ', count),
    rows.length > 0 && h('div', { class: 'row' }, undo, all, carry),
    rows.length > 0 && table('The worst rows', ['row', 'choice', 'why', ...order.map(k => names[k])], rows),
    (found.drift || []).length > 0 && [h('h2', {}, 'What has changed since the model was learned'), table('What has changed', ['column', 'distance', 'what'], found.drift.map(d => [d.column, Number(d.distance).toFixed(2), d.why]))],
    found.relations.length > 0 && [h('h2', {}, 'Relations'), table('Relations', ['law', 'rows', 'broken by'], found.relations.map(r => [r.text, String(r.rows), r.broken.slice(0, 20).join(', ') + (r.broken.length > 20 ? ', ...' : '') || 'none']))],
  ];
}

// pictures shows the rows of a check in pictures that are brushed together.
export function pictures(j, found) {
  const points = found.points;
  if (!points || points.rows === 0 || points.columns.length < 3) return null;
  const tools = board => {
    const drop = act('Drop the selected rows', async () => {
      await ask(`/jobs/${j.id}/choices`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ rows: board.places(10000).map(i => board.number(i)), choice: 'drop' }) });
      await app.view();
    });
    const follow = () => { drop.disabled = !board.selected || board.count === 0 || board.count > 10000; };
    board.listeners.push(follow);
    follow();
    return drop;
  };
  const lines = async (places, board) => {
    const rows = await ask(`/jobs/${j.id}/rows?rows=${places.map(i => board.number(i)).join(',')}`);
    return { head: ['row', 'verdict', 'suspicion', 'why'], rows: rows.map(r => [r.id ? `${r.row} (${r.id})` : r.row, r.wrong === 'true' ? `wrong: ${r.kind}` : r.kind || 'fine', short(r.score), r.why]) };
  };
  const load = async k => (await ask(`/jobs/${j.id}/points/${k}`, { raw: true })).arrayBuffer();
  return [h('h2', {}, 'Every row'), linked({ points, load, lines, tools, cells: found.cell_map, blame: found.wrong_cells.map(c => c.column) }).element];
}

// batch judges another file by what was learned of this one.
export const batch = j => [h('h2', {}, 'Check a new batch by this one'), h('p', {}, 'What is right in the rows above says what is right in the new ones.'),
  dropZone('Drop a file with the same columns here', async file => open(await post('/checks', { upload: (await send(file)).id, against: j.id })))];
