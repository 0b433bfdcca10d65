"""What a user may ask of a fit by name: parameters, and what follows from them."""

from dataclasses import dataclass

__all__ = ["Quantity"]


@dataclass(frozen=True)
class Quantity:
    """A named quantity: its shape, its ends and what it means.

    Parameters
    ----------
    name : str
    dims : tuple of str
        Empty for a single number.
    meaning : str
        In words, for tables.
    low, high : float, optional
        Ends of its range, on the axis that it is drawn on.
    ratio : bool
        Whether it is drawn on a logarithmic axis: its prior reaches over powers of ten.
    enters : bool
        Whether the likelihood depends on it directly; otherwise it does so through others.
    """

    name: str
    dims: tuple[str, ...] = ()
    meaning: str = ""
    low: float | None = None
    high: float | None = None
    ratio: bool = False
    enters: bool = True
