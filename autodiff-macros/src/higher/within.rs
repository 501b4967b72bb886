//! What the operators that are called inside of differentiable functions have in common: each is a function of the
//! companion, `__hvp`, with a reverse (`nested_vjp`) and a pushforward, which is the same function over duals.

use super::check::Scalar;
use super::matrices::OVER;
use super::nested::{Pushed, Tangents};
use crate::input::signature::ParamDecl;
use crate::items::{allowed, Surface};
use crate::syntax::names::{derived, nth_of, one_or_tuple};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl Surface<'_> {
    /// The function over duals.
    pub(super) fn item(&self, scalar: &Scalar) -> TokenStream {
        let (name, s) = (&self.sig.ident, scalar.ty());
        let ad = quote!(::differentiable::__rt);
        quote!(<#name as #ad::Over<#ad::Dual<#s>>>::Item)
    }

    /// A function of the companion.
    pub(super) fn member(
        &self,
        name: &str,
        scalar: &Scalar,
        ty: &TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        let name = format_ident!("{name}");
        let (generics, clause) = (self.generics(&[], &[]), self.scalar_clause(scalar, None));
        let (decls, allow) = (self.param_decls(), allowed());
        quote! {
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            pub fn #name #generics(#(#decls),*) -> #ty #clause { #body }
        }
    }

    /// The pushforward of such a function, whose parts are of these types.
    pub(super) fn pushed_member(
        &self,
        name: &str,
        scalar: &Scalar,
        ty: &TokenStream,
        parts: &[TokenStream],
    ) -> TokenStream {
        let (ad, s) = (quote!(::differentiable::__rt), scalar.ty());
        let (generics, clause) = (self.generics(&[], &[]), self.scalar_clause(scalar, None));
        let Pushed {
            decls, args, lent, ..
        } = self.pushed(&s);
        let [value, jvp] = [format_ident!("{name}"), format_ident!("{name}_jvp")];
        let (call, allow) = (self.over_duals(&value, scalar), allowed());
        let part = |f: TokenStream| {
            one_or_tuple(parts.iter().enumerate().map(|(k, t)| {
                let of = nth_of(&quote!(__result), k, parts.len());
                quote!(<#t as #ad::Lift<#s, #ad::Dual<#s>>>::part(&#of, &|__d: #ad::Dual<#s>| __d.#f))
            }))
        };
        let (values, tangents) = (part(quote!(value)), part(quote!(tangents[0])));
        quote! {
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            pub fn #jvp #generics(#(#decls),*) -> (#ty, <#ty as #ad::Differentiable>::Tangent) #clause {
                let __args = (#(#args,)*);
                let __result = #call(#(#lent),*);
                (#values, #tangents)
            }
        }
    }

    /// Such a function over duals: one of the companion over them, or the same with another scalar.
    fn over_duals(&self, value: &Ident, scalar: &Scalar) -> TokenStream {
        let over = self.sig.generics.type_params().find(|t| t.ident == OVER);
        match over {
            Some(t) => {
                let own = self.lifted_generics(&Scalar::Parameter(t.ident.clone()));
                quote!(Self::#value #own)
            }
            None => {
                let (item, own) = (self.item(scalar), self.lifted_generics(scalar));
                quote!(<#item>::#value #own)
            }
        }
    }

    /// The arguments over duals, along the parts of a gradient `u`.
    pub(super) fn lifted_along(&self, u: &TokenStream, scalar: &Scalar) -> Vec<TokenStream> {
        let (s, count) = (scalar.ty(), self.active().count());
        let mut nth = 0;
        let lifted = self.params.iter().map(|p| {
            let value = self.lent(p);
            if p.constant {
                return self.lifted(p, &s, 1, &Tangents::None(&value));
            }
            let u = nth_of(u, nth, count);
            nth += 1;
            self.lifted(p, &s, 1, &Tangents::One(&value, &quote!(&#u)))
        });
        lifted.collect()
    }

    /// Adds the tangents of a gradient over duals to the cotangents of the arguments.
    pub(super) fn add_tangents(&self, scalar: &Scalar) -> TokenStream {
        let add = self.active().map(|(i, p)| {
            let i = syn::Index::from(i);
            self.add_part(p, &quote!(__gradient.#i), scalar)
        });
        quote!(#(#add)*)
    }

    /// The same for one argument.
    pub(super) fn add_part(
        &self,
        p: &ParamDecl,
        part: &TokenStream,
        scalar: &Scalar,
    ) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (s, t) = (scalar.ty(), self.value_ty(p));
        let ct = quote!(<#t as #ad::Differentiable>::start(#ad::part::<#s, 1, #t>(&#part, 0)));
        let d = derived("d_", &self.adj_base(p));
        self.accumulated(p, &self.lent(p), &d, &ct)
    }
}
