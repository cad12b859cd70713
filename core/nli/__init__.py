"""Natural language inference: any model's answers judged on any data set, whatever the labels of either.

    pairs           premise, hypothesis and gold label; a corpus of them
    readers         any file into a corpus: assin (XML), sick, table (SNLI's JSON lines, columns of one's own)
    columns         which column of a table holds what
    answers         a model's answers
    predicted       a file of them
    matched         answers matched with a corpus, and what did not match
    evaluated       answers into an evaluation: classes, accuracy, macro-F1, confusion, intervals
    metrics         the arithmetic of these
    diagnostics     answers that contradict each other or the data, direction by direction
    contamination   pairs that another set holds too; related_sets: which public sets do
    report          an evaluation on all pairs and without those; wording: the same in sentences
    baselines       word overlap, hypothesis only
    paired          two models on the same pairs
    assignment      which label an unnamed answer may stand for
    translated      labels of one system written as those of another; oracle: gold labels as answers
    writing         corpora, answers and evaluations into files
    label_map       what a model's own names of its classes mean
    items, zero_shot, examples   pairs as items that a model is asked; asking a language model; worked examples

What labels mean, and how those of a model answer for those of the data, is `core.labels`.
"""
