//! What the body of a closure names.

use crate::ir::VarId;
use crate::syntax::identifiers;
use proc_macro2::Ident;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Member};

/// The names in an expression: those of which only fields are used, and the others.
#[derive(Default)]
pub struct Names {
    pub whole: Vec<String>,
    pub fields: Vec<String>,
}

impl<'a> Visit<'a> for Names {
    fn visit_expr_path(&mut self, p: &'a syn::ExprPath) {
        self.whole.extend(p.path.get_ident().map(Ident::to_string));
    }
    fn visit_expr_field(&mut self, f: &'a syn::ExprField) {
        match field_path(f) {
            Some((root, _)) => self.fields.push(root.to_string()),
            None => visit::visit_expr_field(self, f),
        }
    }
    fn visit_macro(&mut self, m: &'a syn::Macro) {
        identifiers(m.tokens.clone(), &mut self.whole);
    }
}

/// `a.b.c` as `a` and `b`, `c`.
fn field_path(f: &syn::ExprField) -> Option<(&Ident, Vec<Member>)> {
    let (root, mut members) = match &*f.base {
        Expr::Field(base) => field_path(base)?,
        Expr::Path(p) => (p.path.get_ident()?, Vec::new()),
        _ => return None,
    };
    members.push(f.member.clone());
    Some((root, members))
}

/// Replaces fields by names of their own.
pub struct Parts<'a> {
    pub root: &'a dyn Fn(&str) -> Option<VarId>,
    pub found: Vec<(Ident, VarId, Vec<Member>)>,
}

impl VisitMut for Parts<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Field(f) = e {
            let path = field_path(f);
            let var = path
                .as_ref()
                .and_then(|(root, _)| (self.root)(&root.to_string()));
            if let (Some((root, members)), Some(var)) = (path, var) {
                let name = members.iter().fold(format!("__{root}"), |name, m| match m {
                    Member::Named(n) => format!("{name}_{n}"),
                    Member::Unnamed(i) => format!("{name}_{}", i.index),
                });
                let ident = Ident::new(&name, f.span());
                if !self.found.iter().any(|(i, ..)| *i == ident) {
                    self.found.push((ident.clone(), var, members));
                }
                *e = syn::parse_quote!(#ident);
                return;
            }
        }
        visit_mut::visit_expr_mut(self, e);
    }
}
