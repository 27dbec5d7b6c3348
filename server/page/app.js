import { api, app, ask, jobs, main, post, problem, say, show } from './base.js';
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

function listen() {
  const events = new EventSource(`${api}/events`);
  events.addEventListener('job', e => {
    const j = JSON.parse(e.data), before = jobs.get(j.id);
    jobs.set(j.id, j);
    for (const w of [...app.watchers]) w(j, before);
  });
  events.onerror = () => say('The server does not answer.');
  events.onopen = async () => {
    say('');
    for (const j of await ask('/jobs')) { // what was missed
      const before = jobs.get(j.id);
      jobs.set(j.id, j);
      if (before && before.state !== j.state) for (const w of [...app.watchers]) w(j, before);
    }
  };
}

async function begin() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token) {
    history.replaceState(null, '', '/');
    try { await post('/session', { token }); } catch (error) { show('A token is needed', problem(error)); return; }
  }
  try { for (const j of await ask('/jobs')) jobs.set(j.id, j); } catch (error) { show(error.status === 401 ? 'A token is needed' : 'This did not work', problem(error)); return; }
  addEventListener('hashchange', () => { app.view(); main.focus(); });
  listen();
  app.view();
}

begin();
