//! Which collections are places under an index that is an array, `x[[i, j]]`.
//!
//! A tensor cannot be written there, and its cotangent may be the zero that takes no room: reading one is a method. An
//! array of ndarray can, so that its entry is a place as `v[i]` is. The two are told apart by the type of a parameter
//! or of a `let`, and by what is written.

use crate::signature::ParamDecl;
use crate::syntax;
use quote::ToTokens;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Pat, Type};

/// The collections, as they are written: `x`, `self.weights`.
pub fn of(decls: &[ParamDecl], body: &syn::Block) -> HashSet<String> {
    let types = || decls.iter().filter_map(ParamDecl::value_ty);
    let mut v = V {
        found: HashSet::new(),
        tensors: types().any(|ty| names(ty, &|n| n == "Tensor")),
    };
    for d in decls {
        if let (Some(name), Some(ty)) = (&d.ident, d.value_ty()) {
            v.typed(name, ty);
        }
    }
    v.visit_block(body);
    v.found
}

/// The text of a collection that is indexed.
pub fn text(e: &Expr) -> String {
    match e {
        Expr::Paren(p) => text(&p.expr),
        Expr::Group(g) => text(&g.expr),
        e => e.to_token_stream().to_string(),
    }
}

/// Whether the outermost name of a type is of that kind.
fn names(ty: &Type, kind: &dyn Fn(&str) -> bool) -> bool {
    match ty {
        Type::Reference(r) => names(&r.elem, kind),
        Type::Paren(p) => names(&p.elem, kind),
        Type::Group(g) => names(&g.elem, kind),
        Type::Path(p) => {
            let last = p.path.segments.last();
            last.is_some_and(|s| kind(&s.ident.to_string()))
        }
        Type::Macro(m) => {
            let last = m.mac.path.segments.last();
            last.is_some_and(|s| kind(&s.ident.to_string()))
        }
        _ => false,
    }
}

/// `Array`, `Array2`, `ArrayD`, `ArrayView2`
fn is_grid(name: &str) -> bool {
    let rest = name.strip_prefix("Array");
    let rest = rest.map(|r| r.strip_prefix("View").unwrap_or(r));
    rest.is_some_and(|r| r.is_empty() || r == "D" || r.parse::<u8>().is_ok())
}

struct V {
    found: HashSet<String>,
    /// Whether the function takes tensors: what it writes by a position may be one, by mistake.
    tensors: bool,
}

impl V {
    fn typed(&mut self, name: &proc_macro2::Ident, ty: &Type) {
        if names(ty, &is_grid) {
            self.found.insert(name.to_string());
        }
    }

    fn written(&mut self, place: &Expr) {
        match place {
            Expr::Index(i) if !self.tensors => {
                self.found.insert(text(&i.expr));
            }
            Expr::Paren(p) => self.written(&p.expr),
            Expr::Field(f) => self.written(&f.base),
            _ => {}
        }
    }
}

impl<'a> Visit<'a> for V {
    fn visit_expr_assign(&mut self, a: &'a syn::ExprAssign) {
        self.written(&a.left);
        visit::visit_expr_assign(self, a);
    }
    fn visit_expr_binary(&mut self, b: &'a syn::ExprBinary) {
        let writes = matches!(
            b.op,
            BinOp::AddAssign(_) | BinOp::SubAssign(_) | BinOp::MulAssign(_) | BinOp::DivAssign(_)
        );
        if writes {
            self.written(&b.left);
        }
        visit::visit_expr_binary(self, b);
    }
    fn visit_expr_reference(&mut self, r: &'a syn::ExprReference) {
        if r.mutability.is_some() {
            self.written(&r.expr);
        }
        visit::visit_expr_reference(self, r);
    }
    fn visit_local(&mut self, l: &'a syn::Local) {
        if let Pat::Type(t) = &l.pat {
            if let Pat::Ident(p) = &*t.pat {
                self.typed(&p.ident, &t.ty);
            }
        }
        if let (Pat::Ident(p), Some(init)) = (&l.pat, &l.init) {
            if let Expr::Call(c) = &*init.expr {
                if let Expr::Path(f) = &*c.func {
                    let segments = syntax::segments(&f.path);
                    let owner = segments.iter().rev().nth(1);
                    if owner.is_some_and(|o| is_grid(o)) {
                        self.found.insert(p.ident.to_string());
                    }
                }
            }
        }
        visit::visit_local(self, l);
    }
    fn visit_item(&mut self, _: &'a syn::Item) {}
}
