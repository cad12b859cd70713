"""Ask minicons (Misra 2022) about tiny random models and write its answers to minicons.json.

`make oracle` runs this in an environment that has minicons; the tests read the answers. Nothing of Pairlens is used
here but the recipe of the tiny models.
"""

import json
import tempfile
from importlib import metadata
from pathlib import Path

from minicons import scorer
from tiny import tiny_model

RECORD = Path(__file__).with_name("minicons.json")

SENTENCES = (
    "The keys to the cabinet are on the table",
    "The key to the cabinets is on the table",
    "Sarah laughs when the dogs that chase the cat fall asleep",
    "No author that the senators liked has ever written a book",
    "They think that nobody would ever believe the stories we tell",
    "Which boats has the boy who sold them painted so quickly",
    "Yesterday the teacher showed us a map of the mountains",
    "An unusually heavy snowfall surprised the inhabitants of the valley",
    "Marie has read the letters that arrived this morning",
    "cats sleep",
    "Silence",
    "The dog the cat the rat bit chased died",
    "Nobody who had seen the lighthouse would ever forget it",
    "Him and her were waiting outside when the train came in",
    "The book, which nobody had read, lay on the table.",
    "Where did she go? She went home!",
    "It rained; the match was cancelled.",
    "Les lettres que Marie a reçues hier étaient très courtes.",
    "The well-known writer couldn't finish the story.",
    "It costs 25 euros, or 30 with breakfast.",
)
"""Our own. Those with marks come last: minicons and Pairlens differ in whether a mark is part of a word."""

CAUSAL = {"gpt2": ({"bos_token": True}, {"bos_token": False}), "llama": ({},)}
"""Architectures and the ways of asking: the tokenizer of the tiny Llama puts its start symbol itself."""

MASKED = ("bert", "roberta")
MASKED_TOKENIZER = "byte-bpe-frame"

_WHITE_SPACE = (*range(9, 14), *range(28, 33))
_MARKS = {"▁", *(chr(256 + byte) for byte in _WHITE_SPACE)}
_BYTES = {f"<0x{byte:02X}>" for byte in _WHITE_SPACE}


def main():
    with tempfile.TemporaryDirectory() as folder:
        models = dict(open_models(Path(folder)))
        record = {
            "versions": {
                name: metadata.version(name).partition("+")[0] for name in ("minicons", "torch", "transformers")
            },
            "weights": {name: sum_of_weights(model.model) for name, model in models.items()},
            "sentences": SENTENCES,
        }
        lines = [json.dumps(answer, ensure_ascii=False) for answer in all_answers(models)]
    head = json.dumps(record, indent=1, ensure_ascii=False).removesuffix("\n}")
    joined = ",\n".join(lines)
    RECORD.write_text(f'{head},\n "answers": [\n{joined}\n]}}\n', "utf-8")
    print(f"{len(lines)} answers: {RECORD}")


def sum_of_weights(network):
    """What tells the tests that their tiny model is this one: the sum of the weights' absolute values."""
    return sum(weight.double().abs().sum().item() for weight in network.parameters())


def open_models(folder):
    """Each tiny model in minicons."""
    for name in CAUSAL:
        causal = scorer.IncrementalLMScorer(str(tiny_model(folder / name, name)), "cpu")
        # minicons counts tokens that begin with the tokenizer's sign for a space; here, with any white space.
        vocabulary = causal.tokenizer.get_vocab().items()
        causal.bow_subword_idx = sorted(id for token, id in vocabulary if token[0] in _MARKS or token in _BYTES)
        yield name, causal
    for name in MASKED:
        masked = scorer.MaskedLMScorer(str(tiny_model(folder / name, name, tokenizer=MASKED_TOKENIZER)), "cpu")
        # minicons 0.3.39 calls a method that transformers 5 no longer has; calling the tokenizer does the same.
        type(masked.tokenizer).batch_encode_plus = lambda self, *given, **named: self(*given, **named)
        # Without these it would score the special tokens around a text too.
        masked.cls_token_id, masked.sep_token_id = masked.tokenizer.bos_token_id, masked.tokenizer.eos_token_id
        yield name, masked


def all_answers(models):
    """One answer per model, way of asking and sentence; log-probabilities in nats."""
    for name, ways in CAUSAL.items():
        for way in ways:
            for correction in (False, True):
                yield from answers(name, models[name], {**way, "bow_correction": correction})
    for name in MASKED:
        for metric in ("original", "within_word_l2r"):
            yield from answers(name, models[name], {"PLL_metric": metric})


def answers(name, model, way):
    """The scores of every token of every sentence, asked about one by one, and the sums from `sequence_score`."""
    for number, sentence in enumerate(SENTENCES):
        (tokens,) = model.token_score(sentence, **way)
        (total,) = model.sequence_score(sentence, reduction=lambda scores: scores.sum().item(), **way)
        yield {
            "model": name,
            "way": way,
            "sentence": number,
            "tokens": [token for token, _ in tokens],
            "logprobs": [round(value, 5) for _, value in tokens],
            "sum": round(total, 5),
        }


if __name__ == "__main__":
    main()
