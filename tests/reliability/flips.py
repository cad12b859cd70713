"""A home with a file of every kind, single bits of it flipped, and what the product then says.

`python -m tests.reliability.flips 400` flips so many bits of every kind of file and prints a table.
"""

import functools
import gzip
import json
import logging
import os
import random
import shutil
import sys
import tempfile
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import duckdb

import pairlens
from pairlens.errors import PairlensError
from pairlens.evaluation.archive import pack, unpack
from pairlens.evaluation.evaluate import save
from pairlens.evaluation.run_list import run_list
from pairlens.files.datasets import Dataset, File, get, path_of
from pairlens.files.tables import read_table
from pairlens.places import FOLDER as ROOT
from pairlens.scoring.recipe import recipe_of
from pairlens.settings import settings
from pairlens.store import Store, catalog, run_annotations, sweeps, uploads
from pairlens.store.files import sha256, write_json
from pairlens.store.jobs import all_jobs
from pairlens.store.maintenance import damage
from pairlens.types import Candidate, Item, Request
from tests.tiny import tiny_model

SAMPLE = ROOT / "data" / "samples" / "blimp"
ITEMS = 12
DATA = "blimp.jsonl"
COUNTS = {"the": 50, ".": 40, "horses": 9, "are": 30, "is": 35, "tired": 4, "cat": 10, "who": 7, "that": 12}
SENTENCE = Request("", "The horses are tired.")
KINDS = {
    "manifest": "store/runs/*/manifest.json",
    "items": "store/runs/*/items.parquet",
    "metrics": "store/runs/*/metrics.parquet",
    "remarks": "store/runs/*/remarks.json",
    "side file": "store/scores/*/*.json",
    "scores": "store/scores/*/*.scores.parquet",
    "tokens": "store/scores/*/*.tokens.parquet",
    "results.duckdb": "store/results.duckdb",
    "sweep": "store/sweeps/*.json",
    "job": "jobs/*/*.json",
    "upload": "uploads/*/*",
    "fetched data": "datasets/*/*",
    "digest": "cache/digests/*",
    "model": "models/*/*",
    "archive": "*.pairlens.zip",
}
HEARTBEAT = " progress"
OUTCOMES = ("identical", "repaired", "refused", "named otherwise", "left out", "traceback", "different")
"""`refused`: in one sentence. `named otherwise`: under another signature, as another data set or model; the numbers
of the old one are as before or gone. `left out`: gone, and said so by a warning or in the list of damage. The last
two must not happen.
"""


def pieces(home):
    """A public data set of one small file, fetched from a mirror."""
    source = home / DATA
    file = File(source.stat().st_size, sha256(source))
    return Dataset(
        "pieces", "Pieces", "", ("en",), "", "CC-BY-4.0", "", "", "https://example.org", task="blimp",
        reads="a.jsonl", source="https://example.org/", mirror="pieces", files={"a.jsonl": file},
    )  # fmt: skip


def furnish(home):
    """Fill an empty home: two models, runs of them, and a file of every other kind."""
    unigram = home / "models" / "counts"
    unigram.mkdir(parents=True)
    with gzip.open(unigram / "counts.tsv.gz", "wt", encoding="utf-8") as stream:
        stream.writelines(f"{word}\t{count}\n" for word, count in COUNTS.items())
    card = {"kind": "unigram", "language": "en", "tokens": sum(COUNTS.values()), "types": len(COUNTS)}
    (unigram / "card.json").write_text(json.dumps({"name": "counts", **card}))
    network = tiny_model(home / "models" / "network", "gpt2")
    (network / "card.json").write_text(json.dumps({"name": "network", "kind": "causal", "language": "en"}))
    for path in (home / "models").glob("*/*"):
        os.utime(path, (1_700_000_000, 1_700_000_000))  # settled, so that their digests are remembered
    lines = [line for path in sorted(SAMPLE.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    (home / DATA).write_text("\n".join(lines[:: len(lines) // ITEMS]), "utf-8")
    run_again()
    store = Store(shipped=None)
    first = store.runs()["run_id"].iloc[-1]
    run_annotations.tag(store, first, ["paper"])
    run_annotations.write_note(store, first, "The first one.")
    point = sweeps.Point("final", 12_000_000, "words", "a" * 64, first, "done")
    about = ("s", "network", "blimp", "whole", "our sample", "b" * 64, "causal", {"first_token": "bos"}, "2026-11-23")
    sweeps.write(store, sweeps.Sweep(*about, points=(point,)))
    folder = settings().jobs / "20261123-120000-abcdef"
    done = {"state": "done", "created": 1.8e9, "result": {"run_id": first}, "error": "", "message": ""}
    write_json(folder / "job.json", {"title": "BLiMP", "arguments": ["zero-shot", "--task", "blimp"], **done})
    write_json(folder / "progress.json", {"done": 120, "total": 140, "seconds_left": 12.5})
    uploads.keep([("pairs.tsv", b"good\tbad\nThe cat is tired.\tThe cat are tired.\nA horse is.\tA horse are.\n")])
    mirror = home / "mirror" / "pieces"
    mirror.mkdir(parents=True)
    shutil.copy(home / DATA, mirror / "a.jsonl")
    get(pieces(home))
    pack(store, first, home / "run.pairlens.zip")
    shutil.rmtree(home / "mirror")


def run_again():
    """The same benchmarks and typed pairs again; their numbers by the runs' ids."""
    said = {}
    for model in ("counts", "network"):
        run = pairlens.benchmark(settings().home / DATA, model=model)
        said[f"{run.run_id} again"] = written(run.numbers) + written(run.items)
    candidates = (Candidate("The cat is tired.", "A"), Candidate("The cat are tired.", "B"))
    pair = Item("1", candidates, "A", {"UID": "typed"})
    run_id = save([pair], recipe_of("counts"), Store(shipped=None))
    said[f"{run_id} again"] = written(Store(shipped=None).metrics(run_id))
    return said


def written(frame):
    """A table with every digit."""
    return frame.to_csv(float_format="%.17g")


def of_list():
    """The list of runs, the sweeps and what the shell's SQL client finds in a new catalogue."""
    store = Store(shipped=None)
    runs = run_list(store).drop(columns="size").set_index("run_id")
    said = {
        f"{run_id} in the list": repr(row.to_dict()) for run_id, row in runs.drop(columns=["tags", "note"]).iterrows()
    }
    said |= {f"{run_id} tags": repr(tags) for run_id, tags in runs["tags"].items() if tags}
    said |= {f"{run_id} note": repr(note) for run_id, note in runs["note"].items() if note}
    return said | {f"{sweep.id} sweep": repr(sweep) for sweep in sweeps.sweeps(store)}


def of_runs():
    """Each run as pages and library give it. An item without a score is not there, whatever else is said of it."""
    said, store = {}, Store(shipped=None)
    for run_id in store.runs().query("state == 'done'")["run_id"]:
        result = pairlens.run(run_id)
        said[f"{run_id} numbers"] = written(result.metrics) + written(store.metrics(run_id))
        said[f"{run_id} choices"] = f"{result.policy}{result.rule}{result.manifest}"
        said[f"{run_id} items"] = written(store.items(run_id))
        said |= by_row(f"{run_id} candidate", result.candidates.dropna(subset="logprob"), ["item", "candidate"])
        said |= by_row(f"{run_id} item", result.items, ["item"])
    return said


def of_scores():
    """Every score, token by token."""
    said, store = {}, Store(shipped=None)
    for fingerprint in store.fingerprints():
        tokens = store.token_scores(fingerprint, store.known(fingerprint))
        said |= {f"{fingerprint} tokens of {key}": repr(scores) for key, scores in tokens.items()}
        said |= by_row(f"{fingerprint} sums", store.scores(fingerprint), ["request_key", "temperature"])
        parts = store.parts(fingerprint)
        said |= {f"{fingerprint} {part.name}": repr(sorted(part.about.items())) for part in parts}
    return said


def by_row(what, table, names):
    """The rows of a table under the columns that name them."""
    rows = table[names + [name for name in table if name not in names]].itertuples(index=False, name=None)
    return {f"{what} {' '.join(map(str, row[: len(names)]))}": str([*map(str, row)]) for row in rows}


def of_repaired():
    """What a run that was started again has in common with the first one: all but times, tags and note."""
    return {name: text for name, text in of_runs().items() if not name.endswith(" choices")}


def of_sql():
    """What queries find."""
    with tempfile.TemporaryDirectory() as folder:
        return _in_catalogue(catalog.build(Store(shipped=None), Path(folder) / "fresh.duckdb"))


def of_catalogue():
    """What another program finds in `results.duckdb`."""
    return _in_catalogue(settings().store / "results.duckdb")


def _in_catalogue(path):
    with duckdb.connect(str(path), read_only=True) as connection:
        tables = {name: connection.sql(f"select * from {name} order by all").df() for name in ("runs", "metrics")}
        tables["decisions"] = connection.sql("select * from decisions where margin is not null").df()
    named = {
        "runs": ["run_id"],
        "metrics": ["run_id", "name", "group_by", "group"],
        "decisions": ["run_id", "item_id"],
    }
    return {key: row for name, rows in tables.items() for key, row in by_row(name, rows, named[name]).items()}


def of_jobs():
    """The list of jobs."""
    said = {}
    for one in all_jobs():
        said[one.id] = repr(replace(one, done=0, total=0, seconds_left=None))
        if one.total:  # a damaged record of it is ignored: the next one follows within seconds
            said[f"{one.id}{HEARTBEAT}"] = f"{one.done} of {one.total}, {one.seconds_left} s left"
    return said


def of_uploads():
    """The numbers of what visitors gave: its signature has the hash of the items, whatever the upload is called."""
    runs = [pairlens.benchmark(one.path, model="counts", task="pairs") for one in uploads.kept()]
    return {run.run_id: written(run.numbers) + written(run.items) for run in runs}


def of_data():
    """A fetched data set."""
    found = path_of(pieces(settings().home))
    return {"pieces": written(read_table(found))} if found else {}


def of_models():
    """The identity of each model, and what it says of a sentence under that identity."""
    said = {}
    for name in ("counts", "network"):
        recipe = recipe_of(name)
        scores = recipe.open().score([recipe.request(SENTENCE)])
        said[f"{name} {recipe.fingerprint}"] = repr(scores)
    return said


def of_identities():
    """The identity of each model alone."""
    return {name: recipe_of(name).fingerprint for name in ("counts", "network")}


def of_archive():
    """The numbers of an exported run where it is imported."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder), shipped=None)
        run_id = unpack(store, settings().home / "run.pairlens.zip").run_id
        about = store.runs().iloc[0].to_dict()
        manifest = json.loads(about.pop("manifest"))
        about |= {name: value for name, value in manifest.items() if name != "arrived"}
        return {run_id: written(store.candidates(run_id)) + written(store.metrics(run_id)) + str(about)}


OF_STORE = (of_list, of_runs, of_scores, of_sql, run_again, of_repaired)
READERS = {
    "results.duckdb": (of_catalogue,),
    "job": (of_jobs,),
    "upload": (of_uploads,),
    "fetched data": (of_data,),
    "digest": (of_identities, of_models),
    "model": (of_models,),
    "archive": (of_archive,),
}
"""What is asked of the product for each kind of file, in this order; for all others the whole store."""


def readers(kind):
    """What is asked about a kind of file."""
    return READERS.get(kind, OF_STORE)


def files(home, kind):
    """The files of this kind."""
    return sorted(path for path in home.glob(KINDS[kind]) if path.is_file() and path.name[0] != ".")


def places(path, number, chance):
    """So many bits of a file, spread over all of it; half of those in Parquet are in the footer."""
    content = path.read_bytes()
    footer = int.from_bytes(content[-8:-4], "little") + 8 if content[-4:] == b"PAR1" else 0
    regions = [(0, len(content) - footer, number - number // 2), (len(content) - footer, len(content), number // 2)]
    spans = regions if footer else [(0, len(content), number)]
    found = []
    for start, end, n in spans:
        width = (end - start) * 8 / max(n, 1)
        found += [start * 8 + int((at + chance.random()) * width) for at in range(n)]
    return found


def flip(path, place, *, unnoticed):
    """Change one bit; `unnoticed`: on the disk, below the file system, so that size, time and inode stay."""
    before, content = path.stat(), bytearray(path.read_bytes())
    content[place // 8] ^= 1 << place % 8
    if unnoticed:
        with path.open("r+b") as stream:
            stream.write(content)
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    else:
        path.write_bytes(content)
    return bytes(content)


class Warnings(logging.Handler):
    """Whether anything was said in the log."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.said = []

    def emit(self, record):
        self.said.append(record.getMessage())


@contextmanager
def warnings():
    """What the product warns of meanwhile."""
    handler = Warnings()
    logging.getLogger("pairlens").addHandler(handler)
    try:
        yield handler.said
    finally:
        logging.getLogger("pairlens").removeHandler(handler)


def compared(asked, undisturbed, said):
    """The outcome of one question, and what is to be shown of it; `said`: what was warned of up to now."""
    try:
        found = asked()
    except PairlensError as error:
        message = str(error)
        return ("refused" if message and "\n" not in message else "traceback"), message
    except duckdb.Error as error:  # the words of the program that asks
        return "refused", str(error)
    except Exception as error:
        return "traceback", repr(error)
    if wrong := [name for name, text in found.items() if undisturbed.get(name, text) != text]:
        return "different", f"{asked.__name__}: {wrong[0]}: {difference(undisturbed[wrong[0]], found[wrong[0]])}"
    if found.keys() - undisturbed.keys():
        return "named otherwise", str(found.keys() - undisturbed.keys())
    if gone := {name for name in undisturbed.keys() - found.keys() if not name.endswith(HEARTBEAT)}:
        said = [*said, *damage(Store(shipped=None))]
        return ("left out" if said else "different"), f"{asked.__name__}: without {min(gone)}; {said}"
    return "identical", ""


def difference(before, after):
    """The first place where two texts differ."""
    at = next(
        (n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    return f"{before[max(0, at - 20) : at + 40]!r} became {after[max(0, at - 20) : at + 40]!r}"


class Laboratory:
    """A furnished home, what it says undisturbed, and what its files hold."""

    def __init__(self, home):
        furnish(home)
        self.home = home
        self._contents = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in self._files()}
        self.undisturbed = {asked: asked() for kind in KINDS for asked in readers(kind)}
        self._states = {path: state(path) for path in self._contents}
        for path in self._contents:
            self._restore(path)
        self.restore()

    def _files(self):
        return [path for path in self.home.rglob("*") if path.is_file()]

    def _restore(self, path):
        """Content and time, in the same inode if it is there."""
        content, time = self._contents[path]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        os.utime(path, ns=(time, time))
        self._states[path] = state(path)

    def restore(self):
        """Everything that looks different as it was, and nothing else."""
        for path in self._files():
            if path not in self._contents:
                path.unlink()
        for path in self._contents:
            if not path.exists() or state(path) != self._states[path]:
                self._restore(path)

    def forget(self):
        """Forget what this process remembers of files, as a new process would not know it."""
        forgetful = ("pairlens.store", "pairlens.models", "pairlens.files")
        for module in [module for name, module in sys.modules.items() if name.startswith(forgetful)]:
            for memory in [one for one in vars(module).values() if isinstance(one, functools._lru_cache_wrapper)]:
                memory.cache_clear()

    def outcome(self, kind, path, place, *, unnoticed):
        """Flip one bit, ask, restore. Returns the worst outcome of all questions and what was said."""
        flipped = flip(path, place, unnoticed=unnoticed)
        if unnoticed:
            self.forget()
        try:
            with warnings() as said:
                found = [compared(asked, self.undisturbed[asked], said) for asked in readers(kind)]
            worst = max(found, key=lambda one: OUTCOMES.index(one[0]))
            repaired = not path.exists() or path.read_bytes() != flipped
            return ("repaired", "") if worst[0] == "identical" and repaired else worst
        finally:
            self._restore(path)
            self.restore()
            self.forget()


def state(path):
    """What changes when a file is written or replaced."""
    found = path.stat()
    return found.st_size, found.st_mtime_ns, found.st_ino


def attack(laboratory, number, seed):
    """So many flips of every kind of file: kind, outcome, what was said. Every other one keeps size and time."""
    chance = random.Random(seed)
    for kind in KINDS:
        paths = files(laboratory.home, kind)
        assert paths, f"the home has no file of the kind '{kind}'"
        for order, path in enumerate(paths):
            share = number // len(paths) + (order < number % len(paths))
            for turn, place in enumerate(places(path, share, chance)):
                unnoticed = turn % 2 * (kind != "model")  # a model is recognised by its files' sizes and times
                outcome, said = laboratory.outcome(kind, path, place, unnoticed=bool(unnoticed))
                about = f"{path.relative_to(laboratory.home)} bit {place}{' unnoticed' * unnoticed}: {said}"
                yield kind, outcome, about


def table(found):
    """Outcomes by kind of file."""
    lines = [f"{'':16}" + "".join(f"{name:>17}" for name in OUTCOMES)]
    for kind in KINDS:
        lines.append(f"{kind:16}" + "".join(f"{found[kind, name]:>17,}" for name in OUTCOMES))
    totals = [sum(found[kind, name] for kind in KINDS) for name in OUTCOMES]
    return "\n".join([*lines, f"{'all':16}" + "".join(f"{total:>17,}" for total in totals)])


def main(number):
    """Flip, count, and print what must not happen."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "PAIRLENS_HOME": f"{folder}/home",
            "PAIRLENS_OFFLINE": "1",
            "PAIRLENS_MIRROR": f"{folder}/home/mirror",
        }
        settings.cache_clear()
        logging.disable(logging.NOTSET)
        laboratory = Laboratory(Path(folder, "home"))
        counted = Counter()
        shown = Counter()
        for kind, outcome, about in attack(laboratory, number, seed=22):
            counted[kind, outcome] += 1
            if outcome in OUTCOMES[-3:] and shown[kind] < 4:
                shown[kind] += 1
                print(outcome, about[:600], flush=True)
        print(table(counted))


if __name__ == "__main__":
    main(int(sys.argv[1]))
