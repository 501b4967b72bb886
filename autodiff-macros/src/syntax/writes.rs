//! What an expression may change.

use crate::knowledge::numbers;
use crate::knowledge::sequences::PURE;
use crate::syntax;
use crate::syntax::arguments;
use syn::{Expr, ExprMethodCall};

/// Names that an expression assigns or borrows mutably.
pub fn assigned_names(e: &Expr) -> Vec<String> {
    written(e, None)
}

/// Names an inactive statement may write: these, and the receivers of its methods.
pub fn written_names(e: &Expr) -> Vec<String> {
    written(e, Some(&|_| false))
}

/// [`written_names`], where it is known of some calls that they only read their receivers.
pub fn written_names_but(e: &Expr, reads: &dyn Fn(&ExprMethodCall) -> bool) -> Vec<String> {
    written(e, Some(reads))
}

/// `reads` says which methods only read their receivers; without it, all do.
fn written(e: &Expr, reads: Option<&dyn Fn(&ExprMethodCall) -> bool>) -> Vec<String> {
    use syn::visit::{self, Visit};
    struct V<'r> {
        names: Vec<String>,
        reads: Option<&'r dyn Fn(&ExprMethodCall) -> bool>,
    }
    impl<'a> Visit<'a> for V<'_> {
        fn visit_expr_assign(&mut self, a: &'a syn::ExprAssign) {
            self.names.extend(syntax::root_name(&a.left));
            visit::visit_expr_assign(self, a);
        }
        fn visit_expr_binary(&mut self, b: &'a syn::ExprBinary) {
            if syntax::is_assign_op(&b.op) {
                self.names.extend(syntax::root_name(&b.left));
            }
            visit::visit_expr_binary(self, b);
        }
        fn visit_expr_reference(&mut self, r: &'a syn::ExprReference) {
            if r.mutability.is_some() {
                self.names.extend(syntax::root_name(&r.expr));
            }
            visit::visit_expr_reference(self, r);
        }
        fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
            let name = m.method.to_string();
            let pure = numbers::is_query(m)
                || numbers::method(&name, m.args.len()).is_some()
                || PURE.contains(&name.as_str());
            if self.reads.is_some_and(|reads| !pure && !reads(m)) {
                self.names.extend(syntax::root_name(&m.receiver));
            }
            visit::visit_expr_method_call(self, m);
        }
        fn visit_macro(&mut self, m: &'a syn::Macro) {
            // What is parsed lives here only: its names are taken by a visitor of its own.
            let mut inner = V {
                names: Vec::new(),
                reads: self.reads,
            };
            if syntax::is_macro(m, &["no_grad"]) {
                let tokens = &m.tokens;
                if let Ok(b) = syn::parse2::<syn::Block>(quote::quote!({ #tokens })) {
                    inner.visit_block(&b);
                }
            } else {
                let args = arguments::of(m);
                args.exprs().for_each(|a| inner.visit_expr(a));
            }
            self.names.extend(inner.names);
            if self.reads.is_some()
                && !syntax::is_statement_macro(m)
                && !syntax::is_macro(m, &["no_grad", "vec", "matches", "format"])
            {
                // A macro of the user's inside: it may write what it names.
                syntax::identifiers(m.tokens.clone(), &mut self.names);
            }
        }
    }
    let mut v = V {
        names: Vec::new(),
        reads,
    };
    v.visit_expr(e);
    v.names
}
