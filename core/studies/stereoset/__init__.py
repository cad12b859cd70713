"""StereoSet (Nadeem, Bethke & Reddy 2021, ACL) and its multilingual successor (Öztürk et al. 2023).

    predictions   a score per candidate sentence, as published
    classes       the published names of ways to score, and of tokenizers
    cases         definitions: how stored log-probabilities become scores, the successor's cases among them
    runs          examples scored by a model
    answers       a model's answers out of finished runs, under every definition, and how they came about
    measured      LMS, SS and ICAT by task, bias type and term; the check that order does not matter
    cells         one group of examples in numbers; what a model without any preference would get
    paired        two models on the same examples
    outputs       numbers into files: metrics JSON, Excel workbook, LaTeX, tables
    findings      the numbers in words, and what a reader should know before believing them
    rows          what charts draw, published figures beside it

Its files are `core.files.stereoset`. Numbers are from 0 to 100, as published.
"""
