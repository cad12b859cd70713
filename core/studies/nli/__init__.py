"""Natural language inference: any model's answers judged on any data set, whatever the labels of either.

    matched      a file of answers, matched with a corpus, and what did not match
    evaluation   answers into classes, accuracy, macro-F1, confusion; two models on the same pairs
    contradictions   answers that contradict each other or the data
    metrics      the arithmetic of these, with intervals
    report       an evaluation on all pairs and without those that other sets hold too
    result       the same as a result: headlines, notices, provenance; its `tables`
    baselines    word overlap, hypothesis only
    translated   labels of one system written as those of another; which label an unnamed answer may stand for
    runs         pairs asked of a model, as runs
    examples     worked examples

Pairs, their files and their labels are `core.files.nli` and `core.files.labels`.
"""
