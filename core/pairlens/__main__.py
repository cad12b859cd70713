"""`python -m pairlens VERB ...`: the same as `pairlens VERB ...`, where that is not installed."""

import sys

from pairlens.cli import main

sys.exit(main())
