"""One page for each instance, and one that leads to them."""

import html
from importlib.resources import files

from bayesrank.report.words import label, percent

__all__ = ["LARGEST", "index_page"]

LARGEST = 500  # instances that get a page of their own

_TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{count:,} separate rankings, one page each.</p>
<table>
<thead><tr><th scope="col">Instance</th><th scope="col">Items</th><th scope="col">First</th>
<th scope="col">P(best)</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</main>
</body>
</html>
"""


def index_page(title, parts):
    """Return the page that leads to the others.

    Parameters
    ----------
    title : str
    parts : list of (label, file name, ranking)
    """
    rows = []
    for instance, name, table in parts:
        best = table["p_best"].iloc[0]
        sure = percent(best) if best == best else "\u2013"
        cells = [len(table), html.escape(label(table.index[0])), sure]
        link = f'<a href="{html.escape(name)}">{html.escape(label(instance))}</a>'
        rows.append("<tr><td>" + "</td><td>".join(map(str, [link, *cells])) + "</td></tr>")
    return _TEMPLATE.format(
        title=html.escape(title),
        style=(files("bayesrank.report") / "page.css").read_text("utf-8"),
        count=len(parts),
        rows="\n".join(rows),
    )
