"""Statistics shared by metrics, analyses and studies.

candidates    the candidate table: its columns, the rows that count
choice        the preferred candidate of an item: ties, chance, decisions within float precision
share         the share of items with the right choice
strata        the mean of strata's means of clustered values: its variance and degrees of freedom
funnel        how far groups of answers would differ by chance alone
few           the warning where they are over too few units; the names of their methods
intervals     closed-form intervals of means; what they generalise over
mover         intervals of products and differences from those of their parts
jackknife     intervals of numbers that are no mean, from all items and all but a cluster each
wholes        intervals of metrics that are no mean over items
paired        two sets of answers to the same items: differences, intervals, exact tests, Holm's correction
regression    what a predictor adds to a linear model
"""
