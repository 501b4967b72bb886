//! Short reviews, written by a recipe that also says whether they are good ones.
//!
//! A review is one to three clauses: `the plot was not good , but the music was truly lovely .` Each clause says a good or a
//! bad word of a part of a film. The word counts 1 or −1, twice that after "very" or "truly", and the other way
//! round after "not" or "never". A review is good if its sum is above 0 and bad if it is below; one that sums to 0 is
//! written anew.

use differentiable::nn::Seeds;
use support::data::below;

const PARTS: [&str; 12] = [
    "the plot",
    "the acting",
    "the music",
    "the ending",
    "the dialogue",
    "the camera",
    "the cast",
    "the humour",
    "the villain",
    "the pace",
    "the first half",
    "the whole film",
];
const GOOD: [&str; 12] = [
    "good",
    "great",
    "lovely",
    "funny",
    "clever",
    "moving",
    "gripping",
    "fresh",
    "charming",
    "brilliant",
    "warm",
    "honest",
];
const BAD: [&str; 12] = [
    "bad", "dull", "clumsy", "boring", "silly", "flat", "slow", "tired", "noisy", "awful", "cold",
    "fake",
];
const OPENINGS: [&str; 6] = ["", "", "", "honestly ,", "in the end", "for me"];
const JOINTS: [&str; 4] = [", and", ", but", ", while", "."];

/// A review in words, and whether it is a good one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// Separated by spaces, marks too.
    pub text: String,
    /// What the recipe says.
    pub is_good: bool,
}

fn pick(from: &[&'static str], seeds: &mut Seeds) -> &'static str {
    from[below(seeds, from.len())]
}

/// A clause and what it counts.
fn clause(seeds: &mut Seeds) -> (String, i64) {
    let (word, sign) = match below(seeds, 2) {
        0 => (pick(&BAD, seeds), -1),
        _ => (pick(&GOOD, seeds), 1),
    };
    let (before, factor) = match below(seeds, 6) {
        0 => ("not ", -1),
        1 => ("never ", -1),
        2 => ("very ", 2),
        3 => ("truly ", 2),
        4 => ("quite ", 1),
        _ => ("", 1),
    };
    let part = pick(&PARTS, seeds);
    (format!("{part} was {before}{word}"), sign * factor)
}

impl Review {
    /// Writes a review.
    pub fn written(seeds: &mut Seeds) -> Self {
        loop {
            let (mut text, mut sum) = (pick(&OPENINGS, seeds).to_string(), 0);
            for i in 0..1 + below(seeds, 3) {
                if i > 0 {
                    text = format!("{text} {}", pick(&JOINTS, seeds));
                }
                let (words, value) = clause(seeds);
                text = format!("{text} {words}");
                sum += value;
            }
            if sum != 0 {
                return Review {
                    text: format!("{} .", text.trim_start()),
                    is_good: sum > 0,
                };
            }
        }
    }
}
