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
        let pairs = c
            .args
            .iter()
            .any(|a| matches!(a, Expr::Tuple(t) if t.elems.len() == 2));
        let along = match name.as_str() {
            "jvp" => "__along",
            "hvp" => "__hvp",
            _ => return None,
        };
        if owner.starts_with(char::is_uppercase) || !pairs || p.qself.is_some() {
            return None;
        }
        let (mut call, mut path) = (c.clone(), p.clone());
        let last = path.path.segments.last_mut()?;
        last.ident = Ident::new(along, last.ident.span());
        *call.func = Expr::Path(path);
        call.args.clear();
        for a in &c.args {
            match a {
                Expr::Tuple(t) if t.elems.len() == 2 => call.args.extend(t.elems.iter().cloned()),
                one => call.args.push(one.clone()),
            }
        }
        Some(Expr::Call(call))
    }
}

/// The direction in which an argument does not change is zero, whatever the argument is.
pub(super) fn zero_tangent(m: &syn::ExprMethodCall) -> Option<Expr> {
    let zero = m.method == "zero_tangent" && m.args.is_empty() && m.turbofish.is_none();
    zero.then(|| syn::parse_quote!(no_grad!(#m)))
}
