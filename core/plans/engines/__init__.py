"""Engines: who runs a plan's workers. Each is a function from chunks to their outcomes, in any order.

local  processes of this machine
"""
