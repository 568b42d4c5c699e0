"""`python -m benchmarks` runs benchmarks, in the folder of the repository."""

import sys

from spielbaum.cli import main

if __name__ == "__main__":
    sys.exit(main(commands="benchmarks.command"))
