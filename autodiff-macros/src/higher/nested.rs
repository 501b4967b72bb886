//! The companions of `g::grad` and `g::value_and_grad`: what is called where another differentiable
//! function takes a gradient.
//!
//! The derivative of a gradient is the Hessian, which is symmetric. So the pullback of
//! `(value, gradient)` takes `(s, u)` to `s · gradient + H u`: one run of the pullback of `g` over duals,
//! whose arguments have the tangents `u`, and whose cotangent is `1 + s ε`. The pushforward reads the
//! tangents of value and gradient over duals.

use super::check::Scalar;
use super::unlifted::unlifted;
use crate::emit::vjp::mode_name;
use crate::input::signature::ParamDecl;
use crate::items::{allowed, Surface, Within};
use crate::syntax::names::{derived, nth_of, one_or_tuple};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::Type;

impl Surface<'_> {
    /// `__value_and_grad`, `__grad` and their companions; `None` where the function has no gradient, or
    /// one whose type has no derivative itself (that of a struct that is generic over its scalar).
    pub fn nested(&self, scalar: &Scalar) -> Option<TokenStream> {
        if !self.is_scalar(scalar) || !self.has_nested(scalar) {
            return None;
        }
        let (values, reverse, forward) = (
            self.nested_values(scalar),
            self.nested_reverse(scalar),
            self.nested_forward(scalar),
        );
        Some(quote!(#values #reverse #forward))
    }

    /// Whether what operators give has a derivative itself, as far as the parameters tell.
    pub(super) fn has_nested(&self, scalar: &Scalar) -> bool {
        let lent = self.params.iter().all(|p| !p.by_mut);
        let flat = self
            .active()
            .all(|(_, p)| p.ty.as_ref().is_some_and(|t| is_flat(t, scalar)));
        let some = self.active().next().is_some();
        lent && flat
            && some
            && !self.takes_functions()
            && self.within == Within::Type
            && self.is_reached_by_arguments()
    }

    /// The where clause of what is computed on duals: the elements of tensors need not be scalars elsewhere.
    pub fn scalar_clause(&self, scalar: &Scalar, extra: Option<TokenStream>) -> TokenStream {
        let Scalar::Parameter(s) = scalar else {
            return self.where_clause(extra);
        };
        let generics = self.outer.into_iter().chain([&self.sig.generics]);
        if generics
            .flat_map(crate::syntax::scalar_parameters)
            .any(|p| p == s)
        {
            return self.where_clause(extra);
        }
        let extra = extra.into_iter();
        self.where_clause(Some(quote!(#s: ::differentiable::__rt::Scalar, #(#extra)*)))
    }

    /// Whether the value of the function is its scalar.
    pub fn is_scalar(&self, scalar: &Scalar) -> bool {
        let output = self.output();
        output.to_string() == scalar.ty().to_string() || is_single(&output)
    }

    /// Whether it is, or the first part of it: the others are auxiliary values then.
    pub fn is_loss(&self, scalar: &Scalar) -> bool {
        let first = match syn::parse2::<Type>(self.output()) {
            Ok(Type::Tuple(t)) if t.elems.len() > 1 => t.elems[0].to_token_stream(),
            _ => return self.is_scalar(scalar),
        };
        first.to_string() == scalar.ty().to_string() || is_single(&first)
    }

    fn nested_values(&self, scalar: &Scalar) -> TokenStream {
        let (ad, s) = (quote!(::differentiable::__rt), scalar.ty());
        let (output, gradient_ty) = (self.output(), self.gradient_ty());
        let (generics, clause) = (self.generics(&[], &[]), self.scalar_clause(scalar, None));
        let decls = self.param_decls();
        let pieces = self.pieces();
        let (gradient, protos) = (self.gradient(&pieces), &pieces.protos);
        let (modes, setup, call) = (&pieces.modes, &pieces.setup, &pieces.call);
        let (again, accs) = (&pieces.again, &pieces.accs);
        let (pass, own) = (self.pass_generics(Some(modes)), self.pass_generics(None));
        let names = self.params.iter().map(|p| self.name_of(p));
        let allow = allowed();
        quote! {
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            pub fn __value_and_grad #generics(#(#decls),*) -> (#output, #gradient_ty) #clause {
                #setup
                #protos
                let (__value, __pullback) = Self::__vjp #pass((#(#modes,)*), #(#call),*);
                __pullback(#ad::unit::<#output, #s>(), #(#again,)* #(#accs),*);
                (__value, #gradient)
            }
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            pub fn __grad #generics(#(#decls),*) -> #gradient_ty #clause {
                Self::__value_and_grad #own(#(#names),*).1
            }
        }
    }

    fn nested_reverse(&self, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (name, s) = (&self.sig.ident, scalar.ty());
        let (output, gradient_ty) = (self.output(), self.gradient_ty());
        let (modes, mode_decls) = self.modes();
        let (generics, clause) = (
            self.generics(&[], &mode_decls),
            self.scalar_clause(scalar, None),
        );
        let (decls, types) = (self.param_decls(), self.pullback_types(&modes));
        let passed: Vec<_> = modes.iter().map(|m| quote!(#m)).collect();
        let (pass, closure) = (self.pass_generics(Some(&passed)), self.pullback_names());
        let names: Vec<_> = self.params.iter().map(|p| self.name_of(p)).collect();
        let (mut args, mut add) = (Vec::new(), Vec::new());
        let count = self.active().count();
        let mut nth = 0;
        for (i, p) in self.params.iter().enumerate() {
            let value = self.lent(p);
            if p.constant {
                args.push(self.lifted(p, &s, 1, &Tangents::None(&value)));
                continue;
            }
            let u = nth_of(&quote!(__u), nth, count);
            nth += 1;
            args.push(self.lifted(p, &s, 1, &Tangents::One(&value, &quote!(&#u))));
            let (k, t) = (syn::Index::from(i), self.value_ty(p));
            let part = quote!(#ad::part::<#s, 1, #t>(&__gradient.#k, 0));
            let ct = quote!(<#t as #ad::Differentiable>::start(#part));
            add.push(self.accumulated(p, &value, &derived("d_", &self.adj_base(p)), &ct));
        }
        let both = self.nested_vjp(
            "__value_and_grad",
            &quote!((#output, #gradient_ty)),
            scalar,
            &quote! {
                let (__t, __u) = <(#output, #gradient_ty) as #ad::Differentiable>::finish(&__proto, __ct);
                let __args = (#(#args,)*);
                let __gradient = #ad::product_within::<<#name as #ad::Over<#ad::Dual<#s>>>::Item, _, #s, 1>(
                    &__args,
                    #ad::Dual::new(<#s as #ad::Scalar>::ONE, [#ad::ScalarValue::<#s>::scalar(&__t)]),
                );
                #(#add)*
            },
        );
        let opaque = quote_spanned!(Span::mixed_site()=> impl);
        let allow = allowed();
        quote! {
            #both
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            pub fn __grad_vjp #generics(__modes: (#(#modes,)*), #(#decls),*) -> (
                #gradient_ty,
                #opaque FnOnce(#ad::Ct<#gradient_ty>, #(#types),*) + ::core::clone::Clone,
            ) #clause {
                let ((__value, __gradient), __pullback) = Self::__value_and_grad_vjp #pass(__modes, #(#names),*);
                let __proto = #ad::Differentiable::proto(&__value);
                (__gradient, move |__ct, #(#closure),*| {
                    __pullback((<#output as #ad::Differentiable>::zero_ct(&__proto), __ct), #(#closure),*)
                })
            }
        }
    }

    fn nested_forward(&self, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (name, s) = (&self.sig.ident, scalar.ty());
        let (output, gradient_ty) = (self.output(), self.gradient_ty());
        let (generics, clause) = (self.generics(&[], &[]), self.scalar_clause(scalar, None));
        let Pushed {
            decls,
            names,
            args,
            lent,
        } = self.pushed(&s);
        let active: Vec<_> = self.active().map(|(_, p)| self.value_ty(p)).collect();
        let part = |f: TokenStream| {
            let parts = active.iter().enumerate().map(|(k, t)| {
                let of = nth_of(&quote!(__gradient), k, active.len());
                quote!(<#t as #ad::Lift<#s, #ad::Dual<#s>>>::part(&#of, &|__d: #ad::Dual<#s>| __d.#f))
            });
            one_or_tuple(parts)
        };
        let (values, tangents) = (part(quote!(value)), part(quote!(tangents[0])));
        let own = self.pass_generics(None);
        let allow = allowed();
        let (lifted_own, pair_ty) = (
            self.lifted_generics(scalar),
            quote!((#output, #gradient_ty)),
        );
        quote! {
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            pub fn __value_and_grad_jvp #generics(#(#decls),*)
                -> (#pair_ty, <#pair_ty as #ad::Differentiable>::Tangent)
            #clause
            {
                let __args = (#(#args,)*);
                let (__value, __gradient) =
                    <<#name as #ad::Over<#ad::Dual<#s>>>::Item>::__value_and_grad #lifted_own(#(#lent),*);
                let __value = #ad::ScalarValue::<#ad::Dual<#s>>::scalar(&__value);
                let __scalar = <#output as #ad::ScalarValue<#s>>::from_scalar;
                ((__scalar(__value.value), #values), (__scalar(__value.tangents[0]), #tangents))
            }
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            pub fn __grad_jvp #generics(#(#decls),*)
                -> (#gradient_ty, <#gradient_ty as #ad::Differentiable>::Tangent)
            #clause
            {
                let ((_, __gradient), (_, __tangent)) = Self::__value_and_grad_jvp #own(#(#names),*);
                (__gradient, __tangent)
            }
        }
    }

    /// The parameters of a pushforward that runs over duals.
    pub(super) fn pushed(&self, s: &TokenStream) -> Pushed {
        let mut all = Pushed::default();
        for (i, (p, d)) in self.params.iter().zip(self.param_decls()).enumerate() {
            let (n, t, ty) = (
                self.name_of(p),
                derived("t_", &self.adj_base(p)),
                self.tangent_ty(p),
            );
            all.decls.push(d);
            all.decls.push(match self.taken(p) {
                Some(_) => quote!(#t: impl ::core::marker::Sized),
                None => quote!(#t: #ty),
            });
            all.names.push(n.clone());
            all.names.push(quote!(#t));
            let value = self.lent(p);
            let tangent = if p.by_ref { quote!(#t) } else { quote!(&#t) };
            // Also one that is constant to the derivative inside may change.
            all.args.push(match p.discrete {
                true => self.lifted(p, s, 1, &Tangents::None(&value)),
                false => self.lifted(p, s, 1, &Tangents::One(&value, &tangent)),
            });
            let k = syn::Index::from(i);
            let lent = match self.taken(p) {
                Some(_) => quote!(::differentiable::__rt::Lends::__lent(&__args.#k)),
                None => quote!(&__args.#k),
            };
            all.lent.push(match p.by_ref {
                true => lent,
                false => quote!(::core::clone::Clone::clone(#lent)),
            });
        }
        all
    }

    /// The function `of_vjp` beside a function `of` of the parameters, whose value has the type `ty`: its pullback is
    /// `body`, which has a cotangent `__ct`, what `of` was given and `__proto` to finish the cotangent with.
    pub(super) fn nested_vjp(
        &self,
        of: &str,
        ty: &TokenStream,
        scalar: &Scalar,
        body: &TokenStream,
    ) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (modes, mode_decls) = self.modes();
        let (generics, clause) = (
            self.generics(&[], &mode_decls),
            self.scalar_clause(scalar, None),
        );
        let (decls, types) = (self.param_decls(), self.pullback_types(&modes));
        let (closure, own) = (self.pullback_names(), self.pass_generics(None));
        let names: Vec<_> = self.params.iter().map(|p| self.name_of(p)).collect();
        let keep = self.params.iter().filter(|p| !p.by_ref).map(|p| {
            let n = self.name_of(p);
            quote!(let #n = ::core::clone::Clone::clone(&#n);)
        });
        let opaque = quote_spanned!(Span::mixed_site()=> impl);
        let mode_names: Vec<_> = (0..self.params.len()).map(mode_name).collect();
        let [value, vjp] = [format_ident!("{of}"), format_ident!("{of}_vjp")];
        let allow = allowed();
        quote! {
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            pub fn #vjp #generics(__modes: (#(#modes,)*), #(#decls),*) -> (
                #ty,
                #opaque FnOnce(#ad::Ct<#ty>, #(#types),*) + ::core::clone::Clone,
            ) #clause {
                let (#(#mode_names,)*) = __modes;
                let __kept = { #(#keep)* (#(#names,)*) };
                let __value = Self::#value #own(#(#names),*);
                let __proto = #ad::Differentiable::proto(&__value);
                let (#(#names,)*) = __kept;
                (__value, move |__ct, #(#closure),*| { #body })
            }
        }
    }

    /// What a pullback names its arguments behind the cotangent.
    fn pullback_names(&self) -> Vec<TokenStream> {
        let references = self.params.iter().filter(|p| p.by_ref);
        let references = references.map(|p| self.name_of(p));
        let accumulators = self.params.iter().map(|p| {
            let d = derived("d_", &self.adj_base(p));
            quote!(#d)
        });
        references.chain(accumulators).collect()
    }

    /// Adds `ct` to the accumulator `d` of an argument, whose value or tangent is `value`.
    pub(super) fn accumulated(
        &self,
        p: &ParamDecl,
        value: &TokenStream,
        d: &Ident,
        ct: &TokenStream,
    ) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        match p.slice_of {
            Some(_) => quote!(#ad::acc_slice(&#ad::wit(#value), #ct, #d);),
            None => quote!(#ad::acc(&#ad::wit(#value), #ct, #d);),
        }
    }

    /// The function's own generics as arguments, with `Dual` in the place of the scalar.
    pub(super) fn lifted_generics(&self, scalar: &Scalar) -> TokenStream {
        let own = self
            .sig
            .generics
            .params
            .iter()
            .filter_map(|p| match (p, scalar) {
                (syn::GenericParam::Type(t), Scalar::Parameter(s)) if t.ident == *s => {
                    Some(quote!(::differentiable::__rt::Dual<#s>))
                }
                (syn::GenericParam::Type(t), _) => {
                    let t = &t.ident;
                    Some(quote!(#t))
                }
                (syn::GenericParam::Const(c), _) => {
                    let c = &c.ident;
                    Some(quote!(#c))
                }
                _ => None,
            });
        let own: Vec<_> = own.collect();
        match own.is_empty() {
            true => TokenStream::new(),
            false => quote!(::<#(#own),*>),
        }
    }

    /// An argument over duals with so many tangents.
    pub fn lifted(
        &self,
        p: &ParamDecl,
        s: &TokenStream,
        lanes: usize,
        tangents: &Tangents<'_>,
    ) -> TokenStream {
        self.lifted_to(p, s, &dual(s, lanes), tangents)
    }

    /// An argument over this scalar.
    pub fn lifted_to(
        &self,
        p: &ParamDecl,
        s: &TokenStream,
        over: &TokenStream,
        tangents: &Tangents<'_>,
    ) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let t = self.value_ty(p);
        if let Tangents::None(value) | Tangents::One(value, _) = tangents {
            if let Some(argument) = self.open_argument(p, s, over, value) {
                return argument;
            }
        }
        match (tangents, &p.slice_of) {
            (Tangents::None(value), _) if p.unlifted => unlifted(value),
            (Tangents::None(value), _) => {
                quote!(<#t as #ad::Lift<#s, #over>>::lift(#value, &mut <#over as #ad::Extends<#s>>::constant))
            }
            (Tangents::One(value, tangent), Some(entry)) => quote! {
                #ad::lift_entries::<#s, #over, #entry>(#value, #tangent, &mut |__v, __t| #ad::Dual::new(__v, [__t]))
            },
            (Tangents::One(value, tangent), None) => quote! {
                <#t as #ad::Lift<#s, #over>>::lift_along(#value, #tangent, &mut |__v, __t| #ad::Dual::new(__v, [__t]))
            },
            (Tangents::Seeds(value, seed), _) => {
                quote!(<#t as #ad::Lift<#s, #over>>::lift(#value, &mut #seed))
            }
        }
    }

    /// Names of generics that are constants.
    pub fn const_params(&self) -> std::collections::HashSet<String> {
        let all = self.sig.generics.const_params();
        all.map(|c| c.ident.to_string()).collect()
    }
}

/// The parameters of a function with their tangents.
#[derive(Default)]
pub(super) struct Pushed {
    /// As they are declared, a tangent behind each.
    pub decls: Vec<TokenStream>,
    /// By name.
    pub names: Vec<TokenStream>,
    /// Over duals, which are `__args`.
    pub args: Vec<TokenStream>,
    /// As a function over duals takes them.
    pub lent: Vec<TokenStream>,
}

/// The scalar with so many tangents.
pub fn dual(s: &TokenStream, lanes: usize) -> TokenStream {
    quote!(::differentiable::__rt::Dual<#s, #lanes>)
}

/// The tangents of an argument over duals, and the reference to its value.
pub enum Tangents<'a> {
    /// It does not change.
    None(&'a TokenStream),
    /// One, by reference.
    One(&'a TokenStream, &'a TokenStream),
    /// From a function of each scalar.
    Seeds(&'a TokenStream, &'a TokenStream),
}

/// Whether a type is a tensor of rank 0, `Tensor![]` or `Tensor![f64;]`.
fn is_single(output: &TokenStream) -> bool {
    match syn::parse2(output.clone()) {
        Ok(Type::Macro(m)) if crate::syntax::is_macro(&m.mac, &["Tensor"]) => {
            let last = m.mac.tokens.into_iter().last();
            last.is_none_or(|t| matches!(t, proc_macro2::TokenTree::Punct(p) if p.as_char() == ';'))
        }
        _ => false,
    }
}

/// Whether gradients by a parameter of this type have a derivative themselves: scalars, and arrays,
/// slices, `Vec`s and tuples of them, tensors, and structs whose numbers are fixed.
fn is_flat(ty: &Type, scalar: &Scalar) -> bool {
    let flat = |t: &Type| is_flat(t, scalar);
    match ty {
        Type::Reference(r) => flat(&r.elem),
        Type::Paren(p) => flat(&p.elem),
        Type::Group(g) => flat(&g.elem),
        Type::Slice(s) => flat(&s.elem),
        Type::Array(a) => flat(&a.elem),
        Type::Tuple(t) => t.elems.iter().all(flat),
        Type::Macro(m) => crate::syntax::is_macro(&m.mac, &["Tensor"]),
        Type::Path(p) => match p.path.segments.last().map(|s| (&s.ident, &s.arguments)) {
            Some((name, _)) if name == "Tensor" => true,
            Some((name, syn::PathArguments::AngleBracketed(a))) if name == "Vec" => {
                matches!(a.args.first(), Some(syn::GenericArgument::Type(t)) if flat(t))
            }
            // The tangent of a struct whose numbers are fixed is differentiable; a parameter may be of any type.
            Some((_, syn::PathArguments::None)) => match scalar {
                Scalar::Float(_) => true,
                Scalar::Parameter(s) => {
                    p.path.is_ident(s) || crate::syntax::ty_of(ty).is_discrete()
                }
            },
            _ => false,
        },
        _ => false,
    }
}
