"""Questions of the command line: whether they can be answered, and their answers."""

from dataclasses import dataclass
from functools import partial
from typing import Any

from bayesrank.cli import terminal, voters
from bayesrank.cli.pictures import PICTURES
from bayesrank.cli.targets import flag_of
from bayesrank.results.methods import names_with_draws
from bayesrank.text import either, level, listing, plain

__all__ = ["Questions"]

# What needs draws, and what is about one ranking.
_OF_DRAWS = (
    "top_k", "versus", "decided", "indifference", "consensus", "judge", "expected_ranks",
    "influence", "against", "out_ranks", "out_above",
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
    def about(cls, options, data, likelihood, kind, *, moving=False, varies=(), features=False):
        """Return the questions, or refuse those that such a fit could not answer.

        ``likelihood`` is a name and ``kind`` a `bayesrank.results.methods.Method`; ``moving`` says
        whether scores move, so that not all items may be ranked, ``varies`` what differs between
        agents, items or categories, by name, and ``features`` whether the model has any.
        """
        _check_varying(options, data, varies, features)
        _check_kind(options, data, kind)
        if options.plot:
            _check_picture(PICTURES[options.picture], data, likelihood, kind)
            _check_panels(PICTURES[options.picture], data, varies)
        items = list(data.items)
        if options.top_k is not None and not 1 <= options.top_k <= len(items):
            raise ValueError(
                f"--top-k must be from 1 to the number of items, {len(items)}, got {options.top_k}."
            )
        _check_decided(options)
        item = None
        if options.versus is not None:
            item = _given("--versus", [options.versus], items, all_of_them=False)[0]
        order = None
        if options.judge:
            order = _given_order(options.judge, items, all_of_them=not moving)
        other = _other_fit(options.against, items) if options.against else None
        return cls(options, item, order, other)

    def table(self, fit):
        """Return the ranking as it is printed and written."""
        options = self.options
        table = fit.ranking(options.prob, tiers=options.tiers)
        if fit.specification.has_adherences:
            table = table.join(fit.items(options.prob)["variance"])
        if options.rank_intervals != "marginal":
            kind = {"posterior": "posterior", "simultaneous": True}[options.rank_intervals]
            together = fit.rank_intervals(options.prob, simultaneous=kind)
            table[["rank_low", "rank_high"]] = together[["low", "high"]]
        return table

    def answer(self, fit, table, said, failures):
        """Return the ranking with the answers by item added.

        Nothing is printed yet: what prints the ranking and the answers is added to ``said``. An
        error in an answer goes to ``failures``, and the other answers go on.
        """
        options, prob = self.options, self.options.prob
        shown = (table, options.top, fit.method, prob, options.tiers)
        said.append(partial(terminal.print_ranking, *shown))
        one_ranking = fit.specification.data.instances is None and not fit.kind.is_point
        asked_again = bool(options.decided or options.indifference)
        if options.rank_intervals != "marginal":
            text = f"ranks: {_AT_ONCE[options.rank_intervals].format(level(prob))}"
            said.append(partial(print, text))
        for asked, question in (
            (one_ranking and not (options.quiet or asked_again), self._decided_best),
            (True, self._parameters),
            (fit.specification.has_adherences, self._adherences),
            (options.agents and not fit.specification.has_adherences, self._agents),
            (options.categories, self._categories),
            (options.effects, self._effects),
            (options.expected_ranks, self._expected_ranks),
            (options.top_k is not None, self._first),
            (options.versus is not None, self._versus),
            (asked_again, self._decided),
            (options.consensus or self.order, self._consensus),
            (options.worths, self._worths),
            (options.influence, self._influence),
            (self.other is not None, self._comparison),
        ):
            if asked:
                with failures.kept():
                    printed, columns = question(fit, options.top, prob)
                    said.append(printed)
                    table = table if columns is None else table.join(columns)
        return table

    # Each of these returns what prints an answer, and its columns of the ranking or None.

    def _parameters(self, fit, top, prob):
        return partial(terminal.print_parameters, fit.parameters(prob), fit.method), None

    def _adherences(self, fit, top, prob):
        return partial(terminal.print_adherences, fit.agents(prob), top, fit.method), None

    def _agents(self, fit, top, prob):
        from bayesrank.results.agents import standing_out

        agents = fit.agents(prob)
        return partial(voters.print_agents, agents, standing_out(fit), top, prob), None

    def _categories(self, fit, top, prob):
        import pandas as pd

        table = fit.categories(prob)
        names = list(table.columns.get_level_values(0).unique())[1:]
        columns = {
            f"{column}_in_{label}": table[label][column]
            for label in names
            for column in ("rank", "score", "p_best")
        }
        return partial(voters.print_categories, table, top), pd.DataFrame(columns)

    def _effects(self, fit, top, prob):
        return partial(voters.print_effects, fit.effects(prob), prob), None

    def _expected_ranks(self, fit, top, prob):
        ranks = fit.expected_ranks()
        return partial(terminal.print_expected_ranks, ranks, top), ranks.rename(columns=_EXPECTED)

    def _first(self, fit, top, prob):
        k = self.options.top_k
        first = fit.top(k, prob)
        columns = first.rename(columns={"p_top": f"p_top_{k}"})
        return partial(terminal.print_top, first, k, prob), columns

    def _versus(self, fit, top, prob):
        versus = fit.versus(self.item, prob)
        columns = versus.rename(columns=_VERSUS)
        return partial(terminal.print_versus, versus, self.item, top, prob), columns

    def _decided_best(self, fit, top, prob):
        return partial(print, plain(fit.decided("best", prob).sentence)), None

    def _decided(self, fit, top, prob):
        goal = self.options.decided or "best"
        verdict = fit.decided(
            goal,
            prob,
            k=self.options.top_k if goal == "top" else None,
            indifference=self.options.indifference or 0.0,
        )
        return partial(terminal.print_verdict, verdict, top), None

    def _consensus(self, fit, top, prob):
        import pandas as pd

        from bayesrank.consensus import LOSSES

        losses, judged = dict.fromkeys(self.options.consensus or LOSSES), None
        if self.order:
            judged = {loss: fit.expected_loss(self.order, loss) for loss in losses}
        found = [fit.consensus(loss, seconds=self.options.seconds) for loss in losses]
        places = {}
        for one in found:
            index = pd.Index(one.order, tupleize_cols=False)
            places[f"place_{one.loss}"] = pd.Series(range(1, len(index) + 1), index)
        return partial(terminal.print_consensus, found, top, judged), pd.DataFrame(places)

    def _worths(self, fit, top, prob):
        worths = fit.worths(prob)
        return partial(terminal.print_worths, worths, top, prob), worths.rename(columns=_WORTHS)

    def _influence(self, fit, top, prob):
        return partial(terminal.print_influence, fit.influence(), top), None

    def _comparison(self, fit, top, prob):
        compared = fit.compare_ranking(self.other, prob)
        return partial(terminal.print_comparison, compared, top, prob), None


def _check_kind(options, data, kind):
    """Refuse what cannot be asked of such data or such a method."""
    asked = [name for name in _OF_ONE_RANKING if getattr(options, name) not in (None, False)]
    asked += ["rank_intervals"] * (options.rank_intervals != "marginal")
    for name in [*asked, *["tiers"] * (options.tiers != "expected")]:
        flag = flag_of(name)
        if data.instances is not None and name in asked:
            raise ValueError(
                f"{flag} is for one ranking, and there are {len(data.instances):,} instances; read "
                f"one of them by --where, or write a page for each by --report FILE.html."
            )
        if kind.is_point and name in (*_OF_DRAWS, "rank_intervals", "tiers"):
            raise ValueError(
                f"{flag} needs posterior draws, and --method {kind.name} has none; use "
                f"{either(names_with_draws())}."
            )
    if options.influence:
        if data.row == "pair" and data.agents is None:
            raise ValueError("--influence needs to know who compared: give the column as --agent.")
        if len(data.agents or data.names) < 2:
            raise ValueError("--influence needs at least two agents, and there is one.")


def _check_decided(options):
    """Refuse a question that needs to know more."""
    if options.decided == "top" and options.top_k is None:
        raise ValueError("--decided top needs the number of items: give --top-k too.")
    if options.indifference is not None and not 0.0 <= options.indifference < float("inf"):
        raise ValueError(f"--indifference must be 0 or more, got {options.indifference:g}.")


def _check_varying(options, data, varies, features):
    """Refuse what is about agents, categories or features where nothing is known of them."""
    if options.agents and data.agents is None:
        raise ValueError("--agents needs to know who judged: give the column as --agent.")
    for name in ("in_category", "categories"):
        if getattr(options, name) not in (None, False) and "score_by_category" not in varies:
            raise ValueError(
                f"{flag_of(name)} is for scores that differ between categories: give "
                "--scores by-category."
            )
    if options.in_category is not None and data.categories is not None:
        known = [str(label) for label in data.categories]
        if options.in_category not in known:
            raise ValueError(
                f"--in-category must be one of {listing(known, 20)}, got {options.in_category!r}."
            )
    if options.effects and not features:
        raise ValueError("--effects is about features, of which there are none: name --feature.")


def _check_panels(picture, data, varies):
    """Refuse a picture of differences between agents or categories where there are none."""
    by_agent = {"discrimination", "order_effect_by_agent", "ties_by_agent"} & set(varies)
    if picture.needs_agents and not (by_agent and len(data.agents or []) != 1):
        raise ValueError(
            f"--picture {picture.name} needs something that differs between agents: give "
            "--discrimination by-agent, --order-effect by-agent or --ties by-agent."
        )
    if picture.needs_categories and "score_by_category" not in varies:
        raise ValueError(
            f"--picture {picture.name} is for scores that differ between categories: give "
            "--scores by-category."
        )


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


def _given(flag, texts, items, *, all_of_them=True):
    """Return the items that texts name."""
    from bayesrank.consensus.labels import positions

    try:
        places = positions(flag, texts, [str(item) for item in items], all_of_them=all_of_them)
    except ValueError as error:
        raise ValueError(str(error).replace("`", "")) from None
    return [items[place] for place in places]


def _given_order(path, items, *, all_of_them):
    """Return the items that a file names, one per line, the best first."""
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"--judge: '{path}' is no plain text.") from None
    texts = [line.strip() for line in lines if line.strip()]
    return _given("--judge", texts, items, all_of_them=all_of_them)


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
