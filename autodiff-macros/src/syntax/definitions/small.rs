//! Which functions of a file take so little that running one again costs less than to keep what its reverse reads.
//!
//! Functions that they call are told by their names alone: all functions of such a name have to be small.

use super::file::File;
use super::tokens::{tokens, Token};
use crate::knowledge::numbers;

/// The most operations of a small function, those of functions that it calls among them.
const MOST: usize = 48;

/// How deep small functions may call one another.
const DEEP: usize = 3;

/// The operations of the largest function of a name, if all are small.
pub fn cost(file: &File, name: &str) -> Option<usize> {
    of_function(file, name, DEEP).filter(|_| file.pure)
}

fn of_function(file: &File, name: &str, deep: usize) -> Option<usize> {
    let bodies = file.bodies(name)?;
    let costs = bodies.into_iter().map(|b| of_body(file, b, deep));
    let largest = costs.reduce(|a, b| Some(a?.max(b?))).flatten();
    largest.filter(|cost| *cost <= MOST)
}

fn of_body(file: &File, body: &str, deep: usize) -> Option<usize> {
    let tokens = tokens(body);
    let text = |k: usize| tokens.get(k).map_or("", |t: &Token<'_>| t.text);
    let closure = |name: &str| {
        (0..tokens.len()).any(|k| text(k) == "let" && text(k + 1) == name && text(k + 3) == "|")
    };
    let mut cost = 0;
    for k in 0..tokens.len() {
        match text(k) {
            "for" | "while" | "loop" | "unsafe" | "return" | "?" => return None,
            "!" if text(k + 1) == "(" || text(k + 1) == "[" || text(k + 1) == "{" => return None,
            "+" | "-" | "*" => cost += 1,
            "/" | "%" => cost += 4,
            "(" if k > 0 => {
                let name = text(k - 1);
                let method = k > 1 && text(k - 2) == ".";
                if is_call(name) && !closure(name) {
                    cost += match of_operation(name, method) {
                        Some(cost) => cost,
                        None if deep > 0 => of_function(file, name, deep - 1)?,
                        None => return None,
                    };
                }
            }
            _ => {}
        }
    }
    Some(cost)
}

/// Whether a word before a parenthesis is that of a function: no operator, keyword or constructor.
fn is_call(word: &str) -> bool {
    let named = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let keyword = matches!(
        word,
        "if" | "match" | "in" | "let" | "else" | "mut" | "ref" | "as" | "move"
    );
    named && !keyword && !word.starts_with(char::is_uppercase)
}

/// The operations of a method of numbers, or of one that only moves.
fn of_operation(name: &str, method: bool) -> Option<usize> {
    match name {
        "clone" | "len" | "as_ref" if method => Some(0),
        "powi" | "rem_euclid" | "sqrt" if method => Some(6),
        "min" | "max" | "abs" | "mul_add" | "clamp" | "signum" | "floor" | "ceil" | "round"
        | "recip" | "copysign"
            if method =>
        {
            Some(2)
        }
        // What takes longer is kept.
        _ if method && numbers::method(name, 0).is_some() => Some(MOST + 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<usize> {
        cost(&File::new(text.into()), "f")
    }

    #[test]
    fn what_a_call_takes() {
        assert_eq!(of("fn f(x: f64) -> f64 { x * x + 1.0 }"), Some(2));
        assert_eq!(
            of("fn f(x: P) -> P { P::new(x.0 / 2.0, -x.1) } fn new(a: f64) -> P { P(a) }"),
            Some(5)
        );
        assert_eq!(
            of("fn f(x: f64) -> f64 { let g = |y| y + 1.0; g(x) + g(2.0) }"),
            Some(2)
        );
        assert_eq!(
            of("fn f(x: f64) -> f64 { if (x) > 0.0 { x.max(1.0) } else { -x } }"),
            Some(3)
        );
    }

    #[test]
    fn own_types_are_no_cells() {
        assert_eq!(
            of("struct Cell { h: f64 } fn f(c: &Cell) -> f64 { c.h * 2.0 }"),
            Some(1)
        );
        assert_eq!(
            of("fn f(x: f64, name: &'static str) -> f64 { x * 2.0 }"),
            Some(1)
        );
        let both =
            "struct Cell { h: f64 } struct P(std::cell::Cell<f64>); fn f(x: f64) -> f64 { x }";
        assert_eq!(of(both), None);
    }

    #[test]
    fn what_is_not_small() {
        for text in [
            "fn f(x: &[f64]) -> f64 { let mut s = 0.0; for x in x { s += x; } s }",
            "fn f(x: f64) -> f64 { x.exp() }",
            "fn f(x: f64) -> f64 { elsewhere(x) }",
            "fn f(x: f64) -> f64 { f(x) + 1.0 }",
            "fn f(x: f64) -> f64 { println!(\"{x}\"); x }",
            "fn f(x: f64) -> f64 { x } impl P { fn f(&self) -> f64 { self.0.exp() } }",
            "fn f(x: f64) -> f64 { x } struct P(Cell<f64>);",
            "fn g(x: f64) -> f64 { x }",
        ] {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
