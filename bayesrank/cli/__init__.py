"""The command line. Nothing heavy is imported before the arguments are known to be good."""

from bayesrank.cli.commands import main

__all__ = ["main"]
