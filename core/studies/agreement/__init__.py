"""Agreement sets: predictions read and written, surface heuristics, and results ready to be shown.

heuristics         items with the surface heuristics of Li, Wisniewski & Crabbé (2021), from Universal Dependencies
answers            the results of a model
model_columns      tables with a column per model: how often each is right, with ties counted in every way
candidates         predictions of any program as a candidate table, so that the same metrics run on them
predictions        files to write: .raw-pred, the log-probability of every form; .pred, the number chosen per item
"""
