//! The loop over a chain: what each item goes through.

use super::adapt;
use super::choice::Otherwise;
use super::{bind, in_parens, one, scopes, value_of, whole, Chain, Chains, Item, ItemAt};
use crate::syntax;
use crate::syntax::ends::Ends;
use crate::syntax::ends::Wrapper;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::{parse_quote, Expr, ExprClosure, Pat, Stmt};

/// What is done with each item.
pub(super) type Body<'f, C> = Box<dyn FnOnce(&mut C, Item) -> Vec<Stmt> + 'f>;

#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "there are few at a time")]
pub(super) enum Stage {
    Map(Expr),
    Filter(Expr),
    /// What is in the `Option` or the `Result` that a function makes of each item.
    Choose(Expr, Wrapper, Otherwise),
    /// Run for its effect.
    Inspect(Expr),
    Enumerate,
    /// The value behind the item, which is a reference.
    Cloned,
    Zip(ItemAt),
    /// Another chain, of which no item is left out.
    ZipChain(ItemAt, Vec<Stage>),
    /// The items of a chain made of each item, which the pattern binds.
    Flat(Pat, Vec<Stmt>, Box<Chain>),
    /// State, and a closure whose value is an `Option` of the item.
    Scan(Ident, ExprClosure),
    TakeWhile(Expr),
    /// Skips while the flag holds.
    SkipWhile(Ident, Expr),
    /// What is next, and what follows an item.
    Successors(Ident, Expr),
    /// Called until it gives `None`.
    FromFn(Expr),
}

impl Stage {
    /// Whether the number of an item in the source is its number behind this stage.
    pub(super) fn keeps_count(&self) -> bool {
        !matches!(
            self,
            Stage::Filter(_)
                | Stage::Flat(..)
                | Stage::SkipWhile(..)
                | Stage::Choose(_, _, Otherwise::Nothing)
        )
    }

    /// Whether this stage asks for the number of an item in the source.
    fn counts(&self) -> bool {
        matches!(self, Stage::Enumerate | Stage::Zip(_) | Stage::ZipChain(..))
    }

    /// Whether this stage may end the chain before its source does.
    pub(super) fn ends(&self) -> bool {
        match self {
            Stage::TakeWhile(_)
            | Stage::Successors(..)
            | Stage::FromFn(_)
            | Stage::Choose(_, _, Otherwise::Stop) => true,
            Stage::Scan(_, c) => {
                let ends = Ends::of(&c.body);
                ends.unknown || ends.items != 1 || matches!(*c.body, Expr::If(_))
            }
            Stage::ZipChain(_, stages) => stages.iter().any(Stage::ends),
            _ => false,
        }
    }
}

/// Where in a loop a stage stands.
#[derive(Clone, Copy)]
struct At<'a> {
    /// The number of the trip.
    k: &'a Expr,
    /// What ends the chain.
    stop: &'a Expr,
}

impl Chains<'_> {
    /// The loop over a chain, with what is done with each item.
    pub(super) fn run(
        &mut self,
        chain: Chain,
        label: Option<syn::Label>,
        body: impl FnOnce(&mut Self, Item) -> Vec<Stmt>,
    ) -> Option<Vec<Stmt>> {
        let ends = chain.stages.iter().any(Stage::ends);
        let len = match chain.source.len {
            Some(len) => len,
            // One that has no end of its own.
            None if ends => parse_quote!(usize::MAX),
            None => return None,
        };
        let flat = chain
            .stages
            .iter()
            .position(|s| matches!(s, Stage::Flat(..)));
        let inside = flat.is_some_and(|at| chain.stages[at..].iter().any(Stage::ends));
        let label = label.or_else(|| inside.then(|| self.label()));
        let stop: Expr = match &label {
            Some(label) if inside => {
                let name = &label.name;
                parse_quote!(break #name)
            }
            _ => parse_quote!(break),
        };
        let k = self.fresh("k");
        let at: Expr = parse_quote!(#k);
        let mut setup = chain.source.setup;
        let range = chain
            .source
            .range
            .filter(|_| !chain.stages.iter().any(Stage::counts));
        let (trips, item): (Expr, Item) = match range {
            // The items are the numbers of the trips, which take no memory.
            Some((name, range)) => {
                setup.retain(|s| !binds(s, &name));
                (Expr::Range(range), super::one(at.clone()))
            }
            None => (parse_quote!(0..#len), (chain.source.item)(at.clone())),
        };
        let at = At {
            k: &at,
            stop: &stop,
        };
        let stmts = self.stages(&chain.stages, at, item, Box::new(body));
        setup.push(Stmt::Expr(
            parse_quote!(#label for #k in #trips { #(#stmts)* }),
            None,
        ));
        Some(setup)
    }

    /// A name for a loop or a block.
    pub(super) fn label(&mut self) -> syn::Label {
        self.count += 1;
        let name = format!("'__chain{}", self.count);
        let name = syn::Lifetime::new(&name, proc_macro2::Span::mixed_site());
        parse_quote!(#name:)
    }

    /// The predicate of an item, which it sees by reference.
    pub(super) fn test(&mut self, f: &Expr, item: &Item) -> Expr {
        let x = whole(item.clone());
        match f {
            Expr::Closure(c) => {
                let c = crate::rewrite::rename::apart(c, &mut |n| self.fresh(n));
                let (pat, test) = (in_parens(&c.inputs[0]), &c.body);
                parse_quote!({ let #pat = &#x; #test })
            }
            f => parse_quote!(#f(&#x)),
        }
    }

    /// A closure whose parameters stand for these items, under names that hide nothing that the statements behind it
    /// or a later item read.
    pub(super) fn own(&mut self, c: &ExprClosure, items: &[&Item], then: &[Stmt]) -> ExprClosure {
        let mut bound: Vec<String> = Vec::new();
        let mut hides = false;
        for (pat, item) in c.inputs.iter().zip(items) {
            hides |= hidden(pat, item, &mut bound);
            // `let c = &c[k];` in a closure that captures `c` would be two variables of a name in kept code.
            let read = whole((*item).clone()).to_token_stream();
            let mut names = Vec::new();
            syntax::identifiers(read, &mut names);
            hides |= syntax::pattern_names(pat).iter().any(|n| names.contains(n));
        }
        let read = scopes::free(then);
        hides |= bound.iter().any(|n| read.contains(n));
        match hides {
            true => crate::rewrite::rename::apart(c, &mut |n| self.fresh(n)),
            false => c.clone(),
        }
    }

    /// Gives a function an item: what binds its parameter, and its value.
    fn applied(&mut self, f: &Expr, item: Item, then: &[Stmt]) -> (Vec<Stmt>, Expr) {
        match f {
            Expr::Closure(c) => {
                let c = self.own(c, &[&item], then);
                (bind(&c.inputs[0], item), (*c.body).clone())
            }
            f => {
                let x = whole(item);
                let value = match (&x, adapt::method_of(f)) {
                    (Expr::Reference(r), Some(method)) => {
                        let x = &r.expr;
                        parse_quote!(#x.#method())
                    }
                    _ => parse_quote!(#f(#x)),
                };
                (Vec::new(), value)
            }
        }
    }

    fn stages<'f>(
        &mut self,
        stages: &[Stage],
        at: At<'_>,
        item: Item,
        body: Body<'f, Self>,
    ) -> Vec<Stmt> {
        let Some((stage, rest)) = stages.split_first() else {
            return body(self, item);
        };
        match stage {
            Stage::Map(f) => {
                let name = self.fresh("m");
                let then = self.stages(rest, at, one(parse_quote!(#name)), body);
                let (mut stmts, value) = self.applied(f, item, &then);
                stmts.push(parse_quote!(let #name = #value;));
                stmts.extend(then);
                stmts
            }
            Stage::Filter(f) => {
                let cond = self.test(f, &item);
                let inner = self.stages(rest, at, item, body);
                vec![Stmt::Expr(parse_quote!(if #cond { #(#inner)* }), None)]
            }
            Stage::Choose(f, kind, otherwise) => {
                let name = self.fresh("m");
                let then = self.stages(rest, at, one(parse_quote!(#name)), body);
                let (mut stmts, value) = self.applied(f, item, &then);
                stmts.extend(self.chosen(&value, *kind, &name, then, otherwise, at.stop));
                stmts
            }
            Stage::Inspect(f) => {
                let seen = self.test(f, &item);
                let mut stmts = vec![Stmt::Expr(seen, Some(Default::default()))];
                stmts.extend(self.stages(rest, at, item, body));
                stmts
            }
            Stage::TakeWhile(f) => {
                let (cond, stop) = (self.test(f, &item), at.stop);
                let mut stmts: Vec<Stmt> = vec![parse_quote!(if !(#cond) { #stop; })];
                stmts.extend(self.stages(rest, at, item, body));
                stmts
            }
            Stage::SkipWhile(flag, f) => {
                let cond = self.test(f, &item);
                let inner = self.stages(rest, at, item, body);
                vec![
                    Stmt::Expr(
                        parse_quote!(if #flag { if !(#cond) { #flag = false; } }),
                        None,
                    ),
                    Stmt::Expr(parse_quote!(if !#flag { #(#inner)* }), None),
                ]
            }
            Stage::Flat(pat, before, inner) => {
                let mut stmts = bind(pat, item);
                stmts.extend(before.iter().cloned());
                let inner = (**inner).clone();
                let loops = self.run(inner, None, |s, item| s.stages(rest, at, item, body));
                stmts.extend(loops.into_iter().flatten());
                stmts
            }
            Stage::Scan(state, c) => {
                let name = self.fresh("m");
                let then = self.stages(rest, at, one(parse_quote!(#name)), body);
                let state = one(parse_quote!(&mut #state));
                let c = self.own(c, &[&state, &item], &then);
                let mut stmts = bind(&c.inputs[0], state);
                stmts.extend(bind(&c.inputs[1], item));
                let stop = Otherwise::Stop;
                stmts.extend(self.chosen(&c.body, Wrapper::Option, &name, then, &stop, at.stop));
                stmts
            }
            Stage::Successors(next, f) => {
                let (name, stop) = (self.fresh("m"), at.stop);
                let item = one(parse_quote!(#name));
                let then = self.stages(rest, at, item, body);
                let (bound, value) = self.applied(f, one(parse_quote!(&#name)), &then);
                let mut stmts: Vec<Stmt> = vec![parse_quote!(let #name = match #next {
                    Some(item) => item.clone(),
                    None => #stop,
                };)];
                stmts.push(parse_quote!(#next = { #(#bound)* #value };));
                stmts.extend(then);
                stmts
            }
            Stage::FromFn(f) => {
                let name = self.fresh("m");
                let then = self.stages(rest, at, one(parse_quote!(#name)), body);
                let value: Expr = match f {
                    Expr::Closure(c) => (*c.body).clone(),
                    f => parse_quote!(#f()),
                };
                self.chosen(
                    &value,
                    Wrapper::Option,
                    &name,
                    then,
                    &Otherwise::Stop,
                    at.stop,
                )
            }
            Stage::Cloned => self.stages(rest, at, value_of(item), body),
            Stage::Enumerate => {
                let item = Item::Pair(one(at.k.clone()).into(), item.into());
                self.stages(rest, at, item, body)
            }
            Stage::Zip(other) => {
                let item = Item::Pair(item.into(), other(at.k.clone()).into());
                self.stages(rest, at, item, body)
            }
            Stage::ZipChain(other, through) => {
                let second = other(at.k.clone());
                let body: Body<'_, Self> = Box::new(move |s, second| {
                    s.stages(rest, at, Item::Pair(item.into(), second.into()), body)
                });
                self.stages(through, at, second, body)
            }
        }
    }
}

/// Whether binding an item hides a name that a later part of it, or a later item, reads; notes what is bound.
fn hidden(pat: &Pat, item: &Item, bound: &mut Vec<String>) -> bool {
    match (pat, item) {
        (Pat::Paren(p), item) => hidden(&p.pat, item, bound),
        (Pat::Tuple(t), Item::Pair(a, b)) if t.elems.len() == 2 => {
            let first = hidden(&t.elems[0], a, bound);
            hidden(&t.elems[1], b, bound) || first
        }
        (pat, item) => {
            let read = scopes::names(&whole(item.clone()).into_token_stream());
            let hides = bound.iter().any(|n| read.contains(n));
            bound.extend(crate::syntax::pattern_names(pat));
            hides
        }
    }
}

/// Whether a statement is `let name = ..;`
fn binds(s: &Stmt, name: &proc_macro2::Ident) -> bool {
    matches!(s, Stmt::Local(l) if matches!(&l.pat, Pat::Ident(p) if p.ident == *name))
}
