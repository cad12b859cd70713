"""What a run on reading times does otherwise than BabyLM's pipeline, and why."""

from pairlens.policies import NO_CONTEXT, Policy
from pairlens.types import ScorerKind

HEADING = "Different from BabyLM's pipeline, whose numbers the preset babylm-2025 gives:"

_DECODER = (
    "The pipeline's decoder reads BOS and nothing else. Here it starts as its configuration says, with the mask"
)
_READ = {
    "causal": "The pipeline puts a start symbol before contexts only where the tokenizer does. Here they follow one, "
    "as texts do in training, unless another choice is made.",
    "seq2seq": f"{_DECODER}, and keeps a word's earlier tokens.",
    "seq2seq_mask": f"{_DECODER}.",
}
"""By scorer, what the network is shown."""


def differences(kind: ScorerKind, policy: Policy) -> list[str]:
    """One sentence or two for each difference; none for a run as the pipeline's."""
    if "tokens" not in kind.reads:
        return [f"The pipeline has no scorer like {kind.name}."]
    if policy.tokens == "rewritten":
        return []
    first_unscored = "first_token" in kind.reads and policy.first_token == "bos-unscored"
    sentences = [
        "The pipeline cuts words into tokens without the space before them. Here they have it, as they do in texts.",
        "The pipeline writes out each token of a word and cuts the whole text anew, which changes tokens inside "
        "words (##ing). Here context and word are cut once, together.",
        f"The pipeline reads a word without a context after the word {NO_CONTEXT}, and takes a context that is this "
        "word for a missing one. Here a missing context is taken from the sentence"
        + (", and first words are not scored." if first_unscored else "."),
        _READ.get(kind.name, ""),
    ]
    if "pll" in kind.reads and policy.pll != "left_to_right":
        sentences.append("The pipeline shows a masked model only what precedes a word. Here it was chosen otherwise.")
    if policy.text != "as-typed" or policy.detokenise:
        sentences.append(
            "The pipeline reads every character as typed. Here typographic variants are mapped for models that do "
            "not know them."
        )
    return [sentence for sentence in sentences if sentence]
