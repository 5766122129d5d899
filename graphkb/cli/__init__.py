"""graphkb.cli."""
