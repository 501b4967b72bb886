//! Methods of numbers that the standard library writes with other methods.

use super::Desugar;
use crate::syntax;
use syn::{parse_quote, Expr, ExprCall, ExprMethodCall};

impl Desugar<'_> {
    pub(super) fn number_method(&mut self, m: &ExprMethodCall) -> Option<Expr> {
        if m.turbofish.is_some() || !syntax::maybe_active(&Expr::MethodCall(m.clone()), self.active)
        {
            return None;
        }
        let x = &m.receiver;
        let args: Vec<&Expr> = m.args.iter().collect();
        match (m.method.to_string().as_str(), args.as_slice()) {
            ("sin_cos", []) if syntax::is_cheap(x) => Some(parse_quote!((#x.sin(), #x.cos()))),
            ("sin_cos", []) => {
                let t = self.fresh("t");
                Some(parse_quote!({ let #t = #x; (#t.sin(), #t.cos()) }))
            }
            ("log", [b]) => Some(parse_quote!((#x.ln() / (#b).ln()))),
            _ => None,
        }
    }

    /// The pair that `x.sin_cos()` is, where it is taken apart at once.
    pub(super) fn sine_and_cosine(&mut self, e: &Expr) -> Option<Expr> {
        match e {
            Expr::MethodCall(m) if m.method == "sin_cos" => self.number_method(m),
            _ => None,
        }
    }

    /// `f64::from(x)` of an active `x`, which is an `f32` or an `f64`: a cast.
    pub(super) fn number_call(&self, c: &ExprCall) -> Option<Expr> {
        let Expr::Path(p) = &*c.func else { return None };
        let segments = syntax::segments(&p.path);
        let [ty, from] = segments.as_slice() else {
            return None;
        };
        let float = matches!(ty.as_str(), "f64" | "f32") && from == "from";
        let x = c.args.first()?;
        if !float || !syntax::maybe_active(x, self.active) {
            return None;
        }
        let ty = &p.path.segments[0].ident;
        Some(parse_quote!(((#x) as #ty)))
    }
}
