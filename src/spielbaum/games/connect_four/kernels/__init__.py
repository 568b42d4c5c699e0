"""Templates of Connect Four, see `spielbaum.link`."""
