//! Methods of the user's types that are named like those of floats: `Complex::exp`, `Vec3::abs`, `Vec3::max`.
//!
//! A call `a.exp()` does not tell what `a` is. Generated code asks the type: an annotated block says by a trait what its
//! method is the rule of, as the annotated `impl` of an operator does (`autodiff-core/src/ad/operators/methods.rs`).

mod clamp;
mod powers;

use crate::knowledge::numbers;
use crate::syntax;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{parse_quote, FnArg, ImplItem, ItemImpl, ReturnType, Type};

/// The traits of such methods of an annotated block.
pub fn rules(i: &ItemImpl) -> Vec<TokenStream> {
    let functions = i.items.iter().filter_map(|item| match item {
        ImplItem::Fn(f) => Some(f),
        _ => None,
    });
    functions.filter_map(|f| rule(i, &f.sig)).collect()
}

fn rule(i: &ItemImpl, sig: &syn::Signature) -> Option<TokenStream> {
    let ad = quote!(::differentiable::__rt);
    let receiver = sig.receiver()?;
    let by_mut = matches!(&receiver.kind, syn::ReceiverKind::Reference(_, _, Some(_)));
    let ReturnType::Type(_, out) = &sig.output else {
        return None;
    };
    if let Some(rule) = powers::rule(i, sig)
        .or_else(|| clamp::rule(i, sig))
        .filter(|_| !by_mut)
    {
        return Some(rule);
    }
    let op = numbers::own_method(&sig.ident.to_string(), sig.inputs.len() - 1)?;
    if by_mut || !sig.generics.params.is_empty() || syntax::ty_of(out).is_discrete() {
        return None;
    }
    let op = format_ident!("{op}");
    let [vjp, jvp] = ["vjp", "jvp"].map(|mode| format_ident!("__{}_{mode}", sig.ident));
    let (generics, _, clause) = i.generics.split_for_impl();
    let ty = &i.self_ty;
    let Some(FnArg::Typed(right)) = sig.inputs.iter().nth(1) else {
        return Some(quote! {
            impl #generics #ad::Unary<#ad::ops::#op> for #ty #clause {
                type Out = #out;
                fn pull(a: &Self, ct: #ad::Ct<#out>, da: &mut #ad::Ct<Self>) {
                    let (_, __pullback) = a.#vjp((#ad::On,));
                    __pullback(ct, a, da);
                }
                fn push(a: &Self, ta: &<Self as #ad::Differentiable>::Tangent)
                    -> <#out as #ad::Differentiable>::Tangent
                {
                    a.#jvp(ta).1
                }
            }
        });
    };
    let (b_ty, by_ref) = match &*right.ty {
        Type::Reference(r) => (&*r.elem, true),
        ty => (ty, false),
    };
    if syntax::ty_of(b_ty).is_discrete() || matches!(b_ty, Type::Slice(_)) {
        return None;
    }
    let given = |name: TokenStream| match by_ref {
        true => name,
        false => quote!(::core::clone::Clone::clone(#name)),
    };
    let (b, tb) = (given(quote!(b)), given(quote!(tb)));
    let again = by_ref.then(|| quote!(b,));
    Some(quote! {
        impl #generics #ad::Binary<#ad::ops::#op, #b_ty> for #ty #clause {
            type Out = #out;
            fn pull(a: &Self, b: &#b_ty, ct: #ad::Ct<#out>, da: &mut #ad::Ct<Self>, db: &mut #ad::Ct<#b_ty>) {
                let (_, __pullback) = a.#vjp((#ad::On, #ad::On), #b);
                __pullback(ct, a, #again da, db);
            }
            fn push(
                a: &Self,
                b: &#b_ty,
                ta: &<Self as #ad::Differentiable>::Tangent,
                tb: &<#b_ty as #ad::Differentiable>::Tangent,
            ) -> <#out as #ad::Differentiable>::Tangent {
                a.#jvp(ta, #b, #tb).1
            }
        }
    })
}

/// Whether the type is that of the block.
fn is_own(out: &Type, of_block: &Type) -> bool {
    *out == parse_quote!(Self) || out == of_block
}
