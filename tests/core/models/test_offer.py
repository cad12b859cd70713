"""What a name would bring, said before anything is fetched, and fetching it: from a hub on this machine."""

from __future__ import annotations

import json
import shutil

import pytest
from huggingface_hub import HfApi
from safetensors.torch import load_file

from core.cli import main
from core.errors import ModelError
from core.models import catalogue, find
from core.models import hub as of_hub
from core.models.inventory import fetch, inventory, offer, offer_in_words
from core.settings import settings
from tests.fake_hub import COMMIT, fake_hub

pytestmark = pytest.mark.model

REPO = "some-lab/tiny"


@pytest.fixture
def published(tmp_path, tiny):
    """What the hub has of the model: more than is wanted of it."""
    folder = tmp_path / "published"
    shutil.copytree(tiny("gpt2"), folder)
    (folder / "pytorch_model.bin").write_bytes(b"\0" * 1_000)
    (folder / "README.md").write_text("# tiny")
    return folder


@pytest.fixture
def hub(tmp_path, published, monkeypatch):
    """A hub that can be asked, and an empty cache."""
    with fake_hub({REPO: published}, tmp_path / "cache", monkeypatch):
        yield tmp_path / "cache"


def refusal(source: str) -> str:
    with pytest.raises(ModelError) as caught:
        offer(source)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_hub_model_is_described_before_anything_is_fetched(hub, published):
    found = offer(REPO)
    assert (found.kind, found.architecture, found.folder) == ("causal", "GPT2LMHeadModel", None)
    wanted = {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}
    optional = {"generation_config.json", "special_tokens_map.json", "vocab.json", "merges.txt"}
    assert wanted <= set(found.files) <= wanted | optional
    assert found.megabytes == sum((published / file).stat().st_size for file in found.files) / 1e6
    assert not list(hub.rglob("*")), "nothing is kept of looking"
    assert offer_in_words(found).endswith(f"MB to fetch in {len(found.files)} files, licence: mit")


def test_what_was_said_is_what_is_fetched(hub):
    said, told = offer(REPO), []
    model = fetch(REPO, lambda done, total: told.append((done, total)))
    assert (model.kind, model.revision, model.name) == ("causal", COMMIT, REPO)
    assert {file.name for file in model.folder.iterdir()} == set(said.files)
    assert of_hub.cached_size(REPO) == sum(said.files.values())
    assert all(0 <= done <= total == sum(said.files.values()) for done, total in told)
    again = offer(REPO)
    assert again.folder == model.folder and not again.files and "it is here" in offer_in_words(again)


def test_what_was_fetched_is_in_the_inventory(hub):
    assert [entry.origin for entry in inventory(catalogue())].count("hub") == 0
    fetch(REPO, lambda done, total: None)
    (entry,) = [entry for entry in inventory(catalogue()) if entry.origin == "hub"]
    weights = load_file(entry.folder / "model.safetensors")
    assert (entry.name, entry.kind) == (REPO, "causal")
    assert entry.parameters == sum(tensor.numel() for tensor in weights.values())


def test_a_model_that_came_in_part_is_offered_again(hub):
    (fetch(REPO, lambda done, total: None).folder / "model.safetensors").unlink()
    assert list(of_hub.cached_models()) == [] and offer(REPO).folder is None
    assert fetch(REPO, lambda done, total: None).kind == "causal" and offer(REPO).folder is not None


def test_why_a_hub_model_cannot_be_used(hub, published):
    assert "The hub has no public model 'some-lab/other'" in refusal("some-lab/other")
    config = json.loads((published / "config.json").read_text())
    strange = config | {"model_type": "strange", "auto_map": {"AutoModelForCausalLM": "modeling.Strange"}}
    (published / "config.json").write_text(json.dumps(strange))
    assert f"--allow-code {REPO}@{COMMIT}" in refusal(REPO)
    (published / "config.json").write_text(json.dumps(config | {"architectures": ["ViTForImageClassification"]}))
    assert "no head that scores or classifies texts" in refusal(REPO)
    (published / "config.json").write_text("no JSON")
    assert "is not valid JSON" in refusal(REPO)
    (published / "model.safetensors").unlink()
    assert f"models convert {REPO}" in refusal(REPO)


def test_a_hub_that_cannot_be_asked(hub, monkeypatch):
    def broken(*_: object, **__: object) -> None:
        raise OSError("Name or service not known")

    monkeypatch.setattr(HfApi, "model_info", broken)
    assert "the model hub cannot be reached" in refusal(REPO)
    monkeypatch.setenv("PAIRLENS_OFFLINE", "1")
    settings.cache_clear()
    assert "Pairlens is offline" in refusal(REPO)


def test_what_is_here_needs_no_hub(tiny, unigram):
    folder = tiny("gpt2")
    found = offer(str(folder))
    assert (found.folder, found.architecture, found.files) == (folder, "GPT2LMHeadModel", {})
    assert found.parameters == sum(tensor.numel() for tensor in load_file(folder / "model.safetensors").values())
    assert offer(unigram).kind == "unigram"
    assert "There is no model 'nonsense'" in refusal("nonsense")
    assert "there is no folder" in refusal("./nowhere")


def test_the_command_says_it_first(hub, capsys):
    assert main(["models", "fetch", REPO, "--dry-run"]) == 0
    assert "licence: mit" in capsys.readouterr().out and not hub.exists()
    assert main(["models", "fetch", REPO]) == 0
    assert f"fetched {REPO} to {find(REPO).folder}" in capsys.readouterr().out
    assert main(["models", "fetch", "some-lab/other"]) == 2


def test_a_damaged_weight_file_is_one_sentence(tiny, tmp_path):
    folder = tmp_path / "damaged"
    shutil.copytree(tiny("gpt2"), folder)
    (folder / "model.safetensors").write_bytes(b"\0\0\0")
    assert "model.safetensors is damaged" in refusal(str(folder))
