"""Results on whole test sets as reported in model cards; `workshop.model_evaluation` measures them.

sets     the test sets of sentences
table    the results of several cards as a table
rows     the results of one card as rows for a chart, and as text
"""
