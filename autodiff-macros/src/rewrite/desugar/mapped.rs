//! `map` of a value of which nothing tells whether it is an array, an `Option` or a `Result`, as of a field.
//!
//! Its closure is passed on, and the type chooses (`autodiff-core/src/ad/map.rs`). A closure that cannot be passed on
//! is written out in a `match`, as that of an `Option`; so is one whose value is taken out at once, since a
//! constant `Option` may hold what has no derivative.

use super::optional::leaves;
use super::Desugar;
use crate::syntax;
use crate::syntax::writes::assigned_names;
use syn::{parse_quote, Expr, ExprMethodCall, Member};

/// What takes a value out of an `Option`, or asks whether there is one.
const TAKES_OUT: &[&str] = &[
    "expect",
    "is_none",
    "is_some",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
];

impl Desugar<'_> {
    /// Whether the type is to choose among the methods `map`.
    pub(super) fn type_chooses(&self, m: &ExprMethodCall) -> bool {
        let r = &m.receiver;
        m.method == "map"
            && m.args.len() == 1
            && untold(r)
            && self.known(r).is_none()
            && can_be_passed_on(&m.args[0])
    }

    /// `self.limit.map(f).unwrap_or(x)`, with the `match` of `map` written out.
    pub(super) fn taken_out(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        let Expr::MethodCall(inner) = &*m.receiver else {
            return None;
        };
        if !TAKES_OUT.iter().any(|n| m.method == n) || !matches!(*inner.receiver, Expr::Field(_)) {
            return None;
        }
        if !self.type_chooses(inner) {
            return None;
        }
        let f: Vec<&Expr> = inner.args.iter().collect();
        let receiver = self.on_option(inner.method.span(), "map", &inner.receiver, &f)?;
        let mut m = m.clone();
        *m.receiver = parse_quote!((#receiver));
        Some(Expr::MethodCall(m))
    }
}

/// What may be of any type: a field, and what a function gives.
fn untold(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => untold(&p.expr),
        Expr::Field(f) => !matches!(&f.member, Member::Named(n) if n == "await"),
        Expr::Index(i) => !matches!(&*i.index, Expr::Range(_)),
        Expr::Call(c) => {
            let known = |p: &syn::ExprPath| {
                let last = p.path.segments.last();
                last.is_none_or(|s| s.ident.to_string().starts_with(char::is_uppercase))
            };
            !matches!(&*c.func, Expr::Path(p) if known(p))
                && crate::rewrite::chains::maker(c).is_none()
        }
        Expr::MethodCall(m) if m.method == "clone" && m.args.is_empty() => untold(&m.receiver),
        Expr::MethodCall(m) if m.method == "map" && m.args.len() == 1 => untold(&m.receiver),
        _ => false,
    }
}

/// Whether a closure needs nothing of the function around it but values.
fn can_be_passed_on(f: &Expr) -> bool {
    match f {
        Expr::Closure(c) => {
            let bound: Vec<String> = c.inputs.iter().flat_map(syntax::pattern_names).collect();
            let mut assigned = assigned_names(&c.body).into_iter();
            c.inputs.len() == 1 && !leaves(&c.body) && assigned.all(|n| bound.contains(&n))
        }
        Expr::Path(p) => p.path.segments.last().is_some_and(|s| {
            let constructor = s.ident.to_string().starts_with(char::is_uppercase);
            let associated = p
                .path
                .segments
                .iter()
                .rev()
                .nth(1)
                .is_some_and(|s| s.ident.to_string().starts_with(char::is_uppercase));
            !constructor && !associated
        }),
        _ => false,
    }
}
