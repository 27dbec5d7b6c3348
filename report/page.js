"use strict";
// Sorts a table by the column whose heading is clicked or chosen with Enter.
for (const head of document.querySelectorAll("thead th")) {
  head.tabIndex = 0;
  head.title = "Sort by this column";
  const sort = () => {
    const table = head.closest("table"), body = table.tBodies[0], column = head.cellIndex;
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = row => {
      const cell = row.cells[column], v = cell.dataset.v;
      return v === undefined ? cell.textContent : Number(v);
    };
    const rows = Array.from(body.rows).sort((a, b) => {
      const x = key(a), y = key(b);
      if (typeof x === "number" && typeof y === "number") return x - y;
      if (typeof x !== typeof y) return typeof x === "number" ? -1 : 1;
      return x.localeCompare(y, undefined, {numeric: true});
    });
    if (down) rows.reverse();
    body.append(...rows);
  };
  head.addEventListener("click", sort);
  head.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
}
