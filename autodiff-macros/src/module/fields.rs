//! The marks of fields: `#[param]`, `#[buffer]`, `#[config]`, `#[init(..)]`.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Field, GenericArgument, GenericParam, Generics, PathArguments, Type,
    TypeParamBound,
};

/// What the marks of a field say.
pub struct Mark {
    pub init: Option<Init>,
}

/// The expression of `#[init(..)]`.
pub struct Init {
    pub span: Span,
    pub tokens: TokenStream,
}

/// Takes the marks off a field and leaves what the derives read.
pub fn read(field: &mut Field, config: bool, generics: &Generics, errors: &mut Vec<Error>) -> Mark {
    let marks = ["param", "buffer", "config", "constant"];
    let found: Vec<Attribute> = marks
        .iter()
        .filter_map(|m| take(&mut field.attrs, m))
        .collect();
    if let [_, second, ..] = found.as_slice() {
        errors.push(Error::new_spanned(
            second,
            "a field has one of the marks `#[param]` (trained), `#[buffer]` (saved, not trained) and `#[config]` (neither)",
        ));
    }
    if let Some(wrong) = found.iter().find(|a| !matches!(a.meta, syn::Meta::Path(_))) {
        errors.push(Error::new_spanned(wrong, "this mark takes no arguments"));
    }
    let is = |name: &str| found.first().is_some_and(|a| a.path().is_ident(name));
    if config || is("config") {
        field.attrs.push(syn::parse_quote!(#[constant]));
        field.attrs.push(syn::parse_quote!(#[config]));
    } else if is("buffer") {
        field.attrs.push(syn::parse_quote!(#[constant]));
        field.attrs.push(syn::parse_quote!(#[buffer]));
    } else if is("constant") {
        field.attrs.push(syn::parse_quote!(#[constant]));
    } else if let Some(number) = number(&field.ty, generics).filter(|_| found.is_empty()) {
        errors.push(Error::new(
            number,
            "a bare number in a module: mark it `#[param]` (trained), `#[buffer]` (saved, not trained) or `#[config]` (an option, neither)",
        ));
        // As an option, so that no further error follows.
        field.attrs.push(syn::parse_quote!(#[constant]));
        field.attrs.push(syn::parse_quote!(#[config]));
    }
    let init = take(&mut field.attrs, "init").and_then(|attr| match &attr.meta {
        syn::Meta::List(list) if !list.tokens.is_empty() => Some(Init {
            span: attr.span(),
            tokens: list.tokens.clone(),
        }),
        _ => {
            errors.push(Error::new_spanned(
                &attr,
                "`#[init(..)]` has the expression that the field begins with, such as `#[init(Tensor::zeros())]` or `#[init(repeat(depth))]`",
            ));
            None
        }
    });
    if take(&mut field.attrs, "init").is_some() {
        errors.push(Error::new(field.ty.span(), "a field has one `#[init(..)]`"));
    }
    Mark { init }
}

/// Removes the first attribute of a name.
pub fn take(attrs: &mut Vec<Attribute>, name: &str) -> Option<Attribute> {
    let at = attrs.iter().position(|a| a.path().is_ident(name))?;
    Some(attrs.remove(at))
}

/// Where a type is a number of floating point, or a list, an option or a tuple of them.
fn number(ty: &Type, generics: &Generics) -> Option<Span> {
    match ty {
        Type::Path(p) => {
            let last = p.path.segments.last()?;
            if p.path.segments.len() == 1 && is_number(&last.ident, generics) {
                return Some(ty.span());
            }
            let PathArguments::AngleBracketed(arguments) = &last.arguments else {
                return None;
            };
            let holds = ["Vec", "Option", "Box"].iter().any(|n| last.ident == n);
            let inside = arguments.args.iter().filter_map(|a| match a {
                GenericArgument::Type(ty) if holds => number(ty, generics),
                _ => None,
            });
            inside.into_iter().next()
        }
        Type::Array(a) => number(&a.elem, generics),
        Type::Tuple(t) => t.elems.iter().find_map(|ty| number(ty, generics)),
        Type::Paren(t) => number(&t.elem, generics),
        Type::Group(t) => number(&t.elem, generics),
        _ => None,
    }
}

fn is_number(name: &syn::Ident, generics: &Generics) -> bool {
    name == "f32" || name == "f64" || floats(generics).any(|p| p == name)
}

/// The parameters that are element types, `T: Float`.
pub fn floats(generics: &Generics) -> impl Iterator<Item = &syn::Ident> {
    let is_float = |b: &TypeParamBound| {
        let TypeParamBound::Trait(bound) = b else {
            return false;
        };
        bound
            .path
            .segments
            .last()
            .is_some_and(|s| s.ident == "Float")
    };
    generics.params.iter().filter_map(move |p| match p {
        GenericParam::Type(p) if p.bounds.iter().any(is_float) => Some(&p.ident),
        GenericParam::Type(p) => {
            let clause = generics.where_clause.as_ref()?;
            let named = clause.predicates.iter().any(|w| match w {
                syn::WherePredicate::Type(w) => {
                    p.ident == w.bounded_ty.to_token_stream().to_string()
                        && w.bounds.iter().any(is_float)
                }
                _ => false,
            });
            named.then_some(&p.ident)
        }
        _ => None,
    })
}
