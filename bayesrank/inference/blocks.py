"""The coordinates of a sampler as a list of blocks, for the compiled posterior.

See `bayesrank.kernels.posterior.coordinates` for the kinds of blocks.
"""

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bayesrank.kernels.posterior import coordinates, function
from bayesrank.kernels.posterior.coordinates import LINEAR, WHITENED, Block
from bayesrank.kernels.posterior.function import evaluate_moved, place_all, records_of
from bayesrank.kernels.posterior.moving_coordinates import MOVING

if TYPE_CHECKING:
    from bayesrank.model.program import Program
    from bayesrank.model.specification import Specification

__all__ = ["BlockCoordinates", "Blocks"]


class Blocks:
    """A map from standardised coordinates to the flat vector of a specification.

    Blocks are added in the order in which they are filled in: learned scales come first.

    Attributes
    ----------
    log_volume : float
        The logarithm of the map's volume, as far as that is the same everywhere.
    """

    def __init__(self) -> None:
        self._rows: list[tuple[int, ...]] = []
        self._held: list[np.ndarray] = []
        self._room, self.log_volume = 0, 0.0
        self._turns: tuple[np.ndarray, np.ndarray] | None = None

    def _hold(self, values: Any, dtype: Any = float) -> int:
        array = np.ascontiguousarray(values, dtype=dtype)
        self._held.append(array)
        return array.ctypes.data

    def _add(self, block: Block, size: int, positions: int, *more: int) -> None:
        self._rows.append((*block.addresses, self._room, size, positions, *more))
        self._room += block.room * size

    def linear(self, positions: np.ndarray, centre: Any, matrix: np.ndarray) -> None:
        """Add numbers that are a centre and a matrix times z."""
        if not len(positions):
            return
        at = self._hold(positions, np.int64)
        self._add(LINEAR, len(positions), at, self._hold(centre), self._hold(matrix))
        self.log_volume += np.linalg.slogdet(np.atleast_2d(matrix))[1]

    def whitened(
        self, positions: np.ndarray, basis: np.ndarray, start: np.ndarray, *, scale: int = -1,
        usual: float = 0.0, shares: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        """Add numbers with a mean and a basis that may depend on a learned scale.

        Parameters
        ----------
        positions : ndarray of int
        basis : ndarray
            Square, or its diagonal.
        start : ndarray
            The mean, in the coordinates of the basis.
        scale : int
            Where in the flat vector the logarithm of the scale is, -1 for none.
        usual : float
            That logarithm, where the basis was made.
        shares : ndarray, optional
            How much of the precision along each column of the basis one unit of the scale's inverse
            square makes.
        """
        if not len(positions):
            return
        shares = np.zeros(len(positions)) if shares is None else shares
        self._add(
            WHITENED, len(positions), self._hold(positions, np.int64), scale, self._hold([usual]),
            self._hold(basis), self._hold(start), self._hold(shares), int(np.ndim(basis) == 1),
        )  # fmt: skip
        diagonal = np.ndim(basis) == 1
        self.log_volume += np.log(basis).sum() if diagonal else np.linalg.slogdet(basis)[1]

    def moving(
        self, first: int, gap: np.ndarray, start: np.ndarray, known: np.ndarray, *, reverts: bool,
        places: list[int], given: list[float],
    ) -> None:  # fmt: skip
        """Add the steps of scores that move, which follow each other from a position on."""
        self._add(
            MOVING, len(gap), first, int(reverts), self._hold(places, np.int64), self._hold(given),
            self._hold(gap), self._hold(start), self._hold(known),
        )  # fmt: skip

    def turn(self, directions: np.ndarray, lengths: np.ndarray) -> None:
        """Stretch coordinates before the blocks have them.

        Parameters
        ----------
        directions : ndarray, one row for each
            Orthonormal.
        lengths : ndarray
            What one step along each becomes.
        """
        self._turns = directions, lengths - 1.0
        self.log_volume += float(np.log(lengths).sum())

    def table(self, program: "Program") -> np.ndarray:
        """Return the table of a model in these coordinates."""
        table = program.table.copy()
        if self._turns is not None:
            directions, stretch = self._turns
            table[function.TURNS] = len(stretch)
            table[function.TURN_BASIS] = self._hold(directions)
            table[function.TURN_STRETCH] = self._hold(stretch)
        table[function.PARTS] = len(self._rows)
        table[function.PART_RECORDS] = self._hold(
            records_of(self._rows, coordinates.WORDS), np.int64
        )
        table[function.ROOM] = self._room
        table[function.POSTERIOR] = function.posterior_function().address
        return table


class BlockCoordinates:
    """Coordinates that are a list of blocks.

    The map is exact whatever the posterior is like, as its Jacobian is accounted for; only how far
    z is from standard normal depends on the approximation that the blocks are made from.

    Attributes
    ----------
    specification : Specification
    size : int
        Number of coordinates, one for each free number of the specification.
    blocks : Blocks
    """

    specification: "Specification"
    size: int
    blocks: Blocks
    correlated = True  # whether there is room for correlations

    @cached_property
    def table(self) -> np.ndarray:
        """The model in these coordinates, for `bayesrank.kernels.posterior.function`."""
        return self.blocks.table(self.specification.program)

    @property
    def log_volume(self) -> float:
        """What `objective` leaves out of the log-Jacobian, since it is the same everywhere."""
        return float(self.blocks.log_volume)

    def point(self, z: np.ndarray) -> np.ndarray:
        """Return the specification's flat vector."""
        return self.points(np.atleast_2d(z))[0]

    def points(self, z: np.ndarray) -> np.ndarray:
        """Return the flat vectors of many points, one row per point."""
        return place_all(np.ascontiguousarray(z, dtype=float), self.table)

    def objective(self, z: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log-density of z, up to a constant, and its gradient."""
        gradient = np.empty(self.size)
        value = evaluate_moved(np.ascontiguousarray(z, dtype=float), self.table, gradient)
        return value, gradient
