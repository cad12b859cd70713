"""The text policy: what is changed in a typed text, and how that is said."""

import csv
import gzip
import re
import sys
import unicodedata
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.errors import PolicyError
from pairlens.policies import Policy
from pairlens.text import Change, describe, detokenise, looks_tokenised, none_empty, prepare, unread, visible
from tests.refusals import error_of

ENGLISH = "abcdefghijklmnopqrstuvwxyz .,;:!?'\"-()0123456789"
AUTO, ALWAYS, NEVER = Policy(), Policy(text="typographic"), Policy(text="as-typed")
TYPED = "‘It’s’ — she said…\u00a0“ﬁne”\u00ad, 1914–18"


def test_variants_that_the_model_lacks_are_mapped_what_it_knows_stays_and_the_space_of_a_continuation():
    prepared = prepare(TYPED, AUTO, ENGLISH)
    assert prepared.text == "'It's' -- she said... \"fine\", 1914-18"
    assert Change("’", "'", 2) in prepared.changes
    assert Change("\u00ad", "", 1) in prepared.changes
    assert sum(change.count for change in prepared.changes) == 11
    assert prepare(TYPED, AUTO, ENGLISH + TYPED) == (TYPED, ())
    assert prepare("d’abord « non »", AUTO, ENGLISH + "«»").text == "d'abord « non »"
    assert prepare("d’abord «\u202fnon\u202f»", AUTO, ENGLISH).text == 'd\'abord "non"'
    assert prepare("it’s", AUTO, "abcdefghijklmnopqrstuvwxyz ") == ("it’s", ())
    assert prepare("‘it’", ALWAYS, "it’") == ("’it’", (Change("‘", "’", 1),))
    assert prepare(" it’s ", AUTO, ENGLISH).text == " it's "
    assert prepare(TYPED, AUTO, None) == (TYPED, ())
    assert prepare(TYPED, NEVER, ENGLISH) == (TYPED, ())
    assert prepare(TYPED, ALWAYS, None).text == "'It's' -- she said... \"fine\", 1914-18"
    assert prepare("« oui »", ALWAYS, None).text == "« oui »"
    assert prepare("« oui »", ALWAYS, ENGLISH).text == '"oui"'


@given(
    st.text(st.sampled_from("ae’‘“”«» \u00a0\u2000\u202f…—–-ﬁ\u00ad\u0301\u0302'\".\n"), max_size=30),
    st.sampled_from([AUTO, ALWAYS, NEVER]),
    st.sampled_from([ENGLISH, ENGLISH + "’—é", ENGLISH + "«»–", "ae", None]),
)
def test_mapping_twice_changes_nothing_more(text, policy, characters):
    once = prepare(text, policy, characters)
    assert prepare(once.text, policy, characters) == (once.text, ())
    assert (once.text == text) == (once.changes == ())


def test_changes_are_said_in_words_also_of_composed_accents_and_of_detokenising():
    assert describe([]) == ""
    assert describe([Change("’", "'", 1)]) == "’ was read as '."
    several = describe([Change("’", "'", 1), Change("\u202f", " ", 1), Change("’", "'", 1)])
    assert several == "’ was read as ' (2 times), narrow no-break space as space."
    assert describe([Change("\u00ad", "", 1)]) == "soft hyphen was read as nothing."
    assert describe([Change("l' ", "l'", 1)]) == "\"l' \" was read as l'."
    many = describe([Change(chr(0x2460 + i), "x", 20 - i) for i in range(9)])
    assert many.endswith("(15 times), and 3 other kinds of change.")
    decomposed = "cafe\u0301 bon"
    prepared = prepare(decomposed, AUTO, ENGLISH + "é")
    assert prepared.text == "café bon"
    assert describe(prepared.changes) == "cafe\u0301 (accents as separate characters) was read as café."
    assert prepare(decomposed, AUTO, ENGLISH + "\u0301").text == decomposed
    prepared = prepare("l’ auteur .", Policy(detokenise="fr"), ENGLISH)
    assert prepared.text == "l'auteur."
    assert Change("l’ ", "l’", 1) in prepared.changes
    with pytest.raises(PolicyError, match="There is no language of tokenised text 'de'"):
        detokenise("x", "de")


@pytest.mark.parametrize(
    ("language", "cut", "whole"),
    [
        ("en", "I do n't know , but it 's hers . <eos>", "I don't know, but it's hers."),
        ("en", "`` Ca n't you ? '' he asked -LRB- twice -RRB- .", '"Can\'t you?" he asked (twice).'),
        ("en", 'He says , " I see " ; the boys \' toys break !', 'He says, "I see"; the boys\' toys break!'),
        ("en", "we 're gon na go ; you got ta wait", "we're gonna go; you gotta wait"),
        ("en", "a state @-@ owned firm paid 1 @,@ 000 ... or 5 % .", "a state-owned firm paid 1,000... or 5%."),
        ("en", "they 'll say 'yes ' or 'no '", "they'll say 'yes' or 'no'"),
        ("fr", "Qu' est -ce que l' industrie de l' eau ? <eos>", "Qu'est-ce que l'industrie de l'eau ?"),
        ("fr", "Aujourd' hui , a -t -il dit ( hier ) , jusqu' ici .", "Aujourd'hui, a-t-il dit (hier), jusqu'ici."),
        ("fr", 'la " décennie perdue " qu\' a connue l\' Amérique', 'la "décennie perdue" qu\'a connue l\'Amérique'),
        ("fr", "C' est vrai : il y va !", "C'est vrai : il y va !"),
    ],
)  # fmt: skip
def test_detokenising(language, cut, whole):
    assert detokenise(cut, language) == whole
    assert detokenise(whole, language) == whole


PIECES = [
    "l'", "l", "'", '"', "``", "''", ",", ".", "...", "n't", "do", "-ce", "(", ")", "'s", "mot", "<eos>", "%", "?",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES)).map(" ".join))
def test_detokenising_twice_changes_nothing_more(text):
    for language in ("en", "fr"):
        once = detokenise(text, language)
        assert detokenise(once, language) == once
        assert len(once) <= len(text)


def test_recognising_tokenised_text():
    for texts, language in (
        (["", "  "], ""),
        (["The keys to the cabinet are here.", "It's 5 o'clock, isn't it?", "The boys' toys"], ""),
        (["L'auteur est là.", "Oui ? Non !", "Est-ce vrai : « oui » ?"], ""),
        (["l' auteur connaît", "les auteurs connaissent"], "fr"),
        (["I do n't know"], "en"),
        (["the man is here .", "the women are there , too ."], "en"),
        (["one line .", "the women are there", "the men are there"], ""),
        (["le film est bon .", "les films sont bons ."], "fr"),
        (["il film è bello .", "l' uomo e la donna sono nella casa . <eos>"], ""),
    ):
        assert looks_tokenised(texts) == language


@pytest.mark.slow
def test_long_texts_are_read_to_the_end():
    """Patterns that backtrack would not get there in a lifetime."""
    for filler in (" ", "'", '" ', "l' ", "( ", " ''", "<eos> "):
        text = filler * 8_000 + "end"
        for language in ("en", "fr"):
            assert detokenise(text, language).endswith("end")
        assert prepare("’" + text, ALWAYS, None).text.endswith("end")


def lines(path, most=None):
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as stream:
        return [line.removesuffix("\n") for line in islice(stream, most)]


def test_released_french_sentences_and_templates(shared_data):
    folder = shared_data("french_obj_pp/data")
    for path in (folder / "agreement/French/ud_obj-pp_transformer-28-2.raw-pred", *folder.glob("probing/*/*.tab.gz")):
        sentences = [row["sent"] for row in csv.DictReader(lines(path), delimiter="\t")][::4]
        assert looks_tokenised(sentences) == "fr"
        joined = [detokenise(sentence, "fr") for sentence in sentences]
        cut = re.compile(r"\b(l|d|j|s|n|c|qu|lorsqu|jusqu)' \w|<eos>|\w [.,]( |$)| -(ce|il) ", re.IGNORECASE)
        assert not [text for text in joined if cut.search(text)]
        assert sum(text != sentence for text, sentence in zip(joined, sentences, strict=True)) > 0.99 * len(joined)
        assert [detokenise(text, "fr") for text in joined] == joined
        assert not looks_tokenised(joined)
    folder = shared_data("clams")
    for language, recognised in (("fr", "fr"), ("en", "")):
        for path in sorted((folder / f"{language}_evalset").iterdir()):
            sentences = [line.split("\t")[1] for line in lines(path)[::50]]
            assert looks_tokenised(sentences) == recognised, path.name
            assert language == "en" or not any("' " in detokenise(sentence, "fr") for sentence in set(sentences))


@pytest.mark.parametrize("name", ["agreement/English/generated.text.gz", "linzen_testset/subj_agr_filtered.text.gz"])
def test_released_english_sentences(shared_data, name):
    sentences = lines(shared_data("colorless_green/data") / name, 1000)
    assert looks_tokenised(sentences) == "en"
    joined = [detokenise(sentence, "en") for sentence in sentences]
    cut = re.compile(r" n't\b| '(s|re|ve|ll)\b|<eos>|\w [.,;:?!]( |$)|\( | \)|``")
    assert not [text for text in joined if cut.search(text)]
    assert not looks_tokenised(joined)


def test_what_nobody_sees_is_no_word_a_text_of_it_is_empty_and_signs_that_a_model_has_never_read_are_told():
    """All format characters of Unicode but those with a shape of their own, and letters that are blank."""
    for text in ("", " \t", "\u200b", "\ufeff", "\u2060 \u00ad", "\u202e\u200f\ufe0f"):
        said = error_of(lambda text=text: none_empty(["one", text], "text.tsv, row"))
        assert "text.tsv, row 2: the text is empty" in said
    shaped = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
    unseen = [n for n in range(sys.maxunicode) if unicodedata.category(chr(n)) in ("Cf", "Cc") and n not in shaped]
    blank = [0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800, 0x34F, 0x17B4, 0xFE0F, 0xE0100, 0x3000, 0xA0]
    assert len(unseen) > 200 and not [hex(n) for n in (*unseen, *blank) if visible(chr(n))]
    assert [visible(chr(n)) for n in shaped] == [*map(chr, shaped)]
    assert visible(" \u3164cat\u2800") == "cat"
    card = {"characters": ENGLISH, "lower_case": True}
    assert unread(["It’s — Ünique", "猫 sat 😀\u200d."], AUTO, card) == "Ü猫😀"
    assert unread(["It's HERE."], AUTO, card) == ""
    assert unread(["HERE"], AUTO, {"characters": ENGLISH}) == "EHR"
    assert unread(["It’s"], NEVER, card) == "’"
    assert unread(["猫"], AUTO, {}) == unread([], AUTO, card) == ""
    texts = ["\ufeffThe keys", "co\u00adoperate", "\u200eנכון", "می\u200cخواهم", "👩\u200d🔬"]
    assert none_empty(texts, "text") == texts
