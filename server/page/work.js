import { act, api, app, ask, ended, expect, h, jobs, lines, open, plural, post, records, sentence, show, source, table, when } from './base.js';
import { batch, checked, pictures } from './checked.js';
import { fitted } from './fitted.js';

// What was asked for, how far it is, and what came out.

export async function work() {
  const draw = () => {
    const list = [...jobs.values()].sort((a, b) => b.created.localeCompare(a.created));
    show('Work', list.length === 0 ? h('p', {}, 'Nothing has been asked for yet.') : table('Work', ['what', 'file', 'state', 'result', 'when', ''], list.map(j => [
      h('a', { href: `#/job/${j.id}` }, j.kind), j.name, state(j), h('td', { class: 'why' }, j.summary || (j.problem ? j.problem.detail : '')), when(j.created),
      h('span', {}, ended(j) ? act('Remove', async () => { await ask(`/jobs/${j.id}`, { method: 'DELETE' }); jobs.delete(j.id); await app.view(); }, '', `Remove ${j.kind} of ${j.name}`) : act('Cancel', () => post(`/jobs/${j.id}/cancel`, {}), '', `Cancel ${j.kind} of ${j.name}`))])));
  };
  draw();
  app.watchers.push((j, before) => { if (!before || before.state !== j.state) draw(); });
}

// titles are what jobs are called on top of their pages, and deeds what they are at.
const titles = { check: 'Checking', fit: 'Fitting a model to', compare: 'Setting methods side by side on' };
const notDone = { check: 'No check of', fit: 'No model of', compare: 'No comparison on' };
const deeds = { read: 'reading the file', reading: 'reading the file', 'check learn': 'finding out what is usual in it', 'check judge': 'looking for what is not', 'write draw': 'drawing the pictures', 'fit fits': 'fitting the methods' };
const state = j => h('span', { class: `state-${j.state}` }, j.state);

export async function job(id) {
  if (!jobs.has(id)) expect(await ask(`/jobs/${id}`));
  const j = jobs.get(id);
  if (ended(j)) return result(j);
  const bar = h('progress', { max: 1, 'aria-label': 'Progress' }), text = h('p', { class: 'soft', 'aria-live': 'polite' });
  const tell = now => {
    if (now.progress) bar.value = now.progress.part; else bar.removeAttribute('value');
    const p = now.progress, step = p && p.step;
    text.textContent = now.state === 'waiting' ? 'Waiting for the work before it.' : !p ? 'Starting.'
      : sentence([...(deeds[`${p.phase} ${p.label || ''}`.trim()] ? [deeds[`${p.phase} ${p.label || ''}`.trim()]] : [p.phase, p.label]), p.total > 1 ? p.phase === 'reading' ? `${Math.floor(100 * p.done / p.total)} %` : `${p.done} of ${p.total}` : '', step ? `step ${step.step}, objective ${Number(step.objective).toPrecision(6)}` : ''].filter(Boolean).join(', '));
  };
  show(`${titles[j.kind]} ${j.name}`, bar, text, h('div', { class: 'row' }, act('Cancel', () => post(`/jobs/${id}/cancel`, {}))));
  tell(j);
  app.watchers.push(now => { if (now.id === id) { if (ended(now)) app.view(); else tell(now); } });
}

// cleaned tells what became of the file where one was made anew.
async function cleaned(j) {
  const made = j.files.find(f => f.startsWith('repaired')), most = 100;
  if (!made || !j.files.includes('changes.csv')) return null;
  const text = await (await ask(`/jobs/${j.id}/files/changes.csv`, { raw: true })).text(), [, ...rows] = lines(text, most + 1), n = records(text) - 1;
  return [h('p', { class: 'made' }, `The cleaned file is made, with ${plural(n, 'change')}: `, h('a', { href: `${api}/jobs/${j.id}/files/${made}?download`, download: true }, 'download it'), '. Below stands what was found in the file that you sent.'),
    n > 0 && h('details', {}, h('summary', {}, n > most ? `The first ${most} changes` : 'What was changed'), table('Changes', ['row', 'column', 'was', 'is', 'why'], rows.map(r => r[1] === '' ? [r[0], '', '', '', r[r.length - 1]] : r)))];
}

async function result(j) {
  const again = act('Run it again', async () => open(await post(`/jobs/${j.id}/again`, {})));
  if (j.state !== 'done') {
    const why = { cancelled: 'It was cancelled.', interrupted: 'The server stopped before it was finished.' }[j.state];
    show(`${notDone[j.kind]} ${j.name}`, h('p', { class: 'problem' }, why || sentence(j.problem ? j.problem.detail : 'It failed'), ' ', j.problem && j.problem.hint ? sentence(j.problem.hint) : ''), h('p', {}, 'The file: ', source(j)), h('div', { class: 'row' }, again));
    return;
  }
  const found = await ask(`/jobs/${j.id}/files/result.json`);
  const downloads = h('p', {}, 'Download: ', j.files.filter(f => f !== 'result.json' && !f.endsWith('.bin')).concat('result.json').map((f, k) => [k > 0 ? ', ' : '', h('a', { href: `${api}/jobs/${j.id}/files/${f}?download`, download: true }, f)]), j.model && [', ', h('a', { href: `${api}/models/${j.model}/file`, download: true }, 'model.npz')]);
  const rest = [h('h2', {}, 'Take it with you'), downloads, h('p', {}, 'The same on a command line: ', h('code', {}, j.command), /-(choices\.csv|model\.npz)/.test(j.command) && h('span', { class: 'soft' }, ' (with the files above, where you have put them)')), h('div', { class: 'row' }, again)];
  const page = j.files.includes('report.html') && h('iframe', { src: `${api}/jobs/${j.id}/files/report.html`, title: 'The whole report', sandbox: '', loading: 'lazy' });
  if (j.kind === 'check') show(found.verdict, await cleaned(j), await checked(j, found), pictures(j, found), await batch(j), h('details', {}, h('summary', {}, 'The report on paper'), page), rest);
  else if (j.kind === 'fit') show(`${found.method} of ${j.name}`, await fitted(j, found), rest);
  else show(`Methods side by side on ${j.name}`, h('p', { class: 'soft' }, 'The file: ', source(j)), page, rest);
}
