"""Players that only spe_ed has: those of Team Valhalla's report, a finalist, and our best."""
