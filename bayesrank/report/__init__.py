"""A fit as one HTML page that needs nothing else: no network, no server, no Python."""

from bayesrank.report.write import write_report

__all__ = ["write_report"]
