//! `impl ToDevice`: every field is brought to the device.
//!
//! For `struct Net<L> { layer: L, #[constant] rate: Rate }` it emits
//!
//! ```text
//! impl<L> device::ToDevice for Net<L> where L: device::ToDevice {
//!     fn each_storage(&mut self, __each: &mut dyn FnMut(&mut dyn device::AnyStorage)) {
//!         match self { Net { layer: __f0, rate: __f1 } => {
//!             device::ToDevice::each_storage(__f0, __each);
//!             device::Moved(__f1).each_storage(__each);
//!         } }
//!     }
//! }
//! ```
//!
//! with the number of the variant in front where there are several, and where `Moved` lets method lookup find out whether a type has anything to bring.

use super::generics::mentions;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Fields, Ident, Type};

/// The impl.
pub fn to_device(input: &DeriveInput) -> TokenStream {
    let device = quote!(::differentiable::device);
    // Of a field with the type itself in it the other bounds are enough.
    let is_open = |ty: &Type| {
        let mut parameters = input.generics.type_params();
        parameters.any(|p| mentions(ty, &p.ident)) && !mentions(ty, &input.ident)
    };
    let mut open = Vec::new();
    let mut case = |path: TokenStream, fields: &Fields, variant: Option<usize>| {
        let names: Vec<Ident> = (0..fields.len()).map(|i| format_ident!("__f{i}")).collect();
        let pattern = match fields {
            Fields::Named(f) => {
                let members = f.named.iter().map(|f| &f.ident);
                quote!(#path { #(#members: #names),* })
            }
            Fields::Unnamed(_) => quote!(#path(#(#names),*)),
            Fields::Unit => quote!(#path),
        };
        let moves = fields.iter().zip(&names).map(|(field, name)| {
            let constant = field.attrs.iter().any(|a| a.path().is_ident("constant"));
            if !constant && is_open(&field.ty) {
                open.push(field.ty.clone());
                quote!(#device::ToDevice::each_storage(#name, __each);)
            } else {
                quote!(#device::Moved(#name).each_storage(__each);)
            }
        });
        let moves: Vec<_> = moves.collect();
        let variant = variant.map(|at| {
            let at = at as u64;
            quote!(__each(&mut #device::HostNumber(#at));)
        });
        quote!(#pattern => { #variant #(#moves)* })
    };
    let cases: Vec<TokenStream> = match &input.data {
        Data::Struct(data) => vec![case(quote!(Self), &data.fields, None)],
        Data::Enum(data) => {
            let variant = |(at, v): (usize, &syn::Variant)| {
                let name = &v.ident;
                case(quote!(Self::#name), &v.fields, Some(at))
            };
            data.variants.iter().enumerate().map(variant).collect()
        }
        Data::Union(_) => return TokenStream::new(),
    };
    let body = match cases.as_slice() {
        [] => TokenStream::new(),
        cases => quote!(match self { #(#cases)* }),
    };
    let mut generics = input.generics.clone();
    if !open.is_empty() {
        let clause = generics.make_where_clause();
        for ty in open {
            clause
                .predicates
                .push(syn::parse_quote!(#ty: #device::ToDevice));
        }
    }
    let name = &input.ident;
    let (impl_generics, ty_generics, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        #[allow(unused_variables, unused_imports)]
        const _: () = {
            use #device::Stays as _;
            impl #impl_generics #device::ToDevice for #name #ty_generics #clause {
                fn each_storage(&mut self, __each: &mut dyn FnMut(&mut dyn #device::AnyStorage)) {
                    #body
                }
            }
        };
    }
}
