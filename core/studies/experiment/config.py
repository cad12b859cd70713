"""NLPScholar's configuration files for `exp: MinimalPair`, read with their published keys and defaults.

Additional keys: `preset` (as `--as`), `expected` and `unexpected` (values of the comparison column), `item` and `ROI`
(columns), `region_summary`, `spill`, `interaction`, `contrast`, `separator` (between documents in training; none with
`preset: nlpscholar`). Paths are relative to the working directory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.analysis.experiment import MEASURES, SUMMARIES
from core.errors import InputError, unknown
from core.models.cards import folders
from core.models.resolve import is_folder
from core.policies import CHOICES, PRESETS
from core.studies.experiment.keys import Keys
from core.studies.experiment.specification import MODES, SAVED, TABLES, Chosen, Experiment, Training
from core.training.options import SEPARATORS, STRATEGIES, Options, of_preset

_FILES = ("datafpath", "predfpath", "resultsfpath", "trainfpath", "validfpath", "modelfpath")
_SCORING = ("device", "precision", "PLL_type", "doLower", "addPrefixSpace", "stride", "preset")
_ANALYSIS = (
    "pred_measure", "word_summary", "punctuation", "conditions", "save", "sep", "expected", "unexpected", "item",
    "ROI", "region_summary", "spill", "interaction", "contrast",
)  # fmt: skip
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


def _choice(choices: Collection[str]) -> Callable[[Keys, str, str], str]:
    return lambda keys, key, default: keys.choice(key, choices, default)


OPTIONS: dict[str, tuple[str, Callable[[Keys, str, Any], Any]]] = {
    "epochs": ("epochs", Keys.number),
    "learning_rate": ("learning_rate", Keys.number),
    "weight_decay": ("weight_decay", Keys.number),
    "batchSize": ("batch_size", Keys.whole),
    "maxTrainSequenceLength": ("max_length", Keys.whole),
    "maskProbability": ("mask_probability", Keys.number),
    "samplePercent": ("sample_percent", Keys.number),
    "separator": ("separator", _choice(SEPARATORS)),
    "seed": ("seed", Keys.whole),
    "eval_strategy": ("eval_strategy", _choice(STRATEGIES)),
    "eval_steps": ("eval_steps", Keys.whole),
    "save_strategy": ("save_strategy", _choice(STRATEGIES)),
    "save_steps": ("save_steps", Keys.whole),
    "load_best_model_at_end": ("load_best_model_at_end", Keys.flag),
    "loadPretrained": ("pretrained", Keys.flag),
}
"""Published keys of training: the field of `Options`, and how its value is read."""
_OTHERS = {
    "TextClassification": "lets a classifier label texts",
    "TokenClassification": "lets a classifier label the words of texts",
    "LanguageModel": "gives the perplexity of typed texts (here: the verb `perplexity`)",
    "WordPredictability": "writes the surprisal of tokens (here: exp: MinimalPair with mode: evaluate writes it too)",
}
"""NLPScholar's other experiments, and what they do."""
KEYS = ("exp", "mode", "models", "tokenizers", *_FILES, *_SCORING, "textLabel", *OPTIONS, *_ANALYSIS, *_IDLE)

_SCORERS = {"hf_causal_model": "causal", "hf_masked_model": "masked"}
_DEVICES = {"best": "auto", "auto": "auto", "cpu": "cpu", "cuda": "cuda", "mps": "mps"}
_PRECISIONS = {"full": "float32", "16bit": "float16"}
_ROLES = {"expected": "expected", "unexpected": "unexpected", "item": "item", "ROI": "roi"}
_NEEDED = {
    "train": ("models", "trainfpath", "modelfpath"),
    "evaluate": ("models", "datafpath", "predfpath"),
    "analyze": ("predfpath", "resultsfpath"),
}


def read_config(path: Path, preset: str = "") -> tuple[Experiment, list[str]]:
    """The experiment that a configuration describes, and remarks about what has no effect here.

    `preset` takes the place of the configuration's. Raises InputError or PolicyError, in one sentence that names file
    and key.
    """
    keys = keys_of(path, KEYS)
    modes = _modes(keys)
    preset = preset or keys.choice("preset", PRESETS, "pairlens")
    for mode in modes:
        for key in _NEEDED[mode]:
            if key not in keys:
                raise InputError(f"mode {mode} needs the key {key}.", path.name)
    models = named_models(keys)
    experiment = Experiment(
        modes=modes,
        models=models,
        data=keys.file("datafpath") if "evaluate" in modes or "analyze" in modes else None,
        predictions=keys.path("predfpath")
        if "evaluate" in modes or "analyze" not in modes
        else keys.file("predfpath"),
        results=keys.path("resultsfpath"),
        save=_save(keys),
        delimiter=_delimiter(keys),
        preset=preset,
        roles=_roles(keys),
        lenient=True,
        scoring=_scoring(keys),
        counting=_counting(keys),
        lower_case=keys.flag("doLower", False),
        interaction=keys.names("interaction"),
        contrast=keys.text("contrast"),
        training=_training(keys, models, preset) if "train" in modes else None,
        device=device_of(keys),
        batch_size=keys.whole("batchSize", 0),
    )
    try:
        trained = [experiment.training.options.remark] if experiment.training else []
        return experiment.check(), [*remarks(keys, modes), *filter(None, trained), *_unknown_tables(keys)]
    except InputError as error:
        raise InputError(str(error), path.name) from None


def keys_of(path: Path, known: Collection[str]) -> Keys:
    """The keys of a configuration for `exp: MinimalPair`; InputError for another experiment or an unknown key."""
    keys = Keys(path)
    if (kind := keys.text("exp", "MinimalPair")) in _OTHERS:
        raise keys.wrong("exp", f"NLPScholar's {kind} {_OTHERS[kind]}; Pairlens runs exp: MinimalPair only.")
    keys.choice("exp", ("MinimalPair",), "MinimalPair")
    keys.check_known(known)
    return keys


def device_of(keys: Keys) -> str:
    """The device of a configuration, in the terms of the settings; empty if it names none."""
    return _DEVICES[keys.choice("device", _DEVICES, "best")] if "device" in keys else ""


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


def named_models(keys: Keys) -> tuple[Chosen, ...]:
    """The models that a configuration names, each with the scorer of its kind."""
    listed = keys.group("models", _SCORERS)
    models = tuple(Chosen(_place(name), _SCORERS[kind]) for kind, names in listed.items() for name in names)
    if "models" in keys and not models:
        raise keys.wrong("models", "no model is named.")
    tokenizers = [name for names in keys.group("tokenizers", ("hf_tokenizer",)).values() for name in names]
    if tokenizers and len(tokenizers) != len(models):
        raise keys.wrong("tokenizers", f"{len(tokenizers)} tokenizers for {len(models)} models: one each, or none.")
    named = zip(models, map(_place, tokenizers), strict=False)
    others = [replace(model, tokenizer=other) if other != model.name else model for model, other in named]
    return tuple(others) or models


def _place(name: str) -> str:
    """The name for `core.models.find`: as published, a folder in the working directory precedes the model hub."""
    here = (Path(name) / "config.json").is_file() and name not in folders() and not is_folder(name)
    return f"./{name}" if here else name


def _save(keys: Keys) -> tuple[str, ...]:
    """The tables to write; as published, names that are none are passed over."""
    return tuple(name for name in keys.names("save") if name in SAVED) if "save" in keys else TABLES


def _unknown_tables(keys: Keys) -> list[str]:
    others = [name for name in keys.names("save") if name not in SAVED]
    return [f"save: {unknown('table', name, SAVED)} It is left out." for name in others]


def _delimiter(keys: Keys) -> str:
    """The separator of columns, white space included; empty if the file's ending determines it."""
    if (sep := keys.value("sep")) is None:
        return ""
    if not isinstance(sep, str) or len(sep := sep.replace("\\t", "\t")) != 1:
        raise keys.wrong("sep", "expected the one character that separates columns.")
    return sep


def _roles(keys: Keys) -> dict[str, Any]:
    """The columns that are named. A configuration without conditions means none."""
    given = {field: keys.text(key) for key, field in _ROLES.items() if key in keys}
    return {**given, "conditions": keys.names("conditions")}


def _scoring(keys: Keys) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if "PLL_type" in keys:
        fields["pll"] = keys.choice("PLL_type", ("within_word_l2r", "original"), "within_word_l2r")
    if "precision" in keys:
        if (precision := keys.text("precision")) in ("8bit", "4bit"):
            raise keys.wrong(
                "precision", f"{precision} weights need a graphics card and a library that is not used here."
            )
        fields["dtype"] = _PRECISIONS[keys.choice("precision", _PRECISIONS, "full")]
    if "addPrefixSpace" in keys:
        fields["leading_space"] = keys.flag("addPrefixSpace", False)
    if "stride" in keys:
        fields["stride"] = keys.whole("stride", 0)
    return fields


def _counting(keys: Keys) -> dict[str, Any]:
    return {
        "measure": keys.choice("pred_measure", MEASURES, "surp"),
        "word_summary": keys.choice("word_summary", SUMMARIES, "mean"),
        "punctuation": keys.choice("punctuation", tuple(CHOICES["punctuation"]), "previous"),
        "region_summary": keys.choice("region_summary", SUMMARIES, "mean"),
        "spill": keys.whole("spill", 0),
    }


def _training(keys: Keys, models: Sequence[Chosen], preset: str) -> Training:
    if len(models) != 1:
        raise keys.wrong("models", f"mode train takes one model at a time, not {len(models)}.")
    texts, output = keys.file("trainfpath"), keys.path("modelfpath")
    assert texts is not None
    assert output is not None
    given = {**of_preset(preset), **training_options(keys)}
    try:
        options = Options(**given)
    except InputError as error:
        raise keys.wrong("training", str(error)) from None
    return Training(texts, output, keys.file("validfpath"), keys.text("textLabel", "text"), options)


def training_options(keys: Keys) -> dict[str, Any]:
    """The fields of `Options` that a configuration gives."""
    usual = Options()
    return {field: read(keys, key, getattr(usual, field)) for key, (field, read) in OPTIONS.items() if key in keys}


def remarks(keys: Keys, modes: Sequence[str]) -> list[str]:
    """Remarks about keys that have no effect, and about models that are folders."""
    messages = [
        f"{key} has no effect here: {why}."
        for key, (usual, why) in _IDLE.items()
        if key in keys and keys.value(key) != usual
    ]
    if "train" in modes and keys.text("precision", "full") != "full":
        messages.append("Training is in single precision; precision is for evaluation.")
    if "train" not in modes and not keys.flag("loadPretrained", True):
        messages.append("loadPretrained has no effect here: random weights are only trained, not scored.")
    listed = [name for names in keys.group("models", _SCORERS).values() for name in names]
    messages += [f"models: {name} is the folder {_place(name)}." for name in listed if _place(name) != name]
    return messages
