"""Items from a template and a lexicon: minimal pairs and factorial designs whose cells share their words.

The notation of templates is described in docs/commands.md. Classes and forms are those of `pairlens.text.lexicon`.

syntax      the notation
drawing     the conditions of a template, the words of each item, and these inserted into a condition
template    the templates that come with Pairlens; the items of one as a table of sentences
"""

from pairlens.studies.generator.template import Template, as_pairs, find, generate, templates

__all__ = ["Template", "as_pairs", "find", "generate", "templates"]
