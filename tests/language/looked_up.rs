//! Entries that a key finds: a reference to one is looked up once in each pass, and a number is kept.

use crate::check;
use differentiable::prelude::*;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};
use std::ops::Index;

#[derive(Clone, Debug, Differentiable)]
struct Pair {
    depth: f64,
    width: f64,
}

struct Setup {
    pairs: HashMap<(u8, u8), Pair>,
    charges: BTreeMap<String, f64>,
    groups: HashMap<u8, HashMap<u8, Vec<f64>>>,
}

fn setup() -> Setup {
    let pair = |depth, width| Pair { depth, width };
    Setup {
        pairs: HashMap::from([((0, 0), pair(1.0, 0.9)), ((0, 1), pair(0.6, 1.2))]),
        charges: BTreeMap::from([("in".to_string(), 0.4), ("out".to_string(), -0.7)]),
        groups: HashMap::from([(3, HashMap::from([(5, vec![0.2, 0.9])]))]),
    }
}

#[differentiable]
fn well(r: f64, pair: &Pair, scale: f64) -> f64 {
    let s = (r / pair.width).powi(2);
    scale * pair.depth * (s * s - s)
}

#[differentiable]
fn weighted(r: f64, weights: &[f64]) -> f64 {
    weights.iter().map(|w| w * r.sin()).sum::<f64>() * r
}

#[differentiable]
fn energy(x: &[f64], #[constant] setup: &Setup, name: &str) -> f64 {
    let mut total = 0.0;
    for i in 1..x.len() {
        let r = x[i] - x[i - 1];
        let key = (0, (i % 2) as u8);
        total += well(r, &setup.pairs[&key], 0.5 + setup.pairs[&key].depth);
        total *= setup.charges[name] * r + setup.charges[&"in".to_string()];
        total += weighted(r, &setup.groups[&3][&5]) + r * setup.groups[&3][&5][i % 2];
        if setup.charges["out"] * r > 0.3 {
            total += r * r;
        }
    }
    total
}

#[test]
fn in_maps() {
    let x: Vec<f64> = (0..6)
        .map(|i| f64::from(i) + 0.3 * f64::from(i).sin())
        .collect();
    for name in ["in", "out"] {
        let (setup, name) = (setup(), name.to_string());
        let sum = |x: &[f64]| energy(x, &setup, &name);
        let (value, gradient) = energy::value_and_grad(&x, &setup, &name);
        assert_eq!(value, sum(&x));
        for (i, slope) in gradient.iter().enumerate() {
            let at = |h: f64| {
                let mut x = x.clone();
                x[i] += h;
                sum(&x)
            };
            let difference = (at(1e-6) - at(-1e-6)) / 2e-6;
            assert!(
                (slope - difference).abs() < 1e-7,
                "{i}: {slope} {difference}"
            );
        }
    }
}

/// Counts how often it is asked.
struct Counted<'a> {
    pair: Pair,
    asked: &'a Cell<usize>,
}

impl Index<&str> for Counted<'_> {
    type Output = Pair;
    fn index(&self, _: &str) -> &Pair {
        self.asked.set(self.asked.get() + 1);
        &self.pair
    }
}

#[differentiable]
fn counted(x: &[f64], #[constant] table: &Counted<'_>) -> f64 {
    let mut total = 0.0;
    for x in x {
        total += well(*x, &table[&"pair"], 1.5);
        total += table[&"pair"].depth * x.exp();
    }
    total
}

/// Twice in the primal for each entry; the reverse pass asks once more for the reference.
#[test]
fn are_looked_up_once() {
    let asked = Cell::new(0);
    let pair = Pair {
        depth: 0.8,
        width: 1.1,
    };
    let table = Counted {
        pair,
        asked: &asked,
    };
    let x = [0.4, 0.9, -0.2, 1.3];
    counted(&x, &table);
    let primal = asked.replace(0);
    assert_eq!(primal, 2 * x.len());
    counted::grad(&x, &table);
    assert_eq!(asked.get(), primal + x.len());
}

/// The map is built inside, and what it is asked for changes.
#[differentiable]
fn local(x: &[f64]) -> f64 {
    let names = ["a", "b", "c"];
    let weights = HashMap::from([("a", 0.3), ("b", -1.2), ("c", 0.8)]);
    let mut total = 1.0;
    for (i, x) in x.iter().enumerate() {
        let name = names[i % 3];
        total = total * weights[&name] + x * weights[name].abs();
    }
    total
}

#[test]
fn in_a_map_of_the_function() {
    check::<local, _>(&(vec![0.3, 0.8, -0.4, 1.1, 0.2],));
}

#[derive(Clone, Debug, Differentiable)]
struct Scorer {
    weights: Vec<f64>,
    #[constant]
    words: HashMap<String, Vec<usize>>,
    #[constant]
    bias: BTreeMap<String, f64>,
}

#[differentiable]
impl Scorer {
    fn score(&self, word: &str) -> f64 {
        let mut s = 0.0;
        if let Some(features) = self.words.get(word) {
            for &f in features {
                s += self.weights[f];
            }
        }
        if let Some(bias) = self.bias.get(word) {
            s *= bias;
        }
        s
    }
}

#[differentiable]
fn scores(scorer: &Scorer, texts: &[String]) -> f64 {
    let mut total = 1.0;
    for word in texts {
        total = 0.5 * total * scorer.score(word) + scorer.score("a").powi(2);
    }
    total
}

#[differentiable]
fn of_parameters(
    weights: &[f64],
    #[constant] words: &HashMap<String, Vec<usize>>,
    word: &str,
) -> f64 {
    let mut s = 1.0;
    if let Some(features) = words.get(word) {
        for &f in features {
            s = s * weights[f] + weights[0];
        }
        for f in features {
            s += weights[*f];
        }
    }
    let first = words.get(word).unwrap();
    for f in first {
        s *= weights[*f];
    }
    s
}

#[test]
fn asked_for() {
    let words = HashMap::from([("a".to_string(), vec![0, 2]), ("b".to_string(), vec![1])]);
    let weights = vec![0.6, 1.4, -0.7];
    let gradient = of_parameters::grad(&weights, &words, "a");
    for (i, slope) in gradient.iter().enumerate() {
        let at = |h: f64| {
            let mut moved = weights.clone();
            moved[i] += h;
            of_parameters(&moved, &words, "a")
        };
        let difference = (at(1e-6) - at(-1e-6)) / 2e-6;
        assert!(
            (slope - difference).abs() < 1e-8,
            "{i}: {slope} {difference}"
        );
    }
    let bias = BTreeMap::from([("b".to_string(), 1.5)]);
    let scorer = Scorer {
        weights,
        words,
        bias,
    };
    let texts = ["a", "b", "none"].map(String::from).to_vec();
    check::<scores, _>(&(scorer, texts));
}

/// `i` is a reference in one loop and an index in another, where a slice is asked.
#[differentiable]
fn by_index(x: &[f64], y: &[f64], chosen: &[usize]) -> f64 {
    let mut total = 0.0;
    for i in chosen.iter() {
        total += x[*i];
    }
    for (i, v) in x.iter().enumerate() {
        if let Some(w) = y.get(i) {
            total += v * w * w;
        }
    }
    let rows = [x.to_vec(), y.to_vec()];
    if let Some(row) = rows.first() {
        for v in row {
            total *= v + 1.0;
        }
    }
    let last = rows.last().unwrap();
    total + last.iter().sum::<f64>()
}

#[test]
fn indices_are_no_keys() {
    check::<by_index, _>(&(vec![0.3, 0.8, -0.4], vec![1.1, 0.2], vec![2, 0]));
}

#[differentiable]
fn torque(a: f64, b: f64, pair: &Pair) -> f64 {
    pair.depth * (b - a + pair.width).sin()
}

/// What a map or a slice may have is passed on, in a loop, by a name of its own, and where there is none.
#[differentiable]
fn passed_on(x: &[f64], #[constant] setup: &Setup, #[constant] pairs: &[Pair]) -> f64 {
    let mut total = 0.0;
    for i in 0..x.len() {
        let next = x[(i + 1) % x.len()];
        if let Some(near) = setup.pairs.get(&(0, (i % 3) as u8)) {
            total += torque(x[i], next, near);
        }
        if let Some(pair) = pairs.get(i) {
            total *= 1.0 + torque(x[i], total, pair);
        }
        let far = setup.pairs.get(&(0, 1)).unwrap();
        total += match pairs.last() {
            Some(last) => torque(next, x[i], last) * torque(x[i], next, far),
            None => x[i],
        };
    }
    total
}

#[test]
fn entries_are_passed_on() {
    let setup = setup();
    let pair = |depth| Pair { depth, width: 0.3 };
    for pairs in [vec![], vec![pair(0.4), pair(-0.2)]] {
        let x = [0.3, 0.8, -0.4, 1.1];
        let gradient = passed_on::grad(&x, &setup, &pairs);
        for (i, slope) in gradient.iter().enumerate() {
            let at = |h: f64| {
                let mut x = x;
                x[i] += h;
                passed_on(&x, &setup, &pairs)
            };
            let difference = (at(1e-6) - at(-1e-6)) / 2e-6;
            let close = (slope - difference).abs() < 1e-8 * (1.0 + slope.abs());
            assert!(close, "{i}: {slope} {difference}");
        }
    }
}
