"""Words of a text, punctuation, and which token belongs to which word, also on real tokenizers and models."""

import math
import unicodedata
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.models import find
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.text.words import edges, separates, word_positions, word_spans, words
from pairlens.text.words.segmentation import _assigned, find_words, is_segmented, segments
from pairlens.types import Extras, Request


def found(text, punctuation="previous"):
    return [text[start:end] for start, end in word_spans(text, punctuation)]


def test_punctuation_policies():
    for text, previous, following, separate, ignore in (
        ("The keys here.", "The|keys|here.", "The|keys|here.", "The|keys|here|.", "The|keys|here"),
        ('"Hi there."', '"Hi|there."', '"Hi|there."', '"|Hi|there|.|"', "Hi|there"),
        ("Yes, but no!", "Yes,|but|no!", "Yes|, but|no!", "Yes|,|but|no|!", "Yes|but|no"),
        ("Il dit : « oui ! »", "Il|dit :|« oui ! »", "Il|dit|: « oui ! »", "Il|dit|:|«|oui|!|»", "Il|dit|oui"),
        ("He said (wait) ...", "He|said|(wait) ...", "He|said|(wait) ...", "He|said|(|wait|)|...", "He|said|wait"),
        ("»Ja«, sagt er.", "»Ja«,|sagt|er.", "»Ja|«, sagt|er.", "»|Ja|«|,|sagt|er|.", "Ja|sagt|er"),
        ("house—which", "house—|which", "house|—which", "house|—|which", "house|which"),
    ):
        expected = {"previous": previous, "next": following, "separate": separate, "ignore": ignore}
        assert {name: "|".join(found(text, name)) for name in expected} == expected


def test_marks_inside_a_word_are_a_part_of_it_characters_without_spaces_are_words_and_marks_alone_are_none():
    words = ["don't", "l’auteur", "est-ce", "a-t-il", "3.5", "10:30", "e.g", "R&D", "col·lega"]
    assert found(" ".join(words), "separate") == words
    assert found("¿Qué? …dit-il; 「你」。", "ignore") == ["Qué", "dit-il", "你"]
    assert found("costs $5 + tax", "ignore") == ["costs", "$5", "+", "tax"]  # symbols are no punctuation
    assert found("我们 like カナ") == ["我", "们", "like", "カ", "ナ"]
    assert found("我，你「他」。") == ["我，", "你", "「他」。"]
    assert found("한국어 문장") == ["한국어", "문장"]  # Korean is written with spaces
    spans = [(0, 1), (1, 2), (2, 4)]
    ways = [word_positions(spans, "孩子 了", characters=characters) for characters in (True, False)]
    assert ways == [[0, 1, 2], [0, 0, 1]]
    assert found('" " .') == ['" " .']
    assert found("...", "ignore") == []
    assert word_positions([(0, 3)], "...", "ignore") == [-1]
    assert found("  ") == []
    assert word_positions([(0, 1)], "  ") == [-1]
    assert word_positions([(0, 3), (3, 4), (4, 8)], "Yes, but", "ignore") == [0, -1, 1]
    decomposed = unicodedata.normalize("NFD", "«é» が")
    assert [unicodedata.normalize("NFC", word) for word in found(decomposed, "separate")] == ["«", "é", "»", "が"]
    assert found("葛󠄀城") == ["葛󠄀", "城"]  # a variation selector
    apart = [token for token in (",", '."', "—", "«x", "'s", "-", " ,", "s", "") if separates(token)]
    assert apart == [",", '."', "—", "«x"]


def test_where_the_author_put_spaces_they_part_words_in_scripts_without_spaces():
    for text, parted in (
        ("小男孩 游 了 泳。", "小男孩|游|了|泳。"),
        ("昨天，小男孩 游 了 泳。", "昨天，|小男孩|游|了|泳。"),
        ("花子が　本を　読んだ。", "花子が|本を|読んだ。"),
        (unicodedata.normalize("NFD", "花子が ビデオ-ゲームを 買った"), "花子が|ビデオ-ゲームを|買った"),
        ("我 用iPhone 打 了 电话", "我|用iPhone|打|了|电话"),
        ("我用 iPhone 打了电话", "我|用|iPhone|打|了|电|话"),  # spaces around Latin letters separate no words
        ("我来了。 你走了。", "我|来|了。|你|走|了。"),
        ("他说，我走了，你呢？我 不走。", "他|说，|我|走|了，|你|呢？|我|不|走。"),  # a stray space in running text
        ("我走\n你来", "我|走|你|来"),  # a wrapped line
        ("เด็ก ว่ายน้ำ", "เด็ก|ว่ายน้ำ"),
    ):
        assert [unicodedata.normalize("NFC", word) for word in found(text)] == parted.split("|")


def test_tokens_belong_to_the_word_of_their_first_character():
    for text, spans, owners in (
        ("The keys", [(0, 3), (3, 8)], "The|keys"),  # byte-level: the space is in the token
        ("The keys", [(0, 3), (4, 8)], "The|keys"),  # WordPiece: no token covers the space
        ("The 5", [(0, 3), (3, 4), (4, 5)], "The|5|5"),  # a space alone introduces what follows
        ("The 5", [(0, 0), (0, 3), (4, 4), (4, 5)], "The|The|5|5"),  # trimmed to nothing
        ("A ", [(0, 1), (1, 2)], "A|A"),  # nothing follows
        ("😀 b", [(0, 1), (0, 1), (1, 1), (1, 3)], "😀|😀|😀|b"),  # bytes of one character
        ("in the", [(0, 4), (4, 6)], "in|the"),  # a token over two words: where it begins
        ("a\n\tb", [(0, 1), (1, 2), (2, 4)], "a|b|b"),
        ("laughs.", [(0, 5), (5, 6), (6, 7)], "laughs|laughs|."),
        ("don't", [(0, 3), (3, 4), (4, 5)], "don't|don't|don't"),
    ):
        assert [found(text, "separate")[position] for position in word_positions(spans, text)] == owners.split("|")


TEXTS = st.text(st.sampled_from("abé我カ .,'\"-—()«»😀\u00a0\n\u0301"), max_size=40)


@given(TEXTS)
def test_segments_cover_every_character_but_white_space_once_and_make_the_words_of_the_whole_text(text):
    assert find_words(text, "previous") == _assigned(text, "previous", not is_segmented(text))
    covered = [i for segment in segments(text, characters=True) for i in range(segment.start, segment.end)]
    assert covered == [i for i, character in enumerate(text) if not character.isspace()]


@given(TEXTS, st.sampled_from(["previous", "next", "separate", "ignore"]))
def test_no_segment_is_lost_or_moved(text, punctuation):
    words = find_words(text, punctuation)
    kept = [owner for owner in words.owners if owner >= 0]
    assert kept == sorted(kept) and set(kept) == set(range(len(words.spans)))
    assert all(end <= start for (_, end), (start, _) in zip(words.spans, words.spans[1:], strict=False))
    left_out = [segment for segment, owner in zip(words.segments, words.owners, strict=True) if owner < 0]
    assert all(segment.mark for segment in left_out) and not (left_out and punctuation != "ignore")


READ = (
    "The keys to the cabinet aren't here.",
    '"Wait," she said (twice), "it is the captain\'s!"',
    "Où est-ce que l'industrie naïve dort ?",
    "  Two spaces,\tand a tab ",
    "日本語 and 👩\u200d👩\u200d👧 here…",
    "No",
)
VERBS = (
    "laugh", "whisper", "tremble", "shiver", "stumble", "mutter", "scream", "linger", "wander", "gallop", "vanish",
    "frown", "kneel", "yawn", "giggle", "hesitate", "murmur", "shudder",
)  # fmt: skip


@pytest.mark.parametrize("architecture", ["gpt2", "llama", "gemma", "bloom", "bert", "deberta-v2"])
def test_words_of_a_model_telescope(tiny, architecture):
    model = find(tiny(architecture))
    scorer = SCORERS["causal" if model.kind == "causal" else "masked"].open(model, Policy())
    answers = scorer.score([Request("", text) for text in READ], Extras(boundary=True))
    for punctuation, (text, scores) in product(("previous", "next", "separate"), zip(READ, answers, strict=True)):
        policy = Policy(punctuation=punctuation)
        found = words(scores, text, policy)
        assert [token for word in found for token in word.tokens] == list(range(len(scores.tokens)))
        end = edges(scores, text, policy)[-1]
        total = scores.total + (0 if math.isnan(end) else end)
        assert math.fsum(word.value for word in found) == pytest.approx(total, abs=1e-6)
        assert {word.variant for word in found} <= {"sum"} or model.kind == "causal"
        if text == READ[0] and punctuation == "previous":
            assert [word.text for word in found] == text.split()
            assert {word.variant for word in found} == ({"bow_eos"} if model.kind == "causal" else {"sum"})


@pytest.mark.model
def test_the_bundled_model_decides_at_the_form():
    """Forms cut as stem + s: with word ends counted the decision falls on the verb, without them on what follows."""
    scorer = SCORERS["causal"].open(find("english-small"), Policy())
    texts = [[f"the boy {verb}{ending} very loudly." for ending in ("s", "")] for verb in VERBS]
    scores = scorer.score([Request("", text) for pair in texts for text in pair], Extras(boundary=True))
    pairs = [(a, b, pair) for a, b, pair in zip(scores[::2], scores[1::2], texts, strict=True)
             if len(a.tokens) == len(b.tokens) + 1]  # fmt: skip
    assert len(pairs) >= 3
    agreeing, moved = {}, {}
    for value in ("bow_eos", "sum"):
        policy = Policy(word_value=value)
        both = [zip(words(a, one, policy), words(b, two, policy), strict=True) for a, b, (one, two) in pairs]
        steps = [[x.value - y.value for x, y in each] for each in both]
        decided = zip(steps, pairs, strict=True)
        agreeing[value] = sum((step[2] > 0) == (a.total > b.total) for step, (a, b, _) in decided)
        moved[value] = sum(abs(step[3]) for step in steps)
    assert agreeing["bow_eos"] >= max(agreeing["sum"], 0.75 * len(pairs))
    assert moved["bow_eos"] < 0.75 * moved["sum"]
