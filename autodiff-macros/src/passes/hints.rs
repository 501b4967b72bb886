//! Types of what starts out empty: `let mut z = Vec::with_capacity(n);`, `let mut best = None;`,
//! `let mut s = Default::default();`.
//!
//! Rust infers them from what is stored later. What is emitted may read an entry before, by a method, and asks for the
//! type there: where it is known, it is written to the start.

use crate::ir::*;
use std::collections::HashMap;
use syn::{parse_quote, Expr};

pub fn write(f: &mut Func) {
    let mut held = HashMap::new();
    let mut stored = HashMap::new();
    // What one variable is made of may be another.
    loop {
        let before = stored.len();
        look(&f.body, &mut held, &mut stored);
        if stored.len() == before {
            break;
        }
    }
    let mut body = std::mem::take(&mut f.body);
    put(&mut body, &f.vars, &stored);
    f.body = body;
}

/// The floats in `Some(x)` and in which variables they are stored, themselves or as a `Some`.
fn look(
    b: &Block,
    held: &mut HashMap<VarId, &'static str>,
    stored: &mut HashMap<VarId, &'static str>,
) {
    for s in b.deep() {
        match &s.kind {
            StmtKind::Def(v, Rhs::Struct(l)) if l.path.is_ident("Some") => {
                if let Some(ty) = l.fields.first().and_then(|(_, o)| float(&o.ty())) {
                    held.insert(*v, ty);
                }
            }
            StmtKind::Def(v, Rhs::Op(_, operands)) => {
                let mut types = operands.iter().map(|o| known(o, stored));
                let first = types.next().flatten();
                if let Some(ty) = first.filter(|_| types.all(|t| t == first)) {
                    stored.insert(*v, ty);
                }
            }
            StmtKind::Assign(p, value, _) | StmtKind::Accum(_, p, value) if p.is_var() => {
                let some = value.place().filter(|place| place.is_var());
                let some = some.and_then(|place| held.get(&place.root).copied());
                if let Some(ty) = some.or_else(|| known(value, stored)) {
                    stored.insert(p.root, ty);
                }
            }
            _ => {}
        }
    }
}

fn put(b: &mut Block, vars: &[Var], stored: &HashMap<VarId, &'static str>) {
    b.each_mut(&mut |s| {
        if let StmtKind::Def(v, Rhs::Native(n)) = &mut s.kind {
            match (&vars[*v].ty, stored.get(v)) {
                (Ty::Seq(t), _) => {
                    if let Ty::Float(ty) = **t {
                        of_vec(&mut n.expr, ty);
                    }
                }
                (Ty::Float(ty), None) => of_default(&mut n.expr, ty),
                (_, Some(ty)) => {
                    of_option(&mut n.expr, ty);
                    of_default(&mut n.expr, ty);
                }
                _ => {}
            }
        }
    });
}

/// `Vec::new()` and `Vec::with_capacity(n)`, as a user writes them.
fn of_vec(e: &mut Expr, ty: &str) {
    let Expr::Call(c) = e else { return };
    let Expr::Path(p) = &mut *c.func else { return };
    let mut segments = p.path.segments.iter_mut();
    if let (Some(owner), Some(made), None) = (segments.next(), segments.next(), segments.next()) {
        let empty = owner.ident == "Vec" && owner.arguments.is_none();
        if empty && (made.ident == "new" || made.ident == "with_capacity") {
            let ty = syn::Ident::new(ty, owner.ident.span());
            owner.arguments = syn::PathArguments::AngleBracketed(parse_quote!(::<#ty>));
        }
    }
}

/// The float that a value is.
fn known(o: &Operand, stored: &HashMap<VarId, &'static str>) -> Option<&'static str> {
    let var = o.place().filter(|p| p.is_var());
    float(&o.ty()).or_else(|| stored.get(&var?.root).copied())
}

fn float(ty: &Ty) -> Option<&'static str> {
    match ty {
        Ty::Float(ty) => Some(ty),
        _ => None,
    }
}

/// `Default::default()`
fn of_default(e: &mut Expr, ty: &str) {
    let Expr::Call(c) = &*e else { return };
    let Expr::Path(p) = &*c.func else { return };
    let names = crate::syntax::segments(&p.path);
    if p.qself.is_none()
        && matches!(names.as_slice(), [.., owner, name] if owner == "Default" && name == "default")
    {
        let ty = syn::Ident::new(ty, proc_macro2::Span::call_site());
        *e = parse_quote!(<#ty as ::core::default::Default>::default());
    }
}

fn of_option(e: &mut Expr, ty: &str) {
    if matches!(e, Expr::Path(p) if p.path.is_ident("None")) {
        let ty = syn::Ident::new(ty, proc_macro2::Span::call_site());
        *e = parse_quote!(::core::option::Option::None::<#ty>);
    }
}
