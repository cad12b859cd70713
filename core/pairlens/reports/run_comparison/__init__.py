"""Stored runs beside each other: what differs in how they were made, what differs in what they found.

    runs          read back, and which items two of them share; what cannot be compared is refused in one sentence
    numbers       every run's numbers by group, differences with intervals, tests and Holm's correction; checkpoints
                  of one model as a curve
    wording       all of it in sentences
    comparison    everything at once, with how each run was made; the items that changed sides
    parts         its tables and figures
    result        that with headlines and notices

What is compared are the runs' stored scores; nothing is scored. StereoSet and entailment have comparisons of their
own, over target terms and across label systems (`pairlens.studies.stereoset.measured`,
`pairlens.studies.nli.evaluation`): `wording.elsewhere`.
"""
