"""StereoSet (Nadeem, Bethke & Reddy 2021, ACL) and its multilingual successor (Öztürk et al. 2023).

    classes       the published names of ways to score; what can be chosen
    cases         definitions: how stored log-probabilities become scores, the successor's cases among them
    runs          examples scored by a model
    measured      LMS, SS and ICAT by task, bias type and term, in cells; two models on the same examples
    answers       what a model or a file says, under every definition, and how it came about
    outputs       numbers into files: metrics JSON, Excel workbook, LaTeX, tables
    findings      the numbers in words, and what a reader should know before believing them
    tables        answers as tables, and published figures beside them
    result        all of this in the shape of every result (`pairlens.results`)

Its files are `pairlens.files.stereoset`. Numbers are from 0 to 100, as published.
"""
