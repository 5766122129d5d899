"""Tables that the public demo lacks, and what many rows become: invented rows in the official columns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphkb.model.facts import words
from graphkb.model.records import Fact, Patient, ReadReport, SourceDocument
from ingestion.sources.mimic import MimicSource, staging
from ingestion.sources.mimic.gem import icd10_of
from ingestion.sources.mimic.groups import Bits, Group, Sample
from ingestion.sources.mimic.micro import result_of
from ingestion.sources.mimic.rows import given as given_by
from ingestion.sources.mimic.summary import age

PEOPLE = {
    "hosp/patients": "subject_id,gender,anchor_age,anchor_year\n1,F,60,2180\n2,M,91,2181\n",
    "hosp/admissions": "subject_id,hadm_id,admittime,dischtime\n1,10,2180-01-01 00:00:00,2180-01-05 00:00:00\n"
                       "2,20,2181-01-01 00:00:00,\n"}
D_ITEMS = "itemid,label,abbreviation,linksto,category,unitname,param_type\n" + "".join(
    f"{itemid},{label},x,y,z,,\n" for itemid, label in (
        (220045, "Heart Rate"), (221906, "Norepinephrine"), (226559, "Foley"), (225792, "Invasive Ventilation")))
Read = Callable[..., tuple[list[SourceDocument], ReadReport]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def run(**tables: str) -> tuple[list[SourceDocument], ReadReport]:
        for name, text in (PEOPLE | {name.replace("__", "/"): text for name, text in tables.items()}).items():
            path = tmp_path / f"{name}.csv"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        report = ReadReport()
        documents = list(MimicSource(tmp_path).documents(report))
        assert report.balanced()
        return documents, report
    return run


def lines(document: SourceDocument) -> list[str]:
    return [document.text[fact.start:fact.end] for fact in document.facts]


def test_what_was_given_is_told_from_what_was_ordered(read: Read) -> None:
    pharmacy = ("subject_id,hadm_id,pharmacy_id,medication,proc_type,status,frequency,starttime,stoptime\n"
                "1,10,700,Metoprolol,Unit Dose,Expired,BID,2180-01-01 08:00:00,2180-01-02 08:00:00\n"
                "1,10,701,,TPN,Discontinued (x),,2180-01-03 08:00:00,2180-01-02 08:00:00\n1,10,702,,,,,,\n")
    prescriptions = ("subject_id,hadm_id,pharmacy_id,starttime,stoptime,drug_type,drug,ndc,dose_val_rx,dose_unit_rx\n"
                     "1,10,700,2180-01-01 08:00:00,2180-01-02 08:00:00,MAIN,Metoprolol,0,25,mg\n"
                     "1,10,700,,,ADDITIVE,Zorvex,,,\n")
    emar = ("subject_id,hadm_id,emar_id,emar_seq,poe_id,pharmacy_id,charttime,medication,event_txt\n"
            "1,10,1-1,1,,700,2180-01-01 09:00:00,Metoprolol,Administered\n"
            "1,10,1-2,2,,700,2180-01-01 21:00:00,Metoprolol,Not Given\n"
            "1,10,1-3,3,,700,2180-01-02 09:00:00,Metoprolol,Administered\n"
            "1,10,1-4,4,,,2180-01-02 09:00:00,Aspirin,Hold Dose\n"
            "1,10,1-5,5,,700,2180-01-02 09:30:00,,Administered\n1,10,1-1,1,,,,Metoprolol,Administered\n"
            "1,10,1-6,6,,,2180-01-02 09:00:00,,Administered\n")
    detail = ("subject_id,emar_id,emar_seq,parent_field_ordinal,dose_due,dose_given,dose_given_unit,route\n"
              "1,1-1,1,1.1,,25,mg,PO\n1,1-2,2,1.1,25,25,mg,PO\n1,1-3,3,1.1,,12.5,mg,PO\n1,1-3,3,1.2,,___,,PO\n"
              "1,1-9,9,1.1,,1,mg,PO\n2,1-3,3,1.1,,1,mg,PO\n")
    (record, *_), report = read(hosp__pharmacy=pharmacy, hosp__prescriptions=prescriptions, hosp__emar=emar,
                                hosp__emar_detail=detail)
    assert lines(record) == [
        "ordered TPN (start 2180-01-03, stop 2180-01-02 recorded before it) (status Discontinued - x)",
        "ordered Metoprolol 25 mg BID (2180-01-01 to 2180-01-02) (status Expired)",
        "ordered as additive Zorvex BID (status Expired)",
        "ordered Aspirin: n 1, Hold Dose 1",
        "administered Metoprolol: 3 times, total 37.5 mg, 2180-01-01 09:00:00 to 2180-01-02 09:30:00"]
    given_ = next(fact for fact in record.facts if fact.kind == "ADMINISTERED")
    assert given_.properties["events"] == ["Administered 3", "Not Given 1"]
    assert given_.properties["routes"] == ["PO 3"]
    assert (given_.properties["n"], given_.properties["given"]) == (4, 3)
    assert {(Path(file).name, code, reason): n for (file, code, reason), n in report.reasons.items()} == {
        ("emar.csv", "GKB-411", "emar_id occurs twice"): 1, ("emar.csv", "GKB-407", "medication is empty"): 1,
        ("emar_detail.csv", "GKB-409", "emar_id is not in emar"): 1,
        ("emar_detail.csv", "GKB-409", "emar_id belongs to another subject_id"): 1}
    assert "1 rows of pharmacy name no drug and have no prescription: kept, no fact" in report.notes


@pytest.mark.parametrize(("event", "was_given"), [
    ("Administered", True), ("Delayed Administered", True), ("Partial Administered", True), ("Started", True),
    ("Restarted", True), ("Applied in Other Location", True), ("Removed Existing / Applied New", True),
    ("Administered Bolus from IV Drip", True), ("Not Given", False), ("Not Applied", False), ("Delayed", False),
    ("Delayed Not Started", False), ("Hold Dose", False), ("Flushed", False), ("Stopped", False), ("Confirmed", False),
    ("Rate Change", False), ("", False)])
def test_only_what_was_given_counts_as_given(event: str, was_given: bool) -> None:
    assert given_by(event) is was_given


def test_infusions_and_charts_are_aggregated_by_item_and_unit(read: Read) -> None:
    head = "subject_id,hadm_id,stay_id,caregiver_id,starttime,endtime,storetime,itemid,amount,amountuom,rate,rateuom,"
    inputs = head + ("orderid,statusdescription\n"
                     "1,10,30,1,2180-01-01 10:00:00,2180-01-01 11:00:00,,221906,2,mg,0.1,mcg/kg/min,1,FinishedRunning\n"
                     "1,10,30,1,2180-01-01 08:00:00,2180-01-01 09:00:00,,221906,1.5,mg,0.3,mcg/kg/min,2,Paused\n"
                     "1,10,30,1,2180-01-01 07:00:00,2180-01-01 08:00:00,,221906,9,mg,9,mcg/kg/min,3,Rewritten\n"
                     "1,10,30,1,2180-01-01 07:00:00,2180-01-01 08:00:00,,221906,9,mg,9,mcg/kg/min,3,Rewritten\n")
    chart = ("subject_id,hadm_id,stay_id,caregiver_id,charttime,storetime,itemid,value,valuenum,valueuom,warning\n"
             "1,10,30,1,2180-01-02 00:00:00,,220045,90,90,bpm,0\n1,10,30,1,2180-01-01 00:00:00,,220045,130,130,bpm,1\n"
             "1,10,30,1,2180-01-03 00:00:00,,220045,___,88.5,bpm,0\n1,10,30,1,2180-01-03 00:00:00,,1,On,,,0\n")
    out = ("subject_id,hadm_id,stay_id,caregiver_id,charttime,storetime,itemid,value,valueuom\n"
           "1,10,30,1,2180-01-01 08:00:00,,226559,100,ml\n1,10,30,1,2180-01-01 09:00:00,,226559,20.5,ml\n"
           "1,10,30,1,2180-01-01 09:00:00,,226559,20.5,ml\n")
    (record, *_), report = read(icu__inputevents=inputs, icu__chartevents=chart, icu__outputevents=out,
                                icu__d_items=D_ITEMS)
    assert lines(record) == [
        ("administered Norepinephrine: 2 times, total 3.5 mg, rate 0.1 to 0.3 mcg/kg/min, 2180-01-01 08:00:00 to "
        "2180-01-01 11:00:00"),
        "observation 1: last On at 2180-01-03 00:00:00, n 1",
        ("observation Heart Rate: last 88.5 bpm at 2180-01-03 00:00:00, first 130 at 2180-01-01 00:00:00, min 88.5, "
        "max 130, n 3, warnings 1, masked 1"),
        ("observation Foley: last 20.5 ml at 2180-01-01 09:00:00, first 100 at 2180-01-01 08:00:00, min 20.5, max 100, "
        "total 120.5 ml, n 2")]
    heart = next(fact for fact in record.facts if fact.name == "Heart Rate")
    assert (heart.row, heart.vocabulary, heart.code) == ("chartevents:220045[bpm]", "MIMICITEM", "220045")
    assert [(e.file, e.row, e.code) for e in report.examples] == [
        ("icu/inputevents.csv", 4, "GKB-411"), ("icu/outputevents.csv", 3, "GKB-411")]


def test_orders_are_counted_by_type_with_their_details(read: Read) -> None:
    poe = ("poe_id,poe_seq,subject_id,hadm_id,ordertime,order_type,order_subtype,transaction_type\n"
           "1-1,1,1,10,2180-01-01 00:00:00,ADT orders,Admit,New\n1-2,2,1,10,2180-01-02 00:00:00,ADT orders,Admit,D/C\n"
           "1-3,3,1,10,2180-01-02 00:00:00,Lab,,New\n")
    detail = "poe_id,poe_seq,subject_id,field_name,field_value\n1-1,1,1,Admit to,MICU\n1-7,7,2,Code status,Full\n"
    (first, _, loose), report = read(hosp__poe=poe, hosp__poe_detail=detail)
    assert lines(first) == [
        "ordered ADT orders/Admit: n 2, 2180-01-01 00:00:00 to 2180-01-02 00:00:00, D/C 1, New 1, Admit to = MICU 1",
        "ordered Lab: n 1, 2180-01-02 00:00:00, New 1"]
    assert [(f.row, f.properties["n"]) for f in loose.facts] == [("poe_detail:Code status", 1)]
    assert report.rejected.total() == 0


MICRO = ("microevent_id,subject_id,hadm_id,micro_specimen_id,order_provider_id,chartdate,charttime,spec_itemid,"
         "spec_type_desc,test_seq,storedate,storetime,test_itemid,test_name,org_itemid,org_name,isolate_num,quantity,"
         "ab_itemid,ab_name,dilution_text,dilution_comparison,dilution_value,interpretation,comments\n")


def test_cultures_tell_grown_from_negative_cancelled_and_pending(read: Read) -> None:
    stored = "2180-01-03 00:00:00,2180-01-03 10:00:00"
    def row(n: int, specimen: int, organism: str = ",,,", anti: str = ",,,,,", comment: str = "",
            when: str = stored) -> str:
        return (f"{n},1,10,{specimen},,2180-01-01 00:00:00,2180-01-01 05:00:00,70012,URINE,1,{when},90039,"
                f"URINE CULTURE,{organism},{anti},{comment}\n")

    ecoli, odd = "80002,ESCHERICHIA COLI,1,", "80002,ESCHERICHIA COLI,2,"
    text = MICRO + row(1, 5, ecoli, "90004,AMPICILLIN,<=2,<=        ,2,S") + row(
        2, 5, ecoli, "90015,VANCOMYCIN,>256,=>        ,256,R") + row(3, 5, odd) + row(
        4, 6, comment="NO GROWTH.") + row(5, 7, ",CANCELLED,,") + row(6, 8, when=",") + row(6, 9)
    (record, *_), report = read(hosp__microbiologyevents=text)
    assert lines(record) == [
        ("grew ESCHERICHIA COLI in URINE CULTURE of URINE on 2180-01-01 05:00:00: AMPICILLIN S (<= 2); VANCOMYCIN R "
        "(=> 256)"),
        "grew ESCHERICHIA COLI in URINE CULTURE of URINE on 2180-01-01 05:00:00",
        "microbiology URINE CULTURE of URINE on 2180-01-01 05:00:00: grown",
        "microbiology URINE CULTURE of URINE on 2180-01-01 05:00:00: negative; NO GROWTH.",
        "microbiology URINE CULTURE of URINE on 2180-01-01 05:00:00: cancelled",
        "microbiology URINE CULTURE of URINE on 2180-01-01 05:00:00: pending"]
    assert record.facts[0].row == "microbiologyevents:5/1/90039/80002/1"
    assert [(e.row, e.code) for e in report.examples] == [(7, "GKB-411")]


@pytest.mark.parametrize(("comment", "result"), [
    ("NO GROWTH.", "negative"), ("No VRE isolated.", "negative"), ("Negative for Influenza A.", "negative"),
    ("CMV DNA not detected.  Performed by ___ CMV Test.", "negative"), ("NONREACTIVE.", "negative"),
    ("POSITIVE BY EIA.            (Reference Range-Negative).", "positive"),
    ("GRAM POSITIVE COCCI IN CHAINS.", "reported"),
    ("GRAM NEGATIVE ROD(S).", "reported"), ("<10,000 organisms/ml.", "reported"), ("___", "reported"),
    ("TEST CANCELLED, PATIENT CREDITED.", "cancelled"), ("TEST NOT PERFORMED.  PATIENT HAS BEEN", "cancelled"),
    ("Susceptibility PENDING.", "pending"), ("4+   (>10 per 1000X FIELD):  NO MICROORGANISMS SEEN.", "negative")])
def test_a_comment_is_read_by_the_first_thing_it_says(comment: str, result: str) -> None:
    assert result_of(False, comment, True) == result


def test_stays_services_and_bills(read: Read) -> None:
    (record, *_), _ = read(
        hosp__transfers="subject_id,hadm_id,transfer_id,eventtype,careunit,intime,outtime\n"
                        "1,10,900,admit,Medicine,2180-01-01 00:00:00,2180-01-05 00:00:00\n"
                        "1,10,901,discharge,,2180-01-05 00:00:00,\n",
        hosp__services="subject_id,hadm_id,transfertime,prev_service,curr_service\n1,10,2180-01-01 00:00:00,,MED\n",
        icu__icustays="subject_id,hadm_id,stay_id,first_careunit,last_careunit,intime,outtime,los\n"
                      "1,10,30,MICU,SICU,2180-01-02 00:00:00,2180-01-03 00:00:00,1.0\n",
        hosp__drgcodes="subject_id,hadm_id,drg_type,drg_code,description,drg_severity,drg_mortality\n"
                       "1,10,HCFA,864,FEVER,,\n",
        hosp__hcpcsevents="subject_id,hadm_id,chartdate,hcpcs_cd,seq_num,short_description\n"
                          "1,10,2180-01-01,93454,1,Cardiovascular\n",
        hosp__d_hcpcs="code,category,long_description,short_description\n93454,,Catheter placement,x\nA0,,y,z\n")
    assert lines(record) == [
        "admit Medicine (2180-01-01 00:00:00 to 2180-01-05 00:00:00)", "service MED (2180-01-01 00:00:00)",
        "ICU stay MICU (2180-01-02 00:00:00 to 2180-01-03 00:00:00)", "billed as FEVER (MIMICDRG:HCFA-864)",
        "billed as Catheter placement (HCPCS:93454) on 2180-01-01"]
    assert "\ndischarge (2180-01-05 00:00:00)\n" in record.text
    assert record.facts[-1].also == ("CPT:93454",)


def test_radiology_and_note_details(read: Read) -> None:
    report_text = "EXAMINATION:  CHEST (PA AND LAT)\n\nINDICATION:  cough\n\nIMPRESSION: \n \nNo pneumonia."
    documents, report = read(
        note__radiology=f'note_id,subject_id,hadm_id,note_type,note_seq,charttime,storetime,text\n'
                        f'1-RR-1,1,,RR,1,2180-01-01 00:00:00,,"{report_text}"\n',
        note__radiology_detail="note_id,subject_id,field_name,field_value,field_ordinal\n1-RR-1,1,exam_name,CHEST,1\n"
                               "1-RR-1,1,exam_name,LAT,2\n1-RR-2,1,exam_name,HEAD,1\n1-RR-1,1,{x},y,1\n")
    (note,) = (document for document in documents if document.kind == "note")
    assert note.encounter is None
    assert note.identifiers == {"charttime": "2180-01-01T00:00:00", "note_type": "RR", "exam_name": "CHEST; LAT"}
    assert [s.name for s in note.sections] == ["EXAMINATION", "INDICATION", "IMPRESSION"]
    assert sorted((e.row, e.code) for e in report.examples if e.row) == [(3, "GKB-409"), (4, "GKB-407")]


def test_a_group_is_the_same_however_it_was_cut(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    labs = "labevent_id,subject_id,hadm_id,itemid,charttime,value,valuenum,valueuom,flag\n" + "".join(
        f"{n},{1 + n % 2},,{50900 + n % 3},2180-01-{1 + n % 28:02} 00:00:00,{n / 7:.3f},{n / 7:.3f},mg/dL,\n"
        for n in range(200))
    whole, _ = read(hosp__labevents=labs)
    monkeypatch.setattr(staging, "_GROUPS", 2)
    cut, _ = read(hosp__labevents=labs)
    assert cut == whole
    assert sum(int(str(f.properties["n"])) for d in whole for f in d.facts) == 200


@given(st.lists(st.tuples(st.sampled_from(["", "2180-01-01", "2180-01-02"]), st.floats(-1e6, 1e6)), max_size=12),
       st.integers(0, 12))
def test_merging_parts_is_adding_all(rows: list[tuple[str, float]], at: int) -> None:
    whole, parts = Group(), (Group(), Group())
    for number, (time, value) in enumerate(rows):
        sample = Sample("x", time, str(value), value, flag=value > 0, event=time)
        whole.add(number, sample)
        parts[number >= at].add(number, sample)
    parts[0].merge(Group.restore(parts[1].state()))
    assert parts[0].state() == whole.state()


def test_ids_gem_and_age() -> None:
    bits = Bits()
    assert [bits.add(n) for n in (0, 7, 7, 40_000_000, 0, 40_000_000)] == [True, True, False, True, False, False]
    assert [icd10_of(code) for code in ("001.0", "V58.67", "250.00", "nothing")] == ["A00.0", "Z79.4", "", ""]
    assert age(Patient("1", "F", 91, 2180), "2190-01-01") == "over 89"


def test_orders_never_read_as_intake() -> None:
    said = words("PRESCRIBED", "Zorvex", "", {}) + words("ORDERED", "Zorvex", "", {"n": 1})
    assert "ordered" in said
    assert not any(word in said for word in ("took", "taken", "given", "administered"))
    assert Fact("PRESCRIBED", "prescriptions:1", "Zorvex").end == 0
