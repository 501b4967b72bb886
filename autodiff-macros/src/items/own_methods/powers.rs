//! Powers of the user's types: what `z.powi(n)` and `z.powf(p)` are the rules of.

use super::is_own;
use crate::syntax;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{parse_quote, FnArg, ItemImpl, ReturnType};

/// The rule of a power of the type's own, `z.powi(n)` or `z.powf(p)`, which is of the type.
pub fn rule(i: &ItemImpl, sig: &syn::Signature) -> Option<TokenStream> {
    let ad = quote!(::differentiable::__rt);
    let (ReturnType::Type(_, out), 2) = (&sig.output, sig.inputs.len()) else {
        return None;
    };
    let Some(FnArg::Typed(exponent)) = sig.inputs.last() else {
        return None;
    };
    let (ty, b_ty) = (&i.self_ty, &exponent.ty);
    if !is_own(out, ty) || !sig.generics.params.is_empty() {
        return None;
    }
    let (generics, _, clause) = i.generics.split_for_impl();
    let [vjp, jvp] = ["vjp", "jvp"].map(|mode| format_ident!("__{}_{mode}", sig.ident));
    let tangent = quote!(<Self as #ad::Differentiable>::Tangent);
    let by_base = quote! {
        let (_, __pullback) = a.#vjp((#ad::On, #ad::Off), b);
        let mut __da = <Self as #ad::Differentiable>::zero_ct(&#ad::Differentiable::proto(a));
        __pullback(::core::clone::Clone::clone(ct), a, &mut __da, &mut #ad::no_adj(&b));
        d.acc(__da);
    };
    let pushed = quote!(a.#jvp(t, b, #ad::zero_tangent(&b)).1);
    // The rule has the exponent of that of floats.
    if sig.ident == "powi" && **b_ty == parse_quote!(i32) {
        return Some(quote! {
            impl #generics #ad::PowiRule for #ty #clause {
                fn pull<D: #ad::Acc<Self>>(a: &Self, b: i32, ct: &#ad::Ct<Self>, d: &mut D) {
                    #by_base
                }
                fn push(a: &Self, b: i32, _: &Self, t: &#tangent) -> #tangent {
                    #pushed
                }
            }
        });
    }
    if sig.ident != "powf" || !syntax::ty_of(b_ty).is_float() {
        return None;
    }
    Some(quote! {
        impl #generics #ad::PowfRule<#b_ty> for #ty #clause {
            fn pull_l<D: #ad::Acc<Self>>(a: &Self, b: &#b_ty, _: &Self, ct: &#ad::Ct<Self>, d: &mut D) {
                let b = *b;
                #by_base
            }
            fn pull_r<D: #ad::Acc<#b_ty>>(a: &Self, b: &#b_ty, _: &Self, ct: &#ad::Ct<Self>, d: &mut D) {
                let (_, __pullback) = a.#vjp((#ad::Off, #ad::On), *b);
                let mut __db = <#b_ty as #ad::Differentiable>::zero_ct(&#ad::Differentiable::proto(b));
                __pullback(::core::clone::Clone::clone(ct), a, &mut #ad::no_adj(a), &mut __db);
                d.acc(__db);
            }
            fn push_l(a: &Self, b: &#b_ty, _: &Self, t: &#tangent) -> #tangent {
                let b = *b;
                #pushed
            }
            fn push_r(
                a: &Self,
                b: &#b_ty,
                _: &Self,
                t: &<#b_ty as #ad::Differentiable>::Tangent,
            ) -> #tangent {
                a.#jvp(&#ad::zero_tangent(a), *b, *t).1
            }
        }
    })
}
