"""Word counts, cards, and the models that ship with the project."""

import gzip
import json
from collections import Counter
from dataclasses import replace

import pytest

import pairlens
from pairlens.errors import InputError
from pairlens.places import FOLDER as ROOT
from pairlens.scorers.unigram import split_words
from pairlens.training.card import characters, parameters
from workshop.cards import add_scores, begun_from, readme
from workshop.language_models import recipes
from workshop.language_models.sources import ENGLISH, Origins, listed
from workshop.language_models.training import Recipe
from workshop.language_models.word_counts import count_words, save_counts

MODELS = ROOT / "data" / "models"
AGREE = {
    "en": ("The women were very tired.", "The women was very tired."),
    "fr": ("Les femmes sont très fatiguées.", "Les femmes est très fatiguées."),
    "pt": ("As mulheres estavam muito cansadas.", "As mulheres estava muito cansadas."),
}
"""By language, a plain sentence and the same with the wrong verb."""


def test_words_keep_inner_marks_counts_are_sorted_without_rare_ones_and_characters_are_those_seen_often(tmp_path):
    parted = ["“", "don't", ",", "”", "he", "said", "-", "-", "well-known", "."]
    assert split_words("“Don't,” he said -- well-known.") == parted
    facts = save_counts(count_words(["a b a b c", "B a a. ."]), tmp_path)
    with gzip.open(tmp_path / "counts.tsv.gz", "rt", encoding="utf-8") as lines:
        assert lines.read() == "a\t4\nb\t3\n"
    assert (facts["tokens"], facts["types"], facts["tokens_kept"]) == (10, 4, 7)
    assert save_counts(Counter({"x": 3}), tmp_path)["types_kept"] == 1
    lines = ["Aab." for _ in range(60)] + ["z"]
    assert characters(lines, lower_case=True) == "a"
    assert characters([*lines, *lines], lower_case=False) == ".Aab"


@pytest.mark.model
def test_a_bundled_model_is_made_with_its_card(tmp_path, corpora, monkeypatch):
    origins = Origins(corpora(ENGLISH, 120, 'The {} old dogs saw the "house" again.'))
    tiny = Recipe(
        vocabulary=320, width=32, layers=1, heads=2, feed_forward=32, context=32, batch_tokens=256, steps=3,
        compiled=False,
    )  # fmt: skip
    causal = replace(recipes.MODELS["english-small"], recipe=replace(tiny, lower_case=False), sources=ENGLISH)
    hidden = replace(tiny, kind="masked", start_from="english-small", lower_case=False, own_vocabulary=True)
    masked = replace(recipes.MODELS["bilingual-masked"], recipe=hidden, sources=ENGLISH)
    monkeypatch.setitem(recipes.MODELS, "english-small", causal)
    monkeypatch.setitem(recipes.MODELS, "bilingual-masked", masked)
    for name in ("english-small", "bilingual-masked", "unigram-english"):
        folder = recipes.make(name, origins, tmp_path / "models", tmp_path / "work")
        card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
        assert card["name"] == name
        assert len(card["sources"]) == len(ENGLISH)
        assert str(tmp_path) not in (folder / "card.json").read_text(encoding="utf-8")
    masked_card = json.loads((tmp_path / "models/bilingual-masked/card.json").read_text(encoding="utf-8"))
    assert masked_card["objectives"] == ["mlm", "mntp"]
    assert masked_card["recipe"]["start_from"] == "english-small"
    assert [one["name"] for one in begun_from(masked_card)] == ["english-small"]
    assert readme(masked_card).count("| some/where @") == 2 * len(ENGLISH)
    assert masked_card["training"]["steps"] == 3


def test_unknown_models_and_folders_are_named_and_scores_are_added_to_a_card(tmp_path, corpora):
    with pytest.raises(InputError, match=r"no bundled model 'englsh-small'.*'english-small'"):
        recipes.make("englsh-small", Origins(tmp_path), tmp_path, tmp_path)
    with pytest.raises(InputError, match=r"no SOURCES\.tsv"):
        listed(tmp_path)
    folder = recipes.make("unigram-english", Origins(corpora(ENGLISH, 120)), tmp_path / "models", tmp_path / "work")
    add_scores(folder, {"blimp": {"macro": 51.0, "pairs": 67000, "policy": "sum"}})
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert card["scores"]["blimp"]["macro"] == 51.0


BUNDLED = sorted(MODELS / name for name in recipes.MODELS if (MODELS / name / "card.json").is_file())


@pytest.mark.model
@pytest.mark.parametrize("folder", BUNDLED, ids=lambda folder: folder.name)
def test_bundled_folders_are_described_and_models_prefer_plain_agreement(folder, home):
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert (folder / "README.md").read_text(encoding="utf-8") == readme(card)
    assert card["licence"] == "Apache-2.0"
    if card["kind"] == "unigram":
        return
    assert parameters(folder) == card["parameters"]
    plural, singular = AGREE[card["language"].split()[0]]
    totals = pairlens.score([plural, singular], folder.name).groupby("text")["logprob"].sum()
    assert totals[plural] > totals[singular]
