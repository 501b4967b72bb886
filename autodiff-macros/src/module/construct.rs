//! `new`: every field by its `#[init(..)]`, or by the `new` of its type.

use super::fields::Mark;
use super::Options;
use crate::syntax;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Expr, GenericArgument, PathArguments, Token, Type};

/// The constructor, and `impl Initialize` where it has no further parameters. Nothing where a field has no beginning and
/// none asks for one: such a value is written out.
pub fn construct(
    input: &DeriveInput,
    marks: &[Mark],
    options: &Options,
    errors: &mut Vec<Error>,
) -> TokenStream {
    let Data::Struct(data) = &input.data else {
        return TokenStream::new();
    };
    let mut open = Vec::new();
    let mut missing = None;
    let mut begin = |field: &syn::Field, mark: &Mark| {
        let ty = &field.ty;
        match &mark.init {
            Some(init) => by_expression(ty, &init.tokens, input, &mut open),
            None => by_type(ty, input, &mut open).unwrap_or_else(|| {
                missing.get_or_insert_with(|| {
                    let name = field.ident.as_ref().map_or("this field".into(), |i| format!("`{i}`"));
                    Error::new(ty.span(), format!("`new` does not know how {name} begins: give the field `#[init(..)]`, for example `#[init(Tensor::zeros())]`, or write `#[module(no_new)]` and a constructor of your own"))
                });
                TokenStream::new()
            }),
        }
    };
    let begins: Vec<_> = data
        .fields
        .iter()
        .zip(marks)
        .map(|(f, m)| begin(f, m))
        .collect();
    if let Some(error) = missing {
        if !options.params.is_empty() || marks.iter().any(|m| m.init.is_some()) {
            errors.push(error);
        }
        return TokenStream::new();
    }
    let names: Vec<_> = (0..begins.len())
        .map(|i| format_ident!("__field{i}"))
        .collect();
    let types = data.fields.iter().map(|f| &f.ty);
    let members = data.fields.members();
    let (name, vis, params) = (&input.ident, &input.vis, &options.params);
    let (impl_generics, ty_generics, clause) = input.generics.split_for_impl();
    let seeds = syn::Ident::new("seeds", Span::call_site());
    // Messages about a wrong call show the line of the name.
    let new = syn::Ident::new("new", name.span());
    let bounds = open
        .iter()
        .map(|ty| quote!(#ty: ::differentiable::nn::Initialize));
    let bounds = (!open.is_empty()).then(|| quote!(where #(#bounds),*));
    let mut whole = input.generics.clone();
    for ty in &open {
        let clause = whole.make_where_clause();
        clause
            .predicates
            .push(syn::parse_quote!(#ty: ::differentiable::nn::Initialize));
    }
    let (_, _, whole) = whole.split_for_impl();
    let initialize = params.is_empty().then(|| {
        quote! {
            #[automatically_derived]
            impl #impl_generics ::differentiable::nn::Initialize for #name #ty_generics #whole {
                fn initialize(#seeds: &mut ::differentiable::nn::Seeds) -> Self {
                    Self::new(#seeds)
                }
            }
        }
    });
    quote! {
        #[automatically_derived]
        #[allow(clippy::new_ret_no_self, clippy::too_many_arguments, clippy::type_complexity)]
        impl #impl_generics #name #ty_generics #clause {
            /// Every part as it begins, in the order of the fields; random numbers come from the seeds.
            #[allow(unused_variables, private_bounds, dead_code)]
            #vis fn #new(#seeds: &mut ::differentiable::nn::Seeds, #(#params),*) -> Self #bounds {
                #(let #names: #types = #begins;)*
                Self { #(#members: #names),* }
            }
        }
        #initialize
    }
}

/// `#[init(expr)]`, with `repeat(n)` and `repeat(n, expr)` for the parts of a `Vec`.
fn by_expression(
    ty: &Type,
    tokens: &TokenStream,
    input: &DeriveInput,
    open: &mut Vec<Type>,
) -> TokenStream {
    let Some(arguments) = repeated(tokens) else {
        return tokens.clone();
    };
    let mut arguments = arguments.iter();
    let (count, each) = (arguments.next(), arguments.next());
    let each = match (each, argument(ty, "Vec")) {
        (Some(each), _) => quote!(#each),
        (None, Some(part)) => match by_type(part, input, open) {
            Some(begin) => begin,
            None => {
                quote_spanned!(tokens.span() => ::core::compile_error!("`repeat(n)` takes each part from the `new` of its type, which these have not: write `repeat(n, expr)`"))
            }
        },
        (None, None) => {
            quote_spanned!(tokens.span() => ::core::compile_error!("`repeat(n)` is for a field of the type `Vec`"))
        }
    };
    quote!((0..#count).map(|_| #each).collect::<::std::vec::Vec<_>>())
}

/// The arguments of `repeat(..)`.
fn repeated(tokens: &TokenStream) -> Option<Punctuated<Expr, Token![,]>> {
    let Expr::Call(call) = syn::parse2(tokens.clone()).ok()? else {
        return None;
    };
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    (path.path.is_ident("repeat") && (1..=2).contains(&call.args.len())).then_some(call.args)
}

/// The beginning of a type that has one of its own: a layer, a box, an array or a tuple of layers, nothing.
fn by_type(ty: &Type, input: &DeriveInput, open: &mut Vec<Type>) -> Option<TokenStream> {
    let seeds = syn::Ident::new("seeds", Span::call_site());
    match ty {
        Type::Paren(t) => by_type(&t.elem, input, open),
        Type::Group(t) => by_type(&t.elem, input, open),
        Type::Array(a) => {
            let each = by_type(&a.elem, input, open)?;
            Some(quote!(::core::array::from_fn(|_| #each)))
        }
        Type::Tuple(t) => {
            let parts = t.elems.iter().map(|ty| by_type(ty, input, open));
            let parts: Vec<_> = parts.collect::<Option<_>>()?;
            Some(quote!((#(#parts,)*)))
        }
        Type::Path(p) => {
            if let Some(inner) = argument(ty, "Box") {
                let inner = by_type(inner, input, open)?;
                return Some(quote!(::std::boxed::Box::new(#inner)));
            }
            let last = &p.path.segments.last()?.ident;
            if last == "PhantomData" {
                return Some(quote!(::core::marker::PhantomData));
            }
            let written_out = ["Tensor", "Vec", "Option"].iter().any(|n| last == n);
            if written_out
                || syntax::ty_of(ty).is_discrete()
                || last == "f32"
                || last == "f64"
                || last == "String"
            {
                return None;
            }
            let own = input
                .generics
                .type_params()
                .any(|g| p.path.is_ident(&g.ident));
            if own {
                if !open.contains(ty) {
                    open.push(ty.clone());
                }
                return Some(quote!(<#ty as ::differentiable::nn::Initialize>::initialize(#seeds)));
            }
            // By the name of the method, so that layers of the user's take part without a trait.
            Some(quote_spanned!(ty.span() => <#ty>::new(#seeds)))
        }
        _ => None,
    }
}

/// `T` of `Vec<T>`, for the name `Vec`.
fn argument<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(p) = ty else {
        return None;
    };
    let last = p.path.segments.last().filter(|s| s.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    arguments.args.iter().find_map(|a| match a {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
