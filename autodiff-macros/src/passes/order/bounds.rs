//! What an index is at most, and at least.
//!
//! A bound is a sum of variables, with signs, and a number: read off ranges of loops, off slices (`row[..j][k]` is before `j`)
//! and off immutable variables. Of a sum it is the sum of bounds.

use super::{is_steady, Dimension, Order, DEEP};
use crate::ir::*;
use syn::{BinOp, Expr, ExprRange, RangeLimits};

/// How many bounds of one index are looked at.
const MANY: usize = 12;

/// Variables, each with how often it counts, and a number.
pub(super) type Bound = (Vec<(VarId, i64)>, i64);

/// Whether a bound is above what it bounds.
#[derive(Clone, Copy)]
enum Side {
    Upper,
    Lower,
}

impl Side {
    fn opposite(self) -> Self {
        match self {
            Side::Upper => Side::Lower,
            Side::Lower => Side::Upper,
        }
    }
}

impl Order {
    /// What an index is at most.
    pub(super) fn upper(&self, f: &Func, d: &Dimension<'_>) -> Vec<Bound> {
        let mut out = match d.ranges.first().and_then(|r| Some((r, r.end.as_ref()?))) {
            Some((r, end)) => shifted(self.upper_of(f, end), last(r)),
            None => Vec::new(),
        };
        if let (true, Some(index)) = (d.ranges.iter().all(|r| r.start.is_none()), &d.index) {
            out.extend(self.upper_of(f, index));
        }
        out
    }

    /// What an index is at least.
    pub(super) fn lower(&self, f: &Func, d: &Dimension<'_>) -> Vec<Bound> {
        let first = d.ranges.first().and_then(|r| r.start.as_ref());
        match (first, &d.index) {
            (Some(start), _) => self.lower_of(f, start),
            (None, Some(index)) => self.lower_of(f, index),
            (None, None) => vec![(Vec::new(), 0)],
        }
    }

    /// What an expression is at most.
    pub(super) fn upper_of(&self, f: &Func, e: &Expr) -> Vec<Bound> {
        self.bounds(f, e, Side::Upper, DEEP)
    }

    /// What an expression is at least.
    pub(super) fn lower_of(&self, f: &Func, e: &Expr) -> Vec<Bound> {
        self.bounds(f, e, Side::Lower, DEEP)
    }

    fn bounds(&self, f: &Func, e: &Expr, side: Side, deep: usize) -> Vec<Bound> {
        if deep == 0 {
            return Vec::new();
        }
        let of = |e: &Expr| self.bounds(f, e, side, deep - 1);
        let opposite = |e: &Expr| self.bounds(f, e, side.opposite(), deep - 1);
        match e {
            Expr::Binary(b) => match (&b.op, number(&b.right), side) {
                (BinOp::Add(_), Some(n), _) => shifted(of(&b.left), n),
                (BinOp::Sub(_), Some(n), _) => shifted(of(&b.left), -n),
                (BinOp::Add(_), None, Side::Upper) => sums(&of(&b.left), &of(&b.right), 1),
                // No index is below 0.
                (BinOp::Add(_), None, Side::Lower) => {
                    let (left, right) = (of(&b.left), of(&b.right));
                    let both = sums(&left, &right, 1);
                    few([left, right, both].concat())
                }
                (BinOp::Sub(_), None, Side::Upper) => {
                    let left = of(&b.left);
                    let less = sums(&left, &opposite(&b.right), -1);
                    few([left, less].concat())
                }
                (BinOp::Sub(_), None, Side::Lower) => sums(&of(&b.left), &opposite(&b.right), -1),
                (BinOp::Div(_), _, Side::Upper) => of(&b.left),
                (BinOp::Rem(_), _, Side::Upper) => shifted(of(&b.right), -1),
                _ => Vec::new(),
            },
            Expr::MethodCall(m) if m.args.len() == 1 => {
                match (m.method.to_string().as_str(), side) {
                    ("min", Side::Upper) | ("max", Side::Lower) => {
                        [of(&m.receiver), of(&m.args[0])].concat()
                    }
                    ("saturating_sub", Side::Upper) => of(&m.receiver),
                    ("saturating_sub", Side::Lower) => {
                        let number = number(&m.args[0]);
                        number.map_or(Vec::new(), |n| shifted(of(&m.receiver), -n))
                    }
                    _ => Vec::new(),
                }
            }
            e => self.of_name(f, e, |counted, e| match (counted, side) {
                (None, _) => of(e),
                (Some(r), Side::Upper) => {
                    let end = r.end.as_ref();
                    end.map_or(Vec::new(), |e| shifted(of(e), last(r)))
                }
                (Some(r), Side::Lower) => r.start.as_ref().map_or(Vec::new(), |e| of(e)),
            }),
        }
    }

    /// The bounds of a number, and of a variable that does not change: itself, and what `meant` finds in its range or in
    /// its definition.
    fn of_name(
        &self,
        f: &Func,
        e: &Expr,
        meant: impl Fn(Option<&ExprRange>, &Expr) -> Vec<Bound>,
    ) -> Vec<Bound> {
        if let Some(n) = number(e) {
            return vec![(Vec::new(), n)];
        }
        match e {
            Expr::Paren(p) => return meant(None, &p.expr),
            Expr::Group(g) => return meant(None, &g.expr),
            _ => {}
        }
        let Some(v) = self.variable(e).filter(|v| is_steady(f, *v)) else {
            return Vec::new();
        };
        let mut out = vec![(vec![(v, 1)], 0)];
        match (self.ranges.get(&v), self.meanings.get(&v)) {
            (Some(range), _) => out.extend(meant(Some(range), e)),
            (None, Some(meaning)) => out.extend(meant(None, meaning)),
            (None, None) => {}
        }
        out
    }
}

/// What is taken away from the end of a range for its last item.
fn last(r: &ExprRange) -> i64 {
    match r.limits {
        RangeLimits::HalfOpen(_) => -1,
        RangeLimits::Closed(_) => 0,
    }
}

/// Whether a bound is one variable and a number.
pub(super) fn is_counter(b: &Bound, counter: VarId) -> bool {
    b.0 == [(counter, 1)]
}

/// Every bound of the left with every one of the right, which are added or taken away.
fn sums(left: &[Bound], right: &[Bound], sign: i64) -> Vec<Bound> {
    let mut out = Vec::new();
    for (a, m) in left {
        for (b, n) in right {
            let mut all = a.clone();
            for (v, times) in b {
                match all.iter_mut().find(|t| t.0 == *v) {
                    Some(t) => t.1 += sign * times,
                    None => all.push((*v, sign * times)),
                }
            }
            all.retain(|t| t.1 != 0);
            all.sort_unstable();
            let number = n.checked_mul(sign).and_then(|n| m.checked_add(n));
            out.extend(number.map(|n| (all, n)));
        }
    }
    few(out)
}

/// The simplest of them.
fn few(mut bounds: Vec<Bound>) -> Vec<Bound> {
    bounds.sort_by_key(|b| b.0.len());
    bounds.dedup();
    bounds.truncate(MANY);
    bounds
}

fn number(e: &Expr) -> Option<i64> {
    match e {
        Expr::Lit(l) => match &l.lit {
            syn::Lit::Int(n) => n.base10_parse().ok(),
            _ => None,
        },
        Expr::Paren(p) => number(&p.expr),
        _ => None,
    }
}

fn shifted(bounds: Vec<Bound>, by: i64) -> Vec<Bound> {
    let moved = |(v, n): Bound| Some((v, n.checked_add(by)?));
    bounds.into_iter().filter_map(moved).collect()
}

/// Bounds of the other sign: from upper ones of `a` lower ones of `-a`, whose variables stand for their negatives.
pub(super) fn negated(bounds: &[Bound]) -> Vec<Bound> {
    bounds.iter().map(|(v, n)| (v.clone(), -n)).collect()
}

/// The least `d` for which `a <= b + d` is known, from upper bounds of `a` and lower ones of `b`.
pub(super) fn distance(upper: &[Bound], lower: &[Bound]) -> Option<i64> {
    let pairs = upper.iter().flat_map(|u| lower.iter().map(move |l| (u, l)));
    let same = pairs.filter(|(u, l)| u.0 == l.0);
    same.filter_map(|(u, l)| u.1.checked_sub(l.1)).min()
}
