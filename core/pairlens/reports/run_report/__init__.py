"""Runs to hand on: one HTML file that needs nothing else, and a table for a paper (LaTeX)."""

from pairlens.reports.run_report.latex import latex_table
from pairlens.reports.run_report.result import html_report

__all__ = ["html_report", "latex_table"]
