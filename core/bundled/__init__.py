"""The workshop: how the models, heads, made data and cards that ship with Pairlens are produced.

language_models   train a bundled model again: `python -m core.bundled.language_models NAME`
heads             train a bundled head again: `python -m core.bundled.heads NAME`
nli_generator     pairs of sentences with a known relation, made from our own words
model_evaluation  what bundled models reach on whole test sets, written into their cards
learning_curves   what a model got right at moments of its training
gallery           the worked examples scored by the bundled models
evaluation_sets   our own evaluation sets, and their digests: no training text holds them

Nothing else imports this wing.
"""
