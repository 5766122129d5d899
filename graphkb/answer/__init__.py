"""graphkb.answer."""
