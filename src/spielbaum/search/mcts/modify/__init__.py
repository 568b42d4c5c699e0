"""Modifiers: what can be added to any search. Each is switched on by its first parameter, off at its default.

They take part by defining functions that the loop calls at certain moments; see `EVENTS` in `parts.py`.
"""
