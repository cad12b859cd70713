"""The workshop: makes the models, heads, generated data and cards that ship with Pairlens.

language_models   retrain a bundled model: `python -m core.bundled.language_models NAME`
heads             retrain a bundled head: `python -m core.bundled.heads NAME`
nli_generator     sentence pairs with a known relation, generated from our own words
model_evaluation  what bundled models reach on whole test sets, written into their cards
learning_curves   what a model got right at moments of its training
gallery           the worked examples scored by the bundled models
evaluation_sets   our own evaluation sets and their digests, for exclusion from training text

Nothing else imports this wing.
"""
