"""What a study found, and its renderings, which know nothing of any study.

result      headlines, tables, figures, notices, provenance
text        a result for a terminal
notebook    a result between two cells of a notebook
report      a result as one printable HTML file; parts.html and style.css are shared with reports of runs
files       a result's tables and everything in it as files
printed     what printed pages share: numbers, tables, drawings, look
"""
