"""Texts into tokens: offsets whatever the tokenizer trims, joins, special tokens as text, what tokens stand for."""

from copy import copy, deepcopy

import pytest
from tokenizers import processors

from pairlens.errors import InputError
from pairlens.models.tokenizer import private_copy
from pairlens.scorers._encoding import continuation, encode
from pairlens.types import Request
from tests.tiny import SPECIALS, tiny_tokenizer

pytestmark = pytest.mark.model


def encoded(style, context, text):
    (found,) = encode(private_copy(tiny_tokenizer(style), style), [Request(context, text)])
    return found


def test_special_tokens_in_a_text_are_cut_like_others_or_refused_where_the_vocabulary_spells_them():
    for style, text, piece in (
        ("byte-bpe", "a <|endoftext|> b", "|"),
        ("byte-bpe-frame", "</s> <mask>", "<"),
        ("wordpiece", "[MASK] a [CLS]", "[UNK]"),
        ("metaspace-bpe", "a</s>b", "<0x3C>"),
    ):
        tokens = encoded(style, "", text).tokens
        assert piece in tokens and not (set(SPECIALS[style].values()) - {"[UNK]"}) & set(tokens)
    with pytest.raises(InputError, match="'</s>' is a special token"):
        encoded("unigram-eos", "", "a</s>b")


def test_spans_do_not_depend_on_what_the_tokenizer_trims_and_leading_white_space_is_in_none_but_its_own():
    requests = [Request("", text) for text in ("The keys", "  two  spaces ", "a\n\nb\t c", "été 日本", "x")]
    spans = []
    for trim in (True, False):
        loaded = tiny_tokenizer("byte-bpe")
        loaded.backend_tokenizer.post_processor = processors.ByteLevel(trim_offsets=trim)
        spans.append([one.spans for one in encode(private_copy(loaded, ""), requests)])
    assert spans[0] == spans[1]
    found = encoded("byte-bpe", "", "The  keys")
    assert found.tokens[:3] == ("The", "Ġ", "Ġkey")
    assert found.spans[:3] == ((0, 3), (3, 4), (5, 8))


def test_which_tokens_are_the_continuation():
    """Those without characters, and pieces of one character, belong by their position."""
    texts = {("The", " key"): (1, 0), ("The ", "key"): (1, 0), ("The ke", "y"): (1, 1), ("", "The key"): (0, 0)}
    for request, numbers in (texts | {("The key", " to"): (2, 0)}).items():
        found = encoded("byte-bpe", *request)
        assert found.tokens[:2] == ("The", "Ġkey")
        assert (found.first, found.n_straddling) == numbers
    spans = [(0, 0), (0, 1), (1, 1), (2, 3), (3, 3)]
    assert continuation(Request("", "a b"), spans) == (0, 0)
    assert continuation(Request("a", " b"), spans) == (3, 0)
    pieces = encoded("byte-bpe", "a", "日")
    assert len(pieces.ids) - pieces.first == 3
    assert pieces.spans[pieces.first :] == ((1, 2),) * 3


def test_what_tokens_stand_for_and_the_symbols_that_are_put_around_a_text():
    byte_level = private_copy(tiny_tokenizer("byte-bpe-frame"), "")
    texts = byte_level.texts()
    assert {" the", "The", "\n", " "} <= set(texts)
    assert all(texts[id] == "" for id in byte_level.reserved)
    metaspace = private_copy(tiny_tokenizer("metaspace-bpe"), "").texts()
    assert {" the", "\n", " keys", "s"} <= set(metaspace)
    assert private_copy(tiny_tokenizer("wordpiece"), "").texts() is None
    for style in ("byte-bpe-frame", "wordpiece", "unigram", "metaspace-bpe", "byte-bpe"):
        loaded = tiny_tokenizer(style)
        own, plain = private_copy(loaded, ""), loaded("The keys", add_special_tokens=False).input_ids
        assert [*own.before, *plain, *own.after] == loaded("The keys").input_ids


def test_a_private_copy_is_not_disturbed_by_others_and_takes_no_attributes_that_it_would_keep_to_itself():
    loaded = tiny_tokenizer("byte-bpe-frame")

    def disturb():
        loaded(["The keys to the cabinet", "a"], padding=True, truncation=True, max_length=3)

    disturb()
    own = private_copy(loaded, "").backend
    disturb()
    texts = ["a", "The keys to the cabinet"]
    plain = tiny_tokenizer("byte-bpe-frame")(texts, add_special_tokens=False).input_ids
    assert [one.ids for one in own.encode_batch(texts)] == plain
    backend = private_copy(tiny_tokenizer("byte-bpe"), "").backend
    assert copy(backend).encode("The key").tokens == deepcopy(backend).encode("The key").tokens == ["The", "Ġkey"]
    with pytest.raises(AttributeError):
        backend.post_processor = None
