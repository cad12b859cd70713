"""Data frames into Altair charts with one visual language, one subject per file.

    style, hues             shared by all: colours, axes, tooltips; a hue and a mark per name
    named_rows              axes: rows with long names under section headings; what an axis measures
    drawing                 a chart as Vega-Lite or as an image
    figure                  a chart as a figure for print

The two members of a pair always have the same hues and marks: A is a blue circle, B an orange square, and words that
they share are grey. Differences are blue above zero (A is ahead) and orange below. Models have their own hues. Axes
of words show positions, labelled with words, so that a word may occur twice. Every chart takes its main result as
`finding`, for the alternative text.
"""
