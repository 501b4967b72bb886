//! Lowers `x[[i, j]]`: one element of a tensor.
//!
//! `a[i]` of a slice is a place, whose cotangent is the place `d_a[i]`. The cotangent of a tensor
//! has no places, it may be the zero that takes no room; so this is a call of the method `at`, whose
//! rule adds to the one entry.

use crate::ir::*;
use crate::lower::Lower;
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::Expr;

/// Whether an index is an array, which only tensors are indexed by.
pub fn is_position(index: &Expr) -> bool {
    match index {
        Expr::Paren(p) => is_position(&p.expr),
        Expr::Group(g) => is_position(&g.expr),
        Expr::Array(_) | Expr::Repeat(_) => true,
        _ => false,
    }
}

impl Lower<'_> {
    /// `x[[i, j]]` as `x.at([i, j])`.
    pub fn element(&mut self, i: &syn::ExprIndex, out: &mut Vec<Stmt>) -> Rhs {
        let receiver = self.receiver(&i.expr, out);
        Rhs::Method {
            receiver: Arg {
                operand: receiver,
                snapshot: None,
            },
            name: Ident::new("at", i.index.span()),
            turbofish: None,
            args: self.args(std::iter::once(&*i.index), out),
        }
    }
}
