//! `#[module]`: a layer or a network, from its fields.
//!
//! For `struct Net { a: Linear<8, 4>, #[init(Tensor::zeros())] shift: Tensor![4], #[config] #[init(0.5)] rate: f64 }` it emits
//!
//! ```text
//! #[derive(Clone, Debug, Differentiable, Module)]
//! #[differentiable(module)]
//! #[allow(clippy::type_complexity)]
//! struct Net { a: Linear<8, 4>, shift: Tensor<(Sz<4>,)>, #[constant] #[config] rate: f64 }
//! impl Net { fn new(seeds: &mut Seeds) -> Self { … } }
//! impl Initialize for Net { … }
//! ```
//!
//! and, where the type is generic over one `T: Float`, `impl Cast<U> for Net<T>` with the method `cast`.

mod cast;
mod construct;
mod fields;

use crate::derive::written_out;
use fields::Mark;
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Error, Fields, FnArg, Ident, PatType, Token};

/// What stands in the parentheses of `#[module(..)]`.
#[derive(Default)]
struct Options {
    /// The parameters of `new` after the seeds.
    params: Vec<PatType>,
    no_new: bool,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let alone = input.fork();
        if alone.parse::<Ident>().is_ok_and(|i| i == "no_new") && alone.is_empty() {
            input.parse::<Ident>()?;
            return Ok(Options {
                no_new: true,
                ..Options::default()
            });
        }
        let wrong = |span| {
            Error::new(
                span,
                "`#[module]` takes the parameters of `new`, as `#[module(depth: usize)]`, or `no_new`, which writes no constructor",
            )
        };
        let all =
            Punctuated::<FnArg, Token![,]>::parse_terminated(input).map_err(|e| wrong(e.span()))?;
        let typed = all.into_iter().map(|arg| match arg {
            FnArg::Typed(typed) => Ok(typed),
            FnArg::Receiver(this) => Err(wrong(this.self_token.span)),
        });
        Ok(Options {
            params: typed.collect::<syn::Result<_>>()?,
            no_new: false,
        })
    }
}

/// Expands the attribute; what is wrong is reported, and the rest is written all the same.
pub fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut input: DeriveInput = match syn::parse2(item.clone()) {
        Ok(input) => input,
        Err(_) => {
            let error = Error::new_spanned(
                item,
                "`#[module]` is for structs and enums: a layer or a network with its parameters as fields",
            );
            return error.to_compile_error();
        }
    };
    let mut errors = Vec::new();
    let options = syn::parse2(options).unwrap_or_else(|e| {
        errors.push(e);
        Options::default()
    });
    let marks = read(&mut input, &mut errors);
    let is_struct = matches!(input.data, Data::Struct(_));
    if let Some(first) = options.params.first().filter(|_| !is_struct) {
        errors.push(Error::new_spanned(
            first,
            "an enum has no `new`: its value names the variant",
        ));
    }
    let construct = (is_struct && !options.no_new)
        .then(|| construct::construct(&input, &marks, &options, &mut errors));
    let cast = cast::cast(&input);
    input.attrs.splice(0..0, derives(&input.attrs));
    let errors = errors.iter().map(Error::to_compile_error);
    quote! {
        #(#errors)*
        #input
        #construct
        #cast
    }
}

/// The traits of a module that the user does not derive already.
fn derives(attrs: &[Attribute]) -> Vec<Attribute> {
    let written: Vec<String> = attrs
        .iter()
        .filter(|a| a.path().is_ident("derive"))
        .filter_map(|a| {
            a.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated)
                .ok()
        })
        .flatten()
        .filter_map(|p| p.segments.last().map(|s| s.ident.to_string()))
        .collect();
    let missing = [
        ("Clone", quote!(::core::clone::Clone)),
        ("Debug", quote!(::core::fmt::Debug)),
        ("Differentiable", quote!(::differentiable::Differentiable)),
        ("Module", quote!(::differentiable::Module)),
    ];
    let missing = missing
        .iter()
        .filter(|(name, _)| !written.iter().any(|w| w == name));
    let paths = missing.map(|(_, path)| path);
    vec![
        syn::parse_quote!(#[derive(#(#paths),*)]),
        syn::parse_quote!(#[differentiable(module)]),
        // A row of layers is one long type, and should be.
        syn::parse_quote!(#[allow(clippy::type_complexity)]),
    ]
}

/// Reads and replaces the marks of the fields, and writes the types of tensors out. The marks of a struct come in the
/// order of its fields; those of an enum have no constructor to go to.
fn read(input: &mut DeriveInput, errors: &mut Vec<Error>) -> Vec<Mark> {
    let generics = input.generics.clone();
    let mut marks = Vec::new();
    let mut each = |fields: &mut Fields, config: bool, marks: &mut Vec<Mark>| {
        for field in fields {
            written_out::write_out(&mut field.ty);
            marks.push(fields::read(field, config, &generics, errors));
        }
    };
    match &mut input.data {
        Data::Struct(data) => each(&mut data.fields, false, &mut marks),
        Data::Enum(data) => {
            for variant in &mut data.variants {
                let config = fields::take(&mut variant.attrs, "config").is_some();
                each(&mut variant.fields, config, &mut marks);
            }
            if let Some(mark) = marks.iter().find_map(|m| m.init.as_ref()) {
                errors.push(Error::new(
                    mark.span,
                    "the fields of an enum have no `#[init(..)]`: its value is written out",
                ));
            }
        }
        Data::Union(_) => {}
    }
    marks
}
