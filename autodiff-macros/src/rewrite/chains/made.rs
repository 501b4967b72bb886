//! Iterators that the functions of `std::iter` make.

use super::stages::Stage;
use super::{one, Chain, Chains, Item, ItemAt, Source};
use crate::syntax::writes::assigned_names;
use std::rc::Rc;
use syn::{parse_quote, Expr, ExprCall, Pat, Stmt};

/// The function of `std::iter` that a call names: behind the module, or alone.
pub fn maker(c: &ExprCall) -> Option<String> {
    let Expr::Path(p) = &*c.func else { return None };
    let names = crate::syntax::segments(&p.path);
    let (last, before) = names.split_last()?;
    let of_std = match before.last() {
        Some(module) => module == "iter",
        // One of an array has the same name.
        None => {
            last != "from_fn"
                || matches!(c.args.first(), Some(Expr::Closure(c)) if c.inputs.is_empty())
        }
    };
    let args = match last.as_str() {
        "empty" => 0,
        "once" | "repeat" | "repeat_with" | "from_fn" => 1,
        "repeat_n" | "successors" => 2,
        _ => return None,
    };
    (of_std && c.args.len() == args).then(|| last.clone())
}

impl Chains<'_> {
    pub(super) fn made(&mut self, c: &ExprCall) -> Option<Chain> {
        let maker = maker(c)?;
        let args: Vec<&Expr> = c.args.iter().collect();
        let mut setup = Vec::new();
        let chain = |setup: Vec<Stmt>, len: Option<Expr>, item: ItemAt, stages: Vec<Stage>| Chain {
            source: Source {
                setup,
                len,
                item,
                range: None,
            },
            stages,
        };
        let number: ItemAt = Rc::new(one);
        Some(match (maker.as_str(), args.as_slice()) {
            ("empty", []) => {
                let ty = match &*c.func {
                    Expr::Path(p) => match &p.path.segments.last()?.arguments {
                        syn::PathArguments::AngleBracketed(a) => a.args.first().cloned(),
                        _ => None,
                    },
                    _ => None,
                };
                let ty = ty.map(|ty| quote::quote!(: [#ty; 0]));
                let none = self.fresh("none");
                setup.push(parse_quote!(let #none #ty = [];));
                let item: ItemAt = Rc::new(move |k| one(parse_quote!(#none[#k].clone())));
                chain(setup, Some(parse_quote!(0)), item, Vec::new())
            }
            ("once" | "repeat" | "repeat_n", [value, ..]) => {
                let item: Item = match value {
                    Expr::Reference(r) if r.mutability.is_none() => {
                        let value = self.hoist("v", &r.expr, &mut setup);
                        one(parse_quote!(&#value))
                    }
                    value => {
                        let value = self.hoist("v", value, &mut setup);
                        one(parse_quote!(#value.clone()))
                    }
                };
                let item = match &item {
                    // A literal is what it is.
                    Item::One(Expr::MethodCall(m)) if matches!(*m.receiver, Expr::Lit(_)) => {
                        one((*m.receiver).clone())
                    }
                    _ => item,
                };
                let len = match maker.as_str() {
                    "once" => Some(parse_quote!(1)),
                    "repeat" => None,
                    _ => Some(self.hoist("n", args[1], &mut setup)),
                };
                chain(setup, len, Rc::new(move |_| item.clone()), Vec::new())
            }
            ("repeat_with", [f]) => {
                let f: Expr = match f {
                    Expr::Closure(c) if c.inputs.is_empty() => (*c.body).clone(),
                    Expr::Path(_) => parse_quote!(#f()),
                    _ => return None,
                };
                let map = Stage::Map(parse_quote!(|_| #f));
                chain(setup, None, number, vec![map])
            }
            ("successors", [first, f]) if super::is_function(f, 1) => {
                let next = self.fresh("next");
                setup.push(parse_quote!(let mut #next = #first;));
                let stage = Stage::Successors(next, (*f).clone());
                chain(setup, None, number, vec![stage])
            }
            ("from_fn", [f]) if super::is_function(f, 0) => {
                let mut f = (*f).clone();
                if let Expr::Closure(c) = &mut f {
                    // A `move` closure changes copies of its own.
                    if c.capture.is_some() {
                        self.copied(c, &mut setup);
                    }
                }
                chain(setup, None, number, vec![Stage::FromFn(f)])
            }
            _ => return None,
        })
    }

    /// Gives what a closure assigns names of its own.
    fn copied(&mut self, c: &mut syn::ExprClosure, setup: &mut Vec<Stmt>) {
        let mut names: Vec<String> = assigned_names(&c.body);
        names.sort();
        names.dedup();
        let idents = names.iter().map(|n| {
            let span = proc_macro2::Span::call_site();
            syn::Ident::new(n, span)
        });
        let inputs: Vec<Pat> = idents.clone().map(|i| parse_quote!(#i)).collect();
        c.inputs.extend(inputs);
        *c = crate::rewrite::rename::apart(c, &mut |n| self.fresh(n));
        for (own, of) in c.inputs.iter().zip(idents) {
            setup.push(parse_quote!(let mut #own = #of.clone();));
        }
        c.inputs.clear();
    }
}
