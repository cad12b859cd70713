"""Names of models: folders with a card.json, bundled ones first, and short names of the hub's oldest models."""

from pathlib import Path

from pairlens.places import bundled
from pairlens.settings import settings

CARD = "card.json"
COUNTS = "counts.tsv.gz"
KINDS = frozenset({"causal", "masked", "seq2seq", "next-sentence", "classifier", "unigram"})


def bundled_models() -> Path:
    return bundled("models")


def folders() -> dict[str, Path]:
    """Folder by name for every model with a card; a bundled model takes precedence over a local one."""
    by_name: dict[str, Path] = {}
    for home in (bundled_models(), settings().models):
        for card in sorted(home.glob(f"[!.]*/{CARD}")):
            by_name.setdefault(card.parent.name, card.parent)
    return by_name


_OWNERS = {
    "openai-community": "gpt2 gpt2-medium gpt2-large gpt2-xl openai-gpt",
    "google-bert": (
        "bert-base-uncased bert-base-cased bert-large-uncased bert-large-cased bert-base-multilingual-cased "
        "bert-base-multilingual-uncased bert-base-german-cased bert-base-chinese"
    ),
    "distilbert": (
        "distilgpt2 distilbert-base-uncased distilbert-base-cased distilbert-base-multilingual-cased "
        "distilroberta-base"
    ),
    "FacebookAI": (
        "roberta-base roberta-large roberta-large-mnli xlm-roberta-base xlm-roberta-large xlm-mlm-en-2048"
    ),
    "google-t5": "t5-small t5-base t5-large t5-3b t5-11b",
    "albert": "albert-base-v1 albert-base-v2 albert-large-v2 albert-xlarge-v2 albert-xxlarge-v2",
    "almanach": "camembert-base",
    "transfo-xl": "transfo-xl-wt103",
    "xlnet": "xlnet-base-cased xlnet-large-cased",
    "Salesforce": "ctrl",
}
_FULL = {short: f"{owner}/{short}" for owner, names in _OWNERS.items() for short in names.split()}


def full_name(name: str) -> str:
    """`openai-community/gpt2` for `gpt2`, `gpt2@main` likewise; any other name as it is."""
    short, at, revision = name.partition("@")
    return f"{_FULL[short]}{at}{revision}" if short in _FULL else name
