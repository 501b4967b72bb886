//! Names apart, where a function uses one for a reference and for a value: what is a reference is known by name.
//!
//! In `x.iter().map(|r| half(r))` the parameter is a reference, and in `rows(x).into_iter().map(|r| sum(r))` a value. Both closures
//! get parameters of their own.

use super::rename;
use crate::syntax::references::Bindings;
use proc_macro2::{Ident, Span, TokenTree};
use quote::{format_ident, ToTokens};
use std::collections::HashSet;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr};

/// Renames the parameters of closures in a body.
pub fn closures(body: &mut Block, references: HashSet<String>) {
    let unclear = Bindings::of(references, body).unclear();
    if !unclear.is_empty() {
        let mut names = HashSet::new();
        words(body.to_token_stream(), &mut names);
        Apart { unclear, names }.visit_block_mut(body);
    }
}

struct Apart {
    unclear: HashSet<String>,
    /// All names and texts in the body.
    names: HashSet<String>,
}

impl VisitMut for Apart {
    fn visit_expr_closure_mut(&mut self, c: &mut syn::ExprClosure) {
        let bound: Vec<String> = c
            .inputs
            .iter()
            .flat_map(crate::syntax::pattern_names)
            .collect();
        if bound.iter().any(|n| self.unclear.contains(n)) && !has_text(&c.body) {
            let Apart { unclear, names } = self;
            *c = rename::apart(c, &mut |n| match unclear.contains(n) {
                true => fresh(n, names),
                false => Ident::new(n, Span::call_site()),
            });
        }
        visit_mut::visit_expr_closure_mut(self, c);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

fn fresh(name: &str, names: &mut HashSet<String>) -> Ident {
    let mut free = (1..).map(|k| format_ident!("__{name}_{k}", span = Span::mixed_site()));
    let free = free.find(|n| names.insert(n.to_string()));
    free.expect("one of all numbers")
}

/// Whether names may be inside of texts: `format!("{r}")`.
fn has_text(e: &Expr) -> bool {
    let mut all = HashSet::new();
    words(e.to_token_stream(), &mut all);
    all.iter().any(|w| w.starts_with('"') && w.contains('{'))
}

/// The names and literals of some code.
fn words(tokens: proc_macro2::TokenStream, to: &mut HashSet<String>) {
    for t in tokens {
        match t {
            TokenTree::Group(g) => words(g.stream(), to),
            TokenTree::Ident(i) => drop(to.insert(i.to_string())),
            TokenTree::Literal(l) => drop(to.insert(l.to_string())),
            TokenTree::Punct(_) => {}
        }
    }
}
