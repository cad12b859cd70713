"""Models: find, list, fetch, convert and load them safely.

    cards           models in folders with a card.json: bundled, trained or converted here; short names
    resolve         `find`: catalogue name | explicit folder | org/name[@revision] into a Model; `catalogue`
    checkpoint      the content of a folder in Hugging Face's layout; refusals with their reason
    hub             the model hub: its cache on this machine first, a reply within two seconds otherwise
    inventory       the models on this machine; what a name stands for, before anything is fetched; fetching it
    folder_list     folders of models that somebody wants to find in every list
    digests         sha256 of files, remembered
    loading         `load`: weights, head and tokenizer in memory (torch)
    trial           a visitor's model, loaded first in a process of its own
    gguf            files of llama.cpp: names, metadata
    gguf_tokenizer  whether a tokenizer is that of such a file
    spreading       a network over several devices and the disk
    networks        weights in one of transformers' classes, one thread at a time (torch)
    layers          the states between a causal network's layers, read and replaced (torch)
    plain           the networks that are trained here, without transformers (torch)
    rounded         such a network with rounded weights, small enough for a page (torch)
    byte_pairs      a tokenizer as the parts that a page needs to cut texts likewise
    products        matrix products by the faster of torch's libraries (torch)
    served          a model that a server holds (`pairlens.servers`): what identifies it, how texts are cut for it
    pieces          the tokens into which a server cuts a text, with their characters
    heads, pooled   small heads over an existing model: the folder's format, the network
    adapters        LoRA adapters of the library peft, added to the weights of the model that they change
    next_sentence   networks that StereoSet's successor trained for pairs
    vocabulary      a word-level vocabulary file as a tokenizer
    facts           the names of a classifier's classes, the symbol for unknown words, equal tokenizers
    tokenizer       a private copy of a fast tokenizer, which reads special tokens in texts as text
    conversion      `convert`: pickle weights into safetensors, in a process of its own (unpickle)
    token_counts    how often each token occurs in a model's training text
    unreadable      texts that a model cannot judge: in another language, in other characters; tokens per word

Importing this package, listing the catalogue and finding a model do not load torch.
"""

from pairlens.models.conversion import convert
from pairlens.models.facts import labels_of, unknown_token
from pairlens.models.loading import Loaded, load
from pairlens.models.resolve import catalogue, find

__all__ = ["Loaded", "catalogue", "convert", "find", "labels_of", "load", "unknown_token"]
