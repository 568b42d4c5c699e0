"""spe_ed over the network, by the protocol of the InformatiCup 2021: play elsewhere, be played on, be looked at."""
