"""The closed list of concept relations, which predicate belongs to which, and how a fact reads.

A relation's *type* is one of `RELATION_TYPES` (a Biolink group); its ``predicate`` property keeps the exact word.
Subject and object are those of the true direction: ``(drug)-[TREATS]->(disease)``.

A vocabulary writes a fact twice, once from each end (``may_treat`` / ``may_be_treated_by``). Here each has one
direction: the left predicate of a pair below. MRREL's direction is ``CUI2 RELA CUI1``: the *second* concept is the
subject (UMLS Reference Manual, MRREL); read the other way round every fact is inverted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

RELATION_TYPES: tuple[str, ...] = (
    "AFFECTS",
    "ASSOCIATED_WITH",
    "CAUSES",
    "CONTRAINDICATED_FOR",
    "DIAGNOSES",
    "HAS_PART",
    "HAS_PHENOTYPE",
    "INTERACTS_WITH",
    "ISA",
    "LOCATED_IN",
    "PREVENTS",
    "RELATED",
    "TREATS",
)

# In the order in which a patient's record is told. PRESCRIBED and ORDERED are orders; only ADMINISTERED was given.
FACT_TYPES: tuple[str, ...] = (
    "HAS_DIAGNOSIS", "HAS_PROCEDURE", "PRESCRIBED", "HAS_LAB", "ADMINISTERED", "HAS_OBSERVATION", "TESTED", "GREW",
    "STAYED_IN", "ORDERED", "BILLED_AS",
)

# Biolink predicate -> relation type, for statements read from text or given by a source.
STATEMENT_PREDICATES: dict[str, str] = {
    "affects": "AFFECTS",
    "associated_with": "ASSOCIATED_WITH",
    "causes": "CAUSES",
    "contraindicated_in": "CONTRAINDICATED_FOR",
    "diagnoses": "DIAGNOSES",
    "has_phenotype": "HAS_PHENOTYPE",
    "interacts_with": "INTERACTS_WITH",
    "located_in": "LOCATED_IN",
    "preventative_for_condition": "PREVENTS",
    "related_to": "RELATED",
    "subclass_of": "ISA",
    "treats": "TREATS",
}

NODE_LABELS: tuple[str, ...] = (
    "Source", "Document", "Chunk", "Mention", "Concept", "Code", "Statement", "TagSummary", "Page", "Patient",
    "Encounter", "Run", "Dirty", "Meta",
)

# What the content fingerprint covers; chunks have a query of their own, without vectors.
CONTENT_LABELS: tuple[str, ...] = (
    "Source", "Document", "Mention", "Concept", "Code", "Statement", "Patient", "Encounter",
)
CONTENT_RELATIONSHIPS: tuple[str, ...] = (
    "FROM", "OF_PATIENT", "DURING", "PART_OF", "NEXT", "HAS_MENTION", "REFERS_TO", "SUBJECT", "OBJECT",
    "EVIDENCED_BY", "CODE_OF", *FACT_TYPES, *RELATION_TYPES,
)

# Closed sets that a query file may be expanded over (`// each: NAME`); see `graphkb.queries.loader`.
CLOSED_SETS: dict[str, tuple[str, ...]] = {
    "relation_type": RELATION_TYPES,
    "fact_type": FACT_TYPES,
    "node_label": NODE_LABELS,
    "content_label": CONTENT_LABELS,
    "content_relationship": CONTENT_RELATIONSHIPS,
}

# type -> "predicate/its inverse …": the left one is stored; a lone or doubled word is symmetric.
_PAIRS: dict[str, str] = {
    "ISA": "isa/inverse_isa",
    "TREATS": "may_treat/may_be_treated_by may_palliate/may_be_palliated_by treats/treated_by",
    "PREVENTS": "may_prevent/may_be_prevented_by prevents/prevented_by",
    "DIAGNOSES": "may_diagnose/may_be_diagnosed_by diagnoses/diagnosed_by",
    "CAUSES": "causative_agent_of/has_causative_agent cause_of/due_to causes/caused_by induces/induced_by"
              " etiology_of/has_etiology",
    "CONTRAINDICATED_FOR": "contraindicated_with_disease/has_contraindicated_drug"
                           " has_contraindicated_class/contraindicated_class_of"
                           " has_contraindicated_mechanism_of_action/contraindicated_mechanism_of_action_of"
                           " has_contraindicated_physiologic_effect/contraindicated_physiologic_effect_of",
    "INTERACTS_WITH": "interacts_with",
    "HAS_PHENOTYPE": "has_manifestation/manifestation_of has_phenotype/phenotype_of"
                     " has_definitional_manifestation/definitional_manifestation_of"
                     " disease_has_finding/is_finding_of_disease"
                     " disease_may_have_finding/may_be_finding_of_disease",
    "LOCATED_IN": "has_finding_site/finding_site_of has_location/location_of located_in/contains_location"
                  " has_procedure_site/procedure_site_of has_direct_procedure_site/direct_procedure_site_of"
                  " has_indirect_procedure_site/indirect_procedure_site_of"
                  " disease_has_primary_anatomic_site/is_primary_anatomic_site_of_disease"
                  " disease_has_associated_anatomic_site/is_associated_anatomic_site_of"
                  " has_inherent_location/inherent_location_of",
    "HAS_PART": "has_part/part_of has_ingredient/ingredient_of has_active_ingredient/active_ingredient_of"
                " has_precise_ingredient/precise_ingredient_of"
                " has_precise_active_ingredient/precise_active_ingredient_of"
                " has_basis_of_strength_substance/basis_of_strength_substance_of consists_of/constitutes"
                " contains/contained_in has_component/component_of has_constitutional_part/constitutional_part_of"
                " has_regional_part/regional_part_of has_branch/branch_of has_tributary/tributary_of"
                " has_member/member_of",
    "AFFECTS": "affects/affected_by has_mechanism_of_action/mechanism_of_action_of"
               " has_physiologic_effect/physiologic_effect_of regulates/regulated_by"
               " positively_regulates/positively_regulated_by negatively_regulates/negatively_regulated_by"
               " inhibits/inhibited_by has_target/target_of"
               " chemical_or_drug_affects_gene_product/gene_product_affected_by_chemical_or_drug",
    "ASSOCIATED_WITH": "associated_with co-occurs_with clinically_associated_with"
                       " has_associated_morphology/associated_morphology_of"
                       " has_associated_finding/associated_finding_of"
                       " has_associated_procedure/associated_procedure_of"
                       " has_pathological_process/pathological_process_of"
                       " gene_associated_with_disease/disease_has_associated_gene"
                       " occurs_after/occurs_before temporally_follows/temporally_followed_by",
    "RELATED": "related_to similar_to possibly_synonymous_with same_as sibling_of has_broader/has_narrower"
               " has_allowed_qualifier/allowed_qualifier_of has_dose_form/dose_form_of has_tradename/tradename_of"
               " mapped_to/mapped_from has_method/method_of classified_as/classifies has_form/form_of"
               " interprets/is_interpreted_by has_interpretation/interpretation_of has_occurrence/occurs_in"
               " has_clinical_course/clinical_course_of has_intent/intent_of has_focus/focus_of"
               " has_access/access_of analyzes/analyzed_by measures/measured_by has_property/property_of"
               " has_system/system_of has_scale_type/scale_type_of has_time_aspect/time_aspect_of"
               " has_class/class_of uses/used_by uses_substance/substance_used_by uses_device/device_used_by"
               " has_specimen/specimen_of has_direct_substance/direct_substance_of"
               " has_direct_morphology/direct_morphology_of has_finding_method/finding_method_of"
               " has_translation/translation_of has_entry_version/entry_version_of"
               " has_permuted_term/permuted_term_of has_expanded_form/expanded_form_of replaces/replaced_by"
               " concept_in_subset/subset_includes_concept",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """How one RELA is read: its type, the stored predicate, whether the subject is CUI1, whether it is symmetric.

    ``known`` is false where no table says what its inverse is called.
    """

    type: str
    predicate: str
    flipped: bool = False
    symmetric: bool = False
    known: bool = True


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation in its true direction. ``known`` is false where no table says what its inverse is called."""

    type: str
    predicate: str
    subject: str
    object: str
    known: bool = True


def _readings() -> dict[str, Reading]:
    found: dict[str, Reading] = {}
    for type_, pairs in _PAIRS.items():
        for pair in pairs.split():
            forward, _, inverse = pair.partition("/")
            found[forward] = Reading(type_, forward, symmetric=not inverse)
            if inverse:
                found[inverse] = Reading(type_, forward, flipped=True)
    return found


# RELA -> how it is read
RELA: dict[str, Reading] = _readings()

# REL -> how a row without a RELA is read: REL, too, is that of the second concept to the first
# (CUI1 PAR CUI2: the second is the parent of the first).
REL: dict[str, Reading] = {
    "PAR": Reading("ISA", "isa", flipped=True),
    "CHD": Reading("ISA", "isa"),
    "RB": Reading("RELATED", "has_broader", flipped=True),
    "RN": Reading("RELATED", "has_broader"),
    "AQ": Reading("RELATED", "has_allowed_qualifier", flipped=True),
    "QB": Reading("RELATED", "has_allowed_qualifier"),
    "RO": Reading("RELATED", "related_to", symmetric=True),
    "RU": Reading("RELATED", "related_to", symmetric=True),
    "RL": Reading("RELATED", "similar_to", symmetric=True),
    "RQ": Reading("RELATED", "possibly_synonymous_with", symmetric=True),
    "SY": Reading("RELATED", "same_as", symmetric=True),
    "SIB": Reading("RELATED", "sibling_of", symmetric=True),
}


@cache
def reading_of(rel: str, rela: str) -> Reading | None:
    """Return how an MRREL row with these words is read, or None where REL is none that asserts a relation.

    A PAR or CHD row with a RELA that is not in the table is still a step of the hierarchy. Any other row with such
    a RELA is ``CUI2 RELA CUI1`` of type RELATED with ``known=False``: whoever has its inverse row pairs the two.
    """
    if rela in RELA:
        return RELA[rela]
    if not rela or rel in ("PAR", "CHD"):
        return REL.get(rel)
    return Reading("RELATED", rela, known=False) if rel in REL else None


def contradictions(inverses: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return those pairs of a release's own list of inverse words (MRDOC) that the table above pairs otherwise."""
    return sorted((word, inverse) for word, inverse in inverses.items()
                  if word in RELA and inverse in RELA and word != inverse
                  and (RELA[word].predicate, RELA[word].flipped) != (RELA[inverse].predicate, not RELA[inverse].flipped)
                  and word < inverse)


def ends(reading: Reading, cui1: str, cui2: str) -> tuple[str, str]:
    """Return subject and object of an MRREL row."""
    swapped = reading.flipped if not reading.symmetric else cui1 < cui2
    return (cui1, cui2) if swapped else (cui2, cui1)


def read_mrrel(rel: str, rela: str, cui1: str, cui2: str) -> Relation | None:
    """Return what an MRREL row says, in its true direction, or None where it asserts nothing."""
    reading = reading_of(rel, rela)
    if reading is None:
        return None
    return Relation(reading.type, reading.predicate, *ends(reading, cui1, cui2), reading.known)


def relation_type(predicate: str) -> str:
    """Return the relation type of a stored predicate; RELATED for one that no table has."""
    reading = RELA.get(predicate)
    if reading is not None and not reading.flipped:
        return reading.type
    return STATEMENT_PREDICATES.get(predicate, "RELATED")


# Words of curated sources (Biolink, PubTator, BioRED, ...) that are in no table above; "<" reads the other way round.
_SAID: dict[str, str] = {
    "cid": "causes", "chemical_induced_disease": "causes", "cause": "causes", "contributes_to": "causes",
    "has_side_effect": "causes", "side_effect": "causes", "induce": "causes", "has_adverse_event": "causes",
    "treat": "treats", "treatment": "treats", "indication": "treats", "indicated_for": "treats",
    "applied_to_treat": "treats", "ameliorates": "treats", "palliates": "treats",
    "treatment_for": "treats", "has_treatment": "<treats", "treatable_by": "<treats",
    "prevent": "preventative_for_condition", "contraindication": "contraindicated_in",
    "contraindicated_for": "contraindicated_in", "interact": "interacts_with", "drug_interact": "interacts_with",
    "drug_interaction": "interacts_with", "physically_interacts_with": "interacts_with", "bind": "interacts_with",
    "inhibit": "affects", "stimulate": "affects", "regulate": "affects", "decreases": "affects", "increases": "affects",
    "has_symptom": "has_phenotype", "symptom_of": "<has_phenotype", "presents_with": "has_phenotype",
    "has_manifestation": "has_phenotype", "symptom": "has_phenotype", "expressed_in": "located_in",
    "is_a": "subclass_of", "has_subclass": "<subclass_of", "superclass_of": "<subclass_of", "subtype_of": "subclass_of",
    "diagnose": "diagnoses", "diagnosed_with": "<diagnoses", "association": "associated_with",
    "positive_correlation": "associated_with", "negative_correlation": "associated_with",
    "positively_correlated_with": "associated_with", "negatively_correlated_with": "associated_with",
    "correlated_with": "associated_with", "gene_associated_with_condition": "associated_with",
    "biomarker_for": "associated_with", "in_clinical_trials_for": "associated_with", "associate": "associated_with",
}


@dataclass(frozen=True, slots=True)
class Said:
    """How a source's word for a relation is read: our predicate, its own word, and whether its ends change places."""

    predicate: str
    word: str
    flipped: bool = False


@cache
def statement_predicate(word: str) -> Said:
    """Return how a source's word for a relation is read; a word that no table has is ``related_to``.

    Examples
    --------
    >>> statement_predicate("biolink:treats").predicate, statement_predicate("may be treated by").flipped
    ('treats', True)
    """
    plain = re.sub(r"[^a-z0-9]+", "_", word.rpartition(":")[2].strip().casefold()).strip("_")
    if plain in STATEMENT_PREDICATES:
        return Said(plain, word)
    if plain in _SAID:
        return Said(_SAID[plain].removeprefix("<"), word, _SAID[plain].startswith("<"))
    reading = RELA.get(plain)
    predicate = _OF_TYPE.get(reading.type, "") if reading else ""
    if reading is None or not predicate:
        return Said("related_to", word)
    return Said(predicate, word, reading.flipped)


_OF_TYPE = {type_: predicate for predicate, type_ in STATEMENT_PREDICATES.items() if type_ != "RELATED"}

_TEMPLATES: dict[str, str] = {
    "isa": "{s} is a kind of {o}",
    "subclass_of": "{s} is a kind of {o}",
    "may_palliate": "{s} may palliate {o}",
    "preventative_for_condition": "{s} prevents {o}",
    "contraindicated_in": "{s} is contraindicated in {o}",
    "contraindicated_with_disease": "{s} is contraindicated in {o}",
    "has_contraindicated_class": "{s} is contraindicated with the class {o}",
    "has_contraindicated_mechanism_of_action": "{s} is contraindicated with the mechanism of action {o}",
    "has_contraindicated_physiologic_effect": "{s} is contraindicated with the physiologic effect {o}",
    "causative_agent_of": "{s} is the causative agent of {o}",
    "cause_of": "{s} is a cause of {o}",
    "etiology_of": "{s} is the etiology of {o}",
    "associated_with": "{s} is associated with {o}",
    "clinically_associated_with": "{s} is clinically associated with {o}",
    "gene_associated_with_disease": "{s} is a gene associated with {o}",
    "co-occurs_with": "{s} co-occurs with {o}",
    "located_in": "{s} is located in {o}",
    "has_location": "{s} is located in {o}",
    "has_finding_site": "{s} has the finding site {o}",
    "has_manifestation": "{s} can manifest as {o}",
    "has_definitional_manifestation": "{s} is defined by the manifestation {o}",
    "has_phenotype": "{s} has the phenotype {o}",
    "disease_has_finding": "{s} has the finding {o}",
    "disease_may_have_finding": "{s} may have the finding {o}",
    "disease_has_primary_anatomic_site": "{s} has the primary site {o}",
    "disease_has_associated_anatomic_site": "{s} has the associated site {o}",
    "has_part": "{s} has {o} as a part",
    "has_ingredient": "{s} has the ingredient {o}",
    "has_active_ingredient": "{s} has the active ingredient {o}",
    "has_mechanism_of_action": "{s} has the mechanism of action {o}",
    "has_physiologic_effect": "{s} has the physiologic effect {o}",
    "has_broader": "{s} is narrower than {o}",
    "related_to": "{s} is related to {o}",
    "similar_to": "{s} is similar to {o}",
    "possibly_synonymous_with": "{s} may be a synonym of {o}",
    "same_as": "{s} is the same as {o}",
    "sibling_of": "{s} is a sibling of {o}",
    "mapped_to": "{s} is mapped to {o}",
    "classified_as": "{s} is classified as {o}",
    "concept_in_subset": "{s} is in the subset {o}",
}


def verbalise(predicate: str, subject_name: str, object_name: str) -> str:
    """Return the fact as a sentence without a full stop: ``lisinopril may treat hypertension``.

    A predicate without a template reads as its own words, which is right for those that are verbs
    (``may_treat``, ``causes``, ``interacts_with``).
    """
    template = _TEMPLATES.get(predicate)
    if template is None:
        return f"{subject_name} {predicate.replace('_', ' ')} {object_name}"
    # one pass over the template: a name that itself holds "{o}" stays as it is
    head, _, tail = template.removeprefix("{s}").partition("{o}")
    return f"{subject_name}{head}{object_name}{tail}"
