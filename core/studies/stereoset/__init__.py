"""StereoSet (Nadeem, Bethke & Reddy 2021, ACL) and its multilingual successor (Öztürk et al. 2023).

    predictions         a score per candidate sentence, as published
    classes, cases      the published names of ways to score; the successor's cases out of one set of scores
    runs, scored        examples scored by a model; stored scores into predictions
    answers             a model's answers out of finished runs, under every definition
    measured            LMS, SS and ICAT by task, bias type and term
    paired              two models on the same examples
    cells, chance       one group of examples in numbers; what a model without any preference would get
    advice, wording     what a reader should know before believing the numbers; the numbers in words
    metrics_files       the metrics JSON of the original and of the successor
    workbook, latex     the successor's Excel workbook; tables for papers
    outputs             numbers into files, as the ending says
    published, beside   published figures, and what stands beside them
    findings, rows      what the page says, and what its charts draw
    definitions         how stored log-probabilities become scores
    downloads           everything that can be taken away
    tokenizer_names     what the originals' files call models
    order, receipt      the check that order does not matter; how numbers came about

Its files are `core.files.stereoset`. Numbers are from 0 to 100, as published.
"""
