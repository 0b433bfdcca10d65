"use strict";
// Lines over time: ticks at round numbers, bands, and names at the ends of lines.

// Numbers between two ends at round steps, at most about so many: [number, text].
function roundTicks(low, high, most) {
  const rough = (high - low) / Math.max(most, 1) || 1, unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * unit).find((s) => s >= rough * (1 - 1e-9));
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), ticks = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
    ticks.push([k * step, decimals(k * step, digits)]);
  }
  return ticks;
}

// Every rank, or 1 and the multiples of 5, 10 and so on that find room.
function rankTicks(last, room) {
  const step = [1, 5, 10, 20, 50, 100, 200, 500].find((s) => (room / last) * s >= 20) || 1000;
  const ticks = [];
  for (let rank = 1; rank <= last; rank = step * (Math.floor(rank / step) + 1)) ticks.push([rank, whole(rank)]);
  return ticks;
}

// Starts of days, months or years: the finest of which so many as there are find room.
function dateTicks(low, high, width) {
  const day = 86400000, month = (time) => 12 * new Date(time).getUTCFullYear() + new Date(time).getUTCMonth();
  const startOf = (k) => new Date(0).setUTCFullYear(Math.floor(k / 12), k % 12, 1);
  const days = (step) => [step, Math.floor(low / day), Math.floor(high / day), (k) => k * day, 10];
  const months = (step) => [step, month(low), month(high), startOf, step < 12 ? 7 : 4];
  const rules = [...[1, 2, 7, 14].map(days), ...[1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200].map(months)];
  // An ISO date has 4, 7 or 10 letters, of 7 pixels each.
  const [step, from, to, timeOf, letters] =
    rules.find(([step, from, to, , letters]) => (to - from) / step <= width / (7 * letters + 10)) || rules.at(-1);
  const ticks = [];
  for (let k = Math.ceil(from / step) * step; k <= to; k += step) {
    const time = timeOf(k);
    if (time >= low && time <= high) ticks.push([time, new Date(time).toISOString().slice(0, letters)]);
  }
  return ticks;
}

// Places at least so far apart and between two ends, as near to the wanted ones as can be; those
// that would be too near move away from each other alike.
function spreadOut(wanted, apart, top, bottom) {
  const order = wanted.map((_, k) => k).sort((a, b) => wanted[a] - wanted[b]), pools = [];
  order.forEach((k, j) => {
    pools.push({ mean: wanted[k] - j * apart, size: 1 });
    while (pools.length > 1 && pools.at(-2).mean >= pools.at(-1).mean) {
      const last = pools.pop(), before = pools.at(-1), size = before.size + last.size;
      before.mean = (before.mean * before.size + last.mean * last.size) / size;
      before.size = size;
    }
  });
  const most = Math.max(top, bottom - (wanted.length - 1) * apart), places = [];
  let j = 0;
  for (const { mean, size } of pools) {
    for (let n = 0; n < size; n++, j++) {
      places[order[j]] = Math.min(Math.max(mean, top), most) + j * apart;
    }
  }
  return places;
}

// Runs of times at which there is something, as lists of positions; a line is broken between.
function runs(points) {
  const found = [];
  points.forEach((point, t) => {
    if (!point) return;
    if (t && points[t - 1]) found.at(-1).push(t);
    else found.push([t]);
  });
  return found;
}

const path = (corners) => `M${corners.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}`;

// series: [{ name, colour, points: for each time null or { middle, low, high, words } }]
function drawLines(series, { width, height, places, dates, now, ranks, words }) {
  pen.font = `600 ${font}`; // as wide as names are drawn
  const longest = Math.max(0, ...series.map(({ name }) => pen.measureText(name.slice(0, 80)).width));
  const right = Math.ceil(Math.min(longest + 2, width * 0.27)) + 16, top = 12, bottom = 24;
  const chart = svg("svg", {
    class: "chart lines", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words,
  });
  const write = (text, attributes) => {
    const made = svg("text", attributes);
    made.textContent = text;
    chart.append(made);
  };
  // Scores grow upwards; of ranks, 1 is at the top.
  const all = series.flatMap(({ points }) => points.filter(Boolean));
  const values = all.flatMap(({ middle, low, high }) => (low === null ? [middle] : [low, high]));
  let [from, to] = values.length ? [Math.min(...values), Math.max(...values)] : [0, 1];
  const slack = ranks ? 0.5 : 0.04 * (to - from) || 1;
  [from, to] = ranks ? [1 - slack, to + slack] : [from - slack, to + slack];
  const share = (value) => (ranks ? (value - from) / (to - from) : (to - value) / (to - from));
  const y = (value) => top + (height - top - bottom) * share(value);
  const levels = ranks ? rankTicks(to, height - top - bottom) : roundTicks(from, to, height / 45);
  const left = 10 + Math.ceil(Math.max(...levels.map(([, text]) => pen.measureText(text).width)));
  const [first, last] = [places[0], places.at(-1)], inner = width - left - right - 16;
  const x = (place) => left + 8 + (inner * (place - first)) / (last - first || 1), end = width - right;
  for (const [value, text] of levels) {
    const kind = !ranks && Math.abs(value) < 1e-9 ? "zero" : "grid";
    chart.append(svg("line", { class: kind, x1: left, x2: end, y1: y(value), y2: y(value) }));
    write(text, { x: left - 6, y: y(value) + 4, "text-anchor": "end" });
  }
  const ticks = dates ? dateTicks(first, last, inner) : roundTicks(first, last, inner / 60);
  for (const [place, text] of ticks) {
    chart.append(svg("line", { class: "axis", x1: x(place), x2: x(place), y1: height - bottom, y2: height - bottom + 4 }));
    write(text, { x: x(place), y: height - 6, "text-anchor": "middle" });
  }
  chart.append(svg("line", { class: "axis", x1: left, x2: end, y1: height - bottom, y2: height - bottom }));
  const marker = x(places[now]);
  chart.append(svg("line", { class: "now", x1: marker, x2: marker, y1: top, y2: height - bottom }));
  const dotted = inner / places.length >= 14;
  const ends = series.map(({ points }) => points.findLastIndex(Boolean));
  const named = spreadOut(
    series.map(({ points }, k) => (ends[k] < 0 ? height / 2 : y(points[ends[k]].middle))), 15, top + 4, height - bottom - 4);
  series.forEach(({ name, colour, points }, k) => {
    const group = svg("g", { class: `series ${colour}`, "data-series": k });
    for (const run of runs(points)) {
      const along = (key) => run.map((t) => [x(places[t]), y(points[t][key])]);
      if (points[run[0]].low !== null) {
        group.append(run.length > 1
          ? svg("path", { class: "band", d: `${path([...along("high"), ...along("low").reverse()])}Z` })
          : svg("path", { class: "whisker", d: path([...along("high"), ...along("low")]) }));
      }
      group.append(svg("path", { class: "line", d: path(along("middle")) }));
      for (const t of run) {
        if (!dotted && run.length > 1 && t !== now) continue;
        const dot = svg("circle", { cx: x(places[t]), cy: y(points[t].middle), r: t === now ? 5 : 2.5 }, svg("title"));
        dot.firstChild.textContent = `${name}, ${points[t].words}`;
        group.append(dot);
      }
    }
    if (ends[k] >= 0) {
      const from = [x(places[ends[k]]), y(points[ends[k]].middle)], to = [end + 8, named[k]];
      if (Math.hypot(to[0] - from[0], to[1] - from[1]) > 22) group.append(svg("path", { class: "leader", d: path([from, to]) }));
      const text = svg("text", { class: "name", x: end + 12, y: named[k] + 4 }, fitted(name, right - 14));
      group.append(text);
    }
    chart.append(group);
  });
  chart.placeAt = (offset) => {
    const distance = places.map((place) => Math.abs(x(place) - offset));
    return distance.indexOf(Math.min(...distance));
  };
  return chart;
}
