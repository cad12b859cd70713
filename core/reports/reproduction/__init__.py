"""Runs to take away: tables, notebooks and programs for other tools that give a run's numbers without its store.

limits       what each tool cannot do, or does differently; the facts that the programs read, and these themselves
lm_eval      a run as a task of lm-evaluation-harness
bundle       tables, the files for minicons, a README; everything in one download
"""

from core.reports.reproduction.bundle import FORMS, bundle, zipped
from core.reports.reproduction.limits import why_not

__all__ = ["FORMS", "bundle", "why_not", "zipped"]
