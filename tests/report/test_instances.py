"""A page for each instance, and one that leads to them."""

import pytest

import bayesrank as br
from bayesrank.report import write_report


def test_several_instances_have_a_page_each(tmp_path, monkeypatch):
    import pandas as pd

    rows = [("q1", "a", "b", 2, 1), ("q1", "b", "c", 2, 1), ("q2", "a", "b", 1, 2)]
    frame = pd.DataFrame(rows, columns=["query", "left", "right", "wins", "losses"])
    data = br.Comparisons.from_counts(frame, instance="query")
    fit = br.fit(data, "bradley-terry", method="map", progress=False)
    path = write_report(fit, tmp_path / "out.html", title="Queries <1>")
    text = path.read_text("utf-8")
    assert "<h1>Queries &lt;1&gt;</h1>" in text and "2 separate rankings" in text
    for k, name in enumerate(("q1", "q2"), 1):
        assert f'<a href="out-{k}.html">{name}</a>' in text
        assert f"Queries &lt;1&gt;: {name}" in (tmp_path / f"out-{k}.html").read_text("utf-8")
    monkeypatch.setattr("bayesrank.report.write.LARGEST", 1)
    with pytest.raises(ValueError, match=r"pages for 1 at most: choose one, such as fit\.instance"):
        write_report(fit, tmp_path / "out.html")
