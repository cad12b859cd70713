"""Hub models from a cache laid out as the hub's client does it, and a hub that does not answer."""

from __future__ import annotations

import json
import shutil
import time
from types import SimpleNamespace

import pytest
import torch
from huggingface_hub import HfApi, constants
from safetensors.torch import load_file

from core.errors import ModelError
from core.models import convert, find
from core.policies import Policy
from core.scorers import SCORERS
from core.settings import settings
from core.types import Request

pytestmark = pytest.mark.model

COMMIT = "0123456789abcdef0123456789abcdef01234567"
REPO = "some-lab/tiny"


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty hub cache."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


@pytest.fixture
def cached(cache, tiny):
    """The snapshot of a tiny model, fetched earlier as `main`."""
    home = cache / f"models--{REPO.replace('/', '--')}"
    snapshot = home / "snapshots" / COMMIT
    shutil.copytree(tiny("gpt2"), snapshot)
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text(COMMIT)
    return snapshot


@pytest.fixture
def online(monkeypatch):
    """`online(answer)`: the hub may be asked; it answers with what the function returns or raises."""
    monkeypatch.setenv("PAIRLENS_OFFLINE", "0")
    settings.cache_clear()
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)

    def answering(answer):
        monkeypatch.setattr(HfApi, "model_info", lambda self, repo, **options: answer())

    return answering


def never():
    raise AssertionError("the network was used")


def refusal(source, **options) -> str:
    with pytest.raises(ModelError) as caught:
        find(source, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("source", [REPO, f"{REPO}@main", f"{REPO}@{COMMIT}"])
def test_a_cached_model_is_found_without_the_network(cached, online, source):
    online(never)
    found = find(source)
    assert (found.name, found.kind, found.revision, found.code) == (REPO, "causal", COMMIT, "")
    assert found.folder == cached


def test_an_unknown_model_offline(cache):
    assert "Pairlens is offline" in refusal("some-lab/other")


def test_a_silent_hub_is_given_up_in_time(cache, online, monkeypatch):
    monkeypatch.setenv("PAIRLENS_HUB_TIMEOUT_SECONDS", "0.3")
    settings.cache_clear()
    online(lambda: time.sleep(30))
    started = time.monotonic()
    assert "the model hub cannot be reached" in refusal("some-lab/other")
    assert time.monotonic() - started < 3


def test_an_unreachable_hub(cache, online):
    def broken():
        raise OSError("Name or service not known")

    online(broken)
    assert "the model hub cannot be reached; a folder is written ./some-lab/other" in refusal("some-lab/other")


def test_a_hub_model_with_pickles_only(cache, online):
    files = [SimpleNamespace(rfilename=name) for name in ("config.json", "pytorch_model.bin", "tokenizer.json")]
    online(lambda: SimpleNamespace(siblings=files))
    assert f"models convert {REPO}" in refusal(REPO)


def test_a_cached_model_that_lacks_something_says_what(cached):
    (cached / "model.safetensors").rename(cached / "pytorch_model.bin")
    assert "has only pickle weights" in refusal(REPO)


def test_its_own_code_needs_permission_for_exactly_its_commit(cached):
    config = json.loads((cached / "config.json").read_text())
    config |= {"model_type": "strange", "auto_map": {"AutoModelForCausalLM": "modeling_strange.Strange"}}
    (cached / "config.json").write_text(json.dumps(config))
    (cached / "modeling_strange.py").write_text("raise RuntimeError('this must not run')")
    assert f"--allow-code {REPO}@{COMMIT}" in refusal(REPO)
    assert f"is at {REPO}@{COMMIT}" in refusal(REPO, allow_code=f"{REPO}@{'f' * 40}")
    assert find(REPO, allow_code=f"{REPO}@{COMMIT}").code == f"{REPO}@{COMMIT}"
    config["auto_map"] = {"AutoModelForCausalLM": "other-lab/code--modeling_strange.Strange"}
    (cached / "config.json").write_text(json.dumps(config))
    assert "another repository" in refusal(REPO, allow_code=f"{REPO}@{COMMIT}")


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


def test_a_model_with_code_of_its_own_is_scored_once_allowed(cached, tiny, tmp_path, monkeypatch):
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path / "modules"))
    config = json.loads((cached / "config.json").read_text())
    config |= {"model_type": "strange", "architectures": ["StrangeForCausalLM"]}
    config["auto_map"] = {
        "AutoConfig": "modeling_strange.StrangeConfig",
        "AutoModelForCausalLM": "modeling_strange.Strange",
    }
    (cached / "config.json").write_text(json.dumps(config))
    (cached / "modeling_strange.py").write_text(OWN_CODE)
    request = Request("", "The keys to the cabinet are on the table.")
    strange, plain = (
        SCORERS["causal"].open(model, Policy()).score([request])[0].logprobs
        for model in (find(REPO, allow_code=f"{REPO}@{COMMIT}"), find(tiny("gpt2")))
    )
    assert strange == pytest.approx(plain, abs=1e-4)


def test_a_hub_models_pickle_is_converted(cached, home):
    torch.save(load_file(cached / "model.safetensors"), cached / "pytorch_model.bin")
    (cached / "model.safetensors").unlink()
    assert convert(REPO) == home / "models" / "tiny"
    assert find("tiny").card["converted"]["source"] == REPO
