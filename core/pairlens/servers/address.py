"""Addresses of servers as names of models."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs, unquote, urlsplit

from pairlens.errors import ModelError
from pairlens.sharing import origin_of

LOCAL = "llamacpp:"
"""Begins the name of a GGUF file that llama.cpp reads in this process."""
_SCHEMES = ("http://", "https://")
_FORM = "write it http://HOST:PORT, with #NAME for one of its models and ?tokenizer=MODEL before that"


@dataclass(frozen=True, slots=True)
class Address:
    """`base` is the origin, with a path where the server lies below one; of a local file it is empty and `file` is
    its path. `model` and `tokenizer` are names, empty where the server is to say."""

    base: str
    model: str = ""
    tokenizer: str = ""
    file: str = ""

    @property
    def place(self) -> str:
        """What messages call it: the host and port, or the file."""
        return self.file or self.base.partition("://")[2]


def is_address(name: str) -> bool:
    return name.lower().startswith((*_SCHEMES, LOCAL))


def parsed(name: str) -> Address:
    """The address that a name gives; ModelError in one sentence for one that cannot be meant.

    >>> parsed("http://LOCALHOST:8000/v1/?tokenizer=gpt2#small")
    Address(base='http://localhost:8000', model='small', tokenizer='gpt2', file='')
    """
    if name.lower().startswith(LOCAL):
        file, _, tokenizer = name[len(LOCAL) :].partition("#")
        return Address("", tokenizer=tokenizer, file=file)
    try:
        parts = urlsplit(name)
        origin = origin_of(name)
    except ValueError as error:
        raise ModelError(f"'{name}' is not an address: {error}; {_FORM}.") from None
    if parts.username is not None or parts.password is not None:
        raise ModelError("An address has no user and no password in it: a key comes from PAIRLENS_SERVER_KEY.")
    path = parts.path.rstrip("/").removesuffix("/v1")
    return Address(origin + path, unquote(parts.fragment), _tokenizer(name, parts.query))


def _tokenizer(name: str, query: str) -> str:
    fields = parse_qs(query, keep_blank_values=True)
    if fields.keys() - {"tokenizer"} or len(fields.get("tokenizer", "_")) != 1:
        raise ModelError(f"'{name}': after the question mark only tokenizer=MODEL is read; {_FORM}.")
    return fields.get("tokenizer", [""])[0]
