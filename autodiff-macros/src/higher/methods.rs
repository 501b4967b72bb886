//! Products with Hessians for methods of types that are generic over their scalar: `m_hvp`.
//!
//! The companions of such a method are there for every scalar, as those of the type over duals too.

use super::check::{scalar_parameters, Scalar};
use super::nested::Tangents;
use crate::code::{derived, one_or_tuple};
use crate::ctxt::Ctxt;
use crate::surface::{allowed, Surface, Within};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};

const GENERIC: &str = "`higher_order` of methods is for annotated `impl` blocks that are generic over their scalar: `#[differentiable(higher_order)] impl<T: ad::Scalar> Body<T> { … }`";

impl Surface<'_> {
    /// `m_hvp`, where the value of the method is a scalar.
    pub fn method_of_higher_order(&self, span: Span, cx: &Ctxt) -> TokenStream {
        let of_type = self.outer.filter(|_| self.within == Within::Type);
        let parameters = of_type.map(scalar_parameters).unwrap_or_default();
        let [s] = parameters.as_slice() else {
            cx.error_at(span, GENERIC);
            return TokenStream::new();
        };
        let scalar = Scalar::Parameter(s.clone());
        let lent = self.params.iter().all(|p| !p.by_mut);
        if !lent || self.takes_functions() || !self.is_scalar(&scalar) {
            return TokenStream::new();
        }
        self.method_hvp(&scalar)
    }

    fn method_hvp(&self, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let s = scalar.ty();
        let (mut pairs, mut lifts, mut modes, mut call) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut setup, mut again, mut accs, mut gradient) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (i, (p, d)) in self.params.iter().zip(self.param_decls(false)).enumerate() {
            let (n, t) = (self.name_of(p), derived("t_", &self.adj_base(p)));
            let (ty, tangent) = (self.value_ty(p), self.tangent_ty(p));
            let (x, acc, proto) = (
                format_ident!("__x{i}"),
                format_ident!("__d{i}"),
                format_ident!("__q{i}"),
            );
            let value = self.lent(p);
            pairs.push(match (p.is_self(), p.constant) {
                (true, true) => d,
                (true, false) => quote!(#d, #t: &#tangent),
                (false, true) => d,
                (false, false) => {
                    let ty = &p.ty;
                    quote!((#n, #t): (#ty, #tangent))
                }
            });
            let tangent = match p.by_ref || p.is_self() {
                true => quote!(#t),
                false => quote!(&#t),
            };
            let tangents = match p.constant {
                true => Tangents::None(&value),
                false => Tangents::One(&value, &tangent),
            };
            let lifted = self.lifted(p, &s, 1, &tangents);
            lifts.push(quote!(let #x = #lifted;));
            if p.constant {
                modes.push(quote!(#ad::Off));
                setup.push(quote!(let mut #acc = #ad::no_adj(&#x);));
            } else {
                modes.push(quote!(#ad::On));
                setup.push(quote! {
                    let mut #acc = #ad::Differentiable::zero_adj(&#x, #ad::On);
                    let #proto = #ad::Differentiable::proto(&#x);
                });
                let lifted = quote!(<#ty as #ad::Lift<#s, #ad::Dual<#s>>>::Lifted);
                gradient.push(quote! {
                    #ad::part::<#s, 1, #ty>(&<#lifted as #ad::Differentiable>::finish(&#proto, #acc), 0)
                });
            }
            if p.is_self() {
                again.push(quote!(&#x));
            } else {
                call.push(match p.by_ref {
                    true => quote!(&#x),
                    false => quote!(::core::clone::Clone::clone(&#x)),
                });
                if p.by_ref {
                    again.push(quote!(&#x));
                }
            }
            accs.push(quote!(&mut #acc));
        }
        let gradient = one_or_tuple(gradient);
        let hidden = self.hidden("vjp");
        let run = match self.params.iter().any(|p| p.is_self()) {
            true => quote!(__x0.#hidden),
            false => quote!(<<Self as #ad::Lift<#s, #ad::Dual<#s>>>::Lifted>::#hidden),
        };
        let (vis, name) = (self.vis, self.method("hvp"));
        let (generics, clause) = (self.generics(&[], &[]), self.where_clause(None));
        let gradient_ty = self.gradient_ty();
        let allow = allowed();
        let doc = format!("The product of the Hessian of `{}` with a vector, in the layout of the gradient: each differentiable argument is given with its tangent.", self.sig.ident);
        quote! {
            #[doc = #doc]
            #[inline]
            #[allow(#allow)]
            #vis fn #name #generics(#(#pairs),*) -> #gradient_ty #clause {
                #(#lifts)*
                #(#setup)*
                let (_, __pullback) = #run((#(#modes,)*), #(#call),*);
                __pullback(<#ad::Dual<#s> as #ad::Scalar>::ONE, #(#again,)* #(#accs),*);
                #gradient
            }
        }
    }
}
