//! What the signatures in the file say of calls.
//!
//! `Matrix::scale(&mut m, k)` is written as `(&mut m).scale(k)`: the companions of a method are methods. Without the signature
//! the path is one of a function like `Matrix::new`.
//!
//! The parameters of a closure get their types, `rk4(|x: &[f64]| rate(x, k), ..)`: it is taken apart before the compiler infers
//! them. Only types that mean the same everywhere are written.

use super::Source;
use crate::syntax::definitions::Definitions;
use crate::syntax::is_primitive_name;
use syn::visit_mut::{self, VisitMut};
use syn::{
    parse_quote, Expr, ExprCall, FnArg, GenericParam, Pat, PathArguments, Signature, Type,
    TypeParamBound, WherePredicate,
};

/// Rewrites the calls in a body.
pub fn told(body: &mut syn::Block, source: &Source<'_>) {
    Calls(&source.cx.definitions).visit_block_mut(body);
}

struct Calls<'a>(&'a Definitions);

impl Calls<'_> {
    fn as_method(&self, c: &ExprCall) -> Option<Expr> {
        let Expr::Path(f) = &*c.func else { return None };
        let plain = f.qself.is_none() && f.path.leading_colon.is_none();
        let mut segments = f.path.segments.iter().filter(|_| plain);
        let (Some(of), Some(method), None) = (segments.next(), segments.next(), segments.next())
        else {
            return None;
        };
        if !of.arguments.is_none() || !method.arguments.is_none() {
            return None;
        }
        let (of, method) = (&of.ident, &method.ident);
        let ty = self.0.typed(&parse_quote!(#of));
        if !ty.takes_itself(&method.to_string()) {
            return None;
        }
        let mut args = c.args.iter();
        let receiver = match args.next()? {
            e @ (Expr::Path(_) | Expr::Field(_) | Expr::Call(_) | Expr::MethodCall(_)) => e.clone(),
            e => parse_quote!((#e)),
        };
        Some(parse_quote!(#receiver.#method(#(#args),*)))
    }

    fn type_closures(&self, c: &mut ExprCall) {
        let open = |e: &Expr| match e {
            Expr::Closure(c) => c.inputs.iter().any(|p| !matches!(p, Pat::Type(_))),
            _ => false,
        };
        let Expr::Path(f) = &*c.func else { return };
        let name = f.path.get_ident().filter(|_| c.args.iter().any(open));
        let Some(sig) = name.and_then(|name| self.0.signature(&name.to_string())) else {
            return;
        };
        for (arg, input) in c.args.iter_mut().zip(&sig.inputs) {
            let (Expr::Closure(closure), FnArg::Typed(input)) = (arg, input) else {
                continue;
            };
            let taken = taken_by(&sig, &input.ty).unwrap_or_default();
            for (pat, ty) in closure.inputs.iter_mut().zip(taken) {
                if !matches!(pat, Pat::Type(_)) && means_the_same(&ty) {
                    *pat = Pat::Type(parse_quote!(#pat: #ty));
                }
            }
        }
    }
}

impl VisitMut for Calls<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        let Expr::Call(c) = e else { return };
        self.type_closures(c);
        if let Some(call) = self.as_method(c) {
            *e = call;
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The types that a function takes which is a parameter of this type.
fn taken_by(sig: &Signature, ty: &Type) -> Option<Vec<Type>> {
    match ty {
        Type::Reference(r) => taken_by(sig, &r.elem),
        Type::Paren(p) => taken_by(sig, &p.elem),
        Type::ImplTrait(t) => t.bounds.iter().find_map(inputs),
        Type::TraitObject(t) => t.bounds.iter().find_map(inputs),
        Type::Path(p) => {
            let name = p.path.get_ident()?;
            let declared = sig.generics.params.iter().filter_map(|p| match p {
                GenericParam::Type(t) if t.ident == *name => Some(&t.bounds),
                _ => None,
            });
            let clause = sig.generics.where_clause.iter();
            let asked = clause.flat_map(|w| &w.predicates).filter_map(|w| match w {
                WherePredicate::Type(t) if matches!(&t.bounded_ty, Type::Path(p) if p.path.is_ident(name)) => {
                    Some(&t.bounds)
                }
                _ => None,
            });
            declared.chain(asked).flatten().find_map(inputs)
        }
        _ => None,
    }
}

/// `A, B` of `Fn(A, B) -> C`
fn inputs(bound: &TypeParamBound) -> Option<Vec<Type>> {
    let TypeParamBound::Trait(t) = bound else {
        return None;
    };
    match &t.path.segments.last()?.arguments {
        PathArguments::Parenthesized(p) => Some(p.inputs.iter().map(|a| a.ty.clone()).collect()),
        _ => None,
    }
}

/// Numbers, and references, slices, arrays and `Vec`s of them.
fn means_the_same(ty: &Type) -> bool {
    match ty {
        Type::Reference(r) => r.lifetime.is_none() && means_the_same(&r.elem),
        Type::Paren(p) => means_the_same(&p.elem),
        Type::Slice(s) => means_the_same(&s.elem),
        Type::Array(a) => matches!(a.len, Expr::Lit(_)) && means_the_same(&a.elem),
        Type::Tuple(t) => t.elems.iter().all(means_the_same),
        Type::Path(p) if p.qself.is_none() && p.path.segments.len() == 1 => {
            let last = &p.path.segments[0];
            match &last.arguments {
                PathArguments::None => is_primitive_name(&last.ident.to_string()),
                PathArguments::AngleBracketed(a) if last.ident == "Vec" => a
                    .args
                    .iter()
                    .all(|a| matches!(a, syn::GenericArgument::Type(ty) if means_the_same(ty))),
                _ => false,
            }
        }
        _ => false,
    }
}
