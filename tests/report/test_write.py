"""The file: one piece, nothing breaks out of it, and it is there whole or not at all."""

import base64
import hashlib
import html
import json
import os
import re
import stat
import tempfile
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bayesrank as br
from bayesrank.report import write, write_report
from bayesrank.report.page import gather
from bayesrank.report.words import label
from tests.odd_names import names
from tests.report.fits import HOSTILE, made_fit, moving_fit


class Elements(HTMLParser):
    """Collect the elements of a page, and the text of its scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.found, self.raw = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def handle_data(self, data):
        if self.found and self.found[-1][0] in ("script", "style"):
            self.raw.append((self.found[-1], data))

    def handle_endtag(self, tag):
        self.found.append(("/" + tag, {}))


@pytest.fixture(scope="module")
def fit():
    return made_fit(HOSTILE)


@pytest.fixture(scope="module")
def text(fit, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "out.html"
    assert write_report(fit, path, title="A {{data}} & <b>title</b>") == path
    return path.read_bytes().decode("utf-8")


def test_the_data_come_back_from_the_file(fit, text):
    elements = Elements(text)
    (data,) = [raw for (_, given), raw in elements.raw if given.get("id") == "page-data"]
    expected = gather(fit, title="A {{data}} & <b>title</b>")
    assert {**json.loads(data), "made": None} == {**expected, "made": None}
    assert not re.search(r"[<>&\u2028\u2029]|[^\x00-\x7f]", data)


def test_nothing_in_a_name_or_title_becomes_an_element(text):
    elements = Elements(text)
    tags = [tag for tag, _ in elements.found]
    assert "img" not in tags and "b" not in tags
    assert tags.count("script") == 1 + len(write.SCRIPTS)
    assert "<title>A {{data}} &amp; &lt;b&gt;title&lt;/b&gt;</title>" in text
    assert not any(name.startswith("on") for _, given in elements.found for name in given)


@settings(max_examples=settings.default.max_examples // 2)
@given(st.lists(names(), min_size=3, max_size=3, unique=True), names())
def test_any_name_and_title_are_only_text(labels, title):
    plain, odd = (
        write.fill(gather(made_fit(items, draws=20), title=heading))
        for items, heading in ((["a", "b", "c"], "d"), (labels, title))
    )
    assert odd.encode().decode() == odd
    elements = Elements(odd)
    assert [tag for tag, _ in elements.found] == [tag for tag, _ in Elements(plain).found]
    (data,) = [raw for (_, given), raw in elements.raw if given.get("id") == "page-data"]
    assert json.loads(data)["items"] == [label(name) for name in labels]
    assert f"<title>{html.escape(title.strip() or 'Ranking')}</title>" in odd


@pytest.fixture(scope="module")
def moving(tmp_path_factory):
    fit = moving_fit(HOSTILE, method="map")
    path = write_report(fit, tmp_path_factory.mktemp("page") / "moving.html")
    return path.read_bytes().decode("utf-8")


@pytest.mark.parametrize("which", ["text", "moving"])
def test_the_policy_knows_our_scripts_and_style_and_nothing_else(which, request):
    text = request.getfixturevalue(which)
    elements = Elements(text)
    (policy,) = [given["content"] for tag, given in elements.found
                 if given.get("http-equiv") == "Content-Security-Policy"]  # fmt: skip
    allowed = {}
    for directive in policy.split("; "):
        name, *sources = directive.split()
        allowed[name] = sources
    assert allowed["default-src"] == ["'none'"]

    def hashes(tag):
        raws = [raw for (found, given), raw in elements.raw if found == tag and "id" not in given]
        digests = (hashlib.sha256(raw.encode()).digest() for raw in raws)
        return [f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests]

    assert allowed["script-src"] == hashes("script")
    assert allowed["style-src"] == hashes("style")
    # It is said before anything that it is about.
    assert text.index("Content-Security-Policy") < text.index("<style>")


@pytest.mark.parametrize("which", ["text", "moving"])
def test_nothing_is_linked(which, request):
    text = request.getfixturevalue(which)
    for tag, attributes in Elements(text).found:
        for name in ("src", "href"):
            assert attributes.get(name, "#").startswith(("#", "data:,")), (tag, attributes)
    assert not re.search(r"@import|url\(", text)


def test_templates_never_read_data_as_html():
    for name in (*write.SCRIPTS, *write.HISTORY_SCRIPTS):
        source = (write.files("bayesrank.report") / name).read_text("utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", source
        )


def test_only_pages_of_scores_that_move_have_the_panel(text, moving):
    scripts = [tag for tag, _ in Elements(moving).found].count("script")
    assert scripts == 1 + len(write.SCRIPTS) + len(write.HISTORY_SCRIPTS)
    assert 'id="history"' in moving and 'href="#history"' in moving
    assert "history" not in text and "Scores that move" not in text and "--own" not in text
    assert "\n\n\n" not in text.split("<script")[0] + moving.split("<script")[0]


@pytest.mark.parametrize("name", ["page.htm", "page", "page.html.txt"])
def test_other_endings_are_refused(fit, tmp_path, name):
    with pytest.raises(ValueError, match=f"must end in .html, got .*{name}"):
        write_report(fit, tmp_path / name)


def test_what_cannot_be_written_is_refused_before_the_work(fit, tmp_path, monkeypatch):
    monkeypatch.setattr(write, "gather", None)  # which would not be callable
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(IsADirectoryError, match=r"folder\.html"):
        write_report(fit, tmp_path / "folder.html")
    with pytest.raises(FileNotFoundError, match=r"no such directory.*absent.out\.html"):
        write_report(fit, tmp_path / "absent" / "out.html")

    def refuse(*arguments, **options):
        raise PermissionError(13, "Permission denied", "some other name")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    with pytest.raises(PermissionError, match=r"Permission denied.*out\.html"):
        write_report(fit, tmp_path / "out.html")


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() == 0, reason="nothing is forbidden to the superuser"
)
def test_a_protected_file_is_not_replaced(fit, tmp_path):
    path = tmp_path / "out.html"
    path.write_text("kept")
    path.chmod(0o444)
    with pytest.raises(PermissionError, match=r"may not be overwritten.*out\.html"):
        write_report(fit, path)


def test_a_failure_leaves_what_was_there(fit, tmp_path, monkeypatch):
    path = tmp_path / "out.html"
    path.write_text("kept")

    replace = os.replace

    def fail(source, target):
        # Numba keeps what it compiles by the same function.
        if os.fspath(target) != os.fspath(path.resolve()):
            return replace(source, target)
        raise OSError(28, "No space left on device", "some other name")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match=r"No space left on device.*out\.html"):
        write_report(fit, path)
    assert path.read_text() == "kept"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(os.name != "posix", reason="links and modes are those of POSIX")
def test_the_file_is_an_ordinary_one_and_a_link_stays_a_link(tmp_path):
    fit = made_fit(["a", "b", "c"])
    target, link = tmp_path / "target.html", tmp_path / "link.html"
    target.write_text("old")
    link.symlink_to(target)
    write_report(fit, str(link))
    assert link.is_symlink() and target.read_text("utf-8").startswith("<!DOCTYPE html>")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(target.stat().st_mode) == 0o666 & ~umask


def test_half_a_surrogate_pair_is_no_text_but_no_harm(tmp_path):
    path = write_report(made_fit(["a", "b", "c"]), tmp_path / "out.html", title="\ud800")
    assert "<title>?</title>" in path.read_text("utf-8")


def test_arguments(fit, tmp_path):
    path = tmp_path / "out.html"
    with pytest.raises(TypeError, match="`title` must be a text, got int"):
        write_report(fit, path, title=3)
    with pytest.raises(ValueError, match="`draws` must be a whole number from 1 up, got 0"):
        write_report(fit, path, draws=0)
    with pytest.raises(ValueError, match="`prob` must be between 0 and 1"):
        write_report(fit, path, prob=95)
    assert not path.exists()


def test_items_without_scores_are_refused(tmp_path):
    import pandas as pd

    frame = pd.DataFrame(
        {"user": [1, 1, 1, 2, 2, 2], "film": list("abcdef"), "stars": [3, 2, 1, 3, 1, 2],
         "x": [0.3, 0.2, 0.1, 0.5, 0.4, 0.1]}
    )  # fmt: skip
    data = br.Rankings.from_ratings(
        frame, agent="user", item="film", rating="stars", features=["x"]
    )
    fit = br.fit(data, "plackett-luce", method="map", progress=False)
    with pytest.raises(ValueError, match="Items have no scores of their own"):
        write_report(fit, tmp_path / "out.html")
