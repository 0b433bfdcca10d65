"""Every option does something, or is refused: a table of options and what they change.

Each row of a table has a call without the option and what is added to it. Either the result
differs, or the option is refused where it would do nothing.
"""

import inspect
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bayesrank as br
from bayesrank.cli.arguments import build_parser
from bayesrank.cli.commands import main
from tests.judged_votes import votes_by_judges

GAMES = pd.DataFrame(
    [
        ["x", "y", "left", "x", "y", 2, "p", 1, 2, 1, 0, "2020-01-01", 0.5],
        ["y", "z", "right", "z", "y", 1, "q", 1, 1, 0, 1, "2020-02-01", -1.0],
        ["z", "x", "nil", "x", "z", 3, "p", 2, 0, 2, 2, "2021-01-01", 2.0],
        ["X", "z", "left", "X", "z", 1, "q", 2, 1, 1, 0, "2021-01-01", 1.0],
    ],
    columns=[
        "left", "right", "outcome", "w", "l", "n", "who", "q", "wins", "losses", "ties", "date",
        "f",
    ],
)  # fmt: skip
SURE = GAMES.assign(outcome=["left", "right", "tie", "left"]).iloc[:3]
RACES = pd.DataFrame(
    [
        [1, "x", 1, "p", 2, 0.3, 1, 5, 2020.1], [1, "y", 2, "p", 2, 0.1, 1, 4, 2020.1],
        [1, "z", 3, "p", 2, 0.9, 1, 1, 2020.1],
        [2, "y", 1, "q", 1, 0.4, 2, 5, 2020.4], [2, "x", 2, "q", 1, 0.2, 2, 3, 2020.4],
    ],
    columns=["group", "item", "rank", "who", "n", "f", "q", "stars", "year"],
)  # fmt: skip
LISTS = [["x", "y", "z"], ["y", "x"]]
PREFERENCES = [[("a", "b")], [("b", "a"), ("b", "c")]]
C, R = br.Comparisons, br.Rankings
ALL_GAMES = C.from_counts(GAMES.iloc[:3], agent="who", instance="q", category="who")
ALL_RACES = R.from_frame(RACES, agent="who", category="who", time="year")
JUDGED_RACES = R.from_frame(RACES, agent="who", instance="q", category="who")

# By constructor: the arguments without the options, and each option that is added to them.
CONSTRUCTORS = {
    "Comparisons.from_frame": (C.from_frame, (SURE,), {}, {
        "left": "right", "right": "w", "outcome": ("wins", "losses"), "weight": "n",
        "agent": "who", "instance": "q", "winner": "w", "loser": "l", "tie_value": "left",
        "fold_names": True, "time": "date", "every": "year", "category": "who",
        "features": {"f": "f", "more": ("n", "q")},
    }),
    "Comparisons.from_counts": (C.from_counts, (GAMES.iloc[:3],), {}, {
        "left": "w", "right": "l", "wins": "n", "losses": "n", "ties": "n", "agent": "who",
        "instance": "q", "duplicates": "error", "fold_names": True, "time": "date",
        "every": "year", "category": "who", "features": ["f"], "both_bad": "n",
    }),
    "Comparisons.from_matrix": (C.from_matrix, ([[0, 3], [1, 0]], ["x", "y"]), {}, {
        "items": ["y", "x"], "ties": [[0, 1], [1, 0]],
    }),
    "Rankings.from_frame": (R.from_frame, (RACES,), {"unranked": "not offered"}, {
        "group": "who", "item": "who", "rank": "n", "agent": "who", "weight": "n",
        "features": ["f"],
        "unranked": "below", "instance": "q", "fold_names": True, "close_gaps": True,
        "time": "year", "every": 1.0, "category": "who",
    }),
    "Rankings.from_ratings": (R.from_ratings, (RACES, "who", "item", "stars"), {}, {
        "agent": "q", "item": "f", "rating": "rank", "features": ["f"], "weight": "n",
        "instance": "q", "fold_names": True, "time": "year", "every": 1.0, "category": "q",
    }),
    "Rankings.from_lists": (R.from_lists, (LISTS,), {}, {
        "weights": [1, 2], "items": list("wxyz"), "unranked": "below", "agents": ["p", "q"],
        "names": ["a", "b"], "instances": [1, 2], "times": [2019, 2020.5], "every": 2.0,
        "categories": ["s", "t"],
    }),
    "Rankings.from_matrix": (R.from_matrix, ([[1, 2, 3], [2, 1, np.nan]], ["x", "y", "z"]), {}, {
        "items": ["a", "b", "c"], "weights": [1, 2], "agents": ["p", "q"], "names": ["a", "b"],
        "unranked": "below", "instances": [1, 2], "categories": ["s", "t"],
    }),
    "Rankings.from_preferences": (R.from_preferences, (PREFERENCES,), {}, {
        "items": list("abc"), "weights": [1, 2], "agents": ["p", "q"], "names": ["a", "b"],
    }),
    "Comparisons.subset": (ALL_GAMES.subset, (), {}, {
        "items": ["x", "y"], "agents": ["p"], "instances": [1], "categories": ["p"],
        "min_count": 4,
    }),
    "Rankings.subset": (JUDGED_RACES.subset, (), {}, {
        "items": ["x", "y"], "agents": ["p"], "instances": [1], "rankings": [0], "min_count": 2,
        "categories": ["p"],
    }),
    "Rankings.to_comparisons": (ALL_RACES.to_comparisons, (), {"warn": False}, {
        "strength": "difference", "by_agent": True, "by_category": True, "by_time": True,
    }),
}  # fmt: skip
# What an option needs besides itself, and options that only show on other data.
BESIDES = {
    ("Comparisons.from_frame", "every"): {"time": "date"},
    ("Comparisons.from_counts", "every"): {"time": "date"},
    ("Rankings.from_frame", "every"): {"time": "year"},
    ("Rankings.from_ratings", "every"): {"time": "year"},
    ("Rankings.from_lists", "every"): {"times": [2019, 2020.5]},
    ("Comparisons.from_frame", "winner"): {"loser": "l"},
    ("Comparisons.from_frame", "loser"): {"winner": "w"},
    ("Rankings.from_ratings", "item"): {},
}
ELSEWHERE = {
    ("Comparisons.from_frame", "fold_names"): (GAMES.replace("nil", "tie"),),
    ("Comparisons.from_counts", "fold_names"): (GAMES,),
    ("Comparisons.from_counts", "duplicates"): (pd.concat([GAMES.iloc[:2]] * 2),),
    ("Rankings.from_frame", "fold_names"): (RACES.replace({"item": {"z": "X"}}),),
    ("Rankings.from_ratings", "fold_names"): (
        pd.concat([RACES.iloc[:2], RACES.iloc[3:].replace({"item": {"x": "X"}})]),
        "who", "item", "stars",
    ),
    ("Rankings.from_frame", "close_gaps"): (RACES.replace({"rank": {3: 7}}),),
    ("Comparisons.from_matrix", "items"): ([[0, 3], [1, 0]],),
    ("Rankings.from_matrix", "items"): ([[1, 2, 3], [2, 1, np.nan]],),
}  # fmt: skip
POSITIONAL = {"frame", "wins", "ranks", "lists", "preferences", "self"}


def options():
    for name, (_, _, _, changes) in CONSTRUCTORS.items():
        for option in changes:
            yield pytest.param(name, option, id=f"{name}-{option}")


def outcome(function, *arguments, **options):
    """Return what comes of a call: the data, or the refusal."""
    try:
        return function(*arguments, **options)
    except (ValueError, TypeError) as error:
        return str(error)


def differ(one, other):
    if isinstance(one, str) or isinstance(other, str):
        return str(one) != str(other)
    return not one.same_as(other)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "option"), list(options()))
def test_options_of_constructors(name, option):
    function, arguments, always, changes = CONSTRUCTORS[name]
    arguments = ELSEWHERE.get((name, option), arguments)
    if option == "items" and name.endswith("from_matrix"):
        plain = outcome(function, *arguments, items=sorted(changes["items"])[::-1], **always)
        assert differ(
            plain, outcome(function, *arguments, items=sorted(changes["items"]), **always)
        )
        return
    named = dict(zip(list(inspect.signature(function).parameters), arguments, strict=False))
    besides = BESIDES.get((name, option), {})
    plain = outcome(function, **(named | always | (besides if option == "every" else {})))
    changed = outcome(function, **(named | always | besides | {option: changes[option]}))
    # Without it gaps are refused.
    assert option == "close_gaps" or not isinstance(plain, str), plain
    assert not (option == "close_gaps" and isinstance(changed, str)), changed
    assert differ(plain, changed), (plain, changed)


@pytest.mark.parametrize("name", CONSTRUCTORS)
def test_the_table_has_every_option_of_the_constructors(name):
    function, _, always, changes = CONSTRUCTORS[name]
    parameters = set(inspect.signature(function).parameters) - (POSITIONAL - set(changes))
    silent = {"warn"}  # which only speaks
    assert parameters - silent == set(changes) | (set(always) - silent)


# Each option of `read` belongs to a layout: a file, and what is said of it without the option.
FILES = {
    "games": GAMES.iloc[:3].replace("nil", "tie"),
    "nil": GAMES.iloc[:3],
    "races": RACES,
    "gaps": RACES.replace({"rank": {3: 7}}),
    "retired": RACES.assign(rank=[1, 2, None, 1, 2]),
    "wide": pd.DataFrame({"x": [1, 2], "y": [2, 1], "z": [3, np.nan], "n": [1, 2], "a": [1, 2]}),
    "folded": GAMES.replace("nil", "tie"),
    "cross": pd.DataFrame([["x", 0, 3], ["y", 1, 0]], columns=["name", "x", "y"]),
    "form": pd.DataFrame({"top": ["x", "y"], "then": ["y", "x"], "last": ["z", "z"]}),
}
PAIRS = {"left": "left", "right": "right"}
READING = {
    "left": ("games", PAIRS, "w"), "right": ("games", PAIRS, "l"),
    "outcome": ("games", PAIRS, ("wins", "losses")),
    "winner": ("games", {}, "w", {"loser": "l"}), "loser": ("games", {}, "l", {"winner": "w"}),
    "wins": ("games", PAIRS, "n"), "losses": ("games", PAIRS, "n"), "ties": ("games", PAIRS, "n"),
    "weight": ("games", PAIRS | {"outcome": "outcome"}, "n"), "agent": ("games", PAIRS, "who"),
    "instance": ("games", PAIRS, "q"), "group": ("races", {}, "who"), "item": ("races", {}, "who"),
    "rank": ("races", {}, "n"), "rating": ("races", {"agent": "who"}, "stars"),
    "features": ("races", {}, ["f"]), "category": ("games", PAIRS, "who"),
    "both_bad": ("games", PAIRS | {"wins": "wins", "losses": "losses"}, "n"),
    "unranked": ("races", {}, "below"),
    "close_gaps": ("gaps", {}, True),
    "wide": ("wide", {}, True), "cross": ("cross", {"fold_names": True}, True),
    "choices": ("form", {}, ["top", "then"]),
    "tie_value": ("nil", PAIRS | {"outcome": "outcome"}, "nil"),
    "fold_names": ("folded", PAIRS | {"outcome": "outcome"}, True),
    "where": ("games", PAIRS, "n > 1"), "min_count": ("games", PAIRS | {"outcome": "outcome"}, 5),
    "encoding": ("games", PAIRS, "utf-16"),
    "time": ("games", PAIRS | {"outcome": "outcome"}, "date"),
    "every": ("games", PAIRS | {"outcome": "outcome", "time": "date"}, "year"),
}  # fmt: skip


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as name:
        for file, frame in FILES.items():
            frame.to_csv(Path(name) / f"{file}.csv", index=False)
        yield Path(name)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("option", READING)
def test_options_of_read(option, folder):
    file, always, value, *besides = READING[option]
    path = folder / f"{file}.csv"
    more = {option: value} | (besides[0] if besides else {})
    changed = outcome(br.read, path, **(always | more))
    assert differ(outcome(br.read, path, **always), changed), changed


def test_the_table_has_every_option_of_read():
    assert set(inspect.signature(br.read).parameters) - {"path"} == set(READING)


# Of `fit`: data and options without, the option, and what is looked at.
PAIR_DATA, RANK_DATA = br.load_dataset("baseball"), br.load_dataset("fruits")
JUDGED = R.from_lists([list("abc"), list("acb"), list("bac")], agents=["p", "q", "q"])
QUICK = {"method": "laplace", "seed": 1, "draws": 20, "chains": 1, "progress": False}
NUTS = {"method": "nuts", "seed": 1, "draws": 20, "tune": 20, "chains": 1, "progress": False}
ADVI = QUICK | {"method": "advi", "steps": 20}
TIMED = C.from_frame(
    pd.DataFrame({"winner": list("xyxzyz"), "loser": list("yzzxxy"), "year": [1, 1, 2, 2, 3, 3]}),
    winner="winner", loser="loser", time="year",
)  # fmt: skip
VOTES = C.from_frame(votes_by_judges(votes=10), agent="judge")
MOVING = QUICK | {"scores": "walk"}
FITTING = {
    "likelihood": (PAIR_DATA, QUICK, "davidson"),
    "method": (PAIR_DATA, QUICK, "map"),
    "scale": (PAIR_DATA, QUICK, 1.0),
    "order_effect": (PAIR_DATA, QUICK, True),
    "features": (PAIR_DATA, QUICK, np.arange(7.0)[:, None] ** 2),
    "item_effects": (PAIR_DATA, QUICK | {"features": np.arange(7.0)[:, None]}, False),
    "draws": (PAIR_DATA, QUICK, 30),
    "tune": (PAIR_DATA, NUTS, 30),
    "chains": (PAIR_DATA, QUICK, 2),
    "seed": (PAIR_DATA, QUICK, 2),
    "sampler": (PAIR_DATA, NUTS, "pymc"),
    "target_accept": (PAIR_DATA, NUTS, 0.6),
    "full_rank": (PAIR_DATA, ADVI, True),
    "steps": (PAIR_DATA, ADVI, 40),
    "variances": (JUDGED, QUICK | {"likelihood": "mpm"}, False),
    "adherence": (JUDGED, QUICK | {"likelihood": "mpm"}, 0.5),
    "weight": (JUDGED, QUICK | {"likelihood": "mpm"}, 3.0),
    "scores": (TIMED, QUICK, "walk"),
    "drift": (TIMED, MOVING, 0.5),
    "persistence": (TIMED, MOVING | {"scores": "mean-reverting"}, 0.5),
    "discrimination": (VOTES, QUICK, "by-agent"),
    "ties": (VOTES, QUICK, "by-agent"),
    "spreads": (VOTES, QUICK | {"ties": "by-agent"}, {"ties_by_agent": 0.1}),
}
# These change no draw; tests of their own show what they do.
SHOWN_ELSEWHERE = {"data", "progress", "store", "groups"}


def drawn(data, **options):
    try:
        fit = br.fit(data, **options)
    except ValueError as error:
        return str(error)
    return {name: values.tobytes() for name, values in fit.posterior.items()}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("option", FITTING)
def test_options_of_fit(option):
    data, always, value = FITTING[option]
    plain = drawn(data, **always)
    assert not isinstance(plain, str), plain
    assert drawn(data, **(always | {option: value})) != plain


def test_the_table_has_every_option_of_fit():
    assert set(inspect.signature(br.fit).parameters) - SHOWN_ELSEWHERE == set(FITTING)


@pytest.mark.parametrize(
    ("method", "option"),
    [
        *[(m, o) for m in ("laplace", "advi", "map")
          for o in ({"tune": 5}, {"target_accept": 0.9}, {"sampler": "pymc"}, {"store": "x"})],
        *[(m, o) for m in ("laplace", "nuts", "map") for o in ({"steps": 5}, {"full_rank": True})],
    ],
)  # fmt: skip
def test_options_of_other_methods_are_refused(method, option):
    (name,) = option
    with pytest.raises(ValueError, match=f"`{name}` is for method="):
        br.fit(PAIR_DATA, method=method, **option)


@pytest.mark.parametrize("option", [{"variances": True}, {"adherence": 1.0}, {"weight": 1.0}])
def test_options_of_other_likelihoods_are_refused(option):
    with pytest.raises(ValueError, match=f'`{next(iter(option))}` is for "mpm"'):
        br.fit(PAIR_DATA, method="map", **option)


# Flags: what comes before, and the flag with its value; {f} is the folder.
_FILE, _FIT = "{f}/games.csv --left left --right right", "--method laplace --seed 1 --draws 50"
_GAMES, _RACES = f"{_FILE} --outcome outcome {_FIT}", f"{{f}}/races.csv {_FIT}"
_BALL = f"baseball {_FIT}"
_MOVES = f"{_GAMES} --time date --scores walk"
_TOPICS = f"{_GAMES} --category who --scores by-category"
FLAGS = {
    "--model": (_BALL, "davidson"), "--method": ("baseball --seed 1 --draws 50", "map"),
    "--left": (_GAMES, "w"), "--right": (_GAMES, "l"), "--outcome": (_GAMES, "wins,losses"),
    "--winner": (_GAMES, "w"), "--loser": (_GAMES, "l"), "--wins": (f"{_FILE} {_FIT}", "n"),
    "--losses": (f"{_FILE} {_FIT}", "n"), "--ties": (f"{_FILE} {_FIT}", "n"),
    "--group": (_RACES, "q"), "--item": (_RACES, "who"), "--rank": (_RACES, "n"),
    "--rating": (f"{_RACES} --agent who", "stars"), "--weight": (_GAMES, "n"),
    "--agent": (_GAMES, "who"), "--instance": (_GAMES, "q"), "--unranked": (_RACES, "below"),
    "--unranked-below": (_RACES, None),
    "--close-gaps": (f"{{f}}/gaps.csv {_FIT}", None), "--wide": (f"{{f}}/wide.csv {_FIT}", None),
    "--cross": (f"{{f}}/cross.csv {_FIT} --fold-names", None),
    "--choices": (f"{{f}}/form.csv {_FIT}", "top,then"),
    "--tie-value": (f"{{f}}/nil.csv --left left --right right --outcome outcome {_FIT}", "nil"),
    "--fold-names": (f"{{f}}/folded.csv --left left --right right --outcome outcome {_FIT}", None),
    "--where": (_GAMES, "n>1"), "--min-count": (_GAMES, "5"), "--encoding": (_GAMES, "utf-16"),
    "--both-bad": (f"{_FILE} --wins wins --losses losses {_FIT}", "n"),
    "--category": (_GAMES, "who"), "--feature": (_GAMES, "more=n,q"),
    "--time": (_GAMES, "date"), "--every": (f"{_GAMES} --time date", "year"),
    "--scores": (f"{_GAMES} --time date", "walk"), "--drift": (_MOVES, "0.1"),
    "--persistence": (_MOVES.replace("walk", "mean-reverting"), "0.1"),
    "--at": (_MOVES, "2020-06-01"), "--window": (_MOVES, "0.5"),

    "--in-category": (_TOPICS, "q"), "--categories": (_TOPICS, None),
    "--agents": (f"{_GAMES} --agent who", None), "--effects": (_BALL, None),
    "--discrimination": (f"{_GAMES} --agent who", "by-agent"),
    "--order-effect": (_BALL, None), "--scale": (_BALL, "1"), "--draws": (_BALL, "60"),
    "--tune": ("baseball --seed 1 --draws 50", "30"),
    "--target-accept": ("baseball --seed 1 --draws 50", "0.5"), "--chains": (_BALL, "2"),
    "--seed": (_BALL, "2"), "--prob": (_BALL, "0.5"), "--rank-intervals": (_BALL, "posterior"),
    "--tiers": (f"{_BALL} --prob 0.9", "certain"),
    "--top-k": (_BALL, "2"), "--versus": (_BALL, "Boston"), "--consensus": (_BALL, "kendall"),
    "--decided": (_BALL, "best"), "--indifference": (_BALL, "0.3"),
    "--judge": (_BALL, "{f}/order.txt"), "--seconds": (_BALL, "0"),
    "--expected-ranks": (_BALL, None), "--worths": (_BALL, None), "--influence": (_RACES, None),
    "--against": (_BALL, "{f}/fit.nc"), "--top": (_BALL, "2"), "--report": (_BALL, "{f}/a.html"),
    "--title": (f"{_BALL} --report {{f}}/a.html", "Ball"), "--plot": (_BALL, "{f}/a.png"),
    "--picture": (f"{_BALL} --plot {{f}}/a.png", "ranks"), "--out": (_BALL, "{f}/a.csv"),
    "--out-ranks": (_BALL, "{f}/a.csv"), "--out-above": (_BALL, "{f}/a.csv"),
    "--out-wins": (_BALL, "{f}/a.csv"), "--save": (_BALL, "{f}/a.nc"), "--quiet": (_BALL, None),
}  # fmt: skip
_ENDS = (".html", ".png", ".csv", ".nc")


@pytest.fixture(scope="module")
def with_fit(folder):
    br.fit(PAIR_DATA, **QUICK).save(folder / "fit.nc")
    (folder / "order.txt").write_text("\n".join(PAIR_DATA.items))
    return folder


def said(command, folder, capsys):
    """Return all that a command says and writes."""
    for path in folder.glob("a.*"):
        path.unlink()
    code = main(["rank", *command])
    written = [(p.name, p.read_bytes()) for p in sorted(folder.glob("a.*")) if p.suffix in _ENDS]
    return code, *capsys.readouterr(), written


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("flag", FLAGS)
def test_flags(flag, with_fit, capsys):
    before, value = FLAGS[flag]
    plain = before.format(f=with_fit).split()
    changed = [*plain, flag, *([] if value is None else [value.format(f=with_fit)])]
    assert said(plain, with_fit, capsys) != said(changed, with_fit, capsys)


def test_the_table_has_every_flag():
    (commands,) = (a for a in build_parser()._actions if hasattr(a, "choices") and a.choices)
    actions = commands.choices["rank"]._actions
    flags = {option for a in actions for option in a.option_strings if option.startswith("--")}
    assert flags - {"--help"} == set(FLAGS)
