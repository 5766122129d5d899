"""Identifiers that their form or a label gives away: numbers, dates, addresses. What is masked (``___``) is none."""

from __future__ import annotations

import re

_MONTH = (r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|"
          r"Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\.?")
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_NUMBER = r"(?:1[0-2]|0?[1-9])"
_YEAR = r"(?:1[89]|2[0-2])\d\d"
_ORDINAL = rf"{_DAY}(?:st|nd|rd|th)?"
_STREET = (r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Drive|Dr|Lane|Ln|Court|Ct|Place|Pl|Way|Terrace|Ter|Parkway|"
           r"Pkwy|Circle|Cir|Square|Sq|Highway|Hwy|Trail|Crescent)")
_STATE = (r"(?:A[LKZR]|C[AOT]|D[EC]|FL|GA|HI|I[DLNA]|K[SY]|LA|M[EDAINSOT]|N[EVHJMYCD]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|"
          r"V[TA]|W[AVIY])")
_RECORD = (r"(?:MRN|MR\s?\#|(?:medical|med\.?|hospital|patient)\s+rec(?:ord|\.)?|unit|account|acct\.?|hospital|patient|"
           r"pt\.?|chart|visit|encounter|FIN|CSN|accession|case|policy|member|insurance|subscriber|medicare|medicaid|licen[cs]e|"
           r"NPI|DEA|specimen|serial|subject|health\s+plan)")
_SIGN = r"(?:\s*(?:number|numbers|no\.?|nr\.?|num\.?|id|identifier|\#|:|=|is|was))"
_PHONE_CUE = (r"(?:telephone|phone|tel|pager|beeper|fax|cell|mobile|ext|extension|home|work|voicemail|hotline|callback|"
              r"(?:call|reach|page|contact)(?:ed)?(?:\s+(?:at|on|us|me|back|him|her|them))*)")

# The kind, and where in the match the identifier is: group 1 where the pattern has a label before it.
PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("EMAIL", re.compile(r"\b[\w.+%-]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?\.[A-Za-z]{2,}\b")),
    ("URL", re.compile(r"\b(?:https?://|ftp://|www\.)[^\s<>\"')\]]+[^\s<>\"')\].,;:]", re.IGNORECASE)),
    ("IP", re.compile(r"(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.])")),
    ("SSN", re.compile(r"(?<![\d-])\d{3}-\d{2}-\d{4}(?![\d-])")),
    ("SSN", re.compile(r"\b(?:SSN|social\s+security)(?:\s*(?:number|no\.?|\#|:|=|is))*\s*(\d{3}[ -]?\d{2}[ -]?\d{4})\b",
                       re.IGNORECASE)),
    ("DATE", re.compile(rf"(?<![\d/.-]){_YEAR}[-/.]{_NUMBER}[-/.]{_DAY}(?![\d/-])")),
    ("DATE", re.compile(rf"(?:(?<![\d/.-])|(?<=/\d\d-)|(?<=/\d{{4}}-))(?:{_NUMBER}/{_DAY}|{_DAY}/{_NUMBER})/"
                        rf"(?:{_YEAR}|\d\d)(?![\d/])")),
    ("DATE", re.compile(rf"(?<![\d/.-])(?:{_NUMBER}-{_DAY}|{_DAY}-{_NUMBER})-{_YEAR}(?![\d-])")),
    ("DATE", re.compile(r"(?<![\d/.-])(?:0\d|1[0-2])-(?:0\d|[12]\d|3[01])-\d\d(?![\d-])")),
    ("DATE", re.compile(rf"(?<![\d/.-])(?:{_NUMBER}\.{_DAY}|{_DAY}\.{_NUMBER})\.{_YEAR}(?!\.?\d)")),
    ("DATE", re.compile(rf"(?<![\d/.-]){_NUMBER}[/-]{_YEAR}(?![\d/-])")),
    ("DATE", re.compile(rf"\b{_MONTH}\s+{_ORDINAL}(?:\s*,?\s+{_YEAR}|\s*,\s*'?\d\d)?\b"
                        r"(?!\s*(?:mg|mcg|ml|g|units?|%)\b)")),
    ("DATE", re.compile(rf"\b{_MONTH}(?:(?:\s+of)?\s*,?\s+|-){_YEAR}\b|\b{_MONTH}\s+['’]\d\d\b")),
    ("DATE", re.compile(rf"(?<![\d.]){_ORDINAL}(?:\s+of)?[ -]?{_MONTH}"
                        rf"(?:[ ,-]*(?:{_YEAR}|'?\d\d(?!\d)))?(?![a-z\d])")),
    ("DATE", re.compile(rf"\b(?:on|since|until|till|through|thru|dated?|by|from|before|after|as of|seen|due|"
                        rf"d/c(?:'?ed)?|between|dob|born):?\s+({_NUMBER}[/-]{_DAY}(?:-\d\d)?)(?![\d/%-])",
                        re.IGNORECASE)),
    ("DATE", re.compile(rf"\b(?:from|between)\s+{_NUMBER}/{_DAY}\s*(?:and|to|-|through)\s*({_NUMBER}/{_DAY})(?![\d/%])",
                        re.IGNORECASE)),
    ("DATE", re.compile(rf"\b(?:DOB|date of birth|born)(?:\s*(?:on|is|:|=))*\s*({_YEAR}{_NUMBER}{_DAY}|\d{{6,8}})\b",
                        re.IGNORECASE)),
    ("PHONE", re.compile(r"(?<![\w.+-])(?:\+?1[-. ]?)?(?:\(\d{3}\)[ -]?|\d{3}[-. ])\d{3}[-. ]\d{4}"
                         r"(?:,?\s*(?:x|ext\.?|extension)\s*\d{1,6})?(?![\d-])", re.IGNORECASE)),
    ("PHONE", re.compile(r"(?<![\w+])\+\d{1,3}[ .-]?(?:\(0?\d{1,4}\)[ .-]?)?\d{1,5}(?:[ .-]?\d{2,5}){1,4}(?!\d)")),
    ("PHONE", re.compile(rf"\b{_PHONE_CUE}(?:\s*(?:number|no\.?|\#|:|\.|is|at))*\s*"
                         r"(\(?\d{3}\)?[-. ]?\d{3}[-. ]?\d{4}|\d{3}[-. ]\d{4}|\d{4,7})"
                         r"(?![\d/%.-]*\d|\s*(?:mg|mcg|ml|units?))",
                         re.IGNORECASE)),
    ("PHONE", re.compile(r"(?<![\w.])x\d{4,5}\b")),
    ("RECORD", re.compile(rf"\b{_RECORD}{_SIGN}+\s*"
                          rf"([A-Z]{{0,4}}[- ]?\d(?:[A-Z0-9-]{{2,}}[A-Z0-9]|\d{{3,}}))\b", re.IGNORECASE)),
    ("RECORD", re.compile(r"\b(?:MRN|MR\s?\#|FIN|CSN|NPI|DEA)\s*\#?[:=]?\s*([A-Z]{0,4}-?\d[A-Z0-9-]{2,}\d)\b")),
    ("RECORD", re.compile(r"(?<![\w.+/-])(?!\d*0000\b)\d{7,12}(?![\w/.%-]*\d|\w|\s*(?:cells|copies|units|iu)\b)")),
    ("ADDRESS", re.compile(rf"(?<![\w.])\d{{1,6}}[A-Z]?\s+(?:[NSEW]\.?\s+)?"
                           rf"(?:[A-Z][\w'’-]*\.?\s+|\d+(?:st|nd|rd|th)\s+){{1,3}}{_STREET}\b\.?(?:,?\s+(?:Apt|Apartment|Suite|Ste|Unit|Floor|\#)\.?\s*\#?\w+)?"
                           rf"(?:,?\s+(?:[A-Z][a-z'’-]+\s?){{1,3}},?\s+{_STATE}(?:\s+\d{{5}}(?:-\d{{4}})?)?)?")),
    ("ADDRESS", re.compile(r"\bP\.?\s?O\.?\s+Box\s+\d+", re.IGNORECASE)),
    ("ADDRESS", re.compile(rf"\b(?:[A-Z][a-z'’-]+\s?){{1,3}},\s+{_STATE}\s+\d{{5}}(?:-\d{{4}})?\b")),
    ("AGE", re.compile(r"\b((?:9\d|1[0-2]\d)[- ]?(?:years?|yrs?)?[- ]?(?:old|y/?o|years? of age))\b", re.IGNORECASE)),
)
