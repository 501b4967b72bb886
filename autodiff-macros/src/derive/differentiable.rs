//! `impl Differentiable` and `impl Acc`.

use super::matching::{each, every, same, Subject};
use super::model::{Kind, Model};
use super::names::{has_adj, Names};
use super::parts;
use proc_macro2::TokenStream;
use quote::quote;

pub fn differentiable(model: &Model<'_>, names: &Names) -> TokenStream {
    let name = model.name;
    let (impl_generics, ty_generics, where_clause) = model.generics.split_for_impl();
    let (_, tangent_generics, _) = model.active_generics.split_for_impl();
    let tangent = &names.tangent_ident;
    let (adj, proto) = (names.adj_type(model), names.proto_type(model));
    let (inline, parts) = (inline(model), parts::methods(model));
    let others = match model.module {
        true => quote!(ad::Off),
        false => quote!(ad::On),
    };
    let Bodies {
        proto: proto_body,
        zero_ct,
        first,
        zero_adj,
        zero_tangent,
        finish,
        finish_here,
        start,
        add_scaled,
        difference,
    } = Bodies::new(model, names);
    quote! {
        #[automatically_derived]
        impl #impl_generics ad::NotBoxed for #name #ty_generics #where_clause {}
        #[automatically_derived]
        #[allow(unused_variables)]
        impl #impl_generics ad::Differentiable for #name #ty_generics #where_clause {
            type Tangent = #tangent #tangent_generics;
            type Proto = #proto;
            type Adj<__M: ad::Mode> = #adj;
            type Others = #others;

            #inline
            fn proto(&self) -> Self::Proto { #proto_body }
            #inline
            fn zero_ct(__proto: &Self::Proto) -> ad::Ct<Self> { #zero_ct }
            #inline
            fn first(__proto: &Self::Proto, __ct: ad::Ct<Self>) -> ad::Ct<Self> { #first }
            #inline
            fn zero_adj<__M: ad::Mode>(&self, __mode: __M) -> Self::Adj<__M> { #zero_adj }
            #inline
            fn zero_tangent(&self) -> Self::Tangent { #zero_tangent }
            #inline
            fn finish(__proto: &Self::Proto, __ct: ad::Ct<Self>) -> Self::Tangent { #finish }
            #inline
            fn finish_here(&self, __ct: ad::Ct<Self>) -> Self::Tangent { #finish_here }
            #inline
            fn start(__tangent: Self::Tangent) -> ad::Ct<Self> { #start }
            #inline
            fn add_scaled(&mut self, __step: f64, __tangent: &Self::Tangent) { #add_scaled }
            #inline
            fn difference(&self, __other: &Self) -> Self::Tangent { #difference }
            #parts
        }
    }
}

struct Bodies {
    proto: TokenStream,
    zero_ct: TokenStream,
    first: TokenStream,
    zero_adj: TokenStream,
    zero_tangent: TokenStream,
    finish: TokenStream,
    finish_here: TokenStream,
    start: TokenStream,
    add_scaled: TokenStream,
    difference: TokenStream,
}

impl Bodies {
    fn new(model: &Model<'_>, names: &Names) -> Self {
        let value = Subject(quote!(self), &names.value, "x");
        let other = Subject(quote!(__other), &names.value, "y");
        let proto = Subject(quote!(__proto), &names.proto, "p");
        let ct = Subject(quote!(__ct), &names.adj, "c");
        let tangent = Subject(quote!(__tangent), &names.tangent, "t");
        Bodies {
            proto: each(model, &value, |v| {
                names.proto.build(model, v, |i, ty| {
                    let x = value.field(i);
                    quote!(<#ty as ad::Differentiable>::proto(#x))
                })
            }),
            zero_ct: each(model, &proto, |v| {
                names.adj.build(model, v, |i, ty| {
                    let p = proto.field(i);
                    quote!(<#ty as ad::Differentiable>::zero_ct(#p))
                })
            }),
            first: same(model, &proto, &ct, "add cotangents", |v| {
                names.adj.build(model, v, |i, ty| {
                    let (p, c) = (proto.field(i), ct.field(i));
                    quote!(<#ty as ad::Differentiable>::first(#p, #c))
                })
            }),
            zero_adj: each(model, &value, |v| {
                names.adj.build(model, v, |i, ty| {
                    let x = value.field(i);
                    quote!(<#ty as ad::Differentiable>::zero_adj(#x, __mode))
                })
            }),
            zero_tangent: each(model, &value, |v| {
                names.tangent.build(model, v, |i, ty| {
                    let x = value.field(i);
                    quote!(<#ty as ad::Differentiable>::zero_tangent(#x))
                })
            }),
            finish: same(model, &proto, &ct, "finish a value's cotangent", |v| {
                names.tangent.build(model, v, |i, ty| {
                    let (p, c) = (proto.field(i), ct.field(i));
                    quote!(<#ty as ad::Differentiable>::finish(#p, #c))
                })
            }),
            finish_here: same(model, &value, &ct, "finish a value's cotangent", |v| {
                names.tangent.build(model, v, |i, ty| {
                    let (x, c) = (value.field(i), ct.field(i));
                    quote!(<#ty as ad::Differentiable>::finish_here(#x, #c))
                })
            }),
            start: each(model, &tangent, |v| {
                names.adj.build(model, v, |i, ty| {
                    let t = tangent.field(i);
                    quote!(<#ty as ad::Differentiable>::start(#t))
                })
            }),
            add_scaled: same(model, &value, &tangent, "add a value and a tangent", |v| {
                every(v, |i, ty| {
                    let (x, t) = (value.field(i), tangent.field(i));
                    quote!(<#ty as ad::Differentiable>::add_scaled(#x, __step, #t);)
                })
            }),
            difference: same(model, &value, &other, "subtract values", |v| {
                names.tangent.build(model, v, |i, ty| {
                    let (x, y) = (value.field(i), other.field(i));
                    quote!(<#ty as ad::Differentiable>::difference(#x, #y))
                })
            }),
        }
    }
}

/// `impl<__M: Mode> Acc<P> for PAdj<__M>`
pub fn accumulator(model: &Model<'_>, names: &Names) -> TokenStream {
    if !has_adj(model) {
        return TokenStream::new();
    }
    let name = model.name;
    let (_, ty_generics, _) = model.generics.split_for_impl();
    let mut generics = model.generics.clone();
    let d = Subject(quote!(self), &names.adj, "d");
    let ct = Subject(quote!(__ct), &names.adj, "c");
    let (on, body) = if model.has_active() {
        generics.params.insert(0, syn::parse_quote!(__M: ad::Mode));
        let add = same(model, &d, &ct, "add cotangents", |v| {
            every(v, |i, ty| {
                let (d, c) = (d.field(i), ct.field(i));
                quote!(ad::Acc::<#ty>::acc(#d, #c);)
            })
        });
        let body = match model.kind {
            Kind::Struct => add,
            // Without this the variants would be compared for nothing.
            Kind::Enum => quote!(if __M::ON { #add }),
        };
        (quote!(__M::ON), body)
    } else {
        (quote!(false), quote!())
    };
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let adj = names.adj_type(model);
    let inline = inline(model);
    quote! {
        #[automatically_derived]
        #[allow(unused_variables)]
        impl #impl_generics ad::Acc<#name #ty_generics> for #adj #where_clause {
            const ON: bool = #on;
            #inline
            fn acc(&mut self, __ct: ad::Ct<#name #ty_generics>) { #body }
        }
    }
}

/// What calls itself cannot be inlined always.
pub fn inline(model: &Model<'_>) -> TokenStream {
    match model.recursive() {
        true => quote!(#[inline]),
        false => quote!(#[inline(always)]),
    }
}
