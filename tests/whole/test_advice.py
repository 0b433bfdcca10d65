"""What messages advise works as printed, in Python and at the terminal."""

import re
import shlex
import subprocess
import sys

import numpy as np
import pandas as pd
import pymc as pm
import pytest

import bayesrank as br
from bayesrank.cli.commands import main

FIT = ["--method", "laplace", "--draws", "50", "--seed", "1"]


def refused(make, *arguments, **options):
    with pytest.raises((ValueError, TypeError)) as caught:
        make(*arguments, **options)
    return str(caught.value)


def advised(pattern, message):
    """Return what a message advises, as keywords of Python."""
    found = re.search(pattern, message)
    assert found, message
    return eval(f"dict({found[0]})")


def test_missing_ranks():
    frame = pd.DataFrame({"group": [1, 1, 2, 2], "item": list("abab"), "rank": [1, None, 1, 2]})
    message = refused(br.Rankings.from_frame, frame)
    for option in (r'unranked="rows below"', r'unranked="below"'):
        br.Rankings.from_frame(frame, **advised(option, message))


def test_ranks_that_skip():
    frame = pd.DataFrame({"group": [1, 1, 2, 2], "item": list("abab"), "rank": [1, 3, 1, 2]})
    message = refused(br.Rankings.from_frame, frame)
    made = br.Rankings.from_frame(frame, **advised(r"close_gaps=True", message))
    assert made.ranks.tolist() == [[1, 2], [1, 2]]


def test_rankings_of_one_item():
    frame = pd.DataFrame({"group": [1, 1, 2], "item": list("aba"), "rank": [1, 2, 1]})
    message = refused(br.Rankings.from_frame, frame)
    code = re.search(r"`(frame\[.*\])`", message)[1]
    assert len(br.Rankings.from_frame(eval(code))) == 1


def test_ties_that_a_model_does_not_have(pudding):
    message = refused(br.fit, pudding, "bradley-terry", method="map")
    for name in re.search(r"Use (.*)\.", message)[1].replace(" or ", ", ").split(", "):
        br.fit(pudding, name.strip('"'), method="map")
    message = refused(br.fit, pudding, "mpm", method="map")
    code = re.search(r"br\.Comparisons\.from_counts\(.*\)\)", message)[0]
    br.fit(eval(code, {"br": br, "data": pudding}), "mpm", method="map")
    fruits = br.load_dataset("fruits")
    message = refused(br.fit, fruits, "plackett-luce", method="map")
    for name in re.findall(r'Use "([\w-]+)".* or "([\w-]+)"', message)[0]:
        br.fit(fruits, name, method="map")


def test_estimates_that_do_not_exist():
    one_way = br.Comparisons([0], [1], [[3, 0, 0]], ["a", "b"])
    message = refused(br.fit, one_way, method="map", scale=np.inf)
    br.fit(one_way, method="map", **advised(r"scale=1\.0", message))


def test_failed_sampling(pudding):
    few = {"draws": 20, "tune": 20, "chains": 2, "seed": 1, "progress": False}
    with pytest.warns(UserWarning, match="Do not trust") as caught:
        br.fit(pudding, **few)
    more = advised(r"tune=\d+, draws=\d+", str(caught[0].message))
    assert more == {"tune": 40, "draws": 40}


def test_ranks_from_zero():
    ranks = np.array([[2, 1, 0], [0, 1, 2]])
    with pm.Model():
        message = refused(br.PlackettLuce, "y", np.zeros((2, 3)), observed=ranks)
        assert "add 1 to all ranks" in message
        br.PlackettLuce("y", np.zeros((2, 3)), observed=ranks + 1)


def flags(text):
    """Return the flags that a message of the terminal advises, with their values."""
    found = re.findall(r"(--(?:fold-names|close-gaps)|--[a-z-]+(?: [\w./<>=-]+)?)", text)
    return [shlex.split(flag.rstrip(".;,")) for flag in found]


@pytest.fixture
def table(tmp_path):
    def table(text):
        path = tmp_path / "table.csv"
        path.write_text(text)
        return str(path)

    return table


@pytest.mark.parametrize(
    "text",
    [
        "group,item,rank\n1,a,1\n1,b,\\N\n2,a,1\n2,b,2\n",
        "group,item,rank\n1,a,1\n1,b,3\n2,b,1\n2,a,2\n",
        "group,item,rank\n" + "".join(f"{k},{'abc'[k % 3]},1\n{k},d,2\n" for k in range(6)),
        "left,right,outcome\nSANTOS,x,left\nx,Santos,left\n",
    ],
    ids=["missing", "gaps", "fewer than all", "spellings"],
)
@pytest.mark.filterwarnings("default")  # the terminal shows warnings as sentences
def test_flags_of_messages_work(text, table, capsys):
    path = table(text)
    code = main(["rank", path, *FIT])
    said = capsys.readouterr().err
    advice = [flag for flag in flags(said) if flag[0] != "--method"]
    assert advice, said
    for flag in advice:
        assert main(["rank", path, *FIT, *flag]) == 0, (flag, capsys.readouterr().err)
    assert not re.search(r"\w=[\w\"]", said.split("bayesrank:")[1]), said  # words of Python
    assert code in (0, 2)


def test_flags_for_ties(table, capsys):
    path = table("left,right,outcome\na,b,left\nb,a,tie\nb,a,left\n")
    assert main(["rank", path, *FIT, "--model", "bradley-terry"]) == 2
    said = capsys.readouterr().err
    assert "Use --model davidson, rao-kupper or glenn-david." in said
    assert main(["rank", path, *FIT, "--model", "mpm"]) == 2
    assert "Use --model davidson" in capsys.readouterr().err
    assert main(["rank", path, *FIT, "--model", "mpm", "--where", "outcome != 'tie'"]) == 0


def test_models_of_the_other_kind_of_data(capsys):
    assert main(["rank", "fruits", "--model", "davidson", *FIT]) == 2
    said = capsys.readouterr().err
    assert "to_comparisons" not in said
    for name in re.search(r"use --model (.*)\.", said)[1].replace(" or ", ", ").split(", "):
        if name not in ("plackett-luce", "thurstone"):  # of which one has no ties, the other waits
            assert main(["rank", "fruits", "--model", name, *FIT]) == 0, name
            capsys.readouterr()


def test_failed_sampling_at_the_terminal():
    """A real terminal, and one in which the advice is followed."""
    command = [sys.executable, "-m", "bayesrank", "rank", "pudding", "--chains", "2", "--seed", "1"]
    few = subprocess.run(
        [*command, "--draws", "20", "--tune", "20"], capture_output=True, text=True
    )
    assert few.returncode == 0 and "Do not trust" not in few.stderr
    advice = re.search(r"the draws: (--tune \d+ --draws \d+)\.", few.stderr)[1]
    more = subprocess.run([*command, *advice.split()], capture_output=True, text=True)
    assert more.returncode == 0, more.stderr
