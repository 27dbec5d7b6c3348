import { act, app, ask, bytes, dropZone, expect, h, main, open, plural, post, problem, remarks, say, send, show, table, when } from './base.js';
import { compare } from './compare.js';
import { form } from './form.js';

// Files that were sent, and what one of them holds.

export async function files() {
  const list = await ask('/uploads');
  show('Which rows are wrong?',
    dropZone('Drop a file here', async (file, more) => {
      if (more) { // which are files of their own
        const refused = [], came = [], here = location.hash;
        for (const f of [file, ...more]) await send(f).then(u => came.push(u)).catch(error => refused.push(`${f.name}: ${error.message}`));
        if (location.hash !== here) { say(`${plural(came.length, 'file')} came${refused.length > 0 ? `. ${refused.join(' ')}` : ''}`); return; } // who has gone on is not called back
        await app.view();
        const drop = main.querySelector('.drop');
        if (refused.length > 0) drop?.append(problem(new Error(refused.join(' '))));
        if (came.length > 0) drop?.after(h('div', { class: 'made', role: 'status' }, `${plural(came.length, 'file')} came, each a table of its own (a zip of several is read as one, their rows below each other). Open one below to look at it, or `,
          act('Check each of them', async () => { for (const { id } of came) expect(await post('/checks', { upload: id })); location.hash = '#/work'; })));
        return;
      }
      const here = location.hash, { id } = await send(file);
      if (location.hash === here) location.hash = `#/file/${id}`; else say(`${file.name} was sent.`); // who has gone on is not called back
    }, undefined, true),
    list.length > 0 && h('h2', {}, 'Files'),
    list.length > 0 && table('Files', ['name', 'size', 'sent', ''], list.map(u => [
      h('a', { href: `#/file/${u.id}` }, u.name), bytes(u.bytes), when(u.created),
      h('span', {}, act('Remove', async () => { if (confirm(`Remove ${u.name}? Results that were made of it stay, but cannot be made again or cleaned.`)) { await ask(`/uploads/${u.id}`, { method: 'DELETE' }); await app.view(); } }, '', `Remove ${u.name}`))])));
}

// What a column can be told to be: as requests name it, and as people do.
const kinds = new Map([...['number', 'date', 'boolean', 'category', 'id', 'text'].map(k => [k, k]), ['dmy', 'date, day first'], ['mdy', 'date, month first'], ['ymd', 'date, year first'], ['ignored', 'leave out']]);

// How a file is read where that should not be found out: what the interface calls it, what people do, and what there is to choose.
const ways = [['sheet', 'Sheet of a workbook, by name or number', null], ['header', 'The first line holds names', ['yes', 'no']], ['delimiter', 'Fields are separated by', ['comma', 'semicolon', 'tab', 'space', 'pipe']],
  ['decimal', 'Sign before decimals', ['comma', 'point']], ['encoding', 'Encoding', ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']]];

// reading lets a person say how a file is to be read; said tells what was.
export function reading(given, title = 'How the file is read', ...more) {
  const inputs = ways.map(([name, text, words]) => {
    const input = words ? h('select', {}, ['', ...words].map(w => h('option', { value: w, selected: w === (given[name] || '') }, w || 'found out'))) : h('input', { type: 'text', placeholder: 'found out', value: given[name] || null });
    return [name, input, h('label', { class: 'field' }, text, input)];
  });
  return { said: () => Object.fromEntries(inputs.map(([name, input]) => [name, input.value]).filter(([, v]) => v !== '')),
    element: h('details', { open: inputs.some(([name]) => given[name]) }, h('summary', {}, title), h('div', { class: 'row' }, inputs.map(([, , field]) => field), more)) };
}

function otherwise(id, given) {
  const way = reading(given, 'Read it otherwise', act('Read it again', () => { readAs(id, way.said()); return app.view(); }));
  return way.element;
}

// What was said of files since the page was loaded: how they are read, what columns are, the one to predict and the one that names rows.
const told = new Map(), nameless = as => Object.assign(Object.create(null), as); // columns may be called constructor
try { for (const [id, own] of JSON.parse(sessionStorage.getItem('told') || '[]')) told.set(id, { ...own, as: nameless(own.as) }); } catch { /* the browser keeps nothing for this page */ }
const readAs = (id, given) => told.set(id, { given, as: nameless(), target: '', task: '', named: '' });
addEventListener('pagehide', () => { try { sessionStorage.setItem('told', JSON.stringify([...told].slice(-50))); } catch { /* likewise */ } });

export async function file(id) {
  if (!told.has(id)) readAs(id, {});
  const own = told.get(id), { as, given } = own;
  const u = await ask(`/uploads/${id}`);
  say(`Reading ${u.name}`);
  let seen;
  try { seen = await ask(`/uploads/${id}/preview?${new URLSearchParams(given)}`); } catch (error) { // the reason may be how it is read
    if (error.status !== 422) throw error;
    const way = otherwise(id, given);
    way.open = true;
    show(u.name, problem(error), way);
    return;
  } finally { say(''); }
  const choose = c => h('select', { 'aria-label': `${c.name} is read as`, onchange: e => { if (e.target.value === c.read_as) delete as[c.name]; else as[c.name] = e.target.value; learned(); follow(e.target); if (asks && c.name === target.value) asks(seen, data); } },
    [...new Set([c.read_as, ...kinds.keys()])].map(k => h('option', { value: k, selected: k === (as[c.name] || c.read_as) }, kinds.get(k) || k)));
  const column = (label, none, what) => h('select', { 'aria-label': label, onchange: e => { own[what] = e.target.value; } }, h('option', { value: '' }, none), seen.columns.map(c => h('option', { value: c.name, selected: c.name === own[what] }, c.name)));
  const task = h('select', { 'aria-label': 'What is predicted', onchange: e => { own.task = e.target.value; if (asks) asks(seen, data); } }, [['regression', 'a number'], ['class', 'a class']].map(([value, text]) => h('option', { value }, text)));
  const tasked = h('label', { class: 'field' }, 'Its numbers stand for', task);
  const plain = h('input', { type: 'checkbox', id: 'plain' }), large = u.bytes >= 1 << 26;
  const data = () => ({ upload: id, ...(plain.checked ? { drop: Object.keys(as).filter(name => as[name] === 'ignored') } : { tolerant: true, as }), target: target.value, task: tasked.hidden ? '' : task.value, id: named.value, ...given });
  const target = column('Target', 'none', 'target'), named = column('Names of the rows', 'found out', 'named');
  const repair = h('input', { type: 'checkbox', id: 'repair' });
  let asks = null, asked = 0; // what the form is about, and how often it was asked what columns hold
  const cells = new Map(seen.columns.map(c => [c.name, [...[1, 2, 3].map(() => h('td', { class: 'cell' })), h('td', { class: 'why' })]]));
  const tell = list => { for (const c of list) [c.unit || '', String(c.missing), String(c.misfits), c.remarks.join(' ').replace(/ \(--(as .*? tells otherwise|[^()]*)\)/g, '')].forEach((text, k) => { if (cells.has(c.name)) cells.get(c.name)[k].textContent = text; }); };
  tell(seen.columns);
  const follow = async select => { // what does not fit depends on what a column is
    const mine = ++asked;
    select?.parentElement.querySelectorAll('.problem').forEach(e => e.remove());
    try {
      const now = await ask(`/uploads/${id}/preview?${new URLSearchParams({ ...given, as: JSON.stringify(as) })}`);
      if (mine === asked) tell(now.columns);
    } catch (error) { select?.after(problem(error)); }
  };
  if (Object.keys(as).length > 0) follow();
  const learned = () => { // numbers may be counts or names of classes: how they are taken is said, and can be changed
    const c = seen.columns.find(o => o.name === target.value);
    tasked.hidden = !c || (as[c.name] || c.read_as) !== 'number';
    task.value = own.task || (c && c.classes ? 'class' : 'regression');
  };
  learned();
  target.addEventListener('change', () => { own.task = ''; learned(); if (asks) asks(seen, data); });
  show(u.name,
    h('p', {}, `${seen.whole ? plural(seen.rows, 'row') : `More than ${plural(seen.rows, 'row')}`}, ${plural(seen.columns.length, 'column')}, ${bytes(u.bytes)}. ${seen.shape ? `Each row is an array of ${seen.shape.replaceAll('x', ' x ')}, such as an image. ` : ''}What each column was taken for can be changed here.`),
    h('div', { class: 'row' },
      h('label', { class: 'field' }, 'Column to predict, if any', target), tasked, h('label', { class: 'field' }, 'Column that names the rows', named),
      h('label', { for: 'repair' }, repair, ' also make a repaired file'),
      large && h('label', { for: 'plain' }, plain, ' fit as plain numbers: a table that does not fit into memory is then read in blocks')),
    h('div', { class: 'row' },
      act('Check this file', async () => { open(await post('/checks', { upload: id, ...given, as, target: target.value, id: named.value, repair: repair.checked })); }, 'deed'),
      act('Fit a model', async () => { asks = form; await form(seen, data); }), act('Compare methods', async () => { asks = compare; await compare(seen, data); })),
    h('div', { id: 'form' }),
    h('h2', {}, 'Columns'),
    table('Columns', ['column', 'read as', 'unit', 'missing', 'do not fit', 'remarks'], seen.columns.map(c => [c.name, choose(c), ...cells.get(c.name)])),
    remarks(seen.remarks), otherwise(id, given),
    h('h2', {}, 'First rows'), table('First rows', seen.columns.map(c => c.name), seen.head));
}
