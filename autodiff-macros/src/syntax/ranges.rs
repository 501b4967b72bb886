//! What a loop runs over, and whether its condition binds names.

use syn::Expr;

pub fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Paren(p) => has_let(&p.expr),
        Expr::Binary(b) => has_let(&b.left) || has_let(&b.right),
        _ => false,
    }
}

/// `(a..b).step_by(k)`, possibly reversed.
pub fn is_stepped(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_stepped(&p.expr),
        Expr::MethodCall(m) if m.method == "step_by" => peel_range(&m.receiver).is_some(),
        Expr::MethodCall(m) if m.method == "rev" => is_stepped(&m.receiver),
        _ => false,
    }
}

/// `a..b`, `a..=b`, `(range).rev()`, `(range).step_by(k)`.
pub fn peel_range(e: &Expr) -> Option<(&Expr, bool)> {
    match e {
        Expr::Range(r) if r.start.is_some() && r.end.is_some() => Some((e, false)),
        Expr::Paren(p) => peel_range(&p.expr),
        Expr::MethodCall(m) if m.method == "rev" && m.args.is_empty() => {
            peel_range(&m.receiver).and_then(|(r, rev)| if rev { None } else { Some((r, true)) })
        }
        _ => None,
    }
}
