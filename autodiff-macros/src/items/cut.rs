//! Where the growth of pullback types is cut.
//!
//! The type of a pullback contains the types of the pullbacks it calls, so it is as large as the
//! tree of calls, and so is the time that rustc takes. A pullback that contains many others is handed
//! out in a box, whose type contains none. The rule:
//!
//! * A function weighs one, and as much as every call in its text weighs: `__WEIGHT`, an associated
//!   constant of the companion. A called method weighs [`UNKNOWN`], since its type is not known here.
//! * A function that would weigh more than `LIMIT` (`autodiff-core/src/ad/cut.rs`) is boxed, and weighs
//!   one to its callers.
//!
//! So a box is paid once in `LIMIT` calls, and small functions are never boxed. For
//! `fn f(x: f64) -> f64 { g(x) * g(2.0 * x) }` the companion becomes
//!
//! ```text
//! const __CALLS: usize = 1usize + __callee0::__WEIGHT + __callee0::__WEIGHT;
//! pub const __WEIGHT: usize = ad::weight(Self::__CALLS);
//! fn __vjp_open<..>(..) -> (f64, impl FnOnce(..)) { … }
//! pub fn __vjp<..>(..) -> (f64, impl FnOnce(..)) {
//!     let (value, pullback) = Self::__vjp_open(..);
//!     let cut = ad::Cut::<{ ad::is_cut(Self::__CALLS) }>;
//!     let way = cut.probe(&pullback).way();
//!     (value, ad::Finish::finish((cut, way), pullback, /* closures into a box and out of it */))
//! }
//! ```
//!
//! The two kinds of boxes are for pullbacks that can be sent to another thread and for the others: a
//! function does not lose that when it grows.

use super::*;
use crate::input::boxing::Boxing;

/// What a call weighs whose callee has no name here.
const UNKNOWN: usize = 8;

/// The calls in the body of a function.
#[derive(Default)]
pub struct Calls {
    /// The constants of the callees, one for each call.
    pub known: Vec<TokenStream>,
    /// Called methods and associated functions.
    pub unknown: usize,
    /// Whether the function calls itself: its pullback would contain itself.
    pub recursive: bool,
}

impl Surface<'_> {
    /// How the pullback of a function is handed out; `asked` is what its attribute says.
    pub fn boxing(&self, calls: &Calls, asked: Option<Boxing>) -> Boxing {
        if self.within != Within::Type {
            // What a trait declares is not in a box.
            return Boxing::Open;
        }
        match asked {
            Some(boxing) => boxing,
            None if calls.recursive => Boxing::Boxed,
            // One method alone is not more than `LIMIT`.
            None if calls.known.is_empty() && calls.unknown < 2 => Boxing::Open,
            None if self.can_be_held() => Boxing::Weighed,
            None => Boxing::Open,
        }
    }

    /// Whether the pullback can be in a box without a word from the user: what has a type parameter in
    /// it might not live long enough for one.
    fn can_be_held(&self) -> bool {
        let outer = self.outer.is_none_or(is_static);
        outer && is_static(&self.sig.generics)
    }

    /// The constants of the companion that say what the function weighs.
    pub fn weight(&self, boxing: Boxing, calls: &Calls) -> TokenStream {
        if self.kind == FunctionKind::Associated {
            return TokenStream::new();
        }
        let sum = calls.sum();
        let (own, weight) = match boxing {
            Boxing::Boxed => (None, quote!(1)),
            Boxing::Open => (None, sum),
            Boxing::Weighed => (
                Some(quote!(const __CALLS: usize = #sum;)),
                quote!(::differentiable::__rt::weight(Self::__CALLS)),
            ),
        };
        quote! {
            #own
            #[doc(hidden)]
            #[allow(dead_code)]
            pub const __WEIGHT: usize = #weight;
        }
    }

    /// The reverse-mode companion whose pullback is in a box, always or by weight: its type does not
    /// grow with what the function calls.
    pub fn closed_companion(
        &self,
        boxing: Boxing,
        calls: &Calls,
        imports: &TokenStream,
    ) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (vis, output) = (self.vis(), self.output());
        let (name, open) = (self.hidden("vjp"), self.hidden("vjp_open"));
        let (modes, mode_decls) = self.modes();
        // Where the generics of the `impl` block are not seen, or the user asks for a box, it lives as
        // long as the types of the function do.
        let unseen = self.kind == FunctionKind::Associated && self.outer.is_none();
        let held = (boxing == Boxing::Boxed || unseen)
            .then(|| Lifetime::new("'__held", Span::mixed_site()));
        let generics = self.generics(held.as_slice(), &mode_decls);
        let (self_decl, decls) = self.reverse_decls();
        let params = self.params.iter().filter(|p| !p.is_self());
        let names: Vec<_> = params.map(|p| self.passed(p)).collect();
        let types = self.pullback_types(&modes);
        let modes_passed: Vec<_> = modes.iter().map(|m| quote!(#m)).collect();
        let pass = self.pass_generics(Some(&modes_passed));
        let allow = allowed();
        let extra = held.as_ref().and_then(|held| {
            let own = self.sig.generics.type_params().map(|t| &t.ident);
            let mut outlive: Vec<_> = own.map(|t| quote!(#t: #held)).collect();
            if self.kind == FunctionKind::Associated {
                outlive.push(quote!(Self: #held));
            }
            (!outlive.is_empty()).then(|| quote!(#(#outlive),*))
        });
        let where_clause = self.where_clause(extra);
        let call = self.companion_path(&open);
        let life = held.as_ref().map_or(quote!('static), |h| quote!(#h));
        let held = held.map(|h| quote!(+ #h));
        let opaque = quote_spanned!(Span::mixed_site()=> impl);
        let arguments = quote!(#ad::Ct<#output>, #(#types),*);
        let handed = quote!(#opaque FnOnce(#arguments) + ::core::clone::Clone #held);
        let (a, typed): (Vec<_>, Vec<_>) = std::iter::once(&quote!(#ad::Ct<#output>))
            .chain(&types)
            .enumerate()
            .map(|(i, t)| (format_ident!("__a{i}"), t))
            .map(|(a, t)| (a.clone(), quote!(#a: #t)))
            .unzip();
        let choice = match (boxing, self.kind) {
            (Boxing::Boxed, _) => quote!((#ad::Cut::<true>, #ad::Stays)),
            (_, kind) => {
                let sum = match kind {
                    FunctionKind::Free => quote!(Self::__CALLS),
                    FunctionKind::Associated => {
                        let sum = calls.sum();
                        quote!({ #imports #sum })
                    }
                };
                quote!({
                    use #ad::MayStay as _;
                    let __cut = #ad::Cut::<{ #ad::is_cut(#sum) }>;
                    let __way = __cut.probe(&__pullback).way();
                    (__cut, __way)
                })
            }
        };
        let function = quote!(dyn FnMut(#arguments) + #life);
        let finished = quote!(#ad::Finish::<_, #function, _>::finish(
            #choice,
            __pullback,
            |__held| #ad::Pooled::<#function>::new(
                __held,
                |mut __inside| move |#(#typed),*| __inside.take()(#(#a),*),
                |__call| __call,
            ),
            |__held| move |#(#typed),*| #ad::Unboxed::unboxed(__held, &mut #ad::CallRoom::new())(#(#a),*),
        ));
        quote! {
            #[doc(hidden)]
            #[inline]
            #[allow(#allow)]
            #vis fn #name #generics(#self_decl __modes: (#(#modes,)*), #(#decls),*)
                -> (#output, #handed)
            #where_clause
            {
                let (__value, __pullback) = #call #pass(__modes, #(#names),*);
                (__value, #finished)
            }
        }
    }
}

impl Calls {
    /// What the body weighs.
    fn sum(&self) -> TokenStream {
        let (own, known) = (1 + UNKNOWN * self.unknown, &self.known);
        quote!(#own #(+ #known)*)
    }
}

/// Traits of ours whose types hold no references.
const OURS: &[&str] = &["Scalar", "Elem", "Dim", "StaticDim", "Shape", "Backend"];
/// Names that traits of users may have too: these are ours where the path says so.
const COMMON: &[&str] = &["Scalar", "Elem", "Shape"];

/// Whether the type parameters hold no references, as their bounds say.
fn is_static(g: &Generics) -> bool {
    let says = |b: &TypeParamBound| match b {
        TypeParamBound::Trait(t) => {
            let names = crate::syntax::segments(&t.path);
            let (last, path) = names.split_last().expect("a path has a segment");
            let named = |list: &[&str]| list.contains(&last.as_str());
            let qualified = path.iter().any(|s| s == "ad" || s == "differentiable");
            named(OURS) && (qualified || !named(COMMON))
        }
        TypeParamBound::Lifetime(l) => l.ident == "static",
        _ => false,
    };
    crate::syntax::bounded(g, says).len() == g.type_params().count()
}
