"""The computer player of the thesis: it gives points to moves and sums them along a line (Trier 2021)."""
