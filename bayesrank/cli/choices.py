"""Flags whose values are words, some of them or a column. Nothing heavy is imported."""

import argparse
from collections.abc import Callable
from typing import Any

__all__ = ["TiesAction", "words_with_commas"]

# What the tie rate may differ between; any other value of --ties is a column.
_RATES = ("by-agent", "by-item", "by-category")


def words_with_commas(*known: str, more: str = "") -> Callable[[str], str | tuple[str, ...]]:
    """Return what reads a flag's value: one of these words, or several with commas.

    ``more`` is advice for a value that is none of them.
    """

    def read(text: str) -> str | tuple[str, ...]:
        parts = tuple(part.strip() for part in text.split(","))
        if any(part not in known for part in parts) or len(set(parts)) < len(parts):
            words = f"{', '.join(known[:-1])} or {known[-1]}, or several with commas"
            end = f"; {more}" if more else ""
            raise argparse.ArgumentTypeError(f"must be {words}, got {text!r}{end}")
        return parts[0] if len(parts) == 1 else parts

    return read


class TiesAction(argparse.Action):
    """Keep a column of tie counts as ``ties``, and what tie rates differ between as ``tie_rates``.

    So both may be given, one after the other.
    """

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        parts = tuple(part.strip() for part in values.split(","))
        if all(part in _RATES for part in parts):
            namespace.tie_rates = parts[0] if len(parts) == 1 else parts
        else:
            namespace.ties = values
