import { app, ask, h, jobs, plural, show, table } from './base.js';
import { Board, brief, wrong } from './linked/board.js';
import { Scatter } from './linked/scatter.js';
import { listed, ofPoints, verdict } from './linked/linked.js';
import { outliers, words } from './fitted.js';

// beside shows two fits of the same rows: what differs in words, and the same picture twice, brushed together.
export async function beside(a, b) {
  const asked = await Promise.all([a, b].map(id => ask(`/jobs/${id}`))), pair = asked.map(j => ({ ...j, ...jobs.get(j.id) })); // the stream may have told more since, of the first while the second was asked about
  const late = pair.find(j => ['waiting', 'running'].includes(j.state));
  if (late) {
    show('Two fits side by side', h('p', { role: 'status' }, `Waiting for ${late.kind} of ${late.name}.`), h('progress', { 'aria-label': 'Waiting' }));
    app.watchers.push(now => { if (now.id === late.id && now.state !== 'running' && now.state !== 'waiting') app.view(); });
    return;
  }
  const failed = pair.find(j => j.state !== 'done');
  if (failed) { location.hash = `#/job/${failed.id}`; return; }
  const [first, second] = await Promise.all(pair.map(j => ask(`/jobs/${j.id}/files/result.json`)));
  const differ = await ask(`/models/${pair[0].model}/beside/${pair[1].model}`);
  const names = [first, second].map(f => `${f.method}${f.loss ? `, ${f.loss.replace(/\d+\.\d+/g, t => Number(t).toPrecision(4))}` : ''}`);
  if (names[0] === names[1]) names.forEach((n, k) => { names[k] = `${n} (${k + 1})`; });
  show('Two fits side by side', said(names, [first, second], differ), pictures(pair, [first, second], names),
    (differ.coefficients || []).length > 0 && [h('h2', {}, 'Coefficients'), table('Coefficients', ['column', ...names], differ.coefficients.slice(0, 100).map(c => [c.name, brief(Number(c.first)), brief(Number(c.second))]))],
    h('p', {}, pair.map((j, k) => [k ? ', ' : 'Each by itself: ', h('a', { href: `#/job/${j.id}` }, names[k])])));
}

function said(names, fits, differ) {
  const sets = fits.map(outliers), both = [...sets[0].keys()].filter(r => sets[1].has(r)).map(r => sets[0].get(r)), only = [0, 1].map(k => [...sets[k].keys()].filter(r => !sets[1 - k].has(r)).map(r => sets[k].get(r)));
  const rows = list => list.length === 0 ? 'none' : `${list.slice(0, 40).join(', ')}${list.length > 40 ? ', ...' : ''}`;
  return [h('p', {}, `${sets[0].size} of ${plural(fits[0].rows, 'row')} are outliers to the first (${names[0]}), ${sets[1].size} to the second (${names[1]}); ${both.length} to both. `,
    differ.angle != null && `The largest angle between their subspaces is ${brief(Number(differ.angle))} degrees.`),
    table('Who calls which row an outlier', ['outlier to', 'rows', 'which'], [['both', String(both.length), rows(both)], ['the first only', String(only[0].length), rows(only[0])], ['the second only', String(only[1].length), rows(only[1])]])];
}

function pictures(pair, fits, names) {
  if (fits.some(f => !f.points || f.points.rows !== fits[0].points.rows)) return null;
  if (fits[0].points.columns.some(c => c.kind === 'row') && JSON.stringify(pair[0].request.data) !== JSON.stringify(pair[1].request.data)) return null; // other rows may have been left out
  const n = fits[0].points.columns.length, columns = [...fits[0].points.columns, ...fits[1].points.columns.filter(c => ['score', 'verdict', 'distance'].includes(c.kind))];
  const own = k => k < n ? [0, k] : [1, k - n], about = columns.map((c, k) => ['score', 'distance'].includes(c.kind) ? { ...c, name: `${c.name} (${own(k)[0] + 1})` } : c);
  const board = new Board(async k => { const [f, at] = own(k); return (await ask(`/jobs/${pair[f].id}/points/${at}`, { raw: true })).arrayBuffer(); }, { rows: fits[0].points.rows, columns: about });
  const kinds = (f, kind) => columns.map((c, k) => k).filter(k => own(k)[0] === f && columns[k].kind === kind);
  const maps = [0, 1].map(f => {
    const map = new Scatter(board, `${f ? 'Second' : 'First'}: ${names[f]}`), [x, y] = [null, null, ...kinds(f, 'distance')].slice(-2);
    board.ready = Promise.all([board.ready, board.column(kinds(f, 'verdict')[0]).then(v => { map.flags = Uint8Array.from(v); if (y != null) map.show(x, y); })]);
    return y != null && map;
  });
  const votes = new Scatter(board, 'Votes');
  votes.show(kinds(0, 'score')[0], kinds(1, 'score')[0]);
  const { count, list } = listed(board, places => ofPoints(places, board, maps.filter(Boolean).map((m, f) => verdict(`verdict (${f + 1})`, m, words))));
  const differing = () => { const [p, q] = maps.map(m => m.flags); board.select(i => (p[i] === wrong) !== (q[i] === wrong)); };
  return [h('h2', {}, 'The same rows twice'), h('div', { class: 'linked live' }, h('div', { class: 'row' }, maps.every(Boolean) && h('button', { type: 'button', onclick: differing }, 'Select rows that they judge differently'), h('button', { type: 'button', onclick: () => board.select(null) }, 'Select all')),
    count, h('div', { class: 'pictures' }, maps.filter(Boolean).map(m => m.element), votes.element), list)];
}
