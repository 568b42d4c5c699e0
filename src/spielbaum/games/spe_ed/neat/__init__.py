"""NEAT: players whose nets were evolved (Stanley and Miikkulainen 2002), as Team Valhalla first tried it.

A net sees what lies around its head and knows nothing of areas. So it learns to keep clear of lines, and dies in dead
ends. Playing needs this package alone; evolving needs neat-python, the extra `neat`.
"""
