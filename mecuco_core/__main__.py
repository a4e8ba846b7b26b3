"""`python -m mecuco_core` and the console command `mecuco`."""

import sys

from mecuco_core.cli.commands import main

if __name__ == "__main__":
    sys.exit(main())
