"""Runs to take away: programs of others, tables and notebooks that give a run's numbers without its store.

limits               what each program cannot do, or does otherwise
tables, facts        what the programs read
programs             the programs themselves: the same for every run (`data/programs`)
minicons, lm_eval    a run in the form that these read
bundle, readme       all of it in one download
"""

from __future__ import annotations

from core.reports.reproduction.bundle import FORMS, bundle, zipped
from core.reports.reproduction.limits import why_not

__all__ = ["FORMS", "bundle", "why_not", "zipped"]
