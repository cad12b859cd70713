"""Short names of hub models."""

from __future__ import annotations

import pytest

from core.errors import ModelError
from core.models import find, resolve
from core.models.cards import full_name


@pytest.mark.parametrize(
    ("short", "full"),
    [("gpt2", "openai-community/gpt2"), ("bert-base-uncased", "google-bert/bert-base-uncased"),
     ("distilgpt2", "distilbert/distilgpt2"), ("roberta-base", "FacebookAI/roberta-base"),
     ("t5-small", "google-t5/t5-small"), ("gpt2@607a30d", "openai-community/gpt2@607a30d"),
     ("english-small", "english-small"), ("org/gpt2", "org/gpt2")],
)  # fmt: skip
def test_short_names(short, full):
    assert full_name(short) == full


def test_they_are_understood_wherever_a_hub_model_is_named():
    assert resolve.hub_id("gpt2@main") == ("openai-community/gpt2", "main")


def test_offline_one_sentence(monkeypatch):
    monkeypatch.setenv("PAIRLENS_OFFLINE", "1")
    with pytest.raises(ModelError, match="'openai-community/gpt2' is not in the cache"):
        find("gpt2")
