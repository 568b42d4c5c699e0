"""Training networks: self-play, learning, and what is kept of it. Playing with a network needs none of this."""
