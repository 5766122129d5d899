"""graphkb.store."""
