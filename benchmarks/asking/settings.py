"""What is asked about: how many items, in pairs or in sets, which truths, and how much."""

from dataclasses import replace

from benchmarks.asking.runs import Setting

__all__ = ["PARTS", "settings"]

PARTS = {
    "pairs-20": "pairs of 20 items, Davidson",
    "pairs-60": "pairs of 60 items, Davidson",
    "rankings-20": "rankings of 4 of 20 items, Plackett-Luce",
    "rankings-60": "rankings of 4 of 60 items, Plackett-Luce",
}
# Items, items in a question, questions at once, replicates.
_SIZES = {
    "pairs-20": ("davidson", 20, 2, 20, 40),
    "pairs-60": ("davidson", 60, 2, 60, 10),
    "rankings-20": ("plackett-luce", 20, 4, 5, 40),
    "rankings-60": ("plackett-luce", 60, 4, 15, 10),
}
# Questions by part and truth: of those who do not look at the answers, which costs little; of
# ASAP; of suggestions for the order and for the best. 0 where nothing is to be found.
_BUDGETS = {
    ("pairs-20", "prior"): (8000, 2000, 1000, 900),
    ("pairs-20", "even"): (8000, 800, 600, 500),
    ("pairs-20", "leader"): (2000, 800, 0, 400),
    ("pairs-20", "equal"): (600, 600, 600, 600),
    ("pairs-60", "prior"): (20000, 4000, 2000, 1800),
    ("pairs-60", "even"): (20000, 3000, 1500, 1500),
    ("pairs-60", "leader"): (6000, 2000, 0, 1000),
    ("pairs-60", "equal"): (1800, 1800, 1800, 1800),
    ("rankings-20", "prior"): (2000, 500, 300, 200),
    ("rankings-20", "even"): (2000, 300, 150, 150),
    ("rankings-20", "leader"): (500, 200, 0, 100),
    ("rankings-20", "equal"): (150, 150, 150, 150),
    ("rankings-60", "prior"): (4000, 800, 500, 400),
    ("rankings-60", "even"): (4000, 600, 300, 300),
    ("rankings-60", "leader"): (1500, 500, 0, 300),
    ("rankings-60", "equal"): (400, 400, 400, 400),
}


def settings(part, quick=False):
    """Return the settings of a part; small ones to see that it runs."""
    likelihood, items, size, batch, replicates = _SIZES[part]
    found = []
    for (where, truth), (blind, asap, order, best) in _BUDGETS.items():
        if where != part:
            continue
        budgets = {
            "random": blind, "round robin": blind, "ASAP": asap, "suggest order": order,
            "suggest best": best,
        }  # fmt: skip
        budgets = {name: budget for name, budget in budgets.items() if budget}
        one = Setting(part, likelihood, items, size, batch, truth, budgets, replicates)
        found.append(_small(one) if quick else one)
    return found


def _small(setting):
    """Return a setting of few items and questions."""
    items, batch = 6, 4
    budgets = dict.fromkeys(setting.budgets, 2 * items // (setting.size // 2) + 2 * batch)
    return replace(setting, items=items, batch=batch, budgets=budgets, replicates=2)
