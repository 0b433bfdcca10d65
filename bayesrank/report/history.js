"use strict";
// Scores that move: lines of some items over time, and the ranking at the time that is chosen.

const past = page.history, MOST_LINES = 12, FIRST = 5;
const pastName = (k) => (k < count ? page.items[k] : past.others[k - count]);
const pastNumbers = (text) => text && new Float32Array(unpack(text).buffer);
const pastColumns = {};
for (const name of ["item", "score", "low", "high", "rank", "rank_low", "rank_high"]) {
  pastColumns[name] = pastNumbers(past[name]);
}
const pastBest = past.p_best && unpack(past.p_best);
const since = new Map(past.followed.map((k, j) => [k, past.since[j]]));
// Of each item, where it is among the entries at each time; -1 where it is not ranked.
const entries = new Map(past.followed.map((k) => [k, past.times.map(() => -1)]));
past.times.forEach((_, t) => {
  for (let e = past.start[t]; e < past.start[t + 1]; e++) entries.get(pastColumns.item[e])[t] = e;
});

const looked = { now: past.now, ranks: false, find: "" };
const lines = new Map(); // the items that are drawn, each with the number of its colour
const colourOf = (slot) => `own-${(slot % 6) + 1}${slot < 6 ? "" : " dashed"}`;

function addLine(k) {
  const taken = [...lines.values()];
  lines.set(k, Array.from({ length: MOST_LINES }, (_, slot) => slot).find((slot) => !taken.includes(slot)));
}

const scoreAt = (e, digits = 2) => decimals(pastColumns.score[e], digits);
const intervalAt = (e) => `${decimals(pastColumns.low[e])} to ${decimals(pastColumns.high[e])}`;
const rankRangeAt = (e) => range(pastColumns.rank_low[e], pastColumns.rank_high[e]);

function told(e, ranks) {
  if (e < 0) return "–";
  const middle = ranks ? whole(pastColumns.rank[e]) : scoreAt(e);
  return page.point ? middle : `${middle} (${ranks ? rankRangeAt(e) : intervalAt(e)})`;
}

// The table: a row for each item, with a box that draws its line.
const pastHeadings = [["Rank", "number"], ["Item", "text"], ["Score", "number"]];
if (!page.point) {
  pastHeadings.push(
    [`${page.certainty} interval`, "number"], ["Rank interval", "number"], ["P(best)", "number"]);
}
const pastTable = byId("history-table");
for (const [heading, kind] of pastHeadings) {
  pastTable.tHead.rows[0].append(element("th", { scope: "col", className: kind, textContent: heading }));
}
const pastRows = new Map(past.followed.map((k) => {
  const box = element("input", { type: "checkbox", autocomplete: "off" });
  const label = element("label", {}, box, bdi(shorten(pastName(k), 60)));
  const cells = pastHeadings.map(([heading, kind]) => (heading === "Item"
    ? element("th", { scope: "row" }, label) : element("td", { className: kind })));
  const row = element("tr", {}, ...cells);
  row.dataset.item = k;
  box.addEventListener("change", () => choosePast(k, box));
  return [k, { row, box, label, cells, key: searchKey(pastName(k)) }];
}));

function choosePast(k, box) {
  const full = box.checked && lines.size === MOST_LINES;
  if (!box.checked) lines.delete(k);
  else if (!full) addLine(k);
  byId("history-said").textContent = full
    ? `More than ${MOST_LINES} lines could not be told apart: take one out first.` : "";
  showLines();
}

function fillRow(k) {
  const { row, cells } = pastRows.get(k), e = entries.get(k)[looked.now];
  row.classList.toggle("absent", e < 0);
  const shown = e < 0 ? [] : [whole(pastColumns.rank[e]), null, scoreAt(e)];
  if (e >= 0 && !page.point) shown.push(intervalAt(e), rankRangeAt(e), percent(pastBest[e] / 65535));
  // Why an item is not ranked fills the cells after its name.
  const why = looked.now < since.get(k) ? "not seen until later" : "not seen lately";
  cells[2].colSpan = e < 0 ? pastHeadings.length - 2 : 1;
  cells.forEach((cell, c) => {
    if (c === 1) return;
    cell.hidden = e < 0 && c > 2;
    cell.textContent = e < 0 ? (c === 0 ? "–" : why) : shown[c];
  });
}

function showTable() {
  const { now } = looked, ranked = [];
  for (let e = past.start[now]; e < past.start[now + 1]; e++) ranked.push(pastColumns.item[e]);
  const rest = past.followed.filter((k) => entries.get(k)[now] < 0);
  rest.sort((a, b) => collator.compare(pastName(a), pastName(b)));
  const wanted = searchKey(looked.find.trim());
  const shown = [...ranked, ...rest].filter((k) => pastRows.get(k).key.includes(wanted));
  shown.forEach(fillRow);
  pastTable.tBodies[0].replaceChildren(...shown.map((k) => pastRows.get(k).row));
  byId("history-caption").textContent = shown.length
    ? `Ranking at ${past.times[now]}: choose whose lines are drawn` : "No item has this in its name.";
}

function showLines() {
  for (const [k, { box, label }] of pastRows) {
    box.checked = lines.has(k);
    // The name is underlined as its line is drawn.
    label.className = lines.has(k) ? colourOf(lines.get(k)) : "";
  }
  drawPast();
  if (byId("history-numbers").open) showNumbers();
}

function drawPast() {
  const frame = byId("history-frame"), width = Math.max(280, Math.floor(frame.clientWidth)), { ranks, now } = looked;
  // Intervals of ranks reach over many lines, so that only those of a single one can be read.
  const banded = !page.point && (!ranks || lines.size === 1);
  const series = [...lines].map(([k, slot]) => ({
    name: pastName(k), colour: colourOf(slot),
    points: entries.get(k).map((e, t) => e < 0 ? null : {
      middle: ranks ? pastColumns.rank[e] : pastColumns.score[e],
      low: banded ? pastColumns[ranks ? "rank_low" : "low"][e] : null,
      high: banded ? pastColumns[ranks ? "rank_high" : "high"][e] : null,
      words: `${past.times[t]}: score ${told(e, false)}, rank ${told(e, true)}`,
    }),
  }));
  const at = [...lines.keys()].map((k) => {
    const e = entries.get(k)[now];
    return `${shorten(pastName(k), 40)} ${e < 0 ? "not ranked" : told(e, ranks)}`;
  });
  const words = lines.size
    ? `${ranks ? "Ranks" : "Scores"} over time, from ${past.times[0]} to ${past.times.at(-1)}. `
      + `At ${past.times[now]}: ${at.join("; ")}. The table has the same in numbers.`
    : "No item is chosen.";
  const chart = drawLines(series, {
    width, height: width < 520 ? 330 : 430, places: past.places, dates: past.dates, now, ranks, words });
  chart.classList.add(lines.size > 6 ? "many" : lines.size > 3 ? "some" : "few");
  frame.replaceChildren(chart);
}

// One line stands out while the pointer or the focus is on its row, or the pointer on the line.
function light(k) {
  const chart = byId("history-frame").firstChild, keys = [...lines.keys()];
  chart.classList.toggle("lit", lines.has(k));
  for (const group of chart.querySelectorAll(".series")) {
    group.classList.toggle("lit", keys[group.dataset.series] === k);
  }
}

function showNumbers() {
  const old = byId("history-numbers").querySelector(".scroll");
  if (old) old.remove();
  byId("history-numbers").append(makeTable(
    `${looked.ranks ? "Ranks" : "Scores"} of the chosen items over time`, [
      ["Time", (t) => past.times[t], "text"],
      ...[...lines.keys()].map((k) => [
        shorten(pastName(k), 40), (t) => told(entries.get(k)[t], looked.ranks), "number"]),
    ], past.times.map((_, t) => t)));
}

function setPast(t) {
  looked.now = Math.min(Math.max(t, 0), past.times.length - 1);
  const slider = byId("history-time");
  slider.value = looked.now;
  slider.setAttribute("aria-valuetext", past.times[looked.now]);
  byId("history-shown").textContent = past.times[looked.now];
  byId("history-about").textContent = past.about[looked.now];
  drawPast(); // which asks for the width, and so comes before the table has to be laid out again
  showTable();
}

function followPointer(event) {
  const frame = byId("history-frame");
  const t = frame.firstChild.placeAt(event.clientX - frame.getBoundingClientRect().left);
  if (t !== looked.now) setPast(t);
}

byId("history-frame").addEventListener("pointerdown", (event) => {
  if (event.button !== 0) return;
  byId("history-frame").setPointerCapture(event.pointerId);
  followPointer(event);
});
byId("history-frame").addEventListener("pointermove", (event) => {
  if (event.buttons & 1) followPointer(event);
});
byId("history-frame").addEventListener("pointerover", (event) => {
  const group = event.target.closest(".series");
  light(group ? [...lines.keys()][group.dataset.series] : null);
});
byId("history-frame").addEventListener("pointerleave", () => light(null));
const rowItem = (event) => {
  const row = event.target.closest("tr");
  return row && row.dataset.item ? +row.dataset.item : null;
};
for (const kind of ["pointerover", "focusin"]) {
  pastTable.tBodies[0].addEventListener(kind, (event) => light(rowItem(event)));
}
for (const kind of ["pointerleave", "focusout"]) {
  pastTable.tBodies[0].addEventListener(kind, () => light(null));
}
byId("history-time").addEventListener("input", () => setPast(+byId("history-time").value));
byId("history-earlier").addEventListener("click", () => setPast(looked.now - 1));
byId("history-later").addEventListener("click", () => setPast(looked.now + 1));
byId("history-find").addEventListener("input", () => {
  looked.find = byId("history-find").value;
  showTable();
});
byId("history-what").addEventListener("change", (event) => {
  looked.ranks = event.target.value === "rank";
  showLines();
});
byId("history-first").addEventListener("click", () => {
  const start = past.start[looked.now], most = Math.min(FIRST, past.start[looked.now + 1] - start);
  lines.clear();
  for (const k of pastColumns.item.subarray(start, start + most)) addLine(k);
  byId("history-said").textContent = "";
  showLines();
});
byId("history-numbers").addEventListener("toggle", () => {
  if (byId("history-numbers").open) showNumbers();
});

const seenLately = past.window === null ? "that had been seen by then"
  : `that were seen in the ${past.window === 1 ? "year" : `${past.window} years`} up to it`;
byId("history-hint").textContent = `At each time, items are ranked ${seenLately}, and zero is the mean of their scores. `
  + (page.point ? "" : `Bands are ${page.certainty} intervals.`);
const kept = [];
if (past.times.length < past.of_times) {
  kept.push(`Of ${whole(past.of_times)} times, ${whole(past.times.length)} that are spread evenly among them can be chosen.`);
}
if (past.followed.length < past.of_items) {
  kept.push(`Of ${whole(past.of_items)} items, the table has the ${whole(past.followed.length)} that ranked highest at some time.`);
}
byId("history-note").textContent = kept.join(" ");
byId("history-first").textContent = `Draw the first ${FIRST} at the time shown`;
byId("ranking-caption").textContent = byId("ranking-caption").textContent.replace(
  "All items", `Items ranked at ${past.times[past.now]}`);
byId("history-time").max = past.times.length - 1;
past.followed.filter((k) => k < count).sort((a, b) => a - b).slice(0, FIRST).forEach(addLine);
setPast(past.now);
showLines();
let pastWidth = 0;
new ResizeObserver(([frame]) => {
  if (frame.contentRect.width === pastWidth) return;
  pastWidth = frame.contentRect.width;
  drawPast();
}).observe(byId("history-frame"));
