"""The scoring module that pages and the command line wrap: requests in, stored log-probabilities out.

recipe        model, scorer and policy: all that determines a score
into_store    requests through a recipe's scorer into the store: each distinct one once, chunk by chunk
model_cache   opened scorers, kept ready within a limit of memory
checkpoints   a model at several moments of its training
"""
