// Dates on pictures: seconds since 1970, or days of that (column.day). column.times says that they have a time of day.
const hour = 3600, day = 86400, month = 2629746; // seconds; the month is a mean one

const iso = seconds => { const d = new Date(1000 * seconds); return Number.isNaN(d.getTime()) ? '' : d.toISOString(); };

// dateText is a date as people read it, as fine as it is known: 4-byte numbers do not tell the seconds of years.
export function dateText(column, value) {
  const unit = column.day ? day : 1, blur = 2 ** -22 * unit * Math.max(column.scale, Math.abs(value - column.centre));
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
      list.push([at / unit, step >= day || midnight ? text.slice(5, 10) : text.slice(11, step < 60 ? 19 : 16)]);
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
  if (rough > 10 * day) return '';
  const [a, b] = [low, high].map(v => iso(v * unit).slice(0, rough > 12 * hour ? 4 : 10));
  return a === b ? a : `${a} to ${b}`;
}
