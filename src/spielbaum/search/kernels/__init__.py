"""Templates: kernels that are linked with the rules of a game, see `spielbaum.compile.link`."""
