"""NLPScholar's configuration files for `exp: MinimalPair`, as an experiment and as what the verb `train` needs.

Published keys have their published defaults. Additional ones: `preset` (as `--as`), `expected` and `unexpected`
(values of the comparison column), `item` and `ROI` (columns), `region_summary`, `spill`, `interaction`, `contrast`,
`separator` (between documents in training; none with `preset: nlpscholar`). For the verb `train` also `keep`, `drop`
(regular expressions), `watch` (a table of pairs), and for a model from scratch `kind`, `size`, `minutes` or `steps`,
and the numbers of its shape. Paths are relative to the working directory.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pairlens.analysis.experiment import MEASURES, SUMMARIES
from pairlens.errors import InputError, unknown
from pairlens.models.cards import folders
from pairlens.models.resolve import is_folder
from pairlens.policies import CHOICES, PRESETS
from pairlens.studies.experiment.keys import Keys
from pairlens.studies.experiment.running import MODES, SAVED, TABLES, Chosen, Experiment, Training
from pairlens.training.options import SEPARATORS, STRATEGIES, Options, of_preset

_IDLE: dict[str, tuple[Any, str]] = {
    "verbose": (True, "progress is always shown"),
    "getHidden": (False, "hidden states are not written"),
    "loadAll": (False, "models are loaded one after the other"),
    "addPadToken": (None, "padding never enters a number"),
    "checkFileColumns": (True, "columns are always checked"),
    "wholeWordMasking": (False, "NLPScholar does not mask by words either when it trains language models"),
    "condfpath": (None, "nothing reads it"),
    **dict.fromkeys(
        ("id2label", "numLabels", "pairLabel", "tokensLabel", "tagsLabel", "giveAllLabels", "f_val", "agg_type",
         "ignore", "ignore_punctuation"),
        (None, "it is for classifiers"),
    ),
}  # fmt: skip
"""Keys without effect here: the usual value, and why nothing depends on it."""


Read = Callable[[Keys, str], Any]


def _choice(choices: Sequence[str], default: str = "") -> Read:
    return lambda keys, key: keys.choice(key, choices, default)


def _precision(keys: Keys, key: str) -> str:
    if (precision := keys.text(key)) in ("8bit", "4bit"):
        raise keys.wrong(key, f"{precision} weights need a graphics card and a library that is not used here.")
    return _PRECISIONS[keys.choice(key, [*_PRECISIONS])]


_ROLES = {name: (name.lower(), Keys.text) for name in ("expected", "unexpected", "item", "ROI")}
_COUNTING: dict[str, tuple[str, Read]] = {
    "pred_measure": ("measure", _choice(MEASURES)),
    "word_summary": ("word_summary", _choice(SUMMARIES, "mean")),
    "punctuation": ("punctuation", _choice(tuple(CHOICES["punctuation"]), "previous")),
    "region_summary": ("region_summary", _choice(SUMMARIES, "mean")),
    "spill": ("spill", Keys.whole),
}
_TEXTS: dict[str, tuple[str, Read]] = {
    "trainfpath": ("texts", Keys.file),
    "modelfpath": ("output", Keys.path),
    "validfpath": ("validation", Keys.file),
    "textLabel": ("column", lambda keys, key: keys.text(key, "text")),
}
_POLICY: dict[str, tuple[str, Read]] = {
    "PLL_type": ("pll", _choice(("within_word_l2r", "original"))),
    "precision": ("dtype", _precision),
    "addPrefixSpace": ("leading_space", Keys.flag),
    "stride": ("stride", Keys.whole),
}
OPTIONS: dict[str, tuple[str, Read]] = {
    "epochs": ("epochs", Keys.number),
    "learning_rate": ("learning_rate", Keys.number),
    "weight_decay": ("weight_decay", Keys.number),
    "batchSize": ("batch_size", Keys.whole),
    "maxTrainSequenceLength": ("max_length", Keys.whole),
    "maskProbability": ("mask_probability", Keys.number),
    "samplePercent": ("sample_percent", Keys.number),
    "separator": ("separator", _choice(SEPARATORS)),
    "seed": ("seed", Keys.whole),
    "eval_strategy": ("eval_strategy", _choice(STRATEGIES, "epoch")),
    "eval_steps": ("eval_steps", Keys.whole),
    "save_strategy": ("save_strategy", _choice(STRATEGIES, "epoch")),
    "save_steps": ("save_steps", Keys.whole),
    "load_best_model_at_end": ("load_best_model_at_end", Keys.flag),
    "loadPretrained": ("pretrained", Keys.flag),
}
_FROM_SCRATCH: dict[str, tuple[str, Read]] = {
    **{name: (name, Keys.whole) for name in ("vocabulary", "width", "layers", "heads", "context")},
    "kind": ("kind", _choice(("causal", "masked"))),
    "minutes": ("minutes", Keys.number),
    "steps": ("steps", Keys.whole),
}
"""By key of columns, analysis, texts, scoring and training: the field, and how its value is read."""
_OTHERS = {
    "TextClassification": "lets a classifier label texts",
    "TokenClassification": "lets a classifier label the words of texts",
    "LanguageModel": "gives the perplexity of typed texts (here: the verb `perplexity`)",
    "WordPredictability": "writes the surprisal of tokens (here: exp: MinimalPair with mode: evaluate writes it too)",
}
KEYS = (
    "exp", "mode", "models", "tokenizers", "device", "doLower", "preset", "datafpath", "predfpath", "resultsfpath",
    "conditions", "save", "sep", "interaction", "contrast", *_TEXTS, *_ROLES, *_COUNTING, *_POLICY, *OPTIONS, *_IDLE,
)  # fmt: skip
_OF_TRAIN = ("keep", "drop", "watch", "size", *_FROM_SCRATCH)

_SCORERS = {"hf_causal_model": "causal", "hf_masked_model": "masked"}
_DEVICES = {"best": "auto", "auto": "auto", "cpu": "cpu", "cuda": "cuda", "mps": "mps"}
_PRECISIONS = {"full": "float32", "16bit": "float16"}
_NEEDED = {
    "train": ("models", "trainfpath", "modelfpath"),
    "evaluate": ("models", "datafpath", "predfpath"),
    "analyze": ("predfpath", "resultsfpath"),
}


def read_config(path: Path, preset: str = "") -> tuple[Experiment, list[str]]:
    """The experiment of a configuration, and remarks on what has no effect; `preset` takes the place of its own."""
    keys = _keys_of(path, KEYS)
    modes = _modes(keys)
    preset = preset or keys.choice("preset", [*PRESETS], "pairlens")
    if absent := [(mode, key) for mode in modes for key in _NEEDED[mode] if key not in keys]:
        raise InputError("mode {} needs the key {}.".format(*absent[0]), path.name)
    scored, analyzed = "evaluate" in modes, "analyze" in modes
    models, tables = _models_of(keys), keys.names("save")
    experiment = Experiment(
        modes=modes,
        models=models,
        data=keys.file("datafpath") if scored or analyzed else None,
        predictions=keys.file("predfpath") if analyzed and not scored else keys.path("predfpath"),
        results=keys.path("resultsfpath"),
        save=tuple(name for name in tables if name in SAVED) if "save" in keys else TABLES,
        delimiter=_delimiter(keys),
        preset=preset,
        roles={**_fields(keys, _ROLES), "conditions": keys.names("conditions")},  # none named: the table has none
        lenient=True,
        scoring=_fields(keys, _POLICY),
        counting={field: read(keys, key) for key, (field, read) in _COUNTING.items()},
        lower_case=keys.flag("doLower"),
        interaction=keys.names("interaction"),
        contrast=keys.text("contrast"),
        training=_training(keys, models, preset) if "train" in modes else None,
        device=_device_of(keys),
        batch_size=keys.whole("batchSize"),
    )
    remarks = _remarks(keys, modes)
    if experiment.training and experiment.training.options.remark:
        remarks.append(experiment.training.options.remark)
    # As published, unknown tables are passed over.
    remarks += [f"save: {unknown('table', name, SAVED)} It is left out." for name in tables if name not in SAVED]
    try:
        return experiment.check(), remarks
    except InputError as error:
        raise InputError(str(error), path.name) from None


def _keys_of(path: Path, known: Collection[str]) -> Keys:
    """The keys of a configuration for `exp: MinimalPair`; InputError for another experiment or an unknown key."""
    keys = Keys(path)
    if (kind := keys.text("exp", "MinimalPair")) in _OTHERS:
        raise keys.wrong("exp", f"NLPScholar's {kind} {_OTHERS[kind]}; Pairlens runs exp: MinimalPair only.")
    keys.choice("exp", ("MinimalPair",))
    keys.check_known(known)
    return keys


def _device_of(keys: Keys) -> str:
    return _DEVICES[keys.choice("device", [*_DEVICES])] if "device" in keys else ""


def _modes(keys: Keys) -> tuple[str, ...]:
    modes = keys.names("mode")
    if "interact" in modes:
        raise keys.wrong(
            "mode", "to type sentences and see them scored, open the page Compare or use the verb `score`."
        )
    if not modes:
        raise keys.wrong("mode", f"nothing is asked for: name one or several of {', '.join(MODES)}.")
    for mode in modes:
        if mode not in MODES:
            raise keys.wrong("mode", unknown("mode", mode, MODES))
        if modes.count(mode) > 1:
            raise keys.wrong("mode", f"'{mode}' is there twice: keep one.")
    return modes


def _models_of(keys: Keys) -> tuple[Chosen, ...]:
    listed = [
        (_place(name), _SCORERS[kind]) for kind, names in keys.group("models", _SCORERS).items() for name in names
    ]
    if "models" in keys and not listed:
        raise keys.wrong("models", "no model is named.")
    tokenizers = [_place(name) for names in keys.group("tokenizers", ("hf_tokenizer",)).values() for name in names]
    if tokenizers and len(tokenizers) != len(listed):
        raise keys.wrong("tokenizers", f"{len(tokenizers)} tokenizers for {len(listed)} models: one each, or none.")
    named = zip(listed, tokenizers or [""] * len(listed), strict=True)
    return tuple(Chosen(name, scorer, "" if other == name else other) for (name, scorer), other in named)


def _place(name: str) -> str:
    """The name for `pairlens.models.find`: as published, a folder in the working directory precedes the model hub."""
    here = (Path(name) / "config.json").is_file() and name not in folders() and not is_folder(name)
    return f"./{name}" if here else name


def _delimiter(keys: Keys) -> str:
    """The separator of columns, white space included; empty if the file's ending determines it."""
    if (sep := keys.value("sep")) is None:
        return ""
    if not isinstance(sep, str) or len(sep := sep.replace("\\t", "\t")) != 1:
        raise keys.wrong("sep", "expected the one character that separates columns.")
    return sep


def _training(keys: Keys, models: Sequence[Chosen], preset: str) -> Training:
    if len(models) != 1:
        raise keys.wrong("models", f"mode train takes one model at a time, not {len(models)}.")
    texts, options = _fields(keys, _TEXTS), of_preset(preset) | _fields(keys, OPTIONS)
    try:
        return Training(**texts, options=Options(**options))
    except InputError as error:
        raise keys.wrong("training", str(error)) from None


def _fields(keys: Keys, table: Mapping[str, tuple[str, Read]]) -> dict[str, Any]:
    """The fields whose keys the configuration has."""
    return {field: read(keys, key) for key, (field, read) in table.items() if key in keys}


def _remarks(keys: Keys, modes: Sequence[str]) -> list[str]:
    remarks = [
        f"{key} has no effect here: {why}."
        for key, (usual, why) in _IDLE.items()
        if key in keys and keys.value(key) != usual
    ]
    if "train" in modes and keys.text("precision", "full") != "full":
        remarks.append("Training is in single precision; precision is for evaluation.")
    if "train" not in modes and not keys.flag("loadPretrained", True):
        remarks.append("loadPretrained has no effect here: random weights are only trained, not scored.")
    listed = [name for names in keys.group("models", _SCORERS).values() for name in names]
    return remarks + [f"models: {name} is the folder {_place(name)}." for name in listed if _place(name) != name]


@dataclass(frozen=True, slots=True)
class TrainingConfig:
    """The contents of a configuration for the verb `train`; what it does not specify is None or missing.

    `options` are fields of `Options`, `recipe` those of `TrainingRecipe`; `seed` and `learning_rate` may belong to
    both. `kind` is the stated kind of `source`, `tokenizer` the model whose tokenizer it should have.
    """

    texts: Path | None = None
    output: Path | None = None
    validation: Path | None = None
    column: str | None = None
    source: str = ""
    kind: str = ""
    keep: str = ""
    drop: str = ""
    watch: Path | None = None
    size: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    recipe: dict[str, Any] = field(default_factory=dict)
    seed: int | None = None
    learning_rate: float | None = None
    lower_case: bool | None = None
    leading_space: bool = False
    device: str = ""
    preset: str = ""
    tokenizer: str = ""
    remarks: tuple[str, ...] = ()


def read_training_config(path: Path, preset: str = "") -> TrainingConfig:
    """Read a configuration; `preset` takes the place of its own. Raises as `read_config` does."""
    keys = _keys_of(path, (*KEYS, *_OF_TRAIN))
    preset = preset or keys.choice("preset", [*PRESETS], "pairlens")
    modes = keys.names("mode")
    if modes and "train" not in modes:
        raise keys.wrong("mode", f"{', '.join(modes)} is nothing for `train`: use the verb `minimal-pair`.")
    models = _models_of(keys)
    if len(models) > 1:
        raise keys.wrong("models", f"one model is trained at a time, not {len(models)}.")
    model = models[0] if models else Chosen("")
    options = _fields(keys, OPTIONS)
    return TrainingConfig(
        **_fields(keys, _TEXTS),
        source=model.name,
        kind=model.scorer,
        keep=keys.text("keep"),
        drop=keys.text("drop"),
        watch=keys.file("watch"),
        size=keys.text("size"),
        seed=options.pop("seed", None),
        learning_rate=options.pop("learning_rate", None),
        options=options,
        recipe=_fields(keys, _FROM_SCRATCH),
        lower_case=keys.flag("doLower") if "doLower" in keys else None,
        leading_space=keys.flag("addPrefixSpace"),
        device=_device_of(keys),
        preset=preset,
        tokenizer=model.tokenizer,
        remarks=tuple(_remarks(keys, ("train",))),
    )
