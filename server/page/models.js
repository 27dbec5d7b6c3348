import { act, api, app, ask, bytes, dropZone, each, facts, figures, h, plural, send, short, show, table, when } from './base.js';
import { reading } from './files.js';

// Models, and what they say of files.

export async function models() {
  const list = await ask('/models');
  show('Models',
    list.length === 0 ? h('p', {}, 'No model yet: open a file and fit one.') : table('Models', ['name', 'method', 'size', 'made', ''], list.map(m => [h('a', { href: `#/model/${m.id}` }, m.name), m.method, bytes(m.bytes), when(m.created),
      h('span', {}, act('Remove', async () => { if (confirm(`Remove ${m.name}?`)) { await ask(`/models/${m.id}`, { method: 'DELETE' }); await app.view(); } }, '', `Remove ${m.name}`))])),
    h('h2', {}, 'A model from elsewhere'),
    dropZone('Drop a model file (.npz) here', async file => {
      const here = location.hash, { id } = await send(file, '/models');
      if (location.hash === here) location.hash = `#/model/${id}`;
    }, 'As this page or inlier fit writes it.'));
}

// Most rows of an answer that the page shows; a file with all of them can be had.
const most = 20;

// answered shows what a model says of a file: of verdicts the outliers first, of all else the first rows. There may be a million.
async function answered(deed, name, blob) {
  const judged = deed === 'judge', out = [], rest = [];
  let head = null, n = 0, wrong = 0, lacking = 0, numbered, at, mark;
  each(await blob.text(), r => {
    if (!head) { head = r; numbered = r[0] === 'row'; at = judged ? r.indexOf('kind') : 0; mark = judged ? r.indexOf('outlier') : -1; return; }
    n++;
    if (r[at] === (judged ? 'missing' : '')) lacking++;
    const bad = r[mark] === 'true';
    if (bad) wrong++;
    const list = bad ? out : rest;
    if (list.length < (bad ? 10 * most : most)) list.push(numbered ? r : [String(n), ...r]);
  });
  const shown = [...out, ...rest].slice(0, Math.max(most, out.length));
  return [h('h2', {}, name), h('p', {}, judged && mark >= 0 ? `${wrong.toLocaleString('en')} of ${plural(n, 'row')} ${wrong === 1 ? 'is an outlier' : 'are outliers'}. ` : `${plural(n, 'row')}. `,
    lacking > 0 && `${plural(lacking, 'row')} without an answer, since a cell is missing or cannot be read. `, h('a', { href: URL.createObjectURL(blob), download: `${deed}-${name}.csv` }, 'Download them all')),
  table(judged ? 'Rows of the answer, outliers first' : 'First rows of the answer', numbered ? head : ['row', ...head], shown.map(r => r.map(short)))];
}

// What models can be asked, by what their method is for.
const deeds = [['judge', 'tell which rows are outliers'], ['predict', 'predict', 'regress', 'classify', 'cluster'], ['transform', 'reduce to scores', 'reduce']];

export async function model(id) {
  const m = await ask(`/models/${id}`), { tasks, family } = (await ask('/methods')).find(a => a.name === m.method) || {};
  const answer = h('div', { 'aria-live': 'polite' });
  const deed = h('select', {}, deeds.filter(([, , ...of]) => !tasks || of.length === 0 || of.some(t => tasks.includes(t))).map(([v, t]) => h('option', { value: v }, t)));
  const about = m.contents, numbers = figures(about.numbers), without = h('input', { type: 'checkbox' });
  const lacks = about.task === 'classify' && family !== 'elm' && h('label', { hidden: deed.value !== 'judge' }, without, ` the file has no ${about.target}`);
  if (lacks) deed.addEventListener('change', () => { lacks.hidden = deed.value !== 'judge'; });
  const sent = await ask('/uploads'), pick = h('select', {}, sent.map(u => h('option', { value: u.id }, u.name)));
  const { request } = m.job ? await ask(`/jobs/${m.job}`).catch(() => ({})) : {}, way = reading((request || {}).data || {}); // as the file was read that it learned from
  let asked = 0;
  const use = async (upload, { name, size, bytes: n }, given = {}) => {
    const mine = ++asked, what = deed.value;
    answer.replaceChildren(); // what was said of another file
    const made = await ask(`/models/${id}/${what}?${new URLSearchParams({ ...((size ?? n) < 1 << 26 ? { tolerant: '' } : {}), ...upload, ...way.said(), ...(lacks && !lacks.hidden && without.checked ? { target: 'none' } : {}) })}`, { method: 'POST', raw: true, ...given, headers: { 'Content-Type': 'application/octet-stream', Accept: 'text/csv' } }).catch(error => {
      throw what === 'judge' && about.target && error.message.includes(`no column "${about.target}"`) ? new Error(`${name} has no ${about.target}, by which its rows are judged. ${lacks ? `Say that the file has no ${about.target}, or choose` : 'Choose'} "predict" to have it told.`) : error;
    });
    const told = await answered(what, name, await made.blob());
    if (mine === asked) answer.replaceChildren(...told);
  };
  show(m.name,
    facts([['method', m.method], ['made', when(m.created)], ['version', about.program_version], ['status', about.status], ['target', about.target], ['rows', about.rows], ['outliers', about.outliers], ['columns', (about.column_names || []).slice(0, 40).join(', ')], ['loss', about.loss],
      ['parameters', Object.entries(about.parameters || {}).map(([k, v]) => `${k}=${v}`).join(', ')], ...numbers.plain, ['file', bytes(m.bytes)]]), numbers.tables,
    h('p', {}, h('a', { href: `${api}/models/${id}/file`, download: true }, 'Download the model')),
    h('h2', {}, 'Use it on a file'),
    h('div', { class: 'row' }, h('label', { class: 'field' }, 'What to do', deed), lacks),
    sent.length > 0 && h('div', { class: 'row' }, h('label', { class: 'field' }, 'A file that was sent before', pick), act('Use it', () => use({ upload: pick.value }, sent.find(u => u.id === pick.value)))),
    dropZone('Drop a file for this model here', file => use({}, file, { body: file })), way.element, answer);
}
