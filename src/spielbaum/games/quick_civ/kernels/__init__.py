"""Templates for Quick Civ alone, see `spielbaum.link`."""
