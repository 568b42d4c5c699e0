"""Enhancements: what can be added to any search. Each is switched on by its first parameter, off at its default.

They take part by defining functions for certain moments of an iteration; see `EVENTS` in `components.py`.
"""
