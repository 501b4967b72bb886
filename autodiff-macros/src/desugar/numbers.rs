//! Methods of numbers that the standard library writes with other methods.

use super::Desugar;
use crate::syntax;
use syn::{parse_quote, Expr, ExprMethodCall};

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
}
