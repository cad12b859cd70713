"""Experiments: tables of sentences with pairs, conditions and regions, scored by a model and analysed by word.

`columns` and `design` make a table into sentences, `evaluate` scores them, `predictions` is the per-token table that
other programs read and write, `words` makes tokens into words (`fold` puts the marks where they belong), and
`findings` puts everything that follows in one place.
"""
