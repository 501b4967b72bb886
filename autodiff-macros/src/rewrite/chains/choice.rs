//! An item that an `Option` or a `Result` may hold: `filter_map`, `map_while`, `try_fold` and the like.

use super::{scopes, Chains};
use crate::syntax::ends::Wrapper;
use crate::syntax::ends::{spread, End, Ends};
use proc_macro2::Ident;
use syn::{parse_quote, Expr, Lifetime, Stmt, Type};

/// What is done where there is no item.
#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "there are few at a time")]
pub(super) enum Otherwise {
    /// The item is left out.
    Nothing,
    /// The chain ends.
    Stop,
    /// `None` or the error, of this type if it is written, is the value of this block.
    Leave(Lifetime, Option<Type>),
}

impl Otherwise {
    fn stmts(&self, stop: &Expr, error: Option<&Expr>) -> Vec<Stmt> {
        match (self, error) {
            (Otherwise::Nothing, _) => Vec::new(),
            (Otherwise::Stop, _) => vec![parse_quote!(#stop;)],
            (Otherwise::Leave(label, Some(ty)), Some(e)) => vec![
                parse_quote!(let error: #ty = #e;),
                parse_quote!(break #label Err(error);),
            ],
            (Otherwise::Leave(label, None), Some(e)) => vec![parse_quote!(break #label Err(#e);)],
            (Otherwise::Leave(label, _), None) => vec![parse_quote!(break #label None;)],
        }
    }
}

impl Chains<'_> {
    /// `then`, which reads what is in `e` as `name`. Where the syntax tells which end of `e` has the item, `e` is
    /// not made.
    pub(super) fn chosen(
        &mut self,
        e: &Expr,
        kind: Wrapper,
        name: &Ident,
        then: Vec<Stmt>,
        otherwise: &Otherwise,
        stop: &Expr,
    ) -> Vec<Stmt> {
        let ends = Ends::of(e);
        let hides = |then: &[Stmt]| {
            let read = scopes::free(then);
            ends.bound.iter().any(|n| read.contains(n))
        };
        if !ends.unknown && ends.items == 1 && !hides(&then) {
            let mut then = Some(then);
            return spread(e, &mut |end| match end {
                End::Item(item) => {
                    let mut all: Vec<Stmt> = vec![parse_quote!(let #name = #item;)];
                    all.extend(then.take().into_iter().flatten());
                    all
                }
                End::Error(error) => otherwise.stmts(stop, Some(error)),
                _ => otherwise.stmts(stop, None),
            });
        }
        let chosen: Expr = match kind {
            Wrapper::Option => {
                let none = otherwise.stmts(stop, None);
                parse_quote!(match #e { Some(#name) => { #(#then)* } None => { #(#none)* } })
            }
            Wrapper::Result => {
                let error = self.fresh("error");
                let none = otherwise.stmts(stop, Some(&parse_quote!(#error)));
                parse_quote!(match #e { Ok(#name) => { #(#then)* } Err(#error) => { #(#none)* } })
            }
        };
        vec![Stmt::Expr(chosen, None)]
    }
}
