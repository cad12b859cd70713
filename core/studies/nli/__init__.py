"""Natural language inference: any model's answers judged on any data set, whatever the labels of either.

    predicted       a file of answers
    matched         answers matched with a corpus, and what did not match
    evaluated       answers into an evaluation: classes, accuracy, macro-F1, confusion, intervals
    metrics         the arithmetic of these
    diagnostics     answers that contradict each other or the data, direction by direction
    contamination   pairs that another set holds too; related_sets: which public sets do
    report          an evaluation on all pairs and without those; wording: the same in sentences
    baselines       word overlap, hypothesis only
    paired          two models on the same pairs
    assignment      which label an unnamed answer may stand for
    translated      labels of one system written as those of another
    writing         corpora, answers and evaluations into files
    runs            pairs asked of a model, as runs; zero_shot: of a language model
    receipt         how an evaluation came about
    examples        worked examples

Pairs, their files and their labels are `core.files.nli` and `core.files.labels`.
"""
