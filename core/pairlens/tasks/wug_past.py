"""Past tenses of verbs that nobody knows: regular or irregular?"""

from pairlens.tasks._wug import WugTest

TASK = WugTest(
    name="wug_past",
    title="Wug test: past tense",
    about="Does the model prefer one past tense of a new verb over another as people do?",
    paper="Weissweiler et al. 2023, Counting the Bugs in ChatGPT's Wugs, EMNLP",
    cites=("weissweiler2023wugs",),
)
