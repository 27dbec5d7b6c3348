import { act, ask, brisk, dropZone, expect, facts, h, jobs, open, plural, post, problem, remarks, send, source, table } from './base.js';
import { Choices } from './choices.js';
import { reading } from './files.js';
import { linked, ofPoints } from './linked/linked.js';

// What kinds of mistakes are called in a verdict.
const kinds = { cell: 'a value does not fit the rest of its row', row: 'a row as a whole is far from all others', unreadable: 'a text does not fit its column, such as a word among numbers', category: 'a rare word, or two that hardly go together',
  relation: 'a law that most rows obey is broken', time: 'a series stands still, jumps or is out of order', duplicate: 'the same row or key once more', label: 'the column to predict does not fit its row', shifted: 'cells stand in other columns than theirs' };
const meant = verdict => Object.entries(kinds).filter(([k]) => new RegExp(`[ (]${k} \\d`).test(verdict));

// expected is what should stand in a cell, and says where that is too vague to be written there.
const expected = c => c.expected == null ? c.value !== '' && h('small', {}, 'nothing can be expected: a repair empties the cell') : h('small', {}, c.emptied ? `expected about ${c.expected}, too vague for a repair: it empties the cell` : `expected ${c.written || c.expected}`);

// checked shows the worst rows, each with its guilty cells, what was expected there, and what is to become of them.
export async function checked(j, found) {
  const guilty = new Map();
  for (const c of found.wrong_cells) guilty.set(`${c.row} ${c.column}`, c);
  const names = found.columns.map(c => c.name).slice(0, 40);
  const rank = new Map(names.map(n => [n, 0]));
  for (const c of found.wrong_cells) if (rank.has(c.column)) rank.set(c.column, rank.get(c.column) + 1);
  const order = names.map((n, k) => k).sort((a, b) => rank.get(names[b]) - rank.get(names[a]) || a - b).slice(0, 10);
  const shown = new Set(order.map(k => names[k])), beside = new Map(); // guilty cells in columns that have no place in the table
  for (const c of found.wrong_cells) if (!shown.has(c.column)) beside.set(c.row, [...(beside.get(c.row) || []), c]);
  const choices = await Choices.of(j.id), selects = new Map(), { request } = await ask(`/jobs/${j.id}`), against = (request || {}).against;
  const whole = request && request.repair && !request.choices; // the file was repaired by itself, which stands where nothing else is chosen
  const made = new Map((whole ? found.wrong_rows.map(row => ({ row, choice: 'repair' })) : (request || {}).choices || []).map(c => [choices.key(c.row, c.column), c.choice])); // of the file that was made
  const count = h('span', { role: 'status' }), others = h('div');
  const tell = () => {
    const drops = choices.list.filter(c => c.choice === 'drop').length, unseen = choices.list.filter(c => !selects.has(choices.key(c.row, c.column)));
    count.textContent = choices.list.length === 0 ? j.files.includes('choices.csv') ? 'Nothing more is chosen.' : 'Nothing is chosen yet.' : `${plural(choices.list.length, 'choice')}, ${plural(drops, 'row')} to drop.`;
    for (const [key, select] of selects) select.value = choices.at.get(key) || '';
    undo.disabled = choices.back === 0;
    redo.disabled = choices.again === 0;
    if (found.worst.length + choices.list.length + choices.back + choices.again > 0) bar.hidden = false;
    for (const e of document.querySelectorAll('.done')) e.textContent = '';
    carry.disabled = back.disabled = choices.list.length === 0;
    const opened = others.querySelector('details[open]') != null;
    others.replaceChildren(unseen.length === 0 ? '' : h('details', { open: opened }, h('summary', {}, `${plural(unseen.length, 'choice')} about rows that are not in this list`),
      table('Further choices', ['row', 'column', 'choice', ''], unseen.slice(0, 200).map(c => [String(c.row), c.column || '', c.choice, h('span', {}, act('Take it back', () => choose([c.row], c.column || '', ''), '', `Take back ${c.choice} of row ${c.row}`))]))));
  };
  choices.changed = tell;
  const choose = (rows, column, choice) => choices.make(rows, column, choice);
  const chooser = (label, row, column, words) => {
    const select = h('select', { 'aria-label': label, onchange: e => choose([row], column, e.target.value).catch(error => { select.value = choices.at.get(choices.key(row, column)) || ''; select.after(problem(error)); }) }, ['', ...words].map(w => h('option', { value: w }, w || (made.has(choices.key(row, column)) ? `${made.get(choices.key(row, column))} (made)` : 'undecided'))));
    selects.set(choices.key(row, column), select);
    return select;
  };
  const undo = act('Undo', () => choices.step('/undo')), redo = act('Redo', () => choices.step('/redo'));
  const all = act('Repair all shown', async () => {
    await choices.turn(() => choices.look()); // what was chosen elsewhere stands
    await choose(found.worst.map(w => w.row).filter(row => !choices.at.has(choices.key(row)) && !made.has(choices.key(row))), '', 'repair');
  });
  const back = act('Take all choices back', () => choices.step('', 'DELETE'));
  const carry = act('Make the cleaned file', async () => {
    await choices.turn(() => choices.seen()); // behind what is being chosen
    if (whole) await choose(found.wrong_rows.filter(row => !choices.at.has(choices.key(row))).slice(0, 100000 - choices.list.length), '', 'repair');
    open(await post(`/jobs/${j.id}/carry-out`, {}));
  }, 'deed');
  // A row that is wrong as a whole has hundreds of cells: the first few stand open, so that the next row is not far below.
  const aside = row => {
    const all = (beside.get(row) || []).map(c => h('div', { class: 'guilty' }, `${c.column}: ${c.value ? c.value.slice(0, 200) : '(empty)'}`, expected(c), chooser(`Row ${row}, ${c.column}`, row, c.column, ['keep', 'repair', 'empty'])));
    return all.length <= 6 ? all : [...all.slice(0, 5), h('details', {}, h('summary', {}, `${all.length - 5} further cells`), all.slice(5))];
  };
  const rows = found.worst.map(w => [
    w.id && w.id !== String(w.row) ? `${w.row} (${w.id})` : String(w.row), chooser(`Row ${w.row}`, w.row, '', ['keep', 'drop', 'repair']), h('td', { class: 'why' }, w.why, ...aside(w.row)),
    ...order.map(k => {
      const c = guilty.get(`${w.row} ${names[k]}`);
      if (!c) return h('td', { class: 'cell' }, w.cells[k]);
      return h('td', { class: 'cell guilty' }, w.cells[k] || '(empty)', expected(c), chooser(`Row ${w.row}, ${names[k]}`, w.row, names[k], ['keep', 'repair', 'empty']));
    })]);
  const bar = h('div', { class: 'row', hidden: true }, undo, redo, rows.length > 0 && all, back, carry, rows.length === 0 && count);
  tell();
  const earlier = against && (jobs.get(against) || { name: 'a check that is gone' });
  const together = new Set((found.groups || []).flatMap(g => g.rows)), alone = found.extreme_rows.filter(row => !together.has(row)).length; // far out by themselves
  return [
    h('p', { class: 'soft' }, source(j), `: ${plural(found.rows, 'row')}, ${plural(found.columns.length, 'column')}`, alone > 0 && `; ${plural(alone, 'row')} far out but in line with the others`, '.', earlier && [' Judged by what was learned of ', jobs.has(against) ? h('a', { href: `#/job/${against}` }, earlier.name) : earlier.name, '.']),
    meant(found.verdict).length > 0 && h('details', {}, h('summary', {}, 'What these words mean'), facts(meant(found.verdict))), remarks(found.remarks),
    (found.groups || []).slice(0, 8).map(g => h('p', { class: 'group' }, brisk(g.text))),
    rows.length > 0 && h('h2', {}, rows.length < found.wrong_rows.length ? `The worst ${rows.length} of ${found.wrong_rows.length} rows` : 'The worst rows'),
    rows.length > 0 && h('p', {}, rows.length > 5 && `${plural(rows.length, 'row')} below, the most suspicious first. `, 'Say what is to become of a row or a cell; the file that you sent stays as it is, and every choice can be taken back. ', count),
    bar, others,
    rows.length > 0 && table('The worst rows', ['row', 'choice', 'why', ...order.map(k => names[k])], rows),
    (found.drift || []).length > 0 && [h('h2', {}, 'What has changed since the model was learned'), table('What has changed', ['column', 'distance', 'what'], found.drift.map(d => [d.column, Number(d.distance).toFixed(2), d.why]))],
    found.relations.length > 0 && [h('h2', {}, 'Relations'), table('Relations', ['law', 'rows', 'broken by'], found.relations.map(r => [r.text, String(r.rows), r.broken.slice(0, 20).join(', ') + (r.broken.length > 20 ? ', ...' : '') || 'none']))],
  ];
}

// pictures shows the rows of a check in pictures that are brushed together.
export function pictures(j, found) {
  const points = found.points, guilty = new Set(found.wrong_cells.map(c => `${c.row} ${c.column}`));
  if (!points || points.rows === 0 || points.columns.length < 3) return null;
  const tools = board => {
    const done = h('span', { class: 'done', role: 'status' });
    const drop = act('Drop the selected rows', async () => {
      await (await Choices.of(j.id)).make(board.places(board.n).map(i => board.number(i)), '', 'drop');
      done.textContent = `${plural(board.count, 'row')} to drop; above, that can be undone, or the file be made.`;
    });
    const take = act('Download the selected rows', async () => {
      const made = await ask(`/jobs/${j.id}/selected`, { method: 'POST', raw: true, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(board.places(board.n).map(i => board.number(i))) });
      h('a', { href: URL.createObjectURL(await made.blob()), download: `${j.name.replace(/\.[^.]*$/, '')}-selected.csv` }).click();
    });
    const follow = () => {
      take.disabled = !board.selected || board.count === 0;
      drop.disabled = take.disabled || board.count > 100000;
      done.textContent = drop.disabled && !take.disabled ? 'Up to 100,000 rows can be dropped.' : '';
    };
    board.listeners.push(follow);
    follow();
    const groups = (found.groups || []).slice(0, 8).map(g => {
      const rows = new Set(g.rows);
      return h('button', { type: 'button', title: brisk(g.text), onclick: () => board.select(i => rows.has(board.number(i))) }, `Select the group of ${plural(g.rows.length, 'row')}`);
    });
    return [groups, drop, take, done];
  };
  const lines = async (places, board) => {
    const numbers = places.map(i => board.number(i)), texts = found.rows <= 100000 ? ask(`/jobs/${j.id}/selected`, { method: 'POST', headers: { 'Content-Type': 'application/json', Accept: 'application/json' }, body: JSON.stringify(numbers) }).catch(() => null) : null; // without the file the points tell
    const rows = await ask(`/jobs/${j.id}/rows?rows=${numbers.join(',')}`), file = await texts;
    const at = new Map(places.map((i, k) => [i, rows[k]]));
    board.names = { ...board.names, ...Object.fromEntries(places.map((i, k) => [i, rows[k].id])) };
    const more = [['verdict', i => at.get(i).wrong === 'true' ? `wrong: ${at.get(i).kind}` : at.get(i).kind.replace('extreme', 'far, in line') || 'fine'], ['why', i => brisk(at.get(i).why)]];
    if (!file) return ofPoints(places, board, more);
    return { head: ['row', ...more.map(([name]) => name), ...file.columns], rows: places.map((i, k) => [board.name(i), ...more.map(([name, of]) => h('td', { class: name === 'why' ? 'why' : 'cell' }, of(i))),
      ...file.rows[k].map((text, c) => h('td', { class: guilty.has(`${numbers[k]} ${file.columns[c]}`) ? 'cell guilty' : 'cell' }, text))]) };
  };
  const load = async k => (await ask(`/jobs/${j.id}/points/${k}`, { raw: true })).arrayBuffer();
  return [h('h2', {}, 'Every row'), linked({ points, load, lines, tools, cells: found.cell_map }).element];
}

// batch judges another file by what was learned of this one.
export async function batch(j) {
  const { request } = await ask(`/jobs/${j.id}`), way = reading(request || {});
  return [h('h2', {}, 'Check a new batch by this one'), h('p', {}, 'What is right in the rows above says what is right in the new ones.'),
    dropZone('Drop a file with the same columns here', async file => {
      const here = location.hash, made = await post('/checks', { upload: (await send(file)).id, against: j.id, ...way.said() });
      if (location.hash === here) open(made); else expect(made); // who has gone on is not called back
    }), way.element];
}
