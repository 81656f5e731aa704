"""`python -m compliance.cli`: the command without its script."""

import sys

from compliance.cli import main

if __name__ == "__main__":
    sys.exit(main())
