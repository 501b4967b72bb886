//! What the reverse run keeps that may borrow from an argument.
//!
//! A pullback borrows nothing. Of `let row = table.get(i)?` only the compiler knows whether it borrows: what is kept
//! of such a variable is the value itself, or, of a reference, a copy of what it refers to, and the reverse run
//! borrows from that (`autodiff-core/src/ad/held.rs`).

use super::straight::mentions;
use super::Vjp;
use crate::ir::*;
use crate::syntax;
use crate::syntax::names::derived;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Expr;

impl Vjp<'_> {
    /// Names of a record as they are kept.
    pub(super) fn held(&self, record: &[Ident]) -> Vec<TokenStream> {
        let held = |name: &Ident| match self.may_borrow(name) {
            true => quote!(ad::Holding(#name).hold()),
            false => quote!(#name),
        };
        record.iter().map(held).collect()
    }

    /// The names again, of what was kept.
    pub(super) fn lend(&self, record: &[Ident]) -> TokenStream {
        let borrows = record.iter().filter(|name| self.may_borrow(name));
        let lend = |name: &Ident| {
            let held = derived("held_", name);
            quote!(let mut #held = #name; let #name = #held.lend();)
        };
        borrows.map(lend).collect()
    }

    /// The variables outside of all blocks that the reverse run reads and that may borrow.
    pub(super) fn borrowing(&self, reverse: &TokenStream) -> Vec<Ident> {
        let checkpoints = self.f.body.stmts.iter().any(|s| s.checkpoint().is_some());
        let outside = |v: &VarId| {
            let var = &self.f.vars[*v];
            // A captured name stands for a part of the environment, which is lent again.
            if var.by_name {
                return false;
            }
            // What is taken for an entry is not noted as needed; a loop that runs again defines it again.
            let unnoted = !checkpoints && var.hold.is_reference();
            (self.needs.values.contains(v) || unnoted)
                && !self.needs.again.contains(v)
                && var.defined.scope.is_empty()
                && self.may_borrow(&var.name)
                && mentions(reverse, &var.name)
        };
        let vars = (0..self.f.vars.len()).filter(outside);
        vars.map(|v| self.name(v).clone()).collect()
    }

    /// Whether a kept variable may hold a reference, as far as what it is made of tells.
    fn may_borrow(&self, name: &Ident) -> bool {
        let Some(v) = self.f.vars.iter().position(|v| v.name == *name) else {
            return false;
        };
        let var = &self.f.vars[v];
        if var.active || var.mutable || var.param.is_some() {
            return false;
        }
        let unknown = matches!(var.ty, Ty::Unknown | Ty::Seq(_));
        match self.f.body.definition(v) {
            Some(Rhs::Native(n)) => var.hold.is_reference() || unknown && gives_reference(&n.expr),
            Some(Rhs::Borrow(_)) => true,
            Some(_) => false,
            None => unknown && self.bound_natively(v),
        }
    }
}

/// Methods of the standard library whose values own what they hold.
const OWNED: &[&str] = &[
    "abs",
    "clone",
    "cloned",
    "collect",
    "contains",
    "copied",
    "count",
    "cos",
    "div_ceil",
    "exp",
    "fold",
    "is_empty",
    "is_none",
    "is_some",
    "len",
    "ln",
    "max",
    "min",
    "position",
    "pow",
    "powf",
    "powi",
    "product",
    "sin",
    "sqrt",
    "sum",
    "to_owned",
    "to_string",
    "to_vec",
];

/// Whether the value of an expression may be a reference.
fn gives_reference(e: &Expr) -> bool {
    let tail = |b: &syn::Block| match b.stmts.last() {
        Some(syn::Stmt::Expr(e, None)) => gives_reference(e),
        _ => false,
    };
    match e {
        Expr::Paren(p) => gives_reference(&p.expr),
        Expr::Group(g) => gives_reference(&g.expr),
        Expr::Block(b) => tail(&b.block),
        Expr::Unsafe(b) => tail(&b.block),
        Expr::If(i) => {
            let other = i.else_branch.as_ref();
            tail(&i.then_branch) || other.is_some_and(|(_, e)| gives_reference(e))
        }
        Expr::Match(m) => m.arms.iter().any(|a| gives_reference(&a.body)),
        Expr::Reference(r) => r.mutability.is_none(),
        Expr::Path(_) | Expr::Try(_) | Expr::Field(_) => true,
        Expr::MethodCall(m) => !OWNED.contains(&m.method.to_string().as_str()),
        // `Vec::new()`, `Grid::of(4)`
        Expr::Call(c) => match &*c.func {
            Expr::Path(p) => {
                let names = syntax::segments(&p.path);
                let is_type = |n: &String| n.starts_with(|c: char| c.is_uppercase());
                !names.iter().any(is_type)
            }
            _ => true,
        },
        _ => false,
    }
}
