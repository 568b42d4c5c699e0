"""The browser app: a server that lets people play any game, watch agents, and look into their search."""
