//! Which names hold references, as far as the syntax tells.

use crate::syntax::bound_names;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

/// Names that hold references, as far as the syntax tells: what a pattern binds of a reference, and
/// what a loop over one gives.
pub fn reference_names(params: HashSet<String>, body: &syn::Block) -> HashSet<String> {
    struct V(HashSet<String>);
    impl V {
        fn is_reference(&self, e: &Expr) -> bool {
            match e {
                Expr::Paren(p) => self.is_reference(&p.expr),
                Expr::Reference(_) => true,
                Expr::Path(p) => p
                    .path
                    .get_ident()
                    .is_some_and(|i| self.0.contains(&i.to_string())),
                Expr::MethodCall(m) => {
                    matches!(
                        m.method.to_string().as_str(),
                        "as_ref" | "as_mut" | "as_deref" | "as_slice" | "iter" | "iter_mut"
                    ) && m.args.is_empty()
                }
                _ => false,
            }
        }
        fn bind(&mut self, p: &Pat, from: &Expr) {
            match (p, from) {
                (Pat::Tuple(p), Expr::Tuple(t)) if p.elems.len() == t.elems.len() => {
                    for (p, e) in p.elems.iter().zip(&t.elems) {
                        self.bind(p, e);
                    }
                }
                (p, e) if self.is_reference(e) => self.0.extend(bound_names(p, false)),
                _ => {}
            }
        }
    }
    impl<'a> Visit<'a> for V {
        fn visit_local(&mut self, l: &'a syn::Local) {
            if let Some(init) = &l.init {
                self.bind(&l.pat, &init.expr);
            }
            visit::visit_local(self, l);
        }
        fn visit_expr_match(&mut self, m: &'a syn::ExprMatch) {
            for a in &m.arms {
                self.bind(&a.pat, &m.expr);
            }
            visit::visit_expr_match(self, m);
        }
        fn visit_expr_for_loop(&mut self, f: &'a syn::ExprForLoop) {
            self.bind(&f.pat, &f.expr);
            visit::visit_expr_for_loop(self, f);
        }
    }
    let mut v = V(params);
    v.visit_block(body);
    v.0
}
