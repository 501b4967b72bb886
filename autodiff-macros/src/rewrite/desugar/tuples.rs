//! `let (a, b) = (e, f);` as one `let` for each name: its type is then that of its own value.

use super::Desugar;
use crate::syntax::{mentions, pattern_names};
use std::collections::HashSet;
use syn::{parse_quote, Expr, Local, Pat, PatType, Stmt, Type};

impl Desugar<'_> {
    /// The statements, with tuples that are taken apart at once taken apart.
    pub fn split_tuples(&mut self, stmts: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = Vec::new();
        for s in stmts {
            match self.split(&s) {
                // A part may be a tuple in turn.
                Some(parts) => out.extend(self.split_tuples(parts)),
                None => out.push(s),
            }
        }
        out
    }

    fn split(&mut self, s: &Stmt) -> Option<Vec<Stmt>> {
        let Stmt::Local(Local {
            pat,
            init: Some(init),
            ..
        }) = s
        else {
            return None;
        };
        let taken = self.split_taken(&init.expr);
        let taken = taken.or_else(|| self.sine_and_cosine(&init.expr));
        let values = match taken.as_ref().unwrap_or(&init.expr) {
            Expr::Tuple(values) => values,
            // The value is named first.
            Expr::Block(b) if taken.is_some() => {
                let (pair, first) = b.block.stmts.split_last()?;
                let taken_apart = parse_quote!(let #pat = #pair;);
                return Some(first.iter().cloned().chain([taken_apart]).collect());
            }
            _ => return self.split_plain(pat, init),
        };
        let parts = parts(pat)?;
        if init.diverge.is_some() || parts.len() != values.elems.len() || parts.is_empty() {
            return None;
        }
        let mut bound = HashSet::new();
        let mut apart = true;
        for (p, e) in parts.iter().zip(&values.elems) {
            apart &= !mentions(e, &bound);
            bound.extend(pattern_names(p));
        }
        let values = values.elems.iter();
        if apart {
            let lets = parts.iter().zip(values);
            return Some(lets.map(|(p, e)| parse_quote!(let #p = #e;)).collect());
        }
        // A name of the pattern is used in a later value: it means what it did before.
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for (p, e) in parts.iter().zip(values) {
            let name = self.fresh("part");
            first.push(parse_quote!(let #name = #e;));
            second.push(parse_quote!(let #p = #name;));
        }
        first.extend(second);
        Some(first)
    }
}

/// The patterns of a tuple, each with its type if the tuple has one.
pub(super) fn parts(pat: &Pat) -> Option<Vec<Pat>> {
    match pat {
        Pat::Paren(p) => parts(&p.pat),
        Pat::Tuple(t) if !t.elems.iter().any(|p| matches!(p, Pat::Rest(_))) => Some(
            t.elems
                .iter()
                .map(crate::rewrite::chains::in_parens)
                .collect(),
        ),
        Pat::Type(t) => {
            let (parts, Type::Tuple(types)) = (parts(&t.pat)?, &*t.ty) else {
                return None;
            };
            let typed = parts.iter().zip(&types.elems);
            let typed = typed.map(|(p, ty)| {
                Pat::Type(PatType {
                    pat: Box::new(p.clone()),
                    ty: Box::new(ty.clone()),
                    ..t.clone()
                })
            });
            Some(typed.collect())
        }
        _ => None,
    }
}
