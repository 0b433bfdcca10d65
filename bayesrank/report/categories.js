"use strict";
// Scores that differ between categories: the ranking of the category that is chosen.

const views = page.categories, inView = new Map([[views.now, page.ranking]]);
const captionOfAll = byId("ranking-caption").textContent;
let view = views.now;

function rankingOf(v) {
  if (!inView.has(v)) {
    inView.set(v, Object.fromEntries(Object.entries(views.rankings[v]).map(
      ([name, text]) => [name, new Float32Array(unpack(text).buffer)])));
  }
  return inView.get(v);
}

const viewName = (v) => bdi(shorten(views.names[v], 60));

function setView(v) {
  view = v;
  showRanking(rankingOf(v));
  const caption = byId("ranking-caption"), first = Array.from(ranking.rank).indexOf(1);
  caption.textContent = captionOfAll;
  if (v > 0) caption.append("; category ", viewName(v));
  downloaded = v > 0 ? `ranking-${views.names[v].replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}.csv` : "ranking.csv";
  const said = [v > 0 ? "In " : "Over ", v > 0 ? viewName(v) : "all categories", ", ", itemName(first), " comes first"];
  if (!page.point) said.push(`; it is truly the best there with probability ${percent(ranking.p_best[first])}`);
  byId("category-said").replaceChildren(...said, ".");
}

function inCategories(k) {
  const columns = [
    ["Category", (v) => viewName(v), "text"],
    ["Rank", (v) => whole(rankingOf(v).rank[k]), "number"],
    ["Score", (v) => decimals(rankingOf(v).score[k]), "number"],
  ];
  if (!page.point) {
    columns.push(
      [`${page.certainty} interval`, (v) => `${decimals(rankingOf(v).low[k])} to ${decimals(rankingOf(v).high[k])}`, "number"],
      ["P(best)", (v) => percent(rankingOf(v).p_best[k]), "number"]);
  }
  const rest = views.now > 0 ? viewName(views.now) : "all categories together";
  return element("div", { className: "card" },
    element("h3", { textContent: "In each category" }),
    makeTable("Rank and score in each category", columns, views.names.map((_, v) => v)),
    element("p", { className: "hint" }, "What else is said of the item here is about ", rest, "."));
}

itemCards.push(inCategories);
views.names.forEach((name, v) => {
  byId("category").append(element("option", { value: v, textContent: shorten(name, 60) }));
});
byId("category").value = view;
byId("category").addEventListener("change", () => setView(+byId("category").value));
byId("category-about").textContent = views.about
  + (views.left_out ? ` ${whole(views.left_out)} categories with fewer results are left out.` : "");
