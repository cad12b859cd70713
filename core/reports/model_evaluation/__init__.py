"""What the card of a model says it reached on whole test sets; `core.bundled.model_evaluation` measures it.

sets     the test sets of sentences, as data
table    what the cards say, as a table
rows     what one card says, as rows for a chart, and in words
"""
