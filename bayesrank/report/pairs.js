"use strict";
// The matrix of pairs: a cell for each, rows and columns in the order of ranks.

const canvas = byId("matrix"), pen = canvas.getContext("2d");
const cells = document.createElement("canvas");
const chosen = { a: 0, b: Math.min(1, paired - 1), what: "win" };
const shape = { left: 0, top: 0, cell: 1, named: false };
const MARGIN = 14, RANKS = 34; // room for half a number at the right, and for ranks at the left
const font = `12px ${getComputedStyle(document.body).fontFamily}`;
const colours = { scale: null, ink: "", quiet: "" };

const probability = (a, b) => (chosen.what === "above" ? aboveOf(a, b) : winOf(a, b));
// Colours show who is ahead, so that they are even where chances are, with ties as without.
const lead = (a, b) => 0.5 + (probability(a, b) - probability(b, a)) / 2;
const css = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;
const mix = (from, to, t) => from.map((value, k) => Math.round(value + (to[k] - value) * t));

function colourScale() {
  const [low, middle, high] = ["b-wins", "even", "a-wins"].map(themeColour);
  return (p) => (p < 0.5 ? mix(middle, low, 1 - 2 * p) : mix(middle, high, 2 * p - 1));
}

// One dot a cell, which is then stretched: 500 by 500 cells are drawn at once.
function paintCells() {
  const scale = (colours.scale = colourScale()), blank = themeColour("page");
  colours.ink = css(themeColour("ink"));
  colours.quiet = css(themeColour("quiet"));
  const shades = Array.from({ length: 256 }, (_, k) => scale(k / 255));
  cells.width = cells.height = paired;
  const image = cells.getContext("2d").createImageData(paired, paired);
  for (let a = 0, at = 0; a < paired; a++) {
    for (let b = 0; b < paired; b++, at += 4) {
      image.data.set(a === b ? blank : shades[Math.round(255 * lead(a, b))], at);
      image.data[at + 3] = 255;
    }
  }
  cells.getContext("2d").putImageData(image, 0, 0);
  const legend = byId("legend"), ink = legend.getContext("2d");
  for (let x = 0; x < legend.width; x++) {
    ink.fillStyle = css(scale(x / (legend.width - 1)));
    ink.fillRect(x, 0, 1, legend.height);
  }
}

function fitted(text, room) {
  if (pen.measureText(text).width <= room) return text;
  let letters = Array.from(text).slice(0, 80);
  while (letters.length && pen.measureText(letters.join("") + "…").width > room) letters.pop();
  return letters.join("") + "…";
}

function layOut() {
  const room = Math.min(byId("matrix-frame").clientWidth, 680);
  const named = (room * 0.7) / paired >= 13;
  pen.font = font;
  // Of many names none is drawn, so few are measured.
  const widest = named ? Math.max(...page.items.map((name) => pen.measureText(name.slice(0, 80)).width)) : 0;
  shape.left = Math.ceil(Math.min(widest + (named ? 10 : 0), room * 0.26)) + RANKS;
  shape.top = 20;
  shape.cell = Math.min((room - shape.left - MARGIN) / paired, 64);
  const size = shape.cell * paired, width = shape.left + size + MARGIN, height = shape.top + size + 2;
  const dense = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * dense);
  canvas.height = Math.round(height * dense);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  pen.setTransform(dense, 0, 0, dense, 0, 0);
  shape.named = named;
}

function draw() {
  const { left, top, cell, named } = shape, size = cell * paired;
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingEnabled = cell < 1;
  pen.drawImage(cells, left, top, size, size);
  const { ink, quiet } = colours;
  pen.font = font;
  pen.textBaseline = "middle";
  // Ranks where there is room for them.
  const step = [1, 2, 5, 10, 20, 50, 100].find((s) => s * cell >= 32) || 200;
  for (let k = 0; k < paired; k++) {
    const middle = (k + 0.5) * cell, ranked = k === 0 || (k + 1) % step === 0;
    pen.fillStyle = quiet;
    if (ranked) {
      pen.textAlign = "center";
      pen.fillText(k + 1, left + middle, top - 9);
      pen.textAlign = "right";
      pen.fillText(k + 1, left - 5, top + middle);
    }
    if (named) {
      pen.textAlign = "right";
      pen.fillStyle = ink;
      pen.fillText(fitted(page.items[k], left - RANKS), left - RANKS, top + middle);
    }
  }
  byId("legend-numbers").textContent = cell >= 34 ? "Numbers: the probability in percent" : "";
  if (cell >= 34) drawNumbers();
  const thick = 2, reach = Math.max(cell, 4);
  const x = left + (chosen.b + 0.5) * cell, y = top + (chosen.a + 0.5) * cell;
  pen.strokeStyle = ink;
  pen.lineWidth = thick;
  pen.strokeRect(x - reach / 2, y - reach / 2, reach, reach);
  if (cell < 10) {
    // A small cell is found by its cross hairs.
    pen.lineWidth = 0.5;
    pen.strokeRect(left, y, size, 0);
    pen.strokeRect(x, top, 0, size);
  }
}

// Black or white, whichever has more contrast (relative luminance as in WCAG 2).
function inkOn(shade) {
  const [red, green, blue] = shade.map((c) => ((c / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000" : "#fff";
}

function drawNumbers() {
  pen.textAlign = "center";
  for (let a = 0; a < paired; a++) {
    for (let b = 0; b < paired; b++) {
      if (a === b) continue;
      pen.fillStyle = inkOn(colours.scale(lead(a, b)));
      const text = String(Math.round(100 * probability(a, b)));
      pen.fillText(text, shape.left + (b + 0.5) * shape.cell, shape.top + (a + 0.5) * shape.cell);
    }
  }
}

function choose(a, b) {
  const inside = (k) => Math.min(Math.max(k, 0), paired - 1);
  chosen.a = inside(a);
  chosen.b = inside(b);
  byId("pair-a").value = chosen.a;
  byId("pair-b").value = chosen.b;
  byId("readout").replaceChildren(...sentence(chosen.a, chosen.b));
  draw();
}

function sentence(a, b) {
  if (a === b) return [itemName(a), " and itself: choose another item."];
  const tie = tieOf(a, b);
  const ties = tie > 0.0005 ? ` (tie ${percent(tie)})` : "";
  const parts = page.pairs.preference
    ? ["An agent who follows the scores prefers ", itemName(a), " to ", itemName(b), " with "]
    : [itemName(a), " beats ", itemName(b), " with "];
  parts.push(element("strong", { textContent: percent(winOf(a, b)) }), ties);
  if (above) {
    parts.push("; ", itemName(a), " is truly better with ",
      element("strong", { textContent: percent(aboveOf(a, b)) }));
  }
  return [...parts, "."];
}

function cellAt(event) {
  const box = canvas.getBoundingClientRect();
  const at = (position, start) => Math.floor((position - start) / shape.cell);
  const a = at(event.clientY - box.top, shape.top), b = at(event.clientX - box.left, shape.left);
  return a >= 0 && b >= 0 && a < paired && b < paired ? [a, b] : null;
}

canvas.addEventListener("pointermove", (event) => {
  const cell = cellAt(event);
  if (cell && (cell[0] !== chosen.a || cell[1] !== chosen.b)) choose(...cell);
});
canvas.addEventListener("pointerdown", (event) => {
  const cell = cellAt(event);
  if (cell) choose(...cell);
});
canvas.addEventListener("keydown", (event) => {
  const { a, b } = chosen;
  const to = {
    ArrowUp: [a - 1, b], ArrowDown: [a + 1, b], ArrowLeft: [a, b - 1], ArrowRight: [a, b + 1],
    PageUp: [a - 10, b], PageDown: [a + 10, b], Home: [a, 0], End: [a, paired - 1],
  }[event.key];
  if (!to || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  choose(...to);
});

for (const id of ["pair-a", "pair-b"]) {
  for (let k = 0; k < paired; k++) {
    const text = `${k + 1}. ${shorten(page.items[k], 60)}`;
    byId(id).append(element("option", { value: k, textContent: text }));
  }
  byId(id).addEventListener("change", () => choose(+byId("pair-a").value, +byId("pair-b").value));
}
byId("pair-form").addEventListener("submit", (event) => event.preventDefault());
byId("pair-form").addEventListener("change", (event) => {
  if (event.target.name !== "what") return;
  chosen.what = event.target.value;
  repaint();
});

function repaint() {
  paintCells();
  layOut();
  draw();
}
document.addEventListener("themechange", repaint);
let width = 0;
new ResizeObserver(([frame]) => {
  if (frame.contentRect.width === width) return;
  width = frame.contentRect.width;
  layOut();
  draw();
}).observe(byId("matrix-frame"));

const about = ["Each row is compared with each column; both are in the order of their ranks."];
if (page.pairs.neutral) about.push("The order effect is left out: neither item is the left one.");
if (page.point) about.push("The numbers are those at a single point, without uncertainty.");
if (paired < count) {
  about.push(`Of ${whole(count)} items, pairs are kept for the first ${whole(paired)} only.`);
}
byId("pairs-hint").textContent = about.join(" ");
paintCells();
layOut();
choose(chosen.a, chosen.b);
