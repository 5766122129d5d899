"""graphkb.embed."""
