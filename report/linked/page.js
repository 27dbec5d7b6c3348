import { linked, ofPoints, verdict } from './linked.js';

// The pictures of a page that holds everything within: what they are about as JSON, the points as text.
for (const place of document.querySelectorAll('div.linked')) {
  const [about, text] = place.querySelectorAll('script'), given = JSON.parse(about.textContent), bytes = Uint8Array.from(atob(text.textContent), c => c.charCodeAt(0)), size = 4 * given.points.rows;
  const numbers = given.sampled ? new Uint32Array(bytes.buffer.slice(given.points.columns.length * size)) : null;
  const { element } = linked({ ...given, numbers, load: async k => bytes.buffer.slice(k * size, (k + 1) * size), lines: (places, board) => ofPoints(places, board, [verdict('verdict', board), ['why', i => given.whys[i] || '']]) });
  place.replaceWith(element);
  document.documentElement.classList.add('live');
}
