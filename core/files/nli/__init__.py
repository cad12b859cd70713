"""Pairs of sentences with labels, read from any file.

    pairs      premise, hypothesis and gold label; a corpus of them
    readers    any file into a corpus: assin (XML), sick, table (SNLI's JSON lines, columns of one's own)
    columns    which column of a table holds what
    answers    a model's answers
    label_map  what a model's own names of its classes mean
    items      pairs as items that a model is asked

What labels mean, and how those of a model answer for those of the data, is `core.files.labels`; what is found out
with pairs is `core.studies.nli`.
"""
