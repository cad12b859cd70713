"""The workshop: how the models, heads, generated data and cards that ship with Pairlens are made.

language_models   train a bundled model again: `python -m core.bundled.language_models NAME`
everyday          everyday Portuguese sentences, made by rule, for training text
heads             train a bundled head again: `python -m core.bundled.heads NAME`
nli_generator     pairs of sentences with a known relation, made from our own words
model_evaluation  figures of the bundled models on complete test sets, for their cards
learning_curves   margins of a model at moments of its training
catalogue         translations: `python -m core.bundled.catalogue`
gallery           the worked examples scored by the bundled models
evaluation_sets   our own evaluation sets, and their digests: no training text holds them
program           how the programs of this wing run

Nothing else imports this wing.
"""
