"use strict";
// What all parts of the page share: the data, and ways to make elements. Names of items come from
// strangers, so text is only ever set as text, never read as HTML.

const page = JSON.parse(document.getElementById("page-data").textContent);
const byId = (id) => document.getElementById(id);
const count = page.items.length;

// Undo bayesrank/report/arrays.py: base64 of 16-bit numbers, 65535 being 1.
function unpack(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
  return new Uint16Array(bytes.buffer);
}

function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// A name keeps its own direction of writing, and does not turn round the text beside it.
const bdi = (text) => element("bdi", { textContent: text });
const shorten = (text, longest) =>
  Array.from(text).length <= longest ? text : Array.from(text).slice(0, longest - 1).join("") + "…";
const itemName = (k, longest = 60) => bdi(shorten(page.items[k], longest));

const decimals = (value, digits = 2) =>
  value === null ? "–" : value.toFixed(digits).replace(/^-(?=0\.?0*$)/, "").replace("-", "−");
// Draws cannot tell never from seldom.
function percent(p, digits = 1) {
  if (p === null) return "–";
  if (p < 0.001) return "<0.1%";
  if (p > 0.999) return ">99.9%";
  // Half up, as in the terminal; packed probabilities are off by up to 0.00001.
  const unit = 10 ** (digits + 2);
  return `${(100 * Math.floor(p * unit + 0.51) / unit).toFixed(digits)}%`;
}
const whole = (value) => (value === null ? "–" : value.toLocaleString("en"));
const range = (low, high) => (low === high ? whole(low) : `${whole(low)}–${whole(high)}`);

// columns: [heading, row => text or element, "number" or "text"]; the first one names the row.
function makeTable(caption, columns, rows) {
  const table = element("table", {}, element("caption", { textContent: caption }));
  const head = columns.map(([heading, , kind]) =>
    element("th", { scope: "col", className: kind, textContent: heading }));
  const body = rows.map((row) => element("tr", {}, ...columns.map(([, cell, kind], k) => {
    const made = k ? element("td") : element("th", { scope: "row" });
    made.className = kind;
    made.append(cell(row));
    return made;
  })));
  table.append(element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
  // What scrolls must be reached by keys as well.
  return element(
    "div", { className: "scroll", tabIndex: 0, role: "group", "aria-label": caption }, table);
}

// Parts that this fit has nothing to say in.
const has = { draws: !page.point, consensus: page.consensus.length > 0 };
for (const part of document.querySelectorAll("[data-needs]")) {
  if (!has[part.dataset.needs]) part.remove();
}

// Canvas cannot use CSS variables: ask an element that has the colour.
function themeColour(name) {
  const probe = element("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const [red, green, blue] = getComputedStyle(probe).color.match(/[\d.]+/g).map(Number);
  probe.remove();
  return [red, green, blue];
}

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const theme = byId("theme");
const isDark = () =>
  (document.documentElement.dataset.theme || (prefersDark.matches ? "dark" : "light")) === "dark";
function themeChanged() {
  theme.setAttribute("aria-pressed", isDark());
  document.dispatchEvent(new Event("themechange"));
}
theme.hidden = false;
theme.setAttribute("aria-pressed", isDark());
theme.addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  themeChanged();
});
prefersDark.addEventListener("change", themeChanged);
