"""Problems in a set of stimuli that may spoil a result.

lint(items)            the items of any task
lint_design(design)    an experiment: the same, and its rows, regions and conditions
read_items, read_experiment
                       what these look at, with the mistakes of all rows that cannot be read
token_counter(model)   an option of both: a model's number of tokens of a text, and its window
CHECKS[name]           every check: of single `texts`, of `pairs`, of `items` and experiments

All return a `LintReport` (`running`). A check takes `Stimuli` and returns an `Outcome` (`check`), None where it does
not apply: without a tokenizer no tokens are counted.
"""
