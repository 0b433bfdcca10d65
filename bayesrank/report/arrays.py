"""Arrays as JSON can hold them: lists without NaN, and probabilities in base64."""

import base64

import numpy as np

__all__ = ["numbers", "packed", "packed_numbers", "packed_rows", "rounded"]


def numbers(values):
    """Return a list of plain numbers; what is not finite becomes none."""
    return [value if np.isfinite(value) else None for value in np.asarray(values).tolist()]


def packed(probabilities):
    """Return probabilities as base64 of unsigned 16-bit numbers, 65535 being 1.

    So they are kept to 0.00001, which is finer than draws can tell. Low bytes come first.
    """
    whole = np.rint(np.clip(probabilities, 0.0, 1.0) * 65535.0).astype("<u2")
    return base64.b64encode(whole.tobytes()).decode("ascii")


def packed_numbers(values):
    """Return numbers of any size as base64 of 32-bit ones, which hold seven digits."""
    return base64.b64encode(np.asarray(values, dtype="<f4").tobytes()).decode("ascii")


def rounded(probability):
    """Return a probability rounded like packed ones, with which it is to be compared."""
    return int(np.rint(probability * 65535.0))


def packed_rows(matrix):
    """Return the rows of a matrix without the zeros at their ends.

    ``first`` is where each row starts and ``count`` how many follow; ``values`` has them all.
    """
    positive = matrix > 0
    first = positive.argmax(axis=1)
    last = matrix.shape[1] - 1 - positive[:, ::-1].argmax(axis=1)
    parts = [row[a : b + 1] for row, a, b in zip(matrix, first, last, strict=True)]
    return {
        "first": first.tolist(),
        "count": (last - first + 1).tolist(),
        "values": packed(np.concatenate(parts)),
    }
