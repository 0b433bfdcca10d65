"""The public names are a promise."""

import pytest

import bayesrank as br
from bayesrank import metrics


def test_public_names():
    assert sorted(br.__all__) == sorted(br._HOMES) == [
        "BradleyTerry", "ClusterFit", "Comparisons", "Davidson", "Fit", "MPM", "Mixture", "PMOP",
        "PartitionedPlackettLuce", "PlackettLuce", "Rankings", "RaoKupper", "ScoreDraws",
        "Specification", "Thurstone", "ThurstonePairs", "agreement", "calibrate", "compare", "fit",
        "fit_many", "load_dataset", "read", "resume", "sample", "simulate",
    ]  # fmt: skip
    for name in br.__all__:
        assert getattr(br, name).__doc__
        assert name in dir(br)


def test_unknown_names_are_unknown():
    with pytest.raises(AttributeError, match="has no attribute 'elo'"):
        br.elo  # noqa: B018


def test_public_names_are_explained():
    for name in metrics.__all__:
        assert name == "CONVENTIONS" or getattr(metrics, name).__doc__


def test_every_public_picture_is_exported():
    from bayesrank import plots

    assert [name for name in plots.__all__ if callable(getattr(plots, name))] == [
        "plot_adherences", "plot_agents", "plot_categories", "plot_check", "plot_history",
        "plot_prior", "plot_ranking", "plot_ranks", "plot_variances", "plot_wins", "plot_worths",
    ]  # fmt: skip
