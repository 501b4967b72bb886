//! Products with Hessians for methods: `m_hvp`.
//!
//! The companions of a method of a type that is generic over its scalar are there for every scalar, as those of
//! the type over duals too. A type whose numbers are fixed, `Spring`, has a form over any scalar, `SpringOver`: its
//! `impl` block is emitted for that too, with the scalar exchanged,
//!
//! ```text
//! impl<AnyScalar: ad::Number> SpringOver<AnyScalar> {
//!     fn energy(&self, x: AnyScalar) -> AnyScalar { … }
//!     fn __energy_vjp<..>(&self, ..) -> (AnyScalar, impl FnOnce(..)) { … }   // and __energy_jvp
//! }
//! ```
//!
//! under the name that the derive gives it: it stands in the module of the struct.

use super::check::{mentions, scalar_parameters, Scalar};
use super::generic::Exchange;
use super::named::{over_any_scalar, Named};
use super::nested::Tangents;
use crate::code::{derived, one_or_tuple};
use crate::ctxt::Ctxt;
use crate::surface::{allowed, Surface, Within};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, ToTokens};
use syn::{Generics, ItemImpl, Path, Type};

const ON_BLOCK: &str = "`higher_order` of methods is for annotated `impl` blocks of a type that is named without arguments, or is generic over its scalar: `#[differentiable(higher_order)] impl Spring { … }`, `… impl<T: ad::Scalar> Body<T> { … }`";

/// The annotated `impl` block of a type whose numbers are fixed.
#[derive(Debug)]
pub struct Block {
    pub scalar: Scalar,
    named: Named,
    /// The type over any scalar.
    ty: Path,
    generics: Generics,
}

impl Block {
    /// `None` for a type that is generic, or where the block mixes scalars.
    pub fn new(block: &ItemImpl, cx: &Ctxt) -> Option<Self> {
        let named = Named::of_block(block)?;
        let tokens = block.to_token_stream();
        let [double, single] = ["f64", "f32"].map(|f| mentions(&tokens, f));
        if double && single {
            cx.error(&block.self_ty, "an `impl` block with `higher_order` is written in one scalar, and this one mixes `f32` and `f64`");
            return None;
        }
        let Type::Path(p) = &*block.self_ty else {
            return None;
        };
        Some(Block {
            scalar: Scalar::Float(if single { "f32" } else { "f64" }.into()),
            named,
            ty: over_any_scalar(&p.path),
            generics: block.generics.clone(),
        })
    }

    /// The methods of the type over any scalar, of those that were emitted for the type itself.
    pub fn items(self, methods: TokenStream, cx: &Ctxt) -> TokenStream {
        let Scalar::Float(float) = &self.scalar else {
            return TokenStream::new();
        };
        let before = cx.error_count();
        let none = format_ident!("__no_function");
        let mut exchange = Exchange {
            cx,
            function: &none,
            float,
            constants: self.named.const_names(),
            named: &self.named,
        };
        let members = exchange.members(methods);
        if before > 0 || cx.error_count() > before {
            return TokenStream::new();
        }
        let mut generics = self.generics;
        let (own, clause) = super::bounds();
        let own: Generics = syn::parse_quote!(#own);
        generics.params.extend(own.params);
        let clause: syn::WhereClause = syn::parse_quote!(#clause);
        generics
            .make_where_clause()
            .predicates
            .extend(clause.predicates);
        let (impl_generics, _, clause) = generics.split_for_impl();
        let (ty, aliases) = (&self.ty, self.named.aliases());
        quote! {
            const _: () = {
                #aliases
                #[allow(dead_code, private_interfaces)]
                impl #impl_generics #ty #clause { #members }
            };
        }
    }
}

impl Surface<'_> {
    /// `m_hvp`, where the value of the method is a scalar. That of the type is given where it is fixed.
    pub fn method_of_higher_order(
        &self,
        fixed: Option<&Scalar>,
        span: Span,
        cx: &Ctxt,
    ) -> TokenStream {
        let of_type = self.outer.filter(|_| self.within == Within::Type);
        let parameters = of_type.map(scalar_parameters).unwrap_or_default();
        let scalar = match (fixed, parameters.as_slice()) {
            (Some(scalar), []) => scalar.clone(),
            (_, [s]) => Scalar::Parameter(s.clone()),
            _ => {
                cx.error_at(span, ON_BLOCK);
                return TokenStream::new();
            }
        };
        let lent = self.params.iter().all(|p| !p.by_mut);
        if !lent || self.takes_functions() || !self.is_scalar(&scalar) {
            return TokenStream::new();
        }
        self.method_hvp(&scalar)
    }

    fn method_hvp(&self, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let s = scalar.ty();
        let (mut pairs, mut lifts, mut modes, mut call) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut setup, mut again, mut accs, mut gradient) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (i, (p, d)) in self.params.iter().zip(self.param_decls(false)).enumerate() {
            let (n, t) = (self.name_of(p), derived("t_", &self.adj_base(p)));
            let (ty, tangent) = (self.value_ty(p), self.tangent_ty(p));
            let (x, acc, proto) = (
                format_ident!("__x{i}"),
                format_ident!("__d{i}"),
                format_ident!("__q{i}"),
            );
            let value = self.lent(p);
            pairs.push(match (p.is_self(), p.constant) {
                (true, true) => d,
                (true, false) => quote!(#d, #t: &#tangent),
                (false, true) => d,
                (false, false) => {
                    let ty = &p.ty;
                    quote!((#n, #t): (#ty, #tangent))
                }
            });
            let tangent = match p.by_ref || p.is_self() {
                true => quote!(#t),
                false => quote!(&#t),
            };
            let tangents = match p.constant {
                true => Tangents::None(&value),
                false => Tangents::One(&value, &tangent),
            };
            let lifted = self.lifted(p, &s, 1, &tangents);
            lifts.push(quote!(let #x = #lifted;));
            if p.constant {
                modes.push(quote!(#ad::Off));
                setup.push(quote!(let mut #acc = #ad::no_adj(&#x);));
            } else {
                modes.push(quote!(#ad::On));
                setup.push(quote! {
                    let mut #acc = #ad::Differentiable::zero_adj(&#x, #ad::On);
                    let #proto = #ad::Differentiable::proto(&#x);
                });
                let lifted = quote!(<#ty as #ad::Lift<#s, #ad::Dual<#s>>>::Lifted);
                gradient.push(quote! {
                    #ad::part::<#s, 1, #ty>(&<#lifted as #ad::Differentiable>::finish(&#proto, #acc), 0)
                });
            }
            if p.is_self() {
                again.push(quote!(&#x));
            } else {
                call.push(match p.by_ref {
                    true => quote!(&#x),
                    false => quote!(::core::clone::Clone::clone(&#x)),
                });
                if p.by_ref {
                    again.push(quote!(&#x));
                }
            }
            accs.push(quote!(&mut #acc));
        }
        let gradient = one_or_tuple(gradient);
        let hidden = self.hidden("vjp");
        let run = match self.params.iter().any(|p| p.is_self()) {
            true => quote!(__x0.#hidden),
            false => quote!(<<Self as #ad::Lift<#s, #ad::Dual<#s>>>::Lifted>::#hidden),
        };
        let (vis, name) = (self.vis, self.method("hvp"));
        let (generics, clause) = (self.generics(&[], &[]), self.where_clause(None));
        let gradient_ty = self.gradient_ty();
        let allow = allowed();
        let doc = format!("The product of the Hessian of `{}` with a vector, in the layout of the gradient: each differentiable argument is given with its tangent.", self.sig.ident);
        quote! {
            #[doc = #doc]
            #[inline]
            #[allow(#allow)]
            #vis fn #name #generics(#(#pairs),*) -> #gradient_ty #clause {
                #(#lifts)*
                #(#setup)*
                let (_, __pullback) = #run((#(#modes,)*), #(#call),*);
                __pullback(<#ad::Dual<#s> as #ad::Scalar>::ONE, #(#again,)* #(#accs),*);
                #gradient
            }
        }
    }
}
