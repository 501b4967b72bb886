//! What the value of an expression leads to: the variables that may be changed through it.

use crate::syntax::root_name;
use syn::Expr;

/// The variables behind a value, part by part where the syntax tells.
pub enum Lent {
    Nothing,
    To(String),
    Parts(Vec<Lent>),
}

impl Lent {
    /// All variables that may be changed.
    pub fn roots(&self, found: &mut Vec<String>) {
        match self {
            Lent::Nothing => {}
            Lent::To(name) => found.push(name.clone()),
            Lent::Parts(parts) => parts.iter().for_each(|p| p.roots(found)),
        }
    }
}

/// What an expression lends; `leads` tells of a name whether it is a mutable reference.
pub fn lent(e: &Expr, leads: &dyn Fn(&str) -> bool) -> Lent {
    let rec = |e: &Expr| lent(e, leads);
    let to = |e: &Expr| match root_name(e) {
        Some(name) => Lent::To(name),
        None => rec(e),
    };
    match e {
        Expr::Paren(p) => rec(&p.expr),
        Expr::Group(g) => rec(&g.expr),
        Expr::Try(t) => rec(&t.expr),
        Expr::Reference(r) if r.mutability.is_some() => to(&r.expr),
        Expr::Path(_) => match root_name(e) {
            Some(name) if leads(&name) => Lent::To(name),
            _ => Lent::Nothing,
        },
        Expr::Tuple(t) => Lent::Parts(t.elems.iter().map(rec).collect()),
        Expr::Call(c) if c.args.len() == 1 && is_some(&c.func) => rec(&c.args[0]),
        Expr::MethodCall(m) => {
            let name = m.method.to_string();
            match (name.as_str(), m.args.first()) {
                // `iter_mut`, `split_at_mut`, `as_mut_slice`, …
                (name, _) if name.contains("_mut") => to(&m.receiver),
                ("zip", Some(other)) => Lent::Parts(vec![rec(&m.receiver), rec(other)]),
                ("enumerate", None) => Lent::Parts(vec![Lent::Nothing, rec(&m.receiver)]),
                (
                    "unwrap" | "expect" | "rev" | "take" | "skip" | "step_by" | "into_iter"
                    | "filter" | "chain" | "take_while" | "skip_while" | "next" | "nth" | "last",
                    _,
                ) => rec(&m.receiver),
                _ => Lent::Nothing,
            }
        }
        _ => Lent::Nothing,
    }
}

/// The reference behind `*r`, `r.x` and `r[i]`.
pub fn reference(place: &Expr) -> &Expr {
    match place {
        Expr::Paren(p) => reference(&p.expr),
        Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => reference(&u.expr),
        Expr::Field(f) => reference(&f.base),
        Expr::Index(i) => reference(&i.expr),
        e => e,
    }
}

fn is_some(f: &Expr) -> bool {
    matches!(f, Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Some" || s.ident == "Ok"))
}
