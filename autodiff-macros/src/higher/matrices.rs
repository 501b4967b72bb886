//! The companions of `g::hessian` and `g::jacobian`: what is called where another differentiable function takes them.
//!
//! | function | its pullback |
//! |---|---|
//! | `hessian(x)` | takes the rows `u_k` to the sum of `x: ∂(H u_k) e_k`: tangents of products over duals, at `x + e_k ε` and `u_k` |
//! | `jacobian(x)` | takes the rows `u_i` to the sum of the tangents of the gradients of the outputs `y_i`, at `x + u_i ε` |
//!
//! The pushforwards are the same functions over duals.
//!
//! No macro can tell `g::jacobian`, of a function `g`, from a function `jacobian` of a module `g`. So both have the
//! companion `g::__jacobian_vjp`, which finds its scalar by its arguments: that of the operator is a function of the
//! type `g`, that of a function with the name of an operator stands beside it.

use super::along::is_own_tangent;
use super::check::Scalar;
use super::generic::Exchange;
use super::nested::Tangents;
use super::operators::{lift, Parts};
use super::product::entire;
use super::Higher;
use crate::items::Surface;
use crate::syntax::names::{nth_of, one_or_tuple};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Signature, Type};

/// The scalar of what is over any.
pub(super) const OVER: &str = "AnyScalar";

impl Higher<'_> {
    /// Those that there are for the types of this function, over any scalar.
    pub(super) fn matrices(&self, exchange: &mut Exchange<'_>) -> Option<TokenStream> {
        let sig = over_any(self.surface.sig, self.scalar);
        let wide = Surface {
            sig: &sig,
            ..*self.surface
        };
        let matrices = self.matrices_of(&wide)?;
        Some(match self.scalar {
            Scalar::Float(_) => exchange.members(matrices),
            Scalar::Parameter(_) => matrices,
        })
    }

    pub(super) fn matrices_of(&self, wide: &Surface<'_>) -> Option<TokenStream> {
        let surface = self.surface;
        let rows = |t: &Type| is_own_tangent(t, self.scalar);
        let mut active = surface.active().filter_map(|(_, p)| p.value_ty());
        if self.tensors
            || !surface.has_nested(self.scalar)
            || !active.all(|t| is_sequence(t, &rows))
        {
            return None;
        }
        let parts = self.parts();
        let hessian = surface
            .is_loss(self.scalar)
            .then(|| self.hessian_within(wide, &parts));
        let output = syn::parse2::<Type>(surface.output());
        let rows = !surface.is_scalar(self.scalar) && output.is_ok_and(|t| rows(&t));
        let jacobian = rows.then(|| self.jacobian_within(wide, &parts));
        Some(quote!(#hessian #jacobian))
    }

    // ---- hessian ---------------------------------------------------------------------------

    fn hessian_within(&self, wide: &Surface<'_>, parts: &Parts) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (surface, s) = (self.surface, self.scalar.ty());
        let (layout, body) = self.hessian_of(parts);
        let value = wide.member("__hessian", self.scalar, &layout, &body);
        let constant: Vec<bool> = surface.params.iter().map(|p| p.constant).collect();
        let seeds = surface.params.iter().map(|p| {
            let (value, seed) = (surface.lent(p), quote!(|__v| __seeds.seed(__v)));
            match p.constant {
                true => surface.lifted(&entire(p), &s, 1, &Tangents::None(&value)),
                false => surface.lifted(p, &s, 1, &Tangents::Seeds(&value, &seed)),
            }
        });
        let lift = lift(&seeds.collect::<Vec<_>>(), &constant);
        let count = surface.active().count();
        let add = surface.active().enumerate().map(|(nth, (_, p))| {
            surface.add_part(p, &nth_of(&quote!(__products), nth, count), self.scalar)
        });
        let (row, product) = (self.row(parts), surface.product_over_duals(self.scalar));
        let directions = surface.directions(self.scalar);
        let reverse = wide.nested_vjp(
            "__hessian",
            &layout,
            self.scalar,
            &quote! {
                let __rows = <#layout as #ad::Differentiable>::finish(&__proto, __ct);
                let mut __entries = #ad::entries_of::<#s, #layout>(&__rows).into_iter();
                #ad::sweeps::<1, _>(#lift, |__args, __seeds| {
                    if __seeds.width() == 0 {
                        return;
                    }
                    let __u = #row;
                    let __directions = #directions;
                    let __products = #product;
                    #(#add)*
                });
            },
        );
        let forward = wide.pushed_member(
            "__hessian",
            self.scalar,
            &layout,
            std::slice::from_ref(&layout),
        );
        quote!(#value #reverse #forward)
    }

    /// A gradient of the next entries of `__entries`.
    fn row(&self, parts: &Parts) -> TokenStream {
        let (ad, s) = (quote!(::differentiable::__rt), self.scalar.ty());
        one_or_tuple(parts.active.iter().map(|(_, t, value)| {
            quote! {
                <#t as #ad::Lift<#s, #s>>::fill(
                    #value,
                    &mut || __entries.next().expect("an entry for each scalar"),
                )
            }
        }))
    }

    // ---- jacobian --------------------------------------------------------------------------

    fn jacobian_within(&self, wide: &Surface<'_>, parts: &Parts) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (surface, s, item) = (
            self.surface,
            self.scalar.ty(),
            self.surface.item(self.scalar),
        );
        let (name, output, lanes) = (&surface.sig.ident, surface.output(), self.lanes());
        let gradient_ty = surface.gradient_ty();
        let layout = quote!(<#output as #ad::Layout>::With<#gradient_ty>);
        let (lift, fill) = (parts.lift(), fill_row(parts, &s));
        let value = wide.member(
            "__jacobian",
            self.scalar,
            &layout,
            &quote! {
                #ad::jacobian_within::<<#name as #ad::Over<#ad::Dual<#s, #lanes>>>::Item, _, #output, #gradient_ty, #s, #lanes>(
                    #lift,
                    |__row| #fill,
                )
            },
        );
        let (along, add) = (
            surface.lifted_along(&quote!(__u), self.scalar),
            surface.add_tangents(self.scalar),
        );
        let columns = parts
            .active
            .iter()
            .map(|(_, t, value)| quote!(#ad::scalars::<#s, #t>(#value)));
        let row = self.row(parts);
        let reverse = wide.nested_vjp(
            "__jacobian",
            &layout,
            self.scalar,
            &quote! {
                let __rows = <#layout as #ad::Differentiable>::finish(&__proto, __ct);
                let __entries = #ad::entries_of::<#s, #layout>(&__rows);
                let __columns = 0 #(+ #columns)*;
                let __count = __entries.len().checked_div(__columns).unwrap_or(0);
                let mut __entries = __entries.into_iter();
                for __row in 0..__count {
                    let __u = #row;
                    let __args = (#(#along,)*);
                    let __gradient = #ad::row_within::<#item, _, #output, #s>(&__args, __row);
                    #add
                }
            },
        );
        let forward = wide.pushed_member(
            "__jacobian",
            self.scalar,
            &layout,
            std::slice::from_ref(&layout),
        );
        quote!(#value #reverse #forward)
    }
}

/// A signature over any scalar: with a parameter for it, where it is written in one.
pub(super) fn over_any(sig: &Signature, scalar: &Scalar) -> Signature {
    let mut sig = sig.clone();
    if let Scalar::Float(_) = scalar {
        let over = Ident::new(OVER, Span::call_site());
        let generics = &mut sig.generics;
        generics
            .params
            .push(syn::parse_quote!(#over: ::differentiable::__rt::Number));
        generics.make_where_clause().predicates.push(
            syn::parse_quote!(for<'__r> &'__r #over: ::differentiable::__rt::NumberRef<#over>),
        );
    }
    sig
}

/// A row of a Jacobian, in the layout of the gradient, of the numbers of `__row`.
pub(super) fn fill_row(parts: &Parts, s: &TokenStream) -> TokenStream {
    let ad = quote!(::differentiable::__rt);
    let active = parts.active.iter();
    one_or_tuple(active.map(
        |(_, t, value)| quote!(<#t as #ad::Lift<#s, #s>>::fill(#value, &mut || __row.entry())),
    ))
}

/// Whether a type, or that of the entries of a slice, is one of those.
pub(super) fn is_sequence(ty: &Type, of: &dyn Fn(&Type) -> bool) -> bool {
    match ty {
        Type::Reference(r) => is_sequence(&r.elem, of),
        Type::Slice(s) => of(&s.elem),
        ty => of(ty),
    }
}
