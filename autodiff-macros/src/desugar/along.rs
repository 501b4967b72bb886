//! Derivatives along a direction, of other functions: `g::jvp((x, t), c)` becomes `g::__along(x, t, c)`, and
//! `g::hvp((x, t), c)` becomes `g::__hvp(x, t, c)`, which have companions.

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
        let flat = c.args.iter().flat_map(|a| match pair(a) {
            Some(t) => t.elems.iter().cloned().collect(),
            None => vec![a.clone()],
        });
        let product = call(c, along, flat);
        if name != "grad_and_hvp" {
            return Some(product);
        }
        // The arguments stand there twice.
        let plain = |e: &Expr| matches!(e, Expr::Lit(_)) || syntax::root_name(e).is_some();
        let values = || {
            c.args
                .iter()
                .map(|a| pair(a).map_or(a, |t| &t.elems[0]).clone())
        };
        if !values().all(|v| plain(&v)) {
            return None;
        }
        let gradient = call(c, "grad", values());
        Some(syn::parse_quote!((#gradient, #product)))
    }
}

fn pair(e: &Expr) -> Option<&syn::ExprTuple> {
    match e {
        Expr::Tuple(t) if t.elems.len() == 2 => Some(t),
        _ => None,
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

/// The direction in which an argument does not change is zero, whatever the argument is.
pub(super) fn zero_tangent(m: &syn::ExprMethodCall) -> Option<Expr> {
    let zero = m.method == "zero_tangent" && m.args.is_empty() && m.turbofish.is_none();
    zero.then(|| syn::parse_quote!(no_grad!(#m)))
}
