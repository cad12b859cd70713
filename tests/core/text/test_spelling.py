"""How words change where they meet."""

import pytest

from pairlens.text.spelling import opens_with_vowel, spell


@pytest.mark.parametrize(
    ("language", "filled", "spelled"),
    [
        ("en", "a {apple} and an {key}", "An apple and a key"),
        ("en", "{a} *{old}* coin, a {university}, a {hour}", "An *old* coin, a university, an hour"),
        ("en", "an key a apple", "An key a apple"),  # typed by hand
        ("en", "it  was , he said . {she} left", "It was, he said. She left"),
        ("fr", "{le} {ami} que {la} {actrice} aime", "L'ami que l'actrice aime"),
        ("fr", "ce que {elle} voit de {le} {haut}", "Ce qu'elle voit du haut"),
        ("fr", "de {le} {homme} à {le} {hibou} et à {les} {amis}", "De l'homme au hibou et aux amis"),
        ("fr", "près de *{les}* {voisins}", "Près *des* voisins"),
        ("fr", "*{près de}* {le} roi", "*Près du* roi"),
        ("fr", "{près de} {le} {voisin} essaie de le voir", "Près du voisin essaie de le voir"),
        ("fr", "{sa} {amie}, {ce} {oncle}, {ce} {hibou}, {sa} {honte}", "Son amie, cet oncle, ce hibou, sa honte"),
        ("fr", "{le} *{oncle}* de {la} *{reine}*", "L'*oncle* de la *reine*"),
        ("pt", "perto de {as} {vizinhas} em {o} rio", "Perto das vizinhas no rio"),
        ("pt", "por {a} {casa} a {a} {praia} a {os} reis", "Pela casa à praia aos reis"),
        ("pt", "em {este} {rio} de {essa} {casa} de {um} rei", "Neste rio dessa casa de um rei"),
        ("pt", "de *{os}* {reis}", "*Dos* reis"),
    ],
)  # fmt: skip
def test_spelling(language, filled, spelled):
    assert spell(filled, language) == spelled


def test_vowels():
    for language, vowel, other in (
        ("en", "apple hour heir umbrella uninteresting honest", "key university user one European unicorn house"),
        ("fr", "ami homme hôpital île œuf héroïne", "hibou haricot voisin héros onze yaourt hauteur"),
        ("pt", "", "amigo ilha"),
    ):
        assert all(opens_with_vowel(word, language) for word in vowel.split())
        assert not any(opens_with_vowel(word, language) for word in other.split())
