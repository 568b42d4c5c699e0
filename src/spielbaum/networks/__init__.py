"""Networks in the tree: small nets that are evaluated inside compiled kernels, trained on an ordinary computer."""
