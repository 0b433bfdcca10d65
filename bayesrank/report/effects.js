"use strict";
// What features add to scores.

const effectSpread = (row, name) => `${decimals(row[`${name}_low`], 3)} to ${decimals(row[`${name}_high`], 3)}`;
byId("parameters").prepend(
  element("h3", { textContent: "Effects of features" }),
  makeTable("What features add to scores", [
    ["Feature", (row) => bdi(row.name), "text"],
    ...["per_unit", "per_sd"].flatMap((name) => [
      [name === "per_unit" ? "One unit more" : "One sd more", (row) => decimals(row[name], 3), "number"],
      ...(page.point ? [] : [[`${page.certainty} interval`, (row) => effectSpread(row, name), "number"]]),
    ]),
    ["In words", (row) => row.words, "text"],
  ], page.effects));
