//! Texts as numbers: characters, byte pairs, and tokenizers that others trained.

mod bpe;
mod chars;
#[cfg(feature = "tokenizers")]
mod tokenizer;

pub use bpe::Bpe;
pub use chars::CharVocab;
#[cfg(feature = "tokenizers")]
pub use tokenizer::Tokenizer;

use thiserror::Error;

/// Why a text or a list of tokens cannot be translated.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TokenError {
    /// A character that the vocabulary does not have.
    #[error("expected characters of the vocabulary, found {found:?} as character {at} of the text")]
    Character {
        /// The character.
        found: char,
        /// Its place, counted from 0 in characters.
        at: usize,
    },
    /// A token that the vocabulary does not have.
    #[error("expected a token from 0 to {}, found {found} at position {at}", *tokens as i64 - 1)]
    Token {
        /// The number of tokens.
        tokens: usize,
        /// The token.
        found: i64,
        /// Its place, counted from 0.
        at: usize,
    },
    /// A merge of a token that does not exist yet.
    #[error("expected a pair of tokens below {tokens} as merge {at}, found {found:?}")]
    Merge {
        /// The number of tokens before this merge.
        tokens: usize,
        /// The pair.
        found: (i64, i64),
        /// Which merge, counted from 0.
        at: usize,
    },
    /// What a tokenizer reports of a text, such as a word that it has no token for.
    #[error("expected a text that the tokenizer can encode, found an error: {reason}")]
    Encode {
        /// What it says.
        reason: String,
    },
    /// What a tokenizer reports when it joins tokens to a text.
    #[error("expected tokens that the tokenizer can decode, found an error: {reason}")]
    Decode {
        /// What it says.
        reason: String,
    },
}
