//! Byte-pair encoding.
//!
//! The tokens are at first the 256 bytes. The pair of neighbouring tokens that occurs most often in the training text
//! becomes a new token, and so on (Sennrich, Haddow & Birch 2016; on bytes, Radford et al. 2019). A text is encoded by the same
//! merges, the earliest first. Pairs do not cross the start of a word, which is the white space before it.

use super::TokenError;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

type Pair = (i64, i64);

/// Tokens of one or more bytes, learnt from a text.
///
/// ```
/// use differentiable::data::Bpe;
///
/// let text = "low lower lowest new newer newest";
/// let bpe = Bpe::train(text, 256 + 10);
/// let tokens = bpe.encode("lowest newt");
/// assert!(tokens.len() < "lowest newt".len());
/// assert_eq!(bpe.decode(&tokens)?, "lowest newt");
/// # Ok::<(), differentiable::data::TokenError>(())
/// ```
///
/// Every text can be encoded, since every byte is a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bpe {
    merges: Vec<Pair>,
    ranks: HashMap<Pair, usize>,
    /// The bytes of each token.
    bytes: Vec<Vec<u8>>,
}

const BYTES: usize = 256;

impl Bpe {
    /// Learns merges from a text until there are `tokens` tokens, or no pair occurs twice. Of pairs that occur equally often the
    /// one with the smaller tokens is merged.
    pub fn train(text: &str, tokens: usize) -> Self {
        let mut corpus = Corpus::new(text);
        let mut bpe = Bpe::without_merges();
        while bpe.len() < tokens {
            let Some(pair) = corpus.most_frequent() else {
                break;
            };
            corpus.merge(pair, bpe.len() as i64);
            bpe.push(pair);
        }
        bpe
    }

    /// Merges that [`merges`](Bpe::merges) returned before.
    ///
    /// # Errors
    /// [`TokenError::Merge`] if a merge has a token that no earlier merge makes.
    pub fn from_merges(merges: impl IntoIterator<Item = Pair>) -> Result<Self, TokenError> {
        let mut bpe = Bpe::without_merges();
        for (at, found) in merges.into_iter().enumerate() {
            let tokens = bpe.len();
            let is_token = |t: i64| (0..tokens as i64).contains(&t);
            if !is_token(found.0) || !is_token(found.1) {
                return Err(TokenError::Merge { tokens, found, at });
            }
            bpe.push(found);
        }
        Ok(bpe)
    }

    fn without_merges() -> Self {
        Bpe {
            merges: Vec::new(),
            ranks: HashMap::new(),
            bytes: (0..=u8::MAX).map(|b| vec![b]).collect(),
        }
    }

    fn push(&mut self, pair: Pair) {
        let part = |token: i64| self.bytes[token as usize].as_slice();
        let bytes = [part(pair.0), part(pair.1)].concat();
        // A pair that is merged twice keeps its first rank.
        self.ranks.entry(pair).or_insert(self.merges.len());
        self.merges.push(pair);
        self.bytes.push(bytes);
    }

    /// The merged pairs, in order: merge `i` makes the token `256 + i`.
    pub fn merges(&self) -> &[(i64, i64)] {
        &self.merges
    }

    /// The number of tokens.
    #[allow(clippy::len_without_is_empty)] // The bytes are always there.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes of a token.
    pub fn token(&self, token: i64) -> Option<&[u8]> {
        let at = usize::try_from(token).ok()?;
        self.bytes.get(at).map(Vec::as_slice)
    }

    /// The tokens of a text.
    pub fn encode(&self, text: &str) -> Vec<i64> {
        words(text)
            .flat_map(|word| self.encode_word(word))
            .collect()
    }

    fn encode_word(&self, word: &str) -> Vec<i64> {
        let mut tokens: Vec<i64> = word.bytes().map(i64::from).collect();
        loop {
            let pairs = tokens.windows(2).map(|w| (w[0], w[1]));
            let ranks = pairs.filter_map(|pair| Some((*self.ranks.get(&pair)?, pair)));
            let Some((rank, pair)) = ranks.min() else {
                return tokens;
            };
            merge(&mut tokens, pair, (BYTES + rank) as i64);
        }
    }

    /// The text of tokens. Bytes that are no UTF-8, such as half a character that a model has written, become `�`.
    ///
    /// # Errors
    /// [`TokenError::Token`] for a number that is no token.
    pub fn decode(&self, tokens: &[i64]) -> Result<String, TokenError> {
        let mut bytes = Vec::new();
        for (at, &found) in tokens.iter().enumerate() {
            let token = self.token(found).ok_or(TokenError::Token {
                tokens: self.len(),
                found,
                at,
            })?;
            bytes.extend_from_slice(token);
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The words of a text, each with the white space before it; white space at the end is a word.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let start = rest
            .find(|c: char| !c.is_whitespace())
            .unwrap_or(rest.len());
        let length = rest[start..].find(char::is_whitespace);
        let end = length.map_or(rest.len(), |n| start + n);
        let (word, after) = rest.split_at(end);
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

/// Replaces each occurrence of a pair, from the left.
fn merge(tokens: &mut Vec<i64>, pair: Pair, merged: i64) {
    let mut out = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if at + 1 < tokens.len() && (tokens[at], tokens[at + 1]) == pair {
            out.push(merged);
            at += 2;
        } else {
            out.push(tokens[at]);
            at += 1;
        }
    }
    *tokens = out;
}

/// The different words of the training text, and where which pair occurs: a merge visits only the words that have its pair.
struct Corpus {
    words: Vec<(Vec<i64>, u64)>,
    counts: HashMap<Pair, u64>,
    places: HashMap<Pair, BTreeSet<usize>>,
}

impl Corpus {
    fn new(text: &str) -> Self {
        let mut counted: HashMap<&str, u64> = HashMap::new();
        for word in words(text) {
            *counted.entry(word).or_default() += 1;
        }
        let tokens = |word: &str| word.bytes().map(i64::from).collect();
        let words = counted.into_iter().map(|(word, n)| (tokens(word), n));
        let mut corpus = Corpus {
            words: words.collect(),
            counts: HashMap::new(),
            places: HashMap::new(),
        };
        for at in 0..corpus.words.len() {
            corpus.count(at);
        }
        corpus
    }

    /// Enters the pairs of a word.
    fn count(&mut self, at: usize) {
        let (tokens, n) = &self.words[at];
        for pair in tokens.windows(2).map(|w| (w[0], w[1])) {
            *self.counts.entry(pair).or_default() += n;
            self.places.entry(pair).or_default().insert(at);
        }
    }

    /// Takes the pairs of a word out.
    fn discount(&mut self, at: usize) {
        let (tokens, n) = &self.words[at];
        for pair in tokens.windows(2).map(|w| (w[0], w[1])) {
            if let Some(count) = self.counts.get_mut(&pair) {
                *count -= n;
                if *count == 0 {
                    self.counts.remove(&pair);
                }
            }
            if let Some(places) = self.places.get_mut(&pair) {
                places.remove(&at);
            }
        }
    }

    /// The pair that occurs most often, at least twice.
    fn most_frequent(&self) -> Option<Pair> {
        let best = self
            .counts
            .iter()
            .max_by_key(|&(pair, n)| (*n, Reverse(*pair)));
        best.filter(|(_, n)| **n > 1).map(|(pair, _)| *pair)
    }

    fn merge(&mut self, pair: Pair, merged: i64) {
        for at in self.places.remove(&pair).unwrap_or_default() {
            self.discount(at);
            merge(&mut self.words[at].0, pair, merged);
            self.count(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The merges by the definition: all pairs counted anew before each.
    fn slow(text: &str, merges: usize) -> Vec<Pair> {
        let mut all: Vec<Vec<i64>> = words(text)
            .map(|w| w.bytes().map(i64::from).collect())
            .collect();
        let mut found = Vec::new();
        while found.len() < merges {
            let mut counts: std::collections::BTreeMap<Pair, u64> = Default::default();
            for w in all.iter().flat_map(|word| word.windows(2)) {
                *counts.entry((w[0], w[1])).or_default() += 1;
            }
            let most = counts.values().copied().max().unwrap_or(0);
            if most < 2 {
                break;
            }
            let (&pair, _) = counts.iter().find(|(_, n)| **n == most).unwrap();
            let merged = (BYTES + found.len()) as i64;
            all.iter_mut().for_each(|word| merge(word, pair, merged));
            found.push(pair);
        }
        found
    }

    const TEXT: &str = "the cat sat on the mat, the cats sat on the mats; aaa aaaa aaaaa\n\tnaïve naïveté — that is that";

    #[test]
    fn the_classic_example() {
        // Gage (1994): in aaabdaaabac, aa is merged first, then with the smaller tokens first a and b.
        let bpe = Bpe::train("aaabdaaabac", 256 + 3);
        let (a, b) = (i64::from(b'a'), i64::from(b'b'));
        assert_eq!(bpe.merges(), [(a, a), (a, b), (256, 257)]);
        assert_eq!(bpe.token(258), Some(&b"aaab"[..]));
        assert_eq!(
            bpe.encode("aaabdaaabac"),
            [258, i64::from(b'd'), 258, a, i64::from(b'c')]
        );
    }

    #[test]
    fn training_counts_as_the_definition_does() {
        for merges in [1, 5, 20, 1000] {
            assert_eq!(
                Bpe::train(TEXT, BYTES + merges).merges(),
                slow(TEXT, merges)
            );
        }
    }

    #[test]
    fn every_text_comes_back() {
        let bpe = Bpe::train(TEXT, 300);
        for text in [TEXT, "", " ", "  \n", "日本語 never seen", "the the  the\n"] {
            assert_eq!(bpe.decode(&bpe.encode(text)).unwrap(), text);
        }
        assert_eq!(words(TEXT).collect::<String>(), TEXT);
        let again = Bpe::from_merges(bpe.merges().iter().copied()).unwrap();
        assert_eq!(again, bpe);
    }

    #[test]
    fn few_tokens_are_the_bytes() {
        let bpe = Bpe::train(TEXT, 10);
        assert_eq!(bpe.len(), 256);
        assert_eq!(bpe.encode("é"), [0xc3, 0xa9]);
        assert_eq!(bpe.decode(&[0xc3]).unwrap(), "�");
    }

    #[test]
    fn what_is_no_token_is_an_error() {
        let bpe = Bpe::train("aa aa", 257);
        assert_eq!(
            bpe.decode(&[97, 257]).unwrap_err().to_string(),
            "expected a token from 0 to 256, found 257 at position 1"
        );
        assert_eq!(
            Bpe::from_merges([(97, 97), (256, 258)])
                .unwrap_err()
                .to_string(),
            "expected a pair of tokens below 257 as merge 1, found (256, 258)"
        );
    }
}
