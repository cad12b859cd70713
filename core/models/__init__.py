"""Models: what there is, where it is, what it is made of, and how it is loaded safely.

    cards           the models that lie in folders with a card.json: bundled, trained or converted here
    resolve         `find`: catalogue name | explicit folder | org/name[@revision] into a Model; `catalogue`
    checkpoint      what a folder in Hugging Face's layout holds; refusals with the reason in words
    hub             the model hub: cached files first, an answer within two seconds otherwise
    hub_cache       what of the hub is on this machine
    inventory       every model on this machine, in a line each
    offer           what a name would bring, before anything is fetched; fetching it
    digests         sha256 of files, remembered
    loading         `load`: weights, head and tokenizer in memory (torch)
    networks        weights in one of transformers' classes, one thread at a time (torch)
    heads, pooled   small heads over a model that is there already: the folder's format, the network
    labels          `labels_of`: what a classifier calls its classes
    unknown         the symbol for words that a model does not know
    vocabulary      a word-level vocabulary file as a tokenizer
    tokenizer       a fast tokenizer of our own that takes special tokens in typed text as text
    conversion      `convert`: pickle weights into safetensors, in a process of its own (unpickle)
    unigram         word counts, the model without context: what a word is, counting, the file
    token_counts    how often each token is in the text that a model learnt from

Importing this package, listing the catalogue and finding a model load no torch.
"""

from __future__ import annotations

from core.models.conversion import convert
from core.models.labels import labels_of
from core.models.loading import Loaded, load
from core.models.resolve import catalogue, find
from core.models.unknown import unknown_token

__all__ = ["Loaded", "catalogue", "convert", "find", "labels_of", "load", "unknown_token"]
