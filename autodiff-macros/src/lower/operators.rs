//! Which values may be of a type of the user's that has index operators, as far as the syntax tells.
//!
//! An index that is a tuple, or a value of a type of the user's, is never that of a slice. A number may be: then the type
//! of the parameter or of the `let` decides, and what a call or an operator gives may be of any type. A name that stands
//! for a sequence does no harm: its cotangent is indexed as it is.

use crate::input::signature::ParamDecl;
use crate::syntax;
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{Expr, Pat, Type, UnOp};

/// The names of values that may have index operators of the user's, and of tuples.
#[derive(Clone, Default)]
pub struct Operators {
    own: HashSet<String>,
    /// Sequences of such values.
    lists: HashSet<String>,
    tuples: HashSet<String>,
}

impl Operators {
    pub fn of(decls: &[ParamDecl], body: &syn::Block) -> Self {
        let mut found = Found::default();
        for d in decls {
            if let (Some(name), Some(ty)) = (&d.ident, d.value_ty()) {
                found.typed(name, ty);
            }
        }
        found.visit_block(body);
        let Found(mut all) = found;
        if decls.iter().any(|d| d.ident.is_none()) {
            all.own.insert("self".into());
        }
        all
    }

    /// Whether `x[i]` may be one.
    pub fn may_give(&self, i: &syn::ExprIndex) -> bool {
        let of_own = match &*i.expr {
            Expr::Path(p) => is_in(&p.path, &self.own),
            Expr::Index(i) => matches!(&*i.expr, Expr::Path(p) if is_in(&p.path, &self.lists)),
            _ => false,
        };
        of_own || self.is_own_index(&i.index)
    }

    /// Whether an index is none of slices.
    fn is_own_index(&self, index: &Expr) -> bool {
        match index {
            Expr::Paren(p) => self.is_own_index(&p.expr),
            Expr::Group(g) => self.is_own_index(&g.expr),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => self.is_own_index(&u.expr),
            Expr::Tuple(_) | Expr::Struct(_) => true,
            // `Axis::X`, `Pos(1, 2)`
            Expr::Path(p) => match p.path.get_ident() {
                Some(name) => self.tuples.contains(&name.to_string()),
                None => is_variant(&p.path),
            },
            Expr::Call(c) => {
                matches!(&*c.func, Expr::Path(p) if is_type_name(p.path.segments.last()))
            }
            _ => false,
        }
    }
}

/// `Axis::X`, and not a constant, `N::MAX`.
fn is_variant(path: &syn::Path) -> bool {
    let constant = |s: &syn::PathSegment| {
        let name = s.ident.to_string();
        name.len() > 1 && name.chars().all(|c| !c.is_lowercase())
    };
    is_type_name(path.segments.last()) && !path.segments.last().is_some_and(constant)
}

fn is_type_name(segment: Option<&syn::PathSegment>) -> bool {
    segment.is_some_and(|s| s.ident.to_string().starts_with(char::is_uppercase))
}

/// Whether a type may be one of the user's: a name that is none of the standard library and of tensors.
fn is_own(ty: &Type) -> bool {
    const OTHERS: &[&str] = &[
        "Arc", "BTreeMap", "Box", "Cow", "HashMap", "Option", "Rc", "Result", "String", "Tensor",
        "Vec", "VecDeque",
    ];
    match ty {
        Type::Reference(r) => is_own(&r.elem),
        Type::Paren(p) => is_own(&p.elem),
        Type::Group(g) => is_own(&g.elem),
        Type::Path(p) => {
            let last = p.path.segments.last();
            is_type_name(last)
                && p.qself.is_none()
                && last.is_some_and(|s| {
                    let name = s.ident.to_string();
                    !OTHERS.contains(&name.as_str()) && !crate::input::grids::is_foreign(&name)
                })
        }
        _ => false,
    }
}

fn is_in(path: &syn::Path, names: &HashSet<String>) -> bool {
    path.get_ident()
        .is_some_and(|i| names.contains(&i.to_string()))
}

/// What a type is a sequence of.
fn entry(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Reference(r) => entry(&r.elem),
        Type::Paren(p) => entry(&p.elem),
        Type::Group(g) => entry(&g.elem),
        Type::Slice(s) => Some(&s.elem),
        Type::Array(a) => Some(&a.elem),
        Type::Path(p) => match p.path.segments.last().map(|s| (&s.ident, &s.arguments)) {
            Some((name, syn::PathArguments::AngleBracketed(a))) if name == "Vec" => {
                match a.args.first() {
                    Some(syn::GenericArgument::Type(ty)) => Some(ty),
                    _ => None,
                }
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a type is a tuple of values.
fn is_tuple(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(t) if !t.elems.is_empty())
}

#[derive(Default)]
struct Found(Operators);

impl Found {
    fn typed(&mut self, name: &proc_macro2::Ident, ty: &Type) {
        if is_own(ty) {
            self.0.own.insert(name.to_string());
        }
        if is_tuple(ty) {
            self.0.tuples.insert(name.to_string());
        }
        if entry(ty).is_some_and(is_own) {
            self.0.lists.insert(name.to_string());
        }
    }

    /// Whether an expression goes through a sequence of such values.
    fn is_over_list(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.is_over_list(&p.expr),
            Expr::Reference(r) => self.is_over_list(&r.expr),
            Expr::MethodCall(m) => self.is_over_list(&m.receiver),
            Expr::Path(p) => is_in(&p.path, &self.0.lists),
            _ => false,
        }
    }

    fn bind(&mut self, pat: &Pat, value: &Expr) {
        match (pat, value) {
            (Pat::Tuple(p), Expr::Tuple(t)) if p.elems.len() == t.elems.len() => {
                for (pat, value) in p.elems.iter().zip(&t.elems) {
                    self.bind(pat, value);
                }
            }
            (Pat::Ident(p), value) => {
                if self.is_own_value(value) {
                    self.0.own.insert(p.ident.to_string());
                }
                if matches!(value, Expr::Tuple(_)) {
                    self.0.tuples.insert(p.ident.to_string());
                }
            }
            _ => {}
        }
    }

    /// Whether a value may be of a type of the user's: that of another variable, a literal, what an operator, a function
    /// or a method gives.
    fn is_own_value(&self, e: &Expr) -> bool {
        const OF_SEQUENCES: &[&str] = &[
            "collect",
            "expect",
            "to_owned",
            "to_vec",
            "unwrap",
            "unwrap_or",
        ];
        match e {
            Expr::Paren(p) => self.is_own_value(&p.expr),
            Expr::Reference(r) => self.is_own_value(&r.expr),
            Expr::Unary(u) => matches!(u.op, UnOp::Neg(_)) || self.is_own_value(&u.expr),
            Expr::Binary(_) | Expr::Struct(_) => true,
            Expr::Path(p) => is_in(&p.path, &self.0.own),
            Expr::Index(i) => self.is_over_list(&i.expr),
            Expr::MethodCall(m) => match m.method == "clone" {
                true => self.is_own_value(&m.receiver),
                false => !OF_SEQUENCES.iter().any(|n| m.method == n),
            },
            Expr::Call(c) => match &*c.func {
                Expr::Path(p) => {
                    let names = syntax::segments(&p.path);
                    match names.as_slice() {
                        [name] => !["Some", "Ok", "Err"].contains(&name.as_str()),
                        [.., owner, _] if owner.starts_with(char::is_uppercase) => {
                            syn::parse_str(owner).is_ok_and(|ty| is_own(&ty))
                        }
                        _ => true,
                    }
                }
                _ => false,
            },
            _ => false,
        }
    }
}

impl<'a> Visit<'a> for Found {
    fn visit_local(&mut self, l: &'a syn::Local) {
        match (&l.pat, &l.init) {
            (Pat::Type(t), _) => {
                if let Pat::Ident(p) = &*t.pat {
                    self.typed(&p.ident, &t.ty);
                }
            }
            (pat, Some(init)) => self.bind(pat, &init.expr),
            _ => {}
        }
        visit::visit_local(self, l);
    }
    fn visit_expr_closure(&mut self, c: &'a syn::ExprClosure) {
        for input in &c.inputs {
            if let Pat::Type(t) = input {
                if let Pat::Ident(p) = &*t.pat {
                    self.typed(&p.ident, &t.ty);
                }
            }
        }
        visit::visit_expr_closure(self, c);
    }
    fn visit_expr_for_loop(&mut self, f: &'a syn::ExprForLoop) {
        if self.is_over_list(&f.expr) {
            self.0.own.extend(syntax::pattern_names(&f.pat));
        }
        visit::visit_expr_for_loop(self, f);
    }
    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        if self.is_over_list(&m.receiver) {
            for a in &m.args {
                if let Expr::Closure(c) = a {
                    let names = c.inputs.iter().flat_map(syntax::pattern_names);
                    self.0.own.extend(names);
                }
            }
        }
        visit::visit_expr_method_call(self, m);
    }
    fn visit_item(&mut self, _: &'a syn::Item) {}
}
