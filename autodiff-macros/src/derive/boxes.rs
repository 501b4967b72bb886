//! Fields in a box.
//!
//! The traits that lead to other scalars are there for every scalar, so the core cannot implement them for `Box` too:
//! derived code goes through the box itself.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{GenericArgument, PathArguments, Type};

/// What is in the box, if the type is one.
pub fn inside(ty: &Type) -> Option<&Type> {
    let Type::Path(p) = ty else { return None };
    let last = p.path.segments.last().filter(|s| s.ident == "Box")?;
    match &last.arguments {
        PathArguments::AngleBracketed(a) => match a.args.first() {
            Some(GenericArgument::Type(t)) if a.args.len() == 1 => Some(t),
            _ => None,
        },
        _ => None,
    }
}

/// A type without its box.
pub fn unboxed(ty: &Type) -> &Type {
    inside(ty).map_or(ty, unboxed)
}

/// A reference to what a binding by reference refers to, without its box.
pub fn reference(ty: &Type, x: TokenStream) -> TokenStream {
    match inside(ty) {
        Some(inner) => reference(inner, quote!(&**#x)),
        None => x,
    }
}

/// A value, in the boxes that its type has.
pub fn boxed(ty: &Type, value: TokenStream) -> TokenStream {
    match inside(ty) {
        Some(inner) => {
            let value = boxed(inner, value);
            quote!(::std::boxed::Box::new(#value))
        }
        None => value,
    }
}
