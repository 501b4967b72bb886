//! Tables that are stored row by row: `table[i * n + j]` is the entry `j` of the row `i`.

use super::bounds::distance;
use super::{is_steady, Dimension, Order, DEEP};
use crate::ir::{Func, Var};
use crate::syntax::bare;
use quote::ToTokens;
use std::borrow::Cow;
use syn::{BinOp, Expr};

/// `row * stride + column`
struct Entry {
    row: Expr,
    stride: Expr,
    column: Expr,
}

impl Order {
    /// The indices of two places, with those of flat tables taken apart where both have rows of one length. The diagonals
    /// that the places are in follow: a table may be filled diagonal by diagonal.
    pub(super) fn by_rows<'p>(
        &self,
        f: &Func,
        table: &Var,
        entry: &[Dimension<'p>],
        written: &[Dimension<'p>],
    ) -> (Vec<Dimension<'p>>, Vec<Dimension<'p>>) {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (e, w) in entry.iter().zip(written) {
            let apart = match (self.entries(f, table, e), self.entries(f, table, w)) {
                (a, b) if a.is_empty() || b.is_empty() => None,
                (a, b) => same_stride(a, b),
            };
            match apart {
                Some((a, b)) => {
                    left.extend(a.dimensions());
                    right.extend(b.dimensions());
                }
                None => {
                    left.push(e.clone());
                    right.push(w.clone());
                }
            }
        }
        let (by_diagonals, others) = (diagonals(&left), diagonals(&right));
        for (a, b) in by_diagonals.into_iter().zip(others) {
            if let (Some(a), Some(b)) = (a, b) {
                left.push(a);
                right.push(b);
            }
        }
        (left, right)
    }

    /// The ways to read an index as a row and a column.
    fn entries(&self, f: &Func, table: &Var, d: &Dimension<'_>) -> Vec<Entry> {
        let mut out = Vec::new();
        let Some(index) = d.index.as_ref().filter(|_| d.ranges.is_empty()) else {
            return out;
        };
        let mut terms = Vec::new();
        self.terms(index, true, &mut terms, DEEP);
        for (k, (term, plus)) in terms.iter().enumerate() {
            let Expr::Binary(b) = term else {
                continue;
            };
            if !plus || !matches!(b.op, BinOp::Mul(_)) {
                continue;
            }
            let mut others = terms.clone();
            others.remove(k);
            for (row, stride) in [(&b.left, &b.right), (&b.right, &b.left)] {
                out.extend(self.entry(f, table, bare(row).clone(), bare(stride).clone(), &others));
            }
        }
        out
    }

    /// `row * stride` and other terms, if these are a column.
    fn entry(
        &self,
        f: &Func,
        table: &Var,
        row: Expr,
        stride: Expr,
        others: &[(Expr, bool)],
    ) -> Option<Entry> {
        if !self.is_one_value(f, table, &stride) {
            return None;
        }
        // `i * n + j - n` is in the row before.
        let is_row = |e: &Expr| text(bare(e)) == text(&stride);
        let (rows, column): (Vec<_>, Vec<_>) = others.iter().partition(|(e, _)| is_row(e));
        let row = rows.iter().fold(row, |row, (_, plus)| match plus {
            true => syn::parse_quote!(#row + 1),
            false => syn::parse_quote!(#row - 1),
        });
        let column = sum(&column)?;
        self.is_in_row(f, &column, &stride).then_some(Entry {
            row,
            stride,
            column,
        })
    }

    /// Whether an expression has one value as long as the table is there: no loop in which the table is written makes its
    /// variables anew.
    fn is_one_value(&self, f: &Func, table: &Var, e: &Expr) -> bool {
        match e {
            Expr::Lit(_) => true,
            Expr::Paren(p) => self.is_one_value(f, table, &p.expr),
            Expr::Binary(b) => {
                self.is_one_value(f, table, &b.left) && self.is_one_value(f, table, &b.right)
            }
            e => self.variable(e).is_some_and(|v| {
                let around = &f.vars[v].defined.scope;
                let mut loops = around.iter().filter(|s| s.is_loop);
                let made_once = loops.all(|s| table.defined.scope.contains(s));
                is_steady(f, v) && !f.vars[v].counter && made_once
            }),
        }
    }

    /// Whether a column is at least 0, and less than the length of a row.
    fn is_in_row(&self, f: &Func, column: &Expr, stride: &Expr) -> bool {
        let below = distance(&self.upper_of(f, column), &self.lower_of(f, stride));
        let lower = self.lower_of(f, column);
        let not_below_zero = lower.iter().any(|(v, n)| v.is_empty() && *n >= 0);
        not_below_zero && below.is_some_and(|d| d < 0)
    }

    /// The terms of a sum, and whether they are added.
    fn terms(&self, e: &Expr, plus: bool, out: &mut Vec<(Expr, bool)>, deep: usize) {
        match e {
            Expr::Paren(p) => self.terms(&p.expr, plus, out, deep),
            Expr::Binary(b) if matches!(b.op, BinOp::Add(_)) => {
                self.terms(&b.left, plus, out, deep);
                self.terms(&b.right, plus, out, deep);
            }
            Expr::Binary(b) if matches!(b.op, BinOp::Sub(_)) => {
                self.terms(&b.left, plus, out, deep);
                self.terms(&b.right, !plus, out, deep);
            }
            e => {
                // `let at = i * n + j;`
                let meant = self.variable(e).and_then(|v| self.meaning(v));
                match meant.filter(|m| deep > 0 && is_sum(m)) {
                    Some(meant) => self.terms(meant, plus, out, deep - 1),
                    None => out.push((e.clone(), plus)),
                }
            }
        }
    }
}

impl Entry {
    fn dimensions<'p>(self) -> [Dimension<'p>; 2] {
        [self.row, self.column].map(|e| Dimension {
            ranges: Vec::new(),
            index: Some(Cow::Owned(e)),
        })
    }
}

/// The differences and sums of neighbouring indices.
fn diagonals<'p>(all: &[Dimension<'p>]) -> Vec<Option<Dimension<'p>>> {
    let made = |e: Expr| Dimension {
        ranges: Vec::new(),
        index: Some(Cow::Owned(e)),
    };
    let pairs = all.windows(2).flat_map(|pair| {
        let [a, b] = pair else { unreachable!("two") };
        let plain = a.ranges.is_empty() && b.ranges.is_empty();
        match (&a.index, &b.index) {
            (Some(a), Some(b)) if plain => {
                let (difference, sum) = (syn::parse_quote!(#b - (#a)), syn::parse_quote!(#b + #a));
                [Some(made(difference)), Some(made(sum))]
            }
            _ => [None, None],
        }
    });
    pairs.collect()
}

fn text(e: &Expr) -> String {
    e.to_token_stream().to_string()
}

fn same_stride(a: Vec<Entry>, b: Vec<Entry>) -> Option<(Entry, Entry)> {
    let text = |e: &Entry| text(&e.stride);
    let mut b: Vec<Option<Entry>> = b.into_iter().map(Some).collect();
    a.into_iter().find_map(|x| {
        let same = |y: &&mut Option<Entry>| y.as_ref().is_some_and(|y| text(y) == text(&x));
        let y = b.iter_mut().find(same)?.take()?;
        Some((x, y))
    })
}

/// The sum of terms; 0 without any. None where one is taken away first.
///
/// What is taken away comes last, since a sum with less may be below 0, as no index is.
fn sum(terms: &[&(Expr, bool)]) -> Option<Expr> {
    let mut terms = terms.to_vec();
    // Numbers last among each, as they are read off there.
    terms.sort_by_key(|(e, plus)| (!plus, matches!(e, Expr::Lit(_))));
    let mut out: Option<Expr> = None;
    for (term, plus) in terms {
        out = Some(match (out, plus) {
            (None, true) => term.clone(),
            (None, false) => return None,
            (Some(out), true) => syn::parse_quote!(#out + #term),
            (Some(out), false) => syn::parse_quote!(#out - #term),
        });
    }
    Some(out.unwrap_or_else(|| syn::parse_quote!(0)))
}

/// Whether an expression is a sum, or a product.
fn is_sum(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_sum(&p.expr),
        Expr::Binary(b) => matches!(b.op, BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_)),
        _ => false,
    }
}
