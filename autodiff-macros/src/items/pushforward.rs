//! The companion of forward mode, `__jvp`.

use super::{allowed, defined, Surface};
use crate::emit::vjp::Emitted;
use crate::input::functions::Mode;
use crate::input::signature::ParamDecl;
use crate::syntax::names::derived;
use proc_macro2::TokenStream;
use quote::quote;

impl Surface<'_> {
    /// The hidden forward-mode companion.
    pub fn jvp_companion(&self, e: Option<&Emitted>, imports: &TokenStream) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (name, vis, output) = (self.hidden("jvp"), self.vis(), self.output());
        let generics = self.generics(&[], &[]);
        let mut decls = Vec::new();
        for (p, d) in self.params.iter().zip(self.param_decls()) {
            let t = derived("t_", &self.adj_base(p));
            let ty = match p.unread() {
                true => quote!(impl ::core::marker::Sized),
                false => self.tangent_ty(p),
            };
            let m = p.by_mut.then(|| quote!(mut));
            decls.push(if p.is_self() { quote!(&#m self) } else { d });
            decls.push(if p.is_self() {
                match p.unread() {
                    true => quote!(#t: #ty),
                    false => quote!(#t: &#m #ty),
                }
            } else if p.function.is_some() {
                // In pairs, as all arguments are.
                quote!(_: (), #t: #ty)
            } else {
                quote!(#t: #ty)
            });
        }
        let where_clause = self.where_clause(None);
        let this = self.self_binding();
        let callables = self.callables(Mode::Forward);
        let allow = allowed();
        let signature = quote! {
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            #vis fn #name #generics(#(#decls),*) -> (#output, <#output as #ad::Differentiable>::Tangent)
            #where_clause
        };
        defined(&signature, imports, e, |forward, value, reverse| {
            quote! {
                #this
                #callables
                #forward
                (#value, #reverse)
            }
        })
    }

    /// The type of a tangent argument.
    pub fn tangent_ty(&self, p: &ParamDecl) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        match &p.slice_of {
            Some(t) if p.by_mut => quote!(&mut [<#t as #ad::Differentiable>::Tangent]),
            Some(t) => quote!(&[<#t as #ad::Differentiable>::Tangent]),
            None => {
                let t = self.value_ty(p);
                let m = p.by_mut.then(|| quote!(mut));
                let r = (p.by_ref && !p.is_self()).then(|| quote!(&#m));
                quote!(#r <#t as #ad::Differentiable>::Tangent)
            }
        }
    }
}
