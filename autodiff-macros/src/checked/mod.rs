//! One mistake, one message: the companions of a function are silent about what the compiler says of the function.
//!
//! The compiler checks the companions of a function as it checks the function, so each mistake in the function would
//! be told again, in words about emitted code. Beside a function `f` therefore stands a constant,
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
//! the constant is 0. Where the compiler found an error in the constant, it has no value, the type is an error too, and rustc says nothing of
//! code whose types are errors. What it says of the body in the constant is word by word what it says of the function,
//! at the same place: it prints that once.
//!
//! A constant cannot have parameters, so types with parameters of the function are not checked, nor are bodies that use
//! them; neither are bodies that would mean something else in a closure.

mod closure;
mod code;
mod types;

use crate::ctxt::Ctxt;
use crate::signature::ParamDecl;
use crate::surface::allowed;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{GenericParam, Generics, ReturnType, Signature, Type};

/// The constant beside a function.
#[derive(Clone, Debug)]
pub struct Checked {
    name: Ident,
    /// Names that stand for types or numbers that the constant does not know.
    parameters: Vec<Ident>,
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
        let all = outer.chain(&sig.generics.params);
        let parameters: Vec<_> = all.map(parameter).collect();
        // A type alias has no lifetimes that are left out.
        let this = of.and_then(|o| o.ty).filter(|t| !types::has_lifetime(t));
        let this = this.cloned();
        let owner = of.map(|o| {
            let (path, ty) = (o.of_trait, o.ty);
            identifier(&quote!(#path #ty))
        });
        let name = match owner {
            Some(owner) => format_ident!("__checked_{owner}_{}", plain_name(&sig.ident)),
            None => format_ident!("__checked_{}", plain_name(&sig.ident)),
        };
        let mut checked = Checked {
            name,
            parameters,
            this,
            of_trait: of.is_some_and(|o| o.of_trait.is_some()),
            carried: Vec::new(),
            higher,
            body: None,
        };
        let mut types = Vec::new();
        for p in params
            .iter()
            .filter(|p| !p.constant && p.function.is_none())
        {
            match p.value_ty() {
                Some(t) => checked.carriers(t, &mut types),
                None => types.extend(checked.this_carries()),
            }
        }
        if let ReturnType::Type(_, t) = &sig.output {
            checked.carriers(t, &mut types);
        }
        checked.carried = types;
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
        let mut checked = Checked {
            name: format_ident!("__checked_fields_{}", plain_name(name)),
            parameters: generics.params.iter().map(parameter).collect(),
            this: None,
            of_trait: false,
            carried: Vec::new(),
            higher: false,
            body: None,
        };
        let mut types = Vec::new();
        fields.for_each(|t| checked.carriers(t, &mut types));
        types.dedup();
        checked.carried = types;
        (!checked.carried.is_empty()).then_some(checked)
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
        let this = self.this.as_ref().filter(|_| self.parameters.is_empty());
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

/// The name of a generic parameter.
fn parameter(p: &GenericParam) -> Ident {
    match p {
        GenericParam::Type(t) => t.ident.clone(),
        GenericParam::Const(c) => c.ident.clone(),
        GenericParam::Lifetime(l) => l.lifetime.ident.clone(),
    }
}

/// A name without what marks it as one that is a keyword.
fn plain_name(i: &Ident) -> String {
    i.to_string().trim_start_matches("r#").to_string()
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
