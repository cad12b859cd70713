"""The floating-point work that scoring cannot avoid: PERFORMANCE is measured against it."""

from pairlens.scorers._encoding import encode
from pairlens.types import Request


def work(shape, network, texts):
    """Multiplications and additions, twice the products: matrix products only, attention scores left out.

    A causal model sees every distinct prefix once, its last tokens never; a masked model sees every distinct masked
    row once, in its last layer queries, feed-forward and output layer at the masked place only.
    """
    rows = [text.ids for text in encode(network.tokenizer, [Request("", text) for text in texts])]
    if shape.kind == "causal":
        prefixes = {row[:end] for row in rows for end in range(len(row))}
        return len(prefixes) * (_body(shape) + _head(shape))
    if shape.kind == "masked":
        frame = len(network.tokenizer.before) + len(network.tokenizer.after)
        masked = {(row[:place], row[place + 1 :]) for row in rows for place in range(len(row))}
        return sum(_masked(shape, len(before) + len(after) + 1 + frame) for before, after in masked)
    return float("nan")


def _masked(shape, length):
    layers, width = shape.layers, shape.width
    whole = 24 * width * width * length
    last = 4 * width * width * length + 20 * width * width
    return (layers - 1) * whole + last + _head(shape)


def _body(shape):
    return 24.0 * shape.layers * shape.width * shape.width


def _head(shape):
    return 2.0 * shape.width * shape.vocabulary
