//! The items that stand beside an annotated function: `grad`, `value_and_grad`, `vjp`, `jvp` for
//! users, `__vjp` and `__jvp` for other generated code.
//!
//! Free functions get an `enum` of the same name in the type namespace, so that `use` carries it
//! along with the function; methods get sibling methods with a prefix.

pub mod callees;
mod carried;
pub mod checked;
mod cut;
pub mod function_trait;
mod functions;
mod lenses;
pub mod own_methods;
mod pieces;
mod pushforward;
pub mod taken;
pub mod unlifted;
mod user;
mod value;

pub use cut::Calls;
pub use pieces::Pieces;
pub use user::ByColumns;

use crate::emit::vjp::{mode_name, Emitted};
use crate::input::functions::{code_name, code_type, env_type, Mode};
use crate::input::signature::ParamDecl;
use crate::items::checked::Checked;
use crate::syntax::is_context;
use crate::syntax::names::{derived, ident, one_or_tuple};
use lenses::constant_lenses;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned, ToTokens};
use syn::visit_mut::{self, VisitMut};
use syn::{GenericParam, Generics, Lifetime, ReturnType, Signature, Type, TypeParamBound};

/// Where the annotated function is.
#[derive(Clone, Copy, PartialEq)]
pub enum FunctionKind {
    Free,
    /// In an `impl` block: the companions are siblings.
    Associated,
}

pub struct Surface<'a> {
    pub sig: &'a Signature,
    pub vis: &'a syn::Visibility,
    pub kind: FunctionKind,
    pub params: &'a [ParamDecl],
    /// Generics of the enclosing `impl`, when it is known.
    pub outer: Option<&'a Generics>,
    /// The trait whose `impl` it is.
    pub of_trait: Option<&'a syn::Path>,
    pub within: Within,
    /// What makes its types errors where the function has one.
    pub checked: Option<&'a Checked>,
}

/// What the companions are members of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Within {
    /// Nothing, or an `impl` block of a type.
    Type,
    Trait,
    TraitImpl,
}

/// The lints that emitted code may break.
pub fn allowed() -> TokenStream {
    quote!(
        unused,
        non_snake_case,
        non_shorthand_field_patterns,
        clippy::all,
        clippy::pedantic
    )
}

impl Surface<'_> {
    pub fn output(&self) -> TokenStream {
        match &self.sig.output {
            ReturnType::Default => quote!(()),
            ReturnType::Type(_, t) => self.checked_type(t),
        }
    }

    /// A type, which is an error where the function has one.
    fn checked_type(&self, t: &Type) -> TokenStream {
        match self.checked {
            Some(checked) => checked.of(t).to_token_stream(),
            None => t.to_token_stream(),
        }
    }

    /// The output with lifetimes elided, as it stands in closure types.
    pub fn method(&self, suffix: &str) -> Ident {
        match self.kind {
            FunctionKind::Free => format_ident!("{suffix}", span = Span::call_site()),
            FunctionKind::Associated => format_ident!(
                "{}_{suffix}",
                bare(&self.sig.ident),
                span = Span::call_site()
            ),
        }
    }

    pub fn hidden(&self, suffix: &str) -> Ident {
        match self.kind {
            FunctionKind::Free => format_ident!("__{suffix}"),
            FunctionKind::Associated => format_ident!("__{}_{suffix}", bare(&self.sig.ident)),
        }
    }

    fn vis(&self) -> TokenStream {
        match self.kind {
            FunctionKind::Free => quote!(pub),
            FunctionKind::Associated => self.vis.to_token_stream(),
        }
    }

    pub fn value_ty(&self, p: &ParamDecl) -> TokenStream {
        match p.value_ty() {
            Some(t) => {
                let mut t = t.clone();
                ElideLifetimes.visit_type_mut(&mut t);
                self.checked_type(&t)
            }
            None => self.checked_type(&syn::parse_quote!(Self)),
        }
    }

    /// `<T as Differentiable>::Tangent` of each differentiable parameter: one bare, more a tuple.
    pub fn gradient_ty(&self) -> TokenStream {
        one_or_tuple(self.active().map(|(_, p)| {
            let t = self.value_ty(p);
            quote!(<#t as ::differentiable::__rt::Differentiable>::Tangent)
        }))
    }

    pub fn active(&self) -> impl Iterator<Item = (usize, &ParamDecl)> {
        self.params.iter().enumerate().filter(|(_, p)| !p.constant)
    }

    /// The function's generics with more parameters in front of the types.
    pub fn generics(&self, lifetimes: &[Lifetime], types: &[TokenStream]) -> TokenStream {
        let g = &self.sig.generics.params;
        let own_lifetimes = g.iter().filter(|p| matches!(p, GenericParam::Lifetime(_)));
        let rest = g
            .iter()
            .filter(|p| !matches!(p, GenericParam::Lifetime(_)))
            .map(without_default);
        quote!(<#(#own_lifetimes,)* #(#lifetimes,)* #(#types,)* #(#rest,)*>)
    }

    /// `::<On, On, T, N>`, when there is something to say that inference may not know.
    pub fn pass_generics(&self, modes: Option<&[TokenStream]>) -> TokenStream {
        let own: Vec<_> = self
            .sig
            .generics
            .params
            .iter()
            .filter_map(|p| match p {
                GenericParam::Type(t) => Some(t.ident.to_token_stream()),
                GenericParam::Const(c) => Some(c.ident.to_token_stream()),
                _ => None,
            })
            .collect();
        if own.is_empty() {
            return TokenStream::new();
        }
        let modes = modes.into_iter().flatten();
        quote!(::<#(#modes,)* #(#own,)*>)
    }

    pub fn where_clause(&self, extra: Option<TokenStream>) -> TokenStream {
        let own = self
            .sig
            .generics
            .where_clause
            .as_ref()
            .map(|w| &w.predicates);
        let own = own.into_iter().flat_map(|p| p.iter());
        // The companions of a trait's functions exist where the type has a derivative. An `impl`
        // does not repeat it: the compiler would then not look at the type itself.
        let of_trait = (self.within == Within::Trait)
            .then(|| quote!(Self: ::differentiable::__rt::Differentiable + ::core::marker::Sized,));
        let carried = self.carried_types();
        let none = self.sig.generics.where_clause.is_none() && carried.is_empty();
        if none && extra.is_none() && of_trait.is_none() {
            return TokenStream::new();
        }
        quote!(where #(#own,)* #(#carried: ::differentiable::__rt::Differentiable,)* #of_trait #extra)
    }

    /// Parameters as declared, with names that bodies and calls use.
    pub fn param_decls(&self) -> Vec<TokenStream> {
        self.declared(false)
    }

    /// The same, where references that a pullback for users borrows have lifetimes with names.
    pub fn borrowed_decls(&self) -> Vec<TokenStream> {
        self.declared(true)
    }

    /// The lifetimes of these.
    fn borrowed_lifetimes(&self) -> Vec<Lifetime> {
        let params = self.params.iter().enumerate();
        params
            .filter(|(_, p)| p.by_ref && !p.by_mut && !self.is_owned(p))
            .map(|(i, p)| match &p.ty {
                Some(Type::Reference(r)) if r.lifetime.is_some() => {
                    r.lifetime.clone().expect("a lifetime")
                }
                _ => lifetime(i),
            })
            .collect()
    }

    fn declared(&self, named: bool) -> Vec<TokenStream> {
        let decl = |(i, p): (usize, &ParamDecl)| match (&p.ident, &p.ty) {
            (Some(n), Some(Type::Reference(r)))
                if named && r.lifetime.is_none() && !p.by_mut && !self.is_owned(p) =>
            {
                let (l, t) = (lifetime(i), &r.elem);
                quote!(#n: &#l #t)
            }
            (None, _) if named && p.by_ref && !p.by_mut && !self.is_owned(p) => {
                let l = lifetime(i);
                quote!(&#l self)
            }
            (Some(n), Some(_)) if p.function.is_some() => {
                let (e, code, c) = (env_type(i), code_name(n), code_type(i));
                quote!(#n: &#e, #code: #c)
            }
            (Some(n), Some(t)) => quote!(#n: #t),
            _ if p.by_mut => quote!(&mut self),
            _ if p.by_ref => quote!(&self),
            _ => quote!(self),
        };
        self.params.iter().enumerate().map(decl).collect()
    }

    /// A reference to an argument.
    pub fn lent(&self, p: &ParamDecl) -> TokenStream {
        let n = self.name_of(p);
        match p.by_ref {
            true => n,
            false => quote!(&#n),
        }
    }

    pub fn name_of(&self, p: &ParamDecl) -> TokenStream {
        p.ident
            .as_ref()
            .map_or_else(|| quote!(self), |i| quote!(#i))
    }

    /// The hidden reverse-mode companion.
    ///
    /// Its pullback is opaque; unless it is `open`, it is the function behind
    /// [`Self::closed_companion`].
    pub fn vjp_companion(
        &self,
        e: Option<&Emitted>,
        imports: &TokenStream,
        open: bool,
    ) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (name, vis, output, span) = (
            self.hidden(if open { "vjp" } else { "vjp_open" }),
            self.vis(),
            self.output(),
            Span::mixed_site(),
        );
        let (modes, mode_decls) = self.modes();
        let generics = self.generics(&[], &mode_decls);
        let (self_decl, decls) = self.reverse_decls();
        let mode_names: Vec<_> = (0..self.params.len()).map(mode_name).collect();
        let closure_types = self.pullback_types(&modes);
        let mut closure_names = Vec::new();
        for p in self.params.iter().filter(|p| p.by_ref || p.is_self()) {
            closure_names.push(match p.by_mut {
                true => quote!(_),
                false => self.body_name(p),
            });
        }
        for p in self.params {
            let d = derived("d_", &self.adj_base(p));
            closure_names.push(quote!(#d));
        }
        let where_clause = self.where_clause(None);
        let this = self.self_binding();
        // The edition of this token decides what the closure captures: types, no lifetimes.
        let opaque = quote_spanned!(span=> impl);
        let original = (!self.takes_functions()).then(|| self.mention_original());
        let callables = self.callables(Mode::Reverse);
        // What is named like the context of layers has no derivative because of its name: it must be one.
        let contexts = self
            .params
            .iter()
            .filter(|p| !p.marked && p.ty.as_ref().is_some_and(is_context));
        let contexts: Vec<_> = contexts.map(|p| self.value_ty(p)).collect();
        // As long as the slice itself: indices that are checked for one are good for the other.
        let trims = self
            .params
            .iter()
            .filter(|p| p.slice_of.is_some() && !p.constant && !p.by_mut)
            .map(|p| {
                let (n, d) = (self.body_name(p), derived("d_", &self.adj_base(p)));
                quote!(let #d = &mut #d[..#n.len()];)
            });
        let ct = format_ident!("__ct");
        let allow = allowed();
        let value_name = format_ident!("__value");
        let captures = self.precise_captures(&[], &modes);
        let held = e.map(|e| &e.held);
        // What a box takes is best made in it.
        let inline = match open {
            true => quote!(#[inline]),
            false => quote!(#[inline(always)]),
        };
        let signature = quote! {
            #[doc(hidden)]
            #inline
            #[allow(#allow)]
            #vis fn #name #generics(#self_decl __modes: (#(#modes,)*), #(#decls),*)
                -> (#output, #opaque FnOnce(#ad::Ct<#output>, #(#closure_types),*) + ::core::clone::Clone #captures)
            #where_clause
        };
        defined(&signature, imports, e, |forward, value, reverse| {
            quote! {
                #original
                #(#ad::context::<#contexts>();)*
                let (#(#mode_names,)*) = __modes;
                #this
                #callables
                #forward
                let #value_name = #value;
                #held
                (#value_name, move |#ct, #(#closure_names),*| { #(#trims)* #reverse })
            }
        })
    }

    /// The type parameters of the reverse-mode companion for the modes, and their declarations.
    pub fn modes(&self) -> (Vec<Ident>, Vec<TokenStream>) {
        let decl = |(i, p): (usize, &ParamDecl)| {
            let m = format_ident!("__M{i}");
            // A caller's derivative by what is marked as constant would be lost without a word.
            let decl = match (p.unread(), p.constant, p.by_mut) {
                (true, ..) => quote!(#m: ::differentiable::__rt::Inactive),
                (_, false, true) => quote!(#m: ::differentiable::__rt::Followed),
                _ => quote!(#m: ::differentiable::__rt::Mode),
            };
            (decl, m)
        };
        let (decls, names) = self.params.iter().enumerate().map(decl).unzip();
        (names, decls)
    }

    /// How the reverse-mode companion declares `self`, and the other parameters.
    fn reverse_decls(&self) -> (Option<TokenStream>, Vec<TokenStream>) {
        let (mut this, mut others) = (None, Vec::new());
        for (p, d) in self.params.iter().zip(self.param_decls()) {
            match (p.is_self(), p.by_mut) {
                (true, true) => this = Some(quote!(&mut self,)),
                (true, false) => this = Some(quote!(&self,)),
                (false, _) => others.push(d),
            }
        }
        (this, others)
    }

    /// A pullback in a trait says itself that it captures no lifetime of an argument.
    fn precise_captures(&self, lifetimes: &[&Lifetime], modes: &[Ident]) -> Option<TokenStream> {
        let this = match self.within {
            Within::Type => return None,
            Within::Trait => Some(quote!(Self,)),
            Within::TraitImpl => None,
        };
        let names = |g: &Generics| {
            let names = g.params.iter().filter_map(|p| match p {
                GenericParam::Type(t) => Some(t.ident.clone()),
                GenericParam::Const(c) => Some(c.ident.clone()),
                GenericParam::Lifetime(_) => None,
            });
            names.collect::<Vec<_>>()
        };
        let outer = self.outer.map(names).unwrap_or_default();
        let own = names(&self.sig.generics);
        Some(quote!(+ use<#(#lifetimes,)* #this #(#outer,)* #(#modes,)* #(#own,)*>))
    }

    /// What a pullback takes after the cotangent: references, then accumulators.
    pub fn pullback_types(&self, modes: &[Ident]) -> Vec<TokenStream> {
        let ad = quote!(::differentiable::__rt);
        let references = self.params.iter().filter(|p| p.by_ref || p.is_self());
        let references = references.map(|p| {
            let t = self.value_ty(p);
            match p.by_mut {
                true => quote!(#ad::Gone),
                false => quote!(&#t),
            }
        });
        let accumulators = self.params.iter().zip(modes).map(|(p, m)| {
            // What is behind a mutable reference is a result: it has a cotangent.
            let mode = match p.by_mut && !p.constant {
                true => quote!(#ad::On),
                false => quote!(#m),
            };
            match &p.slice_of {
                _ if p.unread() => quote!(&mut dyn #ad::Unread),
                Some(t) => {
                    let mut t = t.clone();
                    ElideLifetimes.visit_type_mut(&mut t);
                    quote!(&mut [#ad::Adj<#t, #mode>])
                }
                None => {
                    let t = self.value_ty(p);
                    quote!(&mut #ad::Adj<#t, #mode>)
                }
            }
        });
        references.chain(accumulators).collect()
    }

    /// The name a parameter has in the body: `self` cannot be a closure parameter.
    fn body_name(&self, p: &ParamDecl) -> TokenStream {
        match &p.ident {
            Some(i) => quote!(#i),
            None => {
                let this = ident("this".into());
                quote!(#this)
            }
        }
    }

    pub fn adj_base(&self, p: &ParamDecl) -> Ident {
        p.ident.clone().unwrap_or_else(|| ident("this".into()))
    }

    fn self_binding(&self) -> Option<TokenStream> {
        self.params.iter().any(|p| p.is_self()).then(|| {
            let this = ident("this".into());
            quote!(let #this = self;)
        })
    }

    /// A function that is called through its companions only is not dead code.
    fn mention_original(&self) -> TokenStream {
        let (name, own) = (&self.sig.ident, self.pass_generics(None));
        // Of a trait with arguments the type may have several.
        let of_trait = self
            .of_trait
            .filter(|t| t.segments.iter().any(|s| !s.arguments.is_none()));
        match (self.kind, of_trait) {
            (FunctionKind::Free, _) => quote!(let _ = #name #own;),
            (FunctionKind::Associated, Some(of)) => quote!(let _ = <Self as #of>::#name #own;),
            (FunctionKind::Associated, None) => quote!(let _ = Self::#name #own;),
        }
    }

    /// Whether the function has no value.
    pub fn is_unit(&self) -> bool {
        match &self.sig.output {
            ReturnType::Default => true,
            ReturnType::Type(_, t) => matches!(&**t, Type::Tuple(t) if t.elems.is_empty()),
        }
    }

    fn companion_path(&self, hidden: &Ident) -> TokenStream {
        match self.kind {
            FunctionKind::Associated if self.params.iter().any(|p| p.is_self()) => {
                quote!(self.#hidden)
            }
            _ => quote!(Self::#hidden),
        }
    }

    pub fn written_lifetimes(&self) -> Vec<Lifetime> {
        let outer = self.outer.into_iter().flat_map(|g| g.lifetimes());
        self.sig
            .generics
            .lifetimes()
            .chain(outer)
            .map(|l| l.lifetime.clone())
            .collect()
    }
}

/// A companion with a body, or without one where a trait declares it.
fn defined(
    signature: &TokenStream,
    imports: &TokenStream,
    e: Option<&Emitted>,
    body: impl FnOnce(&TokenStream, &TokenStream, &TokenStream) -> TokenStream,
) -> TokenStream {
    let Some(e) = e else {
        return quote!(#signature;);
    };
    let lenses = constant_lenses(&[&e.forward, &e.value, &e.reverse]);
    let body = body(&e.forward, &e.value, &e.reverse);
    quote! {
        #signature
        {
            use ::differentiable::__rt::{self as ad, methods::*};
            #imports
            #lenses
            #body
        }
    }
}

/// Whether a value of the type is one of type `i`, or a sequence of them.
fn holds(t: &Type, i: &Ident) -> bool {
    match t {
        Type::Path(p) => p.path.is_ident(i),
        Type::Reference(r) => holds(&r.elem, i),
        Type::Slice(s) => holds(&s.elem, i),
        Type::Array(a) => holds(&a.elem, i),
        Type::Paren(p) => holds(&p.elem, i),
        Type::Tuple(t) => t.elems.iter().any(|t| holds(t, i)),
        _ => false,
    }
}

fn lifetime(i: usize) -> Lifetime {
    Lifetime::new(&format!("'__p{i}"), Span::mixed_site())
}

fn bare(i: &Ident) -> String {
    i.to_string().trim_start_matches("r#").to_string()
}

fn without_default(p: &GenericParam) -> GenericParam {
    let mut p = p.clone();
    match &mut p {
        GenericParam::Type(t) => t.default = None,
        GenericParam::Const(c) => c.default = None,
        GenericParam::Lifetime(_) => {}
    }
    p
}

/// In a closure's type, every lifetime is one of the call.
struct ElideLifetimes;

impl VisitMut for ElideLifetimes {
    fn visit_lifetime_mut(&mut self, l: &mut Lifetime) {
        if l.ident != "static" {
            *l = Lifetime::new("'_", l.span());
        }
    }
    fn visit_type_reference_mut(&mut self, r: &mut syn::TypeReference) {
        if r.lifetime.as_ref().is_some_and(|l| l.ident != "static") {
            r.lifetime = None;
        }
        visit_mut::visit_type_reference_mut(self, r);
    }
}
