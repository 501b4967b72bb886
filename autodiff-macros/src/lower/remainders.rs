//! `(i + 1) % n` of integers: by comparisons, where they are enough (`autodiff-core/src/ad/remainders.rs`).
//!
//! The passes know as little of the call as of the operator.

use super::Lower;
use crate::ir::Ty;
use crate::syntax;
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, BinOp, Expr};

impl Lower<'_> {
    /// An inactive expression, with the remainders of sums of integers as calls.
    pub fn with_remainders(&self, e: &Expr) -> Expr {
        let mut e = e.clone();
        Remainders(self).visit_expr_mut(&mut e);
        e
    }
}

struct Remainders<'a>(&'a Lower<'a>);

impl Remainders<'_> {
    /// What a remainder is written as.
    fn replaced(&self, e: &Expr) -> Option<Expr> {
        let (sum, n, function) = match e {
            Expr::Binary(b) if matches!(b.op, BinOp::Rem(_)) => {
                (&*b.left, &*b.right, quote::quote!(remainder))
            }
            Expr::MethodCall(m) if m.method == "rem_euclid" && m.args.len() == 1 => {
                (&*m.receiver, &m.args[0], quote::quote!(remainder_euclid))
            }
            _ => return None,
        };
        // The compiler divides by a constant without a division.
        let constant = matches!(n, Expr::Lit(_));
        let integers = self.is_sum(sum) && (self.is_integer(n) || matches!(n, Expr::Field(_)));
        let sum = syntax::bare(sum);
        (integers && !constant).then(|| parse_quote!(ad::#function(#sum, #n)))
    }

    /// Whether it is a sum or a difference of integers. A field of unknown type that is added to one is an integer too.
    fn is_sum(&self, e: &Expr) -> bool {
        match syntax::bare(e) {
            e @ Expr::Binary(_) => {
                let terms = terms(e);
                let variable = |e: &&Expr| self.is_integer(e) && !matches!(e, Expr::Lit(_));
                terms.len() > 1
                    && terms.iter().any(variable)
                    && terms
                        .iter()
                        .all(|e| self.is_integer(e) || matches!(e, Expr::Field(_)))
            }
            _ => false,
        }
    }

    /// Of what has no derivative, only integers can be added and divided.
    fn is_integer(&self, e: &Expr) -> bool {
        self.0.ty_of(e) == Ty::Discrete
    }
}

/// What is added and subtracted.
fn terms(e: &Expr) -> Vec<&Expr> {
    match syntax::bare(e) {
        Expr::Binary(b) if matches!(b.op, BinOp::Add(_) | BinOp::Sub(_)) => {
            [terms(&b.left), terms(&b.right)].concat()
        }
        e => vec![e],
    }
}

impl VisitMut for Remainders<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        // Names in these may be others.
        if matches!(
            e,
            Expr::Closure(_) | Expr::Block(_) | Expr::Match(_) | Expr::If(_)
        ) {
            return;
        }
        visit_mut::visit_expr_mut(self, e);
        if let Some(call) = self.replaced(e) {
            *e = call;
        }
    }
}
