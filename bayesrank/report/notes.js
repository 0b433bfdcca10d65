"use strict";
// Everything below the pictures: data, model, diagnostics, consensus, and how the page was made.

function describe(list, pairs) {
  for (const [heading, text] of pairs) {
    list.append(element("dt", { textContent: heading }), element("dd", { textContent: text }));
  }
}

function listItems(list, texts) {
  list.append(...texts.map((text) => element("li", { textContent: text })));
}

describe(byId("facts"), page.facts);
describe(byId("made-list"), page.made);

byId("model-words").append(
  element("strong", { textContent: `${page.model.name}. ` }), page.model.words);
byId("model-formula").textContent = page.model.text;
listItems(byId("priors"), page.model.priors);

const spread = (low, high) => (low === null ? "–" : `${decimals(low, 3)} to ${decimals(high, 3)}`);
const intervalColumn = (low, high) =>
  page.point ? [] : [[`${page.certainty} interval`, (row) => spread(row[low], row[high]), "number"]];

if (page.parameters.length) {
  byId("parameters").append(element("h3", { textContent: "Parameters" }), makeTable(
    "Parameters that belong to no single item",
    [
      ["Parameter", (row) => element("code", {}, bdi(row.name)), "text"],
      ["What it is", (row) => row.meaning, "text"],
      [page.point ? "Value" : "Mean", (row) => decimals(row.mean, 3), "number"],
      ...intervalColumn("low", "high"),
    ],
    page.parameters));
}
if (page.agents) {
  const how = page.agents.learned ? "learned" : "given";
  byId("agents").append(
    element("h3", { textContent: "Adherence of agents" }),
    element("p", { textContent: `From 0 (prefers at random) to 1 (follows the scores), ${how}.`
      + (page.agents.left_out ? ` ${whole(page.agents.left_out)} agents between are left out.` : "") }),
    makeTable("Agents, the most faithful first", [
      ["Agent", (row) => bdi(row.name), "text"],
      ["Adherence", (row) => decimals(row.adherence, 3), "number"],
      ...intervalColumn("low", "high"),
      ["Ballots", (row) => whole(row.ballots), "number"],
    ], page.agents.rows));
}
if (page.variances) {
  const how = page.variances.learned ? "learned" : "given";
  const left = count - page.variances.rows.length;
  byId("variances").append(
    element("h3", { textContent: "Variance of items" }),
    element("p", { textContent: `A small variance means that agents agree on the item; ${how}.`
      + (left ? ` The last ${whole(left)} items are left out.` : "") }),
    makeTable("Items in the order of their ranks", [
      ["Item", (row) => bdi(row.name), "text"],
      ["Variance", (row) => decimals(row.variance, 3), "number"],
      ...intervalColumn("variance_low", "variance_high"),
      ["Ballots", (row) => whole(row.ballots), "number"],
    ], page.variances.rows));
}

// What the data leave to the prior is to be read as well, but then nothing is wrong with the draws.
const trust = page.diagnostics, said = trust.messages.length > 0;
const clear = trust.checked ? "✓ No problem was found" : "○ There are no chains to check";
byId("verdict").textContent = !trust.ok
  ? "▲ Something was found; read this before you rely on the numbers."
  : `${clear}${said ? ", but the data leave something open" : ""}.`;
byId("verdict").classList.add(!trust.ok ? "bad" : trust.checked && !said ? "good" : "open");
byId("summary").textContent = trust.summary;
listItems(byId("messages"), trust.messages);
if (said) {
  byId("warning").hidden = false;
  byId("warning").append(
    trust.ok ? "○ Some distances come from the prior. " : "▲ The draws may not be good enough. ",
    element("a", { href: "#trust", textContent: "See the diagnostics." }));
}
byId("method").textContent = page.method;

for (const found of page.consensus) {
  const loss = found.expected_loss.toLocaleString("en", { maximumSignificantDigits: 5 });
  const most = found.gap > 0 ? `, at most ${found.gap.toPrecision(2)} above the smallest` : "";
  const made = element("div", { className: "card" },
    element("h3", { textContent: found.words }),
    element("p", { className: "verdict",
      textContent: `Expected loss ${loss} (${found.unit})${most}` }),
    element("p", { className: "hint", textContent: found.proof }));
  const names = (order) => element("ol", {}, ...order.map((k) => element("li", {}, itemName(k))));
  if (found.same) {
    made.append(element("p", { textContent: "The same order as in the table." }));
  } else {
    made.append(names(found.order.slice(0, 5)));
    if (found.order.length > 5) {
      const rest = element("ol", { start: 6 }, ...found.order.slice(5).map((k) => element("li", {}, itemName(k))));
      const left = count - found.order.length;
      const more = element("details", {}, element("summary", { textContent: "The rest of the order" }), rest);
      if (left) more.append(element("p", { textContent: `The last ${whole(left)} are left out.` }));
      made.append(more);
    }
  }
  byId("consensus-list").append(made);
}
