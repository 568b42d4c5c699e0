"""Scenes: what a position looks like, as data that any front end can draw."""
