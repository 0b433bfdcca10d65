"use strict";
// The table of all items: sorted by any column, filtered by name, each row opening its details.

let ranking = page.ranking, downloaded = "ranking.csv";

// The range that all interval bars share.
const [lowest, highest] = page.categories ? page.categories.range : [
  Math.min(...(page.point ? ranking.score : ranking.low)),
  Math.max(...(page.point ? ranking.score : ranking.high))];
const across = (value) => 3 + (94 * (value - lowest)) / (highest - lowest || 1);

function intervalBar(k) {
  const y = 8, low = page.point ? null : across(ranking.low[k]);
  const bar = svg("svg", { class: "interval", "aria-hidden": "true", focusable: "false" });
  if (lowest < 0 && highest > 0) {
    bar.append(svg("line", { class: "zero", x1: `${across(0)}%`, x2: `${across(0)}%`, y1: 0, y2: 16 }));
  }
  if (low !== null) {
    const high = across(ranking.high[k]);
    bar.append(svg("line", { class: "extent", x1: `${low}%`, x2: `${high}%`, y1: y, y2: y }));
  }
  bar.append(svg("circle", { cx: `${across(ranking.score[k])}%`, cy: y, r: 3.5 }));
  return bar;
}

function interval(k) {
  const words = `${decimals(ranking.low[k])} to ${decimals(ranking.high[k])}`;
  return element("div", { className: "with-bar" }, intervalBar(k), element("span", { textContent: words }));
}

// heading; what a cell shows; what it is sorted by; which way first; which sentence says so.
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const up = "smallest first", down = "largest first";
const number = (name) => (a, b) => ranking[name][a] - ranking[name][b];
const columns = [
  { name: "Rank", cell: (k) => whole(ranking.rank[k]), order: number("rank"), first: up },
  { name: "Item", order: (a, b) => collator.compare(page.items[a], page.items[b]),
    first: "from A to Z", then: "from Z to A", kind: "text" },
  { name: "Score", cell: (k) => decimals(ranking.score[k]), order: number("score"), first: down },
];
if (page.point) {
  columns.push({ name: "Position", cell: intervalBar, order: number("score"), first: down, kind: "picture" });
} else {
  columns.push(
    { name: `${page.certainty} interval`, cell: interval, kind: "picture", first: down,
      order: (a, b) => number("low")(a, b) || number("high")(a, b) },
    { name: "Rank interval", cell: (k) => range(ranking.rank_low[k], ranking.rank_high[k]), first: up,
      order: (a, b) => number("rank_low")(a, b) || number("rank_high")(a, b) },
    { name: "Ranks, all at once", cell: (k) => range(ranking.all_low[k], ranking.all_high[k]), first: up,
      order: (a, b) => number("all_low")(a, b) || number("all_high")(a, b) },
    { name: "P(best)", cell: (k) => percent(ranking.p_best[k]), order: number("p_best"), first: down },
    { name: "P(top 3)", cell: (k) => percent(ranking.p_top3[k]), order: number("p_top3"), first: down },
    { name: "Tier", cell: (k) => whole(ranking.tier[k]), order: number("tier"), first: up },
  );
}

const table = byId("ranking-table");
table.classList.toggle("point", page.point);
const body = table.tBodies[0];
const rows = page.items.map((name, k) => {
  const open = element("button", { type: "button", className: "item" }, bdi(name));
  open.setAttribute("aria-expanded", "false");
  const cells = columns.map((column) => {
    if (column.name === "Item") return element("th", { scope: "row" }, open);
    return element("td", { className: column.kind || "number" }, column.cell(k));
  });
  const tr = element("tr", {}, ...cells);
  return { k, tr, open, detail: null, key: searchKey(name) };
});

function markTiers() {
  if (!ranking.tier) return;
  const ordered = [...rows].sort((a, b) => ranking.rank[a.k] - ranking.rank[b.k]);
  ordered.forEach((row, j) => {
    const before = j ? ranking.tier[ordered[j - 1].k] : 1;
    row.tr.classList.toggle("new-tier", ranking.tier[row.k] > before);
  });
}
markTiers();

// Another ranking of the same items takes the place of the one that is shown.
function showRanking(other) {
  ranking = other;
  for (const row of rows) {
    columns.forEach((column, c) => {
      if (column.name !== "Item") row.tr.children[c].replaceChildren(column.cell(row.k));
    });
  }
  markTiers();
  sortBy(sortedBy, reversed);
}
const rowOf = new Map(rows.map((row) => [row.tr, row]));

// Without accents and capitals, so that "Muller" finds "Müller".
function searchKey(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

let sortedBy = columns[0], reversed = false;

function isFirstWay(column) {
  return sortedBy === column && !reversed;
}

function sortBy(column, turn) {
  reversed = turn;
  sortedBy = column;
  const ascending = (column.first === down) === turn;
  const sign = ascending ? 1 : -1;
  // Equal ones stay in the order of their ranks.
  rows.sort((a, b) => sign * column.order(a.k, b.k) || ranking.rank[a.k] - ranking.rank[b.k] || a.k - b.k);
  columns.forEach((other) => {
    if (other === column) other.header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    else other.header.removeAttribute("aria-sort");
  });
  table.classList.toggle("by-rank", column === columns[0] && !turn);
  show();
}

function show() {
  const wanted = searchKey(byId("search").value.trim());
  const shown = rows.filter((row) => row.key.includes(wanted));
  body.replaceChildren(...shown.flatMap((row) => (row.detail ? [row.tr, row.detail] : [row.tr])));
  byId("nothing-found").hidden = shown.length > 0;
  const all = `${whole(count)} items`;
  byId("count").textContent = wanted ? `${whole(shown.length)} of ${all}` : all;
}

for (const column of columns) {
  const button = element("button", { type: "button", textContent: column.name });
  column.header = element("th", { scope: "col", className: column.kind || "number" }, button);
  button.addEventListener("click", () => {
    sortBy(column, isFirstWay(column));
    const way = reversed ? column.then || (column.first === up ? down : up) : column.first;
    byId("sorted").textContent = `Sorted by ${column.name}, ${way}.`;
  });
  table.tHead.rows[0].append(column.header);
}

function toggle(row) {
  const opened = !row.detail;
  row.open.setAttribute("aria-expanded", opened);
  row.tr.classList.toggle("opened", opened);
  if (!opened) {
    row.detail.remove();
    row.detail = null;
    return;
  }
  const cell = element("td", { colSpan: columns.length });
  row.detail = element("tr", { className: "detail" }, cell);
  row.tr.after(row.detail);
  cell.append(itemDetail(row.k, byId("ranking-scroll").clientWidth));
}

body.addEventListener("click", (event) => {
  const row = rowOf.get(event.target.closest("tr"));
  // Somebody who marks text in a row does not want it to open; whoever takes the button does.
  if (row && (event.target.closest("button.item") || !String(getSelection()))) toggle(row);
});
// Between rows also by arrow keys; Tab goes on as usual.
body.addEventListener("keydown", (event) => {
  const buttons = [...body.querySelectorAll("button.item")];
  const at = buttons.indexOf(event.target);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (at < 0 || to === undefined || !buttons[to]) return;
  event.preventDefault();
  buttons[to].focus();
});
byId("search").addEventListener("input", show);

const csvText = (text) => `"${text.replaceAll('"', '""')}"`;

function csv() {
  const names = Object.keys(ranking);
  // Names that a spreadsheet would run as formulas come with an apostrophe.
  const written = page.items.map((item, k) => csvText(page.spreadsheet_names[k] ?? item));
  const lines = written.map((item, k) => [item, ...names.map((name) => ranking[name][k] ?? "")].join(","));
  return [["item", ...names].join(","), ...lines].join("\r\n") + "\r\n";
}

byId("download").addEventListener("click", () => {
  // Spreadsheets know UTF-8 by this mark.
  const file = new Blob(["\ufeff", csv()], { type: "text/csv" });
  const link = element("a", { href: URL.createObjectURL(file), download: downloaded });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});

byId("ranking-caption").textContent = page.point
  ? "All items, best first: score and rank at a single point, without uncertainty"
  : `All items, best first, with ${page.certainty} intervals`;
byId("ranking-hint").textContent = page.point
  ? "Headings sort. Choose an item to see its neighbours."
  : "Headings sort. Choose an item to see how sure its rank is and which others it cannot be told from.";
sortBy(columns[0], false);
