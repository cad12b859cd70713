"""What BabyLM's reading task and ours are both asked: tiny random models, and a table of reading times of our own.

Times and amplitudes are drawn at random around the word's length and frequency, so that there is something to
explain. The words try what the pipeline's tokenization does to apostrophes, accents, and words of several tokens. One
sentence begins with the word None, as in the published data, which readers of such files take for a missing value.
"""

import csv
import random

SENTENCES = (
    "None of the neighbours heard the dog.",
    "Yesterday, the children's teacher didn't say what she had seen.",
    "Sarah laughs when unbelievably naïve dogs fall asleep.",
    "The keys to the cabinet are on the table, aren't they?",
    "Which boats has the boy who sold them painted so quickly?",
)
COLUMNS = (
    "item", "word", "sentence", "context_length", "sent_id", "Subtlex_log10", "length", "RTfirstfix", "RTfirstpass",
    "RTgopast", "RTrightbound", "self_paced_reading_time", "ELAN", "LAN", "N400", "P600", "EPNP", "PNP", "prev_word",
    "prev_item", "prev_length",
)  # fmt: skip
TABLES = ("predictive_power.jsonl", "predictive_power_spillover.jsonl")
COLUMNS_OF_TABLES = (
    "Predicted variable", "Coefficient", "Number of standard deviations", "P-value", "R2",
    "Change in R2 from baseline", "AIC", "Change in AIC from baseline",
)  # fmt: skip
_TIMES, _AMPLITUDES = 5, 6


CASES = {
    "causal": ("gpt2", "causal", "causal"),
    "causal, metaspace": ("llama", "causal", "causal"),
    "causal, framed": ("opt", "causal", "causal"),
    "masked": ("bert", "mlm", "mlm"),
    "masked, byte level": ("roberta", "mlm", "mlm"),
    "mntp": ("roberta", "mntp", "mntp"),
    "encoder-decoder": ("bart", "enc_dec", "enc_dec_prefix"),
    "encoder-decoder, masked": ("bart", "enc_dec", "enc_dec_mask"),
    "encoder-decoder, sentinels": ("t5", "enc_dec", "enc_dec_mask"),
}
"""A tiny architecture, the pipeline's backend and ours."""


def write_table(path):
    """The table as a file."""
    draw = random.Random(7)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for number, sentence in enumerate(SENTENCES):
            words = sentence.split()
            for place, word in enumerate(words):
                if word != "None":
                    writer.writerow(_row(draw, number, words, place))
    return path


def _row(draw, number, words, place):
    word, before = words[place], words[place - 1] if place else ""
    frequency = round(draw.gauss(12 - len(word), 2), 2)
    times = [round(draw.gauss(80 + 8 * len(word) - 2 * frequency, 25), 1) for _ in range(_TIMES)]
    amplitudes = [round(draw.gauss(0, 2), 3) for _ in range(_AMPLITUDES)]
    return [
        " ".join(words[:place]), word, " ".join(words), place, number, frequency, len(word), *times, *amplitudes,
        before, " ".join(words[: place - 1]) if place else "", len(before) if place else -1,
    ]  # fmt: skip
