//! `#[derive(Module)]`: named parameters of a struct.
//!
//! For `struct Net { hidden: Linear<64, 32>, #[constant] scale: f32 }` it emits
//!
//! ```text
//! impl Module for Net {
//!     fn visit<__V: Visitor>(&self, __path: &mut Path, __visitor: &mut __V) {
//!         __path.enter("hidden", |__path| Module::visit(&self.hidden, __path, __visitor));
//!     }
//!     …and the same for `visit_mut` and `visit_with_grad`
//! }
//! ```

use crate::well_formed;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Index, Member};

/// Implements `Module`, or says why it cannot.
pub fn expand(input: TokenStream) -> TokenStream {
    syn::parse2(input)
        .and_then(implement)
        .unwrap_or_else(Error::into_compile_error)
}

/// A field that holds parameters.
struct Part<'a> {
    member: Member,
    name: String,
    field: &'a Field,
}

fn implement(input: DeriveInput) -> syn::Result<TokenStream> {
    let parts = parts(&input)?;
    let visit = parts.iter().map(|p| p.call("visit", quote!(&self), None));
    let visit_mut = parts
        .iter()
        .map(|p| p.call("visit_mut", quote!(&mut self), None));
    let with_grad = parts
        .iter()
        .map(|p| p.call("visit_with_grad", quote!(&mut self), Some(quote!(&__grad))));

    let mut generics = input.generics.clone();
    let open = parts
        .iter()
        .filter(|p| mentions_parameter(&p.field.ty, &input))
        .map(|p| &p.field.ty);
    let open: Vec<_> = open.collect();
    if !open.is_empty() {
        let clause = generics.make_where_clause();
        for ty in open {
            clause
                .predicates
                .push(syn::parse_quote!(#ty: ::differentiable::nn::Module));
        }
    }
    let name = &input.ident;
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        #[allow(unused_variables)]
        impl #impl_generics ::differentiable::nn::Module for #name #ty_generics #where_clause {
            fn visit<__V: ::differentiable::nn::Visitor>(
                &self,
                __path: &mut ::differentiable::nn::Path,
                __visitor: &mut __V,
            ) {
                #(#visit)*
            }
            fn visit_mut<__V: ::differentiable::nn::VisitorMut>(
                &mut self,
                __path: &mut ::differentiable::nn::Path,
                __visitor: &mut __V,
            ) {
                #(#visit_mut)*
            }
            fn visit_with_grad<__V: ::differentiable::nn::VisitorWithGrad>(
                &mut self,
                __grad: &<Self as ::differentiable::ad::Differentiable>::Tangent,
                __path: &mut ::differentiable::nn::Path,
                __visitor: &mut __V,
            ) {
                #(#with_grad)*
            }
        }
    })
}

/// The fields that are not `#[constant]`, in order.
fn parts(input: &DeriveInput) -> syn::Result<Vec<Part<'_>>> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(
            input.ident.span(),
            "`Module` can be derived for structs only: its parameters must not depend on a variant",
        ));
    };
    for field in &data.fields {
        well_formed::field(field)?;
    }
    let parts = data
        .fields
        .iter()
        .enumerate()
        .filter(|(_, field)| !is_constant(field));
    Ok(parts
        .map(|(i, field)| match &field.ident {
            Some(ident) => Part {
                name: ident.to_string().trim_start_matches("r#").to_string(),
                member: Member::Named(ident.clone()),
                field,
            },
            None => Part {
                name: i.to_string(),
                member: Member::Unnamed(Index {
                    index: i as u32,
                    span: Span::call_site(),
                }),
                field,
            },
        })
        .collect())
}

fn is_constant(field: &Field) -> bool {
    field
        .attrs
        .iter()
        .any(|a| a.path().is_ident("constant") || a.path().is_ident("no_grad"))
}

impl Part<'_> {
    /// Visits the field under its name. Spanned on the field's type, where a missing `Module`
    /// should be reported.
    fn call(&self, method: &str, this: TokenStream, grad: Option<TokenStream>) -> TokenStream {
        let Part {
            member,
            name,
            field,
        } = self;
        let method = format_ident!("{method}");
        let grad = grad.map(|g| quote!(#g.#member,));
        quote_spanned! { field.ty.span() =>
            __path.enter(#name, |__path| {
                ::differentiable::nn::Module::#method(#this.#member, #grad __path, __visitor)
            });
        }
    }
}

/// Whether a type depends on a type parameter of the struct, so that it is not known here whether
/// it is a module.
fn mentions_parameter(ty: &syn::Type, input: &DeriveInput) -> bool {
    struct Search<'a>(&'a DeriveInput, bool);
    impl<'ast> syn::visit::Visit<'ast> for Search<'_> {
        fn visit_ident(&mut self, ident: &'ast syn::Ident) {
            self.1 |= self.0.generics.type_params().any(|p| p.ident == *ident);
        }
    }
    let mut search = Search(input, false);
    syn::visit::Visit::visit_type(&mut search, ty);
    search.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constant_fields_are_left_out_and_positions_are_kept() {
        let input = syn::parse_quote! { struct N(#[constant] f32, Linear<2, 3>); };
        let parts: Vec<_> = parts(&input).unwrap().into_iter().map(|p| p.name).collect();
        assert_eq!(parts, ["1"]);
    }

    #[test]
    fn only_fields_of_generic_type_need_a_clause() {
        let input =
            syn::parse_quote! { struct N<L, const H: usize> { a: Vec<L>, b: Linear<H, 3> } };
        let parts = parts(&input).unwrap();
        assert!(mentions_parameter(&parts[0].field.ty, &input));
        assert!(!mentions_parameter(&parts[1].field.ty, &input));
    }

    #[test]
    fn an_enum_is_an_error() {
        let tokens = expand(quote! { enum E { A, B } }).to_string();
        assert!(
            tokens.contains("compile_error") && tokens.contains("structs only"),
            "{tokens}"
        );
    }
}
