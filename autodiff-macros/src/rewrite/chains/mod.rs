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
mod choice;
mod ends;
mod expected;
mod kept;
mod made;
mod named;
mod pick;
mod ranges;
pub mod scopes;
mod source;
mod stages;

pub use kept::NOT_FOLLOWED;
pub use made::maker;
pub use named::is_of_iterators;

use crate::input::grids::Grids;
use crate::syntax;
use crate::syntax::writes::assigned_names;
use proc_macro2::{Ident, Span};
use quote::format_ident;
use stages::Stage;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Block, Expr, Pat, Stmt};

/// An item, as far as the chain has built it.
#[derive(Clone)]
enum Item {
    One(Expr),
    Pair(Box<Item>, Box<Item>),
}

type ItemAt = Rc<dyn Fn(Expr) -> Item>;

/// With what the name of a vector begins into which items are copied first, after `__`.
const COPIES: &str = "items";

/// Items that can be counted and indexed.
#[derive(Clone)]
struct Source {
    setup: Vec<Stmt>,
    /// `None`: without end.
    len: Option<Expr>,
    item: ItemAt,
    /// The range whose items these are, one after the other, and its name in `setup`.
    range: Option<(Ident, syn::ExprRange)>,
}

#[derive(Clone)]
struct Chain {
    source: Source,
    stages: Vec<Stage>,
}

pub struct Chains<'a> {
    /// Names that may carry a derivative.
    pub active: HashSet<String>,
    /// Parameters that are references.
    pub references: HashSet<String>,
    pub grids: &'a Grids,
    /// Names of collections whose entries have no positions, and whether these are pairs.
    pub keyed: HashMap<String, bool>,
    pub count: usize,
    /// The names that the loop or chain at hand assigns.
    pub assigned: HashSet<String>,
    /// The type of the function's value.
    pub output: Option<&'a syn::Type>,
    /// The type that is written for the value here. Without one `collect` makes a `Vec`.
    pub expected: Option<syn::Type>,
}

impl VisitMut for Chains<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if matches!(e, Expr::ForLoop(_) | Expr::MethodCall(_)) {
            self.assigned = assigned_names(e).into_iter().collect();
        }
        let new = match e {
            Expr::ForLoop(f)
                if crate::syntax::touches_active(&Expr::ForLoop(f.clone()), &self.active) =>
            {
                self.for_loop(f)
            }
            Expr::MethodCall(m)
                if syntax::maybe_active(&Expr::MethodCall(m.clone()), &self.active) =>
            {
                self.consumer(m)
            }
            Expr::Match(m) if syntax::maybe_active(&m.expr, &self.active) => self.picked_match(m),
            _ => None,
        };
        if let Some(new) = new {
            *e = new;
        }
        // The type of the whole says nothing of its parts, unless one of them is its value.
        let outer = self.expected.clone();
        let hands_on = matches!(
            e,
            Expr::Block(_) | Expr::If(_) | Expr::Match(_) | Expr::Paren(_)
        );
        if matches!(e, Expr::Return(_)) {
            self.expected = self.output.cloned();
        } else if !hands_on {
            self.expected = None;
        }
        visit_mut::visit_expr_mut(self, e);
        self.expected = outer;
    }
    fn visit_expr_if_mut(&mut self, i: &mut syn::ExprIf) {
        let outer = self.expected.take();
        self.visit_expr_mut(&mut i.cond);
        self.expected = outer;
        self.visit_block_mut(&mut i.then_branch);
        if let Some((_, e)) = &mut i.else_branch {
            self.visit_expr_mut(e);
        }
    }
    fn visit_expr_match_mut(&mut self, m: &mut syn::ExprMatch) {
        let outer = self.expected.take();
        self.visit_expr_mut(&mut m.expr);
        self.expected = outer;
        m.arms.iter_mut().for_each(|a| self.visit_arm_mut(a));
    }
    fn visit_block_mut(&mut self, b: &mut Block) {
        let outer = self.expected.take();
        let last = b.stmts.len().saturating_sub(1);
        for (i, s) in b.stmts.iter_mut().enumerate() {
            let value = i == last && matches!(s, Stmt::Expr(_, None));
            self.expected = outer.clone().filter(|_| value);
            self.visit_stmt_mut(s);
        }
        self.expected = outer;
    }
    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        let outer = self.expected.take();
        if let Pat::Type(t) = &l.pat {
            self.expected = Some((*t.ty).clone());
        }
        visit_mut::visit_local_mut(self, l);
        self.expected = outer;
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
        if let Expr::Call(c) = e {
            if made::maker(c).is_some() {
                return self.made(c);
            }
        }
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
        if name == "chain" {
            if let Some(parts) = self.joined(e) {
                return self.in_a_vec(parts);
            }
        }
        let args: Vec<&Expr> = m.args.iter().collect();
        let receiver = match &*m.receiver {
            Expr::MethodCall(_) | Expr::Paren(_) | Expr::Call(_) => self.chain(&m.receiver),
            _ => None,
        };
        let Some(mut chain) = receiver else {
            return self.collected(e, m).map(|source| Chain {
                source,
                stages: Vec::new(),
            });
        };
        let filtered = !chain.stages.iter().all(Stage::keeps_count);
        match (name.as_str(), args.as_slice()) {
            ("map", [f]) if is_function(f, 1) => chain.stages.push(Stage::Map((*f).clone())),
            ("filter", [f]) if is_function(f, 1) => chain.stages.push(Stage::Filter((*f).clone())),
            ("enumerate", []) if !filtered => chain.stages.push(Stage::Enumerate),
            ("zip", [other]) if !filtered => {
                let other = self.zipped(other)?;
                chain.source.setup.extend(other.source.setup);
                chain.source.len = shorter(chain.source.len, other.source.len);
                chain.source.range = None;
                let item = other.source.item;
                chain.stages.push(match other.stages.is_empty() {
                    true => Stage::Zip(item),
                    false => Stage::ZipChain(item, other.stages),
                });
            }
            ("take", [n]) if !filtered => {
                self.adapt("take", &[n], &mut chain.source).then_some(())?;
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

    /// A chain of which no item is left out.
    fn zipped(&mut self, e: &Expr) -> Option<Chain> {
        if let Some(source) = self.iterable(e) {
            return Some(Chain {
                source,
                stages: Vec::new(),
            });
        }
        let chain = self.chain(e)?;
        match chain.stages.iter().all(Stage::keeps_count) {
            true => Some(chain),
            false => self.in_a_vec(vec![chain]),
        }
    }

    fn for_loop(&mut self, f: &syn::ExprForLoop) -> Option<Expr> {
        if is_plain_range(&f.expr) {
            return None;
        }
        let mut chain = self.chain(&f.expr)?;
        let (mut body, mut label) = (f.body.clone(), f.label.clone());
        let breaks = adapt::breaks(&body);
        if chain.stages.iter().any(|s| matches!(s, Stage::Flat(..))) {
            // A jump is to leave all loops, and not the inner one alone.
            if label.as_ref().is_some_and(|l| adapt::continues(&body, l)) {
                return None;
            }
            if breaks {
                let label = label.get_or_insert_with(|| self.label());
                adapt::name_breaks(&mut body, label);
            }
        }
        if breaks && chain.source.len.is_none() {
            chain.source.len = Some(parse_quote!(usize::MAX));
        }
        let pat = (*f.pat).clone();
        let mut stmts = self.run(chain, label, |s, item| {
            // As a closure, whose parameter gets another name where it hides what an item reads.
            let c = s.own(&parse_quote!(|#pat| #body), &[&item], &[]);
            let mut stmts = bind(&c.inputs[0], item);
            match *c.body {
                Expr::Block(b) => stmts.extend(b.block.stmts),
                e => stmts.push(Stmt::Expr(e, None)),
            }
            stmts
        })?;
        if let (Some(to), Some(last)) = (extended(f), stmts.last()) {
            if let Some(range) = ends::counted(last, to) {
                let room = parse_quote!(#to.reserve(::differentiable::__rt::trips(&(#range))););
                stmts.insert(stmts.len() - 1, room);
            }
        }
        Some(parse_quote!({ #(#stmts)* }))
    }
}

/// The `Vec` that a loop extends: `for t in items { v.push(t.clone()); }`, as `v.extend(items)` is written by now.
fn extended(f: &syn::ExprForLoop) -> Option<&Expr> {
    let (Pat::Ident(item), [Stmt::Expr(Expr::MethodCall(push), _)]) = (&*f.pat, &*f.body.stmts)
    else {
        return None;
    };
    let ours = item.ident.to_string().starts_with("__t");
    let whole = matches!(push.args.first(), Some(Expr::MethodCall(m)) if m.method == "clone"
        && matches!(&*m.receiver, Expr::Path(p) if p.path.is_ident(&item.ident)));
    (ours && whole && push.method == "push").then_some(&*push.receiver)
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

/// Whether such an expression is in another, or is it.
fn holds(e: &Expr, is: &dyn Fn(&Expr) -> bool) -> bool {
    struct Search<'s>(&'s dyn Fn(&Expr) -> bool, bool);
    impl<'a> Visit<'a> for Search<'_> {
        fn visit_expr(&mut self, e: &'a Expr) {
            self.1 |= (self.0)(e);
            visit::visit_expr(self, e);
        }
    }
    let mut search = Search(is, false);
    search.visit_expr(e);
    search.1
}

/// A closure of `arity` arguments without jumps, or the name of a function.
fn is_function(e: &Expr, arity: usize) -> bool {
    let jumps = |e: &Expr| matches!(e, Expr::Return(_) | Expr::Try(_) | Expr::Await(_));
    match e {
        Expr::Closure(c) => c.inputs.len() == arity && !holds(&c.body, &jumps),
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
        // Parts of what is there: the reverse pass borrows them again.
        (Pat::Tuple(t), Item::One(Expr::Reference(r))) if is_apart(t, &r) => {
            let part = |(i, pat): (usize, &Pat)| {
                let (i, e) = (syn::Index::from(i), &r.expr);
                bind(pat, one(parse_quote!(&#e.#i)))
            };
            t.elems.iter().enumerate().flat_map(part).collect()
        }
        (pat, item) => {
            let (pat, e) = (in_parens(pat), whole(item));
            vec![parse_quote!(let #pat = #e;)]
        }
    }
}

/// Whether a tuple of names, behind a shared reference to an entry, can be bound name by name: none of them is in what is read.
fn is_apart(t: &syn::PatTuple, r: &syn::ExprReference) -> bool {
    fn plain(p: &Pat) -> bool {
        match p {
            Pat::Ident(p) => p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none(),
            Pat::Tuple(t) => t.elems.iter().all(plain),
            Pat::Paren(p) => plain(&p.pat),
            Pat::Wild(_) => true,
            _ => false,
        }
    }
    let read = scopes::names(&quote::ToTokens::to_token_stream(&r.expr));
    let names = t.elems.iter().flat_map(syntax::pattern_names);
    // Items that are copied first are gone in the reverse pass.
    let copied = syntax::root_name(&r.expr).is_some_and(|n| n.starts_with(&format!("__{COPIES}")));
    r.mutability.is_none()
        && !copied
        && matches!(*r.expr, Expr::Index(_) | Expr::Field(_))
        && t.elems.iter().all(plain)
        && !names.into_iter().any(|n| read.contains(&n))
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
    let params: Vec<_> = params.collect();
    let keyed = kept::keyed(&params, &body);
    ranges::inline(params.into_iter(), &mut body);
    named::inline(&mut body);
    expected::says(&mut body, active, output);
    let mut chains = Chains {
        active: active.clone(),
        references: references.clone(),
        grids,
        keyed,
        count: 0,
        assigned: HashSet::new(),
        output,
        expected: output.cloned(),
    };
    chains.visit_block_mut(&mut body);
    body
}
