"""Dataframes into Altair charts, in one visual language: one subject per file.

    style, hues, measure    what all share: colours and axes; a hue and a mark per name; what an axis shows
    named_rows              rows that bear long names, under the names of their sections
    drawing, drawable       a chart as Vega-Lite or as a drawing; characters that no drawing can hold

The two members of a pair are always the same two hues with different marks: A a blue circle, B an orange square. What
both share is grey. Differences are blue above zero (A is ahead) and orange below. Models have hues of their own.
Positions are the axis and words their labels, so that a word may occur twice. Every chart takes the finding as
`finding`: its alternative text.
"""
