"""Semantic types of the UMLS: what a TUI is called, and where it stands in the hierarchy.

The table is from SRDEF of the UMLS Semantic Network, courtesy of the U.S. National Library of Medicine.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SemanticType:
    """``tree`` is its number in the hierarchy: the parent of ``A1.1.3`` is ``A1.1``."""

    tui: str
    tree: str
    name: str


_TABLE = """
T001 A1.1 Organism
T002 A1.1.3.3 Plant
T004 A1.1.3.2 Fungus
T005 A1.1.4 Virus
T007 A1.1.2 Bacterium
T008 A1.1.3.1 Animal
T010 A1.1.3.1.1 Vertebrate
T011 A1.1.3.1.1.1 Amphibian
T012 A1.1.3.1.1.2 Bird
T013 A1.1.3.1.1.3 Fish
T014 A1.1.3.1.1.5 Reptile
T015 A1.1.3.1.1.4 Mammal
T016 A1.1.3.1.1.4.1 Human
T017 A1.2 Anatomical Structure
T018 A1.2.1 Embryonic Structure
T019 A1.2.2.1 Congenital Abnormality
T020 A1.2.2.2 Acquired Abnormality
T021 A1.2.3 Fully Formed Anatomical Structure
T022 A2.1.4.1 Body System
T023 A1.2.3.1 Body Part, Organ, or Organ Component
T024 A1.2.3.2 Tissue
T025 A1.2.3.3 Cell
T026 A1.2.3.4 Cell Component
T028 A1.2.3.5 Gene or Genome
T029 A2.1.5.2 Body Location or Region
T030 A2.1.5.1 Body Space or Junction
T031 A1.4.2 Body Substance
T032 A2.3 Organism Attribute
T033 A2.2 Finding
T034 A2.2.1 Laboratory or Test Result
T037 B2.3 Injury or Poisoning
T038 B2.2.1 Biologic Function
T039 B2.2.1.1 Physiologic Function
T040 B2.2.1.1.1 Organism Function
T041 B2.2.1.1.1.1 Mental Process
T042 B2.2.1.1.2 Organ or Tissue Function
T043 B2.2.1.1.3 Cell Function
T044 B2.2.1.1.4 Molecular Function
T045 B2.2.1.1.4.1 Genetic Function
T046 B2.2.1.2 Pathologic Function
T047 B2.2.1.2.1 Disease or Syndrome
T048 B2.2.1.2.1.1 Mental or Behavioral Dysfunction
T049 B2.2.1.2.2 Cell or Molecular Dysfunction
T050 B2.2.1.2.3 Experimental Model of Disease
T051 B Event
T052 B1 Activity
T053 B1.1 Behavior
T054 B1.1.1 Social Behavior
T055 B1.1.2 Individual Behavior
T056 B1.2 Daily or Recreational Activity
T057 B1.3 Occupational Activity
T058 B1.3.1 Health Care Activity
T059 B1.3.1.1 Laboratory Procedure
T060 B1.3.1.2 Diagnostic Procedure
T061 B1.3.1.3 Therapeutic or Preventive Procedure
T062 B1.3.2 Research Activity
T063 B1.3.2.1 Molecular Biology Research Technique
T064 B1.3.3 Governmental or Regulatory Activity
T065 B1.3.4 Educational Activity
T066 B1.4 Machine Activity
T067 B2 Phenomenon or Process
T068 B2.1 Human-caused Phenomenon or Process
T069 B2.1.1 Environmental Effect of Humans
T070 B2.2 Natural Phenomenon or Process
T071 A Entity
T072 A1 Physical Object
T073 A1.3 Manufactured Object
T074 A1.3.1 Medical Device
T075 A1.3.2 Research Device
T077 A2 Conceptual Entity
T078 A2.1 Idea or Concept
T079 A2.1.1 Temporal Concept
T080 A2.1.2 Qualitative Concept
T081 A2.1.3 Quantitative Concept
T082 A2.1.5 Spatial Concept
T083 A2.1.5.4 Geographic Area
T085 A2.1.5.3 Molecular Sequence
T086 A2.1.5.3.1 Nucleotide Sequence
T087 A2.1.5.3.2 Amino Acid Sequence
T088 A2.1.5.3.3 Carbohydrate Sequence
T089 A2.4.2 Regulation or Law
T090 A2.6 Occupation or Discipline
T091 A2.6.1 Biomedical Occupation or Discipline
T092 A2.7 Organization
T093 A2.7.1 Health Care Related Organization
T094 A2.7.2 Professional Society
T095 A2.7.3 Self-help or Relief Organization
T096 A2.9 Group
T097 A2.9.1 Professional or Occupational Group
T098 A2.9.2 Population Group
T099 A2.9.3 Family Group
T100 A2.9.4 Age Group
T101 A2.9.5 Patient or Disabled Group
T102 A2.8 Group Attribute
T103 A1.4.1 Chemical
T104 A1.4.1.2 Chemical Viewed Structurally
T109 A1.4.1.2.1 Organic Chemical
T114 A1.4.1.2.1.5 Nucleic Acid, Nucleoside, or Nucleotide
T116 A1.4.1.2.1.7 Amino Acid, Peptide, or Protein
T120 A1.4.1.1 Chemical Viewed Functionally
T121 A1.4.1.1.1 Pharmacologic Substance
T122 A1.4.1.1.2 Biomedical or Dental Material
T123 A1.4.1.1.3 Biologically Active Substance
T125 A1.4.1.1.3.2 Hormone
T126 A1.4.1.1.3.3 Enzyme
T127 A1.4.1.1.3.4 Vitamin
T129 A1.4.1.1.3.5 Immunologic Factor
T130 A1.4.1.1.4 Indicator, Reagent, or Diagnostic Aid
T131 A1.4.1.1.5 Hazardous or Poisonous Substance
T167 A1.4 Substance
T168 A1.4.3 Food
T169 A2.1.4 Functional Concept
T170 A2.4 Intellectual Product
T171 A2.5 Language
T184 A2.2.2 Sign or Symptom
T185 A2.4.1 Classification
T190 A1.2.2 Anatomical Abnormality
T191 B2.2.1.2.1.2 Neoplastic Process
T192 A1.4.1.1.3.6 Receptor
T194 A1.1.1 Archaeon
T195 A1.4.1.1.1.1 Antibiotic
T196 A1.4.1.2.3 Element, Ion, or Isotope
T197 A1.4.1.2.2 Inorganic Chemical
T200 A1.3.3 Clinical Drug
T201 A2.3.1 Clinical Attribute
T203 A1.3.1.1 Drug Delivery Device
T204 A1.1.3 Eukaryote
"""
# TUI -> semantic type
SEMANTIC_TYPES: dict[str, SemanticType] = {
    tui: SemanticType(tui, tree, name) for tui, tree, name in (line.split(" ", 2) for line in _TABLE.split("\n")[1:-1])}
_BY_TREE = {found.tree: found.tui for found in SEMANTIC_TYPES.values()}


def parent_of(tui: str) -> str:
    """Return the type above a semantic type, "" for the two roots and for a type that is not in the table.

    Examples
    --------
    >>> parent_of("T047"), parent_of("T191"), parent_of("T071"), parent_of("T999")
    ('T046', 'T047', '', '')
    """
    found = SEMANTIC_TYPES.get(tui)
    if found is None or len(found.tree) == 1:
        return ""
    above, dot, _ = found.tree.rpartition(".")
    return _BY_TREE[above if dot else found.tree[0]]
