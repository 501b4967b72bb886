//! Which names may carry a derivative: what a body assigns, and what it lends to be changed.
//!
//! A name is active when an active value may flow to it: by an assignment, by a call that it is lent
//! to, or through a mutable reference to it, such as `row` in `for row in m.iter_mut()`.

mod expr;
mod lent;

use crate::knowledge::numbers;
use crate::knowledge::sequences::{is_mutator, PURE};
use crate::syntax::{
    bound_names, is_assign_op, is_mark, is_stop_gradient, pattern_names, root_name, ty_of,
};
pub use expr::{maybe_active, maybe_active_macro, touches_active};
use lent::{lent, reference, Lent};
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

/// Everything a body assigns, with what it assigns from.
#[derive(Default)]
pub struct Flows<'a> {
    pub flows: Vec<(Vec<String>, &'a Expr)>,
    /// `let a = &mut b[..]`: what is written to `a` is in `b`.
    aliases: Vec<(String, String)>,
    /// What is declared with `mut`: a method may change it.
    mutable: HashSet<String>,
    /// Closures by name: the names that each parameter binds.
    closures: HashMap<String, Vec<Vec<String>>>,
}

impl<'a> Flows<'a> {
    /// Notes what the names of a pattern lead to.
    fn alias(&mut self, p: &Pat, to: &Lent) {
        match (p, to) {
            (_, Lent::Nothing) => {}
            (Pat::Paren(p), to) => self.alias(&p.pat, to),
            (Pat::Type(t), to) => self.alias(&t.pat, to),
            (Pat::TupleStruct(t), to) if t.elems.len() == 1 => self.alias(&t.elems[0], to),
            (Pat::Tuple(t), Lent::Parts(parts)) if t.elems.len() == parts.len() => {
                for (p, to) in t.elems.iter().zip(parts) {
                    self.alias(p, to);
                }
            }
            (p, to) => {
                let mut roots = Vec::new();
                to.roots(&mut roots);
                for n in bound_names(p, true) {
                    self.aliases
                        .extend(roots.iter().map(|r| (n.clone(), r.clone())));
                }
            }
        }
    }

    fn leads(&self, name: &str) -> bool {
        self.aliases.iter().any(|(n, _)| n == name)
    }

    fn bind(&mut self, p: &'a Pat, from: &'a Expr) {
        let to = lent(from, &|n| self.leads(n));
        self.alias(p, &to);
        self.flows.push((pattern_names(p), from));
    }

    fn set(&mut self, place: &Expr, from: &'a Expr) {
        let mut roots: Vec<String> = root_name(place).into_iter().collect();
        if roots.is_empty() {
            // `*v.last_mut().unwrap() = x`
            lent(reference(place), &|n| self.leads(n)).roots(&mut roots);
        }
        self.flows.push((roots, from));
    }

    /// What is lent to a call may hold anything that the others hold.
    fn lends(&mut self, args: Vec<&'a Expr>) {
        for (k, arg) in args.iter().enumerate() {
            let mut roots = Vec::new();
            match arg {
                Expr::Path(_) => roots.extend(root_name(arg).filter(|n| self.leads(n))),
                e => lent(e, &|n| self.leads(n)).roots(&mut roots),
            }
            if roots.is_empty() {
                continue;
            }
            let others = args.iter().enumerate().filter(|(i, _)| *i != k);
            self.flows
                .extend(others.map(|(_, from)| (roots.clone(), *from)));
        }
    }
}

/// Whether a method only reads its receiver, as far as its name tells.
fn only_reads(m: &syn::ExprMethodCall) -> bool {
    let name = m.method.to_string();
    PURE.contains(&name.as_str())
        || numbers::is_query(m)
        || numbers::method(&name, m.args.len()).is_some()
}

impl<'a> Visit<'a> for Flows<'a> {
    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        if p.mutability.is_some() {
            self.mutable.insert(p.ident.to_string());
        }
        visit::visit_pat_ident(self, p);
    }
    fn visit_local(&mut self, l: &'a syn::Local) {
        self.visit_pat(&l.pat);
        if let Some(init) = &l.init {
            if let (Pat::Ident(p), Expr::Closure(c)) = (&l.pat, &*init.expr) {
                let parameters = c.inputs.iter().map(pattern_names).collect();
                self.closures.insert(p.ident.to_string(), parameters);
            }
            let discrete = matches!(&l.pat, Pat::Type(t) if ty_of(&t.ty).is_discrete());
            if !discrete {
                self.bind(&l.pat, &init.expr);
            }
        }
        visit::visit_local(self, l);
    }
    fn visit_expr_assign(&mut self, a: &'a syn::ExprAssign) {
        self.set(&a.left, &a.right);
        visit::visit_expr_assign(self, a);
    }
    fn visit_expr_binary(&mut self, b: &'a syn::ExprBinary) {
        if is_assign_op(&b.op) {
            self.set(&b.left, &b.right);
        }
        visit::visit_expr_binary(self, b);
    }
    fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
        if is_stop_gradient(&c.func) {
            return;
        }
        if is_mark(&c.func, "__late_set") {
            if let (Some(name), Some(value)) = (c.args.first(), c.args.get(1)) {
                self.set(name, value);
            }
        }
        self.lends(c.args.iter().collect());
        if let Some(parameters) = root_name(&c.func).and_then(|f| self.closures.get(&f)) {
            let passed = parameters.iter().cloned().zip(&c.args);
            self.flows.extend(passed);
        }
        visit::visit_expr_call(self, c);
    }
    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        // The items of a chain go through its closures.
        let items = lent(&m.receiver, &|n| self.leads(n));
        for (k, f) in m.args.iter().enumerate() {
            if let Expr::Closure(c) = f {
                let names: Vec<String> = c.inputs.iter().flat_map(pattern_names).collect();
                c.inputs.iter().for_each(|p| self.alias(p, &items));
                self.flows.push((names.clone(), &m.receiver));
                let others = m.args.iter().enumerate().filter(|(i, _)| *i != k);
                self.flows
                    .extend(others.map(|(_, from)| (names.clone(), from)));
            }
        }
        let lending = std::iter::once(&*m.receiver).chain(&m.args);
        self.lends(lending.collect());
        let root = root_name(&m.receiver);
        let changes = is_mutator(m);
        let may = |n: &String| self.mutable.contains(n) || self.leads(n);
        if changes || !only_reads(m) && root.as_ref().is_some_and(may) {
            let targets: Vec<String> = root.into_iter().collect();
            self.flows
                .extend(m.args.iter().map(|value| (targets.clone(), value)));
        }
        visit::visit_expr_method_call(self, m);
    }
    fn visit_expr_match(&mut self, m: &'a syn::ExprMatch) {
        for a in &m.arms {
            self.bind(&a.pat, &m.expr);
        }
        visit::visit_expr_match(self, m);
    }
    fn visit_expr_let(&mut self, l: &'a syn::ExprLet) {
        self.bind(&l.pat, &l.expr);
        visit::visit_expr_let(self, l);
    }
    fn visit_expr_for_loop(&mut self, f: &'a syn::ExprForLoop) {
        self.bind(&f.pat, &f.expr);
        visit::visit_expr_for_loop(self, f);
    }
}

/// The names that may carry a derivative: the least set closed under the assignments of the body.
pub fn active_names(params: HashSet<String>, body: &syn::Block) -> HashSet<String> {
    let mut flows = Flows::default();
    flows.visit_block(body);
    let mut active = params;
    loop {
        let before = active.len();
        for (targets, from) in &flows.flows {
            if value_maybe_active(from, &active) {
                active.extend(targets.iter().cloned());
            }
        }
        for (alias, of) in &flows.aliases {
            if active.contains(alias) {
                active.insert(of.clone());
            }
        }
        if active.len() == before {
            return active;
        }
    }
}

/// [`maybe_active`], looking for the value of blocks and branches rather than at every name in them.
fn value_maybe_active(e: &Expr, active: &HashSet<String>) -> bool {
    match e {
        Expr::Block(b) => block_value_maybe_active(&b.block, active),
        Expr::If(i) => {
            block_value_maybe_active(&i.then_branch, active)
                || i.else_branch
                    .as_ref()
                    .is_some_and(|(_, e)| value_maybe_active(e, active))
        }
        Expr::Match(m) => m.arms.iter().any(|a| value_maybe_active(&a.body, active)),
        _ => maybe_active(e, active),
    }
}

fn block_value_maybe_active(b: &syn::Block, active: &HashSet<String>) -> bool {
    match b.stmts.last() {
        Some(syn::Stmt::Expr(e, None)) => value_maybe_active(e, active),
        _ => false,
    }
}
