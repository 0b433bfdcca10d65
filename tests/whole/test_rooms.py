"""Which rooms of the package may import which, found in the sources, late imports too."""

import ast
import json
from collections import defaultdict
from importlib import import_module

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from tests.whole.sources import ROOT, all_imports, files_in, imported, modules

# The root has what everybody may use, and the doors.
ROOT_MODULES = {"__init__", "__main__", "_compat", "progress", "text"}
FOR_EVERYBODY = {"_compat", "progress", "text"}

# Data, model, distributions, kernels is the way down; plots, report and cli are at the end.
# A room, or a single module of one.
MAY_IMPORT = {
    "kernels": set(),
    "data": set(),
    "distributions": {"kernels", "data.ranks"},
    "model": {"data", "distributions", "kernels"},
    "consensus": {"kernels", "data.checks", "data.labels"},
    "results": {"consensus", "data", "model"},
    "inference": {"data", "kernels", "model", "results"},
    "metrics": {"data", "inference", "kernels", "model", "results"},
    "baselines": {"data", "inference", "kernels", "metrics", "model", "results"},
    "calibration": {"data", "inference", "kernels", "model", "results"},
    "plots": {"calibration", "consensus", "data", "model", "results"},
    "report": {"consensus", "data", "model", "results"},
    "cli": {"", "consensus", "data", "inference", "model", "plots", "report", "results"},
    "_compat": set(),
    "progress": set(),
    "text": set(),
    "__main__": {"cli"},
    "": set(),  # its names are found by `import_module` when they are asked for
}
# Against the flow, but only when a method for convenience is called.
WHEN_CALLED = {
    ("bayesrank.calibration.simulation", "bayesrank.plots.calibration"): "Calibration.plot",
    ("bayesrank.consensus.answers", "bayesrank.plots"): "pictures of answers",
    ("bayesrank.results.fit", "bayesrank.report"): "Fit.report",
    ("bayesrank.results.pictures", "bayesrank.plots"): "pictures of a fit",
    ("bayesrank.results.refits", "bayesrank.inference.fitting"): "fits of more or of less data",
}
# Modules that import each other, because pictures of answers and fits of other data are methods
# of what they are made from. The lists may only shrink.
CYCLES = [
    {
        "bayesrank.consensus",
        "bayesrank.consensus.answers",
        "bayesrank.consensus.score_draws",
        "bayesrank.plots",
        "bayesrank.plots.check",
    },
    {"bayesrank.inference", "bayesrank.inference.many_fits"},
    {
        "bayesrank.inference.fitting",
        "bayesrank.inference.nuts",
        "bayesrank.inference.resumable",
        "bayesrank.inference.stores",
        "bayesrank.results.fit",
        "bayesrank.results.influence",
        "bayesrank.results.refits",
        "bayesrank.results.tables",
        "bayesrank.results.updates",
    },
]

# Rooms whose names in `__all__` are public, beside those of the package itself.
PUBLIC_ROOMS = ("baselines", "consensus", "data", "kernels", "metrics")


def room_of(module):
    """Return the room of a module, or its own name where it is at the root."""
    return module.split(".")[1] if "." in module else ""


def against_the_flow():
    """Return the imports that no row of the table allows, and whether all of them are late."""
    found = {}
    for source, target, late in all_imports():
        here, there = room_of(source), room_of(target)
        allowed = MAY_IMPORT[here] | FOR_EVERYBODY | {here}
        if there not in allowed and target.partition(".")[2] not in allowed:
            found[source, target] = found.get((source, target), True) and late
    return found


def test_the_root_has_few_modules():
    found = {path.stem for path in (ROOT / "bayesrank").glob("*.py")}
    assert found <= ROOT_MODULES


def test_the_table_has_every_room():
    assert {room_of(module) for module in modules()} == set(MAY_IMPORT)


def test_rooms_import_only_what_they_may():
    found = {pair for pair in against_the_flow() if pair not in WHEN_CALLED}
    assert not found, "Who needs whom here? See MAY_IMPORT for the way down."


def test_what_is_imported_for_convenience_is_imported_late():
    found = against_the_flow()
    assert not [pair for pair in WHEN_CALLED if not found.get(pair, True)]


def test_exceptions_that_are_not_needed_are_taken_off_the_list():
    gone = sorted(set(WHEN_CALLED) - set(against_the_flow()))
    assert not gone, "Nobody imports these by now: take them off the list."


def cycles():
    """Return the sets of modules that all lead to each other."""
    names = list(modules())
    number = {name: k for k, name in enumerate(names)}
    edges = [(number[source], number[target]) for source, target, _ in all_imports()]
    start, end = np.array(edges).T
    graph = coo_array((np.ones(start.size), (start, end)), shape=(len(names),) * 2)
    _, label = connected_components(graph, connection="strong")
    together = defaultdict(set)
    for name, k in zip(names, label, strict=True):
        together[k].add(name)
    return [found for found in together.values() if len(found) > 1]


def test_no_modules_import_each_other_but_those_known():
    new = [found for found in cycles() if not any(found <= known for known in CYCLES)]
    assert not new, "Take what both need to a third module."


def test_cycles_that_are_gone_are_taken_off_the_list():
    found = cycles()
    gone = [known for known in CYCLES if known not in found]
    still = [names for names in found if any(names <= known for known in gone)]
    assert not gone, f"What is left of them: {still}"


def code_of(path):
    """Return the code of a file, or of all cells of a notebook."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".ipynb":
        return text
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    lines = "\n".join("".join(cell["source"]) for cell in cells).splitlines()
    return "\n".join(line for line in lines if not line.startswith(("%", "!")))


def public_names():
    """Return what may be imported, by the module that it is imported from."""
    found = {"bayesrank": {*import_module("bayesrank").__all__, *PUBLIC_ROOMS}}
    for room in PUBLIC_ROOMS:
        found[f"bayesrank.{room}"] = set(import_module(f"bayesrank.{room}").__all__)
    return found


def not_public(tree, public):
    """Return the modules from which some code imports what is not public."""
    found = {target for target, _ in imported(tree) if target not in public}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in public:
            if not {alias.name for alias in node.names} <= public[node.module]:
                found.add(node.module)
    return found


def private_imports():
    """Return the files of studies and notebooks that import what is not public."""
    notebooks = {f"notebooks/{p.name}": p for p in (ROOT / "notebooks").glob("*.ipynb")}
    public, found = public_names(), {}
    for name, path in (files_in("models", "notebooks") | notebooks).items():
        if private := not_public(ast.parse(code_of(path)), public):
            found[name] = private
    return found


def test_studies_and_notebooks_import_public_names_only():
    assert not private_imports()


@pytest.mark.parametrize(
    ("code", "private"),
    [
        ("import bayesrank as br", set()),
        ("from bayesrank import Rankings, metrics", set()),
        ("from bayesrank.data import read_letor", set()),
        ("import bayesrank.progress", {"bayesrank.progress"}),
        ("from bayesrank import progress", {"bayesrank"}),
        ("from bayesrank.data import columns", {"bayesrank.data"}),
        ("def late():\n    from bayesrank.kernels import native", {"bayesrank.kernels"}),
    ],
)
def test_what_is_not_public_is_found(code, private):
    assert not_public(ast.parse(code), public_names()) == private


def test_late_imports_are_found_and_known_to_be_late():
    code = "import bayesrank.text\ndef late():\n    from bayesrank.data import columns\n"
    found = list(imported(ast.parse(code), modules()))
    assert sorted(found) == [("bayesrank.data.columns", True), ("bayesrank.text", False)]
