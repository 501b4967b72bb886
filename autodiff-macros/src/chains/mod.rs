//! Iterator chains made into indexed loops.
//!
//! `x.iter().zip(&y).map(|(a, b)| a * b).sum::<f64>()` becomes
//!
//! ```text
//! {
//!     let mut __acc = -0.0f64;
//!     for __k in 0..x.len().min(y.len()) {
//!         let a = &x[__k];
//!         let b = &y[__k];
//!         __acc += a * b;
//!     }
//!     __acc
//! }
//! ```
//!
//! A chain is a source whose items have an index, and stages that each item goes through. What is
//! not understood stays as it is, for the lowering to name in an error.

mod adapt;
mod expected;
mod named;
mod pick;
mod ranges;
mod source;

use crate::lower::Grids;
use crate::syntax;
use proc_macro2::{Ident, Span};
use quote::format_ident;
use std::collections::HashSet;
use std::rc::Rc;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Block, Expr, ExprMethodCall, Pat, Stmt};

/// An item, as far as the chain has built it.
#[derive(Clone)]
enum Item {
    One(Expr),
    Pair(Box<Item>, Box<Item>),
}

/// What is done with each item.
type Body<'f, C> = Box<dyn FnOnce(&mut C, Item) -> Vec<Stmt> + 'f>;

type ItemAt = Rc<dyn Fn(Expr) -> Item>;

/// Items that can be counted and indexed.
#[derive(Clone)]
struct Source {
    setup: Vec<Stmt>,
    /// `None`: without end.
    len: Option<Expr>,
    item: ItemAt,
}

#[derive(Clone)]
enum Stage {
    Map(Expr),
    Filter(Expr),
    Enumerate,
    /// The value behind the item, which is a reference.
    Cloned,
    Zip(ItemAt),
    /// The items of a chain made of each item, which the pattern binds.
    Flat(Pat, Vec<Stmt>, Box<Chain>),
    /// State, and a closure whose value is `Some(item)`.
    Scan(Ident, syn::ExprClosure),
    TakeWhile(Expr),
    /// Skips while the flag holds.
    SkipWhile(Ident, Expr),
}

impl Stage {
    /// Whether the number of an item in the source is its number behind this stage.
    fn keeps_count(&self) -> bool {
        !matches!(
            self,
            Stage::Filter(_) | Stage::Flat(..) | Stage::SkipWhile(..)
        )
    }
}

#[derive(Clone)]
struct Chain {
    source: Source,
    stages: Vec<Stage>,
}

pub struct Chains<'a> {
    /// Names that may carry a derivative.
    pub active: &'a HashSet<String>,
    /// Parameters that are references.
    pub references: &'a HashSet<String>,
    pub grids: &'a Grids,
    pub count: usize,
    /// Whether `collect` makes a `Vec` here; it does unless a type says otherwise.
    pub expects_vec: bool,
}

impl VisitMut for Chains<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let new = match e {
            Expr::ForLoop(f)
                if crate::lower::stmt::touches_active(&Expr::ForLoop(f.clone()), self.active) =>
            {
                self.for_loop(f)
            }
            Expr::MethodCall(m)
                if syntax::maybe_active(&Expr::MethodCall(m.clone()), self.active) =>
            {
                self.consumer(m)
            }
            Expr::Match(m) if syntax::maybe_active(&m.expr, self.active) => self.picked_match(m),
            _ => None,
        };
        if let Some(new) = new {
            *e = new;
        }
        // The type of the whole says nothing of its parts, unless one of them is its value.
        let outer = self.expects_vec;
        let hands_on = matches!(
            e,
            Expr::Block(_) | Expr::If(_) | Expr::Match(_) | Expr::Paren(_)
        );
        self.expects_vec |= !hands_on;
        visit_mut::visit_expr_mut(self, e);
        self.expects_vec = outer;
    }
    fn visit_block_mut(&mut self, b: &mut Block) {
        let outer = self.expects_vec;
        let last = b.stmts.len().saturating_sub(1);
        for (i, s) in b.stmts.iter_mut().enumerate() {
            let value = i == last && matches!(s, Stmt::Expr(_, None));
            self.expects_vec = outer || !value;
            self.visit_stmt_mut(s);
        }
        self.expects_vec = outer;
    }
    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        let outer = self.expects_vec;
        self.expects_vec = match &l.pat {
            Pat::Type(t) => is_vec(&t.ty),
            _ => true,
        };
        visit_mut::visit_local_mut(self, l);
        self.expects_vec = outer;
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        // `vec![..]` is the macro whose contents have a derivative.
        if m.path.is_ident("vec") {
            let tokens = m.tokens.clone();
            if let Ok(mut a) = syn::parse2::<syn::ExprArray>(quote::quote!([#tokens])) {
                self.visit_expr_array_mut(&mut a);
                let elems = a.elems;
                m.tokens = quote::quote!(#elems);
            }
        }
    }
}

fn one(e: Expr) -> Item {
    Item::One(e)
}

impl Chains<'_> {
    fn fresh(&mut self, base: &str) -> Ident {
        self.count += 1;
        format_ident!("__{base}{}", self.count, span = Span::mixed_site())
    }

    /// Gives an expression that is not a name or number a name.
    fn hoist(&mut self, base: &str, e: &Expr, setup: &mut Vec<Stmt>) -> Expr {
        if matches!(e, Expr::Path(_) | Expr::Lit(_)) {
            return e.clone();
        }
        let name = self.fresh(base);
        setup.push(parse_quote!(let #name = #e;));
        parse_quote!(#name)
    }

    /// A source and the stages behind it.
    fn chain(&mut self, e: &Expr) -> Option<Chain> {
        let Expr::MethodCall(m) = e else {
            return Some(Chain {
                source: self.iterable(e)?,
                stages: Vec::new(),
            });
        };
        if let Some(source) = self.source(m) {
            return Some(Chain {
                source,
                stages: Vec::new(),
            });
        }
        let name = m.method.to_string();
        let args: Vec<&Expr> = m.args.iter().collect();
        let mut chain = match &*m.receiver {
            Expr::MethodCall(_) | Expr::Paren(_) => self.chain(&m.receiver)?,
            _ => return None,
        };
        let filtered = !chain.stages.iter().all(Stage::keeps_count);
        match (name.as_str(), args.as_slice()) {
            ("map", [f]) if is_function(f, 1) => chain.stages.push(Stage::Map((*f).clone())),
            ("filter", [f]) if is_function(f, 1) => chain.stages.push(Stage::Filter((*f).clone())),
            ("enumerate", []) if !filtered => chain.stages.push(Stage::Enumerate),
            ("zip", [other]) if !filtered => {
                let other = self.iterable(other)?;
                chain.source.setup.extend(other.setup);
                chain.source.len = shorter(chain.source.len, other.len);
                chain.stages.push(Stage::Zip(other.item));
            }
            // These commute with stages that keep every item, but for the count.
            ("rev" | "take" | "skip" | "step_by" | "cycle", args)
                if chain
                    .stages
                    .iter()
                    .all(|s| matches!(s, Stage::Map(_) | Stage::Cloned)) =>
            {
                if !self.adapt(&name, args, &mut chain.source) {
                    return None;
                }
            }
            ("copied" | "cloned", []) => chain.stages.push(Stage::Cloned),
            (name, args) => return self.adapted(name, args, chain),
        }
        Some(chain)
    }

    fn for_loop(&mut self, f: &syn::ExprForLoop) -> Option<Expr> {
        if is_plain_range(&f.expr) {
            return None;
        }
        let chain = self.chain(&f.expr)?;
        // A jump would leave the inner loop alone.
        let flat = chain.stages.iter().any(|s| matches!(s, Stage::Flat(..)));
        if flat && (f.label.is_some() || adapt::breaks(&f.body)) {
            return None;
        }
        let (pat, body) = (f.pat.clone(), f.body.clone());
        let label = f.label.clone();
        let stmts = self.run(chain, label, |_, item| {
            let mut stmts = bind(&pat, item);
            stmts.extend(body.stmts);
            stmts
        })?;
        Some(parse_quote!({ #(#stmts)* }))
    }

    /// `sum`, `product`, `fold`, `for_each`, `collect` at the end of a chain.
    fn consumer(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        // `t.sum()` of a tensor is no chain.
        let is_chain = match &*m.receiver {
            Expr::MethodCall(_) => true,
            Expr::Paren(p) => matches!(*p.expr, Expr::Range(_)),
            _ => false,
        };
        if !is_chain {
            return None;
        }
        let args: Vec<&Expr> = m.args.iter().collect();
        let name = m.method.to_string();
        let turbofish = m.turbofish.as_ref().and_then(|t| match t.args.first() {
            Some(syn::GenericArgument::Type(t)) => Some(t.clone()),
            _ => None,
        });
        match (name.as_str(), args.as_slice()) {
            ("sum" | "product", []) => {
                let chain = self.chain(&m.receiver)?;
                let acc = self.fresh("acc");
                let (zero, add): (Expr, bool) = if name == "sum" {
                    (parse_quote!(-0.0), true)
                } else {
                    (parse_quote!(1.0), false)
                };
                // What nothing amounts to, as the type has it: a vector has a zero of its own.
                let own = match &turbofish {
                    Some(t @ syn::Type::Path(_)) => {
                        crate::syntax::ty_of(t) == crate::ir::Ty::Unknown
                    }
                    _ => false,
                };
                let zero: Expr = match (&turbofish, add) {
                    (Some(t), true) if own => {
                        parse_quote!(<#t as ::core::iter::Sum>::sum(::core::iter::empty::<#t>()))
                    }
                    (Some(t), false) if own => {
                        parse_quote!(<#t as ::core::iter::Product>::product(::core::iter::empty::<#t>()))
                    }
                    _ => zero,
                };
                let ty = turbofish.map(|t| quote::quote!(: #t));
                let start: Stmt = parse_quote!(let mut #acc #ty = #zero;);
                let loops = self.run(chain, None, |_, item| {
                    let value = value(item);
                    vec![match (add, own) {
                        (true, false) => parse_quote!(#acc += #value;),
                        (false, false) => parse_quote!(#acc *= #value;),
                        // A type of the user's need not have `+=`.
                        (true, true) => parse_quote!(#acc = #acc + #value;),
                        (false, true) => parse_quote!(#acc = #acc * #value;),
                    }]
                })?;
                Some(parse_quote!({ #start #(#loops)* #acc }))
            }
            ("fold", [init, f]) if is_function(f, 2) => {
                let chain = self.chain(&m.receiver)?;
                let acc = self.fresh("acc");
                let f = (*f).clone();
                let loops = self.run(chain, None, |_, item| match &f {
                    Expr::Closure(c) => {
                        let (a, p) = (&c.inputs[0], &c.inputs[1]);
                        let mut stmts: Vec<Stmt> = bind(a, one(parse_quote!(#acc)));
                        stmts.extend(bind(p, item));
                        let body = &c.body;
                        stmts.push(parse_quote!(#acc = #body;));
                        stmts
                    }
                    f => {
                        let value = value(item);
                        vec![parse_quote!(#acc = #f(#acc, #value);)]
                    }
                })?;
                // The type of the state, where the closure says it: `|m: Option<f64>, x|`.
                let ty = match &f {
                    Expr::Closure(c) => match &c.inputs[0] {
                        Pat::Type(t) if matches!(*t.pat, Pat::Ident(_)) => {
                            let ty = &t.ty;
                            Some(quote::quote!(: #ty))
                        }
                        _ => None,
                    },
                    _ => None,
                };
                Some(parse_quote!({ let mut #acc #ty = #init; #(#loops)* #acc }))
            }
            ("collect", []) if turbofish.as_ref().map_or(self.expects_vec, is_vec) => {
                let chain = self.chain(&m.receiver)?;
                let out = self.fresh("out");
                let loops = self.run(chain, None, |_, item| {
                    let value = whole(item);
                    vec![parse_quote!(#out.push(#value);)]
                })?;
                Some(parse_quote!({ let mut #out = ::std::vec::Vec::new(); #(#loops)* #out }))
            }
            ("unwrap" | "expect" | "unwrap_or" | "unwrap_or_default", _) => {
                let picked = self.picked(&m.receiver)?;
                picked.taken(&name, &args)
            }
            ("for_each", [Expr::Closure(c)]) if is_function(args[0], 1) => {
                let chain = self.chain(&m.receiver)?;
                let (pat, body) = (c.inputs[0].clone(), c.body.clone());
                let loops = self.run(chain, None, |_, item| {
                    let mut stmts = bind(&pat, item);
                    stmts.push(Stmt::Expr((*body).clone(), Some(Default::default())));
                    stmts
                })?;
                Some(parse_quote!({ #(#loops)* }))
            }
            _ => None,
        }
    }

    /// The loop over a chain, with what is done with each item.
    fn run(
        &mut self,
        chain: Chain,
        label: Option<syn::Label>,
        body: impl FnOnce(&mut Self, Item) -> Vec<Stmt>,
    ) -> Option<Vec<Stmt>> {
        let len = chain.source.len?;
        let k = self.fresh("k");
        let at: Expr = parse_quote!(#k);
        let item = (chain.source.item)(at.clone());
        let stmts = self.stages(&chain.stages, &at, item, Box::new(body));
        let mut out = chain.source.setup;
        out.push(Stmt::Expr(
            parse_quote!(#label for #k in 0..#len { #(#stmts)* }),
            None,
        ));
        Some(out)
    }

    /// The predicate of an item, which it sees by reference.
    fn test(&mut self, f: &Expr, item: &Item) -> Expr {
        let x = whole(item.clone());
        match f {
            Expr::Closure(c) => {
                let c = crate::rename::apart(c, &mut |n| self.fresh(n));
                let (pat, test) = (in_parens(&c.inputs[0]), &c.body);
                parse_quote!({ let #pat = &#x; #test })
            }
            f => parse_quote!(#f(&#x)),
        }
    }

    fn stages<'f>(
        &mut self,
        stages: &[Stage],
        k: &Expr,
        item: Item,
        body: Body<'f, Self>,
    ) -> Vec<Stmt> {
        let Some((stage, rest)) = stages.split_first() else {
            return body(self, item);
        };
        match stage {
            Stage::Map(Expr::Closure(c)) => {
                let mut stmts = bind(&c.inputs[0], item);
                let (name, value) = (self.fresh("m"), &c.body);
                stmts.push(parse_quote!(let #name = #value;));
                stmts.extend(self.stages(rest, k, one(parse_quote!(#name)), body));
                stmts
            }
            Stage::Map(f) => {
                let (name, x) = (self.fresh("m"), whole(item));
                let mut stmts: Vec<Stmt> = vec![parse_quote!(let #name = #f(#x);)];
                stmts.extend(self.stages(rest, k, one(parse_quote!(#name)), body));
                stmts
            }
            Stage::Filter(f) => {
                let cond = self.test(f, &item);
                let inner = self.stages(rest, k, item, body);
                vec![Stmt::Expr(parse_quote!(if #cond { #(#inner)* }), None)]
            }
            Stage::TakeWhile(f) => {
                let cond = self.test(f, &item);
                let mut stmts: Vec<Stmt> = vec![parse_quote!(if !(#cond) { break; })];
                stmts.extend(self.stages(rest, k, item, body));
                stmts
            }
            Stage::SkipWhile(flag, f) => {
                let cond = self.test(f, &item);
                let inner = self.stages(rest, k, item, body);
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
                let loops = self.run(inner, None, |s, item| s.stages(rest, k, item, body));
                stmts.extend(loops.into_iter().flatten());
                stmts
            }
            Stage::Scan(state, c) => {
                self.scan(state, c, item, |s, item| s.stages(rest, k, item, body))
            }
            Stage::Cloned => self.stages(rest, k, value_of(item), body),
            Stage::Enumerate => {
                let item = Item::Pair(one(k.clone()).into(), item.into());
                self.stages(rest, k, item, body)
            }
            Stage::Zip(other) => {
                let item = Item::Pair(item.into(), other(k.clone()).into());
                self.stages(rest, k, item, body)
            }
        }
    }
}

/// The value behind an item that is a reference.
fn value_of(item: Item) -> Item {
    match item {
        Item::One(Expr::Reference(r)) => {
            let e = &r.expr;
            one(parse_quote!(#e.clone()))
        }
        Item::One(e) => one(parse_quote!(#e.clone())),
        pair => pair,
    }
}

#[derive(Clone, Copy)]
enum Elements {
    Shared,
    Mutable,
    Owned,
}

/// Whether `collect` into the type makes a `Vec`. What a name that is not known here stands for, the compiler checks.
fn is_vec(ty: &syn::Type) -> bool {
    const OTHERS: &[&str] = &[
        "Option",
        "Result",
        "Box",
        "Rc",
        "Arc",
        "String",
        "Cow",
        "VecDeque",
        "LinkedList",
        "BinaryHeap",
        "HashMap",
        "HashSet",
        "BTreeMap",
        "BTreeSet",
        "Array1",
        "DVector",
        "Tensor",
    ];
    match ty {
        syn::Type::Path(p) => p
            .path
            .segments
            .last()
            .is_some_and(|s| OTHERS.iter().all(|other| s.ident != other)),
        syn::Type::Infer(_) => true,
        _ => false,
    }
}

fn is_zero(e: &Expr) -> bool {
    matches!(e, Expr::Lit(l) if matches!(&l.lit, syn::Lit::Int(i) if i.base10_digits() == "0" && i.suffix().is_empty()))
}

fn shorter(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(parse_quote!(::core::cmp::min(#a, #b))),
        (a, b) => a.or(b),
    }
}

/// `a..b`, `a..=b` and these reversed are loops as they are; so are their steps.
fn is_plain_range(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_plain_range(&p.expr),
        Expr::Range(r) => r.start.is_some() && r.end.is_some(),
        Expr::MethodCall(m) => {
            (m.method == "rev" && m.args.is_empty() || m.method == "step_by")
                && is_plain_range(&m.receiver)
        }
        _ => false,
    }
}

/// A closure of `arity` arguments without jumps, or the name of a function.
fn is_function(e: &Expr, arity: usize) -> bool {
    struct Jumps(bool);
    impl<'a> Visit<'a> for Jumps {
        fn visit_expr(&mut self, e: &'a Expr) {
            self.0 |= matches!(e, Expr::Return(_) | Expr::Try(_) | Expr::Await(_));
            visit::visit_expr(self, e);
        }
    }
    match e {
        Expr::Closure(c) => {
            let mut v = Jumps(false);
            v.visit_expr(&c.body);
            !v.0 && c.inputs.len() == arity
        }
        Expr::Path(_) => true,
        _ => false,
    }
}

/// `let pat = item;`, part by part.
fn bind(pat: &Pat, item: Item) -> Vec<Stmt> {
    match (pat, item) {
        (Pat::Wild(_), _) => Vec::new(),
        (Pat::Paren(p), item) => bind(&p.pat, item),
        (Pat::Tuple(t), Item::Pair(a, b)) if t.elems.len() == 2 => {
            let mut stmts = bind(&t.elems[0], *a);
            stmts.extend(bind(&t.elems[1], *b));
            stmts
        }
        // `&v` and `&(i, v)` take the reference off.
        (Pat::Reference(p), Item::One(Expr::Reference(r))) => bind(&p.pat, one((*r.expr).clone())),
        (pat, item) => {
            let (pat, e) = (in_parens(pat), whole(item));
            vec![parse_quote!(let #pat = #e;)]
        }
    }
}

/// Alternatives need parentheses in a `let`.
pub fn in_parens(pat: &Pat) -> Pat {
    match pat {
        Pat::Or(or) => parse_quote!((#or)),
        pat => pat.clone(),
    }
}

fn whole(item: Item) -> Expr {
    match item {
        Item::One(e) => e,
        Item::Pair(a, b) => {
            let (a, b) = (whole(*a), whole(*b));
            parse_quote!((#a, #b))
        }
    }
}

/// An item as a summand: the value behind a reference.
fn value(item: Item) -> Expr {
    match whole(item) {
        Expr::Reference(r) => *r.expr,
        e => e,
    }
}

/// Rewrites every chain over active values in a body, whose result has the type `output`.
pub fn rewrite<'t>(
    body: &Block,
    params: impl Iterator<Item = (&'t Ident, &'t syn::Type)>,
    active: &HashSet<String>,
    references: &HashSet<String>,
    grids: &Grids,
    output: Option<&syn::Type>,
) -> Block {
    let mut body = body.clone();
    ranges::inline(params, &mut body);
    named::inline(&mut body);
    expected::says(&mut body, active, output);
    let mut chains = Chains {
        active,
        references,
        grids,
        count: 0,
        expects_vec: output.is_none_or(is_vec),
    };
    chains.visit_block_mut(&mut body);
    body
}
