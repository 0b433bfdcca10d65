"""A README with markers, and a line of the table."""

import math

from benchmarks import table
from benchmarks.lines import Line

README = f"# Title\n\nabove\n\n{table.START}\nformer\n{table.END}\n\nbelow\n"


def made_line(part, ratio, asked=None):
    return Line(part, "what", "peer", 1.0, ratio, "s", ratio, math.nan, math.nan, asked, "")
