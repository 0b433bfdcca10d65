"use strict";
// Who judged: what was fitted by agent, how each voted, and who stands out.

const judges = page.judges, ofJudges = judges.columns;
const judgeTitles = { discrimination: "Discrimination", order_effect: "Order effect", tie_rate: "Tie rate" };
const share = (value) => (value === null ? "–" : percent(value, 0));

// heading; cell; what it is sorted by; which way first; kind
const judgeColumns = [
  ["Agent", (k) => bdi(shorten(judges.names[k], 60)), (a, b) => collator.compare(judges.names[a], judges.names[b]), "from A to Z", "text"],
  ["In words", (k) => judges.words[k], (a, b) => collator.compare(judges.words[a], judges.words[b]), "from A to Z", "text words"],
  byNumber("Votes", "votes", whole),
  ...(ofJudges.ties ? [byNumber("Ties", "ties", share)] : []),
  byNumber("Agreement", "agreement", share),
  ...judges.effects.flatMap((name) => [
    byNumber(judgeTitles[name], name, (mean) => decimals(mean)),
    ...(page.point ? [] : [byNumber(`${page.certainty} interval`, `${name}_low`,
      (low, k) => `${decimals(low)} to ${decimals(ofJudges[`${name}_high`][k])}`, judgeTitles[name])]),
  ]),
];

function byNumber(heading, name, written, of) {
  const values = ofJudges[name];
  // What is not known comes last, whichever way first.
  const order = (a, b, sign) => (values[a] === null) - (values[b] === null) || sign * (values[a] - values[b]);
  return [heading, (k) => written(values[k], k), order, down, "number", of];
}

const judgeTable = byId("judges-table"), judgeRows = judges.names.map((_, k) => {
  const cells = judgeColumns.map(([, cell, , , kind], c) => {
    const made = c ? element("td") : element("th", { scope: "row" });
    made.className = kind;
    made.append(cell(k));
    return made;
  });
  const stands = !/^(follows|too few)/.test(judges.words[k]);
  return { k, tr: element("tr", { className: stands ? "stands" : "" }, ...cells) };
});
const judgeHeads = judgeColumns.map(([heading, , , , kind, of]) => {
  const button = element("button", { type: "button", textContent: heading });
  if (of) button.setAttribute("aria-label", `${of}, ${heading}`);
  return element("th", { scope: "col", className: kind }, button);
});
const judgeSort = { column: 2, turn: false };

function sortJudges(column, turn) {
  Object.assign(judgeSort, { column, turn });
  const [, , order, first] = judgeColumns[column];
  const ascending = (first === down) === turn, sign = ascending ? 1 : -1;
  const way = (a, b) => (order.length === 3 ? order(a, b, sign) : sign * order(a, b));
  judgeRows.sort((a, b) => way(a.k, b.k) || a.k - b.k);
  judgeHeads.forEach((head, c) => {
    if (c === column) head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  });
  judgeTable.tBodies[0].replaceChildren(...judgeRows.map((row) => row.tr));
  return first === down ? (ascending ? up : down) : (ascending ? "from A to Z" : "from Z to A");
}

judgeHeads.forEach((head, column) => {
  head.firstChild.addEventListener("click", () => {
    const way = sortJudges(column, judgeSort.column === column && !judgeSort.turn);
    byId("judges-sorted").textContent = `Sorted by ${head.firstChild.getAttribute("aria-label") || judgeColumns[column][0]}, ${way}.`;
  });
});
judgeTable.tHead.rows[0].append(...judgeHeads);
sortJudges(2, false);
byId("judges-about").textContent = judges.about.filter(Boolean).join(" ");
byId("judges-caption").textContent = `${whole(judges.names.length)} agents`
  + (judges.left_out ? `; ${whole(judges.left_out)} with fewer votes are left out` : "");
