"""Hub models: from a cache laid out as the hub's client does it, from a hub on this machine, and where none answers.

What a name would bring is said before anything is fetched.
"""

import shutil
from threading import Event
from types import SimpleNamespace

import pytest
import torch
from huggingface_hub import HfApi, constants
from safetensors.torch import load_file

from pairlens.cli import main
from pairlens.errors import ModelError
from pairlens.models import catalogue, convert, find
from pairlens.models import hub as of_hub
from pairlens.models.inventory import fetch, inventory, offer, offer_in_words
from pairlens.policies import Policy
from pairlens.scorers import SCORERS
from pairlens.settings import settings
from pairlens.types import Request
from tests import fake_hub
from tests.refusals import error_of
from tests.tiny import change_json

pytestmark = pytest.mark.model

COMMIT = "0123456789abcdef0123456789abcdef01234567"
REPO = "some-lab/tiny"
OWN_CODE = """
from transformers import GPT2Config, GPT2LMHeadModel
from transformers.modeling_outputs import CausalLMOutput
class StrangeConfig(GPT2Config):
    model_type = "strange"
class Strange(GPT2LMHeadModel):
    config_class = StrangeConfig
    def get_input_embeddings(self):
        raise NotImplementedError
    def get_output_embeddings(self):
        raise NotImplementedError
    def forward(self, input_ids, attention_mask=None):
        return CausalLMOutput(logits=super().forward(input_ids, attention_mask=attention_mask).logits)
"""


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty hub cache."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


@pytest.fixture
def cached(cache, tiny):
    """The snapshot of a tiny model, fetched earlier as `main`."""
    home = cache / f"models--{REPO.replace('/', '--')}"
    (home / "refs").mkdir(parents=True)
    (home / "refs" / "main").write_text(COMMIT)
    return shutil.copytree(tiny("gpt2"), home / "snapshots" / COMMIT)


@pytest.fixture
def online(monkeypatch):
    """`online(answer)`: the hub may be asked; it answers with what the function returns or raises."""
    monkeypatch.setenv("PAIRLENS_OFFLINE", "0")
    settings.cache_clear()
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    return lambda answer: monkeypatch.setattr(HfApi, "model_info", lambda *_, **__: answer())


def refusal(source, look=find, **options):
    return error_of(lambda: look(source, **options), ModelError)


def broken():
    raise OSError("Name or service not known")


@pytest.mark.parametrize("source", [REPO, f"{REPO}@main", f"{REPO}@{COMMIT}"])
def test_a_cached_model_is_found_without_the_network(cached, online, source):
    online(lambda: pytest.fail("the network was used"))
    model = find(source)
    assert (model.name, model.kind, model.revision, model.code) == (REPO, "causal", COMMIT, "")
    assert model.folder == cached


def test_a_silent_hub_one_that_cannot_be_reached_and_one_with_pickles_only(cache, online, monkeypatch):
    monkeypatch.setenv("PAIRLENS_HUB_TIMEOUT_SECONDS", "0.3")
    settings.cache_clear()
    answered = Event()
    online(lambda: answered.wait(300))
    assert "the model hub cannot be reached" in refusal("some-lab/other")
    answered.set()
    online(broken)
    assert "the model hub cannot be reached; a folder is written ./some-lab/other" in refusal("some-lab/other")
    files = [SimpleNamespace(rfilename=name) for name in ("config.json", "pytorch_model.bin", "tokenizer.json")]
    online(lambda: SimpleNamespace(siblings=files))
    assert f"models convert {REPO}" in refusal(REPO)
    files = [SimpleNamespace(rfilename=name) for name in ("adapter_config.json", "adapter_model.safetensors")]
    assert f"is an adapter, which is read from a folder: fetch it with `hf download {REPO} " in refusal(REPO)


def test_its_own_code_needs_permission_for_exactly_its_commit(cached, tiny, tmp_path, monkeypatch):
    config = cached / "config.json"
    own = {"AutoConfig": "modeling_strange.StrangeConfig", "AutoModelForCausalLM": "modeling_strange.Strange"}
    change_json(config, model_type="strange", architectures=["StrangeForCausalLM"], auto_map=own)
    (cached / "modeling_strange.py").write_text("raise RuntimeError('this must not run')")
    assert f"--allow-code {REPO}@{COMMIT}" in refusal(REPO)
    assert f"is at {REPO}@{COMMIT}" in refusal(REPO, allow_code=f"{REPO}@{'f' * 40}")
    assert find(REPO, allow_code=f"{REPO}@{COMMIT}").code == f"{REPO}@{COMMIT}"
    change_json(config, auto_map={"AutoModelForCausalLM": "other-lab/code--modeling_strange.Strange"})
    assert "another repository" in refusal(REPO, allow_code=f"{REPO}@{COMMIT}")
    change_json(config, auto_map=own)
    (cached / "modeling_strange.py").write_text(OWN_CODE)
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "modules"))
    request = Request("", "The keys to the cabinet are on the table.")
    models = find(REPO, allow_code=f"{REPO}@{COMMIT}"), find(tiny("gpt2"))
    strange, plain = (SCORERS["causal"].open(one, Policy()).score([request])[0].logprobs for one in models)
    assert strange == pytest.approx(plain, abs=1e-4)


def test_a_hub_models_pickle_is_refused_until_it_is_converted(cached, home, own_pickles):
    torch.save(load_file(cached / "model.safetensors"), cached / "pytorch_model.bin")
    (cached / "model.safetensors").unlink()
    assert "has only pickle weights" in refusal(REPO)
    assert convert(REPO) == home / "models" / "tiny"
    assert find("tiny").card["converted"]["source"] == REPO


# What a name would bring


@pytest.fixture
def published(tmp_path, tiny):
    """What the hub has of the model: more than is wanted of it."""
    folder = shutil.copytree(tiny("gpt2"), tmp_path / "published")
    (folder / "pytorch_model.bin").write_bytes(b"\0" * 1_000)
    (folder / "README.md").write_text("# tiny")
    return folder


@pytest.fixture
def hub(tmp_path, published, monkeypatch):
    """A hub that can be asked, and an empty cache."""
    with fake_hub.fake_hub({REPO: published}, tmp_path / "cache", monkeypatch):
        yield tmp_path / "cache"


def test_a_hub_model_is_described_and_what_was_said_is_what_is_fetched_and_in_the_inventory(hub, published):
    said, told = offer(REPO), []
    assert (said.kind, said.architecture, said.folder) == ("causal", "GPT2LMHeadModel", None)
    wanted = {"config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"}
    optional = {"generation_config.json", "special_tokens_map.json", "vocab.json", "merges.txt"}
    assert wanted <= set(said.files) <= wanted | optional
    assert said.megabytes == sum((published / file).stat().st_size for file in said.files) / 1e6
    assert not list(hub.rglob("*")), "nothing is kept of looking"
    assert offer_in_words(said).endswith(f"MB to fetch in {len(said.files)} files, licence: mit")
    assert [entry.origin for entry in inventory(catalogue())].count("hub") == 0
    model = fetch(REPO, lambda *count: told.append(count))
    assert (model.kind, model.revision, model.name) == ("causal", fake_hub.COMMIT, REPO)
    assert {file.name for file in model.folder.iterdir()} == set(said.files)
    assert of_hub.cached_size(REPO) == sum(said.files.values())
    assert all(0 <= done <= total == sum(said.files.values()) for done, total in told)
    again = offer(REPO)
    assert again.folder == model.folder and not again.files and "it is here" in offer_in_words(again)
    (entry,) = [entry for entry in inventory(catalogue()) if entry.origin == "hub"]
    assert (entry.name, entry.kind) == (REPO, "causal")
    weights = load_file(entry.folder / "model.safetensors")
    assert entry.parameters == sum(tensor.numel() for tensor in weights.values())
    (entry.folder / "model.safetensors").unlink()
    assert list(of_hub.cached_models()) == [] and offer(REPO).folder is None, "what came in part is offered again"
    assert fetch(REPO, lambda *_: None).kind == "causal" and offer(REPO).folder is not None


def test_why_a_hub_model_cannot_be_used_or_a_hub_not_be_asked(hub, published, online, monkeypatch):
    config, own = published / "config.json", {"AutoModelForCausalLM": "modeling.Strange"}
    assert "The hub has no public model 'some-lab/other'" in refusal("some-lab/other", offer)
    change_json(config, model_type="strange", auto_map=own)
    assert f"--allow-code {REPO}@{fake_hub.COMMIT}" in refusal(REPO, offer)
    change_json(config, model_type="gpt2", auto_map={}, architectures=["ViTForImageClassification"])
    assert "no head that scores or classifies texts" in refusal(REPO, offer)
    config.write_text("no JSON")
    assert "is not valid JSON" in refusal(REPO, offer)
    (published / "model.safetensors").unlink()
    assert f"models convert {REPO}" in refusal(REPO, offer)
    online(broken)
    assert "the model hub cannot be reached" in refusal(REPO, offer)
    monkeypatch.setenv("PAIRLENS_OFFLINE", "1")
    settings.cache_clear()
    assert all("Pairlens is offline" in refusal(REPO, look) for look in (offer, find))


def test_what_is_here_needs_no_hub(tiny, unigram, copy):
    folder = tiny("gpt2")
    found = offer(str(folder))
    assert (found.folder, found.architecture, found.files) == (folder, "GPT2LMHeadModel", {})
    assert found.parameters == sum(tensor.numel() for tensor in load_file(folder / "model.safetensors").values())
    assert offer(unigram).kind == "unigram"
    assert "There is no model 'nonsense'" in refusal("nonsense", offer)
    assert "there is no folder" in refusal("./nowhere", offer)
    damaged = copy("gpt2")
    (damaged / "model.safetensors").write_bytes(b"\0\0\0")
    assert "model.safetensors is damaged" in refusal(str(damaged), offer)


def test_the_command_says_it_first(hub, capsys):
    assert main(["models", "fetch", REPO, "--dry-run"]) == 0
    assert "licence: mit" in capsys.readouterr().out and not hub.exists()
    assert main(["models", "fetch", REPO]) == 0
    assert f"fetched {REPO} to {find(REPO).folder}" in capsys.readouterr().out
    assert main(["models", "fetch", "some-lab/other"]) == 2
