//! Names apart, where a function uses one for a reference and for a value: what is a reference is known by name.
//!
//! In `x.iter().map(|r| half(r))` the parameter is a reference, and in `rows(x).into_iter().map(|r| sum(r))` a value. Both closures
//! get parameters of their own.

use super::{rename, Source};
use crate::syntax;
use crate::syntax::references::Bindings;
use proc_macro2::{Ident, Span};
use quote::{format_ident, ToTokens};
use std::collections::HashSet;
use syn::visit_mut::{self, VisitMut};
use syn::Block;

/// Renames the parameters of closures in a body.
pub fn closures(body: &mut Block, source: &Source<'_>) {
    let unclear = Bindings::of(source.references.clone(), body).unclear();
    if !unclear.is_empty() {
        let mut names = Vec::new();
        syntax::identifiers(body.to_token_stream(), &mut names);
        let names = names.into_iter().collect();
        Apart { unclear, names }.visit_block_mut(body);
    }
}

struct Apart {
    unclear: HashSet<String>,
    /// All names in the body.
    names: HashSet<String>,
}

impl VisitMut for Apart {
    fn visit_expr_closure_mut(&mut self, c: &mut syn::ExprClosure) {
        let text = c.body.to_token_stream().to_string();
        let renamed = |n: &String| self.unclear.contains(n) && !is_in_text(n, &text);
        if c.inputs
            .iter()
            .flat_map(syntax::pattern_names)
            .any(|n| renamed(&n))
        {
            let Apart { unclear, names } = self;
            *c = rename::apart(
                c,
                &mut |n| match unclear.contains(n) && !is_in_text(n, &text) {
                    true => fresh(n, names),
                    false => Ident::new(n, Span::call_site()),
                },
            );
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

/// Whether a name is inside of a text: `format!("{r}")`. In code a brace stands apart.
fn is_in_text(name: &str, code: &str) -> bool {
    code.contains(&format!("{{{name}"))
}
