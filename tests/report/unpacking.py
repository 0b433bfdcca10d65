"""Probabilities as the page keeps them, unpacked."""

import base64

import numpy as np

# Half a step of 1/65535.
PACKED = {"rtol": 0.0, "atol": 0.5 / 65535 + 1e-12}


def unpacked(text):
    return np.frombuffer(base64.b64decode(text), "<u2") / 65535.0


def unpacked_ranks(ranks, shape):
    matrix, at = np.zeros(shape), 0
    values = unpacked(ranks["values"])
    for row, first, count in zip(matrix, ranks["first"], ranks["count"], strict=True):
        row[first : first + count] = values[at : at + count]
        at += count
    assert at == len(values)
    return matrix


def unpacked_numbers(text):
    return np.frombuffer(base64.b64decode(text), "<f4").astype(float)
