"use strict";
const number = (cell) => parseFloat(cell.textContent.replace(/,/g, "").replace(/−/g, "-").match(/-?[\d.]+/)?.[0] ?? "NaN");
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = column && !head.classList.contains("t") ? -1 : 1;
      const now = { ascending: 1, descending: -1 }[head.getAttribute("aria-sort")];
      const sign = now === first ? -first : first;
      const order = (a, b) => {
        const [x, y] = [a.cells[column], b.cells[column]];
        const [m, n] = column ? [number(x), number(y)] : [NaN, NaN];
        if (Number.isNaN(m) && Number.isNaN(n)) return sign * x.textContent.localeCompare(y.textContent, "en");
        return Number.isNaN(m) ? 1 : Number.isNaN(n) ? -1 : sign * (m - n);
      };
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      body.append(...[...body.rows].sort(order));
    });
  });
}
addEventListener("beforeprint", () => {
  for (const each of document.querySelectorAll("details:not([open])")) {
    each.open = true;
    each.dataset.folded = "";
  }
});
addEventListener("afterprint", () => {
  for (const each of document.querySelectorAll("details[data-folded]")) {
    each.open = false;
    delete each.dataset.folded;
  }
});
