"""Scores that move, beside peers: ``python3 -m benchmarks.moving [--quick] [--only PART ...]``.

``prediction`` is how well the next season is predicted, ``modes`` how long the mode takes beside
kickscore and TrueSkill Through Time (extra `bench`), ``nuts`` a decade of monthly tennis by NUTS,
``growth`` how time grows with states and rows, ``ranks`` and ``coverage`` whether true values are
where posteriors say. Football and tennis are looked for in the folder
that BAYESRANK_DATA names; without them matches are simulated.
"""

import argparse
import json

from benchmarks.moving import calibration, prediction, speed
from benchmarks.table import print_lines

PARTS = ("prediction", "modes", "nuts", "growth", "ranks", "coverage")


def main(arguments=None):
    """Run the parts one after the other, and print what they found."""
    parser = argparse.ArgumentParser(
        prog="python3 -m benchmarks.moving", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART",
                        help=f"some parts: {', '.join(PARTS)}; modes needs prediction")  # fmt: skip
    parser.add_argument("--n", type=int, help="data sets of ranks and coverage, 300 by default")
    parser.add_argument("--decade", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.decade:
        print(json.dumps(speed.decade(options.quick)))
        return
    if "modes" in options.only and "prediction" not in options.only:
        parser.error("modes takes the peers' times from prediction: give both.")
    seconds = {}
    if "prediction" in options.only:
        table, seconds = prediction.run(options.quick)
        print(table.round(4).to_string(index=False))
    if "modes" in options.only:
        print_lines("Modes", speed.modes(options.quick, seconds))
    if "nuts" in options.only:
        print_lines("NUTS", speed.nuts(options.quick))
    if "growth" in options.only:
        print_lines("Exponent of time against size", speed.growth(options.quick))
    for part in ("ranks", "coverage"):
        if part in options.only:
            print(f"\n{part} of true values, by simulation")
            getattr(calibration, part)(options.n or (4 if options.quick else 300))


if __name__ == "__main__":
    main()
