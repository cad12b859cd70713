"""Models: finding, inspecting and safely loading them.

    cards           models in folders with a card.json: bundled, trained or converted here
    resolve         `find`: catalogue name | explicit folder | org/name[@revision] into a Model; `catalogue`
    checkpoint      the contents of a folder in Hugging Face's layout; refusals with their reason
    hub             the model hub: cached files first, then the network with a time limit
    hub_cache       the hub's files on this machine
    inventory       every model on this machine, one line each
    offer           what a name would download, before anything is fetched; the download
    digests         sha256 of files, cached
    loading         `load`: weights, head and tokenizer in memory (torch)
    networks        weights in one of transformers' classes, one thread at a time (torch)
    heads, pooled   small heads on an existing model: folder format, network
    labels          `labels_of`: the names of a classifier's classes
    unknown         the unknown-word symbol
    vocabulary      a word-level vocabulary file as a tokenizer
    tokenizer       a fast tokenizer that reads special tokens in user text as plain text
    conversion      `convert`: pickled weights into safetensors, in a separate process (unpickle)
    unigram         the model without context: what a word is, counting, the file
    token_counts    token counts of a model's training text

Importing this package, listing the catalogue and finding a model do not load torch.
"""

from __future__ import annotations

from core.models.conversion import convert
from core.models.labels import labels_of
from core.models.loading import Loaded, load
from core.models.resolve import catalogue, find
from core.models.unknown import unknown_token

__all__ = ["Loaded", "catalogue", "convert", "find", "labels_of", "load", "unknown_token"]
