"""The site: `python3 -m pip install -e ".[docs]" && python3 -m sphinx -W docs site`."""

import inspect
import logging
import shutil
from pathlib import Path

from bayesrank import __version__

ROOT = Path(__file__).parents[1]
logging.getLogger("pytensor").setLevel(logging.WARNING)

# Pages that live elsewhere, so that they can be read beside what they are about.
_GUESTS = {
    "notebooks": ("notebooks", ["*.ipynb"]),
    "studies": ("models", ["README.md", "**/*.py", "results/*.png", "results/*.csv"]),
    "measurements": ("benchmarks", ["README.md", "*.png", "*.csv"]),
}
for _name, (_home, _patterns) in _GUESTS.items():
    _folder = Path(__file__).parent / "_guests" / _name
    shutil.rmtree(_folder, ignore_errors=True)
    for _pattern in _patterns:
        for _path in (ROOT / _home).glob(_pattern):
            _target = _folder / _path.relative_to(ROOT / _home)
            _target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(_path, _target)

project = "bayesrank"
author = "the authors of bayesrank"
release = version = __version__
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "numpydoc",
    "myst_nb",
    "sphinx-mathjax-offline",
    "sphinx_copybutton",
]
exclude_patterns = ["_build", "_guests/notebooks/.ipynb_checkpoints"]

html_theme = "furo"
html_title = "bayesrank"
html_show_copyright = False

myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # the outputs are in the notebooks, written by `python3 -m notebooks`
nb_merge_streams = True

autodoc_member_order = "bysource"
autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
# Names in backticks are links where there is something to link to, and code where not.
default_role = "autolink"

suppress_warnings = [
    "myst.header",  # a notebook may start its headings where it wants
    "config.cache",
]


def _rewrite(app, docname, source):
    """Point links between the repository's folders at the copies."""
    here = "../" if docname.startswith("_guests/") else "_guests/"
    for name, (home, _) in _GUESTS.items():
        source[0] = source[0].replace(f"](../{home}/", f"]({here}{name}/")
    if here == "../":
        source[0] = source[0].replace("](../docs/", "](../../")
        source[0] = source[0].replace("](../README.md)", "](../../index.md)")


def _show_parameters(app, what, name, value, options, signature, returned):
    """Show a distribution's parameters, which only its `dist` names."""
    if what != "class" or not hasattr(value, "dist"):
        return None
    own = str(inspect.signature(value.dist)).removeprefix("(").replace("**kwargs", "observed=None")
    return f"(name, {own[:-1]}, **kwargs)", returned


def setup(app):
    """Add what Sphinx has no setting for."""
    app.connect("source-read", _rewrite)
    app.connect("autodoc-process-signature", _show_parameters, priority=100)
