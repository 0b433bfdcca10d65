"""Prior scales that are parameters, and models in which they are fixed."""

from typing import TYPE_CHECKING, Any

__all__ = ["LearnedScales"]


class LearnedScales:
    """The scales of a `Specification`: of the items, and of what differs between labels."""

    scale: float | None
    spreads: dict[str, float]
    item_effects: bool
    moves: Any

    if TYPE_CHECKING:

        @property
        def parameters(self) -> list[Any]: ...
        def replace(self, **changes: Any) -> Any: ...

    @property
    def learned_scales(self) -> list[str]:
        """Names of the scales that are parameters: of the items, and of what differs.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.learned_scales, model.replace(scale=None).learned_scales
        ([], ['scale'])
        """
        found = [getattr(parameter, "scale", None) for parameter in self.parameters]
        return [name for name in found if name is not None]

    @property
    def learns_spreads(self) -> bool:
        """Whether any of `learned_scales` is of what differs, and not of the items.

        Examples
        --------
        >>> br.Specification(br.load_dataset("pudding"), "davidson").learns_spreads
        False
        """
        return any(name != "scale" for name in self.learned_scales)

    def with_scales(self, values: Any) -> Any:
        """Return the specification with all of `learned_scales` fixed, in their order.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson")
        >>> model.with_scales([0.5])
        Specification("davidson", 6 items, scale 0.5)
        """
        known = dict(zip(self.learned_scales, map(float, values), strict=True))
        scale = known.pop("scale", self.scale)
        spreads = {name.removesuffix("_spread"): value for name, value in known.items()}
        return self.replace(scale=scale, spreads=self.spreads | spreads)

    @property
    def learns_scale(self) -> bool:
        """Whether the prior scale of the effects is a parameter.

        Examples
        --------
        >>> model = br.Specification(br.load_dataset("pudding"), "davidson", scale=1.0)
        >>> model.learns_scale, model.replace(scale=None).learns_scale
        (False, True)
        """
        return self.scale is None and self.item_effects and self.moves is None
