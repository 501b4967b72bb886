//! A token for each character.

use super::TokenError;
use std::collections::{BTreeSet, HashMap};

/// The characters of a text, each with a number.
///
/// ```
/// use differentiable::data::CharVocab;
///
/// let vocab = CharVocab::of("hello");
/// assert_eq!(vocab.chars(), ['e', 'h', 'l', 'o']);
/// assert_eq!(vocab.encode("hole")?, [1, 3, 2, 0]);
/// assert_eq!(vocab.decode(&[1, 3, 2, 0])?, "hole");
/// assert_eq!(
///     vocab.encode("help").unwrap_err().to_string(),
///     "expected characters of the vocabulary, found 'p' as character 3 of the text"
/// );
/// # Ok::<(), differentiable::data::TokenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CharVocab {
    chars: Vec<char>,
    tokens: HashMap<char, i64>,
    has_unknown: bool,
}

impl CharVocab {
    /// The characters of a text, in the order of Unicode.
    pub fn of(text: &str) -> Self {
        let chars: BTreeSet<char> = text.chars().collect();
        CharVocab::from_chars(chars)
    }

    /// Characters in the given order, such as those that [`chars`](CharVocab::chars) returned before; a repeated one counts
    /// once.
    pub fn from_chars(chars: impl IntoIterator<Item = char>) -> Self {
        let mut vocab = CharVocab {
            chars: Vec::new(),
            tokens: HashMap::new(),
            has_unknown: false,
        };
        for c in chars {
            let next = vocab.chars.len() as i64;
            if *vocab.tokens.entry(c).or_insert(next) == next {
                vocab.chars.push(c);
            }
        }
        vocab
    }

    /// Adds a last token for all characters that the vocabulary does not have. It is decoded as `�`.
    pub fn with_unknown(self) -> Self {
        CharVocab {
            has_unknown: true,
            ..self
        }
    }

    /// The characters, in the order of their tokens, without the unknown one.
    pub fn chars(&self) -> &[char] {
        &self.chars
    }

    /// The number of tokens, with that of unknown characters.
    pub fn len(&self) -> usize {
        self.chars.len() + usize::from(self.has_unknown)
    }

    /// Whether there is no token.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The token of unknown characters.
    pub fn unknown(&self) -> Option<i64> {
        self.has_unknown.then_some(self.chars.len() as i64)
    }

    /// The tokens of a text.
    ///
    /// # Errors
    /// [`TokenError::Character`] for a character that the vocabulary does not have, unless it has
    /// [an unknown token](CharVocab::with_unknown).
    pub fn encode(&self, text: &str) -> Result<Vec<i64>, TokenError> {
        let token = |(at, found): (usize, char)| {
            let known = self.tokens.get(&found).copied();
            known
                .or(self.unknown())
                .ok_or(TokenError::Character { found, at })
        };
        text.chars().enumerate().map(token).collect()
    }

    /// The text of tokens.
    ///
    /// # Errors
    /// [`TokenError::Token`] for a number that is no token.
    pub fn decode(&self, tokens: &[i64]) -> Result<String, TokenError> {
        let char_of = |(at, &found): (usize, &i64)| {
            let known = usize::try_from(found).ok();
            let known = known.and_then(|t| self.chars.get(t).copied());
            let unknown = || (Some(found) == self.unknown()).then_some(char::REPLACEMENT_CHARACTER);
            known.or_else(unknown).ok_or(TokenError::Token {
                tokens: self.len(),
                found,
                at,
            })
        };
        tokens.iter().enumerate().map(char_of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_characters_have_a_token_of_their_own() {
        let vocab = CharVocab::of("naïve").with_unknown();
        assert_eq!(vocab.chars(), ['a', 'e', 'n', 'v', 'ï']);
        assert_eq!((vocab.len(), vocab.unknown()), (6, Some(5)));
        assert_eq!(vocab.encode("ïx").unwrap(), [4, 5]);
        assert_eq!(vocab.decode(&[4, 5]).unwrap(), "ï�");
        assert_eq!(CharVocab::of("ab").unknown(), None);
    }

    #[test]
    fn the_order_can_be_given() {
        let vocab = CharVocab::from_chars(['b', 'a', 'b']);
        assert_eq!(vocab.encode("ab").unwrap(), [1, 0]);
        assert_eq!(vocab.len(), 2);
        let again = CharVocab::from_chars(vocab.chars().to_vec());
        assert_eq!(again, vocab);
    }

    #[test]
    fn numbers_that_are_no_tokens_are_errors() {
        let vocab = CharVocab::of("ab");
        for found in [-1, 2] {
            assert_eq!(
                vocab.decode(&[0, found]).unwrap_err().to_string(),
                format!("expected a token from 0 to 1, found {found} at position 1")
            );
        }
    }
}
