"""Templates of Connect Four, see `spielbaum.compile.link`."""
