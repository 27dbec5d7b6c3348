import { Board, h, plural, table, told, wrong } from './board.js';
import { Scatter } from './scatter.js';
import { Histogram } from './histogram.js';
import { Cells } from './cells.js';
import { dateBound } from './dates.js';
import { Paths } from './paths.js';

let made = 0;

// linked lays the pictures of rows out: what rows are (points, load, and where only some are drawn numbers, names and total), the cell
// map and the fits along the scale where there are any, lines(places) for the list of selected rows, tools for buttons of the page's own.
export function linked(given) {
  const { points, cells, monitor } = given, board = new Board(given.load, points, given), mine = ++made;
  const values = points.columns.map((c, k) => [c, k]).filter(([c]) => !['score', 'verdict', 'distance', 'row'].includes(c.kind));
  const distances = points.columns.map((c, k) => [c, k]).filter(([c]) => c.kind === 'distance').map(([, k]) => k);
  const ranked = [...values].sort((a, b) => (b[0].wrong || 0) - (a[0].wrong || 0) || (b[0].kind === 'number') - (a[0].kind === 'number'));
  let x = ranked.length ? ranked[0][1] : 0, y = ranked.length > 1 ? ranked[1][1] : x;
  const pick = (text, usual, change) => h('label', { class: 'field' }, text, h('select', { onchange: e => change(Number(e.target.value)) }, values.map(([c, k]) => h('option', { value: k, selected: k === usual }, c.name))));
  const button = (text, deed) => h('button', { type: 'button', onclick: deed }, text);
  const pictures = [], shown = [];
  const draws = (picture, drawn) => drawn.catch(error => { picture.element.append(h('p', { class: 'problem', role: 'alert' }, `This picture cannot be drawn. ${error.message}`)); picture.failed?.(); });
  const add = (picture, show) => { pictures.push(picture.element); shown.push(draws(picture, show(picture))); return picture; };
  if (distances.length > 1) add(new Scatter(board, given.mapTitle || 'Outlier map', given.mapAbout || 'Upwards: how far a row is from what the columns have in common; to the right: how far out it is in line with the others. Dashed: the limits.'), p => p.show(distances[0], distances[1]));
  else if (distances.length === 1) add(new Scatter(board, 'Distances', 'How far each row is off, along the file. Dashed: the limit.'), p => p.show(null, distances[0]));
  let cloud = null, bars = null;
  const redraw = () => Promise.all([cloud && draws(cloud, cloud.show(x, y)), bars && draws(bars, bars.show(x))]);
  if (values.length > 1) cloud = add(new Scatter(board, 'Two columns'), p => p.show(x, y));
  if (values.length > 0) bars = add(new Histogram(board, 'One column'), p => p.show(x));
  const along = add(new Scatter(board, 'Along the file'), p => p.show(null, 0));
  if (cells) add(new Cells(board, 'Cell map', 'The worst rows: red is higher than the rest of the row lets expect, blue is lower, grey is missing.', cells), p => board.ready.then(() => p.draw()));
  if (monitor) points.columns[0].range = [-0.03, 1.03]; // votes, whatever the scale
  const slide = monitor && follow(add(new Paths(board, 'Votes along the scale', 'Each line is a row: its vote from 0 to 1 in fits from a narrow loss (left) to a wide one, nearly the classical fit (right).', monitor, along), p => p.load()), monitor);
  const more = values.length > 1 && h('details', { ontoggle: e => {
    if (!e.target.open || e.target.querySelector('.pictures')) return;
    const further = ranked.slice(0, 12).map(([, k]) => { const p = new Histogram(board, 'One column'); p.show(k); return p.element; });
    e.target.append(h('div', { class: 'pictures' }, further));
  } }, h('summary', {}, `How ${values.length > 12 ? 'twelve' : 'all'} columns are spread`));
  const { count, list } = listed(board, given.lines);
  const mode = name => h('label', {}, h('input', { type: 'radio', name: `brush-${mine}`, value: name, checked: name === 'box', onchange: () => { board.mode = name; } }), ` ${name}`);
  const low = h('input', { type: 'text' }), high = h('input', { type: 'text' });
  const between = async () => {
    const v = await board.column(x), c = points.columns[x];
    if (c.levels) { // the words themselves, as numbers where the bound is one
      const [from, to] = [low, high].map(e => e.value.trim()), far = (word, bound) => (Number.isNaN(Number(bound)) ? word.localeCompare(bound) : word - bound);
      const on = c.levels.map(w => (from === '' || far(w, from) >= 0) && (to === '' || far(w, to) <= 0));
      board.select(i => on[v[i]]);
      return;
    }
    const bound = (input, none) => {
      const text = input.value.trim(), [value, before] = text === '' ? [0] : c.kind !== 'date' ? [Number(text)] : dateBound(c, text, input === high) || [NaN];
      input.setCustomValidity(!told(c) ? 'This column has too many words to be chosen here' : Number.isNaN(value) ? c.clock ? 'A time such as 13:00 or 13:00:30' : c.kind === 'date' ? 'A date such as 2024-05-31 or 2024-05-31 13:00: year, month, day' : 'A number such as 1.5' : '');
      return input.reportValidity() ? [text === '' ? none : Math.fround((value - c.centre) / c.scale), before] : [NaN]; // as the rows' own are
    };
    const [a] = bound(low, -Infinity), [b, before] = bound(high, Infinity);
    if (Number.isNaN(a) || Number.isNaN(b)) return;
    board.select(i => v[i] >= a && (before ? v[i] < b : v[i] <= b));
  };
  const element = h('div', { class: 'linked live' },
    h('div', { class: 'row' }, values.length > 1 && [pick('across', x, k => { x = k; redraw(); }), pick('up', y, k => { y = k; redraw(); })],
      h('fieldset', { class: 'modes' }, h('legend', {}, 'Drag to draw a'), mode('box'), mode('lasso')),
      button(given.wrongText || 'Select wrong rows', () => board.select(i => board.flags[i] === wrong)),
      button('Select the others', () => { const before = board.selected; board.select(before ? i => !before[i] : () => false); }),
      button('Select all', () => board.select(null)), given.tools && given.tools(board)),
    count, slide, h('div', { class: 'pictures' }, pictures), more,
    h('p', { class: 'soft' }, 'Values far beyond the others stand at the edge of a picture. Drag over one to select rows in all of them; shift adds, a click or Escape lets go. By keyboard: arrows move a cross, space sets two corners.'),
    values.length > 0 && h('details', {}, h('summary', {}, 'Select by numbers'), h('div', { class: 'row' }, h('label', { class: 'field' }, 'from', low), h('label', { class: 'field' }, 'to', high), button('Select where the column across lies between', between))), list);
  Promise.all(shown).then(() => element.setAttribute('data-shown', ''));
  return { element, board };
}

// listed are the count of the selected rows and the list of them, or of all, a hundred at a time, as lines(places) tells them; all of many
// only when asked for. What comes of an earlier selection after a later one is not shown.
export function listed(board, lines) {
  const count = h('p', { role: 'status', class: 'count' }), most = 100, rows = h('div'), said = h('span', { role: 'status' });
  const turn = (text, by) => h('button', { type: 'button', onclick: () => { tell(first + by); } }, text);
  const back = turn('Rows before', -most), on = turn('Rows after', most), jump = h('input', { type: 'number', min: 1, onchange: () => {
    let [low, high] = [0, board.count - 1]; // the first that is not before the row
    while (low < high) { const k = low + high >> 1; if (board.number(board.places(1, k)[0]) < Number(jump.value)) low = k + 1; else high = k; }
    tell(low);
  } });
  const bar = h('div', { class: 'row' }, back, on, h('label', { class: 'field' }, 'from row', jump), said), list = h('div', { class: 'chosen' }, bar, rows);
  const browse = h('button', { type: 'button', onclick: () => { large = false; tell(); } }, 'Show the rows');
  let wait = 0, asked = 0, first = 0, large = board.n > 20000;
  const tell = (from = 0) => {
    const mine = ++asked;
    count.textContent = board.said();
    clearTimeout(wait);
    first = Math.max(0, from);
    wait = setTimeout(async () => {
      const hidden = !board.selected && large, places = hidden ? [] : board.places(most, first);
      let content = hidden ? [browse] : [];
      if (places.length > 0) {
        try {
          await board.ready;
          const made = await lines(places, board);
          content = [table(board.selected ? 'Selected rows' : 'All rows', made.head, made.rows)];
        } catch (error) { content = [h('p', { class: 'problem', role: 'alert' }, error.message)]; }
      }
      if (mine !== asked) return;
      bar.hidden = hidden || board.count <= most;
      said.textContent = `${(first + 1).toLocaleString('en')} to ${(first + places.length).toLocaleString('en')} of ${plural(board.count, `${board.selected ? 'selected ' : ''}row`)}`;
      back.disabled = first === 0;
      on.disabled = first + most >= board.count;
      rows.replaceChildren(...content);
    }, 150);
  };
  board.listeners.push(() => tell());
  tell();
  return { count, list };
}

// follow is the slider over the fits along the scale.
function follow(paths, monitor) {
  const said = h('output', { 'aria-live': 'polite' });
  const say = k => {
    const f = monitor.fits[k];
    said.textContent = f.problem ? ` scale ${Number(f.scale).toPrecision(4)}: no fit (${f.problem}); that beside it is shown` : ` scale ${Number(f.scale).toPrecision(4)}${k === monitor.settled ? ', as fitted' : ''}: ${f.outliers.toLocaleString('en')} of ${plural(paths.board.n, 'row')} are outliers, effective sample size ${Number(f.effective_sample_size).toPrecision(4)}`;
    slider.setAttribute('aria-valuetext', said.textContent.trim());
  };
  let frame = 0;
  const slider = h('input', { type: 'range', min: 0, max: monitor.fits.length - 1, value: monitor.settled, 'aria-label': 'Scale of the loss', oninput: () => {
    const k = Number(slider.value);
    say(k);
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => paths.settle(k));
  } });
  say(monitor.settled);
  paths.failed = () => { slider.disabled = true; said.textContent = ' the votes at other scales are not there: load the page again'; };
  return h('div', { class: 'slide' }, h('label', {}, 'Scale of the loss ', slider), said);
}

// verdict is a column of the list of selected rows: what the flags of a picture or board say.
export const verdict = (name, of, words = ['fine', 'wrong', 'far, in line']) => [name, i => words[of.flags[i]]];

// ofPoints makes the list of selected rows of the points themselves, with further columns before.
export async function ofPoints(places, board, more = []) {
  const columns = board.points.columns.map((c, k) => k).filter(k => told(board.points.columns[k])).slice(0, 13);
  await Promise.all(columns.map(k => board.column(k)));
  return { head: ['row', ...more.map(([name]) => name), ...columns.map(k => board.points.columns[k].name)],
    rows: places.map(i => [board.name(i), ...more.map(([name, of]) => h('td', { class: name === 'why' ? 'why' : 'cell' }, of(i))), ...columns.map(k => board.value(k, i))]) };
}
