//! `#[differentiable(higher_order)]`: companions over any scalar, and what users call on them.
//!
//! For `fn f(x: f64, w: f64) -> f64` there stands beside `impl f { … }`
//!
//! ```text
//! pub struct __Over<AnyScalar>(PhantomData<AnyScalar>);
//! impl<AnyScalar: ad::Number> __Over<AnyScalar> {
//!     pub fn __vjp<..>(.., x: AnyScalar, w: AnyScalar) -> (AnyScalar, impl FnOnce(..)) { … }   // and __jvp, as for f64
//!     pub fn __over(x: AnyScalar, w: AnyScalar) -> AnyScalar { … }                             // the function itself
//!     pub fn __value_and_grad(x: AnyScalar, w: AnyScalar) -> (AnyScalar, (AnyScalar, AnyScalar)) { … }     // and its companions
//! }
//! impl<AnyScalar: ad::Number> ad::DifferentiableFn<(AnyScalar, AnyScalar)> for __Over<AnyScalar> { … }
//! impl<AnyScalar: ad::Number> ad::Over<AnyScalar> for f { type Item = __Over<AnyScalar>; }
//! impl f { pub fn hvp(..) …  pub fn hessian(..) …  pub fn linearize(..) … }
//! ```
//!
//! A function that is generic over its scalar has such companions already: `type Item = f`.

mod along;
mod check;
mod forms;
mod generic;
mod literals;
mod matrices;
mod methods;
mod named;
mod named_like;
mod native;
mod nested;
mod open;
mod operator;
mod operators;
mod product;
mod pulled;
mod settings;
mod sparse;
mod unlifted;
mod within;

pub use check::{of_tensors, scalar_of, Scalar};
pub use methods::Block;
pub use named::TENSORS;
pub use named_like::like_operator;
pub use operator::{operator, FUNCTION};

use crate::input::ctxt::Ctxt;
use crate::items::function_trait::Caller;
use crate::items::Surface;
use generic::Exchange;
use named::Named;
use proc_macro2::TokenStream;
use quote::quote;

/// What stands beside `impl f` for derivatives of higher order.
pub struct Higher<'a> {
    pub surface: &'a Surface<'a>,
    pub scalar: &'a Scalar,
    /// What the user wrote, and the types that the attribute names.
    pub body: &'a syn::Block,
    pub marked: &'a [syn::Ident],
    pub cx: &'a Ctxt,
    /// Whether there are tensors of the scalar.
    pub tensors: bool,
}

/// The companions that are emitted for the function's own type, as members of an `impl` block.
pub struct Emitted<'a> {
    pub companions: &'a TokenStream,
    /// The function itself, as [`over_calls`] left it.
    pub over: &'a TokenStream,
}

impl Higher<'_> {
    /// The items of a free function; `asked` if it is `higher_order`, and not only generic.
    pub fn items(&self, emitted: &Emitted<'_>, asked: bool) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let name = &self.surface.sig.ident;
        let over = emitted.over;
        let mark = quote! {
            #[doc(hidden)]
            #[allow(dead_code)]
            pub const __OVER: bool = true;
        };
        let float = match self.scalar {
            Scalar::Parameter(_) => {
                let (nested, operators) = self.called(asked);
                let matrices = asked.then(|| self.matrices_of(self.surface));
                let matrices = matrices.flatten();
                return quote! {
                    impl #name { #mark #over #nested #matrices #operators }
                    impl<AnyScalar> #ad::Over<AnyScalar> for #name { type Item = #name; }
                };
            }
            Scalar::Float(float) => float,
        };
        let (types, named) = (open::Types::of(self.surface), self.named());
        let mut exchange = self.exchange(float, &named, &types);
        let before = self.cx.error_count();
        let companions = emitted.companions;
        let mut items = match forms::impl_items(quote!(#companions #over)) {
            Ok(items) => items,
            Err(e) => return e.to_compile_error(),
        };
        let params = self.unlifted(&mut items, float);
        let surface = Surface {
            params: &params,
            ..*self.surface
        };
        let this = Higher {
            surface: &surface,
            ..*self
        };
        let (nested, operators) = this.called(asked);
        let members = exchange.items(items);
        // What is beside the companions passes constants on.
        exchange.reads = false;
        let matrices = asked.then(|| this.matrices(&mut exchange)).flatten();
        let nested_members = nested.clone().map(|n| exchange.members(n));
        let mut function = this.function(&mut exchange);
        if params.iter().any(|p| p.unlifted) {
            // Helpers such as `check_hvp` have the arguments over the scalar.
            function.extend(self.function(&mut exchange));
        }
        if self.cx.error_count() > before {
            // The user sees the errors and none that follow from them.
            return TokenStream::new();
        }
        let (nested, own) = match &nested {
            Some(nested) if self.is_plain() => self.own(nested),
            _ => (quote!(#nested), TokenStream::new()),
        };
        let (generics, clause) = bounds(self.tensors);
        let (aliases, vis) = (named.aliases(), self.surface.vis);
        quote! {
            #aliases
            #[doc(hidden)]
            #[derive(Debug)]
            #vis struct __Over<AnyScalar>(::core::marker::PhantomData<AnyScalar>);
            impl #generics __Over<AnyScalar> #clause { #members #nested_members }
            #function
            impl #generics #ad::Over<AnyScalar> for #name #clause { type Item = __Over<AnyScalar>; }
            impl #name { #mark #nested #matrices #operators }
            #own
        }
    }

    /// Whether the types of the function over its own scalar are those that it is written with.
    fn is_plain(&self) -> bool {
        let sig = &self.surface.sig;
        let number = |t: &syn::Type| {
            let discrete = crate::syntax::ty_of(t).is_discrete();
            discrete || matrices::is_sequence(t, &|t| along::is_own_tangent(t, self.scalar))
        };
        let output = syn::parse2::<syn::Type>(self.surface.output());
        let mut params = self.surface.params.iter();
        sig.generics.params.is_empty()
            && output.is_ok_and(|t| number(&t))
            && params.all(|p| p.value_ty().is_some_and(number))
    }

    /// What is called of the function itself beside the companions, which are there over any scalar.
    fn own(&self, nested: &TokenStream) -> (TokenStream, TokenStream) {
        let (ad, name) = (quote!(::differentiable::__rt), &self.surface.sig.ident);
        let Ok(items) = forms::impl_items(nested.clone()) else {
            return (TokenStream::new(), TokenStream::new());
        };
        let allow = crate::items::allowed();
        let called = items.iter().filter_map(|i| match i {
            syn::ImplItem::Fn(f) if IN_KEPT_CODE.contains(&f.sig.ident.to_string().as_str()) => {
                let (sig, of) = (&f.sig, &f.sig.ident);
                let names = sig.inputs.iter().filter_map(|a| match a {
                    syn::FnArg::Typed(t) => Some(&t.pat),
                    _ => None,
                });
                Some(quote! {
                    #[doc(hidden)]
                    #[inline]
                    #[allow(#allow)]
                    pub #sig { <Self as #ad::OwnScalar>::Item::#of(#(#names),*) }
                })
            }
            _ => None,
        });
        let float = self.scalar.ty();
        (
            quote! {
                #[doc(hidden)]
                #[allow(dead_code)]
                pub const __OWN: bool = true;
                #(#called)*
            },
            quote!(impl #ad::OwnScalar for #name { type Item = __Over<#float>; }),
        )
    }

    fn named(&self) -> Named {
        let mut named = Named::new(self.surface.sig, Some(self.body)).and(self.marked);
        named.checked = self.surface.checked.cloned();
        named.choose(&[self.surface]);
        named
    }

    fn exchange<'e>(
        &'e self,
        float: &'e str,
        named: &'e Named,
        types: &'e open::Types,
    ) -> Exchange<'e> {
        Exchange {
            cx: self.cx,
            function: &self.surface.sig.ident,
            float,
            constants: self.surface.const_params(),
            named,
            tensors: self.tensors,
            locals: native::Locals::default(),
            types,
            names: open::Names::default(),
            reads: true,
        }
    }

    /// Functions over any scalar that stand beside the function, where no alias of a type is known.
    fn exchanged(&self, functions: TokenStream) -> TokenStream {
        let Scalar::Float(float) = self.scalar else {
            return functions;
        };
        let types = open::Types::of(self.surface);
        let mut named = self.named();
        // Its alias stands inside.
        named.checked = None;
        let mut exchange = self.exchange(float, &named, &types);
        exchange.reads = false;
        exchange.members(functions)
    }

    /// What users and other functions call.
    fn called(&self, asked: bool) -> (Option<TokenStream>, Option<TokenStream>) {
        let nested = asked.then(|| {
            let along = self.surface.nested_along(self.scalar);
            let gradient = self.surface.nested(self.scalar);
            let product = self.surface.nested_product(self.scalar);
            let pullback = self.surface.nested_pullback(self.scalar);
            let all = quote!(#gradient #product #along #pullback);
            (!all.is_empty()).then_some(all)
        });
        let nested = nested.flatten();
        let called = asked
            && self.surface.sig.ident != crate::higher::FUNCTION
            && self.surface.is_reached_by_arguments();
        (nested, called.then(|| self.operators()))
    }

    /// `DifferentiableFn` over any scalar.
    fn function(&self, exchange: &mut Exchange<'_>) -> TokenStream {
        let tokens = self.surface.function_trait(match self.tensors {
            true => Caller::HigherOfTensors,
            false => Caller::Higher,
        });
        if tokens.is_empty() {
            return tokens;
        }
        let mut item: syn::ItemImpl = match syn::parse2(tokens) {
            Ok(item) => item,
            Err(e) => return e.to_compile_error(),
        };
        exchange.item(&mut item);
        if self.surface.params.iter().any(|p| p.unlifted) {
            unlifted::declared(&mut item.generics);
        }
        *item.self_ty = syn::parse_quote!(__Over<AnyScalar>);
        quote!(#item)
    }
}

/// What a call of an operator becomes before it is known whether its value has a derivative.
const IN_KEPT_CODE: &[&str] = &["__along", "__hvp", "__pulled"];

/// The generics of what is over any scalar, of which there may be tensors, and their where clause.
fn bounds(tensors: bool) -> (TokenStream, TokenStream) {
    let element = tensors.then(|| quote!(+ ::differentiable::device::FloatElem));
    (
        quote!(<AnyScalar: ::differentiable::__rt::Number #element>),
        quote!(where for<'__r> &'__r AnyScalar: ::differentiable::__rt::NumberRef<AnyScalar>),
    )
}
