//! Which names of a companion stand for constants of any type, or for parts of them.

use super::super::forms::{is_window, path_name};
use super::super::named::Named;
use super::Types;
use crate::syntax;
use crate::syntax::simple_name;
use std::collections::HashSet;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Pat, Token};

/// Names in one companion, where each stands for one variable.
#[derive(Clone, Debug, Default)]
pub struct Names<'n> {
    /// The types that the function names.
    named: Option<&'n Named>,
    /// Parts of constants.
    pub fixed: HashSet<String>,
    /// Variables that hold one after the other, or a copy that changes.
    pub changing: HashSet<String>,
    /// Constants that are taken by value.
    pub owned: HashSet<String>,
    grown: bool,
}

impl<'n> Names<'n> {
    /// Those of a companion.
    pub fn of(f: &syn::ImplItemFn, types: &Types, named: &'n Named) -> Self {
        let mut names = Names {
            named: Some(named),
            ..Names::default()
        };
        for arg in &f.sig.inputs {
            let syn::FnArg::Typed(t) = arg else { continue };
            let Pat::Ident(p) = &*t.pat else { continue };
            let name = p.ident.to_string();
            if !types.is_one(&name, &t.ty) {
                continue;
            }
            if !matches!(&*t.ty, syn::Type::Reference(_)) {
                names.owned.insert(name.clone());
            }
            names.fixed.insert(name);
        }
        while !names.fixed.is_empty() {
            names.grown = false;
            names.visit_block(&f.block);
            if !names.grown {
                break;
            }
        }
        names
    }

    /// Whether there are any.
    pub fn any(&self) -> bool {
        !self.fixed.is_empty()
    }

    pub fn contains(&self, name: &str) -> bool {
        self.fixed.contains(name) || self.changing.contains(name)
    }

    /// Whether a value is a part of a constant, or made of one by its own methods.
    pub fn is_part(&self, e: &Expr) -> bool {
        match e {
            Expr::Path(_) => path_name(e).is_some_and(|n| self.contains(&n)),
            Expr::Paren(p) => self.is_part(&p.expr),
            Expr::Group(g) => self.is_part(&g.expr),
            Expr::Field(f) => self.is_part(&f.base),
            Expr::Index(i) => self.is_part(&i.expr),
            Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && self.is_part(&u.expr),
            Expr::Reference(r) => r.mutability.is_none() && self.is_part(&r.expr),
            Expr::Try(t) => self.is_part(&t.expr),
            Expr::MethodCall(m) => {
                let emitted = m.method.to_string().starts_with("__") && m.method != "__field";
                !emitted && self.is_part(&m.receiver)
            }
            Expr::Tuple(t) => t.elems.iter().any(|e| self.is_part(e)),
            Expr::Struct(_) => self.is_made(e),
            Expr::Call(_) if self.is_made(e) => true,
            Expr::Call(c) => match &*c.func {
                Expr::Path(p) if copies(&p.path) || is_window(&c.func) => {
                    c.args.first().is_some_and(|a| self.is_part(a))
                }
                _ => false,
            },
            Expr::Array(a) => a.elems.iter().any(|e| self.is_part(e)),
            Expr::Macro(m) if syntax::is_macro(&m.mac, &["vec"]) => {
                let separated = Punctuated::<Expr, Token![,]>::parse_terminated;
                let entries = separated.parse2(m.mac.tokens.clone());
                entries.is_ok_and(|all| all.iter().any(|e| self.is_part(e)))
            }
            Expr::Block(b) => self.ends_in_part(&b.block),
            Expr::If(i) => {
                let other = i.else_branch.as_ref().map(|(_, e)| &**e);
                self.ends_in_part(&i.then_branch) || other.is_some_and(|e| self.is_part(e))
            }
            Expr::Match(m) => m.arms.iter().any(|a| self.is_part(&a.body)),
            _ => false,
        }
    }

    /// Whether a value is made here, of a type of constants.
    fn is_made(&self, e: &Expr) -> bool {
        let path = match e {
            Expr::Struct(s) => &s.path,
            Expr::Call(c) => match &*c.func {
                Expr::Path(p) => &p.path,
                _ => return false,
            },
            _ => return false,
        };
        self.named.is_some_and(|n| n.is_of_constants(path))
    }

    fn ends_in_part(&self, b: &syn::Block) -> bool {
        matches!(b.stmts.last(), Some(syn::Stmt::Expr(e, None)) if self.is_part(e))
    }

    /// Whether a value is a place in a constant.
    pub fn is_place(&self, e: &Expr) -> bool {
        match e {
            Expr::Path(_) => path_name(e).is_some_and(|n| self.contains(&n)),
            Expr::Paren(p) => self.is_place(&p.expr),
            Expr::Group(g) => self.is_place(&g.expr),
            Expr::Field(f) => self.is_part(&f.base),
            Expr::Index(i) => self.is_part(&i.expr),
            Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && self.is_part(&u.expr),
            _ => false,
        }
    }

    /// The names in a pattern.
    pub fn bind(&mut self, pat: &Pat) {
        struct Bound<'b, 'n>(&'b mut Names<'n>);
        impl<'a> Visit<'a> for Bound<'_, '_> {
            fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
                let name = p.ident.to_string();
                // `None`, and what else may be imported.
                if name.starts_with(char::is_uppercase) {
                    return;
                }
                let list = match p.mutability.is_some() {
                    true => &mut self.0.changing,
                    false => &mut self.0.fixed,
                };
                self.0.grown |= list.insert(name);
                visit::visit_pat_ident(self, p);
            }
        }
        Bound(self).visit_pat(pat);
    }
}

/// `Clone::clone(&c.name)`, in the forms in which it is emitted, and what holds what it is given.
fn copies(path: &syn::Path) -> bool {
    let names = syntax::segments(path);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    matches!(
        names.as_slice(),
        [.., "Clone", "clone"]
            | [.., "ToOwned", "to_owned"]
            | [.., "Vec", "from"]
            | [.., "Some" | "Ok"]
    )
}

impl<'a> Visit<'a> for Names<'_> {
    fn visit_local(&mut self, l: &'a syn::Local) {
        if let Some(init) = &l.init {
            if self.is_part(&init.expr) {
                self.bind(&l.pat);
            }
            if let (true, Some(name)) = (self.is_made(&init.expr), simple_name(&l.pat)) {
                self.owned.insert(name);
            }
        }
        visit::visit_local(self, l);
    }
    fn visit_expr_assign(&mut self, a: &'a syn::ExprAssign) {
        // `let found; found = &c.legs[0];`, `cur = &c.legs[1];`
        if let Some(name) = path_name(&a.left).filter(|_| self.is_part(&a.right)) {
            if !self.fixed.contains(&name) {
                self.grown |= self.changing.insert(name);
            }
        }
        visit::visit_expr_assign(self, a);
    }
    fn visit_expr_for_loop(&mut self, f: &'a syn::ExprForLoop) {
        if self.is_part(&f.expr) {
            self.bind(&f.pat);
        }
        visit::visit_expr_for_loop(self, f);
    }
    fn visit_expr_match(&mut self, m: &'a syn::ExprMatch) {
        if self.is_part(&m.expr) {
            m.arms.iter().for_each(|a| self.bind(&a.pat));
        }
        visit::visit_expr_match(self, m);
    }
    fn visit_expr_let(&mut self, l: &'a syn::ExprLet) {
        if self.is_part(&l.expr) {
            self.bind(&l.pat);
        }
        visit::visit_expr_let(self, l);
    }
    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        if self.is_part(&m.receiver) {
            for a in &m.args {
                if let Expr::Closure(c) = a {
                    c.inputs.iter().for_each(|p| self.bind(p));
                }
            }
        }
        visit::visit_expr_method_call(self, m);
    }
    fn visit_item(&mut self, _: &'a syn::Item) {}
}
