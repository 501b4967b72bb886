//! Macros of ours in annotated functions: these see what the macro stands for, so that it needs no rule of its own.

use crate::calls::einsum;
use crate::calls::vmap::{self, Place};
use crate::syntax::is_macro;
use syn::visit_mut::{self, VisitMut};
use syn::Expr;

/// The body with each `einsum!` and `vmap!` replaced by what it stands for. One that is wrong stays, and is
/// reported where the function itself is compiled.
pub fn replaced(body: &syn::Block) -> syn::Block {
    let mut body = body.clone();
    Replace.visit_block_mut(&mut body);
    body
}

/// What a macro of ours stands for, or what is wrong with it; `None` for any other.
pub fn meaning(m: &syn::Macro) -> Option<syn::Result<Expr>> {
    let tokens = m.tokens.clone();
    if is_macro(m, &["einsum"]) {
        return Some(einsum::call(tokens).map(Expr::MethodCall));
    }
    is_macro(m, &["vmap"]).then(|| vmap::block(tokens, Place::Annotated).map(Expr::Block))
}

struct Replace;

impl VisitMut for Replace {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Macro(m) = e {
            if let Some(Ok(meaning)) = meaning(&m.mac) {
                *e = meaning;
            }
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_stmt_mut(&mut self, s: &mut syn::Stmt) {
        if let syn::Stmt::Macro(m) = s {
            if let Some(Ok(meaning)) = meaning(&m.mac) {
                *s = syn::Stmt::Expr(meaning, m.semi_token);
            }
        }
        visit_mut::visit_stmt_mut(self, s);
    }
}
