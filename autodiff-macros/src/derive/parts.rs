//! Where the parts of a struct are, for index operators of the user's: `g[(i, j)]` is a part of `g`, and the same part of
//! its cotangent and tangent is found by the way to it.
//!
//! ```text
//! fn __seek(&self, seek: &mut Seek) -> bool { seek.only(&self.data) }
//! fn __adj_part(adj: &mut GridAdj<M>, way: &mut Way) -> &mut P::Adj<M> { way.adj::<M, Vec<f64>, P>(&mut adj.data) }
//! ```

use super::differentiable::inline;
use super::model::{Kind, Model};
use super::names::{has_adj, Names};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Member, Type};

/// The fields with a derivative. Enums have no index operators.
fn fields<'m>(model: &'m Model<'_>) -> Option<Vec<(&'m Member, &'m Type)>> {
    let fields = model.fields();
    let active = fields.filter_map(|f| Some((&f.member, f.active.as_ref()?)));
    let active: Vec<_> = active.collect();
    (model.kind == Kind::Struct && has_adj(model) && !active.is_empty()).then_some(active)
}

/// The methods of `Differentiable`.
pub fn methods(model: &Model<'_>) -> TokenStream {
    let Some(fields) = fields(model) else {
        return TokenStream::new();
    };
    let inline = inline(model);
    // One part needs no number.
    let seek = match fields.as_slice() {
        [(member, _)] => quote!(__seek.only(&self.#member)),
        fields => {
            let steps = fields.iter().enumerate();
            let steps = steps.map(|(k, (member, _))| quote!(__seek.step(#k, &self.#member)));
            quote!(#(#steps)||*)
        }
    };
    let on = |go: &dyn Fn(&Member, &Type) -> TokenStream| match fields.as_slice() {
        [(member, ty)] => go(member, ty),
        fields => {
            let arms = fields.iter().enumerate().map(|(k, (member, ty))| {
                let part = go(member, ty);
                quote!(#k => #part,)
            });
            quote!(match __way.step() { #(#arms)* _ => ::core::unreachable!() })
        }
    };
    let adj = on(&|m, ty| quote!(__way.adj::<__M, #ty, __P>(&mut __adj.#m)));
    let tangent = on(&|m, ty| quote!(__way.tangent::<#ty, __P>(&__tangent.#m)));
    let tangent_mut = on(&|m, ty| quote!(__way.tangent_mut::<#ty, __P>(&mut __tangent.#m)));
    quote! {
        #inline
        fn __seek(&self, __seek: &mut ad::Seek) -> bool where Self: 'static { #seek }
        #inline
        fn __adj_part<'__a, __M: ad::Mode, __P: ad::Part + ?Sized>(
            __adj: &'__a mut Self::Adj<__M>,
            __way: &mut ad::Way<'_>,
        ) -> &'__a mut __P::Adj<__M> where Self: 'static { #adj }
        #inline
        fn __tangent_part<'__a, __P: ad::Part + ?Sized>(
            __tangent: &'__a Self::Tangent,
            __way: &mut ad::Way<'_>,
        ) -> &'__a __P::Tangent where Self: 'static { #tangent }
        #inline
        fn __tangent_part_mut<'__a, __P: ad::Part + ?Sized>(
            __tangent: &'__a mut Self::Tangent,
            __way: &mut ad::Way<'_>,
        ) -> &'__a mut __P::Tangent where Self: 'static { #tangent_mut }
    }
}

/// What emitted code calls with a way.
pub fn spots(model: &Model<'_>, names: &Names) -> TokenStream {
    if fields(model).is_none() {
        return TokenStream::new();
    }
    let name = model.name;
    let (impl_generics, ty_generics, where_clause) = model.generics.split_for_impl();
    let predicates = where_clause.map(|w| &w.predicates);
    let (_, tangent_generics, _) = model.active_generics.split_for_impl();
    let (tangent, adj) = (&names.tangent_ident, names.adj_type(model));
    let part = syn::parse_quote!(__P: ad::Part + ?Sized);
    let mut of_tangent = model.generics.clone();
    of_tangent.params.push(part);
    of_tangent.params.push(syn::parse_quote!(__I));
    let mut of_adj = of_tangent.clone();
    let types = of_adj
        .params
        .iter()
        .position(|p| !matches!(p, syn::GenericParam::Lifetime(_)));
    of_adj
        .params
        .insert(types.unwrap_or(0), syn::parse_quote!(__M: ad::Mode));
    let (of_tangent, _, _) = of_tangent.split_for_impl();
    let (of_adj, _, _) = of_adj.split_for_impl();
    let value = quote!(#name #ty_generics);
    let spot = quote!(ad::Spot<#value, __P>);
    quote! {
        #[automatically_derived]
        impl #impl_generics ad::Parted for #value where #value: 'static, #predicates {}
        #[automatically_derived]
        impl #of_adj ad::HasSpotMut<#spot, __I> for #adj where #value: 'static, #predicates {
            type Part = __P::Adj<__M>;
            #[inline(always)]
            fn part_mut<'__a>(
                &'__a mut self,
                __spot: &#spot,
                _: __I,
                __sink: &'__a mut ::core::option::Option<::std::boxed::Box<Self::Part>>,
            ) -> &'__a mut Self::Part { __spot.adj::<__M>(self, __sink) }
        }
        #[automatically_derived]
        impl #of_tangent ad::HasSpot<#spot, __I> for #tangent #tangent_generics where #value: 'static, #predicates {
            type Part = __P::Tangent;
            #[inline(always)]
            fn __at<'__a>(
                &'__a self,
                __spot: &#spot,
                _: __I,
                __zero: &'__a mut ::core::option::Option<::std::boxed::Box<Self::Part>>,
            ) -> &'__a Self::Part { __spot.tangent(self, __zero) }
            #[inline(always)]
            fn __at_written(&mut self, __spot: &#spot, _: __I) -> &mut Self::Part { __spot.tangent_mut(self) }
        }
    }
}
