"""The verb `train`: both ways, filters, watched pairs, configurations, stopping, kills, a full disk."""

import json
import os
import resource
import shutil
import signal
import sys
import time

import pytest
import torch
from safetensors.torch import load_file

from pairlens.cli import main
from pairlens.models import catalogue, find
from pairlens.settings import settings
from pairlens.training import from_scratch
from pairlens.training.checkpoint import alone, ask_to_stop
from pairlens.training.learning_curves import curves_of, shares
from pairlens.training.loop import Held
from pairlens.training.own_models import History
from pairlens.training.recorder import margins, recipe_of
from pairlens.training.watched_pairs import WatchedPair
from tests.core.training.test_training import sentences

pytestmark = pytest.mark.model

LINES = sentences(600)
SHAPE = (
    "--vocabulary", "320", "--width", "32", "--layers", "1", "--heads", "2", "--context", "64", "--steps", "12",
)  # fmt: skip
SHORT = (*SHAPE[:-1], "2")
SEES = WatchedPair("The dog sees the girl.", "The dog see the girl.")
PAIRS = f"group\tgood\tbad\nviews\t{SEES.good}\t{SEES.bad}\nviews\tThe girl likes.\tGirl the likes.\n"


@pytest.fixture
def text(save):
    return save("text.txt", "\n".join(LINES) + "\n")


@pytest.fixture
def train(cli, text):
    """`train(*options)`: status and errors of the verb, about the text unless they name an input or configuration."""

    def run(*options):
        asked = () if {"--input", "--config"} & {*options} else ("--input", text)
        status, _, errors = cli("train", *asked, *options)
        return status, errors

    return run


def test_a_model_lands_in_the_catalogue_with_its_card_and_film(home, train, save):
    status, errors = train("--name", "mine", "--watch", save("pairs.tsv", PAIRS), "--drop", "boat", *SHAPE)
    assert status == 0
    assert "left out by --keep or --drop" in errors and "left out because they are among the test pairs" in errors
    assert "Perplexity on evaluation data: " in errors
    (mine,) = (model for model in catalogue() if model.name == "mine")
    assert mine.kind == "causal" and "text.txt, without what matches boat" in mine.card["description"]
    assert mine.card["training"]["left_out"]["filter"] == sum("boat" in line for line in LINES)
    folder = home / "models" / "mine"
    curves, recipe = curves_of(folder), recipe_of(folder)
    assert curves["step"].nunique() >= 5 and curves["step"].max() == 12
    assert set(shares(curves)["group"]) == {"views"}
    (now,) = margins([SEES], recipe, recipe.open())
    assert curves[curves["step"] == 12]["margin"].iloc[0] == pytest.approx(now, abs=1e-3)
    assert sorted(path.name for path in (home / "models").iterdir()) == ["mine"]


def test_by_epochs_from_a_model_and_from_nothing(home, train, tiny, save):
    common = ("--epochs", "1", "--max-length", "32", "--samplePercent", "20", "--learning_rate", "1e-3")
    status, errors = train(*common, "--from", tiny("gpt2"), "--name", "further", "--watch", save("p.tsv", PAIRS))
    assert status == 0 and "Perplexity on evaluation data: " in errors
    options = find("further").card["training"]["request"]["options"]
    assert (options["max_length"], options["sample_percent"], options["learning_rate"]) == (32, 20.0, 1e-3)
    assert curves_of(home / "models" / "further")["step"].nunique() >= 3
    masked = ("--kind", "masked", "--mask-probability", "0.3", "--output", home / "fresh")
    assert train(*common, *SHAPE[:-2], *masked)[0] == 0
    assert find(home / "fresh").kind == "masked"


def test_a_configuration_asks_and_flags_win(home, train, text, save):
    config = save(
        "train.yaml",
        f"exp: MinimalPair\nmode: train\ntrainfpath: {text}\nmodelfpath: {home}/configured\nvocabulary: 320\n"
        "width: 32\nlayers: 1\nheads: 2\ncontext: 64\nsteps: 500\nseed: 7\ndrop: boat\n",
    )
    assert train("--config", config, "--steps", "3")[0] == 0
    card = json.loads((home / "configured" / "card.json").read_text())
    assert (card["training"]["steps"], card["recipe"]["seed"], card["recipe"]["width"]) == (3, 7, 32)
    assert card["training"]["left_out"]["filter"] > 0


def test_both_verbs_make_the_same_model_of_a_configuration(home, save, tiny, capsys):
    """Also with the keys that say how a text is read, and with those that have no effect."""
    texts = save("text.tsv", "text\n" + "\n".join(sentence.title() for sentence in sentences(120)) + "\n")
    made, folder = [], tiny("gpt2", n_positions=128)
    for verb in ("train", "minimal-pair"):
        config = save(
            f"{verb}.yaml",
            f"exp: MinimalPair\nmode: [train]\nmodels: {{hf_causal_model: [{folder}]}}\ntrainfpath: {texts}\n"
            f"modelfpath: {home}/{verb}\nepochs: 1\nmaxTrainSequenceLength: 32\ndoLower: True\nverbose: False\n"
            "addPrefixSpace: True\nsamplePercent: 50\ndevice: cpu\n",
        )
        assert main([verb, "--config", str(config), "--as", "nlpscholar"]) == 0
        said = capsys.readouterr().err
        assert "verbose has no effect here" in said and "cuts text into pieces of 128 tokens" in said
        assert [find(path).kind for path in (home / verb).glob("checkpoint-*")] == ["causal"]
        made.append(load_file(home / verb / "model.safetensors"))
    assert all((made[1][name] == weights).all() for name, weights in made[0].items())
    options = find(home / "train").card["training"]["request"]["options"]
    assert (options["separator"], options["preset"]) == ("none", "nlpscholar")


def test_pieces_are_as_long_as_a_small_model_sees_or_as_the_published_ones(home, train, tiny):
    """A model too short for them is refused, beside the preset a length of one's own remarked on."""
    common, published = ("--epochs", "1", "--samplePercent", "20"), ("--as", "nlpscholar", "--output", home / "new")
    assert train(*common, "--from", tiny("gpt2"), "--name", "fitting")[0] == 0
    assert find("fitting").card["training"]["request"]["options"]["max_length"] == 64
    for asked, length in ((("--name", "long", "--max-length", "100"), "100"), (published, "128: NLPScholar")):
        status, errors = train(*common, *asked, "--from", tiny("gpt2"))
        assert status == 2 and f"sees 64 tokens at once, too few for pieces of {length}" in errors
    small = ("--samplePercent", "5", "--epochs", "1", "--max-length", "64")
    status, errors = train(*published, "--from", tiny("gpt2", n_positions=128), *small)
    assert status == 0 and "pieces of 128 tokens" in errors
    assert "--max-length (maxTrainSequenceLength) has no effect here" in errors


def test_a_tokenizer_may_be_named_if_it_is_the_models_own(home, train, text, tiny, save):
    def trained(named):
        return train("--config", save("t.yaml", f"models: {{hf_causal_model: [{tiny('gpt2')}]}}\nepochs: 1\n"
                     f"maxTrainSequenceLength: 32\nsamplePercent: 5\ntrainfpath: {text}\nmodelfpath: {home}/new\n"
                     f"tokenizers: {{hf_tokenizer: [{named}]}}\n"))  # fmt: skip

    for named, words in ((tiny("roberta"), "leave the key out"), ("./nowhere", "tokenizers, './nowhere'")):
        status, errors = trained(named)
        assert status == 2 and words in errors
    assert trained(tiny("gpt2", n_layer=1))[0] == 0


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("epoch: 3\n", "Did you mean 'epochs'"),
        ("mode: analyze\n", "use the verb `minimal-pair`"),
        ("steps: 3\nepochs: 2\n", "epochs only"),
        ("drop: '('\n", "not a regular expression"),
        ("models: {hf_causal_model: [a, b]}\n", "one model"),
        ("models: {hf_masked_model: [english-small]}\n", "a causal model, but named as a masked one"),
        ("device: cuba\nsteps: 3\n", "Did you mean 'cuda'"),
    ],
)
def test_configurations_that_cannot_work_say_why(train, text, save, lines, words):
    config = save("train.yaml", f"trainfpath: {text}\nmodelfpath: {text.parent}/m\n{lines}")
    status, errors = train("--config", config)
    assert status == 2 and words in errors


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "where the model goes"),
        (("--name", "a", "--output", "b"), "where the model goes"),
        (("--name", "english-small"), "bundled model"),
        (("--name", "../x"), "cannot be a model's name"),
        (("--name", "x", "--size", "tinny"), "Did you mean 'tiny'"),
        (("--name", "x", "--from", "english-small", "--width", "64"), "has its shape already"),
        (("--name", "x", "--from", "english-smal", "--epochs", "1"), "Did you mean 'english-small'"),
        (("--name", "x", "--epochs", "1", "--minutes", "3"), "with --from and --epochs give epochs only"),
        (("--name", "x", "--as", "nlpscholar", "--minutes", "3"), "with --as nlpscholar give epochs only"),
        (("--name", "x", "--learning-rate", "-1"), "learning rate must be more than 0"),
        (("--name", "x", "--steps", "1", "--layers", "0"), "layers of a model must be 1 or more"),
        (("--name", "x", "--seed", "-1"), "seed must not be less than 0"),
        (("--name", "x", "--minutes", "nan"), "have an end"),
        (("--name", "x", "--epochs", "inf"), "epochs must be more than 0"),
        (("--name", "x", *SHAPE, "--learning-rate", "1e30"), "came apart"),
    ],
)
def test_flags_that_cannot_work_say_why(train, arguments, words):
    status, errors = train(*arguments)
    assert status == 2 and words in errors
    assert not list(settings().models.glob("*")), "nothing of it is worth going on with"


@pytest.mark.parametrize(
    ("content", "words"),
    [("", "empty"), ("One line only.\n", "one sequence"), (b"\x00\x01\x02", "not a text file"), (None, "no file")],
)
def test_bad_text_leaves_no_model(train, save, tmp_path, content, words):
    path = tmp_path / "gone.txt" if content is None else save("bad.txt", content)
    status, errors = train("--input", path, "--name", "x", *SHAPE)
    assert status == 2 and words in errors
    assert not list(settings().models.glob("*")), "nothing that failed takes the name"


def test_validation_in_training_text_and_small_vocabularies_are_said(train, text):
    shape = [*SHAPE[2:-2], "--vocabulary", "5000"]
    for name, budget in (("x", ("--steps", "3")), ("y", ("--epochs", "0.1", "--max-length", "32"))):
        status, errors = train("--validation", text, "--name", name, *shape, *budget)
        assert status == 0 and "says nothing about other text" in errors
        assert "The text supports a vocabulary of " in errors and "not of 5,000" in errors


def test_sequences_that_no_row_holds_are_counted(train, save, tmp_path):
    long = [" ".join(sentences(number)) for number in (40, 50)]
    training, held = (save(f"{n}.txt", "\n".join([*sentences(n, seed=n), *long])) for n in (400, 30))
    status, errors = train("--input", training, "--validation", held, "--output", tmp_path / "m", *SHORT)
    assert status == 0
    assert "2 of 402 sequences are longer than 62 tokens and are not read" in errors
    assert "2 of 32 validation sequences are longer than 62 tokens and are not read" in errors


def test_the_perplexity_is_that_of_the_whole_validation_text(train, save, tmp_path, monkeypatch):
    """Against plain transformers, a sentence at a time; estimates on the way read less."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    monkeypatch.setattr(from_scratch, "VALIDATION_ROWS", 2)
    held, folder = sentences(80, seed=3), tmp_path / "m"
    assert train("--validation", save("v.txt", "\n".join(held)), "--output", folder, *SHORT)[0] == 0
    tokenizer, plain = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    rows = [torch.tensor([[*tokenizer(sentence).input_ids, tokenizer.eos_token_id]]) for sentence in held]
    losses = torch.tensor([plain(ids, labels=ids).loss.item() for ids in rows])
    counts = torch.tensor([ids.shape[1] - 1.0 for ids in rows])
    loss = json.loads((folder / "card.json").read_text())["validation_loss"]
    assert loss == pytest.approx(float((losses * counts).sum() / counts.sum()), abs=2e-3)


def test_a_training_cancelled_while_saving_goes_on_or_begins_again_if_asked(home, train, monkeypatch):
    """An earlier model stays, nothing half-made is in the catalogue, and a checkpoint is not deleted silently."""
    assert train("--name", "first", *SHORT)[0] == 0
    export = from_scratch.export

    def interrupted(*arguments):
        export(*arguments)
        (arguments[-1] / "config.json").unlink()
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(from_scratch, "export", interrupted)
        assert train("--name", "second", *SHORT)[0] == 130
    assert [model.name for model in catalogue() if not model.bundled] == ["first"]
    checkpoint = home / "models" / "second.training" / "checkpoint.pt"
    before = checkpoint.read_bytes()
    status, errors = train("--name", "second", *SHORT, "--seed", "5")
    assert status == 2 and "or by deleting second.training" in errors and checkpoint.read_bytes() == before
    shutil.copytree(checkpoint.parent, checkpoint.parent.with_name("third.training"))
    assert train("--name", "second", *SHORT)[0] == 0
    assert sorted(model.name for model in catalogue() if not model.bundled) == ["first", "second"]
    before = (home / "models" / "first" / "model.safetensors").read_bytes()
    assert train("--name", "first", *SHORT)[0] == 2
    assert (home / "models" / "first" / "model.safetensors").read_bytes() == before
    assert train("--name", "third", *SHORT, "--seed", "5")[0] == 2
    assert train("--name", "third", *SHORT, "--seed", "5", "--no-resume")[0] == 0, "it begins again"
    assert find("third").card["recipe"]["seed"] == 5


def test_one_training_at_a_time_writes_a_model_with_the_threads_that_are_set(home, train, tiny, limit, monkeypatch):
    numbers, job = [], home / "jobs" / "one"
    job.mkdir(parents=True)
    (job / "job.json").write_text(json.dumps({"state": "running", "title": "", "arguments": [], "created": 0}))
    monkeypatch.setattr(torch, "set_num_threads", numbers.append)
    limit("threads", 3)
    with alone(home / "models" / "x"):
        status, errors = train("--name", "x", *SHORT)
    assert status == 2 and "is being trained already" in errors
    further = ("--from", tiny("gpt2"), "--epochs", "0.02", "--max-length", "32")
    for name, options in (("x", (*SHORT, "--job", job)), ("y", further)):
        numbers.clear()
        assert train("--name", name, *options)[0] == 0
        assert set(numbers) == {3}
    assert json.loads((job / "progress.json").read_text())["done"] == 1_000
    result = json.loads((job / "job.json").read_text())["result"]
    assert result["model"] == "x" and "supports a vocabulary" in result["remarks"][0]


def test_stopping_keeps_the_best_state(home, train, save, monkeypatch):
    """Validation losses are made up: the second one is the lowest, and stopping comes after the fourth."""
    losses = iter([5.0, 2.0, 3.0, 4.0, 6.0])
    best, output = {}, home / "models" / "stopped"

    def measure(run):
        loss = next(losses)
        if loss == 2.0:
            best.update({name: tensor.clone() for name, tensor in run.network.state_dict().items()})
        if loss == 4.0:
            ask_to_stop(output)
        return Held(loss)

    monkeypatch.setattr(from_scratch.LanguageModelTraining, "measure", measure)
    assert train("--name", "stopped", *SHAPE[:-1], "100", "--watch", save("p.tsv", PAIRS))[0] == 0
    curves, recipe = curves_of(output), recipe_of(output)
    (margin,) = margins([SEES], recipe, recipe.open())
    assert curves["step"].max() == 20 and (shares(curves)["n"] == 2).all()
    assert curves["margin"].iloc[-2] == pytest.approx(margin, abs=1e-3)
    saved = load_file(output / "model.safetensors")
    assert saved.keys() == {f"model.{name}" for name in best}
    assert all((saved[f"model.{name}"] == tensor.half()).all() for name, tensor in best.items())
    card = find("stopped").card
    assert card["validation_loss"] == 2.0 and card["training"]["steps"] == 20


def test_a_training_by_epochs_stops_when_asked(home, tiny):
    from pairlens.training.continued import continue_training
    from pairlens.training.corpus import Documents
    from pairlens.training.options import Options

    output, steps = home / "models" / "stopped", []

    def stop(progress):
        steps.append(progress.step)
        if progress.step == 3:
            ask_to_stop(output)

    documents = Documents(sentences(400), sentences(40, seed=2))
    continue_training(find(tiny("gpt2")), documents, Options(epochs=5, max_length=32), output, stop)
    assert max(steps) == 3 and find("stopped").kind == "causal"


def started(errors, prepare, *arguments):
    """`train` in a process of its own, a copy of this one, so that nothing is imported again; returns its id."""
    if child := os.fork():
        return child
    code = 99
    try:
        os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT), 2)
        sys.stderr = os.fdopen(2, "w")
        os.environ["PAIRLENS_THREADS"] = "1"
        prepare()
        code = main(["train", *arguments])
        sys.stderr.flush()
    finally:
        os._exit(code)


def test_a_killed_training_goes_on_from_its_last_checkpoint(home, train, text, monkeypatch):
    """kill -9, twice the same command; every step is in the history once, and its seconds are those of both parts."""
    arguments = ("--input", str(text), "--name", "killed", *SHAPE)
    paused, report, steps = home.with_name("paused"), from_scratch.LanguageModelTraining.report, []

    def wait_at_the_seventh_step():
        def waiting(run, *rest):
            if run.step == 7:
                paused.touch()
                signal.pause()
            return report(run, *rest)

        from_scratch.LanguageModelTraining.report = waiting

    def noting(run, *rest):
        steps.append(run.step)
        return report(run, *rest)

    child = started(home.with_name("errors.txt"), wait_at_the_seventh_step, *arguments)
    deadline = time.monotonic() + 300
    while not paused.is_file():
        assert os.waitpid(child, os.WNOHANG) == (0, 0) and time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    assert not [model for model in catalogue() if model.name == "killed"]
    reached = History(home / "models" / "killed.training").moments()[-1].step
    monkeypatch.setattr(from_scratch.LanguageModelTraining, "report", noting)
    status, errors = train(*arguments)
    assert status == 0 and errors.count("An interrupted training continues from its last checkpoint") == 1
    assert steps[0] == 7 and find("killed").card["training"]["steps"] == 12
    moments = History(home / "models" / "killed").moments()
    history = [moment.step for moment in moments]
    assert history == sorted(history) and history[0] <= reached
    assert [moment.seconds for moment in moments] == sorted(moment.seconds for moment in moments)


def test_a_full_disk_is_said_and_nothing_half_written_is_in_the_catalogue(home, text):
    """The largest file that the process may write is smaller than a checkpoint."""

    def shrink():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))

    errors = home.with_name("errors.txt")
    child = started(errors, shrink, "--input", str(text), "--name", "full", *SHORT, "--width", "128")
    code, written = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), errors.read_text()
    assert code == 2, written
    assert "cannot be written" in written and "Traceback" not in written
    assert not [model for model in catalogue() if model.name == "full"]
