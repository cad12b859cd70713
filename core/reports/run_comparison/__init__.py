"""Stored runs beside each other: what differs in how they were made, what differs in what they found.

    chosen        the runs, read back; what cannot be compared is refused in one sentence
    recipes       how each was made, field by field, in words
    basis         which items two runs share; the same weights or the same scores under two names
    numbers       every run's numbers by group; differences with intervals, tests and Holm's correction
    training      runs that are checkpoints of one model, as a curve
    wording       all of it in sentences
    report        everything at once, and as sheets of a workbook; the items that changed sides
    two_runs      two runs of the same items, item by item; a run beside the same question under other policies
    verdict       how far one run is ahead, in sentences

What is compared are the runs' stored scores; nothing is scored. StereoSet and entailment have comparisons of their
own, over target terms and across label systems (`core.studies.stereoset.measured`, `core.studies.nli.evaluated`):
`wording.elsewhere`.
"""
