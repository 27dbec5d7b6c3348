// Dates on pictures: seconds since 1970, or days of that (column.day). column.times says that they have a time of day.
const hour = 3600, day = 86400, month = 2629746; // seconds; the month is a mean one

const iso = seconds => { const d = new Date(1000 * seconds); return Number.isNaN(d.getTime()) ? '' : d.toISOString(); };

const two = n => String(n).padStart(2, '0');

// clockText is a time of day, or an amount of time, of whole minutes or as fine as a step of so many seconds.
function clockText(seconds, step) {
  const places = step < 1 ? Math.round(-Math.log10(step)) : 0, unit = 10 ** places, all = Math.round(Math.abs(seconds) * unit), whole = Math.floor(all / unit), part = all % unit;
  return `${seconds < 0 && all > 0 ? '-' : ''}${two(Math.floor(whole / hour))}:${two(Math.floor(whole / 60) % 60)}${step < 60 ? `:${two(whole % 60)}` : ''}${part ? `.${String(part).padStart(places, '0').replace(/0+$/, '')}` : ''}`;
}

// dateBound reads what a person types: [value, whether all before it is meant], null where that is no date. An upper bound holds the whole
// day, month or year that it names. The zone of the machine, and whether it writes days or months first, make no difference.
export function dateBound(column, text, upper) {
  const unit = column.day ? day : 1, clock = text.match(/^(\d+):(\d\d)(?::(\d\d(?:\.\d+)?))?$/);
  if (column.clock) return clock && Number(clock[2]) < 60 && Number(clock[3] || 0) < 60 ? [(Number(clock[1]) * hour + Number(clock[2]) * 60 + Number(clock[3] || 0)) / unit, false] : null;
  const found = text.match(/^(\d{4})(?:-(\d\d?)(?:-(\d\d?)(?:[T ]+(\d\d?):(\d\d)(?::(\d\d(?:\.\d+)?))? ?(?:Z|([+-])(\d\d):?(\d\d))?)?)?)?$/i);
  if (!found) return null;
  const [y, m, d, h, min, s] = found.slice(1, 7).map(part => part === undefined ? null : Number(part)), at = (...civil) => new Date(0).setUTCFullYear(...civil) / 1000;
  const first = at(y, (m ?? 1) - 1, d ?? 1), last = m === null ? at(y + 1, 0, 1) : d === null ? at(y, m, 1) : first + day;
  if (m === 0 || m > 12 || d !== null && new Date(1000 * first).getUTCDate() !== d || h > 24 || min > 59 || s >= 60) return null;
  if (h === null) return upper ? [last / unit, true] : [first / unit, false];
  return [(first + h * hour + min * 60 + (s ?? 0) - (found[7] ? (found[7] === '-' ? -1 : 1) * (Number(found[8]) * hour + Number(found[9]) * 60) : 0)) / unit, false];
}

// dateText is a date as people read it, as fine as it is known: 4-byte numbers do not tell the seconds of years.
export function dateText(column, value) {
  const unit = column.day ? day : 1, blur = 2 ** -22 * unit * Math.max(column.scale, Math.abs(value - column.centre));
  if (column.clock) return clockText(unit * value, [0.01, 0.1, 1].find(s => s > blur) || 60);
  const known = column.times ? [1, 60, hour].find(s => s > blur) || day : day, text = iso(Math.round(unit * value / known) * known);
  return known === day ? text.slice(0, 10) : `${text.slice(0, 10)} ${text.slice(11, known > 1 ? 16 : 19)}`;
}

// dateTicks are where an axis from low to high has marks, and what stands there: [value, text], at whole seconds, minutes, hours, days, months or years.
export function dateTicks(column, low, high) {
  const unit = column.day ? day : 1, from = low * unit, to = high * unit, rough = Math.max((to - from) / 5, column.times ? 1 : day), list = [];
  const step = [1, 2, 5, 15, 30, 60, 120, 300, 900, 1800, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, 5 * day, 10 * day].find(s => s >= rough);
  if (step) {
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) {
      const text = iso(at), midnight = at % day === 0;
      list.push([at / unit, column.clock ? clockText(at, step) : step >= day || midnight ? text.slice(5, 10) : text.slice(11, step < 60 ? 19 : 16)]);
    }
    return list;
  }
  let months = [1, 2, 3, 6, 12].find(m => m * month >= rough);
  if (!months) { const power = 10 ** Math.floor(Math.log10(rough / month / 12)); months = 12 * [1, 2, 5, 10].map(f => f * power).find(y => 12 * y * month >= rough); }
  const first = iso(from);
  if (first === '') return list;
  for (let m = Math.floor(12 * Number(first.slice(0, first.indexOf('-', 1))) / months) * months; list.length < 40; m += months) {
    const at = new Date(0).setUTCFullYear(Math.floor(m / 12), m - 12 * Math.floor(m / 12), 1) / 1000;
    if (!(at <= to)) break;
    if (at >= from) list.push([at / unit, months % 12 ? iso(at).slice(0, 7) : String(Math.floor(m / 12))]);
  }
  return list;
}

// dateSpan is what marks leave out: the year of days, the day of times; empty where they tell it.
export function dateSpan(column, low, high) {
  const unit = column.day ? day : 1, rough = Math.max((high - low) * unit / 5, column.times ? 1 : day);
  if (rough > 10 * day || column.clock) return '';
  const [a, b] = [low, high].map(v => iso(v * unit).slice(0, rough > 12 * hour ? 4 : 10));
  return a === b ? a : `${a} to ${b}`;
}
