"""Experiments: tables of sentences with pairs, conditions and regions, scored by a model and analysed by word.

`columns` and `design` turn a table into sentences, `evaluate` scores them and has the per-token table that other
programs read and write, `words` groups tokens into words, `findings` holds the tables that follow, `packing` writes
them. `running` has an experiment's steps from files to files, `config` reads them from an NLPScholar configuration.
"""
