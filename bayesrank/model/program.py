"""A model as the compiled posterior sees it: a table of whole numbers and addresses.

Terms and the observation add their operations and arrays; `bayesrank.kernels.posterior.function`
explains the table. Arrays are copied only to change their type. The table holds their addresses,
and the program keeps them alive.
"""

from typing import Any

import numpy as np

from bayesrank.kernels.native import NativeKernel
from bayesrank.kernels.posterior import function, predictor
from bayesrank.model.parameters import Layout

__all__ = ["Program"]

# Slots of a block: few enough to stay in the fastest memory, enough to pay for its start.
_BLOCK = 512


class Program:
    """The table of a model, and what it points to.

    Parameters
    ----------
    layout : Layout
        The parameters, which come first in the vector ``w``.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self._held: list[np.ndarray] = [layout.records]
        self._length = layout.length
        self._operations: list[tuple[int, ...]] = []
        self._slot_operations: list[tuple[int, ...]] = []
        self._head = np.zeros(function.HEAD, dtype=np.int64)
        self.slot_order = 0

    # What terms and observations add -----------------------------------------------------------

    def place(self, name: str) -> int:
        """Return where a parameter is in ``w``."""
        return self.layout.place[name]

    def room(self, size: int) -> int:
        """Return where there is new room in ``w``."""
        self._length += size
        return self._length - size

    def hold(self, values: Any, dtype: Any = float) -> int:
        """Keep an array, and return its address."""
        array = np.ascontiguousarray(values, dtype=dtype)
        self._held.append(array)
        return array.ctypes.data

    def operate(self, code: int, taken: int, size: int, to: int, count: int, *more: int) -> None:
        """Add an operation from ``w`` to ``w``; see `bayesrank.kernels.posterior.predictor`."""
        self._operations.append((code, taken, size, to, count, *more))

    def operate_slots(self, code: int, taken: int, size: int, *more: int) -> None:
        """Add an operation from ``w`` to the slots."""
        self._slot_operations.append((code, taken, size, 0, 0, *more))

    def observe(
        self,
        kernel: NativeKernel,
        table: list[int],
        channels: list[int],
        *,
        rows: int,
        constant: float = 0.0,
        slot_start: np.ndarray | None = None,
        scratch: int = 0,
        together: bool = False,
    ) -> None:
        """Set the kernel that computes the rows.

        Parameters
        ----------
        kernel : NativeKernel
        table : list of int
            What it needs to know of the data.
        channels : list of int
            Where in ``w`` each of its inputs is, -1 for the slots.
        rows : int
        constant : float
            What is added to the log-likelihood.
        slot_start : ndarray of int, optional
            Where the slots of each row start; by default rows are slots.
        scratch : int
            Numbers of scratch that it needs.
        together : bool
            Whether it computes all rows at once.
        """
        start = np.arange(rows + 1) if slot_start is None else slot_start
        bounds = np.array([0, rows]) if together else _blocks(start)
        head = self._head
        head[function.KERNEL] = kernel.address
        head[function.KERNEL_TABLE] = self.hold([*table, 0], np.int64)
        head[function.CHANNELS] = len(channels)
        head[function.CHANNEL_PLACES] = self.hold([*channels, 0], np.int64)
        head[function.BLOCKS] = bounds.size - 1
        head[function.BLOCK_ROWS] = self.hold(bounds, np.int64)
        head[function.SLOT_START] = 0 if slot_start is None else self.hold(start, np.int64)
        slots = np.diff(start[bounds]).max(initial=1)
        head[function.LARGEST] = max(slots, np.diff(bounds).max(initial=1))
        head[function.SCRATCH] = max(scratch, head[function.LARGEST])
        head[function.CONSTANT] = self.hold([constant])

    # What others ask ---------------------------------------------------------------------------

    def close(self) -> "Program":
        """Finish the table, after which nothing may be added."""
        head, channels = self._head, int(self._head[function.CHANNELS])
        head[function.SIZE] = self.layout.size
        head[function.PARAMETERS] = len(self.layout.records)
        head[function.PARAMETER_RECORDS] = self.layout.records.ctypes.data
        head[function.LENGTH] = self._length
        head[function.ITEM_OPERATIONS] = len(self._operations)
        head[function.ITEM_RECORDS] = self._records(self._operations)
        head[function.SLOT_OPERATIONS] = len(self._slot_operations)
        head[function.SLOT_RECORDS] = self._records(self._slot_operations)
        largest = int(head[function.LARGEST])
        room = 2 * self._length + (2 + 2 * largest) * channels + largest
        head[function.WORK] = room + int(head[function.SCRATCH])
        head[function.LOG_POSTERIOR] = function.log_posterior_function().address
        self.table, self.work_size = head, int(head[function.WORK])
        return self

    def _records(self, operations: list[tuple[int, ...]]) -> int:
        records = np.zeros((len(operations) + 1, predictor.WORDS), dtype=np.int64)
        for record, operation in zip(records, operations, strict=False):
            record[: len(operation)] = operation
        return self.hold(records, np.int64)

    def evaluate(self, x: np.ndarray, jacobian: bool) -> tuple[float, np.ndarray]:
        """Return the log-posterior at a flat vector, and its gradient."""
        gradient = np.empty(self.layout.size)
        work = np.empty(self.work_size)
        return function.evaluate(x, jacobian, self.table, work, gradient), gradient

    def in_coordinates(
        self, frame: np.ndarray, basis: np.ndarray, start: np.ndarray, shares: np.ndarray,
        *, moving: bool = False, turn: Any = None,
    ) -> np.ndarray:  # fmt: skip
        """Return the table for a sampler, which moves in coordinates of its own.

        See `bayesrank.kernels.posterior.coordinates`, where a basis of one dimension is a diagonal,
        and `moving_coordinates`, where it holds the gaps, and where a turn, widths and axes, comes
        first.
        """
        table = self.table.copy()
        table[function.FRAME] = self.hold(frame)
        table[function.BASIS] = self.hold(basis)
        plain = function.DIAGONAL if basis.ndim == 1 else function.SQUARE
        table[function.KIND] = function.MOVING if moving else plain
        table[function.START] = self.hold(start)
        table[function.SHARES] = self.hold(shares)
        if turn is not None:
            widths, axes = turn
            table[function.WAYS] = len(widths)
            table[function.WIDTHS], table[function.AXES] = self.hold(widths), self.hold(axes)
        table[function.POSTERIOR] = function.posterior_function().address
        return table


def _blocks(start: np.ndarray) -> np.ndarray:
    """Return where blocks of rows start, of about as many slots as stay in the fastest memory."""
    bounds, last = [0], len(start) - 1
    while bounds[-1] < last:
        first = bounds[-1]
        end = int(np.searchsorted(start, start[first] + _BLOCK, side="right")) - 1
        bounds.append(min(max(end, first + 1), last))
    return np.array(bounds, dtype=np.int64)
