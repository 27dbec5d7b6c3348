import { act, h, open, post } from './base.js';
import { suiting } from './form.js';

// What dirt can be added before methods are held against each other: the request, and how people say it.
const dirt = [['', 'none'], ['rows:0.1', 'one row in ten is replaced'], ['rows:0.3', 'three rows in ten are replaced'], ['scale:0.05', 'one cell in twenty is too large'], ['mistakes:0.05', 'people\'s mistakes in one row of twenty']];
const ofTarget = { classify: [['label:0.1', 'one label in ten is wrong'], ['label:0.3', 'three labels in ten are wrong']], regress: [['target:0.1', 'one value to predict in ten is wrong'], ['target:0.3', 'three values to predict in ten are wrong']] };
const ranks = { classify: ['accuracy', 'balanced', 'log-loss'], regress: ['trimmed', 'rmse', 'mae', 'median'] };

// compare asks which methods are set side by side, on which dirt, and by what they are ranked.
export async function compare(seen, data) {
  const { task, suitable } = await suiting(seen, data);
  const boxes = suitable.filter(m => task || m.tasks.includes('reduce') && (m.family !== 'tensor' || seen.shape)).map(m => [m.name, h('input', { type: 'checkbox', id: `with-${m.name}` })]);
  const choice = pairs => h('select', {}, pairs.map(([value, text]) => h('option', { value }, text)));
  const field = (name, input, more) => h('label', { class: 'field' }, name, input, more && h('small', {}, more));
  const corrupt = choice([...dirt, ...ofTarget[task] || []]), metric = choice([['', 'what suits the task'], ...(ranks[task] || []).map(m => [m, m])]);
  const text = choice([['', 'leave out'], ['onehot', 'onehot'], ['ordinal', 'ordinal']]), repeats = h('input', { type: 'number', min: '2', max: '1000', placeholder: '10' });
  const tune = h('input', { type: 'checkbox', id: 'tune' });
  document.getElementById('form').replaceChildren(h('h2', {}, 'Compare methods'),
    h('p', { class: 'soft' }, task ? `All learn from the same rows and are judged on the same others, which stay as they are. The report has the mean over the rounds, and whether a difference may be chance.`
      : 'The report tells what each keeps of all rows and of the regular ones, which it takes for outliers, and how far it lies from the default method.'),
    h('fieldset', { class: 'row' }, h('legend', {}, 'Methods (none: those that suit the data)'), boxes.map(([name, box]) => h('label', { for: box.id }, box, ` ${name}`))),
    h('div', { class: 'row' }, field('Dirt to add first', corrupt), field('Text columns', text), task && field('Ranked by', metric), task && field('Rounds', repeats), task && h('label', { for: 'tune' }, tune, ' choose the parameters of each by cross-validation (slow)')),
    h('div', { class: 'row' }, act('Compare', async () => {
      open(await post('/comparisons', { methods: boxes.filter(([, box]) => box.checked).map(([name]) => name), corrupt: corrupt.value, metric: metric.value, repeats: Number(repeats.value), tune: tune.checked, data: { ...data(), categorical: text.value } }));
    }, 'deed')));
  document.getElementById('form').scrollIntoView({ block: 'nearest' });
}
