//! Settings, `f64` whatever the scalar is: arguments of methods of tensors, and fields of types such as the options of
//! a solver, which have no form over another scalar.

use super::generic::Exchange;
use crate::syntax;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::Expr;

/// Methods of tensors with settings that are `f64` whatever the elements are: `x.dropout(0.1, seed)`.
const WITH_SETTINGS: &[&str] = &[
    "batch_norm",
    "batch_norm_inference",
    "batch_norm_train",
    "dropout",
    "group_norm",
    "huber_loss",
    "instance_norm",
    "layer_norm",
    "norm_p",
    "norm_p_axes",
    "norm_p_axes_keepdim",
    "norm_p_axis",
    "norm_p_axis_keepdim",
    "quantile",
    "quantile_axis",
    "quantile_axis_keepdim",
    "rms_norm",
    "scale",
    "smooth_l1_loss",
];

impl Exchange<'_> {
    /// `x.dropout(0.1, seed)`: a setting stays the number that it is. `scale` is a method of users too: what it takes
    /// decides.
    pub(super) fn settings(&mut self, m: &mut syn::ExprMethodCall) -> Option<TokenStream> {
        let name = m.method.to_string();
        let base = name.trim_start_matches("__");
        let base = base.trim_end_matches("_vjp").trim_end_matches("_jvp");
        if !self.tensors || !WITH_SETTINGS.contains(&base) {
            return None;
        }
        self.visit_expr_mut(&mut m.receiver);
        if let Some(turbofish) = &mut m.turbofish {
            self.visit_angle_bracketed_generic_arguments_mut(turbofish);
        }
        let of_users = base == "scale";
        for arg in &mut m.args {
            let number = matches!(arg, Expr::Lit(l) if self.literal(&l.lit).is_some());
            if matches!(arg, Expr::Lit(_)) && !(number && of_users) {
                continue;
            }
            let literal = quote!(#arg);
            self.visit_expr_mut(arg);
            // Modes, what is lent, and zero tangents, of which the parameter may tell the type.
            if matches!(arg, Expr::Tuple(_) | Expr::Reference(_)) || is_zero_tangent(arg) {
                continue;
            }
            let span = arg.span();
            *arg = Expr::Verbatim(match (number, of_users) {
                (true, _) => quote_spanned!(span=> ::differentiable::__rt::Scalar::lit(#literal)),
                (_, true) => quote_spanned!(span=> ::differentiable::__rt::Setting(#arg).get()),
                _ => quote_spanned!(span=> ::differentiable::__rt::Plain(#arg).plain()),
            });
        }
        Some(quote!(#m))
    }

    /// A field beside a base, `Options { rtol: 1e-9, ..base }`: the type of the field decides.
    pub(super) fn possible_setting(&mut self, e: &mut Expr) {
        match e {
            Expr::Call(c) if c.args.len() == 1 && is_some(&c.func) => {
                self.possible_setting(&mut c.args[0]);
            }
            _ => {
                let number = self.may_be_number(e);
                self.visit_expr_mut(e);
                if number {
                    let setting = quote_spanned!(e.span()=> ::differentiable::__rt::Setting(#e));
                    *e = Expr::Verbatim(quote!(#setting.get()));
                }
            }
        }
    }

    /// Whether an expression may be a number, and has a type of its own.
    fn may_be_number(&self, e: &Expr) -> bool {
        match e {
            Expr::Lit(l) => self.literal(&l.lit).is_some(),
            Expr::Path(p) => p.path.get_ident().is_some_and(|name| name != "None"),
            Expr::Field(f) => self.may_be_number(&f.base),
            Expr::Paren(p) => self.may_be_number(&p.expr),
            Expr::Unary(u) => self.may_be_number(&u.expr),
            Expr::Binary(b) => self.may_be_number(&b.left) && self.may_be_number(&b.right),
            _ => false,
        }
    }
}

fn is_some(e: &Expr) -> bool {
    matches!(e, Expr::Path(p) if p.path.is_ident("Some"))
}

fn is_zero_tangent(e: &Expr) -> bool {
    let Expr::Call(c) = e else { return false };
    matches!(&*c.func, Expr::Path(p) if syntax::segments(&p.path) == ["ad", "zero_tangent"])
}
