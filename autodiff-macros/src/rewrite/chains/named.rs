//! Iterators with a name, written out where they are used.
//!
//! `let pairs = a.iter().zip(b);` evaluates nothing, so the chain can stand where `pairs` is used up:
//! what it borrows cannot change before. What is evaluated at once, such as `n` in `take(n)`, gets a
//! name of its own.

use crate::rewrite::rename::apart;
use crate::syntax::{bound_names, identifiers};
use proc_macro2::{Ident, Span};
use quote::{format_ident, ToTokens};
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Block, Expr, Pat, Stmt};

/// What begins a chain.
pub(super) const SOURCES: &[&str] = &["iter", "into_iter", "chunks", "chunks_exact", "windows"];

/// What is made of a chain without a look at its items.
const ADAPTORS: &[&str] = &[
    "chain",
    "cloned",
    "copied",
    "cycle",
    "enumerate",
    "filter",
    "filter_map",
    "flat_map",
    "flatten",
    "inspect",
    "map",
    "map_while",
    "rev",
    "scan",
    "skip",
    "skip_while",
    "step_by",
    "take",
    "take_while",
    "zip",
];

/// What uses up a chain. `next` and the like leave the rest.
const CONSUMERS: &[&str] = &[
    "all",
    "any",
    "collect",
    "count",
    "find",
    "find_map",
    "fold",
    "for_each",
    "last",
    "max_by",
    "max_by_key",
    "min_by",
    "min_by_key",
    "partition",
    "position",
    "product",
    "reduce",
    "rfold",
    "sum",
    "try_fold",
    "try_for_each",
    "unzip",
];

/// Writes out the iterators that are bound to a name and used up once on each way.
pub fn inline(body: &mut Block) {
    Inline { count: 0 }.visit_block_mut(body);
}

struct Inline {
    count: usize,
}

impl VisitMut for Inline {
    fn visit_block_mut(&mut self, b: &mut Block) {
        let mut i = 0;
        while i < b.stmts.len() {
            if let Some((name, setup, chain)) = self.named(&b.stmts[i]) {
                let rest = &mut b.stmts[i + 1..];
                if Uses::of(rest, &name).can_be(&chain) {
                    let mut put = Put {
                        name: &name,
                        chain: &chain,
                    };
                    rest.iter_mut().for_each(|s| put.visit_stmt_mut(s));
                    let more = setup.len();
                    b.stmts.splice(i..=i, setup);
                    i += more;
                    continue;
                }
            }
            i += 1;
        }
        visit_mut::visit_block_mut(self, b);
    }
}

impl Inline {
    fn fresh(&mut self, base: &str) -> Ident {
        fresh(&mut self.count, base)
    }

    /// The name, what is evaluated at once, and the chain.
    fn named(&mut self, s: &Stmt) -> Option<(Ident, Vec<Stmt>, Expr)> {
        let Stmt::Local(l) = s else { return None };
        let (Pat::Ident(p), Some(init)) = (&l.pat, &l.init) else {
            return None;
        };
        if init.diverge.is_some() || p.by_ref.is_some() || p.subpat.is_some() {
            return None;
        }
        let mut setup = Vec::new();
        let chain = self.chain(&init.expr, &mut setup)?;
        Some((p.ident.clone(), setup, chain))
    }

    fn chain(&mut self, e: &Expr, setup: &mut Vec<Stmt>) -> Option<Expr> {
        let Expr::MethodCall(m) = e else { return None };
        let name = m.method.to_string();
        let mut m = m.clone();
        let source = SOURCES.contains(&name.as_str());
        if !source && !ADAPTORS.contains(&name.as_str()) {
            return None;
        }
        let receiver = match &*m.receiver {
            Expr::Paren(p) => match &*p.expr {
                Expr::Range(r) => {
                    let r = self.once("range", &Expr::Range(r.clone()), setup)?;
                    parse_quote!((#r))
                }
                _ => return None,
            },
            e if source => is_place(e).then(|| e.clone())?,
            e => self.chain(e, setup)?,
        };
        *m.receiver = receiver;
        for a in &mut m.args {
            *a = match (name.as_str(), &*a) {
                (_, Expr::Closure(c)) => Expr::Closure(apart(c, &mut |n| self.fresh(n))),
                ("zip" | "chain", e) if is_place(e) => e.clone(),
                ("zip" | "chain", Expr::Reference(r)) if is_place(&r.expr) => a.clone(),
                ("zip" | "chain", e) => self.chain(e, setup)?,
                ("map" | "map_while" | "filter" | "flat_map" | "filter_map" | "inspect", e) => {
                    e.clone()
                }
                (_, e) => self.once("n", e, setup)?,
            };
        }
        Some(Expr::MethodCall(m))
    }

    fn once(&mut self, base: &str, e: &Expr, setup: &mut Vec<Stmt>) -> Option<Expr> {
        once(&mut self.count, base, e, setup)
    }
}

/// A name for what is evaluated where the iterator is made.
pub(super) fn once(count: &mut usize, base: &str, e: &Expr, setup: &mut Vec<Stmt>) -> Option<Expr> {
    match e {
        Expr::Lit(_) => Some(e.clone()),
        Expr::Range(r) => {
            let mut r = r.clone();
            for end in [&mut r.start, &mut r.end].into_iter().flatten() {
                **end = once(count, base, end, setup)?;
            }
            Some(Expr::Range(r))
        }
        e => {
            let name = fresh(count, base);
            setup.push(parse_quote!(let #name = #e;));
            Some(parse_quote!(#name))
        }
    }
}

fn fresh(count: &mut usize, base: &str) -> Ident {
    *count += 1;
    format_ident!("__once_{base}{count}", span = Span::mixed_site())
}

/// A variable or a field, which are the same place wherever they stand.
fn is_place(e: &Expr) -> bool {
    match e {
        Expr::Path(p) => p.path.get_ident().is_some(),
        Expr::Field(f) => is_place(&f.base),
        _ => false,
    }
}

/// How often a name is there, and how often where a chain can stand.
pub(super) struct Uses<'a> {
    name: &'a Ident,
    all: usize,
    good: usize,
    /// What the statements bind.
    bound: HashSet<String>,
    in_macro: bool,
}

impl<'a> Uses<'a> {
    pub(super) fn of(rest: &[Stmt], name: &'a Ident) -> Self {
        let mut uses = Uses {
            name,
            all: 0,
            good: 0,
            bound: HashSet::new(),
            in_macro: false,
        };
        rest.iter().for_each(|s| uses.visit_stmt(s));
        uses
    }

    fn can_be(&self, chain: &Expr) -> bool {
        let mut names = Vec::new();
        identifiers(chain.to_token_stream(), &mut names);
        let shadowed = names.iter().any(|n| self.bound.contains(n));
        self.are_its() && self.all == self.good && !self.in_macro && !shadowed
    }

    /// Whether there are any, and no other variable has the name.
    pub(super) fn are_its(&self) -> bool {
        self.all > 0 && !self.bound.contains(&self.name.to_string())
    }

    fn is_it(&self, e: &Expr) -> bool {
        match e {
            // A copy of an iterator is one more chain.
            Expr::MethodCall(m) if m.method == "clone" => is_name(&m.receiver, self.name),
            e => is_name(e, self.name),
        }
    }
}

impl<'e> Visit<'e> for Uses<'_> {
    fn visit_expr(&mut self, e: &'e Expr) {
        self.all += usize::from(is_name(e, self.name));
        visit::visit_expr(self, e);
    }
    fn visit_expr_method_call(&mut self, m: &'e syn::ExprMethodCall) {
        let method = m.method.to_string();
        self.good += usize::from(is_chained(&m.method) && self.is_it(&m.receiver));
        if matches!(method.as_str(), "zip" | "chain") {
            self.good += m.args.iter().filter(|a| self.is_it(a)).count();
        }
        visit::visit_expr_method_call(self, m);
    }
    fn visit_expr_for_loop(&mut self, f: &'e syn::ExprForLoop) {
        self.good += usize::from(self.is_it(&f.expr));
        visit::visit_expr_for_loop(self, f);
    }
    fn visit_pat(&mut self, p: &'e Pat) {
        self.bound.extend(bound_names(p, true));
    }
    fn visit_macro(&mut self, m: &'e syn::Macro) {
        let mut names = Vec::new();
        identifiers(m.tokens.clone(), &mut names);
        self.in_macro |= names.iter().any(|n| self.name == n);
    }
}

/// Whether this is a method of iterators that is followed.
pub(super) fn is_chained(method: &Ident) -> bool {
    let method = method.to_string();
    ADAPTORS.contains(&method.as_str()) || CONSUMERS.contains(&method.as_str())
}

/// Whether an iterator begins or goes on with a method of this name.
pub fn is_of_iterators(method: &Ident) -> bool {
    SOURCES.iter().any(|n| method == n) || is_chained(method)
}

fn is_name(e: &Expr, name: &Ident) -> bool {
    matches!(e, Expr::Path(p) if p.path.is_ident(name))
}

pub(super) struct Put<'a> {
    pub name: &'a Ident,
    pub chain: &'a Expr,
}

impl Put<'_> {
    /// Writes the chain out, if this is its name or a copy.
    pub(super) fn put(&self, e: &mut Expr) -> bool {
        let copy = matches!(e, Expr::MethodCall(m) if m.method == "clone" && is_name(&m.receiver, self.name));
        let is_it = copy || is_name(e, self.name);
        if is_it {
            *e = self.chain.clone();
        }
        is_it
    }
}

impl VisitMut for Put<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if !self.put(e) {
            visit_mut::visit_expr_mut(self, e);
        }
    }
}
