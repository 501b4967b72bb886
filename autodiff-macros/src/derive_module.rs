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
//!     fn visit_buffers<__V: Visitor>(&self, __frozen: bool, __path: &mut Path, __visitor: &mut __V) {
//!         __path.enter("hidden", |__path| {
//!             if __frozen { Module::visit(&self.hidden, __path, __visitor) }
//!             Module::visit_buffers(&self.hidden, false, __path, __visitor)
//!         });
//!         __path.enter("scale", |__path| Constant(&self.scale).visit(__path, __visitor));
//!     }
//!     …and the same for `visit_buffers_mut`
//! }
//! ```

use crate::trait_object;
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
    let (parts, constants) = parts(&input)?;
    let shown = buffers(&parts, &constants, "visit", quote!(&self), "Constant");
    let changed = buffers(
        &parts,
        &constants,
        "visit_mut",
        quote!(&mut self),
        "ConstantMut",
    );
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
            fn visit_buffers<__V: ::differentiable::nn::Visitor>(
                &self,
                __frozen: bool,
                __path: &mut ::differentiable::nn::Path,
                __visitor: &mut __V,
            ) {
                #shown
            }
            fn visit_buffers_mut<__V: ::differentiable::nn::VisitorMut>(
                &mut self,
                __frozen: bool,
                __path: &mut ::differentiable::nn::Path,
                __visitor: &mut __V,
            ) {
                #changed
            }
        }
    })
}

/// Visits what is not trained: everything in a frozen module, else the tensors of constants.
fn buffers(
    parts: &[Part<'_>],
    constants: &[Part<'_>],
    visit: &str,
    this: TokenStream,
    wrapper: &str,
) -> TokenStream {
    let (all, wrapper) = (format_ident!("{visit}"), format_ident!("{wrapper}"));
    let inside = format_ident!("{}", visit.replace("visit", "visit_buffers"));
    let parts = parts.iter().map(|Part { member, name, .. }| {
        quote! {
            __path.enter(#name, |__path| {
                if __frozen {
                    ::differentiable::nn::Module::#all(#this.#member, __path, __visitor);
                }
                ::differentiable::nn::Module::#inside(#this.#member, false, __path, __visitor);
            });
        }
    });
    let constants = constants.iter().map(|Part { member, name, .. }| {
        quote! {
            __path.enter(#name, |__path| {
                #[allow(unused_imports)]
                use ::differentiable::nn::constant::NotKept as _;
                ::differentiable::nn::constant::#wrapper(#this.#member).#all(__path, __visitor);
            });
        }
    });
    quote!(#(#parts)* #(#constants)*)
}

/// The fields that are not `#[constant]`, in order, and those that are.
fn parts(input: &DeriveInput) -> syn::Result<(Vec<Part<'_>>, Vec<Part<'_>>)> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(
            input.ident.span(),
            "`Module` can be derived for structs only: its parameters must not depend on a variant",
        ));
    };
    for field in &data.fields {
        // In the words of the other derive, so that the compiler reports it once.
        if !is_constant(field)
            && let Some(object) = trait_object::inside(&field.ty)
        {
            return Err(Error::new_spanned(object, trait_object::message(object)));
        }
        well_formed::field(field)?;
    }
    let fields = data.fields.iter().enumerate();
    let parts = fields.map(|(i, field)| {
        let part = match &field.ident {
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
        };
        (part, is_constant(field))
    });
    let (constants, parts): (Vec<_>, Vec<_>) = parts.partition(|(_, constant)| *constant);
    let only = |list: Vec<(_, bool)>| list.into_iter().map(|(part, _)| part).collect();
    Ok((only(parts), only(constants)))
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
        let (parts, constants) = parts(&input).unwrap();
        let names =
            |parts: Vec<Part<'_>>| -> Vec<_> { parts.into_iter().map(|p| p.name).collect() };
        assert_eq!(
            (names(parts), names(constants)),
            (vec!["1".into()], vec!["0".into()])
        );
    }

    #[test]
    fn only_fields_of_generic_type_need_a_clause() {
        let input =
            syn::parse_quote! { struct N<L, const H: usize> { a: Vec<L>, b: Linear<H, 3> } };
        let (parts, _) = parts(&input).unwrap();
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
