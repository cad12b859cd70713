"""Second beginnings that the lexicons propose."""

import pytest

from core.studies.inside.proposal import proposals


@pytest.mark.parametrize(
    ("beginning", "expected"),
    [
        ("The keys to the cabinet", [("The key to the cabinet", "number")]),
        ("An apple near the trees", [("Some apples near the trees", "number")]),
        ("This key to the cabinets", [("These keys to the cabinets", "number")]),
        (
            "No author that the senators liked has",
            [("The author that the senators liked has", "licensor")],
        ),
        ("Mary told Tom that", [("John told Tom that", "gender")]),
        ("he", [("she", "gender"), ("they", "number")]),
        ("Les lettres que Marie a", [("La lettre que Marie a", "number"), ("Les livres que Marie a", "gender")]),
        ("L'avocat", [("Les avocats", "number"), ("L'avocate", "gender")]),
        ("les voisins de l'avocat", [("le voisin de l'avocat", "number"), ("les voisines de l'avocat", "gender")]),
        ("Aucune lettre", [("Une lettre", "licensor")]),
        ("As meninas perto da casa", [("A menina perto da casa", "number"), ("Os meninos perto da casa", "gender")]),
        ("Tous les amis du voisin", []),
        ("Xyzzy", []),
    ],
)
def test_one_word_is_exchanged_and_its_determiner(beginning, expected):
    assert [(found.text, found.changed) for found in proposals(beginning)] == expected


def test_the_language_can_be_given():
    assert [found.text for found in proposals("Ninguém", "pt")] == ["Alguém"]
    assert proposals("Ninguém") == []
