"""Runs to take away: tables, notebooks and programs for other tools that give a run's numbers without its store.

lm_eval      a run as a task of lm-evaluation-harness, and what that does differently
logs         a run's scores as other programs log them
bundle       tables, the files for minicons, a README; everything in one download; what each tool cannot do
"""

from pairlens.reports.reproduction.bundle import FORMS, bundle, why_not, zipped

__all__ = ["FORMS", "bundle", "why_not", "zipped"]
