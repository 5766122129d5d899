"""Presidio's pattern recognisers on a blank spaCy pipeline: no model, nothing fetched."""

from __future__ import annotations

from typing import Any

from graphkb.errors import ConfigError
from ingestion.phi.find import Finding

# what patterns can find; names, places and dates want a model, and own recognisers have them
KINDS = {"CREDIT_CARD": "CARD", "CRYPTO": "ACCOUNT", "IBAN_CODE": "ACCOUNT", "US_BANK_NUMBER": "ACCOUNT",
         "US_DRIVER_LICENSE": "RECORD", "US_PASSPORT": "RECORD", "US_ITIN": "SSN", "US_SSN": "SSN",
         "MEDICAL_LICENSE": "RECORD", "IP_ADDRESS": "IP", "EMAIL_ADDRESS": "EMAIL"}
SCORE = 0.5


class Presidio:
    """The recognisers, loaded once.

    Raises
    ------
    ConfigError
        GKB-106: it is not installed.
    """

    def __init__(self) -> None:
        try:
            import spacy
            from presidio_analyzer import AnalyzerEngine, RecognizerRegistry
            from presidio_analyzer.nlp_engine import SpacyNlpEngine
        except ImportError:
            raise ConfigError("GKB-106", where="phi.presidio",
                              detail="it needs the extra `phi`: pip install 'graphkb-med[phi]'") from None

        engine = SpacyNlpEngine(models=[{"lang_code": "en", "model_name": "blank"}])
        blank = spacy.blank("en")
        blank.max_length = 50_000_000
        engine.nlp = {"en": blank}
        registry = RecognizerRegistry(supported_languages=["en"])
        registry.load_predefined_recognizers(languages=["en"], nlp_engine=engine)
        self._analyzer: Any = AnalyzerEngine(registry=registry, nlp_engine=engine, supported_languages=["en"])

    def find(self, text: str) -> list[Finding]:
        """Return what the recognisers find."""
        results = self._analyzer.analyze(text, language="en", entities=sorted(KINDS), score_threshold=SCORE)
        return [Finding(result.start, result.end, KINDS[result.entity_type]) for result in results]
