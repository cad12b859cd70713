"""Runs as something to hand on: one HTML file that needs nothing else, and a table for a paper.

compose    runs grouped by what they can stand beside each other in, what was found, in tables
parts      charts, and how the numbers were made: Methods, BibTeX, receipt
page       what is in the HTML file; its look is in page.html, parts.html and style.css
latex      the table for LaTeX
"""

from __future__ import annotations

from core.reports.run_report.latex import latex_table
from core.reports.run_report.page import html_report

__all__ = ["html_report", "latex_table"]
