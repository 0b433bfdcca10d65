"""The public names are a promise."""

import bayesrank as br


def test_public_names():
    assert sorted(br.__all__) == sorted(br._HOMES) == [
        "BradleyTerry", "Comparisons", "Davidson", "Fit", "MPM", "PMOP", "PartitionedPlackettLuce",
        "PlackettLuce", "Rankings", "RaoKupper", "ScoreDraws", "Specification", "Thurstone",
        "ThurstonePairs", "agreement", "calibrate", "compare", "fit", "fit_many",
        "load_dataset", "read", "resume",
    ]  # fmt: skip
    for name in br.__all__:
        assert getattr(br, name).__doc__
        assert name in dir(br)


def test_unknown_names_are_unknown():
    import pytest

    with pytest.raises(AttributeError, match="has no attribute 'elo'"):
        br.elo  # noqa: B018
