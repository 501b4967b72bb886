//! The companions of `g::jvp`: what is called where another differentiable function takes a derivative along a
//! direction.
//!
//! `jvp(x, ẋ) = (y, ẏ)` with `ẏ = J ẋ`. Its pullback takes `(ȳ, u)` to `ẋ: Jᵀu` and `x: Jᵀȳ + ∂(uᵀJ)ẋ`, which are value
//! and tangent of one run of the pullback of `g` over duals: at `x + ẋε`, for the cotangent `u + ȳε`. The pushforward
//! is the same function over duals.
//!
//! In the body the tangents stand behind the arguments: `g::jvp((x, ẋ), c)` is `g::__along(x, c, ẋ)`, see
//! `desugar::along`.

use super::check::Scalar;
use super::nested::{Pushed, Tangents};
use crate::input::signature::ParamDecl;
use crate::items::{allowed, Surface};
use crate::syntax::names::{derived, one_or_tuple};
use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

impl Surface<'_> {
    /// `__along` and its companions; `None` where a type has no derivative of its tangent, and for methods.
    pub fn nested_along(&self, scalar: &Scalar) -> Option<TokenStream> {
        let output = syn::parse2::<Type>(self.output()).is_ok_and(|t| is_own_tangent(&t, scalar));
        if !output || !self.has_nested(scalar) {
            return None;
        }
        self.beside_tangents(|both| {
            let (value, reverse, forward) = (
                self.along_value(both, scalar),
                self.along_reverse(both, scalar),
                both.along_forward(scalar),
            );
            quote!(#value #reverse #forward)
        })
    }

    /// What is emitted of the function that has a tangent behind each differentiable parameter.
    pub(super) fn beside_tangents(
        &self,
        emitted: impl FnOnce(&Surface<'_>) -> TokenStream,
    ) -> Option<TokenStream> {
        let params = self.with_tangents()?;
        Some(emitted(&Surface {
            params: &params,
            ..*self
        }))
    }

    /// The parameters, and behind them the tangents of those that are differentiable.
    pub(super) fn with_tangents(&self) -> Option<Vec<ParamDecl>> {
        let mut all = self.params.to_vec();
        for p in self.params {
            if !p.constant {
                let ty = syn::parse2::<Type>(self.tangent_ty(p)).ok()?;
                all.push(ParamDecl {
                    ident: Some(tangent_name(p)?),
                    slice_of: match (&p.slice_of, &ty) {
                        (Some(_), Type::Reference(r)) => match &*r.elem {
                            Type::Slice(s) => Some((*s.elem).clone()),
                            _ => None,
                        },
                        _ => None,
                    },
                    ty: Some(ty),
                    mutable: false,
                    ..p.clone()
                });
            }
        }
        Some(all)
    }

    fn along_value(&self, both: &Surface<'_>, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let output = self.output();
        let (generics, clause) = (self.generics(&[], &[]), self.scalar_clause(scalar, None));
        let (decls, own) = (both.param_decls(), self.pass_generics(None));
        let (mut zeros, mut args) = (Vec::new(), Vec::new());
        for p in self.params {
            let n = self.name_of(p);
            args.push(n.clone());
            match (tangent_name(p), p.constant) {
                (Some(t), false) => args.push(quote!(#t)),
                // Of a constant nothing is read.
                _ if p.unread() => args.push(quote!(())),
                _ => {
                    let (t, value) = (derived("zero_", &self.adj_base(p)), self.lent(p));
                    zeros.push(quote!(let #t = #ad::zero_tangent(#value);));
                    args.push(if p.by_ref { quote!(&#t) } else { quote!(#t) });
                }
            }
        }
        let allow = allowed();
        quote! {
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            pub fn __along #generics(#(#decls),*) -> (#output, #output) #clause {
                #(#zeros)*
                Self::__jvp #own(#(#args),*)
            }
        }
    }

    fn along_reverse(&self, both: &Surface<'_>, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (name, s, output) = (&self.sig.ident, scalar.ty(), self.output());
        let (mut args, mut add) = (Vec::new(), Vec::new());
        for (i, p) in self.params.iter().enumerate() {
            let value = self.lent(p);
            let Some(along) = tangent_name(p).filter(|_| !p.constant) else {
                args.push(self.lifted(p, &s, 1, &Tangents::None(&value)));
                continue;
            };
            let tangent = if p.by_ref {
                quote!(#along)
            } else {
                quote!(&#along)
            };
            args.push(self.lifted(p, &s, 1, &Tangents::One(&value, &tangent)));
            let (k, t) = (syn::Index::from(i), self.value_ty(p));
            let start = |of: TokenStream, part: TokenStream| quote!(<#of as #ad::Differentiable>::start(#part));
            let of_value = start(t.clone(), quote!(#ad::part::<#s, 1, #t>(&__gradient.#k, 0)));
            let of_tangent = start(
                quote!(<#t as #ad::Differentiable>::Tangent),
                quote!(#ad::value_part::<#s, #t>(&__gradient.#k)),
            );
            add.push(self.accumulated(p, &value, &derived("d_", &self.adj_base(p)), &of_value));
            add.push(self.accumulated(p, &tangent, &derived("d_", &along), &of_tangent));
        }
        both.nested_vjp(
            "__along",
            &quote!((#output, #output)),
            scalar,
            &quote! {
                let (__of_value, __of_tangent) = <(#output, #output) as #ad::Differentiable>::finish(&__proto, __ct);
                let __args = (#(#args,)*);
                let __ct = <#output as #ad::Lift<#s, #ad::Dual<#s>>>::lift_along(
                    &__of_tangent,
                    &__of_value,
                    &mut |__v, __t| #ad::Dual::new(__v, [__t]),
                );
                let __gradient =
                    <<#name as #ad::Over<#ad::Dual<#s>>>::Item as #ad::DifferentiableFn<_>>::vjp_inlined(&__args, __ct);
                #(#add)*
            },
        )
    }

    /// Of the parameters and their tangents.
    fn along_forward(&self, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (name, s, output) = (&self.sig.ident, scalar.ty(), self.output());
        let (generics, clause) = (self.generics(&[], &[]), self.scalar_clause(scalar, None));
        let Pushed {
            decls, args, lent, ..
        } = self.pushed(&s);
        let part = |f: TokenStream| {
            let of = |x: TokenStream| quote!(<#output as #ad::Lift<#s, #ad::Dual<#s>>>::part(&#x, &|__d: #ad::Dual<#s>| __d.#f));
            one_or_tuple([of(quote!(__value)), of(quote!(__along))])
        };
        let (values, tangents) = (part(quote!(value)), part(quote!(tangents[0])));
        let lifted_own = self.lifted_generics(scalar);
        let allow = allowed();
        quote! {
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            pub fn __along_jvp #generics(#(#decls),*) -> ((#output, #output), (#output, #output)) #clause {
                let __args = (#(#args,)*);
                let (__value, __along) = <<#name as #ad::Over<#ad::Dual<#s>>>::Item>::__along #lifted_own(#(#lent),*);
                (#values, #tangents)
            }
        }
    }
}

/// What the tangent of a parameter is called.
pub(super) fn tangent_name(p: &ParamDecl) -> Option<proc_macro2::Ident> {
    p.ident.as_ref().map(|n| derived("along_", n))
}

/// Whether values of a type are their own tangents: numbers, arrays, `Vec`s and tuples of them, and tensors.
pub(super) fn is_own_tangent(ty: &Type, scalar: &Scalar) -> bool {
    let own = |t: &Type| is_own_tangent(t, scalar);
    match ty {
        Type::Paren(p) => own(&p.elem),
        Type::Group(g) => own(&g.elem),
        Type::Array(a) => own(&a.elem),
        Type::Tuple(t) => !t.elems.is_empty() && t.elems.iter().all(own),
        Type::Macro(m) => crate::syntax::is_macro(&m.mac, &["Tensor"]),
        Type::Path(p) => match p.path.segments.last().map(|s| (&s.ident, &s.arguments)) {
            Some((name, _)) if name == "Tensor" => true,
            Some((name, syn::PathArguments::AngleBracketed(a))) if name == "Vec" => {
                matches!(a.args.first(), Some(syn::GenericArgument::Type(t)) if own(t))
            }
            Some((name, syn::PathArguments::None)) => *name == scalar.ty().to_string(),
            _ => false,
        },
        _ => false,
    }
}
