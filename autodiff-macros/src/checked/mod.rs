//! One mistake, one message: the companions of a function are silent about what the compiler says of the function.
//!
//! The compiler checks the companions of a function as it checks the function, so each mistake in the function would
//! be told again, in words about emitted code. Therefore a constant stands beside a function `f`,
//!
//! ```text
//! const __checked_f: usize = {
//!     let _ = <Body as ad::Carries>::CHECKED;         // what its types lack is said here, once
//!     let _ = |b: &Body, x: f64| -> f64 { … };        // its body, as it was written
//!     0
//! };
//! ```
//!
//! and the companions name types with its help: `__Checked_f<T>`, which is `ad::Checked<T, { __checked_f }>`, is `T` where
//! the constant is 0. A constant in which the compiler found an error has no value. Then this type is an error too, and
//! rustc says nothing about code whose types are errors. About the body in the constant it says, word by word and at the
//! same place, what it says about the function; it prints such a message once.
//!
//! A constant cannot have parameters, so types with parameters of the function are not checked, nor are bodies that use
//! them; neither are bodies that would mean something else in a closure.

mod closure;
mod code;
mod types;

use crate::ctxt::Ctxt;
use crate::signature::{is_inner, ParamDecl};
use crate::surface::allowed;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::collections::HashSet;
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{GenericParam, Generics, ReturnType, Signature, Type};

/// The constant beside a function.
#[derive(Clone, Debug)]
pub struct Checked {
    name: Ident,
    /// Names that the constant does not know: parameters, and `Self`.
    unknown: HashSet<String>,
    /// Whether there are parameters.
    has_parameters: bool,
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
        let outer = of.iter().flat_map(|o| &o.generics.params);
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
            ..Checked::named(&name, outer.chain(&sig.generics.params))
        };
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
        checked.body = body.and_then(|b| checked.closure(written, b));
        (!checked.carried.is_empty() || checked.body.is_some()).then_some(checked)
    }

    /// What is checked of the fields of a type, if anything is.
    pub fn of_fields<'a>(
        name: &Ident,
        generics: &Generics,
        fields: impl Iterator<Item = &'a Type>,
    ) -> Option<Checked> {
        let mut checked = Checked::named(&format!("fields_{}", name.unraw()), &generics.params);
        fields.for_each(|t| checked.carry(t));
        (!checked.carried.is_empty()).then_some(checked)
    }

    /// One that checks nothing yet.
    fn named<'a>(name: &str, parameters: impl IntoIterator<Item = &'a GenericParam>) -> Checked {
        let parameters = parameters.into_iter().filter_map(|p| match p {
            GenericParam::Type(t) => Some(&t.ident),
            GenericParam::Const(c) => Some(&c.ident),
            GenericParam::Lifetime(l) => {
                // That of references in constants is ours.
                (!is_inner(&l.lifetime)).then_some(&l.lifetime.ident)
            }
        });
        let mut unknown: HashSet<_> = parameters.map(ToString::to_string).collect();
        let has_parameters = !unknown.is_empty();
        unknown.insert("Self".into());
        Checked {
            name: format_ident!("__checked_{name}"),
            unknown,
            has_parameters,
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
    pub fn item(&self) -> TokenStream {
        let carried = self.carried.iter().map(|t| {
            // With arguments it is over another scalar by them.
            let plain = matches!(t, Type::Path(p) if p.path.segments.last().is_some_and(|s| s.arguments.is_none()));
            let name = if self.higher && plain { "CarriesAll" } else { "Carries" };
            let name = Ident::new(name, Span::call_site());
            let carries =
                quote_spanned!(t.span()=> <#t as ::differentiable::__rt::#name>::CHECKED);
            quote!(let _ = #carries;)
        });
        let this = self.this.as_ref().filter(|_| !self.has_parameters);
        let this = this.map(|t| quote!(type __This = #t;));
        let (name, allow, body) = (&self.name, allowed(), &self.body);
        let alias = self.alias();
        quote! {
            #[allow(non_camel_case_types, dead_code)]
            type #alias<T> = ::differentiable::__rt::Checked<T, { #name }>;
            #[allow(#allow, non_upper_case_globals)]
            const #name: usize = {
                #this
                #(#carried)*
                #body
                0
            };
        }
    }
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
