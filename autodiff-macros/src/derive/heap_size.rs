//! `#[derive(HeapSize)]`: the bytes that the fields own on the heap.
//!
//! For `struct State { time: f64, heights: Vec<f64> }` it emits
//!
//! ```text
//! impl HeapSize for State {
//!     fn heap_size(&self) -> usize {
//!         match self {
//!             State { time: __0, heights: __1 } => 0 + HeapSize::heap_size(__0) + HeapSize::heap_size(__1),
//!         }
//!     }
//! }
//! ```

use crate::input::well_formed;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Fields, Member};

/// Implements `HeapSize`, or says why it cannot.
pub fn expand(input: TokenStream) -> TokenStream {
    syn::parse2(input)
        .and_then(implement)
        .unwrap_or_else(Error::into_compile_error)
}

fn implement(input: DeriveInput) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let arms: Vec<TokenStream> = match &input.data {
        Data::Struct(s) => vec![arm(&quote!(#name), &s.fields)?],
        Data::Enum(e) => {
            let arms = e.variants.iter().map(|v| {
                let variant = &v.ident;
                arm(&quote!(#name::#variant), &v.fields)
            });
            arms.collect::<syn::Result<_>>()?
        }
        Data::Union(_) => {
            return Err(Error::new_spanned(
                name,
                "how much memory a union owns is not known: implement `HeapSize`",
            ))
        }
    };
    let mut generics = input.generics.clone();
    for parameter in generics.type_params_mut() {
        let bound = syn::parse_quote!(::differentiable::ad::HeapSize);
        parameter.bounds.push(bound);
    }
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    // An enum without variants has no value to match.
    let size = match arms.is_empty() {
        true => quote!(match *self {}),
        false => quote!(match self { #(#arms)* }),
    };
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics ::differentiable::ad::HeapSize for #name #ty_generics #where_clause {
            #[inline]
            fn heap_size(&self) -> usize {
                #size
            }
        }
    })
}

/// The sum over the fields of a struct or of a variant.
fn arm(path: &TokenStream, fields: &Fields) -> syn::Result<TokenStream> {
    let (mut bound, mut sizes) = (Vec::new(), Vec::new());
    for (i, field) in fields.iter().enumerate() {
        well_formed::field(field)?;
        let name = format_ident!("__{i}");
        let member = match &field.ident {
            Some(ident) => Member::Named(ident.clone()),
            None => Member::from(i),
        };
        bound.push(quote!(#member: #name));
        // The span of the type: what has no size is named there.
        let span = field.ty.span();
        sizes.push(quote_spanned!(span=> ::differentiable::ad::HeapSize::heap_size(#name)));
    }
    Ok(quote!(#path { #(#bound),* } => 0 #(+ #sizes)*,))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_enums_and_unions() {
        let emitted = |item: TokenStream| expand(item).to_string().replace(' ', "");
        let unit = emitted(quote!(
            struct S;
        ));
        assert!(unit.contains("S{}=>0,"), "{unit}");
        let of_enum = emitted(quote!(
            enum E<T> {
                A,
                B(T, u8),
            }
        ));
        assert!(of_enum.contains("E::B{0:__0,1:__1}=>0+"), "{of_enum}");
        assert!(
            of_enum.contains("impl<T:::differentiable::ad::HeapSize>"),
            "{of_enum}"
        );
        assert!(emitted(quote!(
            enum Never {}
        ))
        .contains("match*self{}"));
        assert!(emitted(quote!(union U { a: u8 })).contains("compile_error"));
    }
}
