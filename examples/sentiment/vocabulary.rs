//! Texts as numbers: words, and pairs of neighbours.

use std::collections::BTreeMap;

/// Stands behind texts that are shorter than the longest of a batch.
pub const PADDING: i64 = 0;
/// What the vocabulary lacks.
pub const UNKNOWN: i64 = 1;

/// The tokens of texts, each with a number.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    /// Token `i` has the number `i + 2`.
    tokens: Vec<String>,
    numbers: BTreeMap<String, i64>,
    pairs: bool,
}

impl Vocabulary {
    /// The tokens of these texts, the frequent ones first, without those that would make more than `size` numbers. With
    /// `pairs`, two words that stand side by side are a token too.
    pub fn of<'t>(texts: impl Iterator<Item = &'t str>, size: usize, pairs: bool) -> Self {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for token in texts.flat_map(|text| tokens(text, pairs)) {
            *counts.entry(token).or_default() += 1;
        }
        let mut tokens: Vec<(String, usize)> = counts.into_iter().collect();
        tokens.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let tokens = tokens.into_iter().map(|(token, _)| token);
        let tokens: Vec<String> = tokens.take(size - 2).collect();
        let numbers = (2..).zip(&tokens).map(|(n, token)| (token.clone(), n));
        Vocabulary {
            numbers: numbers.collect(),
            tokens,
            pairs,
        }
    }

    /// The numbers of a text.
    pub fn encode(&self, text: &str) -> Vec<i64> {
        let number = |token: String| self.numbers.get(&token).copied().unwrap_or(UNKNOWN);
        tokens(text, self.pairs).map(number).collect()
    }

    /// All tokens with their numbers.
    pub fn tokens(&self) -> impl Iterator<Item = (i64, &str)> {
        (2..).zip(self.tokens.iter().map(String::as_str))
    }
}

fn tokens(text: &str, pairs: bool) -> impl Iterator<Item = String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let single = words.iter().map(|word| word.to_string());
    let mut all: Vec<String> = single.collect();
    if pairs {
        all.extend(words.windows(2).map(|pair| pair.join(" ")));
    }
    all.into_iter()
}
