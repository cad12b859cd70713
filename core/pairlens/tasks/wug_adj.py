"""Nouns from adjectives that nobody knows: -ity or -ness?"""

from pairlens.tasks._wug import WugTest

TASK = WugTest(
    name="wug_adj",
    title="Wug test: nouns from adjectives",
    about="Does the model prefer -ity over -ness after a new adjective as people do?",
    paper="Hofmann et al. 2024, Derivational Morphology Reveals Analogical Generalization in Large Language Models",
    cites=("hofmann2024derivational",),
    aliases=("wug",),
)
