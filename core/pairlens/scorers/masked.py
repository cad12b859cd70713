"""Masked language models: the pseudo-log-likelihood of each token, read where it is masked.

Salazar et al. 2020, "Masked language model scoring"; Kauf & Ivanova 2023, "A better way to do masked language model
scoring". See `_masking`.
"""

from pairlens.scorers._masked import masked_kind

SCORER = masked_kind("masked", "masked: each token given all others, its place masked", "mlm", shift=0)
