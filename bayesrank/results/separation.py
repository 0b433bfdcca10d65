"""Which items the data set apart from others without saying how far."""

from typing import TYPE_CHECKING, Any

from bayesrank.text import listing

if TYPE_CHECKING:
    from bayesrank.data import Connectivity

__all__ = ["left_to_the_prior"]

_GROUPS = 4  # that are shown


def left_to_the_prior(specification: Any) -> tuple[str, str]:
    """Return in words which distances between items come from the prior alone.

    First who never meets, directly or through others; then between whom all results went one way,
    as for a team that won all its games: the further apart such items are the likelier are the
    results, so that only the prior keeps their distance finite. Either is empty where there is
    nothing to say. What runs off by features alone, or with an order effect, is not looked at:
    that takes a linear program.
    """
    if specification.flat:  # where such data are refused
        return "", ""
    if specification.of_preferences:
        return "", _one_sided(specification)
    if not specification.item_effects:
        return "", ""
    # Where scores move, an item's states are linked to each other.
    moving = specification.moves is not None
    links = (specification.data if moving else specification.observation).connectivity
    links = links() if moving else links
    return _apart(links), _one_way(links)


def _apart(links: "Connectivity") -> str:
    if links.connected:
        return ""
    groups = f"{len(links.islands):,} groups of items never meet: {_groups(links.islands)}."
    if links.n_instances > 1:
        groups = f"Some items never meet in {listing(links.split)}."
    return f"{groups} How these stand to each other comes from the prior."


def _one_way(links: "Connectivity") -> str:
    """Return between whom all results went one way: single items, all items, or groups."""
    if links.n_instances > 1:
        where = listing([label for label in links.loose if label not in set(links.split)])
        said = f"All results between some items went one way in {where}. How far apart these are "
        return f"{said}comes from the prior." if where else ""
    if len(links.components) == len(links.islands):
        return ""
    ends = {*links.never_lose, *links.never_win}
    others = [group for group in links.components if len(group) > 1 or group[0] not in ends]
    if len(others) <= len(links.islands):
        return _ends(links)
    if len(links.components[0]) == 1:
        items = sorted((group[0] for group in links.components), key=str)
        return (
            f"No result contradicts another, among {listing(items)}. How far apart these items are "
            "comes from the prior."
        )
    return (
        f"All results between these groups went one way: {_groups(links.components)}. How far "
        "apart the groups are comes from the prior."
    )


def _ends(links: "Connectivity") -> str:
    """Return who is above all others, or below all, as far as the results go."""
    told = ((links.terms[0], links.never_lose, "above"), (links.terms[1], links.never_win, "below"))
    who = " ".join(f"{term.capitalize()}: {listing(items)}." for term, items, _ in told if items)
    where = " or ".join(side for _, items, side in told if items)
    return f"{who} How far {where} the others they are comes from the prior."


def _one_sided(specification: Any) -> str:
    """Return whose preferences all go one way, which in models of preferences takes all of them."""
    places, data = specification.observation.one_sided, specification.data
    if not places.size:
        return ""
    if data.instances is not None:
        where = f" in {listing([data.instances[q] for q in places])}"
        who = f"No item is preferred to one and behind another{where}"
    else:
        links = data.connectivity()
        who = f"All prefer {listing(links.never_lose)} to {listing(links.never_win)}"
    return f"{who}. How far apart these are comes from the prior."


def _groups(groups: list[list[Any]]) -> str:
    more = f"; and {len(groups) - _GROUPS:,} more" if len(groups) > _GROUPS else ""
    return f"{'; '.join(listing(group) for group in groups[:_GROUPS])}{more}"
