//! `vec![f(x), y]`: what the passes rewrite is taken out of the macro, whose tokens they do not see.

use super::Desugar;
use quote::quote;
use syn::visit::{self, Visit};
use syn::{parse_quote, Expr, ExprMacro, Stmt};

impl Desugar<'_> {
    /// `vec![g(x), y]` becomes `{ let e0 = g(x); let e1 = y; vec![e0, e1] }`.
    pub(super) fn vec_elements(&mut self, m: &ExprMacro) -> Option<Expr> {
        if !m.mac.path.is_ident("vec") {
            return None;
        }
        let tokens = &m.mac.tokens;
        let repeat = syn::parse2::<syn::ExprRepeat>(quote!([#tokens]));
        let list = syn::parse2::<syn::ExprArray>(quote!([#tokens]));
        match (repeat, list) {
            (Ok(r), _) if is_rewritten(&r.expr) => {
                let (name, value, len) = (self.fresh("element"), &r.expr, &r.len);
                Some(parse_quote!({ let #name = #value; vec![#name; #len] }))
            }
            (_, Ok(list)) if list.elems.iter().any(is_rewritten) => {
                let names: Vec<_> = list.elems.iter().map(|_| self.fresh("element")).collect();
                let bound = names.iter().zip(&list.elems);
                let lets = bound.map(|(n, e)| -> Stmt { parse_quote!(let #n = #e;) });
                Some(parse_quote!({ #(#lets)* vec![#(#names),*] }))
            }
            _ => None,
        }
    }

    /// A macro that is a statement or the last value of a block.
    pub(super) fn vec_statement(&mut self, s: &Stmt) -> Option<Stmt> {
        let Stmt::Macro(m) = s else {
            return None;
        };
        let e = self.vec_elements(&ExprMacro {
            attrs: m.attrs.clone(),
            mac: m.mac.clone(),
        })?;
        Some(Stmt::Expr(e, m.semi_token))
    }
}

/// Whether a pass may have something to rewrite in an expression.
fn is_rewritten(e: &Expr) -> bool {
    struct V(bool);
    impl<'a> Visit<'a> for V {
        fn visit_expr(&mut self, e: &'a Expr) {
            self.0 |= match e {
                Expr::Binary(_)
                | Expr::Cast(_)
                | Expr::Field(_)
                | Expr::Index(_)
                | Expr::Lit(_)
                | Expr::Paren(_)
                | Expr::Path(_)
                | Expr::Range(_)
                | Expr::Reference(_)
                | Expr::Tuple(_)
                | Expr::Array(_)
                | Expr::Unary(_) => false,
                Expr::MethodCall(m) => {
                    crate::prims::method(&m.method.to_string(), m.args.len()).is_none()
                        && m.method != "powi"
                }
                _ => true,
            };
            visit::visit_expr(self, e);
        }
    }
    let mut v = V(false);
    v.visit_expr(e);
    v.0
}
