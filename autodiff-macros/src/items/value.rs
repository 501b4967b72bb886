//! The function itself, with its operations fused, or over another scalar.

use super::{allowed, defined, ident, FunctionKind, Surface, Within};
use crate::emit::vjp::Emitted;
use crate::input::signature::ParamDecl;
use proc_macro2::TokenStream;
use quote::{quote, ToTokens};

impl Surface<'_> {
    /// The function itself, with its operations fused, and a call of it with the parameters as arguments.
    ///
    /// `None` where it could not stand in for the function: in traits, and where the function changes or
    /// calls what it is given.
    pub fn value_companion(
        &self,
        e: &Emitted,
        imports: &TokenStream,
    ) -> Option<(TokenStream, TokenStream)> {
        let plain = self.sig.asyncness.is_none() && self.sig.constness.is_none();
        let lent = |p: &ParamDecl| !p.by_mut && p.function.is_none();
        if self.within != Within::Type || !plain || !self.params.iter().all(lent) {
            return None;
        }
        let (name, own) = (self.hidden("value"), self.pass_generics(None));
        let item = self.plain_companion("value", e, imports);
        let of = match self.kind {
            FunctionKind::Free => self.sig.ident.to_token_stream(),
            FunctionKind::Associated => quote!(Self),
        };
        let args = self.params.iter().map(|p| match (&p.ident, p.by_ref) {
            (Some(name), _) => quote!(#name),
            (None, true) => quote!(self),
            (None, false) => quote!(&self),
        });
        Some((item, quote!(#of::#name #own(#(#args),*))))
    }

    /// The function itself, called by functions that are generic over their scalar. One that takes
    /// functions is called through its pullback.
    pub fn over_companion(&self, e: &Emitted, imports: &TokenStream) -> TokenStream {
        match self.takes_functions() {
            true => TokenStream::new(),
            false => self.plain_companion("over", e, imports),
        }
    }

    /// The same for a function that is generic itself.
    pub fn over_itself(&self) -> TokenStream {
        if self.takes_functions() {
            return TokenStream::new();
        }
        let (name, output, own) = (&self.sig.ident, self.output(), self.pass_generics(None));
        let (generics, clause) = (self.generics(&[], &[]), self.where_clause(None));
        let decls = self.param_decls();
        let args = self.params.iter().map(|p| self.name_of(p));
        let allow = allowed();
        quote! {
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            pub fn __over #generics(#(#decls),*) -> #output #clause {
                #name #own(#(#args),*)
            }
        }
    }

    /// A method itself, of its type over any scalar.
    pub fn over_method(&self, e: &Emitted, imports: &TokenStream) -> TokenStream {
        if self.takes_functions() {
            return TokenStream::new();
        }
        let (name, vis, output) = (&self.sig.ident, self.vis(), self.output());
        let (generics, clause) = (self.generics(&[], &[]), self.where_clause(None));
        let decls = self.param_decls();
        let by_value = self.params.iter().any(|p| p.is_self() && !p.by_ref);
        let this = match by_value {
            true => {
                let this = ident("this".into());
                Some(quote!(let #this = &self;))
            }
            false => self.self_binding(),
        };
        let allow = allowed();
        let signature = quote! {
            #[inline]
            #[allow(#allow)]
            #vis fn #name #generics(#(#decls),*) -> #output #clause
        };
        defined(
            &signature,
            imports,
            Some(e),
            |forward, value, _| quote!(#this #forward #value),
        )
    }

    fn plain_companion(&self, name: &str, e: &Emitted, imports: &TokenStream) -> TokenStream {
        let (name, vis, output) = (self.hidden(name), self.vis(), self.output());
        let generics = self.generics(&[], &[]);
        let decls = self.params.iter().zip(self.param_decls());
        let decls = decls.map(|(p, d)| match p.is_self() {
            true => quote!(&self),
            false => d,
        });
        let (where_clause, this) = (self.where_clause(None), self.self_binding());
        let allow = allowed();
        let signature = quote! {
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            #vis fn #name #generics(#(#decls),*) -> #output #where_clause
        };
        defined(
            &signature,
            imports,
            Some(e),
            |forward, value, _| quote!(#this #forward #value),
        )
    }
}
