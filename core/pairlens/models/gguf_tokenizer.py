"""Whether a tokenizer is that of a GGUF file: another model's, which was named, or one rebuilt from the file.

A file lacks some of what is done to a text before it is cut: a rebuilt one is used only if all that is known fits.
"""

from collections.abc import Iterator

from pairlens.errors import ModelError
from pairlens.models import gguf
from pairlens.models.tokenizer import Tokenizer
from pairlens.types import Model

_PROBES = (
    "The keys to the cabinet are on the table.", "Tom's dog isn't here, is it?", "élève, coração, über, naïve", " a",
    "two  spaces", "3 dogs, 42 cats in 1984", '"Yes," she said.', "“Não”, disse ela: ‘já’.", "UPPER lower MiXed",
    "猫 犬", "a-b_c/d\\e", "one\ntwo",
)  # fmt: skip
"""Texts that must come back as they were."""
_NORMAL = 1
"""The type of tokens that are neither special nor added nor bytes."""


def refuse_other(tokenizer: Tokenizer, header: gguf.Header, name: str, owner: Model | None) -> None:
    """ModelError if a tokenizer, that of its `owner` or, without one, a rebuilt one, is not the file's."""
    if owner and (wrong := next(_strange_tokens(tokenizer, header), "")):
        raise ModelError(f"'{name}': the tokenizer of '{owner.name}' is not the file's: {wrong}.")
    if not owner and (wrong := next(_differences(tokenizer, header), "")):
        raise ModelError(
            f"'{name}': the tokenizer rebuilt from the file is not the model's ({wrong}): name the folder of the "
            f"original after the file, {gguf.named(name)[0]}#FOLDER."
        )


def _strange_tokens(tokenizer: Tokenizer, header: gguf.Header, *, every: bool = False) -> Iterator[str]:
    tokens = header.metadata.get("tokenizer.ggml.tokens", ())
    types = header.metadata.get("tokenizer.ggml.token_type", (_NORMAL,) * len(tokens))
    for id, (token, kind) in enumerate(zip(tokens, types, strict=True)):
        if (every or kind == _NORMAL) and tokenizer.backend.id_to_token(id) != token:
            yield f"its token {id} is not {token!r}"


def _differences(tokenizer: Tokenizer, header: gguf.Header) -> Iterator[str]:
    from transformers.integrations.gguf.gguf_tokenizer_mapping import GGUF_PRE_TOKENIZER_SPLITS as SPLITS

    stated = {key.removeprefix("tokenizer.ggml."): value for key, value in header.metadata.items()}
    yield from _strange_tokens(tokenizer, header, every=True)
    if stated.get("model") == "gpt2" and stated.get("pre") not in ("gpt-2", *SPLITS):
        yield f"it does not know how '{stated.get('pre')}' cuts texts into words"
    start = stated.get("bos_token_id")
    before = (start,) if stated.get("add_bos_token", stated.get("model") == "llama") else ()
    if tokenizer.bos != start or tokenizer.before != before:
        yield f"texts should begin with the tokens {before}, not {tokenizer.before}"
    spaced = tokenizer.backend.encode("a").tokens[0][0] in "Ġ▁"
    if spaced != stated.get("add_space_prefix", spaced):
        yield f"it puts {'a' if spaced else 'no'} space before texts"
    for probe in _PROBES:
        ids = tokenizer.backend.encode(probe).ids
        if tokenizer.unknown not in ids and tokenizer.backend.decode(ids, skip_special_tokens=False) != probe:
            yield f"it does not give {probe!r} back"
