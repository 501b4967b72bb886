//! Methods of the user's types that are named like those of floats: `Complex::exp`, `Vec3::abs`, `Vec3::max`.
//!
//! A call `a.exp()` does not tell what `a` is. Generated code asks the type: an annotated block says by a trait what its
//! method is the rule of, as the annotated `impl` of an operator does (`autodiff-core/src/ad/operators/methods.rs`).

use crate::prims;
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
    if let Some(rule) = power(i, sig).or_else(|| clamp(i, sig)).filter(|_| !by_mut) {
        return Some(rule);
    }
    let op = prims::own_method(&sig.ident.to_string(), sig.inputs.len() - 1)?;
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

/// The rule of a power of the type's own, `z.powi(n)` or `z.powf(p)`, which is of the type.
fn power(i: &ItemImpl, sig: &syn::Signature) -> Option<TokenStream> {
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

/// The rule of a `z.clamp(lo, hi)` of the type's own, which is of the type.
fn clamp(i: &ItemImpl, sig: &syn::Signature) -> Option<TokenStream> {
    let ad = quote!(::differentiable::__rt);
    let inputs: Vec<_> = sig.inputs.iter().collect();
    let (ReturnType::Type(_, out), [_, FnArg::Typed(lo), FnArg::Typed(hi)]) =
        (&sig.output, &inputs[..])
    else {
        return None;
    };
    let ty = &i.self_ty;
    let named = sig.ident == "clamp" && lo.ty == hi.ty && is_own(out, ty);
    if !named || !sig.generics.params.is_empty() {
        return None;
    }
    let (b_ty, by_ref) = match &*lo.ty {
        Type::Reference(r) => (&*r.elem, true),
        ty => (ty, false),
    };
    let (generics, _, clause) = i.generics.split_for_impl();
    let [vjp, jvp] = ["vjp", "jvp"].map(|mode| format_ident!("__{}_{mode}", sig.ident));
    let given = |name: TokenStream| match by_ref {
        true => quote!(&#name),
        false => quote!(::core::clone::Clone::clone(&#name)),
    };
    let [x, lo, hi] = ["x", "lo", "hi"].map(|n| format_ident!("{n}"));
    let (b_lo, b_hi) = (given(quote!(*#lo)), given(quote!(*#hi)));
    let again = by_ref.then(|| quote!(#lo, #hi,));
    // One of the three has a derivative at a time.
    let pull = |wanted: usize, value: &syn::Ident| {
        let modes = (0..3).map(|k| if k == wanted { quote!(On) } else { quote!(Off) });
        let accs = [&x, &lo, &hi]
            .into_iter()
            .enumerate()
            .map(|(k, n)| match k == wanted {
                true => quote!(&mut __d),
                false => quote!(&mut #ad::no_adj(#n)),
            });
        quote! {
            let (x, lo, hi) = (&sel.0, &sel.1, &sel.2);
            let (_, __pullback) = x.#vjp((#(#ad::#modes),*), #b_lo, #b_hi);
            let mut __d = #ad::Differentiable::zero_adj(#value, #ad::On);
            __pullback(::core::clone::Clone::clone(ct), x, #again #(#accs),*);
            d.acc(__d);
        }
    };
    let push = |wanted: usize| {
        let tangents = [&x, &lo, &hi].into_iter().enumerate().map(|(k, n)| {
            match (k == wanted, k == 0 || by_ref) {
                (true, true) => quote!(t),
                (true, false) => quote!(::core::clone::Clone::clone(t)),
                (false, true) => quote!(&#ad::zero_tangent(#n)),
                (false, false) => quote!(#ad::zero_tangent(#n)),
            }
        });
        let [t_x, t_lo, t_hi] = <[_; 3]>::try_from(tangents.collect::<Vec<_>>()).ok()?;
        Some(quote!(x.#jvp(#t_x, #b_lo, #t_lo, #b_hi, #t_hi).1))
    };
    let (pull_x, pull_lo, pull_hi) = (pull(0, &x), pull(1, &lo), pull(2, &hi));
    let (push_x, push_lo, push_hi) = (push(0)?, push(1)?, push(2)?);
    let tangent = quote!(<Self as #ad::Differentiable>::Tangent);
    let of_bound = quote!(<#b_ty as #ad::Differentiable>::Tangent);
    let values = quote!(x: &Self, lo: &#b_ty, hi: &#b_ty);
    let pulled = quote!(sel: &Self::Sel, ct: &#ad::Ct<Self>, d: &mut D);
    Some(quote! {
        impl #generics #ad::ClampRule<#b_ty> for #ty #clause {
            type Sel = (Self, #b_ty, #b_ty);
            fn sel(#values) -> Self::Sel {
                (::core::clone::Clone::clone(x), ::core::clone::Clone::clone(lo), ::core::clone::Clone::clone(hi))
            }
            fn pull_x<D: #ad::Acc<Self>>(_: &#ad::Wit<Self>, #pulled) { #pull_x }
            fn pull_lo<D: #ad::Acc<#b_ty>>(_: &#ad::Wit<Self>, _: &#ad::Wit<#b_ty>, #pulled) { #pull_lo }
            fn pull_hi<D: #ad::Acc<#b_ty>>(_: &#ad::Wit<Self>, _: &#ad::Wit<#b_ty>, #pulled) { #pull_hi }
            fn push_x(#values, _: &Self, t: &#tangent) -> #tangent { #push_x }
            fn push_lo(#values, _: &Self, t: &#of_bound) -> #tangent { #push_lo }
            fn push_hi(#values, _: &Self, t: &#of_bound) -> #tangent { #push_hi }
        }
    })
}

/// Whether the type is that of the block.
fn is_own(out: &Type, of_block: &Type) -> bool {
    *out == parse_quote!(Self) || out == of_block
}
