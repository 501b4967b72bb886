//! The companions of `g::hvp`: what is called where another differentiable function takes a product with a Hessian.
//!
//! `hvp(x, v) = H v`. Its pullback takes `u` to `v: H u`, since `H` is symmetric, and `x: ∂(uᵀH)v`, which are value and
//! tangent of the product with `u` over duals, at `x + vε`. The pushforward is the same function over duals.
//!
//! In the body the pairs of arguments stand one after the other, as those of `g::jvp` do: see `desugar::along`.

use super::check::Scalar;
use super::nested::{dual, Pushed, Tangents};
use crate::code::{derived, nth_of, one_or_tuple};
use crate::signature::ParamDecl;
use crate::surface::{allowed, Surface};
use proc_macro2::TokenStream;
use quote::quote;

impl Surface<'_> {
    /// `__hvp` and its companions, of a function that has a gradient inside.
    pub(super) fn nested_product(&self, scalar: &Scalar) -> Option<TokenStream> {
        self.beside_tangents(|both| {
            let (value, reverse, forward) = (
                self.product_value(both, scalar),
                self.product_reverse(both, scalar),
                self.product_forward(both, scalar),
            );
            quote!(#value #reverse #forward)
        })
    }

    fn product_value(&self, both: &Surface<'_>, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (name, s) = (&self.sig.ident, scalar.ty());
        let (gradient_ty, decls) = (self.gradient_ty(), both.param_decls());
        let (generics, clause) = (self.generics(&[], &[]), self.scalar_clause(scalar, None));
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
        let allow = allowed();
        quote! {
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            pub fn __hvp #generics(#(#decls),*) -> #gradient_ty #clause {
                let __args = (#(#args,)*);
                let __gradient = #ad::product_within::<<#name as #ad::Over<#ad::Dual<#s>>>::Item, _, #s, 1>(
                    &__args,
                    #ad::Dual::constant(<#s as #ad::Scalar>::ONE),
                );
                #parts
            }
        }
    }

    fn product_reverse(&self, both: &Surface<'_>, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (name, s, gradient_ty) = (&self.sig.ident, scalar.ty(), self.gradient_ty());
        let count = self.active().count();
        let (mut args, mut lent, mut add) = (Vec::new(), Vec::new(), Vec::new());
        let mut nth = 0;
        let mut lend = |p: &ParamDecl, arg: TokenStream| {
            let k = syn::Index::from(args.len());
            let whole = match self.taken(p) {
                Some(_) => quote!(#ad::Lends::__lent(&__args.#k)),
                None => quote!(&__args.#k),
            };
            lent.push(match p.by_ref {
                true => whole,
                false => quote!(::core::clone::Clone::clone(#whole)),
            });
            args.push(arg);
        };
        for p in self.params {
            let value = self.lent(p);
            let Some(along) = self.direction(p) else {
                // The function itself, over duals, takes constants over them too.
                let p = ParamDecl {
                    unlifted: false,
                    ..p.clone()
                };
                lend(&p, self.lifted(&p, &s, 1, &Tangents::None(&value)));
                continue;
            };
            lend(p, self.lifted(p, &s, 1, &Tangents::One(&value, &along)));
            let (t, u) = (self.value_ty(p), nth_of(&quote!(__u), nth, count));
            let (tangent, over) = (quote!(<#t as #ad::Differentiable>::Tangent), dual(&s, 1));
            lend(
                p,
                quote! {
                    <#tangent as #ad::Lift<#s, #over>>::lift(&#u, &mut <#over as #ad::Extends<#s>>::constant)
                },
            );
            let of = nth_of(&quote!(__products), nth, count);
            nth += 1;
            let of_value =
                quote!(<#t as #ad::Differentiable>::start(#ad::part::<#s, 1, #t>(&#of, 0)));
            let of_along =
                quote!(<#tangent as #ad::Differentiable>::start(#ad::value_part::<#s, #t>(&#of)));
            let names = [self.adj_base(p)]
                .into_iter()
                .chain(super::along::tangent_name(p));
            let [d, d_along] = [0, 1].map(|k| {
                derived(
                    "d_",
                    &names.clone().nth(k).expect("a parameter with a name"),
                )
            });
            add.push(self.accumulated(p, &value, &d, &of_value));
            add.push(self.accumulated(p, &along, &d_along, &of_along));
        }
        let lifted_own = self.lifted_generics(scalar);
        both.nested_vjp(
            "__hvp",
            &gradient_ty,
            scalar,
            &quote! {
                let __u = <#gradient_ty as #ad::Differentiable>::finish(&__proto, __ct);
                let __args = (#(#args,)*);
                let __products = <<#name as #ad::Over<#ad::Dual<#s>>>::Item>::__hvp #lifted_own(#(#lent),*);
                #(#add)*
            },
        )
    }

    fn product_forward(&self, both: &Surface<'_>, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (name, s, gradient_ty) = (&self.sig.ident, scalar.ty(), self.gradient_ty());
        let (generics, clause) = (self.generics(&[], &[]), self.scalar_clause(scalar, None));
        let Pushed {
            decls, args, lent, ..
        } = both.pushed(&s);
        let count = self.active().count();
        let part = |f: TokenStream| {
            one_or_tuple(self.active().enumerate().map(|(k, (_, p))| {
                let (t, of) = (self.value_ty(p), nth_of(&quote!(__products), k, count));
                quote!(<#t as #ad::Lift<#s, #ad::Dual<#s>>>::part(&#of, &|__d: #ad::Dual<#s>| __d.#f))
            }))
        };
        let (values, tangents) = (part(quote!(value)), part(quote!(tangents[0])));
        let lifted_own = self.lifted_generics(scalar);
        let allow = allowed();
        quote! {
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            pub fn __hvp_jvp #generics(#(#decls),*)
                -> (#gradient_ty, <#gradient_ty as #ad::Differentiable>::Tangent)
            #clause
            {
                let __args = (#(#args,)*);
                let __products = <<#name as #ad::Over<#ad::Dual<#s>>>::Item>::__hvp #lifted_own(#(#lent),*);
                (#values, #tangents)
            }
        }
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
