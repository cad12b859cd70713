"""Second beginnings that the lexicons propose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pairlens.studies.inside.proposal import proposals
from pairlens.studies.inside.question import aligned
from tests.refusals import error_of


@pytest.mark.parametrize(
    ("beginning", "expected"),
    [("The keys to the cabinet", [("The key to the cabinet", "number")]),
     ("An apple near the trees", [("Some apples near the trees", "number")]),
     ("This key to the cabinets", [("These keys to the cabinets", "number")]),
     ("No author that the senators liked has", [("The author that the senators liked has", "licensor")]),
     ("Mary told Tom that", [("John told Tom that", "gender")]), ("he", [("she", "gender"), ("they", "number")]),
     ("Les lettres que Marie a", [("La lettre que Marie a", "number"), ("Les livres que Marie a", "gender")]),
     ("L'avocat", [("Les avocats", "number"), ("L'avocate", "gender")]),
     ("les voisins de l'avocat", [("le voisin de l'avocat", "number"), ("les voisines de l'avocat", "gender")]),
     ("Aucune lettre", [("Une lettre", "licensor")]),
     ("As meninas perto da casa", [("A menina perto da casa", "number"), ("Os meninos perto da casa", "gender")]),
     ("Tous les amis du voisin", []), ("Xyzzy", [])],
)  # fmt: skip
def test_one_word_is_exchanged_and_its_determiner(beginning, expected):
    assert [(found.text, found.changed) for found in proposals(beginning)] == expected


def test_the_language_can_be_given_and_an_end_never_takes_what_the_start_has():
    assert [found.text for found in proposals("Ninguém", "pt")] == ["Alguém"] and proposals("Ninguém") == []
    found = aligned([1, 2, 2, 3], [1, 2, 3])
    assert (found.start, found.end, found.parted) == (2, 1, (1, 0))
    assert found.pairs == ((0, 0), (1, 1), (3, 2))


@given(*(st.lists(st.integers(0, 2), min_size=1, max_size=8) for _ in range(2)))
def test_aligned_positions_hold_the_same_token_or_stand_between(one, other):
    if one == other:
        assert "nothing to move" in error_of(lambda: aligned(one, other))
        return
    found = aligned(one, other)
    same = [(to, of) for to, of in found.pairs if to < found.start or to >= len(one) - found.end]
    assert all(one[to] == other[of] for to, of in same) and len(same) == found.start + found.end
    assert len(found.pairs) == len(same) + (found.parted[0] if found.whole else 0)
    assert sorted(found.pairs) == list(found.pairs)
    assert [pair[::-1] for pair in found.pairs] == list(aligned(other, one).pairs)
