"""Masked next-token prediction: a masked token's log-probability is read at the position before it.

For models trained that way (BehnamGhader et al. 2024, "LLM2Vec"; Charpentier & Samuel 2024, "GPT or BERT: why not
both?"). The first token is scored only if the tokenizer puts a special token before it.
"""

from pairlens.scorers._masked import masked_kind

_TITLE = "mntp: each token given all others, its place masked, read one position earlier"
SCORER = masked_kind("mntp", _TITLE, "mntp", shift=1)
