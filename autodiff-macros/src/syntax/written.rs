//! The types of what is written, as far as tokens tell.

use super::is_plain;
use crate::knowledge::numbers;
use crate::syntax::ty::Ty;
use proc_macro2::{TokenStream, TokenTree};
use syn::{BinOp, Expr, Lit, Type, UnOp};

/// The context of layers: their mode, random numbers and new buffers. It has no derivative.
const CONTEXT: &str = "Ctx";

/// The caches of attention, which are generic.
const CACHES: [&str; 2] = ["KvCache", "Caches"];

/// Whether a type is written as the context of layers, or as the caches of attention.
pub fn is_context(ty: &Type) -> bool {
    match ty {
        Type::Reference(r) => is_context(&r.elem),
        Type::Path(p) => p
            .path
            .segments
            .last()
            .is_some_and(|s| match s.arguments.is_none() {
                true => s.ident == CONTEXT,
                false => CACHES.iter().any(|name| s.ident == name),
            }),
        _ => false,
    }
}

const INTEGERS: &[&str] = &[
    "usize", "isize", "u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128",
];

pub fn is_integer_name(name: &str) -> bool {
    INTEGERS.contains(&name)
}

/// Whether the language has a type of the name, which is no keyword.
pub fn is_primitive_name(name: &str) -> bool {
    is_integer_name(name) || float_name(name).is_some() || matches!(name, "bool" | "char" | "str")
}

fn float_name(name: &str) -> Option<&'static str> {
    match name {
        "f64" => Some("f64"),
        "f32" => Some("f32"),
        _ => None,
    }
}

/// The type as far as its tokens tell.
pub fn ty_of(ty: &Type) -> Ty {
    match ty {
        Type::Reference(r) => ty_of(&r.elem),
        Type::Paren(p) => ty_of(&p.elem),
        Type::Group(g) => ty_of(&g.elem),
        Type::Slice(s) => seq(ty_of(&s.elem)),
        Type::Array(a) => seq(ty_of(&a.elem)),
        Type::Tuple(t) if !t.elems.is_empty() && t.elems.iter().all(|t| ty_of(t).is_discrete()) => {
            match t.elems.iter().any(|t| ty_of(t) == Ty::Indices) {
                true => Ty::Indices,
                false => Ty::Discrete,
            }
        }
        Type::Macro(m) => {
            // `Tensor![i64; Batch]`
            let mut tokens = m.mac.tokens.clone().into_iter();
            match (tokens.next(), tokens.next()) {
                (Some(TokenTree::Ident(t)), Some(TokenTree::Punct(p)))
                    if p.as_char() == ';' && is_discrete_name(&t.to_string()) =>
                {
                    Ty::Indices
                }
                _ => Ty::Unknown,
            }
        }
        Type::Path(p) if p.qself.is_none() => {
            let Some(last) = p.path.segments.last() else {
                return Ty::Unknown;
            };
            let name = last.ident.to_string();
            if let Some(f) = float_name(&name) {
                return Ty::Float(f);
            }
            if is_discrete_name(&name) {
                return Ty::Discrete;
            }
            if is_context(ty) {
                return Ty::Indices;
            }
            if let ("Tensor", syn::PathArguments::AngleBracketed(a)) =
                (name.as_str(), &last.arguments)
            {
                // `Tensor<S, i64>`
                let mut types = a.args.iter();
                return match (types.next(), types.next()) {
                    // Of another type of this name the first may be the element.
                    (Some(syn::GenericArgument::Type(shape)), _) if ty_of(shape) != Ty::Unknown => {
                        Ty::Unknown
                    }
                    (_, Some(syn::GenericArgument::Type(t))) if ty_of(t).is_discrete() => {
                        Ty::Indices
                    }
                    _ => Ty::Unknown,
                };
            }
            if name == "Vec" {
                if let syn::PathArguments::AngleBracketed(a) = &last.arguments {
                    if let Some(syn::GenericArgument::Type(t)) = a.args.first() {
                        return seq(ty_of(t));
                    }
                }
            }
            Ty::Unknown
        }
        _ => Ty::Unknown,
    }
}

/// Whether the tokens of `Tensor![…]` begin with an element type: `f64; Batch, 3`.
pub fn has_element(tokens: &TokenStream) -> bool {
    let is_semicolon = |t: TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ';');
    tokens.clone().into_iter().any(is_semicolon)
}

/// Whether `impl Trait` is in a type, which cannot be written in a `let` or as the type of a closure's parameter.
pub fn has_impl(ty: &Type) -> bool {
    struct V(bool);
    impl<'a> syn::visit::Visit<'a> for V {
        fn visit_type_impl_trait(&mut self, _: &'a syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut v = V(false);
    syn::visit::Visit::visit_type(&mut v, ty);
    v.0
}

/// Whether a type is written as an array or a reference to one.
pub fn is_array(ty: &Type) -> bool {
    match ty {
        Type::Reference(r) => is_array(&r.elem),
        Type::Paren(p) => is_array(&p.elem),
        Type::Group(g) => is_array(&g.elem),
        Type::Array(_) => true,
        _ => false,
    }
}

fn is_discrete_name(name: &str) -> bool {
    is_integer_name(name) || matches!(name, "bool" | "char" | "str" | "String")
}

fn seq(elem: Ty) -> Ty {
    if elem.is_discrete() {
        elem
    } else {
        Ty::Seq(Box::new(elem))
    }
}

/// The type of an arithmetic result.
pub fn join(a: &Ty, b: &Ty) -> Ty {
    match (a, b) {
        (Ty::Float(x), Ty::Float(y)) if x == y => a.clone(),
        (Ty::Float(_), Ty::OpenFloat) => a.clone(),
        (Ty::OpenFloat, Ty::Float(_)) => b.clone(),
        (Ty::OpenFloat, Ty::OpenFloat) => Ty::OpenFloat,
        (Ty::Discrete, Ty::Discrete) => Ty::Discrete,
        (a, b) if a.is_discrete() && b.is_discrete() => Ty::Indices,
        _ => Ty::Unknown,
    }
}

/// The type of the `Vec` that `to_vec` makes.
pub fn copied(ty: Ty) -> Ty {
    match ty {
        Ty::Seq(_) | Ty::Discrete => ty,
        Ty::Indices => Ty::Discrete,
        _ => Ty::Unknown,
    }
}

/// The type of an inactive expression, given those of variables, fields and entries as far as they are known.
pub fn expr_ty(e: &Expr, place: &dyn Fn(&Expr) -> Ty) -> Ty {
    match e {
        Expr::Paren(p) => expr_ty(&p.expr, place),
        Expr::Group(g) => expr_ty(&g.expr, place),
        Expr::Reference(r) => expr_ty(&r.expr, place),
        Expr::Lit(l) => match &l.lit {
            Lit::Float(f) => float_name(f.suffix()).map_or(Ty::OpenFloat, Ty::Float),
            Lit::Int(i) => float_name(i.suffix()).map_or(Ty::Discrete, Ty::Float),
            _ => Ty::Discrete,
        },
        Expr::Path(p) => {
            if p.path.get_ident().is_some() {
                return place(e);
            }
            let name = |k: usize| {
                p.path
                    .segments
                    .iter()
                    .rev()
                    .nth(k)
                    .map(|s| s.ident.to_string())
            };
            // `f64::EPSILON`, `std::f64::consts::PI`
            for k in 1..3 {
                if let Some(f) = name(k).as_deref().and_then(float_name) {
                    return Ty::Float(f);
                }
                if name(k).is_some_and(|n| is_integer_name(&n)) {
                    return Ty::Discrete;
                }
            }
            Ty::Unknown
        }
        Expr::Cast(c) => ty_of(&c.ty),
        Expr::Unary(u) => match u.op {
            UnOp::Not(_) => discrete_of(&[&u.expr], place),
            _ => expr_ty(&u.expr, place),
        },
        Expr::Binary(b) => match b.op {
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_) => {
                join(&expr_ty(&b.left, place), &expr_ty(&b.right, place))
            }
            _ => discrete_of(&[&b.left, &b.right], place),
        },
        Expr::Index(i) => match expr_ty(&i.expr, place) {
            part if matches!(*i.index, Expr::Range(_)) => part,
            Ty::Seq(t) => *t,
            known @ (Ty::Discrete | Ty::Indices) => known,
            _ => place(e),
        },
        Expr::Field(_) => place(e),
        // Both sides have one type; a side with statements may mean other variables.
        Expr::If(i) => {
            let side = |b: &syn::Block| match b.stmts.as_slice() {
                [syn::Stmt::Expr(e, None)] => expr_ty(e, place),
                _ => Ty::Unknown,
            };
            let otherwise = match i.else_branch.as_ref().map(|e| &*e.1) {
                Some(Expr::Block(b)) => side(&b.block),
                Some(e) => expr_ty(e, place),
                None => Ty::Unknown,
            };
            match side(&i.then_branch) {
                known @ Ty::Float(_) => known,
                _ if matches!(otherwise, Ty::Float(_)) => otherwise,
                then @ Ty::OpenFloat => then,
                _ if otherwise == Ty::OpenFloat => otherwise,
                _ => Ty::Unknown,
            }
        }
        Expr::MethodCall(m) => {
            let name = m.method.to_string();
            if numbers::is_flat_method(&name)
                || numbers::method(&name, m.args.len()).is_some()
                || name == "powi"
            {
                expr_ty(&m.receiver, place)
            } else if name == "to_vec" {
                copied(expr_ty(&m.receiver, place))
            } else if numbers::is_tensor_query(&name, m.turbofish.is_some()) {
                Ty::Indices
            } else if numbers::is_query(m) {
                Ty::Discrete
            } else {
                Ty::Unknown
            }
        }
        Expr::Call(c) if matches!(&*c.func, Expr::Path(p) if is_plain(&p.path)) => Ty::Indices,
        Expr::Range(_) => Ty::Discrete,
        Expr::Repeat(r) => seq(expr_ty(&r.expr, place)),
        Expr::Array(a) => a
            .elems
            .iter()
            .map(|e| expr_ty(e, place))
            .reduce(|a, b| join(&a, &b))
            .map_or(Ty::Unknown, seq),
        Expr::Macro(m) if m.mac.path.is_ident("vec") => {
            let tokens = &m.mac.tokens;
            syn::parse2::<Expr>(quote::quote!([#tokens]))
                .map_or(Ty::Unknown, |e| expr_ty(&e, place))
        }
        _ => Ty::Unknown,
    }
}

/// The type of what has no derivative, made of these.
fn discrete_of(operands: &[&Expr], place: &dyn Fn(&Expr) -> Ty) -> Ty {
    match operands.iter().any(|e| expr_ty(e, place) == Ty::Indices) {
        true => Ty::Indices,
        false => Ty::Discrete,
    }
}
