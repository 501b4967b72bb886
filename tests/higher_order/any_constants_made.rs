//! Constants of plain types that are made in the body, and text.

use crate::any_constants::slope;
use crate::near;
use differentiable::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Call,
    Put,
    Custom(f64),
    Named { k: f64 },
}
#[derive(Clone, Debug)]
struct Cfg {
    k: f64,
    kind: Kind,
}
impl Cfg {
    fn new(k: f64) -> Self {
        Cfg {
            k,
            kind: Kind::Call,
        }
    }
    fn half(&self) -> Cfg {
        Cfg {
            k: self.k * 0.5,
            kind: self.kind,
        }
    }
}
#[differentiable(higher_order)]
fn pay(x: f64, #[constant] kind: Kind, #[constant] c: &Cfg) -> f64 {
    match kind {
        Kind::Call => x * x * c.k,
        Kind::Put => x.sin(),
        Kind::Custom(k) => k * x * x * x,
        Kind::Named { k } => x.exp() * k,
    }
}
#[differentiable(higher_order)]
fn f(x: f64, #[constant] c: &Cfg, #[constant] flags: &[bool]) -> f64 {
    let mut s = 0.0;
    let kind = if flags[0] { Kind::Call } else { Kind::Put };
    s += pay(x, kind, c);
    s += pay(x, Kind::Custom(2.5), c);
    s += pay(x, Kind::Named { k: 0.5 }, c);
    let h = c.half();
    s += pay(x, h.kind, &h);
    let d = Cfg::new(0.75);
    s += pay(x, Kind::Call, &d);
    let e = Cfg {
        k: 0.25,
        kind: Kind::Put,
    };
    s += pay(x, e.kind, &e) + e.k * x * x;
    for k in [Kind::Call, Kind::Put] {
        s += pay(x, k, c);
    }
    s
}
#[differentiable(higher_order)]
fn t(
    x: f64,
    #[constant] text: &str,
    #[constant] words: &[String],
    #[constant] names: &Vec<String>,
) -> f64 {
    let mut s = 0.0;
    for ch in text.chars() {
        s += match ch {
            'a' => x * x,
            'b' => x.sin(),
            _ => 0.5 * x,
        };
    }
    for w in words {
        if w.len() > 2 {
            s += x.powi(3);
        }
    }
    for n in names {
        s += x * x * n.len() as f64;
    }
    s
}

#[test]
fn made_in_the_body() {
    let c = Cfg {
        k: 1.7,
        kind: Kind::Put,
    };
    for flag in [true, false] {
        let g = |x| f::grad(x, &c, &[flag]);
        near(g(0.8), slope(|d| f(0.8 + d, &c, &[flag])), 1e-8);
        near(f::hessian(0.8, &c, &[flag]), slope(|d| g(0.8 + d)), 1e-8);
    }
}

#[test]
fn text() {
    let (text, words) = ("abca", vec!["abc".to_string(), "d".to_string()]);
    let g = |x| t::grad(x, text, &words, &words);
    near(g(0.8), slope(|d| t(0.8 + d, text, &words, &words)), 1e-8);
    near(
        t::hessian(0.8, text, &words, &words),
        slope(|d| g(0.8 + d)),
        1e-8,
    );
}
