//! One mistake, one message: the companions of a function are silent about what the compiler says of the function.
//!
//! The compiler checks the companions of a function as it checks the function, so each mistake in the function would
//! be told again, in words about emitted code. Therefore a constant stands beside a function `f`,
//!
//! ```text
//! const __checked_f: usize = {
//!     let _ = <Body as ad::Carries>::CHECKED;         // what its types lack is said here, once
//!     let _ = |b: &Body, x: f64| -> f64 { … };        // its body, as it was written; a value that it writes out
//!                                                     // asks its type for a derivative (see `literals`)
//!     0
//! };
//! ```
//!
//! and the companions name types with its help: `__Checked_f<T>`, which is `ad::Checked<T, { __checked_f }>`, is `T` where
//! the constant is 0. A constant in which the compiler found an error has no value. Then this type is an error too, and
//! rustc says nothing about code whose types are errors. About the body in the constant it says, word by word and at the
//! same place, what it says about the function; it prints such a message once.
//!
//! Where the function has parameters, it is the constant of a type with the same (see `parameters`); types of users that
//! name them are not asked for a derivative. Bodies that would mean something else in a closure are not
//! checked.

mod closure;
mod code;
mod literals;
mod parameters;
mod types;

use crate::input::ctxt::Ctxt;
use crate::input::signature::ParamDecl;
use crate::items::allowed;
pub use literals::{literals, Literals};
use parameters::Parameters;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Generics, ReturnType, Signature, Type};

/// The constant beside a function.
#[derive(Clone, Debug)]
pub struct Checked {
    name: Ident,
    /// Names of which nothing is asked: parameters, and `Self`. A type by way of `Without` does not tell them.
    unknown: HashSet<String>,
    /// None where the constant cannot have them.
    parameters: Option<Parameters>,
    /// What `Self` is, where the constant can name it.
    this: Option<Type>,
    /// Whether the function is one of a trait.
    of_trait: bool,
    /// The types that need a derivative.
    carried: Vec<Type>,
    /// Whether they need one of every order.
    higher: bool,
    /// The closure that is the function's body.
    body: Option<TokenStream>,
}

/// The block a function is in.
#[derive(Clone, Copy)]
pub struct Of<'a> {
    pub generics: &'a Generics,
    /// Its type, but for a trait.
    pub ty: Option<&'a Type>,
    pub of_trait: Option<&'a syn::Path>,
}

impl Checked {
    /// What is checked of a function, if anything is.
    pub fn new(
        sig: &Signature,
        written: &Signature,
        body: Option<&syn::Block>,
        params: &[ParamDecl],
        of: Option<Of<'_>>,
        higher: bool,
        cx: &Ctxt,
    ) -> Option<Checked> {
        let generics: Vec<_> = of
            .iter()
            .map(|o| o.generics)
            .chain([&written.generics])
            .collect();
        // A type alias has no lifetimes that are left out.
        let this = of.and_then(|o| o.ty).filter(|t| !types::has_lifetime(t));
        let owner = of.map(|o| {
            let (path, ty) = (o.of_trait, o.ty);
            identifier(&quote!(#path #ty)) + "_"
        });
        let name = owner.unwrap_or_default() + &sig.ident.unraw().to_string();
        let mut checked = Checked {
            this: this.cloned(),
            of_trait: of.is_some_and(|o| o.of_trait.is_some()),
            higher,
            ..Checked::named(&name, &generics)
        };
        // Names like ours have others in what is emitted.
        checked.unknown.extend(names_of(&sig.generics));
        let data = params
            .iter()
            .filter(|p| !p.constant && p.function.is_none());
        for p in data {
            checked.carry(p.value_ty().unwrap_or(&syn::parse_quote!(Self)));
        }
        if let ReturnType::Type(_, t) = &sig.output {
            checked.carry(t);
        }
        // The body has the names that the user wrote, which may have to be told from ours.
        let body = body.filter(|_| !cx.has_scoped);
        checked.body = body.and_then(|b| checked.closure(written, b, params));
        (!checked.carried.is_empty() || checked.body.is_some()).then_some(checked)
    }

    /// What is checked of the fields of a type, if anything is.
    pub fn of_fields<'a>(
        name: &Ident,
        generics: &Generics,
        fields: impl Iterator<Item = &'a Type>,
    ) -> Option<Checked> {
        let mut checked = Checked::named(&format!("fields_{}", name.unraw()), &[generics]);
        fields.for_each(|t| checked.carry(t));
        (!checked.carried.is_empty()).then_some(checked)
    }

    /// One that checks nothing yet.
    fn named(name: &str, generics: &[&Generics]) -> Checked {
        let parameters = Parameters::of(generics);
        let mut unknown: HashSet<_> = generics.iter().flat_map(|g| names_of(g)).collect();
        unknown.insert("Self".into());
        Checked {
            name: format_ident!("__checked_{name}"),
            unknown,
            parameters,
            this: None,
            of_trait: false,
            carried: Vec::new(),
            higher: false,
            body: None,
        }
    }

    /// Asks the types of users in a type for a derivative: each once.
    fn carry(&mut self, ty: &Type) {
        for t in self.carriers(ty) {
            if !self.carried.contains(&t) {
                self.carried.push(t);
            }
        }
    }

    /// The name of the types that are errors where the function has one.
    fn alias(&self) -> Ident {
        let name = self.name.to_string().replacen("__checked", "__Checked", 1);
        Ident::new(&name, self.name.span())
    }

    /// The constant, and the name of those types.
    pub fn item(&self, literals: &Literals) -> TokenStream {
        let carried = self.carried.iter().map(|t| {
            // With arguments it is over another scalar by them.
            let plain = matches!(t, Type::Path(p) if p.path.segments.last().is_some_and(|s| s.arguments.is_none()));
            let name = if self.higher && plain { "CarriesAll" } else { "Carries" };
            let name = Ident::new(name, Span::call_site());
            let carries =
                quote_spanned!(t.span()=> <#t as ::differentiable::__rt::#name>::CHECKED);
            quote!(let _ = #carries;)
        });
        let this = self
            .this
            .as_ref()
            .filter(|_| self.body.is_some())
            .map(|ty| {
                let name = self.this_name();
                let declared = self.parameters.iter().flat_map(|p| p.within(ty).1);
                let generics = quote!(<#(#declared),*>);
                quote!(#[allow(non_camel_case_types, dead_code)] type #name #generics = #ty;)
            });
        let (name, allow) = (&self.name, allowed());
        let body = self.body.as_ref().map(|b| self.asking(b, literals));
        let checks = quote!(#(#carried)* #body 0);
        let parameters = self.parameters.as_ref().filter(|p| !p.is_empty());
        let (item, value) = match parameters {
            None => (TokenStream::new(), checks),
            Some(parameters) => parameters.constant(name, &checks, &allow),
        };
        let alias = self.alias();
        quote! {
            #[allow(non_camel_case_types, dead_code)]
            type #alias<T> = ::differentiable::__rt::Checked<T, { #name }>;
            #this
            #item
            #[allow(#allow, non_upper_case_globals)]
            const #name: usize = { #value };
        }
    }

    /// Another name of the type of the block.
    fn this_name(&self) -> Ident {
        let name = self.name.to_string().replacen("__checked", "__This", 1);
        Ident::new(&name, Span::call_site())
    }
}

/// The names of types and constants that are parameters.
fn names_of(g: &Generics) -> impl Iterator<Item = String> + '_ {
    let types = g.type_params().map(|t| t.ident.to_string());
    types.chain(g.const_params().map(|c| c.ident.to_string()))
}

/// The names of a type, as one; `&T` and `[T]` are others than `T`.
fn identifier(tokens: &TokenStream) -> String {
    let text = tokens.to_string();
    let kept = text
        .chars()
        .filter(|c| !c.is_whitespace() && !":>".contains(*c));
    kept.map(|c| if c.is_alphanumeric() { c } else { '_' })
        .collect()
}
