"""Score sentences or minimal pairs where the model is: one file that needs only Python, torch and transformers.

    python score_anywhere.py --model gpt2 --input pairs.csv --output scores.jsonl.gz
    pairlens import scores.jsonl.gz                        # later, where Pairlens is

Copy it to a cluster or into a notebook; nothing else of Pairlens is needed (beside Pairlens, it is started with
`python data/programs/score_anywhere.py`). The input is a CSV, TSV or JSONL file with two columns of texts
(`sentence_good`, `sentence_bad`, or name them with --good and --bad) or one (`sentence`, or --sentence); all other
columns come along. The output has one line per text: its tokens, their places in the text and their log-probabilities
in nats, null where a token is not scored; its first line says what they are of: model, commit, sha256 of the weights,
policy, versions. Started again after an interruption, it goes on where it was.

Causal models: each token given those before it; a text follows the start symbol (--first-token bos), or nothing, and
its first token is then not scored (none). Masked models: each token with a mask in its place and in those of the
later pieces of its word (--pll within_word_l2r; Kauf & Ivanova 2023), or in its own only (original; Salazar et al.
2020). In a notebook: `list(Scorer("gpt2").score(["The keys are here."]))`.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import itertools
import json
import os
import platform
import re
import sys
import time
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

FORMAT = 1
GOOD = ("sentence_good", "good_sentence", "good", "grammatical", "expected")
BAD = ("sentence_bad", "bad_sentence", "bad", "ungrammatical", "unexpected")
SENTENCE = ("sentence", "text")
CAUSAL, MASKED = "causal", "masked"
NO_WINDOW = 2048
SAVED_EVERY = 256


class ScoringError(Exception):
    """What is wrong, in one sentence for whoever typed the command."""


# Words, as Pairlens finds them (its `core/pairlens/text/words/segmentation.py`): later pieces of a word are masked
# together

_UNSPACED = re.compile(
    "[々〇\u3041-\u309f\u30a0-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U000323af]"
)
_JOINERS = frozenset("'’ʼ＇-‐‑.,:/_&@·")


def is_mark(character: str) -> bool:
    """Whether a character is punctuation."""
    return unicodedata.category(character)[0] == "P"


def words(text: str) -> list[int]:
    """For each character of a text, the number of its word or mark; -1 for white space."""
    found, word = [-1] * len(text), -1
    for chunk in re.finditer(r"\S+", text):
        for place in range(chunk.start(), chunk.end()):
            inside = place > chunk.start()
            word += not inside or _parts(chunk.group(), place - chunk.start())
            found[place] = word
    return found


def _parts(chunk: str, place: int) -> bool:
    """Whether another word or mark begins at this place of a stretch without white space."""
    left, right = chunk[place - 1], chunk[place]
    if unicodedata.category(right)[0] == "M":
        return False
    if any(_UNSPACED.match(side) and not is_mark(side) for side in (left, right)):
        return True
    left_mark = is_mark(left) and not _joins(chunk, place - 1)
    right_mark = is_mark(right) and not _joins(chunk, place)
    return left != right if left_mark and right_mark else left_mark != right_mark


def _joins(chunk: str, place: int) -> bool:
    """Whether the mark at this place holds two parts of one word together: `don't`, `3.5`."""
    if chunk[place] not in _JOINERS or place == 0 or place + 1 == len(chunk):
        return False
    return not any(is_mark(side) or _UNSPACED.match(side) for side in (chunk[place - 1], chunk[place + 1]))


def word_of(span: tuple[int, int], text: str, numbers: list[int]) -> int:
    """The number of the word that holds a token's first character that is not white space."""
    start, end = span
    forward = start
    while forward < len(text) and text[forward].isspace():
        forward += 1
    if forward < len(text) and (forward == start or start < end):
        return numbers[forward]
    return next((numbers[place] for place in range(min(start, len(text)) - 1, -1, -1) if numbers[place] >= 0), 0)


# The model


class Scorer:
    """A causal or masked model under a policy. `header` says what its scores are of."""

    def __init__(
        self,
        source: str,
        kind: str = "",
        first_token: str = "bos",
        pll: str = "within_word_l2r",
        revision: str | None = None,
        device: str = "",
        batch_tokens: int = 2048,
    ) -> None:
        import torch
        import transformers

        transformers.utils.logging.set_verbosity_error()
        transformers.utils.logging.disable_progress_bar()
        try:
            config = transformers.AutoConfig.from_pretrained(source, revision=revision)
            self.kind = kind or (MASKED if any("MaskedLM" in name for name in config.architectures or ()) else CAUSAL)
            head = transformers.AutoModelForCausalLM if self.kind == CAUSAL else transformers.AutoModelForMaskedLM
            network = head.from_pretrained(source, revision=revision, use_safetensors=True)
            tokenizer = transformers.AutoTokenizer.from_pretrained(source, revision=revision, use_fast=True)
        except (OSError, ValueError, KeyError) as error:
            raise ScoringError(f"{source} cannot be loaded: {' '.join(str(error).split())[:200]}") from error
        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self.network = network.float().eval().to(self.device)
        self.first_token, self.pll, self.batch_tokens = first_token, pll, batch_tokens
        self._read_tokenizer(tokenizer, source)
        self.window = min(_window(network), tokenizer.model_max_length) - len(self.before) - len(self.after)
        self.header = {
            "pairlens_scores": FORMAT, "model": source, "kind": self.kind,
            "revision": getattr(config, "_commit_hash", None) or "", "weights": weights_sha256(source, revision),
            "policy": {"first_token": first_token} if self.kind == CAUSAL else {"pll": pll},
            "dtype": "float32", "device": self.device,
            "versions": {"python": platform.python_version(), "torch": str(torch.__version__),
                         "transformers": transformers.__version__},
        }  # fmt: skip

    def _read_tokenizer(self, tokenizer: Any, source: str) -> None:
        """A private copy that neither pads nor truncates and takes special tokens in a text as text."""
        rust = getattr(tokenizer, "backend_tokenizer", None)
        if rust is None:
            raise ScoringError(f"{source} has no fast tokenizer, which is needed for the places of tokens in a text.")
        self.backend = backend = type(rust).from_str(rust.to_str())
        backend.no_padding()
        backend.no_truncation()
        backend.encode_special_tokens = True
        plain, framed = backend.encode("a", add_special_tokens=False).ids, backend.encode("a").ids
        start = next((n for n in range(len(framed)) if framed[n : n + len(plain)] == plain), 0)
        self.before: list[int]
        self.after: list[int]
        self.before, self.after = (framed[:start], framed[start + len(plain) :]) if self.kind == MASKED else ([], [])
        if self.kind == CAUSAL and self.first_token == "bos":
            symbol = tokenizer.eos_token_id if tokenizer.bos_token_id is None else tokenizer.bos_token_id
            if symbol is None:
                raise ScoringError(f"{source} has no start symbol for a text to follow; use --first-token none.")
            self.before = [symbol]
        self.mask = tokenizer.mask_token_id
        if self.kind == MASKED and self.mask is None:
            raise ScoringError(f"{source} has no mask token: it is no masked model.")
        self.reserved = set(tokenizer.all_special_ids) - {tokenizer.unk_token_id}
        backend.post_processor = None

    def score(self, texts: Sequence[str]) -> Iterator[dict[str, Any]]:
        """For each text its tokens, ids, spans and log-probabilities (nats, None if unscored), or `refused`: why."""
        read = [self._cut(text) for text in texts]
        rows = [row for number, one in enumerate(read) if "refused" not in one for row in self._rows(number, one)]
        for batch in self._batches(rows):
            for (number, _, targets), values in zip(batch, self._logprobs(batch), strict=True):
                for (place, _, _), value in zip(targets, values, strict=True):
                    read[number]["logprobs"][place] = value
        yield from read

    def _cut(self, text: str) -> dict[str, Any]:
        encoding = self.backend.encode(text, add_special_tokens=False)
        ids, n = list(encoding.ids), len(encoding.ids)
        if not text.strip() or not n:
            return {"text": text, "refused": "it has no tokens"}
        if self.reserved.intersection(ids):
            return {"text": text, "refused": "a special token of the model stands in it"}
        if n > self.window:
            return {"text": text, "refused": f"its {n} tokens are more than the {self.window} that the model can see"}
        spans = [(end - len(text[start:end].lstrip()) if text[start:end].strip() else start, end)
                 for start, end in encoding.offsets]  # fmt: skip
        names = [self.backend.id_to_token(one) for one in ids]
        return {"text": text, "tokens": names, "ids": ids, "spans": spans, "logprobs": [None] * n}

    def _rows(self, number: int, one: dict[str, Any]) -> Iterator[tuple[int, list[int], list[tuple[int, int, int]]]]:
        """The text's number, what the network sees, and what is read there: (token, position, id) of each reading."""
        ids, shift = one["ids"], len(self.before)
        if self.kind == CAUSAL:
            unread = 0 if shift else 1
            if unread < len(ids):
                targets = [(n, n + shift - 1, ids[n]) for n in range(unread, len(ids))]
                yield number, [*self.before, *ids[:-1]], targets
            return
        numbers = words(one["text"])
        owners = [word_of(span, one["text"], numbers) for span in one["spans"]]
        for n in range(len(ids)):
            stop = n + 1
            while self.pll == "within_word_l2r" and stop < len(ids) and owners[stop] == owners[n]:
                stop += 1
            seen = [*self.before, *ids[:n], *[self.mask] * (stop - n), *ids[stop:], *self.after]
            yield number, seen, [(n, n + shift, ids[n])]

    def _batches(self, rows: list[Any]) -> Iterator[list[Any]]:
        """Rows of one length together: no padding, which moves the numbers of some networks."""
        rows.sort(key=lambda row: len(row[1]))
        for length, same in itertools.groupby(rows, key=lambda row: len(row[1])):
            while batch := list(itertools.islice(same, max(1, self.batch_tokens // length))):
                yield batch

    def _logprobs(self, batch: list[Any]) -> list[list[float]]:
        import torch

        ids = torch.tensor([seen for _, seen, _ in batch], device=self.device)
        with torch.inference_mode():
            logits = self.network(input_ids=ids, attention_mask=torch.ones_like(ids)).logits
        where = [(row, place, one) for row, (_, _, targets) in enumerate(batch) for _, place, one in targets]
        row, place, wanted = torch.tensor(where, device=self.device).T
        values = iter(logits[row, place].float().log_softmax(-1).gather(1, wanted[:, None])[:, 0].tolist())
        return [list(itertools.islice(values, len(targets))) for _, _, targets in batch]


def _window(network: Any) -> int:
    """How many tokens the network can see at once; in RoBERTa positions are counted from after the padding id."""
    known = [getattr(network.config, "max_position_embeddings", None) or NO_WINDOW]
    for name, part in network.named_modules():
        if name.endswith("position_embeddings") and getattr(part, "padding_idx", None) is not None:
            known.append(part.num_embeddings - part.padding_idx - 1)
    return min(known)


def weights_sha256(source: str, revision: str | None = None) -> str:
    """sha256 over names and sha256 of the weight files, as Pairlens computes it."""
    from transformers.utils import cached_file

    folder = Path(str(cached_file(source, "config.json", revision=revision))).parent
    files = {folder / "model.safetensors"}
    if (index := folder / "model.safetensors.index.json").is_file():
        files = {index, *(folder / name for name in json.loads(index.read_text("utf-8"))["weight_map"].values())}
    listed = [f"{path.name}:{file_sha256(path)}" for path in sorted(files)]
    return hashlib.sha256("\n".join(listed).encode()).hexdigest()


# Files


def file_sha256(path: Path) -> str:
    """sha256 of a file's bytes, in hex."""
    state = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            state.update(block)
    return state.hexdigest()


def read_texts(path: Path, good: str = "", bad: str = "", sentence: str = "") -> list[dict[str, Any]]:
    """One entry per text: `row` (from 1), `label`, `text`, and the row's other columns as `groups`."""
    if not path.is_file():
        raise ScoringError(f"There is no file {path}.")
    with path.open(encoding="utf-8-sig", newline="") as file:
        if path.suffix == ".jsonl":
            rows = [json.loads(line) for line in file if line.strip()]
        else:
            rows = list(csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ","))
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise ScoringError(f"{path} holds no row, or a line of it is no JSON object.")
    columns = {str(name).lower(): name for name in rows[0]}
    first, second, single = (
        given or next((columns[name] for name in usual if name in columns), "")
        for given, usual in ((good, GOOD), (bad, BAD), (sentence, SENTENCE))
    )
    named = {first: "good", second: "bad"} if first and second and not sentence else {single: "sentence"}
    if missing := [name for name in named if name not in rows[0]]:
        raise ScoringError(
            f"{path} has no column {missing[0]!r}. Name columns with --good and --bad, or one with --sentence: "
            f"{', '.join(rows[0])}."
        )
    for (number, row), column in itertools.product(enumerate(rows, start=1), named):
        if not str(row.get(column) or "").strip():
            raise ScoringError(f"{path}, row {number}: column {column!r} has no text.")
    return [
        {"row": number, "label": label, "text": str(row[column]),
         "groups": {str(name): str(value) for name, value in row.items() if name not in named and value is not None}}
        for number, row in enumerate(rows, start=1)
        for column, label in named.items()
    ]  # fmt: skip


def scored_before(part: Path, header: dict[str, Any]) -> tuple[set[tuple[int, str]], list[str]]:
    """Which texts an interrupted attempt has scored, and its lines; nothing if there was none."""
    if not part.is_file():
        return set(), []
    lines = [line for line in part.read_text("utf-8").splitlines(keepends=True) if line.endswith("\n")]
    if not lines:
        return set(), []
    if {**json.loads(lines[0]), "written": ""} != {**header, "written": ""}:
        raise ScoringError(f"{part} was begun with another model, policy or input: delete it first.")
    return {(one["row"], one["label"]) for one in map(json.loads, lines[1:])}, lines


def write_scores(scorer: Scorer, texts: list[dict[str, Any]], source: Path, output: Path) -> None:
    """Score what an interrupted attempt has left, then write the output whole."""
    part = output.with_name(f"{output.name}.part")
    written = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())
    about = {"input": source.name, "input_sha256": file_sha256(source), "texts": len(texts), "written": written}
    done, lines = scored_before(part, header := {**scorer.header, **about})
    part.write_text("".join(lines or [json.dumps(header) + "\n"]), "utf-8")
    left = [one for one in texts if (one["row"], one["label"]) not in done]
    with part.open("a", encoding="utf-8") as file:
        for start in range(0, len(left), SAVED_EVERY):
            some = left[start : start + SAVED_EVERY]
            for one, scores in zip(some, scorer.score([one["text"] for one in some]), strict=True):
                file.write(json.dumps({**one, **scores}, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
            print(f"{len(done) + start + len(some):,} of {len(texts):,} texts", file=sys.stderr)
    whole = output.with_name(f"{output.name}.new")
    whole.write_bytes(gzip.compress(part.read_bytes()))
    whole.replace(output)
    part.unlink()


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="a folder, or a name on the hub")
    parser.add_argument("--revision", help="its commit or branch on the hub")
    parser.add_argument("--input", required=True, type=Path)
    parser.add_argument("--output", required=True, type=Path, help="it should end in .jsonl.gz")
    parser.add_argument("--kind", choices=(CAUSAL, MASKED), default="", help="by default what the model says it is")
    parser.add_argument("--first-token", choices=("bos", "none"), default="bos")
    parser.add_argument("--pll", choices=("within_word_l2r", "original"), default="within_word_l2r")
    parser.add_argument("--device", default="", help="by default a GPU if there is one")
    parser.add_argument("--batch-tokens", type=int, default=2048, help="less if the memory does not suffice")
    for column in ("good", "bad", "sentence"):
        parser.add_argument(f"--{column}", default="", help="the name of a column")
    given = parser.parse_args(arguments)
    try:
        if given.output.exists():
            raise ScoringError(f"{given.output} exists already: name another file, or delete it first.")
        texts = read_texts(given.input, given.good, given.bad, given.sentence)
        scorer = Scorer(
            given.model, given.kind, given.first_token, given.pll, given.revision, given.device, given.batch_tokens
        )
        write_scores(scorer, texts, given.input, given.output)
    except (ScoringError, OSError, ValueError) as wrong:
        print(f"score_anywhere: {wrong}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
