import { act, ask, h, open, post, sentence } from './base.js';

let methods = [];

// suiting is what is asked of a file, null where nothing is to be predicted, and the methods for it.
export async function suiting(seen, data) {
  if (methods.length === 0) methods = await ask('/methods');
  const { target, as, task: said } = data();
  const learned = seen.columns.find(c => c.name === target), kind = learned && (as[target] || learned.read_as);
  const task = !target ? null : said === 'class' || ['category', 'boolean', 'text'].includes(kind) ? 'classify' : 'regress';
  return { task, suitable: methods.filter(m => task ? m.tasks.includes(task) : m.tasks.some(t => t === 'reduce' || t === 'cluster')) };
}

// form asks for a method and its parameters, with defaults and help beside each.
export async function form(seen, data) {
  const place = document.getElementById('form');
  const { task, suitable } = await suiting(seen, data);
  const families = [...new Set(suitable.map(m => m.family))];
  const usual = suitable.findLast(m => m.takes_loss && (task || m.family === families[0]));
  const pick = h('select', { onchange: () => fill() }, families.map(f => h('optgroup', { label: f }, suitable.filter(m => m.family === f).map(m => h('option', { value: m.name, selected: m === usual }, m.name)))));
  const text = h('select', {}, ['', 'onehot', 'ordinal'].map(v => h('option', { value: v }, v || 'leave out')));
  const about = h('p', { class: 'soft' }), fields = h('div', { class: 'fields' });
  const inputs = new Map();
  let loss = null;
  const shape = h('input', { type: 'text', placeholder: '28x28' }), shaped = h('label', { class: 'field' }, 'Shape of a row', shape);
  const along = h('input', { type: 'checkbox', id: 'along', checked: true }), also = h('label', { for: 'along' }, along, ' also along the scale of the loss');
  const fill = () => {
    const m = methods.find(x => x.name === pick.value);
    about.textContent = [m.title, m.about, m.paper].filter(Boolean).map(sentence).join(' ').replaceAll('--', '');
    inputs.clear();
    shaped.hidden = m.family !== 'tensor' || seen.shape;
    also.hidden = !m.takes_loss && !m.parameters.some(p => p.name === 'sigma' || p.name === 'cutoff');
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
    h('div', { class: 'row' }, h('label', { class: 'field' }, 'Method', pick), h('label', { class: 'field' }, 'Text columns', text), shaped, also), about,
    h('details', {}, h('summary', {}, 'Parameters'), fields),
    h('div', { class: 'row' }, act('Fit', async () => {
      const parameters = {};
      for (const [name, [input, usually]] of inputs) if (input.value !== '' && input.value !== usually) parameters[name] = input.value;
      open(await post('/fits', { method: pick.value, parameters, loss: loss ? loss.value : '', along: along.checked && !also.hidden, data: { ...data(), categorical: text.value, shape: shaped.hidden ? '' : shape.value } }));
    }, 'deed')));
  place.scrollIntoView({ block: 'nearest' });
}
