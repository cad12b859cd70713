"""What people bring and take away: files into tables, items and labels, and back.

tables        the only reader and writer of user files
datasets      public data sets: the catalogue, fetching them, where they are
suites        benchmark suites as data
formulas      predictions about regions, read with a grammar
syntaxgym     suites in SyntaxGym's format
labels        label systems of natural language inference, and their translation
nli           pairs of sentences with labels, from any file
stereoset     StereoSet's files
item_rows     items as a table for people
exports       tables, LaTeX and notebooks as downloads
"""
