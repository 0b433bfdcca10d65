"""Questions of the command line: whether they can be answered, and their answers."""

import csv
from dataclasses import dataclass
from inspect import signature
from typing import Any

from bayesrank.cli.pictures import PICTURES
from bayesrank.results.methods import names_with_draws
from bayesrank.text import either, level

__all__ = ["Questions"]

# What needs draws, and what is about one ranking.
_OF_DRAWS = (
    "top_k", "versus", "consensus", "judge", "expected_ranks", "influence", "against", "out_ranks",
    "out_above",
)  # fmt: skip
_OF_ONE_RANKING = (*_OF_DRAWS, "worths", "plot", "out_wins")
_AT_ONCE = {
    "posterior": "all intervals hold at once with {} posterior probability",
    "simultaneous": "all intervals hold at once with {} probability, whatever the true scores are",
}
_VERSUS = {"p_above": "p_truly_below", "order": "versus"}
_EXPECTED = {"mean": "mean_rank", "sd": "rank_sd"}
_WORTHS = {"low": "worth_low", "high": "worth_high"}


@dataclass(frozen=True)
class Questions:
    """What was asked, found to be answerable before the work starts.

    Attributes
    ----------
    options : argparse.Namespace
    item : label, optional
        The item that others are to be told apart from.
    order : list, optional
        The ranking that is to be judged.
    other : Fit, optional
        The fit that the ranking is to be compared with.
    """

    options: object
    item: object
    order: list[Any] | None
    other: object

    @classmethod
    def about(cls, options, data, likelihood, kind):
        """Return the questions, or refuse those that such a fit could not answer.

        ``likelihood`` is a name and ``kind`` a `bayesrank.results.methods.Method`.
        """
        _check_kind(options, data, kind)
        if options.plot:
            _check_picture(PICTURES[options.picture], data, likelihood, kind)
        items = list(data.items)
        if options.top_k is not None and not 1 <= options.top_k <= len(items):
            raise ValueError(
                f"--top-k must be from 1 to the number of items, {len(items)}, got {options.top_k}."
            )
        item = None
        if options.versus is not None:
            item = _given("--versus", [options.versus], items, all_of_them=False)[0]
        order = _given_order(options.judge, items) if options.judge else None
        other = _other_fit(options.against, items) if options.against else None
        return cls(options, item, order, other)

    def table(self, fit):
        """Return the ranking as it is printed and written."""
        options = self.options
        table = fit.ranking(options.prob)
        if fit.specification.has_adherences:
            table = table.join(fit.items(options.prob)["variance"])
        if options.rank_intervals != "marginal":
            kind = {"posterior": "posterior", "simultaneous": True}[options.rank_intervals]
            together = fit.rank_intervals(options.prob, simultaneous=kind)
            table[["rank_low", "rank_high"]] = together[["low", "high"]]
        return table

    def answer(self, fit, table):
        """Print the ranking and the answers; return the ranking with those by item added."""
        from bayesrank.cli import terminal

        options, prob, top = self.options, self.options.prob, self.options.top
        terminal.print_ranking(table, top, fit.method, prob)
        if options.rank_intervals != "marginal":
            print(f"ranks: {_AT_ONCE[options.rank_intervals].format(level(prob))}")
        terminal.print_parameters(fit.parameters(prob), fit.method)
        if fit.specification.has_adherences:
            terminal.print_agents(fit.agents(prob), top, fit.method)
        if options.expected_ranks:
            expected = fit.expected_ranks()
            terminal.print_expected_ranks(expected, top)
            table = table.join(expected.rename(columns=_EXPECTED))
        if options.top_k is not None:
            first = fit.top(options.top_k, prob)
            terminal.print_top(first, options.top_k, prob)
            table = table.join(first.rename(columns={"p_top": f"p_top_{options.top_k}"}))
        if options.versus is not None:
            versus = fit.versus(self.item, prob)
            terminal.print_versus(versus, self.item, top, prob)
            table = table.join(versus.rename(columns=_VERSUS))
        if options.consensus or self.order:
            table = self._consensus(fit, table)
        if options.worths:
            worths = fit.worths(prob)
            terminal.print_worths(worths, top, prob)
            table = table.join(worths.rename(columns=_WORTHS))
        if options.influence:
            terminal.print_influence(fit.influence(), top)
        if self.other is not None:
            terminal.print_comparison(fit.compare_ranking(self.other, prob), top, prob)
        return table

    def _consensus(self, fit, table):
        import pandas as pd

        from bayesrank.cli import terminal
        from bayesrank.consensus import LOSSES

        losses, judged = dict.fromkeys(self.options.consensus or LOSSES), None
        if self.order:
            judged = {loss: fit.expected_loss(self.order, loss) for loss in losses}
        found = [fit.consensus(loss, seconds=self.options.seconds) for loss in losses]
        terminal.print_consensus(found, self.options.top, judged)
        for one in found:
            index = pd.Index(one.order, tupleize_cols=False)
            table[f"place_{one.loss}"] = pd.Series(range(1, len(index) + 1), index)
        return table

    def write(self, fit, table):
        """Write the tables, the picture and the page that were asked for."""
        options = self.options
        if options.out:
            if options.out.suffix.lower() == ".csv":
                _write_csv(table, options.out)
            else:
                table.reset_index().to_json(options.out, orient="records", indent=1)
        for path, matrix in (
            (options.out_ranks, fit.rank_probabilities),
            (options.out_above, fit.probability_above),
            (options.out_wins, fit.win_probabilities),
        ):
            if path:
                _write_csv(matrix(), path)
        if options.plot:
            self._draw(fit)
        if options.report:
            fit.report(options.report, title=options.title, prob=options.prob)

    def _draw(self, fit):
        import matplotlib
        import numpy as np

        matplotlib.use("agg")
        options, picture = self.options, PICTURES[self.options.picture]
        draw = getattr(fit, picture.method)
        asked = {"prob": options.prob} if "prob" in signature(draw).parameters else {}
        asked |= {"statistic": picture.statistic} if picture.statistic else {}
        axes = draw(**asked)
        np.ravel(axes)[0].figure.savefig(options.plot, dpi=150)


def _check_kind(options, data, kind):
    """Refuse what cannot be asked of such data or such a method."""
    asked = [name for name in _OF_ONE_RANKING if getattr(options, name) not in (None, False)]
    asked += ["rank_intervals"] * (options.rank_intervals != "marginal")
    for name in asked:
        flag = f"--{name.replace('_', '-')}"
        if data.instances is not None:
            raise ValueError(
                f"{flag} is for one ranking, and there are {len(data.instances):,} instances; read "
                f"one of them by --where, or write a page for each by --report FILE.html."
            )
        if kind.is_point and name in (*_OF_DRAWS, "rank_intervals"):
            raise ValueError(
                f"{flag} needs posterior draws, and --method {kind.name} has none; use "
                f"{either(names_with_draws())}."
            )
    if options.influence:
        if data.row == "pair" and data.agents is None:
            raise ValueError("--influence needs to know who compared: give the column as --agent.")
        if len(data.agents or data.names) < 2:
            raise ValueError("--influence needs at least two agents, and there is one.")


def _check_picture(picture, data, likelihood, kind):
    """Refuse a picture that such data, such a model or such a method do not have."""
    from bayesrank.model.likelihoods import LIKELIHOODS

    model = LIKELIHOODS[likelihood]
    if kind.is_point and picture.needs_draws:
        raise ValueError(
            f"--picture {picture.name} needs draws, and --method {kind.name} has none."
        )
    if picture.needs_adherences and not model.has_adherences:
        raise ValueError(f"--picture {picture.name} is for --model mpm, not {likelihood}.")
    if picture.draws_data and data.row == "ranking" and not model.draws_rankings:
        raise ValueError(
            f"--picture check is not for rankings under {likelihood}, which draws pairs."
        )


def _write_csv(table, path):
    """Write a table so that all names come back."""
    text = table.to_csv(lineterminator="\n")
    if "\r" in text:
        # Python 3.11 leaves it bare, and whoever reads the file takes it for the end of a row.
        text = table.to_csv(lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    path.write_text(text, encoding="utf-8", newline="")


def _given(flag, texts, items, *, all_of_them=True):
    """Return the items that texts name."""
    from bayesrank.consensus.labels import positions

    try:
        places = positions(flag, texts, [str(item) for item in items], all_of_them=all_of_them)
    except ValueError as error:
        raise ValueError(str(error).replace("`", "")) from None
    return [items[place] for place in places]


def _given_order(path, items):
    """Return the items that a file names, one per line, the best first."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"--judge: '{path}' is no plain text.") from None
    return _given("--judge", [line.strip() for line in lines if line.strip()], items)


def _other_fit(path, items):
    """Return a saved fit that can be compared with a ranking of these items."""
    import bayesrank

    try:
        other = bayesrank.Fit.load(path)
    except (OSError, ValueError) as error:
        raise ValueError(f"--against: '{path}' is no saved fit ({error}).") from None
    if other.kind.is_point:
        raise ValueError(f"--against: '{path}' is a MAP fit, which has no draws to compare with.")
    if other.specification.data.instances is not None:
        raise ValueError(f"--against: '{path}' has several instances, not one ranking.")
    if len(set(items) & set(other.specification.data.items)) < 2:
        raise ValueError(f"--against: '{path}' has fewer than two items in common with the data.")
    return other
