//! Products with numbers of constant arguments: they have no tangents, which need not be multiplied.
//!
//! | emitted | over the scalar |
//! |---|---|
//! | `points[i] * w[j]` | `ad::Times::<AnyScalar, __Base, _, _>::of(points[i], w[j]).times_left()` |
//! | `ad::mul::pull_r(&points[i], &ad::F64, &d_v, &mut d_w)` | `ad::known_pull::<AnyScalar, __Base, _>(points[i], &d_v, &mut d_w)` |

use super::super::forms::path_name;
use super::Reader;
use crate::items::unlifted::Shape;
use crate::syntax;
use quote::{quote_spanned, ToTokens};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::Expr;

impl Reader<'_> {
    /// Whether this is a place whose number is read, in the form of [`value`](Self::value).
    fn is_read(&self, e: &Expr) -> bool {
        let number = |(_, shape): (String, Shape)| shape == Shape::Number;
        path_name(e).is_none() && self.place(e).is_some_and(number)
    }

    /// A product with a number that is read, whose tangents of zero need not be multiplied.
    pub(super) fn product(&mut self, b: &mut syn::ExprBinary) -> Option<Expr> {
        if !matches!(b.op, syn::BinOp::Mul(_)) {
            return None;
        }
        let (known, other, side) = if self.is_read(&b.left) {
            (&mut b.left, &mut b.right, "times_left")
        } else if self.is_read(&b.right) {
            (&mut b.right, &mut b.left, "times_right")
        } else {
            return None;
        };
        self.indices(known);
        self.referred(other);
        self.visit_expr_mut(other);
        let side = quote::format_ident!("{side}");
        // What is read stays as it is; the rest is written over the scalar.
        let (known, other) = (Expr::Verbatim(known.to_token_stream()), &*other);
        let of = quote_spanned!(known.span()=> ::differentiable::__rt::Times::<AnyScalar, __Base, _, _>::of);
        let factors = call(of, [known, (**other).clone()]);
        Some(Expr::MethodCall(syn::ExprMethodCall {
            attrs: Vec::new(),
            receiver: Box::new(factors),
            dot_token: Default::default(),
            method: side,
            turbofish: None,
            paren_token: Default::default(),
            args: Default::default(),
        }))
    }

    /// The pullback of such a product by a scalar.
    pub(super) fn product_pull(&mut self, c: &mut syn::ExprCall) -> Option<Expr> {
        let Expr::Path(p) = &*c.func else { return None };
        let at = match syntax::segments(&p.path).as_slice() {
            [ad, mul, side] if ad == "ad" && mul == "mul" => match side.as_str() {
                "pull_r" => 0,
                "pull_l" => 1,
                _ => return None,
            },
            _ => return None,
        };
        let is_scalar = |e: &Expr| {
            let witness = e.to_token_stream().to_string();
            witness == "& ad :: F64" || witness == "& ad :: F32"
        };
        if c.args.len() != 4 || !is_scalar(&c.args[1 - at]) {
            return None;
        }
        let mut known = match &c.args[at] {
            Expr::Reference(r) if r.mutability.is_none() && self.is_read(&r.expr) => {
                (*r.expr).clone()
            }
            _ => return None,
        };
        self.indices(&mut known);
        let (mut ct, mut d) = (c.args[2].clone(), c.args[3].clone());
        self.visit_expr_mut(&mut ct);
        self.visit_expr_mut(&mut d);
        let pull =
            quote_spanned!(c.span()=> ::differentiable::__rt::known_pull::<AnyScalar, __Base, _>);
        Some(call(pull, [Expr::Verbatim(known.to_token_stream()), ct, d]))
    }
}

/// A call of what is not written over the scalar, with arguments that may be.
fn call<const N: usize>(function: proc_macro2::TokenStream, args: [Expr; N]) -> Expr {
    Expr::Call(syn::ExprCall {
        attrs: Vec::new(),
        func: Box::new(Expr::Verbatim(function)),
        paren_token: syn::token::Paren::default(),
        args: args.into_iter().collect(),
    })
}
