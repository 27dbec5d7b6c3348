import { act, api, app, ask, ended, h, jobs, main, post, problem, say, show } from './base.js';
import { file, files } from './files.js';
import { job, work } from './work.js';
import { model, models } from './models.js';
import { beside } from './beside.js';

// The workbench. Every text of a file or a server comes into the page as a text node, never as markup.

const views = [[/^#?\/?$/, files], [/^#\/work$/, work], [/^#\/models$/, models], [/^#\/file\/([0-9a-f]{16})$/, file], [/^#\/job\/([0-9a-f]{16})$/, job], [/^#\/model\/([0-9a-f]{16})$/, model],
  [/^#\/beside\/([0-9a-f]{16})\/([0-9a-f]{16})$/, beside]];

// view shows what the address says.
app.view = async function view() {
  app.watchers = [];
  for (const a of document.querySelectorAll('nav a')) {
    if (a.hash === (location.hash || '#/')) a.setAttribute('aria-current', 'page'); else a.removeAttribute('aria-current');
  }
  const [, draw, found] = views.map(([pattern, draw]) => [pattern, draw, location.hash.match(pattern)]).find(([, , m]) => m) || [];
  if (!draw) { location.hash = '#/'; return; }
  const here = location.hash;
  try { await draw(...found.slice(1)); } catch (error) { show(error.status === 404 ? 'This is no longer there' : error.status === 401 ? 'A token is needed' : 'This did not work', problem(error)); }
  if (location.hash !== here) app.view(); // it was drawn over what was asked for since
};

let events = null;

// listen hears what happens to jobs while the page is seen. A page in the background lets its stream go: browsers have few connections
// to one server, and with all of them taken by streams no other page would be answered.
function listen() {
  if (events) events.close();
  events = null;
  if (document.hidden) return;
  events = new EventSource(`${api}/events`);
  events.addEventListener('job', e => hear(JSON.parse(e.data)));
  events.addEventListener('removed', e => {
    const { id } = JSON.parse(e.data), before = jobs.get(id);
    jobs.delete(id);
    if (before) for (const w of [...app.watchers]) w({ ...before, state: 'removed' }, before);
  });
  events.onerror = () => say('The server does not answer.');
  events.onopen = async () => {
    say('');
    const now = await ask('/jobs'); // what was missed
    const there = new Set(now.map(j => j.id));
    for (const id of jobs.keys()) if (!there.has(id)) jobs.delete(id);
    for (const j of now) { // which may be older than what the stream has told since
      const known = jobs.get(j.id);
      if (!known || known.state !== j.state && !ended(known)) hear(j);
    }
  };
}

function hear(j) {
  const before = jobs.get(j.id);
  jobs.set(j.id, j);
  for (const w of [...app.watchers]) w(j, before);
}

// admit asks for the token where neither the address nor the browser has it.
function admit(error) {
  const word = h('input', { type: 'password', autocomplete: 'current-password', onkeydown: e => { if (e.key === 'Enter') go.click(); } });
  const go = act('Go on', async () => { await post('/session', { token: word.value }); location.reload(); }, 'deed');
  show('A token is needed', problem(error), h('div', { class: 'row' }, h('label', { class: 'field' }, 'Token', word), go));
}

async function begin() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token) {
    history.replaceState(null, '', '/');
    try { await post('/session', { token }); } catch (error) { admit(error); return; }
  }
  try { for (const j of await ask('/jobs')) jobs.set(j.id, j); } catch (error) { if (error.status === 401) admit(error); else show('This did not work', problem(error)); return; }
  addEventListener('hashchange', () => { app.view(); main.focus(); });
  document.querySelector('.skip').addEventListener('click', e => { e.preventDefault(); main.focus(); }); // its target is no screen
  for (const kind of ['dragover', 'drop']) addEventListener(kind, e => { // a file that is let fall beside its place must not take the page away
    if (e.defaultPrevented || !e.dataTransfer.types.includes('Files')) return;
    e.preventDefault();
    const zone = /^#?\/?$/.test(location.hash) && main.querySelector('.drop');
    if (zone) zone.dispatchEvent(new DragEvent(kind, { dataTransfer: e.dataTransfer, cancelable: true }));
  });
  document.addEventListener('visibilitychange', listen);
  listen();
  app.view();
}

begin();
