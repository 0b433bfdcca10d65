"""Judges, features, categories: ``python3 -m benchmarks.judges [--quick] [--only PART ...]``.

``votes`` is how well votes on language models are predicted, ``arena`` how well 1.4 million votes
are described, ``judges`` whether simulated judges are known for what they are, ``style`` whether
the effect of a feature is found, beside arena-rank (extra `bench`), ``speed`` all terms of judges
by NUTS, and ``calibration`` whether true values are where posteriors say. Votes are looked for in
the folder that BAYESRANK_DATA names; without them they are simulated.
"""

import argparse

from benchmarks.judges import arena, calibration, prediction, speed, style, words
from benchmarks.table import print_lines

PARTS = ("votes", "arena", "judges", "style", "speed", "calibration")


def main(arguments=None):
    """Run the parts one after the other, and print what they found."""
    parser = argparse.ArgumentParser(
        prog="python3 -m benchmarks.judges", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART",
                        help=f"some parts: {', '.join(PARTS)}")  # fmt: skip
    parser.add_argument("--n", type=int, help="data sets of judges, style or calibration")
    options = parser.parse_args(arguments)
    quick = options.quick
    if "votes" in options.only:
        print("\nVotes that were not seen", flush=True)
        prediction.run(quick)
    if "arena" in options.only:
        print("\nVotes in the arena")
        print(arena.run(quick).round(6).to_string(index=False))
    if "judges" in options.only:
        print("\nJudges of known kinds, and the words for them")
        print(words.run(options.n or (4 if quick else 50)).to_string())
    if "style" in options.only:
        print("\nThe effect of a feature")
        print(style.run(options.n or (4 if quick else 100)).round(3).to_string(index=False))
    if "speed" in options.only:
        print_lines("NUTS, all terms of judges", speed.nuts(quick))
    if "calibration" in options.only:
        print("\nRanks of true values, by simulation")
        calibration.ranks(options.n or (4 if quick else 200))


if __name__ == "__main__":
    main()
