"""Statistics that metrics, analyses and studies share.

candidates    the candidate table: which columns, which rows count
choice        which candidate an item prefers: ties, chance, decisions too close for the arithmetic
share         the share of items with the right choice
intervals     bootstrap and closed-form intervals; what they generalise over
paired        two sets of answers to the same items
regression    what a predictor adds to a linear model
"""
