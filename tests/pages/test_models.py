"""The page of models: cards, what is in memory, and what another name would bring, before anything is fetched."""

import json
import shutil

import pytest
from huggingface_hub import constants

from pages.components.shared import resources
from pairlens import models
from pairlens.models import cards
from pairlens.policies import PRESETS
from pairlens.scorers import SCORERS
from pairlens.scoring.recipe import Recipe
from tests.fake_hub import fake_hub
from tests.on_page import errors, links, markup, press, wait_for_jobs, words

REPO = "some-lab/tiny"


@pytest.fixture
def visit(visit_page, tmp_path, monkeypatch):
    """`visit(model=..., named=...)`: the page as opened by a link; nothing was fetched from a hub."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    return lambda **params: visit_page("models", **params)


@pytest.fixture
def hub(tmp_path, tiny, monkeypatch):
    """A hub that has one model."""
    published = tmp_path / "published"
    shutil.copytree(tiny("gpt2"), published)
    with fake_hub({REPO: published}, tmp_path / "cache", monkeypatch):
        yield published


def test_on_arrival_every_model_is_listed_and_the_first_ones_card_is_open(visit, unigram):
    page = visit()
    table = page.dataframe[0].value
    assert set(table["name"]) == {model.name for model in models.catalogue()} > {unigram}
    assert not errors(page)
    first = models.find(str(table["name"].iloc[0]))
    assert first.kind == "causal" and f"<strong>{first.card['title']}</strong>" in words(page)
    row = table.set_index("name").loc[first.name]
    assert row["parameters"] == f"{first.card['parameters'] / 1e6:,.1f} M"
    score = first.card["scores"]["blimp"]
    assert f"BLiMP {score['macro']:.1f} % ({score['low']:.1f} to {score['high']:.1f})" in row["reaches"]
    assert "No model is in memory." in words(page)


@pytest.mark.parametrize("name", sorted(card.parent.name for card in cards.bundled_models().glob("*/card.json")))
def test_every_card_is_shown_in_full(visit, name):
    page = visit(model=name)
    card, seen = models.find(name).card, words(page)
    assert not errors(page)
    for told in (card["title"], card["description"], card["licence"], card.get("characters", "").strip()):
        assert told in seen
    assert "Not for:" in seen and "How it was made:" in seen
    assert f"--model {name}" in "\n".join(code.value for code in page.code)
    if card.get("scores"):
        shown = next(frame.value for frame in page.dataframe if "baseline" in frame.value)
        assert list(100 * shown["value"]) == pytest.approx([one["macro"] for one in card["scores"].values()])


def test_a_card_leads_to_the_page_that_asks_the_model(visit, unigram):
    page = visit(model=unigram)
    assert links(page)["Open in Compare"].endswith(f"compare?model={unigram}")
    assert links(page)["Benchmarks"].endswith(f"zero_shot?model_name={unigram}")
    assert "No scores yet." in words(page)
    assert links(visit(model="bilingual-entailment"))["Open in Entailment"].endswith(
        "nli?nli_model=bilingual-entailment"
    )


def test_a_model_that_was_made_here_says_how(visit, home, unigram):
    path = home / "models" / unigram / "card.json"
    made = {
        "recipe": {"layers": 2, "width": 64, "vocabulary": 1_024, "start_from": ""},
        "training": {"steps": 50, "tokens_seen": 12_800, "epochs": 0.5, "minutes": 0.4, "words": 9_000},
        "scores": {"some_test": 61.5, "blimp": {"macro": 60.0, "low": 58.0, "high": 62.0, "pairs": 100}},
    }
    path.write_text(json.dumps(json.loads(path.read_text()) | made))
    page = visit(model=unigram)
    assert "2 layers of width 64, a vocabulary of 1,024 tokens. 50 steps, 12,800 tokens, 0.5 epochs." in words(page)
    assert "some_test 61.5 %; BLiMP 60.0 % (58.0 to 62.0)." in words(page) and not errors(page)
    assert "nor for texts unlike those that it has read" in words(page)
    assert page.dataframe[0].value.set_index("name").loc[unigram, "text"] == "9,000"


def test_nothing_of_a_card_is_markup(visit, home, unigram):
    path = home / "models" / unigram / "card.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"description": "<b>bold</b>", "title": "<i>t</i>"}))
    text = markup(visit(model=unigram))
    assert "<b>bold" not in text and "<i>t" not in text and "&lt;b&gt;bold" in text


def test_a_model_that_another_program_deleted_is_no_traceback(visit, home, unigram):
    page = visit(model=unigram)
    shutil.rmtree(home / "models" / unigram)
    assert not errors(page.run()), "the catalogue is a minute old at most"


def test_an_unknown_name_in_a_link_is_one_sentence(visit):
    page = visit(model="english-smal")
    assert len(errors(page)) == 1 and "Did you mean 'english-small'?" in errors(page)[0]
    assert "model" not in page.query_params


def test_a_model_in_memory_can_be_let_go(visit, tiny):
    for preset in ("pairlens", "minicons"):
        recipe = Recipe(models.find(tiny("gpt2")), SCORERS["causal"], PRESETS[preset])
        resources.model_cache().scorer(recipe)
    page = visit()
    assert sum(button.label == "Unload" for button in page.button) == 1, "one line for one model"
    assert "Kept for causal scores, first token tokenizer; causal scores (2 copies" in words(page)
    assert "Limit: 4.0 GB" in words(page)
    page = press(page, "Unload")
    assert not resources.model_cache().held() and "No model is in memory." in words(page)


def test_a_name_that_brings_nothing_is_one_sentence(visit):
    page = visit(named="some-lab/other")
    assert len(errors(page)) == 1 and "Pairlens is offline" in errors(page)[0]


def test_a_folder_is_kept_in_the_list_and_taken_out(visit, tiny):
    folder = str(tiny("bert"))
    page = press(visit(named=folder), "Add to the list")
    assert folder in set(page.dataframe[0].value["name"]) and page.text_input(key="named").value == ""
    assert folder in page.switch_page("pages/compare.py").run().multiselect(key="model").options
    page = press(page.switch_page("pages/models.py").run(), "Take out of the list")
    assert folder not in set(page.dataframe[0].value["name"]) and not errors(page)


def test_a_folder_of_checkpoints_is_said_to_be_one(visit, tiny, tmp_path):
    for name in ("chck_1M", "chck_2M"):
        shutil.copytree(tiny("gpt2"), tmp_path / name)
    page = visit(named=str(tmp_path))
    assert "2 checkpoints in this folder: chck_1M, chck_2M" in words(page) and not errors(page)
    assert "benchmark_view=Checkpoints" in page.get("page_link")[0].proto.query_string


def test_a_hub_model_is_described_then_fetched(visit, hub):
    page = visit(named=REPO, model="bilingual-masked")
    assert f"{REPO}: causal model, GPT2LMHeadModel; 0." in words(page) and not errors(page)
    files = next(frame.value for frame in page.dataframe if "file" in frame.value)
    assert (
        dict(zip(files["file"], files["bytes"], strict=True))["model.safetensors"]
        == (hub / "model.safetensors").stat().st_size
    )
    (fetch,) = [button for button in page.button if button.label.startswith("Fetch (0.")]
    fetch.click().run()
    wait_for_jobs()
    page = page.run()
    assert "it is here" in words(page) and not errors(page)
    assert REPO in set(page.dataframe[0].value["name"]), "it is in the list"
    assert "English and Portuguese, masked" in words(page), "the open card stays open"
    assert page.get("page_link")[0].proto.query_string == "model=some-lab%2Ftiny"
    compare = page.switch_page("pages/compare.py").run()
    assert REPO in compare.multiselect(key="model").options, "it is in every chooser"
    assert models.find(REPO).kind == "causal"


def test_the_open_card_and_the_name_are_there_again(visit, tiny):
    page = visit(named=str(tiny("bert")), model="bilingual-masked")
    page = page.switch_page("pages/results.py").run().switch_page("pages/models.py").run()
    assert "English and Portuguese, masked" in words(page) and "masked model, BertForMaskedLM" in words(page)
