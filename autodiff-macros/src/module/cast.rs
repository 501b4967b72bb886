//! `cast::<U>()`: the same module with numbers of another type.
//!
//! | the type | what it becomes |
//! |---|---|
//! | generic over one `T: Float` | the type over `U` |
//! | generic over layers alone, `struct Residual<L>` | the type over the layers' own `Out`, where they can be cast |
//! | without generics and without numbers, such as an activation | itself |
//!
//! Any other type has numbers of a type that is fixed, and no `cast`.

use super::fields::floats;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Data, DeriveInput, Field, Fields, GenericParam, Generics};

/// What changes in the type.
enum Changes<'a> {
    /// The type of numbers.
    Numbers(&'a Ident),
    /// The layers.
    Layers(Vec<&'a Ident>),
}

impl<'a> Changes<'a> {
    fn of(input: &'a DeriveInput) -> Option<Self> {
        let mut all = floats(&input.generics);
        match (all.next(), all.next()) {
            (Some(float), None) => return Some(Changes::Numbers(float)),
            (Some(_), Some(_)) => return None,
            (None, _) => {}
        }
        let layers = layers(&input.generics)?;
        let holds_numbers = layers.is_empty() && fields(&input.data).any(|f| !is_option(f));
        (!holds_numbers).then_some(Changes::Layers(layers))
    }

    fn names(&self) -> &[&'a Ident] {
        match self {
            Changes::Numbers(float) => std::slice::from_ref(float),
            Changes::Layers(layers) => layers,
        }
    }
}

/// The type parameters, if none of them has a bound that its `Out` would have to meet.
fn layers(generics: &Generics) -> Option<Vec<&Ident>> {
    if generics.where_clause.is_some() {
        return None;
    }
    let each = generics.params.iter().filter_map(|p| match p {
        GenericParam::Type(p) => Some(p.bounds.is_empty().then_some(&p.ident)),
        _ => None,
    });
    each.collect()
}

fn fields(data: &Data) -> impl Iterator<Item = &Field> {
    let all: Vec<&Fields> = match data {
        Data::Struct(s) => vec![&s.fields],
        Data::Enum(e) => e.variants.iter().map(|v| &v.fields).collect(),
        Data::Union(_) => Vec::new(),
    };
    all.into_iter().flatten()
}

/// Whether a field holds no numbers of the module.
fn is_option(field: &Field) -> bool {
    field.attrs.iter().any(|a| a.path().is_ident("config"))
}

/// `impl Cast`, and the method.
pub fn cast(input: &DeriveInput) -> TokenStream {
    let Some(changes) = Changes::of(input) else {
        return TokenStream::new();
    };
    let other = format_ident!("__U");
    let (name, vis) = (&input.ident, &input.vis);
    let (_, ty_generics, _) = input.generics.split_for_impl();
    let mut generics = input.generics.clone();
    generics
        .params
        .push(syn::parse_quote!(#other: ::differentiable::Float));
    let mut bounds: Vec<syn::WherePredicate> = Vec::new();
    let out: syn::Type = match &changes {
        Changes::Numbers(float) => {
            let mut exchange = Exchange(float, &other);
            let mut out = syn::parse_quote!(#name #ty_generics);
            exchange.visit_type_mut(&mut out);
            // A bare number is cast by itself.
            bounds
                .push(syn::parse_quote!(#float: ::differentiable::nn::Cast<#other, Out = #other>));
            if let Some(clause) = &generics.where_clause {
                let mut again = clause.predicates.clone();
                again
                    .iter_mut()
                    .for_each(|p| exchange.visit_where_predicate_mut(p));
                bounds.extend(again);
            }
            out
        }
        Changes::Layers(layers) => {
            let cast = |l: &&Ident| syn::parse_quote!(#l: ::differentiable::nn::Cast<#other>);
            bounds.extend(layers.iter().map(cast));
            let arguments = input.generics.params.iter().map(|p| match p {
                GenericParam::Type(p) => {
                    let layer = &p.ident;
                    quote!(<#layer as ::differentiable::nn::Cast<#other>>::Out)
                }
                GenericParam::Const(c) => {
                    let size = &c.ident;
                    quote!(#size)
                }
                GenericParam::Lifetime(l) => quote!(#l),
            });
            syn::parse_quote!(#name<#(#arguments),*>)
        }
    };
    if !bounds.is_empty() {
        generics.make_where_clause().predicates.extend(bounds);
    }
    let (impl_generics, _, clause) = generics.split_for_impl();
    let (own_generics, _, own_clause) = input.generics.split_for_impl();
    let is_cast = |f: &Field| changes.names().iter().any(|name| mentions(&f.ty, name));

    let case = |path: TokenStream, fields: &Fields| {
        let names: Vec<Ident> = (0..fields.len()).map(|i| format_ident!("__x{i}")).collect();
        let members: Vec<_> = fields.members().collect();
        let values = fields.iter().zip(&names).map(|(f, x)| match is_cast(f) {
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
