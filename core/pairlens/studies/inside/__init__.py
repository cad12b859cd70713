"""Where in a network a decision falls: states of one beginning put into the run of another.

question      two beginnings, two forms, what a form is worth in each cell; their tokens, and regions of many items
pair          one pair: its map, its ladder, and what comes next with a patch
proposal      a second beginning for a typed one
table         tables of beginnings, from every format that has them
runs          a table as a stored run, with both controls, and its mean map, with intervals
wording       the answers as sentences and tables of text; how they were computed
"""
