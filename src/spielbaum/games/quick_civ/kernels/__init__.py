"""Templates for Quick Civ alone, see `spielbaum.compile.link`."""
