"""Which kind of server speaks at an address."""

from __future__ import annotations

from pairlens.servers.connection import Connection
from pairlens.servers.dialect import Dialect
from pairlens.servers.dialects import DIALECTS

_ORDER = ("llama_cpp", "vllm", "sglang", "completions")
"""What has most of its own first: several kinds imitate `/v1/completions`."""


def recognised(connection: Connection, model: str) -> Dialect:
    """The server, and its model of this name; ModelError in one sentence if it cannot score text that is given."""
    recognitions = (DIALECTS[name](connection, model) for name in _ORDER)
    return next(dialect for dialect in recognitions if dialect)  # the last kind is one, or an error
