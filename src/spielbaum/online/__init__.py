"""spe_ed over the network: the official protocol, and records of games that were played by it."""
