"""Between two decisions: what becomes of the tree. A way is a file here, with a host that keeps a part of the tree."""

DEFAULT, HELP = "fresh", "what becomes of the tree after the move"
