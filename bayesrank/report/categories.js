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

function nameView(v) {
  const caption = byId("ranking-caption");
  caption.textContent = captionOfAll;
  if (v > 0) caption.append("; category ", viewName(v));
  const name = views.names[v].replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60);
  downloaded = v > 0 ? `ranking-${name}.csv` : "ranking.csv";
}

function setView(v) {
  view = v;
  showRanking(rankingOf(v));
  for (const told of document.querySelectorAll(".about-what")) told.hidden = v === views.now;
  nameView(v);
  const first = Array.from(ranking.rank).indexOf(1);
  const said = v > 0 ? ["In category ", viewName(v)] : ["Over all categories"];
  said.push(", ", itemName(first), " comes first");
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
      [`${page.certainty} interval`, (v) => `${decimals(rankingOf(v).low[k])} to ${decimals(rankingOf(v).high[k])}`, "number"]);
  }
  return element("div", { className: "card" },
    element("h3", { textContent: "In each category" }),
    makeTable("Rank and score in each category", columns, views.names.map((_, v) => v)));
}

// Ranks and pairs are kept for the one ranking that the page starts with.
function aboutWhat(k) {
  const of = views.now > 0 ? ["category ", viewName(views.now)] : ["all categories together"];
  return element("p", { className: "about-what", hidden: view === views.now },
    "Chances of ranks and pairs, here and below, are about ", ...of, `; there it ranks ${whole(page.ranking.rank[k])}.`);
}

itemCards.push(aboutWhat, inCategories);
nameView(view);
views.names.forEach((name, v) => {
  byId("category").append(element("option", { value: v, textContent: shorten(name, 60) }));
});
byId("category").value = view;
byId("category").addEventListener("change", () => setView(+byId("category").value));
byId("category-about").textContent = views.about
  + (views.left_out ? ` ${whole(views.left_out)} categories with fewer results are left out.` : "");
if (page.history) byId("history-hint").append(" All of this panel is about all categories together.");
