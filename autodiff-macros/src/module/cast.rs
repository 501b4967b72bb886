//! `cast::<U>()`: the same module with numbers of another type.

use super::fields::floats;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Data, DeriveInput, Fields};

/// `impl Cast` for a type that is generic over one `T: Float`.
pub fn cast(input: &DeriveInput) -> TokenStream {
    let mut all = floats(&input.generics);
    let (Some(float), None) = (all.next(), all.next()) else {
        return TokenStream::new();
    };
    let other = format_ident!("__U");
    let (name, vis) = (&input.ident, &input.vis);
    let (_, ty_generics, _) = input.generics.split_for_impl();
    let mut out: syn::Type = syn::parse_quote!(#name #ty_generics);
    Exchange(float, &other).visit_type_mut(&mut out);

    let mut generics = input.generics.clone();
    generics
        .params
        .push(syn::parse_quote!(#other: ::differentiable::Float));
    if let Some(clause) = &mut generics.where_clause {
        let mut again = clause.predicates.clone();
        again
            .iter_mut()
            .for_each(|p| Exchange(float, &other).visit_where_predicate_mut(p));
        clause.predicates.extend(again);
    }
    let (impl_generics, _, clause) = generics.split_for_impl();
    let (own_generics, _, own_clause) = input.generics.split_for_impl();

    let case = |path: TokenStream, fields: &Fields| {
        let names: Vec<Ident> = (0..fields.len()).map(|i| format_ident!("__x{i}")).collect();
        let members: Vec<_> = fields.members().collect();
        let values = fields
            .iter()
            .zip(&names)
            .map(|(f, x)| match mentions(&f.ty, float) {
                true => quote!(::differentiable::nn::Cast::<#other>::cast_to(#x)),
                false => quote!(::core::clone::Clone::clone(#x)),
            });
        let to = match path.is_empty() {
            true => quote!(#name),
            false => quote!(#name::#path),
        };
        quote!(#to { #(#members: #names),* } => #to { #(#members: #values),* },)
    };
    let arms: Vec<_> = match &input.data {
        Data::Struct(s) => vec![case(TokenStream::new(), &s.fields)],
        Data::Enum(e) => e
            .variants
            .iter()
            .map(|v| {
                let name = &v.ident;
                case(quote!(#name), &v.fields)
            })
            .collect(),
        Data::Union(_) => Vec::new(),
    };
    if arms.is_empty() {
        return TokenStream::new();
    }
    quote! {
        #[automatically_derived]
        impl #impl_generics ::differentiable::nn::Cast<#other> for #name #ty_generics #clause {
            type Out = #out;
            fn cast_to(&self) -> #out {
                match self { #(#arms)* }
            }
        }
        #[automatically_derived]
        impl #own_generics #name #ty_generics #own_clause {
            /// The same module with numbers of the type `U`, rounded where it is narrower.
            #[allow(dead_code, private_bounds, private_interfaces)]
            #vis fn cast<#other: ::differentiable::Float>(&self) -> <Self as ::differentiable::nn::Cast<#other>>::Out
            where
                Self: ::differentiable::nn::Cast<#other>,
            {
                ::differentiable::nn::Cast::<#other>::cast_to(self)
            }
        }
    }
}

struct Exchange<'a>(&'a Ident, &'a Ident);

impl VisitMut for Exchange<'_> {
    fn visit_ident_mut(&mut self, ident: &mut Ident) {
        if ident == self.0 {
            *ident = self.1.clone();
        }
        visit_mut::visit_ident_mut(self, ident);
    }
}

fn mentions(ty: &syn::Type, name: &Ident) -> bool {
    struct Search<'a>(&'a Ident, bool);
    impl<'ast> Visit<'ast> for Search<'_> {
        fn visit_ident(&mut self, ident: &'ast Ident) {
            self.1 |= ident == self.0;
            visit::visit_ident(self, ident);
        }
    }
    let mut search = Search(name, false);
    search.visit_type(ty);
    search.1
}
