//! Lowers `x[[i, j]]`: one element of a tensor.
//!
//! `a[i]` of a slice is a place, whose cotangent is the place `d_a[i]`. The cotangent of a tensor
//! has no places, it may be the zero that takes no room; so this is a call of the method `at`, whose
//! rule adds to the one entry.

use crate::ir::*;
use crate::lower::Lower;
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::{Expr, UnOp};

impl Lower<'_> {
    /// Whether an index is an array, which only tensors are indexed by.
    pub fn is_position(&self, index: &Expr) -> bool {
        match index {
            Expr::Paren(p) => self.is_position(&p.expr),
            Expr::Group(g) => self.is_position(&g.expr),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => self.is_position(&u.expr),
            Expr::Array(_) | Expr::Repeat(_) => true,
            Expr::Path(p) => p
                .path
                .get_ident()
                .and_then(|i| self.lookup(&i.to_string()))
                .is_some_and(|v| self.positions.contains(&v)),
            _ => false,
        }
    }

    /// Whether `x[[i, j]]` is read by the method of tensors, and is no place.
    pub fn is_element(&self, i: &syn::ExprIndex) -> bool {
        self.is_position(&i.index) && !self.grids.contains(&i.expr)
    }

    /// `x[[i, j]]` as `x.at([i, j])`.
    pub fn element(&mut self, i: &syn::ExprIndex, out: &mut Vec<Stmt>) -> Rhs {
        let receiver = self.receiver(&i.expr, out);
        Rhs::Method {
            receiver: Arg::shared(receiver),
            name: Ident::new("at", i.index.span()),
            turbofish: None,
            args: self.args(std::iter::once(&*i.index), out),
        }
    }
}
