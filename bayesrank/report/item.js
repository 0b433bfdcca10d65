"use strict";
// What is known of one item: how its rank is distributed, its neighbours, its equals.

const win = unpack(page.pairs.win), paired = page.pairs.size;
const above = page.pairs.above && unpack(page.pairs.above);
const rankValues = page.ranks && unpack(page.ranks.values);
const rankStart = [0];
if (page.ranks) for (const size of page.ranks.count) rankStart.push(rankStart.at(-1) + size);

const winOf = (a, b) => win[a * paired + b] / 65535;
const tieOf = (a, b) => Math.max(0, 1 - winOf(a, b) - winOf(b, a));
const aboveOf = (a, b) => above[a * paired + b] / 65535;

// [{low, high, p}], one per rank, or with very many items one per group of ranks.
function rankDistribution(k) {
  const { width, first } = page.ranks;
  return Array.from(rankValues.subarray(rankStart[k], rankStart[k + 1]), (value, j) => {
    const low = (first[k] + j) * width + 1;
    return { low, high: Math.min(low + width - 1, count), p: value / 65535 };
  });
}

function rankChart(k, room) {
  const bars = rankDistribution(k);
  const likeliest = bars.reduce((a, b) => (b.p > a.p ? b : a));
  const words = `Most likely rank ${range(likeliest.low, likeliest.high)} (${percent(likeliest.p)}); `
    + `with ${page.certainty} probability ${whole(page.ranking.rank_low[k])} to ${whole(page.ranking.rank_high[k])}. `
    + `For all items at once: ${range(page.ranking.joint_low[k], page.ranking.joint_high[k])}, `
    + `or ${range(page.ranking.all_low[k], page.ranking.all_high[k])} to be safe whatever the true scores are.`;
  const width = Math.max(240, Math.min(room, 320)), height = 150, bottom = 20, top = 16;
  const step = Math.min((width - 8) / bars.length, 44), gap = step > 5 ? 2 : 0;
  const chart = svg("svg", {
    class: "chart", width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": `Probability of each rank. ${words}`,
  });
  // Labels keep 34 pixels apart.
  const every = Math.ceil(34 / step);
  bars.forEach((bar, j) => {
    const size = ((height - bottom - top) * bar.p) / likeliest.p, x = 4 + j * step;
    const inside = bar.high >= page.ranking.rank_low[k] && bar.low <= page.ranking.rank_high[k];
    const rect = svg("rect", {
      class: inside ? "inside" : "outside", x, y: height - bottom - size,
      width: Math.max(step - gap, 0.5), height: size,
    }, svg("title"));
    rect.firstChild.textContent = `rank ${range(bar.low, bar.high)}: ${percent(bar.p)}`;
    chart.append(rect);
    if (j % every === 0) {
      const text = svg("text", { x: x + (step - gap) / 2, y: height - 5, "text-anchor": "middle" });
      text.textContent = whole(bar.low);
      chart.append(text);
    }
    if (bar === likeliest) {
      const centre = Math.min(Math.max(x + step / 2, 20), width - 20);
      const text = svg("text", { x: centre, y: height - bottom - size - 4, "text-anchor": "middle" });
      text.textContent = percent(bar.p);
      chart.append(text);
    }
  });
  chart.append(svg("line", { class: "axis", x1: 0, x2: width, y1: height - bottom, y2: height - bottom }));
  const numbers = element("details", {}, element("summary", { textContent: "The same in numbers" }));
  // Made when it is opened: hundreds of rows that few will look at.
  numbers.addEventListener("toggle", () => {
    if (numbers.open && !numbers.querySelector("table")) {
      numbers.append(makeTable("Probability of each rank", [
        ["Rank", (bar) => range(bar.low, bar.high), "number"],
        ["Probability", (bar) => percent(bar.p), "number"],
      ], bars));
    }
  });
  return element("div", { className: "card" },
    element("h3", { textContent: "Probability of each rank" }),
    element("p", { textContent: words }), chart, numbers);
}

function neighbours(k) {
  const reach = 3;
  let from = Math.max(0, Math.min(k - reach, paired - 1 - 2 * reach));
  const others = [];
  for (let j = from; j < paired && others.length < 2 * reach; j++) if (j !== k) others.push(j);
  const columns = [
    ["Neighbour", (j) => element("span", {}, `${whole(page.ranking.rank[j])}. `, itemName(j, 40)), "text"],
    ["Beats it", (j) => percent(winOf(k, j)), "number"],
  ];
  if (above) columns.push(["Truly better", (j) => percent(aboveOf(k, j)), "number"]);
  return element("div", { className: "card" },
    element("h3", { textContent: "Next to it" }),
    makeTable(`How likely it beats each neighbour${above ? ", and is truly better" : ""}`, columns, others));
}

function equals(k) {
  const same = [], { sure } = page.pairs;
  for (let j = 0; j < paired; j++) {
    if (j !== k && above[k * paired + j] < sure && above[j * paired + k] < sure) same.push(j);
  }
  const made = element("div", { className: "card" },
    element("h3", { textContent: "Cannot be told apart from it" }));
  const among = paired < count ? ` of the first ${whole(paired)}` : "";
  if (!same.length) {
    made.append(element("p", {
      textContent: `None${among}: its order to every other is at least ${page.certainty} certain.` }));
    return made;
  }
  const shown = 12, list = (items) => element("ul", { className: "names" },
    ...items.map((j) => element("li", {}, itemName(j, 40))));
  made.append(element("p", { textContent:
    `${whole(same.length)} ${same.length === 1 ? "other" : "others"}${among}: neither order is ${page.certainty} certain.` }));
  made.append(list(same.slice(0, shown)));
  if (same.length > shown) {
    const rest = element("details", {},
      element("summary", { textContent: `${whole(same.length - shown)} more` }));
    rest.append(list(same.slice(shown)));
    made.append(rest);
  }
  return made;
}

// What other parts of the page say of an item.
const itemCards = [];

function itemDetail(k, room) {
  const made = element("div", { className: "detail-body" });
  made.setAttribute("role", "group");
  made.setAttribute("aria-label", `Details of ${shorten(page.items[k], 60)}`);
  if (page.ranks) made.append(rankChart(k, room - 40));
  if (k < paired) {
    made.append(neighbours(k));
    if (above) made.append(equals(k));
  } else {
    made.append(element("p", { className: "card",
      textContent: `Pairs are kept for the first ${whole(paired)} items only.` }));
  }
  made.append(...itemCards.map((card) => card(k)));
  return made;
}
