"""Two sentences, or pairs of them: which does a model prefer, by how much, and where does it decide?

study           the question, what is asked of a model, and what comes of it
typed           its fields: what was typed or pasted, as pairs
pair            the comparison itself: scores, words, margin; what the model expected at a position
result          headlines, notices, figures and provenance of comparisons
wording         its sentences
tables          its tables: words, steps, tokens, pairs
robustness      beside the result: the answer under every defensible policy, and in twenty pairs like this one
"""
