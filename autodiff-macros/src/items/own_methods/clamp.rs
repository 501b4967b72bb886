//! `z.clamp(lo, hi)` of the user's types.

use super::is_own;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{parse_quote, FnArg, ItemImpl, ReturnType, Type};

/// The rule of a `z.clamp(lo, hi)` of the type's own, which is of the type.
pub fn rule(i: &ItemImpl, sig: &syn::Signature) -> Option<TokenStream> {
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
    let mut generics = i.generics.clone();
    let clause = generics.make_where_clause();
    // Where the type is not, there is no rule, and no error as long as nobody asks for it: a bound of a lifetime waits.
    let bounds = [&**ty, b_ty].map(|t| parse_quote!(for<'__z> #t: ::core::clone::Clone));
    clause.predicates.extend::<[syn::WherePredicate; 2]>(bounds);
    let (generics, _, clause) = generics.split_for_impl();
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
