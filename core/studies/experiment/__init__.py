"""Experiments: tables of sentences with pairs, conditions and regions, scored by a model and analysed by word.

`columns` and `design` turn a table into sentences, `evaluate` scores them, `predictions` is the per-token table that
other programs read and write, `words` groups tokens into words (`token_alignment` assigns punctuation marks), and
`findings` holds the tables that follow. `specification` and `running` are an experiment's steps from files to files.
"""
