"""Runs to take away: tables, notebooks and programs for other tools that give a run's numbers without its store.

limits               what each tool cannot do, or does differently
tables, facts        the input of the programs
programs             the programs, the same for every run (`data/programs`)
minicons, lm_eval    a run in the formats of these tools
bundle, readme       everything in one download
"""

from __future__ import annotations

from core.reports.reproduction.bundle import FORMS, bundle, zipped
from core.reports.reproduction.limits import why_not

__all__ = ["FORMS", "bundle", "why_not", "zipped"]
