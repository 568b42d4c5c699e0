"""Templates for spe_ed alone, see `spielbaum.compile.link`."""
