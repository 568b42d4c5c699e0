"""`python -m spielbaum` is the same as `spielbaum`."""

import sys

from spielbaum.cli import main

if __name__ == "__main__":
    sys.exit(main())
