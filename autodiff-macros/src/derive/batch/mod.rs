//! `#[batch]`: the batch of a struct that is a row of a data set.
//!
//! For `struct Digit { x: Tensor![64], y: i64, #[pad(Time, 0)] ids: Vec<i64> }` it emits
//!
//! ```text
//! struct Digit { x: Tensor<(Sz<64>,)>, y: i64, ids: Vec<i64> }
//! #[derive(Clone, Debug, Differentiable)]
//! struct DigitBatch {
//!     x: Tensor<(Batch, Sz<64>)>,
//!     y: Tensor<(Batch,), i64>,
//!     ids: Tensor<(Batch, Time), i64>,
//!     ids_lengths: Tensor<(Batch,), i64>,
//! }
//! impl Collate for Digit {
//!     type Batch = DigitBatch;
//!     fn collate(rows: Vec<Self>) -> Result<DigitBatch, DataError> { … }
//!     fn digest(&self, digest: &mut Digest) { … }
//! }
//! ```

mod fields;

use fields::{Column, Join};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Fields, GenericParam, Ident, Path};

/// Expands the attribute. What is wrong gives its errors, and a batch without the fields that cannot be joined, so that no
/// further error follows where the batch is used.
pub fn expand(argument: TokenStream, item: TokenStream) -> TokenStream {
    let not_a_struct = "`#[batch]` is for structs with named fields: a row of a data set";
    let Ok(mut input) = syn::parse2::<DeriveInput>(item.clone()) else {
        return Error::new_spanned(item, not_a_struct).to_compile_error();
    };
    let mut errors = Vec::new();
    let dim = dimension(argument, &mut errors);
    let columns = match &mut input.data {
        Data::Struct(data) => match &mut data.fields {
            Fields::Named(named) => fields::read(named, &dim, &mut errors),
            _ => {
                errors.push(Error::new_spanned(&input.ident, not_a_struct));
                Vec::new()
            }
        },
        _ => {
            errors.push(Error::new_spanned(&input.ident, not_a_struct));
            Vec::new()
        }
    };
    if let Some(lifetime) = input.generics.lifetimes().next() {
        errors.push(Error::new(
            lifetime.lifetime.span(),
            "a row of a batch owns its data: remove the lifetime",
        ));
    }
    if errors.is_empty() && columns.is_empty() {
        errors.push(Error::new_spanned(
            &input.ident,
            "a row of a batch has at least one field",
        ));
    }
    if !errors.is_empty() {
        let errors = errors.iter().map(Error::to_compile_error);
        let stub = input
            .generics
            .params
            .is_empty()
            .then(|| stub(&input, &columns));
        return quote!(#(#errors)* #input #stub);
    }
    let batch = definition(&input, &columns);
    let collate = collate(&input, &columns, &dim);
    quote!(#input #batch #collate)
}

/// The dimension of the batch: `Batch`, or what the attribute says.
fn dimension(argument: TokenStream, errors: &mut Vec<Error>) -> Path {
    let default = || Path::from(Ident::new("Batch", Span::call_site()));
    if argument.is_empty() {
        return default();
    }
    let span = argument.span();
    syn::parse2(argument).unwrap_or_else(|_| {
        errors.push(Error::new(
            span,
            "`#[batch]` takes the dimension of the batch: `#[batch(Rows)]` after `dim!(Rows)`",
        ));
        default()
    })
}

fn name_of(input: &DeriveInput) -> Ident {
    format_ident!("{}Batch", input.ident)
}

/// The struct of the batch.
fn definition(input: &DeriveInput, columns: &[Column]) -> TokenStream {
    let (vis, row, batch) = (&input.vis, &input.ident, name_of(input));
    let (params, clause) = (&input.generics, &input.generics.where_clause);
    let doc = format!("Rows of [`{row}`], joined to a batch.");
    let fields = columns.iter().map(|column| {
        let Column {
            docs,
            vis,
            name,
            ty,
            join,
        } = column;
        let lengths = column.lengths().map(|lengths| {
            let Join::Pad { lengths_ty, .. } = join else {
                unreachable!("only padded columns have lengths")
            };
            let doc = format!("The lengths of `{name}`, without the padding.");
            quote!(#[doc = #doc] #vis #lengths: #lengths_ty,)
        });
        let own = format!("`{name}` of each row.");
        let docs = match docs.as_slice() {
            [] => quote!(#[doc = #own]),
            docs => quote!(#(#docs)*),
        };
        quote!(#docs #vis #name: #ty, #lengths)
    });
    quote! {
        #[doc = #doc]
        #[derive(::core::clone::Clone, ::core::fmt::Debug, ::differentiable::Differentiable)]
        #[allow(clippy::type_complexity)]
        #vis struct #batch #params #clause {
            #(#fields)*
        }
    }
}

/// `impl Collate for Digit`.
fn collate(input: &DeriveInput, columns: &[Column], dim: &Path) -> TokenStream {
    let (row, batch) = (&input.ident, name_of(input));
    let (impl_generics, ty_generics, clause) = input.generics.split_for_impl();
    let data = quote!(::differentiable::data);
    let names: Vec<&Ident> = columns.iter().map(|c| &c.name).collect();
    let joined = columns.iter().map(|column| {
        let name = &column.name;
        match &column.join {
            Join::Stack => quote_spanned! {column.ty.span()=>
                let #name = <_ as #data::Stack<#dim>>::stack(#name)?;
            },
            Join::Pad { time, value, .. } => {
                let lengths = column.lengths();
                quote! {
                    let (#name, #lengths) = #data::pad::<#dim, _, _>(&#name, #time, #value)?;
                    let #lengths = <_ as #data::Stack<#dim>>::stack(#lengths.steps().to_vec())?;
                }
            }
        }
    });
    let all = columns.iter().flat_map(|c| {
        let name = c.name.clone();
        std::iter::once(name).chain(c.lengths())
    });
    let digested = columns.iter().map(|column| {
        let name = &column.name;
        match &column.join {
            Join::Stack => quote!(#data::Stack::<#dim>::digest(&self.#name, __digest);),
            Join::Pad { .. } => quote!(__digest.numbers(&self.#name);),
        }
    });
    let turbofish = turbofish(input);
    quote! {
        impl #impl_generics #data::Collate for #row #ty_generics #clause {
            type Batch = #batch #ty_generics;

            fn collate(
                __rows: ::std::vec::Vec<Self>,
            ) -> ::core::result::Result<Self::Batch, #data::DataError> {
                #( let mut #names = ::std::vec::Vec::with_capacity(__rows.len()); )*
                for __row in __rows {
                    #( #names.push(__row.#names); )*
                }
                #(#joined)*
                ::core::result::Result::Ok(#batch #turbofish { #(#all),* })
            }

            fn digest(&self, __digest: &mut #data::Digest) {
                #(#digested)*
            }
        }
    }
}

/// The batch of what could be read, which is never made.
fn stub(input: &DeriveInput, columns: &[Column]) -> TokenStream {
    let (row, batch) = (&input.ident, name_of(input));
    let definition = definition(input, columns);
    let data = quote!(::differentiable::data);
    quote! {
        #definition
        impl #data::Collate for #row {
            type Batch = #batch;

            fn collate(
                _: ::std::vec::Vec<Self>,
            ) -> ::core::result::Result<Self::Batch, #data::DataError> {
                ::core::unreachable!()
            }
        }
    }
}

/// `::<N, T>`, where the type has parameters.
fn turbofish(input: &DeriveInput) -> Option<TokenStream> {
    let names = input.generics.params.iter().map(|p| match p {
        GenericParam::Type(p) => &p.ident,
        GenericParam::Const(p) => &p.ident,
        GenericParam::Lifetime(p) => &p.lifetime.ident,
    });
    let names: Vec<_> = names.collect();
    (!names.is_empty()).then(|| quote!(::<#(#names),*>))
}

#[cfg(test)]
mod tests {
    use super::expand;
    use proc_macro2::TokenStream;
    use quote::quote;

    /// The messages of the `compile_error!`s in an expansion.
    fn errors(argument: TokenStream, item: TokenStream) -> Vec<String> {
        let expanded = expand(argument, item).to_string();
        let messages = expanded.split("compile_error").skip(1);
        messages
            .map(|rest| rest.split('"').nth(1).expect("a message").to_owned())
            .collect()
    }

    #[test]
    fn each_field_has_its_tensor() {
        let row = quote! {
            pub struct Row {
                /// Pixels.
                pub x: Tensor![2, { N }],
                y: u8,
                #[pad(Time, -1)]
                ids: Vec<i64>,
            }
        };
        let expanded = expand(quote!(Rows), row).to_string();
        for part in [
            "pub struct RowBatch",
            "pub x : :: differentiable :: tensor :: Tensor < (Rows , :: differentiable :: shape :: Sz < 2 > , :: differentiable :: shape :: Sz < { N } > ,) >",
            "y : :: differentiable :: tensor :: Tensor < (Rows ,) , i64 >",
            "ids : :: differentiable :: tensor :: Tensor < (Rows , Time ,) , i64 >",
            "ids_lengths : :: differentiable :: tensor :: Tensor < (Rows ,) , i64 >",
            "Pixels.",
            "pad :: < Rows , _ , _ > (& ids , Time , - 1)",
        ] {
            assert!(expanded.contains(part), "{part} in {expanded}");
        }
        assert!(!expanded.contains("# [pad"), "{expanded}");
    }

    #[test]
    fn what_cannot_be_joined_is_one_error_each() {
        let none = TokenStream::new;
        for (argument, item, expected) in [
            (none(), quote!(enum E { A }), "`#[batch]` is for structs with named fields"),
            (none(), quote!(struct P(f32);), "`#[batch]` is for structs with named fields"),
            (none(), quote!(fn f() {}), "`#[batch]` is for structs with named fields"),
            (none(), quote!(struct S {}), "a row of a batch has at least one field"),
            (quote!(1), quote!(struct S { x: f32 }), "`#[batch]` takes the dimension of the batch"),
            (
                none(),
                quote!(struct S<'a> { x: f32 }),
                "a row of a batch owns its data: remove the lifetime",
            ),
            (
                none(),
                quote!(struct S { name: String }),
                "`#[batch]` does not join this field: it takes `Tensor![..]`, `f32`, `f64`, integers, `bool`, and a `Vec` of numbers with `#[pad(Time, 0)]`",
            ),
            (
                none(),
                quote!(struct S { ids: Vec<i64> }),
                "rows of different lengths: say how they are padded, `#[pad(Time, 0)]` after `dim!(Time)`",
            ),
            (
                none(),
                quote!(struct S { #[pad(Time)] ids: Vec<i64> }),
                "`#[pad(Time, 0)]` has a dimension and the value behind shorter rows",
            ),
            (
                none(),
                quote!(struct S { #[pad(Time, 0)] ids: i64 }),
                "a padded field is a `Vec` of `i64`, `u32`, `u8`, `f32`, `f64` or `bool`",
            ),
            (
                none(),
                quote!(struct S { #[pad(Time, 0)] ids: Vec<String> }),
                "a padded field is a `Vec` of `i64`, `u32`, `u8`, `f32`, `f64` or `bool`",
            ),
        ] {
            let shown = item.to_string();
            let found = errors(argument, item);
            assert_eq!(found.len(), 1, "{shown}: {found:?}");
            assert!(found[0].starts_with(expected), "{shown}: {found:?}");
        }
    }
}
