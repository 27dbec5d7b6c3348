import { act, ask, expect, facts, figures, h, jobs, plural, post, remarks, sentence, source, table } from './base.js';
import { linked, ofPoints, verdict } from './linked/linked.js';

// What the flags of rows mean in a fit.
export const words = ['regular', 'outlier', 'far, in line'];

// outliers are the numbers of rows in the file, each with what it is called: by its name too where it has one.
export const outliers = found => new Map((found.outlier_rows || []).map((n, k) => { const name = (found.outlier_ids || [])[k]; return [n, name && name !== String(n) ? `${n} (${name})` : String(n)]; }));

// fitted shows what a fit has found: figures, its rows in linked pictures, and what can be done next.
export async function fitted(j, found) {
  const left = (found.read_columns || []).filter(c => c.left_out), far = [...outliers(found).values()];
  const more = figures(found.numbers), list = [['file', source(j)], ['status', `${found.status} after ${plural(found.steps, 'step')}`], ['rows', `${plural(found.rows, 'row')} x ${plural(found.columns, 'column')}`], ['outliers', `${found.outliers.toLocaleString('en')} of ${plural(found.rows, 'row')}`],
    ['loss', found.loss], ['objective', found.objective], ['time', `${found.fit_seconds.toFixed(3)} s`], ...more.plain];
  return [
    facts(list), more.tables,
    remarks(found.remarks),
    left.length > 0 && h('details', {}, h('summary', {}, `${plural(left.length, 'column')} left out`), table('Columns left out', ['column', 'read as', 'why'], left.map(c => [c.name, c.read_as, c.left_out]))),
    (found.warnings || []).map(w => h('p', { class: 'problem' }, sentence(w))),
    far.length > 0 && h('p', {}, `Rows that are outliers: ${far.slice(0, 60).join(', ')}${far.length > 60 ? ', ...' : ''}`),
    h('p', {}, h('a', { href: `#/model/${j.model}` }, 'Use the model')),
    await others(j, found), rows(j, found),
  ];
}

// rows are the pictures of the rows of a fit.
function rows(j, found) {
  const points = found.points;
  if (!points || points.rows === 0) return null;
  const file = async path => (await ask(`/jobs/${j.id}/${path}`, { raw: true })).arrayBuffer();
  const fits = found.fits || [];
  const monitor = fits.length > 1 && { fits, settled: found.settled, votes: async () => new Uint8Array(await file('files/votes.bin')) };
  return [h('h2', {}, monitor ? 'Every row, along the scale of the loss' : 'Every row'),
    monitor && h('p', {}, 'Move the slider: rows that lose their vote at every scale are outliers whatever the scale; many at once that change sides mean another fit.', found.sampled_rows && ` Off the scale as fitted ${plural(found.sampled_rows, 'row')} drawn at random were learned from, and all were judged.`),
    linked({ points, monitor, load: k => file(`points/${k}`), lines: (places, board) => ofPoints(places, board, [verdict('verdict', board, words)]), wrongText: 'Select outliers',
      mapAbout: 'Upwards: how far a row is from the fit; to the right: how far out it is among the others. Dashed: the limits.' + (monitor ? ' As fitted, whatever the slider shows.' : '') }).element];
}

// others sets the classical fit, or another one of the same file, beside this one.
async function others(j, found) {
  const method = (await ask('/methods')).find(m => m.name === found.method), { request } = await ask(`/jobs/${j.id}`), sheet = command => (/ --sheet ('.*?'|\S+)/.exec(command) || [])[1]; // another one has other rows
  const same = [...jobs.values()].filter(o => o.kind === 'fit' && o.state === 'done' && o.id !== j.id && o.upload === j.upload && o.rows === j.rows && sheet(o.command) === sheet(j.command));
  const parameters = { ...request.parameters };
  if (found.parameters.components) parameters.components = found.parameters.components;
  if (method && method.parameters.some(p => p.name === 'start' && (p.choices || []).includes('classic'))) parameters.start = 'classic';
  const classical = method && method.takes_loss && request.loss !== 'square' && act('Fit the classical way beside it', async () => {
    const made = await post('/fits', { ...request, name: `classical: ${found.method} of ${j.name}`, loss: 'square', along: false, parameters });
    expect(made);
    location.hash = `#/beside/${made.id}/${j.id}`;
  });
  if (!classical && same.length === 0) return null;
  const pick = same.length > 0 && h('select', { 'aria-label': 'Another fit of this file' }, same.map(o => h('option', { value: o.id }, o.summary)));
  return h('div', { class: 'row' }, classical, pick, pick && act('Set it beside this one', async () => { location.hash = `#/beside/${pick.value}/${j.id}`; }));
}
