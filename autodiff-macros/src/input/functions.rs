//! Parameters that are functions: `f: impl Fn(f64, &[f64]) -> f64`.
//!
//! What is passed has two parts (see `autodiff-core/src/ad/callable.rs`): the environment, which is a
//! parameter by reference like any other, and code without captures. In the companions the parameter
//! `f` has the type `&__E0`, behind it comes the parameter `__code_f: __C0`, and
//!
//! ```text
//! __C0: Fn(&__E0, (&f64, &[f64])) -> (f64, __P0) + Copy,
//! __P0: FnOnce(Ct<f64>, &__E0, (&f64, &[f64]), &mut Ct<__E0>, (&mut Ct<f64>, &mut [Ct<f64>])),
//! ```
//!
//! Bounds of the `Fn` family are what tells the compiler the types of a closure's parameters.

use crate::input::ctxt::Ctxt;
use crate::input::signature::ParamDecl;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::punctuated::Punctuated;
use syn::visit_mut::VisitMut;
use syn::{
    GenericParam, Generics, NamedArg, PathArguments, ReturnType, Signature, Token, Type,
    TypeParamBound, WherePredicate,
};

/// How many arguments a function that is passed on can have.
const MOST: usize = 6;

/// The signature of a parameter that is a function.
#[derive(Clone, Debug)]
pub struct FnSig {
    pub inputs: Vec<Type>,
    pub output: Type,
    /// The type parameter that it is the bound of.
    param: Option<Ident>,
}

/// Which companion a signature is for.
#[derive(Clone, Copy, PartialEq)]
pub enum Mode {
    Reverse,
    /// Reverse mode with a pullback in a box.
    Boxed,
    Forward,
}

/// The signature, if a parameter of this type is a function.
pub fn of_param(ty: &Type, generics: &Generics, cx: &Ctxt) -> Option<FnSig> {
    match ty {
        Type::Reference(r) => of_param(&r.elem, generics, cx),
        Type::Paren(p) => of_param(&p.elem, generics, cx),
        Type::Group(g) => of_param(&g.elem, generics, cx),
        Type::ImplTrait(i) => of_bounds(&i.bounds, None, cx),
        Type::TraitObject(o) => of_bounds(&o.bounds, None, cx),
        Type::FnPtr(f) => checked(&f.inputs, &f.output, None, cx),
        Type::Path(p) => {
            let name = p.path.get_ident()?;
            let declared = generics.type_params().find(|t| t.ident == *name)?;
            let mut bounds = vec![&declared.bounds];
            for c in generics.where_clause.iter().flat_map(|w| &w.predicates) {
                match c {
                    WherePredicate::Type(t) if is_name(&t.bounded_ty, name) => {
                        bounds.push(&t.bounds);
                    }
                    _ => {}
                }
            }
            bounds
                .into_iter()
                .find_map(|b| of_bounds(b, Some(name), cx))
        }
        _ => None,
    }
}

fn is_name(ty: &Type, name: &Ident) -> bool {
    matches!(ty, Type::Path(p) if p.path.is_ident(name))
}

fn of_bounds(
    bounds: &Punctuated<TypeParamBound, Token![+]>,
    param: Option<&Ident>,
    cx: &Ctxt,
) -> Option<FnSig> {
    bounds.iter().find_map(|b| {
        let TypeParamBound::Trait(t) = b else {
            return None;
        };
        let last = t.path.segments.last()?;
        let PathArguments::Parenthesized(p) = &last.arguments else {
            return None;
        };
        checked(&p.inputs, &p.output, param, cx)
    })
}

fn checked(
    inputs: &Punctuated<NamedArg, Token![,]>,
    output: &ReturnType,
    param: Option<&Ident>,
    cx: &Ctxt,
) -> Option<FnSig> {
    if inputs.len() > MOST {
        cx.error(inputs, format!("a function parameter of a `#[differentiable]` function has at most {MOST} arguments: pass a struct or a slice"));
    }
    let mut types = Vec::new();
    for i in inputs {
        let mut ty = i.ty.clone();
        Elide.visit_type_mut(&mut ty);
        if let Type::Reference(r) = &ty {
            if r.mutability.is_some() {
                cx.error(r, "a function parameter of a `#[differentiable]` function cannot change its arguments: let it return the new value");
            }
        }
        types.push(ty);
    }
    let output = match output {
        ReturnType::Type(_, t) => (**t).clone(),
        ReturnType::Default => {
            cx.error(
                inputs,
                "a function parameter of a `#[differentiable]` function has to return a value",
            );
            syn::parse_quote!(())
        }
    };
    if let Type::Reference(r) = &output {
        cx.error(r, "a function parameter of a `#[differentiable]` function cannot return a reference: let it return an owned value");
    }
    Some(FnSig {
        inputs: types,
        output,
        param: param.cloned(),
    })
}

/// Every lifetime is one of the call.
struct Elide;

impl VisitMut for Elide {
    fn visit_type_reference_mut(&mut self, r: &mut syn::TypeReference) {
        r.lifetime = None;
        syn::visit_mut::visit_type_reference_mut(self, r);
    }
    fn visit_lifetime_mut(&mut self, l: &mut syn::Lifetime) {
        if l.ident != "static" {
            *l = syn::Lifetime::new("'_", l.span());
        }
    }
}

impl FnSig {
    /// The type parameter that it is the bound of.
    pub fn parameter(&self) -> Option<&Ident> {
        self.param.as_ref()
    }

    /// The function pointer of this signature.
    pub fn pointer(&self) -> Type {
        let (inputs, output) = (&self.inputs, &self.output);
        syn::parse_quote!(fn(#(#inputs),*) -> #output)
    }

    /// Whether an argument is taken by reference.
    pub fn by_ref(&self, i: usize) -> bool {
        matches!(&self.inputs[i], Type::Reference(_))
    }

    /// Whether an argument is a slice.
    pub fn is_slice(&self, i: usize) -> bool {
        matches!(&self.inputs[i], Type::Reference(r) if matches!(&*r.elem, Type::Slice(_)))
    }

    /// A closure in the types of the parameter that calls `f`, which stands for it.
    pub fn native(&self, f: &TokenStream) -> TokenStream {
        let call = format_ident!("call{}", self.inputs.len());
        let names: Vec<_> = (0..self.inputs.len())
            .map(|i| format_ident!("__a{i}"))
            .collect();
        let types = &self.inputs;
        let args = names.iter().enumerate().map(|(i, n)| match self.by_ref(i) {
            true => quote!(#n),
            false => quote!(&#n),
        });
        quote!((|#(#names: #types),*| #f.#call(#(#args),*)))
    }
}

/// Whether a method is one of those that stand for functions that are parameters.
pub fn is_own(method: &Ident) -> bool {
    *method == "owned" || (0..=MOST).any(|n| *method == format!("call{n}"))
}

/// The type parameter of the environment of the parameter `i`, and the parameter of its code.
pub fn env_type(i: usize) -> Ident {
    format_ident!("__E{i}", span = Span::mixed_site())
}

/// The parameter that is the code of the function `f`.
pub fn code_name(f: &Ident) -> Ident {
    format_ident!("__code_{f}", span = Span::mixed_site())
}

pub fn code_type(i: usize) -> Ident {
    format_ident!("__C{i}", span = Span::mixed_site())
}

/// The signature of a companion: type parameters for environment, code and pullback in the place of
/// the type parameters that were functions.
pub fn companion_signature(sig: &Signature, params: &[ParamDecl], mode: Mode) -> Signature {
    let mut sig = sig.clone();
    for (i, p) in params.iter().enumerate() {
        let Some(f) = &p.function else { continue };
        if let Some(name) = &f.param {
            remove(&mut sig.generics, name);
            if let Some(syn::FnArg::Typed(input)) = sig.inputs.iter_mut().nth(i) {
                // The name is that of no type any more; what the function takes still is.
                *input.ty = f.pointer();
            }
        }
        let (e, c) = (env_type(i), code_type(i));
        let pullback = format_ident!("__P{i}", span = Span::mixed_site());
        let ad = quote!(::differentiable::__rt);
        let args = f.inputs.iter().map(|t| match t {
            Type::Reference(r) => {
                let t = &r.elem;
                quote!(&#t)
            }
            t => quote!(&#t),
        });
        let args = quote!((#(#args,)*));
        let parts = |of: &dyn Fn(&Type) -> TokenStream, reference: TokenStream| {
            let parts = f.inputs.iter().map(|t| {
                let part = match t {
                    Type::Reference(r) => match &*r.elem {
                        Type::Slice(s) => {
                            let part = of(&s.elem);
                            quote!([#part])
                        }
                        t => of(t),
                    },
                    t => of(t),
                };
                quote!(#reference #part)
            });
            quote!((#(#parts,)*))
        };
        let r = &f.output;
        sig.generics
            .params
            .push(syn::parse_quote!(#e: #ad::Differentiable + ::core::clone::Clone));
        sig.generics
            .params
            .push(syn::parse_quote!(#c: ::core::marker::Copy));
        if mode != Mode::Forward {
            sig.generics.params.push(syn::parse_quote!(#pullback));
        }
        let clause = sig.generics.make_where_clause();
        match mode {
            Mode::Reverse | Mode::Boxed => {
                let accs = parts(&|t| quote!(#ad::Ct<#t>), quote!(&mut));
                clause
                    .predicates
                    .push(syn::parse_quote!(#c: ::core::ops::Fn(&#e, #args) -> (#r, #pullback)));
                clause.predicates.push(
                    syn::parse_quote!(#pullback: ::core::ops::FnOnce(#ad::Ct<#r>, &#e, #args, &mut #ad::Ct<#e>, #accs) + ::core::clone::Clone),
                );
                if mode == Mode::Boxed {
                    // The box outlives the call: what is captured is owned.
                    clause.predicates.push(syn::parse_quote!(#e: 'static));
                    clause.predicates.push(syn::parse_quote!(#c: 'static));
                    clause
                        .predicates
                        .push(syn::parse_quote!(#pullback: 'static));
                }
            }
            Mode::Forward => {
                let tangents = parts(&|t| quote!(<#t as #ad::Differentiable>::Tangent), quote!(&));
                clause.predicates.push(
                    syn::parse_quote!(#c: ::core::ops::Fn(&#e, &<#e as #ad::Differentiable>::Tangent, #args, #tangents) -> (#r, <#r as #ad::Differentiable>::Tangent)),
                );
            }
        }
    }
    sig
}

fn remove(generics: &mut Generics, name: &Ident) {
    let kept = std::mem::take(&mut generics.params).into_iter();
    generics.params = kept
        .filter(|p| !matches!(p, GenericParam::Type(t) if t.ident == *name))
        .collect();
    if let Some(w) = &mut generics.where_clause {
        let kept = std::mem::take(&mut w.predicates).into_iter();
        w.predicates = kept
            .filter(|p| !matches!(p, WherePredicate::Type(t) if is_name(&t.bounded_ty, name)))
            .collect();
    }
}
