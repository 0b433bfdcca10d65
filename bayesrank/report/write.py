"""Fill the template and write the page, in one piece or not at all."""

import base64
import hashlib
import html
import json
import re
from importlib.resources import files

from bayesrank.data.checks import whole_number
from bayesrank.data.formats.written_files import check_target, replace_file
from bayesrank.report.instances import LARGEST, index_page
from bayesrank.report.page import gather
from bayesrank.text import in_terminal

__all__ = ["fill", "write_report"]

# In the order in which the page runs them.
SCRIPTS = ("page.js", "ranking.js", "item.js", "pairs.js", "notes.js")
STYLES = ("page.css",)
# What pages of scores that move have besides.
HISTORY_SCRIPTS = ("chart.js", "history.js")
HISTORY_STYLES = ("history.css",)
# What pages of scores by category, of agents and of features have besides.
_MORE_SCRIPTS = {"categories": "categories.js", "judges": "agents.js", "effects": "effects.js"}
_MORE_STYLES = {"categories": "categories.css", "judges": "agents.css"}
_CATEGORY_CHOICE = """  <div class="tools">
    <div><label for="category">Category</label>
      <select id="category" autocomplete="off"></select></div>
  </div>
  <p id="category-said" role="status" aria-live="polite"></p>
  <p class="hint" id="category-about"></p>
"""
_CATEGORY_TERMS = """    <dt>Category</dt>
    <dd>A kind of task in which the same item may have another score. The ranking over all is of
      what an item's scores in all categories have in common.</dd>
"""
_JUDGES_LINK = '      <a href="#judges">Agents</a>\n'
_HISTORY_LINK = '      <a href="#history">History</a>\n'
_HISTORY_TERMS = """    <dt>Scores that move</dt>
    <dd>A score belongs to a time. At each time, scores sum to zero over the items that are ranked
      then, those that were seen lately; so a line may also rise because others fell, or left.</dd>
"""


def write_report(fit, path, *, title=None, prob=0.95, draws=500, tiers="expected"):
    """Write a fit as a self-contained HTML page.

    Parameters
    ----------
    fit : Fit
        With scores of items. Where there are several instances each gets a page of its own,
        beside the one that is written, which leads to them.
    path : str or path
        File to write, ending in .html; one that is there is replaced.
    title : str, optional
        Heading of the page; by default it says how many items there are.
    prob : float
        Probability of the intervals, and what it takes to tell two items apart.
    draws : int
        Posterior draws that win probabilities are averaged over, evenly spaced.
    tiers : "expected" or "certain"
        The rule of ``fit.tiers``.

    Returns
    -------
    pathlib.Path
        The file.
    """
    path = check_target(path, (".html",))
    if title is not None and not isinstance(title, str):
        raise TypeError(f"`title` must be a text, got {type(title).__name__}.")
    whole_number("draws", draws, 1)
    instances, options = fit.specification.data.instances, {"prob": prob, "draws": draws}
    options["tiers"] = tiers
    if instances is not None:
        return _write_instances(fit, path, instances, title=title, **options)
    _write_page(path, fill(gather(fit, title=title, **options)))
    return path


def _write_instances(fit, path, instances, *, title, **options):
    """Write a page for each instance, and then the one that leads to them."""
    if len(instances) > LARGEST:
        some = f"choose one, such as fit.instance({instances[0]!r}).report(...)"
        raise ValueError(
            f"There are {len(instances):,} instances, and pages for {LARGEST} at most: "
            f"{'read fewer, by --where' if in_terminal() else some}."
        )
    heading, parts = title or f"{len(instances):,} rankings", []
    for k, label in enumerate(instances, 1):
        name = f"{path.stem}-{k}.html"
        part = fit.instance(label)
        page = f"{title}: {label}" if title else str(label)
        write_report(part, path.with_name(name), title=page, **options)
        parts.append((label, name, part.ranking(options["prob"])))
    _write_page(path, index_page(heading, parts))
    return path


def fill(page):
    """Return the page's HTML from what `gather` returned."""
    folder, moves = files("bayesrank.report"), "history" in page
    scripts, styles = (
        [(folder / name).read_text("utf-8") for name in names]
        for names in (
            (*SCRIPTS, *(HISTORY_SCRIPTS if moves else ()), *_those(_MORE_SCRIPTS, page)),
            (*STYLES, *(HISTORY_STYLES if moves else ()), *_those(_MORE_STYLES, page)),
        )
    )
    parts = {
        "policy": _policy(scripts, styles),
        "style": "\n".join(f"<style>{text}</style>" for text in styles),
        "scripts": "\n".join(f"<script>{text}</script>" for text in scripts),
        "history": f"{(folder / 'history.html').read_text('utf-8')}\n" if moves else "",
        "history_link": _HISTORY_LINK if moves else "",
        "history_terms": _HISTORY_TERMS if moves else "",
        "category_choice": _CATEGORY_CHOICE if "categories" in page else "",
        "category_terms": _CATEGORY_TERMS if "categories" in page else "",
        "judges": (folder / "agents.html").read_text("utf-8") if "judges" in page else "",
        "judges_link": _JUDGES_LINK if "judges" in page else "",
        "title": html.escape(page["title"]),
        "answer": "\n".join(f"<p>{html.escape(sentence)}</p>" for sentence in page["answer"]),
        "certainty": html.escape(page["certainty"]),
        "tiers": html.escape(page["tiers"]),
        "data": _script_json(page),
    }
    template = (folder / "page.html").read_text("utf-8")
    # One pass: what was filled in, such as a title with braces, is not looked at again.
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], template)


def _those(files, page):
    """Return the files of the parts that a page has."""
    return [name for part, name in files.items() if part in page]


def _policy(scripts, styles):
    """Return a content security policy that lets run and style what is ours, and fetches nothing.

    Scripts and styles are known by the hash of their text.
    """

    def hashes(texts):
        digests = (hashlib.sha256(text.encode()).digest() for text in texts)
        return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)

    return (
        f"default-src 'none'; script-src {hashes(scripts)}; style-src {hashes(styles)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _script_json(page):
    """Return JSON that no name inside can end the script element of.

    Everything beyond ASCII is escaped as well, U+2028 and lone surrogates among it.
    """
    text = json.dumps(page, allow_nan=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _write_page(path, text):
    # A title may hold half a surrogate pair, which no file of text can hold.
    content = text.encode("utf-8", errors="replace")
    replace_file(path, lambda temporary: temporary.write_bytes(content))
