"""The scoring module behind pages, library and command line: requests in, stored log-probabilities out.

recipe        model, scorer and policy: all that determines a score
into_store    scores requests into the store: each distinct request once, chunk by chunk
model_cache   opened scorers, kept ready within a limit of memory
checkpoints   a model at several points of its training
"""
