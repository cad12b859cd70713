"""Statistics shared by metrics, analyses and studies.

candidates, choice      the candidate table; the preferred candidate of an item, ties and chance
share                   the share of items with the right choice
verdicts                items that another program judged
strata, intervals       the mean of strata's means of clustered values: variance, freedom, closed-form intervals
wholes, jackknife, mover    intervals of metrics that are no mean over items
paired                  two sets of answers to the same items: differences, exact tests, Holm's correction
regression              what a predictor adds to a linear model
funnel, few             how far groups differ by chance alone; too few units, names of methods
"""
