//! The companions of `g::hvp`: what is called where another differentiable function takes a product with a Hessian.
//!
//! `hvp(x, v) = H v`. Its pullback takes `u` to `v: H u`, since `H` is symmetric, and `x: ∂(uᵀH)v`, which are value and
//! tangent of the product with `u` over duals, at `x + vε`. The pushforward is the same function over duals.
//!
//! In the body the directions stand behind the arguments, as those of `g::jvp` do: see `desugar::along`.

use super::check::Scalar;
use super::nested::{dual, Tangents};
use crate::input::signature::ParamDecl;
use crate::items::Surface;
use crate::syntax::names::{derived, nth_of, one_or_tuple};
use proc_macro2::TokenStream;
use quote::quote;

impl Surface<'_> {
    /// `__hvp` and its companions; `None` where the function has no Hessian, or one whose type has no derivative itself.
    pub fn nested_product(&self, scalar: &Scalar) -> Option<TokenStream> {
        if !self.is_loss(scalar) || !self.has_nested(scalar) {
            return None;
        }
        self.beside_tangents(|both| {
            let gradient_ty = self.gradient_ty();
            let parts: Vec<_> = self.active().map(|(_, p)| self.value_ty(p)).collect();
            let (value, reverse, forward) = (
                self.product_value(both, scalar),
                self.product_reverse(both, scalar),
                both.pushed_member("__hvp", scalar, &gradient_ty, &parts),
            );
            quote!(#value #reverse #forward)
        })
    }

    fn product_value(&self, both: &Surface<'_>, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (item, s) = (self.item(scalar), scalar.ty());
        let args = self.params.iter().map(|p| {
            let value = self.lent(p);
            match self.direction(p) {
                Some(along) => self.lifted(p, &s, 1, &Tangents::One(&value, &along)),
                None => self.lifted(p, &s, 1, &Tangents::None(&value)),
            }
        });
        let parts = one_or_tuple(self.active().map(|(i, p)| {
            let (k, t) = (syn::Index::from(i), self.value_ty(p));
            quote!(#ad::part::<#s, 1, #t>(&__gradient.#k, 0))
        }));
        let body = quote! {
            let __args = (#(#args,)*);
            let __gradient =
                #ad::product_within::<#item, _, #s, 1>(&__args, #ad::Dual::constant(<#s as #ad::Scalar>::ONE));
            #parts
        };
        both.member("__hvp", scalar, &self.gradient_ty(), &body)
    }

    fn product_reverse(&self, both: &Surface<'_>, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (s, gradient_ty) = (scalar.ty(), self.gradient_ty());
        let count = self.active().count();
        let args = self.params.iter().map(|p| {
            let value = self.lent(p);
            match self.direction(p) {
                Some(along) => self.lifted(p, &s, 1, &Tangents::One(&value, &along)),
                None => self.lifted(&entire(p), &s, 1, &Tangents::None(&value)),
            }
        });
        let add = self.active().enumerate().map(|(nth, (_, p))| {
            let Some(along) = self.direction(p) else {
                return TokenStream::new();
            };
            let of = nth_of(&quote!(__products), nth, count);
            let t = self.value_ty(p);
            let of_along = quote! {
                <<#t as #ad::Differentiable>::Tangent as #ad::Differentiable>::start(#ad::value_part::<#s, #t>(&#of))
            };
            let d_along = super::along::tangent_name(p).map(|n| derived("d_", &n));
            let d_along = d_along.expect("a parameter with a name");
            let (to_value, to_along) = (
                self.add_part(p, &of, scalar),
                self.accumulated(p, &along, &d_along, &of_along),
            );
            quote!(#to_value #to_along)
        });
        let (directions, product) = (self.directions(scalar), self.product_over_duals(scalar));
        both.nested_vjp(
            "__hvp",
            &gradient_ty,
            scalar,
            &quote! {
                let __u = <#gradient_ty as #ad::Differentiable>::finish(&__proto, __ct);
                let __args = (#(#args,)*);
                let __directions = #directions;
                let __products = #product;
                #(#add)*
            },
        )
    }

    /// The parts of a gradient `__u` over duals, without tangents.
    pub(super) fn directions(&self, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (over, s, count) = (dual(&scalar.ty(), 1), scalar.ty(), self.active().count());
        let parts = self.active().enumerate().map(|(nth, (_, p))| {
            let (u, t) = (nth_of(&quote!(__u), nth, count), self.value_ty(p));
            quote! {
                <<#t as #ad::Differentiable>::Tangent as #ad::Lift<#s, #over>>::lift(
                    &#u,
                    &mut <#over as #ad::Extends<#s>>::constant,
                )
            }
        });
        quote!((#(#parts,)*))
    }

    /// `hvp` over duals, of `__args` along `__directions`.
    pub(super) fn product_over_duals(&self, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let as_taken = |p: &ParamDecl, whole: TokenStream| match p.by_ref {
            true => whole,
            false => quote!(::core::clone::Clone::clone(#whole)),
        };
        let (mut lent, mut directions) = (Vec::new(), Vec::new());
        for (i, p) in self.params.iter().enumerate() {
            let i = syn::Index::from(i);
            lent.push(as_taken(
                p,
                match self.taken(&entire(p)) {
                    Some(_) => quote!(#ad::Lends::__lent(&__args.#i)),
                    None => quote!(&__args.#i),
                },
            ));
            if !p.constant {
                let k = syn::Index::from(directions.len());
                directions.push(as_taken(p, quote!(&__directions.#k)));
            }
        }
        let (item, own) = (self.item(scalar), self.lifted_generics(scalar));
        quote!(<#item>::__hvp #own(#(#lent,)* #(#directions),*))
    }

    /// A reference to the direction in which a parameter changes.
    fn direction(&self, p: &ParamDecl) -> Option<TokenStream> {
        let along = super::along::tangent_name(p).filter(|_| !p.constant)?;
        Some(match p.by_ref {
            true => quote!(#along),
            false => quote!(&#along),
        })
    }
}

/// A parameter as the companion over duals has it, which takes constants over them too.
pub(super) fn entire(p: &ParamDecl) -> ParamDecl {
    ParamDecl {
        unlifted: false,
        ..p.clone()
    }
}
