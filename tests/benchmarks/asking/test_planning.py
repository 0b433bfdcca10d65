"""The picture of the guide."""

from benchmarks.asking import planning
from tests.benchmarks.asking.asked_runs import made_runs


def test_two_panels_of_two_strategies():
    figure = planning.draw(made_runs())
    assert [len(ax.lines) for ax in figure.axes] == [2, 2]
    texts = [text.get_text() for text in figure.axes[1].get_legend().get_texts()]
    assert texts == ["random pairs", 'fit.suggest(goal="best")']


def test_few_runs_of_it(monkeypatch):
    setting = planning._PLAN
    monkeypatch.setattr(
        planning, "_PLAN", type(setting)(**setting.__dict__ | {"budgets": {"random": 25}})
    )
    runs = planning.planned(quick=True)
    assert runs["replicate"].nunique() == 2 and runs["asked"].max() == 25
