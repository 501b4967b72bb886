//! Functions that have the name of an operator: a function `jacobian` of a module `camera`.
//!
//! `camera::jacobian(x)` reads as the operator of a function `camera` (see [`matrices`](super::matrices)), whose
//! companions it is looked for by. So these stand beside such a function:
//!
//! ```text
//! pub fn __jacobian_vjp(..) -> (.., impl FnOnce(..)) { jacobian::__vjp(..) }
//! ```

use super::check::Scalar;
use super::matrices::{over_any, OVER};
use super::Higher;
use crate::input::signature::ParamDecl;
use crate::items::{allowed, Surface, Within};
use crate::knowledge::operators::matrix_operator;
use crate::syntax::names::derived;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

/// The companions beside a function with such a name, over the scalar of `higher`, if there is one.
pub fn like_operator(surface: &Surface<'_>, higher: Option<&Higher<'_>>) -> TokenStream {
    let name = &surface.sig.ident;
    let own = matrix_operator(&name.to_string()).filter(|n| name == n);
    let lent = surface.params.iter().all(|p| !p.by_mut);
    if own.is_none() || !lent || surface.takes_functions() || surface.within != Within::Type {
        return TokenStream::new();
    }
    // Its alias stands with the companions.
    let params: Vec<_> = surface.params.iter().map(ParamDecl::as_written).collect();
    let surface = &Surface {
        params: &params,
        checked: None,
        ..*surface
    };
    let Some(higher) = higher else {
        return companions(surface, &quote!(#name));
    };
    match higher.scalar {
        // The scalar is not found by arguments of types that users made.
        Scalar::Float(_) if !higher.is_plain() => companions(surface, &quote!(#name)),
        Scalar::Parameter(_) => companions(surface, &quote!(#name)),
        Scalar::Float(_) => {
            let sig = over_any(surface.sig, higher.scalar);
            let wide = Surface {
                sig: &sig,
                ..*surface
            };
            let over = format_ident!("{OVER}");
            let of = quote!(<#name as ::differentiable::__rt::Over<#over>>::Item);
            higher.exchanged(companions(&wide, &quote!(<#of>)))
        }
    }
}

fn companions(surface: &Surface<'_>, of: &TokenStream) -> TokenStream {
    let ad = quote!(::differentiable::__rt);
    let (vis, output) = (surface.vis, surface.output());
    let base = surface.sig.ident.to_string();
    let [value, vjp, jvp] = ["", "_vjp", "_jvp"].map(|s| format_ident!("__{base}{s}"));
    let (modes, mode_decls) = surface.modes();
    let (generics, reverse) = (
        surface.generics(&[], &[]),
        surface.generics(&[], &mode_decls),
    );
    let (clause, decls) = (surface.where_clause(None), surface.param_decls());
    let types = surface.pullback_types(&modes);
    let names: Vec<_> = surface.params.iter().map(|p| surface.name_of(p)).collect();
    let (mut pushed, mut both) = (Vec::new(), Vec::new());
    for (p, (decl, name)) in surface.params.iter().zip(decls.iter().zip(&names)) {
        let (t, ty) = (derived("t_", &surface.adj_base(p)), surface.tangent_ty(p));
        pushed.push(quote!(#decl, #t: #ty));
        both.push(quote!(#name, #t));
    }
    let opaque = quote_spanned!(Span::mixed_site()=> impl);
    let allow = allowed();
    let attributes = quote!(#[doc(hidden)] #[inline] #[allow(#allow)]);
    let plain = match of.to_string().starts_with('<') {
        true => quote!(#of::__over),
        false => of.clone(),
    };
    quote! {
        #attributes
        #vis fn #value #generics(#(#decls),*) -> #output #clause { #plain(#(#names),*) }
        #attributes
        #vis fn #vjp #reverse(__modes: (#(#modes,)*), #(#decls),*) -> (
            #output,
            #opaque FnOnce(#ad::Ct<#output>, #(#types),*) + ::core::clone::Clone,
        ) #clause { #of::__vjp(__modes, #(#names),*) }
        #attributes
        #vis fn #jvp #generics(#(#pushed),*) -> (#output, <#output as #ad::Differentiable>::Tangent) #clause {
            #of::__jvp(#(#both),*)
        }
    }
}
