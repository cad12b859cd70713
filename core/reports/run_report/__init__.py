"""Runs as something to hand on: one HTML file that needs nothing else, and a table for a paper.

result     runs of one task as a result (`core.results`), printed as all results are
latex      the table for LaTeX
"""

from core.reports.run_report.latex import latex_table
from core.reports.run_report.result import html_report

__all__ = ["html_report", "latex_table"]
