"""The exact one-to-one part of the General Equivalence Mappings from ICD-9-CM to ICD-10-CM."""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files


@cache
def _table() -> dict[str, str]:
    packed = (files(__package__) / "icd9_to_icd10cm.tsv.gz").read_bytes()
    lines = gzip.decompress(packed).decode("ascii").splitlines()
    return dict(line.split("\t") for line in lines)


def icd10_of(icd9: str) -> str:
    """Return the ICD-10-CM diagnosis that is exactly an ICD-9-CM one, with its dot, else "".

    Examples
    --------
    >>> icd10_of("001.0"), icd10_of("V58.67"), icd10_of("401.9")
    ('A00.0', 'Z79.4', '')
    """
    code = _table().get(icd9.replace(".", ""), "")
    return code if len(code) <= 3 else f"{code[:3]}.{code[3:]}"
