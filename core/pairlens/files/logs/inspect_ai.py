"""Logs of inspect-ai, `.eval` and `.json`: samples with a score of each epoch, and the figures of its metrics.

An `.eval` file is a ZIP archive of JSON documents compressed by Zstandard (method 93), which `zipfile` reads from
Python 3.14 on; before, the members are unpacked by pyarrow.
"""

from __future__ import annotations

import json
import math
import re
import struct
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pairlens.errors import InputError
from pairlens.files.logs import Figure, Log, Question, groups_in, labels_of, mean, standard_error
from pairlens.files.tables import ending, existing, read_json
from pairlens.settings import settings

SUFFIX = ".eval"
_ZSTANDARD = 93
_HEADER = 30
"""Bytes of a member's own header before its name."""
_VALUES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, True: 1.0, False: 0.0}
"""Correct, partially correct, incorrect, no answer."""
_LETTERED = re.compile(r"[A-Z]")


def is_log(document: object) -> bool:
    return isinstance(document, dict) and isinstance(document.get("eval"), dict) and "status" in document


def read(path: Path) -> Log:
    """The log's samples, over their epochs, by its first score; InputError for a file that is none or has none."""
    if ending(path) == SUFFIX:
        members = dict(_members(existing(path)))
        header, samples = members.pop("header.json", None), [*members.values()]
    else:
        header = read_json(path, "a log of inspect-ai", nan=True)
        samples = header.get("samples") or [] if isinstance(header, dict) else []
    if not is_log(header):
        raise InputError("no log of inspect-ai: its header is missing.", path.name)
    try:
        return _log(header, samples, path.name)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        form = f"a log of another form than inspect-ai's ({type(error).__name__}: {error})"
        raise InputError(f"{form}.", path.name) from None


def _log(header: Mapping[str, Any], samples: Sequence[Mapping[str, Any]], where: str) -> Log:
    about, scores = header["eval"], (header.get("results") or {}).get("scores") or []
    if not samples or not scores:
        raise InputError(
            f"no scored sample (its status is '{header['status']}'): run `inspect score` on it, or log the samples.",
            where,
        )
    first, task, epochs = scores[0], str(about["task"]), dict[str, list[Mapping[str, Any]]]()
    for sample in samples:
        epochs.setdefault(str(sample["id"]), []).append(sample)
    labels = labels_of(samples[0].get("metadata"))
    questions = [_question(id, task, labels, runs, first["name"]) for id, runs in epochs.items()]
    verdicts = [question.verdict for question in questions if not math.isnan(question.verdict)]
    if not verdicts:
        raise InputError(f"its score '{first['name']}' says of no sample whether the answer was right.", where)
    figures = [
        _figure(f"{task}: {first['name']}, {name}", metric, verdicts) for name, metric in first["metrics"].items()
    ]
    notes = [f"{task}: read by its score '{first['name']}', not by '{other['name']}'." for other in scores[1:]]
    version = (about.get("packages") or {}).get("inspect_ai", "(of unknown version)")
    known = {
        "created": about.get("created"),
        "dataset": about.get("dataset"),
        "epochs": max(map(len, epochs.values())),
    }
    return Log(f"inspect-ai {version}", str(about["model"]), questions, figures, notes, known)


def _figure(title: str, metric: Mapping[str, Any], verdicts: Sequence[float]) -> Figure:
    name, printed = metric["name"].rpartition("/")[2], float(metric["value"])
    if name in ("accuracy", "mean"):
        return Figure(title, printed, mean(verdicts))
    if name == "stderr" and not (metric.get("params") or {}).get("cluster"):
        return Figure(title, printed, standard_error(verdicts))
    return Figure(title, printed, None, "a metric of its own")


def _question(id: str, task: str, labels: Sequence[str], runs: Sequence[Mapping[str, Any]], score: str) -> Question:
    sample = runs[0]
    context, target = _text(sample.get("input")), sample.get("target")
    choices = [str(choice) for choice in sample.get("choices") or ()]
    targets = [str(one) for one in (target if isinstance(target, list) else [target])]
    gold = None
    if choices and len(targets) == 1 and _LETTERED.fullmatch(targets[0]) and ord(targets[0]) - 65 < len(choices):
        gold = ord(targets[0]) - 65
    options = [(context, text if text[:1].isspace() else f" {text}") for text in choices or targets[:1]]
    values = [value for run in runs if not math.isnan(value := _value((run.get("scores") or {}).get(score)))]
    groups = groups_in(sample.get("metadata"), labels, task)
    return Question(f"{task}_{id}", tuple(options), gold, (), mean(values) if values else math.nan, groups)


def _value(score: Mapping[str, Any] | None) -> float:
    """A score as a share from 0 to 1; NaN for one that is none."""
    value = score.get("value") if score else None
    if isinstance(value, str):
        with suppress(ValueError):
            value = _VALUES.get(value) if value in _VALUES else float(value)
    return float(value) if isinstance(value, int | float) and 0 <= value <= 1 else math.nan


def _text(prompt: object) -> str:
    """A sample's input: a text, or the messages of a chat, one below the other."""
    if isinstance(prompt, list):
        return "\n".join(str(message.get("content", "")) for message in prompt if isinstance(message, dict))
    return str(prompt or "")


def _members(path: Path) -> Iterator[tuple[str, Any]]:
    """The header and the samples of an `.eval` file; InputError where one cannot be unpacked or read."""
    limit = settings().max_unpacked_mb * 2**20
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as file:
            wanted = [one for one in archive.infolist() if one.filename == "header.json" or _is_sample(one.filename)]
            if sum(one.file_size for one in wanted) > limit:
                raise InputError(
                    f"unpacked larger than {settings().max_unpacked_mb} MB, which is the limit.", path.name
                )
            for member in wanted:
                yield member.filename, json.loads(_unpacked(archive, file, member))
    except (zipfile.BadZipFile, struct.error, OSError, ValueError, RuntimeError, NotImplementedError) as error:
        raise InputError(f"no log of inspect-ai, or one that is damaged ({error}).", path.name) from None


def _is_sample(name: str) -> bool:
    return name.startswith("samples/") and name.endswith(".json")


def _unpacked(archive: zipfile.ZipFile, file: Any, member: zipfile.ZipInfo) -> bytes:
    if member.compress_type != _ZSTANDARD:
        return archive.read(member)
    import pyarrow as pa

    file.seek(member.header_offset)
    name, extra = struct.unpack("<26x2H", file.read(_HEADER))
    file.seek(name + extra, 1)
    packed = file.read(member.compress_size)
    unpacked: bytes = pa.decompress(packed, member.file_size, codec="zstd", asbytes=True)
    return unpacked
