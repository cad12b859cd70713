"""Servers that hold a model: asked over HTTP for the log-probabilities of tokens that are given, never for text.

    address        `http://HOST:PORT[?tokenizer=MODEL][#NAME]`, `llamacpp:FILE.gguf[#MODEL]`
    connection     one server over HTTP: retries, no redirects, keys from the environment only
    dialect        what is asked and answered, the checks that every answer passes
    dialects/      one file per kind of server, in the order in which they are recognised
    recognition    which of them speaks at an address; what it says of itself
    self_test      whether the numbers are those of the tokens that were asked about, before the first is used
    local          llama.cpp's server, started within this process for a file

No server's number is believed before `self_test` has passed: published programs have printed exact chance for months
because a server ignored the field that asks about given text.
"""

from pairlens.servers.address import Address, is_address, parsed
from pairlens.servers.dialect import Dialect, Prompt, Question
from pairlens.servers.recognition import recognised

__all__ = ["Address", "Dialect", "Prompt", "Question", "is_address", "parsed", "recognised"]
