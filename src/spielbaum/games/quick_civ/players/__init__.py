"""Players that only Quick Civ has."""
