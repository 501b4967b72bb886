//! Derivatives along a direction, of other functions: `g::jvp((x, t), c)` becomes `g::__along(x, c, t)`, and
//! `g::hvp((x, t), c)` becomes `g::__hvp(x, c, t)`, which have companions.

use super::Desugar;
use crate::syntax;
use proc_macro2::Ident;
use syn::{Expr, ExprCall};

impl Desugar<'_> {
    pub(super) fn derivative_along(&self, c: &ExprCall) -> Option<Expr> {
        let Expr::Path(p) = &*c.func else { return None };
        let segments = syntax::segments(&p.path);
        let [.., owner, name] = segments.as_slice() else {
            return None;
        };
        let along = match name.as_str() {
            "jvp" => "__along",
            "hvp" | "grad_and_hvp" => "__hvp",
            _ => return None,
        };
        let pairs = c.args.iter().any(|a| pair(a).is_some());
        if owner.starts_with(char::is_uppercase) || !pairs || p.qself.is_some() {
            return None;
        }
        let both = name == "grad_and_hvp";
        let mut first = Vec::new();
        let mut c = c.clone();
        // Tangents stand behind all arguments, and the arguments twice, so what is computed gets a name.
        if both || c.args.iter().any(syntax::assigns) {
            let parts = c.args.iter_mut().flat_map(|a| match pair(a) {
                Some(_) => parts_of(a),
                None => vec![a],
            });
            for part in parts {
                let place = matches!(part, Expr::Lit(_)) || syntax::root_name(part).is_some();
                match part {
                    Expr::Reference(_) if !place || syntax::assigns(part) => return None,
                    e if !place => {
                        let name = format!("__part{}", first.len());
                        let name = Ident::new(&name, proc_macro2::Span::mixed_site());
                        first.push(quote::quote!(let #name = #e;));
                        *e = syn::parse_quote!(#name);
                    }
                    _ => {}
                }
            }
        }
        let values = c.args.iter().map(|a| pair(a).map_or(a, |t| &t.elems[0]));
        let values: Vec<Expr> = values.cloned().collect();
        let tangents = c
            .args
            .iter()
            .filter_map(|a| Some(pair(a)?.elems[1].clone()));
        let product = call(&c, along, values.iter().cloned().chain(tangents));
        let all: Expr = match both {
            true => {
                let gradient = call(&c, "grad", values.into_iter());
                syn::parse_quote!((#gradient, #product))
            }
            false => product,
        };
        Some(match first.is_empty() {
            true => all,
            false => syn::parse_quote!({ #(#first)* #all }),
        })
    }
}

fn pair(e: &Expr) -> Option<&syn::ExprTuple> {
    match e {
        Expr::Tuple(t) if t.elems.len() == 2 => Some(t),
        _ => None,
    }
}

fn parts_of(pair: &mut Expr) -> Vec<&mut Expr> {
    match pair {
        Expr::Tuple(t) => t.elems.iter_mut().collect(),
        _ => Vec::new(),
    }
}

/// The call of another operator of the same function.
fn call(c: &ExprCall, operator: &str, args: impl Iterator<Item = Expr>) -> Expr {
    let mut call = c.clone();
    if let Expr::Path(p) = &mut *call.func {
        if let Some(last) = p.path.segments.last_mut() {
            last.ident = Ident::new(operator, last.ident.span());
        }
    }
    call.args = args.collect();
    Expr::Call(call)
}

/// A pullback can be called once, and so can its copies: `pullback.clone()(ct)`. What stands for it can be called often.
pub(super) fn copied_function(c: &ExprCall) -> Option<Expr> {
    let mut func = &*c.func;
    while let Expr::Paren(p) = func {
        func = &p.expr;
    }
    let Expr::MethodCall(m) = func else {
        return None;
    };
    let name = match &*m.receiver {
        Expr::Path(p) if m.method == "clone" && m.args.is_empty() => p.path.get_ident()?,
        _ => return None,
    };
    let mut call = c.clone();
    *call.func = syn::parse_quote!(#name);
    Some(Expr::Call(call))
}

/// The direction in which an argument does not change is zero, whatever the argument is.
pub(super) fn zero_tangent(m: &syn::ExprMethodCall) -> Option<Expr> {
    let zero = m.method == "zero_tangent" && m.args.is_empty() && m.turbofish.is_none();
    zero.then(|| syn::parse_quote!(no_grad!(#m)))
}
