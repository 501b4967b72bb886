//! Which names statements read that they do not bind themselves.
//!
//! The closures of a chain are written out one after the other in one loop, where the parameter of one would hide a
//! variable that a later one reads.

use crate::syntax::{bound_names, identifiers, pattern_names};
use quote::ToTokens;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{Expr, Stmt};

/// The names that are read and not bound before.
pub fn free(stmts: &[Stmt]) -> HashSet<String> {
    let mut v = Free::default();
    v.within(|v| stmts.iter().for_each(|s| v.visit_stmt(s)));
    v.found
}

/// All identifiers of an expression.
pub(super) fn names(e: &impl ToTokens) -> Vec<String> {
    let mut found = Vec::new();
    identifiers(e.to_token_stream(), &mut found);
    found
}

#[derive(Default)]
struct Free {
    found: HashSet<String>,
    bound: Vec<String>,
}

impl Free {
    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        let depth = self.bound.len();
        visit(self);
        self.bound.truncate(depth);
    }
    fn read(&mut self, name: String) {
        if !self.bound.contains(&name) {
            self.found.insert(name);
        }
    }
}

impl<'a> Visit<'a> for Free {
    fn visit_block(&mut self, b: &'a syn::Block) {
        self.within(|v| visit::visit_block(v, b));
    }
    fn visit_local(&mut self, l: &'a syn::Local) {
        visit::visit_local(self, l);
        self.bound.extend(pattern_names(&l.pat));
    }
    fn visit_expr_path(&mut self, p: &'a syn::ExprPath) {
        if let Some(i) = p.path.get_ident() {
            self.read(i.to_string());
        }
    }
    fn visit_expr_closure(&mut self, c: &'a syn::ExprClosure) {
        self.within(|v| {
            v.bound.extend(c.inputs.iter().flat_map(pattern_names));
            v.visit_expr(&c.body);
        });
    }
    fn visit_expr_for_loop(&mut self, f: &'a syn::ExprForLoop) {
        self.visit_expr(&f.expr);
        self.within(|v| {
            v.bound.extend(pattern_names(&f.pat));
            v.visit_block(&f.body);
        });
    }
    fn visit_arm(&mut self, a: &'a syn::Arm) {
        self.within(|v| {
            v.bound.extend(bound_names(&a.pat, true));
            visit::visit_arm(v, a);
        });
    }
    fn visit_macro(&mut self, m: &'a syn::Macro) {
        names(&m.tokens).into_iter().for_each(|n| self.read(n));
        // `"{x}"`
        let text = m.tokens.to_string();
        for part in text.split('{').skip(1) {
            let is_name = |c: &char| c.is_alphanumeric() || *c == '_';
            self.read(part.chars().take_while(is_name).collect());
        }
    }
    fn visit_expr(&mut self, e: &'a Expr) {
        visit::visit_expr(self, e);
    }
}
