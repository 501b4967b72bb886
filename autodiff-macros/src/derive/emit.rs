//! The derived code.

use super::input::{Struct, Style};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Generics, Ident, Member, Type};

pub fn emit(input: &Struct<'_>) -> TokenStream {
    let names = Names::new(input);
    let structs = [tangent_struct(input, &names), adj_struct(input, &names)];
    let impls = [
        differentiable(input, &names),
        accumulator(input, &names),
        tangent(input, &names),
        std_traits(input, &names),
    ];
    quote! {
        #(#structs)*
        #[allow(clippy::all)]
        const _: () = {
            #[allow(unused_imports)]
            use ::differentiable::__rt as ad;
            #(#impls)*
        };
    }
}

struct Names {
    tangent: Ident,
    adj: Ident,
    /// The generics of the accumulator struct: the mode, then those of the tangent.
    adj_generics: Generics,
}

impl Names {
    fn new(input: &Struct<'_>) -> Self {
        let mut adj_generics = input.active_generics.clone();
        adj_generics
            .params
            .insert(0, syn::parse_quote!(__M: ::differentiable::__rt::Mode));
        Names {
            tangent: format_ident!("{}Tangent", input.name),
            adj: format_ident!("{}Adj", input.name),
            adj_generics,
        }
    }

    /// The accumulator type in `mode`; a struct without differentiable fields needs none.
    fn adj_type(&self, input: &Struct<'_>, mode: TokenStream) -> TokenStream {
        if input.active().next().is_none() {
            return quote!(::differentiable::__rt::NoGrad);
        }
        let adj = &self.adj;
        let params = input.active_generics.params.iter().map(param_name);
        quote!(#adj<#mode #(, #params)*>)
    }
}

fn param_name(param: &syn::GenericParam) -> &Ident {
    match param {
        syn::GenericParam::Type(param) => &param.ident,
        syn::GenericParam::Const(param) => &param.ident,
        syn::GenericParam::Lifetime(param) => &param.lifetime.ident,
    }
}

/// `struct PTangent { a: <f64 as Differentiable>::Tangent, n: () }`
fn tangent_struct(input: &Struct<'_>, names: &Names) -> TokenStream {
    let doc = format!(
        "The tangent of [`{0}`]: a direction in its space, and the form its gradient is returned in.",
        input.name
    );
    let fields = |ty: Option<&Type>| match ty {
        Some(ty) => quote!(<#ty as ::differentiable::__rt::Differentiable>::Tangent),
        None => quote!(()),
    };
    derived_struct(input, &doc, &names.tangent, &input.active_generics, fields)
}

/// `struct PAdj<__M: Mode> { a: <f64 as Differentiable>::Adj<__M>, n: NoGrad }`
fn adj_struct(input: &Struct<'_>, names: &Names) -> TokenStream {
    if input.active().next().is_none() {
        return TokenStream::new();
    }
    let doc = format!("The accumulator of cotangents of [`{}`].", input.name);
    let fields = |ty: Option<&Type>| match ty {
        Some(ty) => quote!(<#ty as ::differentiable::__rt::Differentiable>::Adj<__M>),
        None => quote!(::differentiable::__rt::NoGrad),
    };
    let item = derived_struct(input, &doc, &names.adj, &names.adj_generics, fields);
    quote!(#[doc(hidden)] #item)
}

fn derived_struct(
    input: &Struct<'_>,
    doc: &str,
    name: &Ident,
    generics: &Generics,
    field_type: impl Fn(Option<&Type>) -> TokenStream,
) -> TokenStream {
    let vis = input.vis;
    let (params, where_clause) = (&generics.params, &generics.where_clause);
    let fields = input.fields.iter().map(|field| {
        let (vis, member) = (field.vis, &field.member);
        let ty = field_type(field.active);
        let doc = match member {
            Member::Named(name) => format!("The part of `{name}`."),
            Member::Unnamed(index) => format!("The part of field {}.", index.index),
        };
        match member {
            Member::Named(name) => quote!(#[doc = #doc] #vis #name: #ty),
            Member::Unnamed(_) => quote!(#[doc = #doc] #vis #ty),
        }
    });
    let allow = quote!(#[allow(clippy::all, dead_code, missing_debug_implementations, non_camel_case_types)]);
    match input.style {
        Style::Named => {
            quote!(#[doc = #doc] #allow #vis struct #name<#params> #where_clause { #(#fields),* })
        }
        Style::Tuple => {
            quote!(#[doc = #doc] #allow #vis struct #name<#params>(#(#fields),*) #where_clause;)
        }
        Style::Unit => quote!(#[doc = #doc] #allow #vis struct #name<#params> #where_clause;),
    }
}

fn differentiable(input: &Struct<'_>, names: &Names) -> TokenStream {
    let name = input.name;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let (_, tangent_generics, _) = input.active_generics.split_for_impl();
    let tangent = &names.tangent;
    let adj = names.adj_type(input, quote!(__M));
    let protos = active_types(input)
        .map(|ty| quote!(<#ty as ad::Differentiable>::Proto))
        .collect();
    let proto_type = tuple(protos);
    let proto_value = tuple(
        input
            .active()
            .map(|(member, ty)| quote!(<#ty as ad::Differentiable>::proto(&self.#member)))
            .collect(),
    );
    let proto_paths = tuple_paths(input.active().count());

    // `make(constant, active)` builds one of the derived structs field by field.
    let construct =
        |path: TokenStream,
         constant: TokenStream,
         active: &dyn Fn(&Member, &Type, &TokenStream) -> TokenStream| {
            let mut paths = proto_paths.iter();
            let fields = input.fields.iter().map(|field| {
                let member = &field.member;
                match field.active {
                    Some(ty) => {
                        let value = active(
                            member,
                            ty,
                            paths.next().expect("a prototype for every field"),
                        );
                        quote!(#member: #value)
                    }
                    None => quote!(#member: #constant),
                }
            });
            quote!(#path { #(#fields),* })
        };
    let adj_struct = &names.adj;
    let make_adj = |active: &dyn Fn(&Member, &Type, &TokenStream) -> TokenStream| {
        if input.active().next().is_none() {
            quote!(ad::NoGrad)
        } else {
            construct(quote!(#adj_struct), quote!(ad::NoGrad), active)
        }
    };
    let make_tangent = |active: &dyn Fn(&Member, &Type, &TokenStream) -> TokenStream| {
        construct(quote!(#tangent), quote!(()), active)
    };

    let zero_ct =
        make_adj(&|_, ty, path| quote!(<#ty as ad::Differentiable>::zero_ct(&__proto #path)));
    let zero_adj = make_adj(
        &|member, ty, _| quote!(<#ty as ad::Differentiable>::zero_adj(&self.#member, __mode)),
    );
    let start =
        make_adj(&|member, ty, _| quote!(<#ty as ad::Differentiable>::start(__tangent.#member)));
    let zero_tangent = make_tangent(
        &|member, ty, _| quote!(<#ty as ad::Differentiable>::zero_tangent(&self.#member)),
    );
    let finish = make_tangent(
        &|member, ty, path| quote!(<#ty as ad::Differentiable>::finish(&__proto #path, __ct.#member)),
    );
    let difference = make_tangent(
        &|member, ty, _| quote!(<#ty as ad::Differentiable>::difference(&self.#member, &__other.#member)),
    );
    let add_scaled = input.active().map(|(member, ty)| {
        quote!(<#ty as ad::Differentiable>::add_scaled(&mut self.#member, __step, &__tangent.#member);)
    });

    quote! {
        #[automatically_derived]
        #[allow(unused_variables)]
        impl #impl_generics ad::Differentiable for #name #ty_generics #where_clause {
            type Tangent = #tangent #tangent_generics;
            type Proto = #proto_type;
            type Adj<__M: ad::Mode> = #adj;

            #[inline(always)]
            fn proto(&self) -> Self::Proto { #proto_value }
            #[inline(always)]
            fn zero_ct(__proto: &Self::Proto) -> ad::Ct<Self> { #zero_ct }
            #[inline(always)]
            fn zero_adj<__M: ad::Mode>(&self, __mode: __M) -> Self::Adj<__M> { #zero_adj }
            #[inline(always)]
            fn zero_tangent(&self) -> Self::Tangent { #zero_tangent }
            #[inline(always)]
            fn finish(__proto: &Self::Proto, __ct: ad::Ct<Self>) -> Self::Tangent { #finish }
            #[inline(always)]
            fn start(__tangent: Self::Tangent) -> ad::Ct<Self> { #start }
            #[inline(always)]
            fn add_scaled(&mut self, __step: f64, __tangent: &Self::Tangent) { #(#add_scaled)* }
            #[inline(always)]
            fn difference(&self, __other: &Self) -> Self::Tangent { #difference }
        }
    }
}

/// `impl<__M: Mode> Acc<P> for PAdj<__M>`
fn accumulator(input: &Struct<'_>, names: &Names) -> TokenStream {
    if input.active().next().is_none() {
        return TokenStream::new();
    }
    let name = input.name;
    let mut generics = input.generics.clone();
    generics.params.insert(0, syn::parse_quote!(__M: ad::Mode));
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (_, ty_generics, _) = input.generics.split_for_impl();
    let adj = names.adj_type(input, quote!(__M));
    let accs = input
        .active()
        .map(|(member, ty)| quote!(ad::Acc::<#ty>::acc(&mut self.#member, __ct.#member);));
    quote! {
        #[automatically_derived]
        impl #impl_generics ad::Acc<#name #ty_generics> for #adj #where_clause {
            const ON: bool = __M::ON;
            #[inline(always)]
            fn acc(&mut self, __ct: ad::Ct<#name #ty_generics>) { #(#accs)* }
        }
    }
}

/// `impl Tangent for PTangent`
fn tangent(input: &Struct<'_>, names: &Names) -> TokenStream {
    let tangent = &names.tangent;
    let (impl_generics, ty_generics, where_clause) = input.active_generics.split_for_impl();
    let members: Vec<&Member> = input.active().map(|(member, _)| member).collect();
    let constants: Vec<&Member> = input
        .fields
        .iter()
        .filter(|field| field.active.is_none())
        .map(|field| &field.member)
        .collect();
    quote! {
        #[automatically_derived]
        #[allow(unused_variables)]
        impl #impl_generics ad::Tangent for #tangent #ty_generics #where_clause {
            #[inline(always)]
            fn add(self, __other: Self) -> Self {
                Self {
                    #(#members: ad::Tangent::add(self.#members, __other.#members),)*
                    #(#constants: (),)*
                }
            }
            #[inline(always)]
            fn scale(self, __factor: f64) -> Self {
                Self { #(#members: ad::Tangent::scale(self.#members, __factor),)* #(#constants: (),)* }
            }
            #[inline(always)]
            fn dot(&self, __other: &Self) -> f64 {
                0.0 #(+ ad::Tangent::dot(&self.#members, &__other.#members))*
            }
            #[inline]
            fn fill_with(&self, __next: &mut dyn ::core::ops::FnMut() -> f64) -> Self {
                Self { #(#members: ad::Tangent::fill_with(&self.#members, __next),)* #(#constants: (),)* }
            }
        }
    }
}

/// `Clone`, `Debug` and `PartialEq` for `PTangent`, the latter two where every field has them.
fn std_traits(input: &Struct<'_>, names: &Names) -> TokenStream {
    let tangent = &names.tangent;
    let (impl_generics, ty_generics, where_clause) = input.active_generics.split_for_impl();
    let members: Vec<&Member> = input.fields.iter().map(|field| &field.member).collect();
    let label = tangent.to_string();
    let debug = match input.style {
        Style::Named => {
            let names = input.fields.iter().map(|field| match &field.member {
                Member::Named(name) => name.to_string(),
                Member::Unnamed(index) => index.index.to_string(),
            });
            quote!(__f.debug_struct(#label) #(.field(#names, &self.#members))* .finish())
        }
        Style::Tuple => quote!(__f.debug_tuple(#label) #(.field(&self.#members))* .finish()),
        Style::Unit => quote!(__f.write_str(#label)),
    };
    let debug_where = where_all(input, &quote!(::core::fmt::Debug));
    let eq_where = where_all(input, &quote!(::core::cmp::PartialEq));
    quote! {
        #[automatically_derived]
        impl #impl_generics ::core::clone::Clone for #tangent #ty_generics #where_clause {
            #[inline(always)]
            fn clone(&self) -> Self {
                Self { #(#members: ::core::clone::Clone::clone(&self.#members),)* }
            }
        }
        #[automatically_derived]
        impl #impl_generics ::core::fmt::Debug for #tangent #ty_generics #debug_where {
            fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { #debug }
        }
        #[automatically_derived]
        #[allow(unused_variables)]
        impl #impl_generics ::core::cmp::PartialEq for #tangent #ty_generics #eq_where {
            fn eq(&self, __other: &Self) -> bool { true #(&& self.#members == __other.#members)* }
        }
    }
}

/// The where clause, with the tangent of every differentiable field bound by `bound`.
///
/// The unused lifetime keeps rustc from refusing a bound on a concrete type that does not hold: the
/// impl then simply does not apply.
fn where_all(input: &Struct<'_>, bound: &TokenStream) -> TokenStream {
    let mut generics = input.active_generics.clone();
    let clause = generics.make_where_clause();
    for ty in active_types(input) {
        clause
            .predicates
            .push(syn::parse_quote!(for<'__a> <#ty as ad::Differentiable>::Tangent: #bound));
    }
    quote!(#clause)
}

fn active_types<'a>(input: &'a Struct<'_>) -> impl Iterator<Item = &'a Type> {
    input.active().map(|(_, ty)| ty)
}

/// `std` implements `Clone` for tuples of up to twelve entries; longer ones are tuples of tuples.
const TUPLE: usize = 12;

fn tuple(items: Vec<TokenStream>) -> TokenStream {
    if items.len() <= TUPLE {
        return quote!((#(#items,)*));
    }
    let size = chunk(items.len());
    tuple(
        items
            .chunks(size)
            .map(|items| tuple(items.to_vec()))
            .collect(),
    )
}

/// The field accesses `.0.1` that lead to the entries of a [`tuple`].
fn tuple_paths(len: usize) -> Vec<TokenStream> {
    let index = |i: usize| syn::Index::from(i);
    if len <= TUPLE {
        return (0..len).map(index).map(|i| quote!(.#i)).collect();
    }
    let size = chunk(len);
    let chunks: Vec<usize> = (0..len)
        .step_by(size)
        .map(|start| size.min(len - start))
        .collect();
    let outer = tuple_paths(chunks.len());
    outer
        .iter()
        .zip(chunks)
        .flat_map(|(outer, len)| {
            tuple_paths(len)
                .into_iter()
                .map(move |inner| quote!(#outer #inner))
        })
        .collect()
}

/// So that the outer tuple has at most twelve entries.
fn chunk(len: usize) -> usize {
    len.div_ceil(TUPLE)
}
