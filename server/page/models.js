import { act, api, ask, bytes, dropZone, facts, h, lines, plural, records, send, short, show, table, when } from './base.js';

// Models, and what they say of files.

export async function models() {
  const list = await ask('/models');
  show('Models',
    list.length === 0 ? h('p', {}, 'No model yet: open a file and fit one.') : table('Models', ['name', 'method', 'size', 'made', ''], list.map(m => [h('a', { href: `#/model/${m.id}` }, m.name), m.method, bytes(m.bytes), when(m.created),
      h('span', {}, act('Remove', async () => { if (confirm(`Remove ${m.name}?`)) { await ask(`/models/${m.id}`, { method: 'DELETE' }); await models(); } }, '', `Remove ${m.name}`))])),
    h('h2', {}, 'A model from elsewhere'),
    dropZone('Drop a model file (.npz) here', async file => { location.hash = `#/model/${(await send(file, '/models')).id}`; }, 'As this page or inlier fit writes it.'));
}

// lacking says how many rows have no answer since a cell is missing that the model needs.
function lacking(text, head, deed) {
  const at = head.indexOf(deed === 'judge' ? 'kind' : head[0]), none = deed === 'judge' ? 'missing' : '';
  const n = lines(text, Infinity).slice(1).filter(r => r[at] === none).length;
  return n === 0 ? '' : `${plural(n, 'row')} without an answer, since a cell is missing or cannot be read. `;
}

export async function model(id) {
  const m = await ask(`/models/${id}`);
  const answer = h('div', { 'aria-live': 'polite' });
  const deed = h('select', {}, [['judge', 'tell which rows are outliers'], ['predict', 'predict'], ['transform', 'reduce to scores']].map(([v, t]) => h('option', { value: v }, t)));
  const about = m.contents;
  show(m.name,
    facts([['method', m.method], ['made', when(m.created)], ['version', about.program_version], ['status', about.status], ['target', about.target], ['rows', about.rows], ['outliers', about.outliers], ['columns', (about.column_names || []).slice(0, 40).join(', ')], ['loss', about.loss],
      ['parameters', Object.entries(about.parameters || {}).map(([k, v]) => `${k}=${v}`).join(', ')], ['file', bytes(m.bytes)]]),
    h('p', {}, h('a', { href: `${api}/models/${id}/file`, download: true }, 'Download the model')),
    h('h2', {}, 'Use it on a file'),
    h('div', { class: 'row' }, h('label', { class: 'field' }, 'What to do', deed)),
    dropZone('Drop a file for this model here', async file => {
      const made = await ask(`/models/${id}/${deed.value}${file.size < 1 << 26 ? '?tolerant' : ''}`, { method: 'POST', raw: true, body: file, headers: { 'Content-Type': 'application/octet-stream', Accept: 'text/csv' } });
      const text = await made.text(), [head, ...rows] = lines(text, 21);
      const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
      answer.replaceChildren(h('h2', {}, file.name), h('p', {}, `${plural(records(text) - 1, 'row')}. `, lacking(text, head, deed.value), h('a', { href: url, download: `${deed.value}-${file.name}.csv` }, 'Download them all')),
        table('First rows of the answer', head, rows.map(r => r.map(short))));
    }), answer);
}
