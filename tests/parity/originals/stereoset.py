"""Run the multilingual successor of StereoSet (slds-lmu/stereotypes-multi) and keep its scores in stereoset.json.

`python -m tests.parity.originals.stereoset FOLDER`, FOLDER being a checkout. Nothing of Pairlens is used. The
original is run as it is, one text at a time, but for a method of tokenizers that transformers no longer has.
"""

import os
import sys
from argparse import Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.parity.originals import record
from tests.parity.originals.stereoset_asked import ASKED, BETWEEN, WITHIN, frame, write

DIGITS = 8


def main(original):
    sys.path.insert(0, str(original / "code"))
    import transformers
    from inference import inference

    transformers.utils.logging.set_verbosity_error()
    base = transformers.PreTrainedTokenizerBase
    base.batch_encode_plus = lambda self, batch_text_or_text_pairs, **options: self(
        batch_text_or_text_pairs, **options
    )
    with TemporaryDirectory() as folder:
        os.chdir(folder)  # names of models are relative: the original looks for "t5" in the whole path
        write(Path())
        for task in (WITHIN, BETWEEN):
            frame(task).to_pickle(f"df_{task}_en.pkl")
        found = {}
        for name, one in ASKED.items():
            scores = inference(arguments(one))
            found[name] = {
                each["id"]: float(f"{each['score']:.{DIGITS}g}") for task in scores for each in scores[task]
            }
            print(name, found[name], flush=True)
    record.write(__file__, ("torch", "transformers"), scores=found)


def arguments(one):
    """The original's command line; its list of models is fixed, so that it is not asked to parse it."""
    return Namespace(
        pretrained_class=one.model, device="cpu", tokenizer_name=one.tokenizer, batch_size=1, num_workers=0,
        case_no=one.case, nsp_model_path=one.checkpoint or None,
        skip_intrasentence=not one.within, skip_intersentence=not one.between,
        intrasentence_model=one.within, intrasentence_df_file=f"df_{WITHIN}_en.pkl",
        intersentence_model=one.between, intersentence_df_file=f"df_{BETWEEN}_en.pkl",
    )  # fmt: skip


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
