"""graphkb.security."""
