"""Semantic groups: which of the fifteen coarse groups a UMLS semantic type (TUI) belongs to.

The table is the UMLS Semantic Groups file (SemGroups.txt) of the UMLS Semantic Network, courtesy of the U.S. National
Library of Medicine; see McCray, Burgun and Bodenreider 2001, "Aggregating UMLS semantic types for reducing conceptual
complexity", Medinfo 10:216-220.
"""

from __future__ import annotations

from collections.abc import Iterable

GROUPS: dict[str, tuple[str, ...]] = {
    # Activities & Behaviors
    "ACTI": ("T051", "T052", "T053", "T054", "T055", "T056", "T057", "T064", "T066"),
    # Anatomy
    "ANAT": ("T017", "T018", "T021", "T022", "T023", "T024", "T025", "T026", "T029", "T030", "T031"),
    # Chemicals & Drugs
    "CHEM": (
        "T103", "T104", "T109", "T110", "T111", "T114", "T115", "T116", "T118", "T119", "T120", "T121",
        "T122", "T123", "T124", "T125", "T126", "T127", "T129", "T130", "T131", "T192", "T195", "T196",
        "T197", "T200",
    ),
    # Concepts & Ideas
    "CONC": ("T077", "T078", "T079", "T080", "T081", "T082", "T089", "T102", "T169", "T170", "T171", "T185"),
    # Devices
    "DEVI": ("T074", "T075", "T203"),
    # Disorders
    "DISO": ("T019", "T020", "T033", "T037", "T046", "T047", "T048", "T049", "T050", "T184", "T190", "T191"),
    # Genes & Molecular Sequences
    "GENE": ("T028", "T085", "T086", "T087", "T088"),
    # Geographic Areas
    "GEOG": ("T083",),
    # Living Beings
    "LIVB": (
        "T001", "T002", "T004", "T005", "T007", "T008", "T010", "T011", "T012", "T013", "T014", "T015",
        "T016", "T096", "T097", "T098", "T099", "T100", "T101", "T194", "T204",
    ),
    # Objects
    "OBJC": ("T071", "T072", "T073", "T167", "T168"),
    # Occupations
    "OCCU": ("T090", "T091"),
    # Organizations
    "ORGA": ("T092", "T093", "T094", "T095"),
    # Phenomena
    "PHEN": ("T034", "T038", "T067", "T068", "T069", "T070"),
    # Physiology
    "PHYS": ("T032", "T039", "T040", "T041", "T042", "T043", "T044", "T045", "T201"),
    # Procedures
    "PROC": ("T058", "T059", "T060", "T061", "T062", "T063", "T065"),
}

GROUP_OF: dict[str, str] = {tui: group for group, tuis in GROUPS.items() for tui in tuis}

# An experimental model of disease (T050) is a way to study a disorder, not a disorder somebody has.
DISORDER_TYPES: frozenset[str] = frozenset(GROUPS["DISO"]) - {"T050"}
CHEMICAL_TYPES: frozenset[str] = frozenset(GROUPS["CHEM"])


def group_of(types: Iterable[str]) -> str:
    """Return the group of the first type that has one (``DISO``, ``CHEM``, ...), else ``""``.

    Examples
    --------
    >>> group_of(("T047",)), group_of(("T121", "T109")), group_of(("drug",))
    ('DISO', 'CHEM', '')
    """
    return next((GROUP_OF[tui] for tui in types if tui in GROUP_OF), "")
