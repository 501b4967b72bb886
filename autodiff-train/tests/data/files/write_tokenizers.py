"""Trains small tokenizers and writes them beside it, and expected.json: what Python's library makes of some texts.

pip install tokenizers; python write_tokenizers.py
"""

import json
from pathlib import Path

from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

here = Path(__file__).parent / "tokenizers"
here.mkdir(exist_ok=True)
corpus = [
    "the cat sat on the mat and the dog sat on the log",
    "a naïve café is where the cats and dogs sat, 12 of them in 2024",
    "lower lowest new newer newest wide wider widest",
]
texts = ["the cat sat", "The newest café, in 2024!", "", "  two  blanks ", "naïve 日本 🙂", "widest\nnewer"]

bpe = Tokenizer(models.BPE())
bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
bpe.decoder = decoders.ByteLevel()
bpe.train_from_iterator(
    corpus,
    trainers.BpeTrainer(
        vocab_size=320,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    ),
)

wordpiece = Tokenizer(models.WordPiece(unk_token="[UNK]"))
wordpiece.normalizer = normalizers.BertNormalizer()
wordpiece.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
wordpiece.decoder = decoders.WordPiece()
wordpiece.train_from_iterator(
    corpus,
    trainers.WordPieceTrainer(vocab_size=80, special_tokens=["[PAD]", "[UNK]", "[CLS]", "[SEP]"], show_progress=False),
)
wordpiece.post_processor = processors.TemplateProcessing(
    single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
)

unigram = Tokenizer(models.Unigram())
unigram.normalizer = normalizers.NFKC()
unigram.pre_tokenizer = pre_tokenizers.Metaspace()
unigram.decoder = decoders.Metaspace()
unigram.train_from_iterator(
    corpus, trainers.UnigramTrainer(vocab_size=60, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False)
)

# The pattern of GPT-4's splitting: it looks ahead, which not every library of regular expressions can.
lookahead = Tokenizer(models.BPE())
pattern = r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
lookahead.pre_tokenizer = pre_tokenizers.Sequence(
    [
        pre_tokenizers.Split(Regex(pattern), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
    ]
)
lookahead.decoder = decoders.ByteLevel()
lookahead.train_from_iterator(
    corpus,
    trainers.BpeTrainer(
        vocab_size=300, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    ),
)

expected = {}
for name, tokenizer in {"bpe": bpe, "wordpiece": wordpiece, "unigram": unigram, "lookahead": lookahead}.items():
    tokenizer.save(str(here / f"{name}.json"), pretty=False)
    rows = []
    for text in texts:
        ids = tokenizer.encode(text).ids
        plain = tokenizer.encode(text, add_special_tokens=False).ids
        rows.append({"text": text, "ids": ids, "plain": plain, "decoded": tokenizer.decode(ids)})
    expected[name] = {"size": tokenizer.get_vocab_size(), "texts": rows}
(here / "expected.json").write_text(json.dumps(expected) + "\n")
