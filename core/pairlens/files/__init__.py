"""User files: tables, items and labels from files, and back.

tables        the only reader and writer of user files
apart         files read in a process of its own, bounded and watched; what it reads is handed over
parquet       Parquet files in which each value stands by itself
locks         one process at a time
row_mistakes  what is wrong with single rows: raised, or collected
datasets      public data sets: catalogue, download, location
suites        benchmark suites as data
formulas      predictions about regions, read with a grammar
syntaxgym     suites in SyntaxGym's format
labels        label systems of natural language inference and their translation
nli           labelled sentence pairs, from any file
stereoset     StereoSet's files
logs          results of other evaluation programs, question by question
item_rows     items as a readable table
exports       tables, LaTeX and notebooks as downloads
"""
