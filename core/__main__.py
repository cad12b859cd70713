"""`python -m core VERB ...`: the same as `pairlens VERB ...`, where that is not installed."""

import sys

from core.cli import main

sys.exit(main())
