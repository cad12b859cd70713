"""What CausalGym's own code and ours are both asked: pairs of beginnings in spans, on a tiny GPT-NeoX."""

from pathlib import Path

from tests.tiny import tiny_model

RECORD = Path(__file__).with_name("causalgym.json")
START = "<|endoftext|>"
PAIRS = (
    (("The", " teacher", " to", " the", " cabinets"), ("The", " keys", " to", " the", " cabinets"), " is", " are"),
    (("No", " author", " that", " the", " dogs", " liked"), ("The", " author", " that", " the", " dogs", " chase"),
     " has", " fall"),
    (("They", " think that", " nobody"), ("Sarah", " had the", " stories"), " would", " tell"),
)  # fmt: skip
"""The base, which receives; the source, with as many tokens in each span; and the form that goes with each.

Of a span with other numbers of tokens in both, CausalGym's evaluation reads the source at the base's position.
"""
SITES = {"residual": "block_output", "attention": "attention_output", "mlp": "mlp_output"}
"""Our components, and pyvene's names."""
LAYERS = 2


def model(folder):
    """The network, with random weights."""
    return tiny_model(folder, "gpt_neox")
