"""Pairs of sentences with labels, read from any file.

    pairs      premise, hypothesis and gold label; a corpus of them
    readers    any file into a corpus: assin (XML), sick, table (SNLI's JSON lines, other tables)
    columns    which column of a table holds what
    answers    a model's answers
    label_map  a model's own class names as labels of a system
    items      pairs as items to be scored

`core.files.labels` has the meaning of labels and their translation, `core.studies.nli` the evaluation.
"""
