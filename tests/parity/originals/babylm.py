"""Run two states of the BabyLM 2025 evaluation pipeline on tiny models and keep their numbers in babylm.json.

Started in an environment with torch and transformers, with a git checkout of the pipeline. Two modules that fetch
images are stood in for, and two things without which encoder-decoders end in an error are put right: every batch must
hold images, and the sentinels of T5 are asked for under a name that tokenizers do not have.
"""

import os
import subprocess
import sys
import tempfile
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType, SimpleNamespace
from unittest.mock import patch

from tests.parity.originals import record
from tests.parity.originals.babylm_cases import (
    AUGUST,
    CASES,
    MAY,
    MODELS,
    TASKS,
    WORDS,
    data,
    model,
    numbers,
    task_of,
)

_DIGITS = 4
_COMMITS = {AUGUST: "bf55c11", MAY: "e6943f8"}
"""Of 17 August, the last one, and of 20 May."""
_PACKAGE = "evaluation_pipeline"


def main(original):
    stand_in("datasets", load_dataset=None, Dataset=object)
    stand_in("aiohttp")
    cases = {}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        for name in TASKS:
            data(folder / "data", name)
        for architecture in MODELS:
            model(folder / architecture, architecture)
        for state in _COMMITS:
            check_out(original, state, folder / state)
            with images_and_sentinels():
                for case in CASES:
                    if case[0] == state:
                        cases[" ".join(case)] = answer(folder, *case)
            if state == AUGUST:
                for architecture, (backends, _) in MODELS.items():
                    for backend in backends:
                        cases[f"{state} {architecture} {backend} aoa"] = acquisition(folder / architecture, backend)
    record.write(__file__, ("torch", "transformers"), cases=cases)


def check_out(original, state, into):
    """Write the pipeline in this state to a folder, and import it from there from now on."""
    into.mkdir()
    packed = subprocess.run(
        ["git", "-C", original, "archive", _COMMITS[state], _PACKAGE], check=True, capture_output=True
    )
    subprocess.run(["tar", "-x", "-C", into], input=packed.stdout, check=True)
    for name in [name for name in sys.modules if name.partition(".")[0] == _PACKAGE]:
        del sys.modules[name]
    sys.path.insert(0, str(into))
    os.chdir(into)


def stand_in(name, **content):
    """An empty module of this name, with this content."""
    sys.modules[name] = ModuleType(name)
    vars(sys.modules[name]).update(content)


def images_and_sentinels():
    """The two corrections, in force while this context is open."""
    dataset = import_module("evaluation_pipeline.sentence_zero_shot.dataset").CompletionRankingDataset
    opened, read = dataset.__init__, dataset.__getitem__

    def with_sentinels(self, args):
        opened(self, args)
        first = self.tokenizer.convert_tokens_to_ids("<extra_id_0>")
        vars(self.tokenizer).update(additional_special_tokens=["<extra_id_0>"], additional_special_tokens_id=[first])

    def with_images(self, place):
        given = read(self, place)
        given[1].update({f"sentence_{number}_image": None for number in range(len(given[0]["sentences"]))})
        return given

    return patch.multiple(dataset, __init__=with_sentinels, __getitem__=with_images)


def answer(folder, state, architecture, backend, name):
    """The report's numbers; by paradigm, each item's log-probabilities and the place of the predicted candidate.

    Without a report where the pipeline ends in an error. Batches of one item, since it reads the number of candidates
    of a batch from the first.
    """
    program = import_module("evaluation_pipeline.sentence_zero_shot.run")
    results = import_module("evaluation_pipeline.sentence_zero_shot.compute_results")
    items = {}

    def listening(rank):
        def listen(args, stats, logprobs, texts, gold, about, uids, said):
            rank(args, stats, logprobs, texts, gold, about, uids, said)
            candidates = texts[0]["sentences" if args.task == "comps" else "completions"]
            predicted = candidates.index(said[1.0][uids[0]][-1]["pred"])
            scores = [round(float(one[0]), _DIGITS) for one in logprobs[1.0]]
            items.setdefault(uids[0], []).append((scores, predicted))

        return listen

    ranks = {each: listening(rank) for each, rank in vars(results).items() if each.startswith("rank_and_evaluate")}
    task, out = task_of(name) if state == AUGUST else task_of(name).partition("_adj")[0], folder / "results"
    asked = ["--data_path", folder / "data" / name, "--task", task, "--model_path_or_name", folder / architecture]
    how = ["--backend", backend, "--output_dir", out, "--batch_size", 1, "--save_predictions"]
    with patch.multiple(results, **ranks), patch.object(sys, "argv", ["run", *map(str, [*asked, *how])]):
        try:
            program.main()
        except KeyError:  # no temperature is the best one
            return {"report": None, "items": items}
    written = out / architecture / "main" / "zero_shot" / backend / task / name / "best_temperature_report.txt"
    return {"report": numbers(written.read_text("utf-8")), "items": items}


def acquisition(model, backend):
    """The surprisals of our sample's words, in nats, from the task of its own for them."""
    program = import_module("evaluation_pipeline.AoA_word.evaluation_functions")
    words, contexts = import_module("evaluation_pipeline.AoA_word.eval_util").load_eval(WORDS, min_context=0)
    extractor = program.StepSurprisalExtractor(
        SimpleNamespace(steps=[""], word_counts=[0]), str(model), backend, "cpu"
    )
    network, (processor, tokenizer) = extractor.load_model_for_step(None), extractor.load_tokenizer_for_step(None)
    first = tokenizer.convert_tokens_to_ids("<extra_id_0>")
    vars(tokenizer).update(additional_special_tokens=["<extra_id_0>"], additional_special_tokens_id=[first])
    ask = partial(extractor.compute_surprisal, network, processor, tokenizer, use_bos_only=False)
    return [round(ask(one, word), _DIGITS) for word, of in zip(words, contexts, strict=True) for one in of]


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
