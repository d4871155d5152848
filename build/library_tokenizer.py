"""The reference tokenizer: the `tokenizers` library over ``tokenizer.json``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from index_artifacts.errors import ModelError

if TYPE_CHECKING:
    from pathlib import Path

    from build.e5_weights import E5Weights

TOKENIZER_FILE = "tokenizer.json"


class LibraryTokenizer:
    """What `index_artifacts.piece_table.PieceTable` has to agree with. Slow to open."""

    def __init__(self, folder: Path) -> None:
        """Raises `ModelError` where ``folder`` has no readable ``tokenizer.json``."""
        from tokenizers import Tokenizer  # 0.7 s with its file: only builds need it

        path = folder / TOKENIZER_FILE
        try:
            self._tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises nothing narrower
            raise ModelError(f"{path} cannot be read: {error}; run `edgewiki model`") from error

    def ids(self, text: str) -> list[int]:
        """The ids of ``text``, without special tokens."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def starts(self, text: str) -> list[int]:
        """Where each token begins."""
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return [start for start, _ in encoding.offsets]


def special_ids(weights: E5Weights) -> set[int]:
    """Ids of the pieces that no text may produce.

    A literal "<s>" or "<mask>" in a page is text; the encoder adds their ids itself.
    """
    shape = weights.shape
    mask = {number for number, piece in enumerate(weights.pieces) if piece == "<mask>"}
    return {shape.bos, shape.eos, shape.pad, shape.unknown} | mask


def tokenizer_json(weights: E5Weights, special: set[int]) -> str:
    """The XLM-R tokenizer as ``tokenizer.json``, without special tokens.

    Raises `ModelError` where the library's normaliser is not the one in the weights file.
    """
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    # Words hold no space: under these names the special pieces are never found.
    pieces = [f" {p}" if number in special else p for number, p in enumerate(weights.pieces)]
    vocabulary = list(zip(pieces, weights.scores, strict=True))
    tokenizer = Tokenizer(models.Unigram(vocabulary, weights.shape.unknown, byte_fallback=False))
    normaliser = normalizers.Sequence([normalizers.Nmt(), normalizers.NFKC()])
    for character, replacement in weights.normaliser.items():
        if normaliser.normalize_str(character) != replacement:
            raise ModelError(
                f"the installed tokenizers library normalises {character!r} "
                f"(U+{ord(character):04X}) otherwise than the model: install another release"
            )
    tokenizer.normalizer = normaliser
    # Metaspace alone would emit an extra "▁" for every run of spaces.
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
    )
    return tokenizer.to_str()
