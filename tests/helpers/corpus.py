"""A small invented corpus of every kind, and the graph it makes: what tests of ingestion share."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from graphkb import config
from graphkb.config import Settings
from graphkb.kb import KnowledgeBase
from graphkb.store.fingerprint import fingerprint
from ingestion.ledger import RunReport
from ingestion.sources import JatsSource, MimicSource, TextSource
from tests.helpers import vocabulary as v

HTN, LISINOPRIL, ASPIRIN, HEADACHE, ASTHMA, CANCER = (f"C910000{n}" for n in range(1, 7))

TEXTS = {
    "lisinopril.md": "---\ntitle: Lisinopril\nsource: A textbook\nversion: 1\nlicence: CC0\n---\n# Use\n\nLisinopril "
                     "treats hypertension. It is taken once a day.\n\n# Caution\n\nLisinopril is contraindicated in "
                     "asthma of the worst kind.\n",
    "aspirin.txt": "Aspirin treats headache.\n",
    "pressure.md": "# High blood pressure\n\nPrinivil treats high blood pressure. Aspirin may be used for headache, "
                   "and aspirin treats headache in most people.\n",
}
NOTE = ("---\npatient: 99000001\nencounter: 88000001\nkind: note\n---\nChief Complaint:\nheadache\n\nPast Medical "
        "History:\nHTN, asthma\n\nFamily History:\nMother with breast cancer.\n\nHospital Course:\nDenies asthma and "
        "headache. Zorvex 5 mg was given.\n\nDischarge Medications:\n1. Lisinopril 10 mg daily\n")
ARTICLE = """<?xml version="1.0"?><article article-type="research-article"><front><journal-meta>
<journal-title-group><journal-title>J</journal-title></journal-title-group></journal-meta><article-meta>
<article-id pub-id-type="doi">10.9999/j.{n}</article-id><title-group><article-title>On aspirin, part {n}</article-title>
</title-group><pub-date><year>2020</year></pub-date><permissions><license license-type="cc-by"
xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="https://creativecommons.org/licenses/by/4.0/"><license-p>CC BY
</license-p></license></permissions><abstract><p>Aspirin causes asthma in some. Aspirin treats headache.</p></abstract>
</article-meta></front><body><sec><title>Results</title><p>In trial {n}, lisinopril treats hypertension.</p></sec>
</body></article>"""
TABLES = {
    "patients": "subject_id,gender,anchor_age,anchor_year,anchor_year_group,dod\n99000001,F,60,2180,2011 - 2013,\n"
                "99000002,M,50,2181,2011 - 2013,\n",
    "admissions": "subject_id,hadm_id,admittime,dischtime,admission_type,discharge_location\n"
                  "99000001,88000001,2180-01-03 00:00:00,2180-01-04 00:00:00,URGENT,HOME\n"
                  "99000002,88000002,2181-02-03 00:00:00,2181-02-04 00:00:00,URGENT,HOME\n",
    "diagnoses_icd": "subject_id,hadm_id,seq_num,icd_code,icd_version\n99000001,88000001,1,4019,9\n"
                     "99000001,88000001,2,V5867,9\n99000002,88000002,1,4019,9\n",
    "procedures_icd": "subject_id,hadm_id,seq_num,chartdate,icd_code,icd_version\n",
    "prescriptions": "subject_id,hadm_id,starttime,stoptime,drug_type,drug,dose_val_rx,dose_unit_rx,route\n"
                     "99000001,88000001,2180-01-03 01:00:00,2180-01-04 00:00:00,MAIN,Lisinopril,10,mg,PO\n"
                     "99000001,88000001,2180-01-03 01:00:00,2180-01-04 00:00:00,MAIN,Zorvex,5,mg,PO\n"
                     "99000002,88000002,2181-02-03 01:00:00,,MAIN,Zorvex,5,mg,PO\n",
    "d_icd_diagnoses": "icd_code,icd_version,long_title\n4019,9,Unspecified essential hypertension\n"
                       "V5867,9,Long-term (current) use of insulin\n",
    "d_icd_procedures": "icd_code,icd_version,long_title\n0039,9,Other computer assisted surgery\n",
}
DISCHARGE = ('note_id,subject_id,hadm_id,note_type,note_seq,charttime,storetime,text\n'
             '99000001-DS-1,99000001,88000001,DS,1,2180-01-04 00:00:00,2180-01-04 00:00:00,"Chief Complaint:\n'
             'headache\n\nHospital Course:\nLong-term (current) use of insulin. Patient has HTN, given zorvex.\n"\n'
             '99000002-DS-1,99000002,88000002,DS,1,2181-02-04 00:00:00,2181-02-04 00:00:00,"Hospital Course:\n'
             'No asthma. No headache. Zorvex was stopped.\n"\n')


@dataclass(frozen=True)
class Corpus:
    """Folders of the corpus."""

    meta: Path
    texts: Path
    articles: Path
    mimic: Path
    notes: Path

    def step(self, name: str) -> Callable[[KnowledgeBase], RunReport]:
        """Return what takes one part of the corpus into a knowledge base."""
        return {
            "vocabulary": lambda kb: kb.ingest_vocabulary(self.meta, vectors=False),
            "texts": lambda kb: kb.ingest(TextSource([self.texts]), vectors=False),
            "articles": lambda kb: kb.ingest(JatsSource([self.articles]), vectors=False),
            "mimic": lambda kb: kb.ingest(MimicSource(self.mimic), scope="local", vectors=False),
            "notes": lambda kb: kb.ingest(TextSource([self.notes], tier="user"), scope="local", vectors=False),
        }[name]

    def load(self, kb: KnowledgeBase, order: Iterable[str]) -> str:
        """Take the parts in this order; return the fingerprint."""
        for name in order:
            report = self.step(name)(kb)
            assert (report.state, report.rejections, report.read.examples) == ("done", [], []), name
        return fingerprint(kb.store)


STEPS = ("vocabulary", "texts", "articles", "mimic", "notes")


def write_meta(folder: Path, *, more: bool = False) -> Path:
    """Write a META folder; ``more`` knows the drug Zorvex and another name of headache."""
    atoms = [v.atom(HTN, "A1", "S1", "1", "Hypertension"),
             v.atom(HTN, "A2", "S1", "1", "high blood pressure", tty="SY"),
             v.atom(HTN, "A3", "ICD9CM", "401.9", "Unspecified essential hypertension"),
             v.atom(HTN, "A4", "S1", "1", "HTN", tty="AB"),
             v.atom(LISINOPRIL, "A5", "S2", "D1", "lisinopril"),
             v.atom(LISINOPRIL, "A6", "S2", "D1", "Prinivil", tty="BN"),
             v.atom(ASPIRIN, "A7", "S2", "D2", "aspirin"), v.atom(HEADACHE, "A8", "S1", "2", "Headache"),
             v.atom(ASTHMA, "A9", "S1", "3", "Asthma"), v.atom(CANCER, "A10", "S1", "4", "Breast cancer")]
    types = [v.semantic_type(HTN, "T047"), v.semantic_type(LISINOPRIL, "T121"), v.semantic_type(ASPIRIN, "T121"),
             v.semantic_type(HEADACHE, "T184"), v.semantic_type(ASTHMA, "T047"), v.semantic_type(CANCER, "T191")]
    if more:
        atoms += [v.atom("C9100009", "A11", "S2", "D9", "Zorvex"),
                  v.atom(HEADACHE, "A12", "S1", "2", "Cephalgia", tty="SY")]
        types.append(v.semantic_type("C9100009", "T121"))
    return v.write_meta(folder, MRCONSO=atoms, MRSTY=types,
                        MRDEF=[v.definition(HTN, "A1", "Raised arterial pressure.", "S1")],
                        MRREL=[v.relation(HTN, "RO", LISINOPRIL, "may_treat", "S2"),
                               v.relation(LISINOPRIL, "RO", HTN, "may_be_treated_by", "S2")],
                        MRSAB=[v.vocabulary("S1", sver="2026", imeta="2026AA"), v.vocabulary("S2", vsab="S2_26"),
                               v.vocabulary("ICD9CM", sver="2014")])


def write(folder: Path, *, articles: int = 2) -> Corpus:
    """Write the corpus below a folder."""
    corpus = Corpus(*(folder / name for name in ("META", "texts", "articles", "mimic", "notes")))
    write_meta(corpus.meta)
    for place in (corpus.texts, corpus.articles, corpus.notes, corpus.mimic / "hosp", corpus.mimic / "note"):
        place.mkdir(parents=True)
    for name, text in TEXTS.items():
        (corpus.texts / name).write_text(text)
    for n in range(1, articles + 1):
        (corpus.articles / f"{n}.xml").write_text(ARTICLE.format(n=n))
    (corpus.notes / "note.md").write_text(NOTE)
    for name, text in TABLES.items():
        (corpus.mimic / "hosp" / f"{name}.csv").write_text(text)
    (corpus.mimic / "note" / "discharge.csv").write_text(DISCHARGE)
    return corpus


def fast(settings: Settings) -> Settings:
    """Return the settings without vectors of sentences: chunks by structure and size alone."""
    return settings.model_copy(update={"chunk": config.ChunkSettings(threshold="none")})
