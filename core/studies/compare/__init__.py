"""Two sentences, or pairs of them: which does a model prefer, by how much, and where does it decide?

study           the question, what is asked of a model, and what comes of it
typed           its fields: what was typed or pasted, as pairs
pair            the comparison itself: scores, words, margin
result          headlines, notices, figures and provenance of comparisons
wording         its sentences
tables          its tables: words, steps, tokens, pairs

What the page has beside the result:

expectation     what the model expected at a position
policies        the answer under every defensible policy
variants        twenty pairs like this one, scored
"""
