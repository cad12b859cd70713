"""Files of agreement sets beside the sentences: predictions read and written, and parses from which heuristics come.

items              an agreement set with what is known of it beside the sentences
answers            what a model answered, ready to be shown
model_columns      tables with a column per model: how often each is right, with ties counted in every way
candidates         predictions of any model as a candidate table, so that the same metrics run on them
raw_predictions    .raw-pred: the log-probability of every form
predictions        .pred: the number that the model chose for every item, beside what is known of it
heuristics         the surface heuristics of Li, Wisniewski & Crabbé (2021), from Universal Dependencies
"""
