"""Readers: each is a small class with a ``name`` and ``documents(report)`` (see `graphkb.model.records.Source`)."""
