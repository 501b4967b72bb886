//! Tokenizers of pretrained models.

use super::TokenError;
use crate::data::DataError;
use crate::data::formats::{FormatError, guarded, read_bytes};
use std::path::Path;

/// A tokenizer as Hugging Face's library saves it: the `tokenizer.json` that comes with most pretrained language models.
/// With the feature `tokenizers`.
///
/// ```
/// use differentiable::data::Tokenizer;
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/files/tokenizers/bpe.json");
/// let tokenizer = Tokenizer::read(path)?; // "tokenizer.json"
/// let tokens = tokenizer.encode("the cat sat")?;
/// assert_eq!(tokenizer.decode(&tokens)?, "the cat sat");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// It encodes as the file says: normalisation, splitting into words, the model (byte pairs, WordPiece, Unigram, words),
/// the special tokens of a template, truncation and padding.
#[derive(Clone, Debug)]
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    len: usize,
}

impl Tokenizer {
    /// Reads a `tokenizer.json`, plain or compressed by gzip.
    ///
    /// # Errors
    /// [`DataError::Open`], [`DataError::Bytes`]; [`FormatError::Container`] if the file is no tokenizer.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, DataError> {
        let path = path.as_ref();
        let bytes = read_bytes(path)?;
        let wrong = |reason: String| {
            let expected = "a tokenizer.json of Hugging Face's tokenizers";
            let reason = reason.replace('\n', " ");
            DataError::format(path, FormatError::Container { expected, reason })
        };
        // The library takes it for granted that the file is JSON.
        serde_json::from_slice::<serde_json::Value>(&bytes).map_err(|e| wrong(e.to_string()))?;
        let inner = guarded(|| tokenizers::Tokenizer::from_bytes(&bytes)).map_err(wrong)?;
        let inner = inner.map_err(|e| wrong(e.to_string()))?;
        let vocabulary = inner.get_vocab(true);
        let len = vocabulary.values().max().map_or(0, |&id| id as usize + 1);
        Ok(Tokenizer { inner, len })
    }

    /// The largest token and one more, the special ones included: the rows that an embedding needs.
    #[allow(clippy::len_without_is_empty)] // A tokenizer without tokens is of no use.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The text of one token as it stands in the vocabulary, where a blank can be `Ġ` or `▁`.
    pub fn token(&self, token: i64) -> Option<String> {
        self.inner.id_to_token(u32::try_from(token).ok()?)
    }

    /// The token of this text in the vocabulary, such as `[PAD]`.
    pub fn find(&self, text: &str) -> Option<i64> {
        self.inner.token_to_id(text).map(i64::from)
    }

    /// The tokens of a text, with the special ones that the file adds, such as `[CLS]`: those of `encode(text).ids` in
    /// Python.
    ///
    /// # Errors
    /// [`TokenError::Encode`].
    pub fn encode(&self, text: &str) -> Result<Vec<i64>, TokenError> {
        self.encoded(text, true)
    }

    /// The tokens of a text without those that the file adds: `encode(text, add_special_tokens=False).ids` in Python.
    ///
    /// # Errors
    /// [`TokenError::Encode`].
    pub fn encode_plain(&self, text: &str) -> Result<Vec<i64>, TokenError> {
        self.encoded(text, false)
    }

    fn encoded(&self, text: &str, add_special: bool) -> Result<Vec<i64>, TokenError> {
        let encoding = self.inner.encode_fast(text, add_special);
        let encoding = encoding.map_err(|error| TokenError::Encode {
            reason: error.to_string().replace('\n', " "),
        })?;
        Ok(encoding.get_ids().iter().map(|&id| i64::from(id)).collect())
    }

    /// The text of tokens, without special ones: `decode(ids)` in Python.
    ///
    /// # Errors
    /// [`TokenError::Token`] for a number that is no token, [`TokenError::Decode`].
    pub fn decode(&self, tokens: &[i64]) -> Result<String, TokenError> {
        let id = |(at, &found): (usize, &i64)| {
            let id = u32::try_from(found).ok();
            let known = id.filter(|&id| self.inner.id_to_token(id).is_some());
            known.ok_or(TokenError::Token {
                tokens: self.len(),
                found,
                at,
            })
        };
        let ids: Vec<u32> = tokens
            .iter()
            .enumerate()
            .map(id)
            .collect::<Result<_, _>>()?;
        self.inner
            .decode(&ids, true)
            .map_err(|error| TokenError::Decode {
                reason: error.to_string().replace('\n', " "),
            })
    }
}
