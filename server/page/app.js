import { Board, Histogram, Scatter } from './pictures.js';

// The workbench. Every text of a file or a server comes into the page as a text node, never as markup.

const api = '/api/v1';
const main = document.getElementById('main');
const line = document.getElementById('line');
const jobs = new Map();
let methods = [];
let watchers = [];  // called with every job that changes, while a view is shown

// h makes an element: attributes, listeners (onclick ...) and children.
function h(tag, given = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
    else if (value === true) e.setAttribute(name, '');
    else if (value !== false && value != null) e.setAttribute(name, value);
  }
  e.append(...children.flat(Infinity).filter(c => c != null && c !== false));
  return e;
}

const say = text => { line.textContent = text; };
const plural = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;
const bytes = n => n < 1024 ? `${n} B` : n < 1 << 20 ? `${(n / 1024).toFixed(1)} KiB` : n < 1 << 30 ? `${(n / (1 << 20)).toFixed(1)} MiB` : `${(n / (1 << 30)).toFixed(1)} GiB`;
// short is a number as people read it; other texts stay.
const short = text => /^-?\d+\.\d{5,}(e[-+]?\d+)?$/.test(text) ? String(Number(Number(text).toPrecision(5))) : text;
const when = time => new Date(time).toLocaleString();

// ask calls the interface; a refusal becomes an error whose message is for people.
async function ask(path, options = {}) {
  let answer;
  try {
    answer = await fetch(api + path, { credentials: 'same-origin', ...options });
  } catch {
    throw new Error('The server does not answer. Is it still running?');
  }
  if (!answer.ok) {
    const problem = await answer.json().catch(() => ({}));
    const about = (problem.errors || []).filter(e => e.message && !String(problem.detail).includes(e.message)).map(e => `${e.location}: ${e.message}`);
    const error = new Error(sentence([problem.detail || answer.statusText, ...about].join('; ')));
    error.status = answer.status;
    throw error;
  }
  if (answer.status === 204) return null;
  return options.raw ? answer : answer.json();
}

const post = (path, body) => ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body, (_, v) => v === '' ? undefined : v) });
const sentence = text => text.charAt(0).toUpperCase() + text.slice(1) + (/[.?!]$/.test(text) ? '' : '.');
const problem = error => h('p', { class: 'problem', role: 'alert' }, error.message);

// send uploads a file and tells how far it has come.
function send(file, path = '/uploads') {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${api}${path}?name=${encodeURIComponent(file.name)}`);
    request.upload.onprogress = e => { if (e.lengthComputable) say(`Sending ${file.name}: ${Math.round(100 * e.loaded / e.total)} %`); };
    request.onload = () => {
      say('');
      let body = {};
      try { body = JSON.parse(request.responseText); } catch { /* the status tells */ }
      if (request.status === 201) resolve(body);
      else reject(new Error(sentence(body.detail || `The file was refused (${request.status})`)));
    };
    request.onerror = () => { say(''); reject(new Error('The connection broke off while the file was sent.')); };
    request.send(file);
  });
}

// table lays rows of texts or nodes out, and can be scrolled by the keyboard.
function table(label, head, rows) {
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label },
    h('table', {}, h('thead', {}, h('tr', {}, head.map(t => h('th', { scope: 'col' }, t)))),
      h('tbody', {}, rows.map(cells => h('tr', {}, cells.map(c => c instanceof HTMLTableCellElement ? c : h('td', { class: 'cell' }, c)))))));
}

// act is a button whose failure is shown beside it.
function act(text, deed, style = '') {
  const button = h('button', { type: 'button', class: style, onclick: async () => {
    button.disabled = true;
    try { await deed(); } catch (error) { button.parentElement.after(problem(error)); }
    button.disabled = false;
  } }, text);
  return button;
}

function show(title, ...content) {
  document.title = `${title} - Inlier`;
  main.replaceChildren(h('h1', {}, title), ...content.flat(Infinity).filter(Boolean));
}

// dropZone takes files by dropping, by the keyboard, or by the file dialog.
function dropZone(text, take) {
  const input = h('input', { type: 'file', 'aria-label': text, onchange: () => start(input.files[0]) });
  const zone = h('label', { class: 'drop' }, h('strong', {}, text), h('span', { class: 'soft' }, 'CSV, Excel, JSON, Parquet, NumPy; also zipped. It stays on this machine.'), h('br'), input);
  const start = async file => {
    if (!file) return;
    zone.querySelectorAll('.problem').forEach(e => e.remove());
    try { await take(file); } catch (error) { zone.append(problem(error)); }
    input.value = '';
  };
  zone.addEventListener('dragover', e => { e.preventDefault(); zone.classList.add('over'); });
  zone.addEventListener('dragleave', () => zone.classList.remove('over'));
  zone.addEventListener('drop', e => { e.preventDefault(); zone.classList.remove('over'); start(e.dataTransfer.files[0]); });
  return zone;
}

async function files() {
  const list = await ask('/uploads');
  show('Which rows are wrong?',
    dropZone('Drop a file here', async file => { location.hash = `#/file/${(await send(file)).id}`; }),
    list.length > 0 && h('h2', {}, 'Files'),
    list.length > 0 && table('Files', ['name', 'size', 'sent', ''], list.map(u => [
      h('a', { href: `#/file/${u.id}` }, u.name), bytes(u.bytes), when(u.created),
      h('span', {}, act('Remove', async () => { if (confirm(`Remove ${u.name}? Results that were made of it stay.`)) { await ask(`/uploads/${u.id}`, { method: 'DELETE' }); await files(); } }))])));
}

const kinds = ['number', 'date', 'boolean', 'category', 'id', 'text'];

async function file(id) {
  const u = await ask(`/uploads/${id}`);
  say(`Reading ${u.name}`);
  let seen;
  try { seen = await ask(`/uploads/${id}/preview`); } finally { say(''); }
  const as = {};
  const choose = c => h('select', { 'aria-label': `${c.name} is read as`, onchange: e => { if (e.target.value === c.read_as) delete as[c.name]; else as[c.name] = e.target.value; } },
    [...new Set([c.read_as, ...kinds])].map(k => h('option', { value: k, selected: k === c.read_as }, k)));
  const column = (label, none) => h('select', { 'aria-label': label }, h('option', { value: '' }, none), seen.columns.map(c => h('option', { value: c.name }, c.name)));
  const target = column('Target', 'none'), named = column('Names of the rows', 'found out');
  const repair = h('input', { type: 'checkbox', id: 'repair' });
  show(u.name,
    h('p', {}, `${seen.whole ? plural(seen.rows, 'row') : `more than ${plural(seen.rows, 'row')}`}, ${plural(seen.columns.length, 'column')}, ${bytes(u.bytes)}. What each column was taken for can be changed here.`),
    h('div', { class: 'row' },
      h('label', { class: 'field' }, 'Column to predict, if any', target), h('label', { class: 'field' }, 'Column that names the rows', named),
      h('label', { for: 'repair' }, repair, ' also make a repaired file')),
    h('div', { class: 'row' },
      act('Check this file', async () => { open(await post('/checks', { upload: id, as, target: target.value, id: named.value, repair: repair.checked })); }, 'deed'),
      act('Fit a model', async () => { await form(id, seen, as, target.value); }), act('Compare methods', async () => {
        open(await post('/comparisons', { data: { upload: id, tolerant: true, as, target: target.value } }));
      })),
    h('div', { id: 'form' }),
    h('h2', {}, 'Columns'),
    table('Columns', ['column', 'read as', 'unit', 'missing', 'do not fit', 'remarks'], seen.columns.map(c => [c.name, choose(c), c.unit || '', String(c.missing), String(c.misfits), c.remarks.join(' ')])),
    (seen.remarks || []).map(r => h('p', { class: 'soft' }, `${r.text || ''} ${r.way || ''}`)),
    h('h2', {}, 'First rows'), table('First rows', seen.columns.map(c => c.name), seen.head));
}

const open = job => { jobs.set(job.id, job); location.hash = `#/job/${job.id}`; };

// form asks for a method and its parameters, with defaults and help beside each.
async function form(id, seen, as, target) {
  if (methods.length === 0) methods = await ask('/methods');
  const place = document.getElementById('form');
  const learned = seen.columns.find(c => c.name === target), kind = learned && (as[target] || learned.read_as);
  const task = !target ? null : ['category', 'boolean', 'text'].includes(kind) ? 'classify' : 'regress';
  const suitable = methods.filter(m => task ? m.tasks.includes(task) : m.tasks.some(t => t === 'reduce' || t === 'cluster'));
  const families = [...new Set(suitable.map(m => m.family))];
  const usual = suitable.findLast(m => m.takes_loss && (task || m.family === families[0]));
  const pick = h('select', { onchange: () => fill() }, families.map(f => h('optgroup', { label: f }, suitable.filter(m => m.family === f).map(m => h('option', { value: m.name, selected: m === usual }, m.name)))));
  const text = h('select', {}, ['', 'onehot', 'ordinal'].map(v => h('option', { value: v }, v || 'leave out')));
  const about = h('p', { class: 'soft' }), fields = h('div', { class: 'fields' });
  const inputs = new Map();
  let loss = null;
  const fill = () => {
    const m = methods.find(x => x.name === pick.value);
    about.textContent = `${m.title}. ${m.about || ''} ${m.paper || ''}`;
    inputs.clear();
    loss = m.takes_loss ? h('input', { type: 'text', placeholder: m.default_loss }) : null;
    fields.replaceChildren(...[loss && h('label', { class: 'field' }, 'loss', loss, h('small', {}, 'such as huber or welsch:sigma=2')), ...m.parameters.map(p => {
      const input = p.choices && p.kind === 'choice'
        ? h('select', {}, p.choices.map(c => h('option', { value: c, selected: c === p.default }, c)))
        : h('input', { type: 'text', placeholder: p.default });
      inputs.set(p.name, [input, p.default]);
      return h('label', { class: 'field' }, p.name, input, h('small', {}, `${p.meaning} (${p.range})`));
    })].filter(Boolean));
  };
  fill();
  place.replaceChildren(h('h2', {}, 'Fit a model'),
    h('div', { class: 'row' }, h('label', { class: 'field' }, 'Method', pick), h('label', { class: 'field' }, 'Text columns', text)), about,
    h('details', {}, h('summary', {}, 'Parameters'), fields),
    h('div', { class: 'row' }, act('Fit', async () => {
      const parameters = {};
      for (const [name, [input, usually]] of inputs) if (input.value !== '' && input.value !== usually) parameters[name] = input.value;
      open(await post('/fits', { method: pick.value, parameters, loss: loss ? loss.value : '', data: { upload: id, tolerant: true, as, target, categorical: text.value } }));
    }, 'deed')));
  place.scrollIntoView({ block: 'nearest' });
}

async function work() {
  const draw = () => {
    const list = [...jobs.values()].sort((a, b) => b.created.localeCompare(a.created));
    show('Work', list.length === 0 ? h('p', {}, 'Nothing has been asked for yet.') : table('Work', ['what', 'file', 'state', 'result', 'when', ''], list.map(j => [
      h('a', { href: `#/job/${j.id}` }, j.kind), j.name, state(j), j.summary || (j.problem ? j.problem.detail : ''), when(j.created),
      h('span', {}, ended(j) ? act('Remove', async () => { await ask(`/jobs/${j.id}`, { method: 'DELETE' }); jobs.delete(j.id); draw(); }) : act('Cancel', () => post(`/jobs/${j.id}/cancel`, {})))])));
  };
  draw();
  watchers.push((j, before) => { if (!before || before.state !== j.state) draw(); });
}

const ended = j => !['waiting', 'running'].includes(j.state);
const state = j => h('span', { class: `state-${j.state}` }, j.state);

async function job(id) {
  const j = jobs.get(id) || await ask(`/jobs/${id}`);
  jobs.set(id, j);
  if (ended(j)) return result(j);
  const bar = h('progress', { max: 1, 'aria-label': 'Progress' }), text = h('p', { class: 'soft', 'aria-live': 'polite' });
  const tell = now => {
    if (now.progress) bar.value = now.progress.part; else bar.removeAttribute('value');
    const p = now.progress, step = p && p.step;
    text.textContent = now.state === 'waiting' ? 'Waiting for the work before it.' : !p ? 'Starting.'
      : [p.phase, p.label, p.total > 1 ? `${p.done} of ${p.total}` : '', step ? `step ${step.number}, objective ${Number(step.objective).toPrecision(6)}` : ''].filter(Boolean).join(', ');
  };
  show(`${j.kind}: ${j.name}`, bar, text, h('div', { class: 'row' }, act('Cancel', () => post(`/jobs/${id}/cancel`, {}))));
  tell(j);
  watchers.push(now => { if (now.id === id) { if (ended(now)) view(); else tell(now); } });
}

async function result(j) {
  const again = act('Run it again', async () => open(await post(`/jobs/${j.id}/again`, {})));
  if (j.state !== 'done') {
    const why = { cancelled: 'It was cancelled.', interrupted: 'The server stopped before it was finished.' }[j.state];
    show(`${j.kind}: ${j.name}`, h('p', { class: 'problem' }, why || sentence(j.problem ? j.problem.detail : 'It failed'), ' ', j.problem && j.problem.hint ? sentence(j.problem.hint) : ''), h('div', { class: 'row' }, again));
    return;
  }
  const found = await ask(`/jobs/${j.id}/files/result.json`);
  const downloads = h('p', {}, 'Download: ', j.files.filter(f => f !== 'result.json' && f !== 'points.bin').concat('result.json').map((f, k) => [k > 0 ? ', ' : '', h('a', { href: `${api}/jobs/${j.id}/files/${f}?download`, download: true }, f)]));
  const rest = [h('h2', {}, 'Take it with you'), downloads, h('p', {}, 'The same on a command line: ', h('code', {}, j.command)), h('div', { class: 'row' }, again)];
  const page = j.files.includes('report.html') && h('iframe', { src: `${api}/jobs/${j.id}/files/report.html`, title: 'The whole report', sandbox: '' });
  if (j.kind === 'check') show(found.verdict, await checked(j, found), await pictures(j, found), h('h2', {}, 'The whole report'), page, rest);
  else if (j.kind === 'fit') show(`${found.method} of ${j.name}`, fitted(j, found), rest);
  else show(`Methods side by side on ${j.name}`, page, rest);
}

// checked shows the worst rows, each with its guilty cells, what was expected there, and what is to become of them.
async function checked(j, found) {
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
    found.relations.length > 0 && [h('h2', {}, 'Relations'), table('Relations', ['law', 'rows', 'broken by'], found.relations.map(r => [r.text, String(r.rows), r.broken.slice(0, 20).join(', ') + (r.broken.length > 20 ? ', ...' : '') || 'none']))],
  ];
}

// pictures shows the rows of a check in three pictures that are brushed together.
async function pictures(j, found) {
  const points = found.points;
  if (!points || points.rows === 0 || points.columns.length < 3) return null;
  const board = new Board(async k => (await ask(`/jobs/${j.id}/points/${k}`, { raw: true })).arrayBuffer(), points, h);
  const values = points.columns.map((c, k) => [c, k]).slice(2);
  const worst = new Map();
  for (const c of found.wrong_cells) worst.set(c.column, (worst.get(c.column) || 0) + 1);
  const ranked = [...values].sort((a, b) => (worst.get(b[0].name) || 0) - (worst.get(a[0].name) || 0) || (b[0].kind === 'number') - (a[0].kind === 'number'));
  const pick = (label, usual, change) => h('label', { class: 'field' }, label, h('select', { onchange: e => change(Number(e.target.value)) }, values.map(([c, k]) => h('option', { value: k, selected: k === usual }, c.name))));
  let x = ranked[0][1], y = (ranked[1] || ranked[0])[1];
  const cloud = new Scatter(board, 'Two columns'), order = new Scatter(board, 'Suspicion along the file'), bars = new Histogram(board, 'One column');
  const redraw = () => Promise.all([cloud.show(x, y), bars.show(x)]);
  const count = h('p', { role: 'status' }), list = h('div');
  let wait = 0;
  const tell = () => {
    count.textContent = board.selected ? `${board.count.toLocaleString('en')} of ${plural(board.n, 'row')} selected.` : `All ${plural(board.n, 'row')}. Drag over a picture to select some; shift adds, a click lets go.`;
    drop.disabled = !board.selected || board.count === 0 || board.count > 10000;
    clearTimeout(wait);
    wait = setTimeout(async () => {
      const rows = board.rows(100);
      if (rows.length === 0) { list.replaceChildren(); return; }
      const lines = await ask(`/jobs/${j.id}/rows?rows=${rows.join(',')}`);
      list.replaceChildren(table('Selected rows', ['row', 'verdict', 'suspicion', 'why'], lines.map(r => [r.id ? `${r.row} (${r.id})` : r.row, r.wrong === 'true' ? `wrong: ${r.kind}` : r.kind || 'fine', short(r.score), r.why])),
        board.count > rows.length ? h('p', { class: 'soft' }, `The first ${rows.length} of ${board.count.toLocaleString('en')}.`) : '');
    }, 150);
  };
  board.listeners.push(tell);
  const low = h('input', { type: 'number', step: 'any' }), high = h('input', { type: 'number', step: 'any' });
  const drop = act('Drop the selected rows', async () => {
    await ask(`/jobs/${j.id}/choices`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ rows: board.rows(10000), choice: 'drop' }) });
    await view();
  });
  const content = [h('h2', {}, 'Every row'),
    h('div', { class: 'row' }, pick('across', x, k => { x = k; redraw(); }), pick('up', y, k => { y = k; redraw(); }),
      act('Select wrong rows', async () => { const v = await board.column(1); board.select(i => v[i] === 1); }), act('Select all', async () => board.select(null)), drop),
    count, h('div', { class: 'pictures' }, cloud.element, order.element, bars.element),
    h('details', {}, h('summary', {}, 'Select by numbers'), h('div', { class: 'row' }, h('label', { class: 'field' }, 'from', low), h('label', { class: 'field' }, 'to', high),
      act('Select where the column across lies between', async () => {
        const v = await board.column(x), c = points.columns[x], a = low.value === '' ? -Infinity : (Number(low.value) - c.centre) / c.scale, b = high.value === '' ? Infinity : (Number(high.value) - c.centre) / c.scale;
        const slack = 1e-6 * Math.max(1, Math.abs(a) === Infinity ? 0 : Math.abs(a), Math.abs(b) === Infinity ? 0 : Math.abs(b));
        board.select(i => v[i] >= a - slack && v[i] <= b + slack);
      }))), list];
  tell();
  redraw();
  order.show(null, 0);
  return content;
}

function fitted(j, found) {
  const facts = [['status', `${found.status} after ${plural(found.steps, 'step')}`], ['rows', `${found.rows} x ${found.columns}`], ['outliers', `${found.outliers} of ${found.rows}`],
    ['loss', found.loss], ['objective', found.objective], ['time', `${found.fit_seconds.toFixed(3)} s`], ...Object.entries(found.numbers || {}).filter(([, v]) => typeof v !== 'object')];
  return [
    h('dl', {}, facts.filter(([, v]) => v != null && v !== '').map(([k, v]) => [h('dt', {}, k.replaceAll('_', ' ')), h('dd', {}, String(v))])),
    (found.warnings || []).map(w => h('p', { class: 'problem' }, sentence(w))),
    found.outlier_rows && found.outlier_rows.length > 0 && h('p', {}, `Rows that are outliers: ${found.outlier_rows.slice(0, 60).join(', ')}${found.outlier_rows.length > 60 ? ', ...' : ''}`),
    h('p', {}, h('a', { href: `#/model/${j.model}` }, 'Use the model')),
  ];
}

async function models() {
  const list = await ask('/models');
  show('Models',
    list.length === 0 ? h('p', {}, 'No model yet: open a file and fit one.') : table('Models', ['name', 'method', 'size', 'made', ''], list.map(m => [h('a', { href: `#/model/${m.id}` }, m.name), m.method, bytes(m.bytes), when(m.created),
      h('span', {}, act('Remove', async () => { if (confirm(`Remove ${m.name}?`)) { await ask(`/models/${m.id}`, { method: 'DELETE' }); await models(); } }))])),
    h('h2', {}, 'A model from elsewhere'),
    dropZone('Drop a model file (.npz) here', async file => { location.hash = `#/model/${(await send(file, '/models')).id}`; }));
}

async function model(id) {
  const m = await ask(`/models/${id}`);
  const answer = h('div', { 'aria-live': 'polite' });
  const deed = h('select', {}, [['judge', 'tell which rows are outliers'], ['predict', 'predict'], ['transform', 'reduce to scores']].map(([v, t]) => h('option', { value: v }, t)));
  const about = m.contents;
  show(m.name,
    h('dl', {}, [['method', m.method], ['made', when(m.created)], ['version', about.program_version], ['target', about.target], ['rows', about.rows], ['columns', (about.column_names || []).slice(0, 40).join(', ')], ['loss', about.loss], ['file', bytes(m.bytes)]]
      .filter(([, v]) => v != null && v !== '').map(([k, v]) => [h('dt', {}, k), h('dd', {}, String(v))])),
    h('p', {}, h('a', { href: `${api}/models/${id}/file`, download: true }, 'Download the model')),
    h('h2', {}, 'Use it on a file'),
    h('div', { class: 'row' }, h('label', { class: 'field' }, 'What to do', deed)),
    dropZone('Drop a file for this model here', async file => {
      const made = await ask(`/models/${id}/${deed.value}`, { method: 'POST', raw: true, body: file, headers: { 'Content-Type': 'application/octet-stream', Accept: 'text/csv' } });
      const text = await made.text(), rows = text.trimEnd().split('\n');
      const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
      answer.replaceChildren(h('h2', {}, file.name), h('p', {}, `${plural(rows.length - 1, 'row')}. `, h('a', { href: url, download: `${deed.value}-${file.name}.csv` }, 'Download them all')),
        table('First rows of the answer', rows[0].split(','), rows.slice(1, 21).map(r => r.split(',').map(short))));
    }), answer);
}

const views = [[/^#?\/?$/, files], [/^#\/work$/, work], [/^#\/models$/, models], [/^#\/file\/([0-9a-f]{16})$/, file], [/^#\/job\/([0-9a-f]{16})$/, job], [/^#\/model\/([0-9a-f]{16})$/, model]];

// view shows what the address says.
async function view() {
  watchers = [];
  for (const a of document.querySelectorAll('nav a')) {
    if (a.hash === (location.hash || '#/')) a.setAttribute('aria-current', 'page'); else a.removeAttribute('aria-current');
  }
  const [, draw, found] = views.map(([pattern, draw]) => [pattern, draw, location.hash.match(pattern)]).find(([, , m]) => m) || [];
  if (!draw) { location.hash = '#/'; return; }
  try { await draw(...found.slice(1)); } catch (error) { show(error.status === 404 ? 'This is no longer there' : error.status === 401 ? 'A token is needed' : 'This did not work', problem(error)); }
}

function listen() {
  const events = new EventSource(`${api}/events`);
  events.addEventListener('job', e => {
    const j = JSON.parse(e.data), before = jobs.get(j.id);
    jobs.set(j.id, j);
    for (const w of [...watchers]) w(j, before);
  });
  events.onerror = () => say('The server does not answer.');
  events.onopen = async () => {
    say('');
    for (const j of await ask('/jobs')) { // what was missed
      const before = jobs.get(j.id);
      jobs.set(j.id, j);
      if (before && before.state !== j.state) for (const w of [...watchers]) w(j, before);
    }
  };
}

async function begin() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token) {
    history.replaceState(null, '', '/');
    try { await post('/session', { token }); } catch (error) { show('A token is needed', problem(error)); return; }
  }
  try { for (const j of await ask('/jobs')) jobs.set(j.id, j); } catch (error) { show(error.status === 401 ? 'A token is needed' : 'This did not work', problem(error)); return; }
  addEventListener('hashchange', () => { view(); main.focus(); });
  listen();
  view();
}

begin();
