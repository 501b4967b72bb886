//! Branches, and the patterns that take what they give.

use crate::ir::{Arm, Head, Var};
use proc_macro2::TokenStream;
use quote::quote;

/// `if … { … } else { … }` or `match … { … }` around the emitted arms.
pub fn select(
    head: &Head,
    arms: &[Arm],
    emitted: impl Iterator<Item = TokenStream>,
) -> TokenStream {
    match head {
        Head::If(conds) => {
            let conds: Vec<_> = conds.iter().map(|c| &c.expr).collect();
            let mut emitted: Vec<_> = emitted.collect();
            let otherwise = emitted.pop();
            match &conds[..] {
                [cond] => quote!(if #cond #(#emitted)* else #otherwise),
                // Guards do not nest: rustc needs half the time of `else if`s.
                _ => quote!(match () { #(() if #conds => #emitted)* () => #otherwise }),
            }
        }
        Head::Match(value) => {
            let value = &value.expr;
            let arms = arms.iter().zip(emitted).map(|(a, code)| {
                let pattern = &a.pattern;
                quote!(#pattern => #code)
            });
            quote!(match #value { #(#arms)* })
        }
    }
}

/// The pattern of a call that gives the variable and a second part, with the type of the first.
pub fn paired(var: &Var, pattern: TokenStream) -> TokenStream {
    match &var.written {
        Some(ty) => quote!(#pattern: (#ty, _)),
        None => pattern,
    }
}
