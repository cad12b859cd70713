"""Messages: English text that knows its template and arguments, and can be said in other languages."""

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import InputError, unknown
from pairlens.messages import Message, both, either, joined, one_or_more, packed, unpacked
from pairlens.text.languages import Language

FRENCH_NUMBERS = Language(numbers="fr")
PLACE = Message("{file}, row {row}", file="a.csv", row=12)


def test_a_message_is_its_english_sentence_also_in_an_error():
    said = Message("the id {id!r} is that of row {row} too.", id="x", row=3)
    assert said == "the id 'x' is that of row 3 too." and isinstance(said, str)
    assert (said.template, said.arguments) == ("the id {id!r} is that of row {row} too.", {"id": "x", "row": 3})
    with pytest.raises(KeyError):
        Message("{a.__class__}", a=1)
    error = InputError(unknown(Message("part"), "TETS", ["TEST"]), PLACE)
    assert str(error) == "a.csv, row 12: There is no part 'TETS'. Did you mean 'TEST'? Known: TEST."
    assert Language("pt")(error.message) == "a.csv, linha 12: Não há parte 'TETS'. Seria 'TEST'? Há: TEST."
    assert Language("pt")(pickle.loads(pickle.dumps(error)).message).startswith("a.csv, linha")
    assert InputError("a {plain} text").message == "a {plain} text"


@given(st.text())
def test_texts_of_users_are_never_taken_for_templates(text):
    assert Message(text) == text and Message("{a}", a=text) == text
    for language in (Language(), Language("pt")):
        assert language(Message("{a}", a=text)) == text


@pytest.mark.parametrize(
    "message",
    [PLACE, Message("{braces}"), "{plain}", one_or_more("{n} pair of {a}", "{n:,} pairs of {a}", n=2_000, a=PLACE),
     one_or_more("{n} pair", "{n:,} pairs", n=np.int64(2_000))],
)  # fmt: skip
def test_copies_are_the_same_message(message):
    said = Language("pt")(message)
    through_json = unpacked(json.loads(json.dumps(packed(message))))
    for again in (copy.deepcopy(message), pickle.loads(pickle.dumps(message)), through_json):
        assert again == message and Language("pt")(again) == said


def test_parts_are_said_one_by_one_and_one_differs_from_several():
    labels = [Message(label) for label in ("entailment", "neutral", "LABEL_0")]
    assert joined(labels, " {} ") == "entailment {} neutral {} LABEL_0"
    say = Language("pt")
    assert say(joined(labels, " {} ")) == "acarretamento {} neutro {} LABEL_0"
    assert say(either(labels)) == "acarretamento ou neutro ou LABEL_0"
    assert say(both(labels[:2])) == "acarretamento e neutro"
    assert either(labels[:1]) == "entailment"
    one = "{n} pair is left out because no label was agreed on (-)."
    several = "{n:,} pairs are left out because no label was agreed on (-)."
    assert one_or_more(one, several, n=1).startswith("1 pair is")
    assert one_or_more(one, several, n=2_000).startswith("2,000 pairs are")
    say = Language("pt")
    assert say(one_or_more(one, several, n=1)).startswith("1 par fica")
    assert say(one_or_more(one, several, n=2_000)).startswith("2.000 pares ficam")
    with pytest.raises(FileNotFoundError):
        Language("fr")  # has no catalogue


@pytest.mark.parametrize(
    ("value", "form", "english", "portuguese", "french"),
    [
        (1234567.5, ",.2f", "1,234,567.50", "1.234.567,50", "1\u202f234\u202f567,50"),
        (12345, ",", "12,345", "12.345", "12\u202f345"),
        (np.int64(12345), ",", "12,345", "12.345", "12\u202f345"),
        (1234.0, ".0f", "1234", "1234", "1234"),
        (-0.5, ".3f", "-0.500", "-0,500", "-0,500"),
        (0.8, ".1%", "80.0\u00a0%", "80,0\u00a0%", "80,0\u00a0%"),
        (np.float64(0.125), ".2f", "0.12", "0,12", "0,12"),
        (2.675, ".2f", "2.67", "2,67", "2,67"),
        (0.0312, ".2g", "0.031", "0,031", "0,031"),
        (1e-5, ".2g", "1e-05", "1E-5", "1E-5"),
        (float("nan"), ".2f", "nan", "nan", "nan"),
    ],
)
def test_numbers_have_the_same_digits_in_every_language(value, form, english, portuguese, french):
    template = f"{{n:{form}}}"
    said = Message(template, n=value)
    assert (said, Language("pt")(said), FRENCH_NUMBERS(said)) == (english, portuguese, french)
    assert FRENCH_NUMBERS.number(value, form) == french
