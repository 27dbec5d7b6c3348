import { h, plural, table } from './linked/board.js';

// What the screens share.
export { h, plural, table };
export const api = '/api/v1';
export const main = document.getElementById('main');
export const jobs = new Map();
export const ended = j => !['waiting', 'running'].includes(j.state);
// app is what the address shows: view draws it anew, watchers are called with every job that changes while it is shown.
export const app = { view: null, watchers: [] };

const line = document.getElementById('line');
export const say = text => { line.textContent = text; };
export const bytes = n => n < 1024 ? `${n} B` : n < 1 << 20 ? `${(n / 1024).toFixed(1)} KiB` : n < 1 << 30 ? `${(n / (1 << 20)).toFixed(1)} MiB` : `${(n / (1 << 30)).toFixed(1)} GiB`;
// short is a number as people read it; other texts stay.
const five = v => Number.isInteger(v) ? v : Math.abs(v) < 1e5 || Math.abs(v) >= 1e15 ? Number(v.toPrecision(5)) : Math.round(v); // whole digits stay
export const short = text => /^-?\d+\.\d{5,}(e[-+]?\d+)?$/.test(text) ? String(five(Number(text))) : text;
// brisk is a text with such numbers in it, not as parts of times or versions.
export const brisk = text => String(text).replace(/(?<![\d.:])-?\d+\.\d{5,}(e[-+]?\d+)?(?![\d.:]*\d)/g, short);
export const when = time => new Date(time).toLocaleString();
export const sentence = text => (/^\p{Ll}+( |$)/u.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text) + (/[.?!]$/.test(text) ? '' : '.'); // names of files stay as they are
export const problem = error => h('p', { class: 'problem', role: 'alert' }, error.message);

// ask calls the interface; a refusal becomes an error whose message is for people.
export async function ask(path, options = {}) {
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

export const post = (path, body) => ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body, (_, v) => v === '' ? undefined : v) });

// send uploads a file and tells how far it has come; it can be called off.
export function send(file, path = '/uploads') {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${api}${path}?name=${encodeURIComponent(file.name)}`);
    const far = h('span', {}, `Sending ${file.name}`);
    line.replaceChildren(far, ' ', h('button', { type: 'button', onclick: () => request.abort() }, 'Stop sending'));
    request.upload.onprogress = e => { if (e.lengthComputable) far.textContent = `Sending ${file.name}: ${Math.round(100 * e.loaded / e.total)} %`; };
    request.onabort = () => { say(''); reject(new Error(`${file.name} was not sent.`)); };
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

// each calls a function with the records of a CSV, as lists of fields, until it returns false; a field in quotation marks may hold commas and
// ends of lines. Lines without such marks, nearly all, are not looked through letter by letter.
export function each(text, take) {
  for (let at = 0, quote = text.indexOf('"'); at < text.length;) {
    let end = text.indexOf('\n', at);
    if (quote >= 0 && quote < at) quote = text.indexOf('"', at);
    let record = [], field = '', open = false;
    if (quote < 0 || quote > end && end >= 0) record = end < 0 ? null : text.slice(at, text[end - 1] === '\r' ? end - 1 : end).split(',');
    else {
      for (end = at; end < text.length && (open || text[end] !== '\n'); end++) {
        const c = text[end];
        if (open) { if (c !== '"') field += c; else if (text[end + 1] === '"') { field += c; end++; } else open = false; }
        else if (c === '"') open = true;
        else if (c === ',') { record.push(field); field = ''; }
        else if (c !== '\r') field += c;
      }
      record = end < text.length ? [...record, field] : null;
    }
    if (!record || take(record) === false) return; // a line that does not end is none
    at = end + 1;
  }
}

// lines are the first records of a CSV.
export function lines(text, most) {
  const out = [];
  each(text, r => out.push(r) < most);
  return out;
}

// records counts those of a CSV.
export function records(text) {
  let n = 0;
  each(text, () => { n++; });
  return n;
}

// act is a button whose failure is shown beside it.
export function act(text, deed, style = '', label = null) {
  let busy = false, told = null;
  const button = h('button', { type: 'button', class: style, 'aria-label': label, onclick: async () => {
    if (busy) return;
    busy = true;
    button.classList.add('busy');
    told?.remove();
    try { await deed(); } catch (error) { button.parentElement.after(told = problem(error)); }
    busy = false;
    button.classList.remove('busy');
  } }, text);
  return button;
}

export function show(title, ...content) {
  const held = main.contains(document.activeElement); // by what goes away
  document.title = `${title} - Inlier`;
  main.replaceChildren(h('h1', {}, title), ...content.flat(Infinity).filter(Boolean));
  if (held) main.focus({ preventScroll: true });
}

// expect notes a job that was asked for, unless the stream of events has told of it already.
export const expect = job => { if (!jobs.has(job.id)) jobs.set(job.id, job); };
export const open = job => { expect(job); location.hash = `#/job/${job.id}`; };

// facts are names with values, those that there are.
export const facts = list => h('dl', {}, list.filter(([, v]) => v != null && v !== '').map(([k, v]) => [h('dt', {}, k), h('dd', {}, v instanceof Node ? v : brisk(v))]));
// figures are the numbers that a method tells beside the usual ones: as lines, lists and lines of names, and tables such as that of coefficients.
export function figures(numbers) {
  const of = v => (typeof v === 'number' ? String(five(v) + 0) : v == null ? '' : String(v));
  const named = k => k.replaceAll('_', ' '), list = Object.entries(numbers || {}), plain = [], tables = [];
  for (const [k, v] of list) {
    if (k.endsWith('_rows')) continue; // a model knows their places among the rows learned from alone
    if (!Array.isArray(v)) plain.push([named(k), v !== null && typeof v === 'object' ? Object.entries(v).map(([n, x]) => `${n} ${typeof x === 'object' ? JSON.stringify(x) : of(x)}`).join(', ') : v]);
    else if (v.length > 0 && v[0] !== null && typeof v[0] === 'object') {
      const first = ['name', 'value', 'standard_error', 't', 'p'], head = [...first.filter(n => n in v[0]), ...Object.keys(v[0]).filter(n => !first.includes(n))];
      tables.push([h('h2', {}, sentence(named(k)).slice(0, -1)), table(named(k), head.map(named), v.slice(0, 200).map(r => head.map(n => (typeof r[n] === 'object' && r[n] !== null ? JSON.stringify(r[n]) : of(r[n])))))]);
    } else if (v.length > 0) plain.push([named(k), v.slice(0, 20).map(of).join(', ') + (v.length > 20 ? `, ... (${v.length})` : '')]);
  }
  return { plain, tables };
}
// remarks are what was said of how a file was read and judged; ways out that only the command line has are left out.
export const remarks = list => (list || []).map(r => h('p', { class: 'soft' }, r.text, r.way && !r.way.includes('--') ? ` ${r.way}` : ''));
// source leads back to the file that a job is about.
export const source = j => j.upload ? h('a', { href: `#/file/${j.upload}`, title: 'What its columns were taken for, and what else can be done with it' }, j.name) : j.name;

// dropZone takes files by dropping, by the keyboard, or by the file dialog.
export function dropZone(text, take, about = 'CSV, Excel, JSON, Parquet, NumPy; also zipped. It stays on this machine.', many = false) {
  const input = h('input', { type: 'file', multiple: many, 'aria-label': text, onchange: () => start(...input.files) });
  const zone = h('label', { class: 'drop' }, h('strong', {}, text), h('span', { class: 'soft' }, about), h('br'), input);
  const start = async (file, ...more) => {
    if (!file) return;
    zone.querySelectorAll('.problem').forEach(e => e.remove());
    try {
      if (more.length > 0 && !many) throw new Error(`${more.length + 1} files were dropped, and one is taken here.`);
      await take(file, more.length > 0 ? more : null);
    } catch (error) { zone.append(problem(error)); }
    input.value = '';
  };
  zone.addEventListener('dragover', e => { e.preventDefault(); zone.classList.add('over'); });
  zone.addEventListener('dragleave', () => zone.classList.remove('over'));
  zone.addEventListener('drop', e => { e.preventDefault(); zone.classList.remove('over'); start(...e.dataTransfer.files); });
  return zone;
}
