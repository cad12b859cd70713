"""Natural language inference: any model's answers judged on any data set, whatever the labels of either.

    runs         pairs asked of a model, as runs
    matched      a file of answers, matched with a corpus, and what did not match
    evaluation   answers into classes, accuracy, macro-F1 (`metrics`), `contradictions`; two models on the same pairs
    report       an evaluation on all pairs and without those that other sets hold too
    result       the same as a result: headlines, notices, provenance; its `tables`
    translated   labels of one system written as those of another; which label an unnamed answer may stand for

Pairs, their files and their labels are `pairlens.files.nli` and `pairlens.files.labels`.
"""
