"""Plans: many models on many tasks, as one file, run by several workers.

cells        plan.yaml, and its cells, a model on a task each: what one asks, what is stored, what the rest takes
workers      the unit of work, some texts of a cell scored into one part of the store; processes of this machine, or
             actors of a Ray cluster
running      a plan run to its end, whatever happens to single cells; the record of its last run
"""
