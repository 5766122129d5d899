"""Three small releases of a vocabulary: what an upgrade does to each concept of the first can be worked out by hand."""

from __future__ import annotations

from pathlib import Path

from tests.helpers import vocabulary as h

HIGH, ASPIRIN, ELEVATED, HEADACHE, DROPSY, CHRONIC, LISINOPRIL, KIDNEY, ERGOT, LOSARTAN = (
    f"C00000{n:02}" for n in range(1, 11))
TEXTS = {
    "one": "Lisinopril treats hypertension. Aspirin treats headache.\n\nElevated blood pressure was seen.",
    "two": "Losartan was given for high blood pressure. No dropsy, but kidney failure. Ergot was stopped.",
    "three": "Chronic cephalgia since May. Aspirin treats chronic cephalgia.",
    "four": "The weather was fine.",
}


def mrcui(cui1: str, rel: str, cui2: str = "", version: str = "2025AB") -> str:
    return f"{cui1}|{version}|{rel}|||{cui2}|{'Y' if cui2 else ''}|"


def first(folder: Path) -> Path:
    """2025AB."""
    return h.write_meta(
        folder,
        MRCONSO=[h.atom(HIGH, "A1", "S1", "1", "Hypertension"),
                 h.atom(HIGH, "A2", "S1", "1", "High blood pressure", tty="SY"),
                 h.atom(ASPIRIN, "A3", "S2", "D1", "Aspirin"), h.atom(ASPIRIN, "A4", "S5", "V", "Acetylsalicylic acid"),
                 h.atom(ELEVATED, "A5", "S1", "3", "Elevated blood pressure"),
                 h.atom(HEADACHE, "A6", "S1", "4", "Headache"), h.atom(DROPSY, "A7", "S1", "5", "Dropsy"),
                 h.atom(CHRONIC, "A8", "S1", "6", "Chronic cephalgia"),
                 h.atom(LISINOPRIL, "A9", "S2", "D7", "Lisinopril"),
                 h.atom(KIDNEY, "A10", "S1", "8", "Kidney failure"), h.atom(ERGOT, "A11", "S3", "9", "Ergot"),
                 h.atom(HIGH, "A12", "S4", "X", "Pressure of blood"),
                 h.atom(HEADACHE, "A13", "S4", "X", "Pressure of head")],
        MRSTY=[h.semantic_type(HIGH, "T047"), h.semantic_type(ASPIRIN, "T121"), h.semantic_type(ELEVATED, "T033"),
               h.semantic_type(HEADACHE, "T184"), h.semantic_type(DROPSY, "T047"), h.semantic_type(CHRONIC, "T184"),
               h.semantic_type(LISINOPRIL, "T121"), h.semantic_type(KIDNEY, "T047"), h.semantic_type(ERGOT, "T121")],
        MRDEF=[h.definition(HIGH, "A1", "Raised pressure.", "S1"), h.definition(KIDNEY, "A10", "Kidneys fail.", "S1")],
        MRREL=[h.relation(HEADACHE, "RO", ASPIRIN, "may_treat", "S2"),
               h.relation(HIGH, "RO", LISINOPRIL, "may_treat", "S2"),
               h.relation(HEADACHE, "RN", CHRONIC, "isa", "S1"), h.relation(HIGH, "RN", ELEVATED, "isa", "S1")],
        MRSAB=[h.vocabulary("S1", sver="1", imeta="2025AB"), h.vocabulary("S2", sver="1"), h.vocabulary("S3", sver="1"),
               h.vocabulary("S4", sver="1"), h.vocabulary("S5", sver="1")])


def second(folder: Path) -> Path:
    """2026AA: one merged, one bequeathed, two gone, one new, two renamed, a type changed, a code in a new version."""
    return h.write_meta(
        folder,
        MRCONSO=[h.atom(HIGH, "A1", "S1", "1", "Hypertension"),
                 h.atom(HIGH, "A2", "S1", "1", "High blood pressure", tty="SY"),
                 h.atom(HIGH, "A5", "S1", "3", "Elevated blood pressure", tty="SY"),
                 h.atom(ASPIRIN, "A3", "S2", "D1", "Aspirin"), h.atom(ASPIRIN, "A4", "S5", "V", "Acetylsalicylic acid"),
                 h.atom(HEADACHE, "A6", "S1", "4", "Headache"),
                 h.atom(LISINOPRIL, "A9", "S2", "D7", "Lisinopril"),
                 h.atom(KIDNEY, "A10", "S1", "8", "Renal failure"), h.atom(LOSARTAN, "A14", "S2", "D10", "Losartan"),
                 h.atom(HEADACHE, "A13", "S4", "X", "Pressure of head")],
        MRSTY=[h.semantic_type(HIGH, "T047"), h.semantic_type(ASPIRIN, "T121"), h.semantic_type(HEADACHE, "T184"),
               h.semantic_type(LISINOPRIL, "T109"), h.semantic_type(LISINOPRIL, "T121"),
               h.semantic_type(KIDNEY, "T047"), h.semantic_type(LOSARTAN, "T121")],
        MRDEF=[h.definition(HIGH, "A1", "Raised pressure.", "S1"),
               h.definition(KIDNEY, "A10", "The kidneys fail.", "S1")],
        MRREL=[h.relation(HIGH, "RO", LISINOPRIL, "may_treat", "S2"),
               h.relation(HIGH, "RO", LOSARTAN, "may_treat", "S2")],
        MRSAB=[h.vocabulary("S1", sver="1", imeta="2026AA"), h.vocabulary("S2", sver="1"), h.vocabulary("S4", sver="1"),
               h.vocabulary("S5", sver="2")],
        MRCUI=[mrcui(ELEVATED, "SY", HIGH), mrcui(DROPSY, "DEL"), mrcui(CHRONIC, "RB", HEADACHE),
               mrcui(CHRONIC, "RO", ERGOT), mrcui(ERGOT, "SY", DROPSY)])


def third(folder: Path) -> Path:
    """2026AB: the first once more; what had gone returns, what had come goes without a word in MRCUI."""
    first(folder)
    sab = folder / "MRSAB.RRF"
    sab.write_text(sab.read_text().replace("2025AB", "2026AB"))
    return folder


def texts(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in TEXTS.items():
        (folder / f"{name}.txt").write_text(text)
    return folder
