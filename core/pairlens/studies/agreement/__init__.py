"""Agreement sets: predictions read and written, surface heuristics, and results ready to be shown.

heuristics         items with the surface heuristics of Li, Wisniewski & Crabbé (2021), from Universal Dependencies
answers            what a model answered: in a run, or in log-probabilities of any program
result             what answers come to: headlines, tables, figures, files
model_columns      tables with a column per model: how often each is right, with ties counted in every way
predictions        files to write: .raw-pred, the log-probability of every form; .pred, the number chosen per item
"""
