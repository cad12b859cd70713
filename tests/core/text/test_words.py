"""Words of a text, punctuation, and which token belongs to which word."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from pairlens.text.words import separates, word_positions, word_spans
from pairlens.text.words.segmentation import _assigned, find_words, is_segmented, segments


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
