"""Run the command line: ``python3 -m bayesrank``."""

import sys

from bayesrank.cli.commands import main

if __name__ == "__main__":
    sys.exit(main())
