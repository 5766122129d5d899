"""The text of an article: nothing is fused, no number is made."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from ingestion.sources.jats_text import blocks, finish, inline, local_names, row_line, table_rows


def element(xml: str) -> etree._Element:
    return etree.fromstring(f'<x xmlns:mml="http://www.w3.org/1998/Math/MathML">{xml}</x>')


def line(xml: str) -> str:
    root = element(xml)
    local_names(root)
    return inline(root)


@pytest.mark.parametrize(("xml", "text"), [
    ("10<sup>-3</sup> mol", "10^-3 mol"), ("10<sup>\u22123</sup>.", "10^-3."), ("10<sup>3</sup>5", "10^{3}5"),
    ("CD4<sup>+</sup> T", "CD4^+ T"), ("CD24<sup>hi</sup>CD38", "CD24^{hi}CD38"), ("the 1<sup>st</sup>", "the 1st"),
    ("CO<sub>2</sub> and HbA<sub>1c</sub>", "CO2 and HbA1c"), ("log<sub>10</sub>2", "log_{10}2"),
    ("log<sub>10</sub>.5", "log_{10}.5"), ("log<sub>10</sub> 2", "log10 2"), ("5<sub>2</sub>", "5_{2}"),
    ("x<sub>i<sup>2</sup></sub>", "x_{i^2}"), ("10<sup/>5", "105")])
def test_superscripts_and_subscripts(xml: str, text: str) -> None:
    assert line(xml) == text


@pytest.mark.parametrize(("xml", "text"), [
    ("aspirin<xref><sup>4</sup></xref>", "aspirin [4]"),
    ("aspirin<sup><xref ref-type='bibr'>4</xref></sup>.", "aspirin [4]."),
    ("aspirin<sup><xref>4</xref>,<xref>5</xref>–<xref>7</xref></sup> was", "aspirin [4,5–7] was"),
    ("aspirin <xref>4</xref> was", "aspirin [4] was"), ("aspirin [<xref>4</xref>,<xref>5</xref>].", "aspirin [4,5]."),
    ("(see <xref>4</xref>)", "(see 4)"), ("by <xref>Smith 2004</xref>", "by Smith 2004"),
    ("by<xref>Smith 2004</xref>was", "by [Smith 2004] was"),
    ("12<xref ref-type='table-fn'><sup>a</sup></xref>", "12 [a]"),
    ("in<xref ref-type='fig'>Figure 1</xref>and", "in Figure 1 and"), ("0.9.<xref>12</xref> Then", "0.9. [12] Then")])
def test_citations_do_not_run_into_words_or_numbers(xml: str, text: str) -> None:
    assert line(xml) == text


@pytest.mark.parametrize(("xml", "text"), [
    ("a<break/>b", "a b"), ("5\u00a0mg", "5 mg"),
    ("a <inline-formula><inline-graphic/></inline-formula>.", "a [formula] ."),
    (("<mml:math><mml:mfrac><mml:mn>1</mml:mn><mml:mn>2</mml:mn></mml:mfrac><mml:msup><mml:mi>x</mml:mi>"
      "<mml:mn>2</mml:mn></mml:msup></mml:math>"), "(1)/(2) x^{2}"), ("a<fn><p>b</p></fn>c", "a (b) c")])
def test_other_inline_things(xml: str, text: str) -> None:
    assert line(xml) == text


def test_blocks_inside_a_paragraph_stand_on_lines_of_their_own() -> None:
    root = element("<p>Dose <list><list-item><p>a</p><p>b</p></list-item><list-item><p>c</p></list-item></list> after"
                   "<disp-quote><p>said</p></disp-quote>.</p><def-list><def-item><term>HR</term><def><p>rate</p></def>"
                   "</def-item></def-list><supplementary-material><caption><p>S1</p></caption></supplementary-material>")
    assert [b.text for child in root for b in blocks(child)] == \
        ["Dose", "- a", "b", "- c", "after", "said", ".", "HR: rate"]


def test_tables_keep_their_cells_apart_and_in_their_columns() -> None:
    root = element("<table><tr><th rowspan='2'>Drug</th><th colspan='2'>Dose|day</th></tr><tr><td>low</td>"
                   "<td>high</td></tr><tr><td>A<p>x</p><p>y</p></td><td>1</td><td>2<sup>a</sup></td></tr>"
                   "<tr><td/><td/><td/></tr></table>")
    assert [row_line(cells)[0] for cells in table_rows(root)] == [
        "Drug | Dose¦day |", "Drug | low | high", "A x y | 1 | 2^a"]


def test_odd_spans_do_no_harm() -> None:
    root = element("<table><tr><td colspan='999999'>a</td></tr><tr><td rowspan='-1' colspan='x'>b</td></tr></table>")
    rows = [row_line(cells)[0] for cells in table_rows(root)]
    assert len(rows[0]) < 700
    assert rows[1] == "b"


@given(st.recursive(st.text("ab1 .[(", max_size=3), lambda inner: st.builds(
    lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
    st.sampled_from(["sup", "sub", "xref", "bold", "p", "table-wrap", "list", "fn", "td"]),
    st.lists(inner, max_size=3)), max_leaves=12))
def test_no_mark_is_left_and_every_letter_stays(xml: str) -> None:
    text = line(xml)
    assert text == finish(text)
    assert not re.search(r"[\x01-\x07\n]|  ", text)
    assert re.sub(r"[^ab]", "", text) == re.sub(r"[^ab]", "", re.sub(r"<[^>]*>", "", xml))
