"""The scoring module behind pages, library and command line: requests in, stored log-probabilities out.

recipe        a model, a scorer and a policy, which determine a score
into_store    requests through a recipe's scorer into the store: each distinct one once, chunk by chunk
model_cache   opened scorers, kept ready within a memory limit; how long typed texts will take
same_numbers  the same texts by a device, a precision or a server, and in float32 on this processor
checkpoints   a model at several points of its training
"""
