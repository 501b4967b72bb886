//! Which names hold references, as far as the syntax tells.

use crate::syntax::bound_names;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

enum Items {
    References,
    /// Or what the syntax does not tell.
    Values,
    Pairs(Box<Items>, Box<Items>),
}

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
        /// What a loop over an expression gives.
        fn items(&self, e: &Expr) -> Items {
            let m = match e {
                Expr::Paren(p) => return self.items(&p.expr),
                Expr::MethodCall(m) => m,
                e if self.is_reference(e) => return Items::References,
                _ => return Items::Values,
            };
            match (m.method.to_string().as_str(), m.args.first()) {
                (
                    "iter" | "iter_mut" | "chunks" | "chunks_mut" | "chunks_exact"
                    | "chunks_exact_mut" | "windows",
                    _,
                ) => Items::References,
                ("zip", Some(other)) => {
                    let (left, right) = (self.items(&m.receiver), self.items(other));
                    Items::Pairs(left.into(), right.into())
                }
                ("enumerate", None) => {
                    Items::Pairs(Items::Values.into(), self.items(&m.receiver).into())
                }
                (
                    "into_iter" | "rev" | "take" | "skip" | "step_by" | "cycle" | "chain"
                    | "filter" | "take_while" | "skip_while",
                    _,
                ) => self.items(&m.receiver),
                _ => Items::Values,
            }
        }
        fn bind_items(&mut self, p: &Pat, items: &Items) {
            match (p, items) {
                (Pat::Paren(p), _) => self.bind_items(&p.pat, items),
                (Pat::Tuple(t), Items::Pairs(a, b)) if t.elems.len() == 2 => {
                    self.bind_items(&t.elems[0], a);
                    self.bind_items(&t.elems[1], b);
                }
                (p, Items::References) => self.0.extend(bound_names(p, false)),
                _ => {}
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
            let items = self.items(&f.expr);
            self.bind_items(&f.pat, &items);
            visit::visit_expr_for_loop(self, f);
        }
        fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
            const OF_ITEMS: &[&str] = &["map", "for_each", "flat_map", "filter_map", "fold"];
            if OF_ITEMS.contains(&m.method.to_string().as_str()) {
                if let Some(Expr::Closure(c)) = m.args.last() {
                    let items = self.items(&m.receiver);
                    if let Some(item) = c.inputs.last() {
                        self.bind_items(item, &items);
                    }
                }
            }
            visit::visit_expr_method_call(self, m);
        }
    }
    let mut v = V(params);
    v.visit_block(body);
    v.0
}
