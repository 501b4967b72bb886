//! Adaptors that change how many items there are, or that keep state.

use super::{bind, is_function, one, whole, Chain, Chains, Item, Source, Stage};
use proc_macro2::Ident;
use std::rc::Rc;
use syn::visit::{self, Visit};
use syn::{parse_quote, Block, Expr, ExprClosure, Stmt};

impl Chains<'_> {
    pub(super) fn adapted(
        &mut self,
        name: &str,
        args: &[&Expr],
        mut chain: Chain,
    ) -> Option<Chain> {
        let flat = chain.stages.iter().any(|s| matches!(s, Stage::Flat(..)));
        match (name, args) {
            ("flat_map", [Expr::Closure(c)]) if is_function(args[0], 1) => {
                let (before, items) = tail(&c.body);
                let inner = self.chain(&items)?;
                inner.source.len.as_ref()?;
                let pat = c.inputs[0].clone();
                chain.stages.push(Stage::Flat(pat, before, inner.into()));
            }
            ("flatten", []) => {
                let row = self.fresh("row");
                let source = self.elements(&parse_quote!(#row), super::Elements::Shared);
                let inner = Chain {
                    source,
                    stages: Vec::new(),
                };
                let pat = parse_quote!(#row);
                chain
                    .stages
                    .push(Stage::Flat(pat, Vec::new(), inner.into()));
            }
            ("scan", [start, Expr::Closure(c)]) if is_function(args[1], 2) => {
                let (_, value) = tail(&c.body);
                some(&value)?;
                let state = self.fresh("state");
                let setup = &mut chain.source.setup;
                setup.push(parse_quote!(let mut #state = #start;));
                chain.stages.push(Stage::Scan(state, c.clone()));
            }
            // A jump would leave the inner loop alone.
            ("take_while", [f]) if is_function(f, 1) && !flat => {
                chain.stages.push(Stage::TakeWhile((*f).clone()));
            }
            ("skip_while", [f]) if is_function(f, 1) => {
                let flag = self.fresh("skipping");
                let setup = &mut chain.source.setup;
                setup.push(parse_quote!(let mut #flag = true;));
                chain.stages.push(Stage::SkipWhile(flag, (*f).clone()));
            }
            ("chain", [other]) => {
                let other = self.chain(other)?;
                return self.in_a_vec(vec![chain, other]);
            }
            ("take" | "skip" | "step_by" | "rev" | "zip" | "enumerate" | "cycle", args) => {
                let mut chain = self.in_a_vec(vec![chain])?;
                if !self.adapt(name, args, &mut chain.source) {
                    return None;
                }
                return Some(chain);
            }
            _ => return None,
        }
        Some(chain)
    }

    /// The items of these chains, one after the other, in a `Vec` that can be counted.
    pub(super) fn in_a_vec(&mut self, chains: Vec<Chain>) -> Option<Chain> {
        // All items are made before the first is used: that must not show.
        if chains.iter().any(|c| c.stages.iter().any(has_effect)) {
            return None;
        }
        let out = self.fresh("items");
        let mut setup: Vec<Stmt> = vec![parse_quote!(let mut #out = ::std::vec::Vec::new();)];
        let (mut references, mut values) = (false, false);
        for chain in chains {
            let loops = self.run(chain, None, |_, item| {
                let value = match &item {
                    Item::One(Expr::Reference(r)) => {
                        references = true;
                        let place = &r.expr;
                        parse_quote!(#place.clone())
                    }
                    item => {
                        values = true;
                        whole(item.clone())
                    }
                };
                vec![parse_quote!(#out.push(#value);)]
            })?;
            setup.extend(loops);
        }
        if references && values {
            return None;
        }
        let len = parse_quote!(#out.len());
        Some(Chain {
            source: Source {
                setup,
                len: Some(len),
                item: Rc::new(move |k| {
                    one(if references {
                        parse_quote!(&#out[#k])
                    } else {
                        parse_quote!(#out[#k].clone())
                    })
                }),
            },
            stages: Vec::new(),
        })
    }

    pub(super) fn scan(
        &mut self,
        state: &Ident,
        c: &ExprClosure,
        item: Item,
        then: impl FnOnce(&mut Self, Item) -> Vec<Stmt>,
    ) -> Vec<Stmt> {
        let mut stmts = bind(&c.inputs[0], one(parse_quote!(&mut #state)));
        stmts.extend(bind(&c.inputs[1], item));
        let (before, value) = tail(&c.body);
        stmts.extend(before);
        let (name, value) = (self.fresh("m"), some(&value));
        stmts.push(parse_quote!(let #name = #value;));
        stmts.extend(then(self, one(parse_quote!(#name))));
        stmts
    }
}

/// The statements of a block and its value.
fn tail(e: &Expr) -> (Vec<Stmt>, Expr) {
    if let Expr::Block(b) = e {
        if let (None, Some((Stmt::Expr(value, None), before))) =
            (&b.label, b.block.stmts.split_last())
        {
            return (before.to_vec(), value.clone());
        }
    }
    (Vec::new(), e.clone())
}

/// What is in `Some(..)`.
fn some(e: &Expr) -> Option<Expr> {
    match e {
        Expr::Call(c) if c.args.len() == 1 => match &*c.func {
            Expr::Path(p) if p.path.is_ident("Some") => c.args.first().cloned(),
            _ => None,
        },
        _ => None,
    }
}

fn has_effect(s: &Stage) -> bool {
    match s {
        Stage::Map(f) | Stage::Filter(f) | Stage::TakeWhile(f) | Stage::SkipWhile(_, f) => {
            crate::syntax::assigns(f)
        }
        Stage::Flat(_, before, inner) => {
            let block: Block = parse_quote!({ #(#before)* });
            crate::syntax::assigns(&parse_quote!(#block)) || inner.stages.iter().any(has_effect)
        }
        // Its own state is seen by nobody else; what else it may assign is not looked for.
        Stage::Scan(..) | Stage::Enumerate | Stage::Cloned | Stage::Zip(_) => false,
    }
}

/// Whether a loop body has a `break` of this loop.
pub fn breaks(b: &Block) -> bool {
    struct V(bool);
    impl<'a> Visit<'a> for V {
        fn visit_expr_break(&mut self, _: &'a syn::ExprBreak) {
            self.0 = true;
        }
        fn visit_expr_for_loop(&mut self, _: &'a syn::ExprForLoop) {}
        fn visit_expr_while(&mut self, _: &'a syn::ExprWhile) {}
        fn visit_expr_loop(&mut self, _: &'a syn::ExprLoop) {}
    }
    let mut v = V(false);
    visit::visit_block(&mut v, b);
    v.0
}

/// The method that is meant by `Vec3::norm` where it is given references. What is named like a constructor is none.
pub(super) fn method_of(f: &Expr) -> Option<&Ident> {
    const CONSTRUCTORS: &[&str] = &["new", "from", "with", "of", "parse", "try"];
    let Expr::Path(p) = f else { return None };
    let mut last = p.path.segments.iter().rev();
    let (method, owner) = (&last.next()?.ident, &last.next()?.ident);
    let constructs = method.to_string();
    let constructs = constructs.split('_').next().unwrap_or_default();
    let of_type = owner.to_string().starts_with(char::is_uppercase);
    let is_method = method.to_string().starts_with(char::is_lowercase);
    (p.qself.is_none() && of_type && is_method && !CONSTRUCTORS.contains(&constructs))
        .then_some(method)
}
