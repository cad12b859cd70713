"""How a number was made, in one way for every kind of number.

run             a number of a stored run, or one of its items, as plain values that JSON can hold (schema.json)
numbers         one of a stored run's numbers; the items that enter it, their weights, what was left out
evidence        the stored tokens behind some requests, the parts they are in, items worked out
recompute       the number again, from a receipt alone
scored_by       the model, scorer and policy behind log-probabilities, of a recipe or of a run
sentences, methods    clauses of a Methods section; the sentence and the arithmetic of a number of a run
bibtex          what to cite; papers.bib

The studies that score typed sentences and experiments have receipts of their own, in their `result` modules.
"""
