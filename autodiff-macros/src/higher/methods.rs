//! Hessians of methods, and products with them: `m_hvp`, `m_grad_and_hvp`, `m_hessian`.
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

use super::check::{of_tensors, scalar_parameters, Scalar};
use super::generic::Exchange;
use super::named::{over_any_scalar, Named};
use super::nested::{dual, Tangents};
use super::open::Types;
use super::operators::lift;
use crate::input::ctxt::Ctxt;
use crate::input::options::Options;
use crate::input::signature::{self, ParamDecl};
use crate::items::{allowed, FunctionKind, Surface, Within};
use crate::syntax::names::{derived, one_or_tuple};
use crate::syntax::turbofish;
use crate::syntax::{has_name, is_context};
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, ToTokens};
use syn::{Generics, ItemImpl, Path, Type};

/// How many rows of a Hessian one run computes.
const LANES: usize = 8;

const ON_BLOCK: &str = "`higher_order` of methods is for annotated `impl` blocks of a type that is named without arguments, or is generic over its scalar: `#[differentiable(higher_order)] impl Spring { … }`, `… impl<T: ad::Scalar> Body<T> { … }`";

/// The annotated `impl` block of a type whose numbers are fixed.
#[derive(Debug)]
pub struct Block {
    pub scalar: Scalar,
    named: Named,
    /// The type over any scalar.
    ty: Path,
    /// The type itself, as it can stand before `::`.
    original: TokenStream,
    generics: Generics,
    tensors: bool,
    /// The constants of its methods that are taken as they are.
    types: Types,
}

impl Block {
    /// `None` for a type that is generic, or where the block mixes scalars.
    pub fn new(block: &ItemImpl, options: &Options, cx: &Ctxt) -> Option<Self> {
        let marked = &options.marked;
        let mut named = Named::of_block(block)?.and(marked);
        let types = constants_of(block, options, &mut named);
        let tokens = block.to_token_stream();
        let [double, single] = ["f64", "f32"].map(|f| has_name(&tokens, f));
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
            original: turbofish(&block.self_ty),
            generics: block.generics.clone(),
            tensors: of_tensors(&tokens, marked),
            types,
        })
    }

    /// The methods of the type over any scalar, of those that were emitted for the type itself.
    pub fn items(self, methods: TokenStream, rules: &[TokenStream], cx: &Ctxt) -> TokenStream {
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
            tensors: self.tensors || of_tensors(&methods, &[]),
            locals: super::native::Locals::default(),
            types: &self.types,
            names: Default::default(),
            reads: true,
        };
        let members = exchange.members(constants(methods, &self.original, &self.named));
        if before > 0 || cx.error_count() > before {
            return TokenStream::new();
        }
        let (own_generics, _, own_clause) = self.generics.split_for_impl();
        let ty = &self.ty;
        let mut block: ItemImpl = syn::parse_quote! {
            #[allow(dead_code, private_interfaces)]
            impl #own_generics #ty #own_clause {}
        };
        exchange.item(&mut block);
        block.items = vec![syn::ImplItem::Verbatim(members)];
        let aliases = self.named.aliases();
        let rules = rules
            .iter()
            .map(|r| match syn::parse2::<ItemImpl>(r.clone()) {
                Ok(mut rule) => {
                    exchange.item(&mut rule);
                    *rule.self_ty = syn::parse_quote!(#ty);
                    rule.to_token_stream()
                }
                Err(e) => e.to_compile_error(),
            });
        quote!(const _: () = { #aliases #block #(#rules)* };)
    }
}

/// Whether a method of a module has no gradient by the parameter.
fn is_other(p: &ParamDecl) -> bool {
    !p.is_self() && !p.asked
}

/// Whether a parameter is changed and has no derivative, as the context of layers: each run has a copy, and the caller's
/// stays as it is.
fn is_copied(p: &ParamDecl) -> bool {
    let is_generic = |ty: &Type| matches!(ty, Type::Path(p) if p.path.segments.iter().any(|s| !s.arguments.is_none()));
    p.by_mut && p.discrete && p.slice_of.is_none() && !p.value_ty().is_some_and(is_generic)
}

/// The constants of the methods that are taken as they are.
fn constants_of(block: &ItemImpl, options: &Options, named: &mut Named) -> Types {
    let mut types = Types::default();
    // What is wrong is said where the methods are read.
    let unheard = Ctxt::new();
    let methods = block.items.iter().filter_map(|i| match i {
        syn::ImplItem::Fn(f) => Some((f.attrs.clone(), f.sig.clone())),
        _ => None,
    });
    let methods = methods.map(|(mut attrs, mut sig)| {
        let options = options.of_function(&mut attrs, &unheard);
        let params = signature::params(&mut sig, &options, &unheard);
        (sig, params)
    });
    let methods: Vec<_> = methods.collect();
    let surfaces = methods.iter().map(|(sig, params)| Surface {
        sig,
        vis: &syn::Visibility::Inherited,
        kind: FunctionKind::Associated,
        params,
        outer: Some(&block.generics),
        of_trait: None,
        within: Within::Type,
        checked: None,
    });
    let surfaces: Vec<Surface<'_>> = surfaces.collect();
    surfaces.iter().for_each(|s| types.add(s));
    named.choose(&surfaces.iter().collect::<Vec<_>>());
    let _ = unheard.check();
    types
}

/// Associated constants are those of the type itself: `Self::G`.
fn constants(tokens: TokenStream, original: &TokenStream, named: &Named) -> TokenStream {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let colon = |k: usize| matches!(all.get(k), Some(TokenTree::Punct(p)) if p.as_char() == ':');
    let constant = |k: usize| matches!(all.get(k), Some(TokenTree::Ident(i)) if named.is_constant(&i.to_string()));
    let mut out = TokenStream::new();
    for (k, token) in all.iter().enumerate() {
        match token {
            TokenTree::Ident(i)
                if i == "Self" && colon(k + 1) && colon(k + 2) && constant(k + 3) =>
            {
                out.extend(original.clone());
            }
            TokenTree::Group(g) => {
                let mut new = Group::new(g.delimiter(), constants(g.stream(), original, named));
                new.set_span(g.span());
                out.extend([TokenTree::Group(new)]);
            }
            other => out.extend([other.clone()]),
        }
    }
    out
}

impl Surface<'_> {
    /// The operators of a method whose value is a scalar. That of the type is given where it is fixed.
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
        let lent = self.params.iter().all(|p| !p.by_mut || is_copied(p));
        if !lent || self.takes_functions() || !self.is_loss(&scalar) {
            return TokenStream::new();
        }
        self.method_operators(&scalar)
    }

    /// `m_hvp`, `m_grad_and_hvp` and `m_hessian`.
    fn method_operators(&self, scalar: &Scalar) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let s = scalar.ty();
        let (one, finish_one) = self.method_run(&s, 1);
        let others = self.others();
        let (mut pairs, mut decls, mut taken) = (Vec::new(), Vec::new(), Vec::new());
        let (mut along, mut seeded) = (Vec::new(), Vec::new());
        for (p, d) in self.params.iter().zip(self.param_decls()) {
            let (n, t) = (self.name_of(p), derived("t_", &self.adj_base(p)));
            let (value, tangent) = (self.lent(p), self.tangent_ty(p));
            if is_copied(p) {
                let ty = p.value_ty();
                pairs.push(quote!(#n: &#ty));
                decls.push(quote!(#n: &#ty));
                along.push(quote!(()));
                seeded.push(quote!(()));
                continue;
            }
            decls.push(d.clone());
            pairs.push(match (p.is_self(), p.constant) {
                (_, true) => d,
                (true, false) => quote!(#d, #t: &#tangent),
                (false, false) => {
                    let ty = &p.ty;
                    match others.as_ref().filter(|_| is_other(p)) {
                        Some(mode) => quote!(#n: <#mode as #ad::Mode>::Along<#ty, #tangent>),
                        None => quote!((#n, #t): (#ty, #tangent)),
                    }
                }
            });
            if p.constant {
                let lifted = |lanes| self.lifted(p, &s, lanes, &Tangents::None(&value));
                along.push(lifted(1));
                seeded.push(lifted(LANES));
                continue;
            }
            let seeds = |seed| self.lifted(p, &s, LANES, &Tangents::Seeds(&value, &seed));
            let all = seeds(quote!(|__v| __seeds.seed(__v)));
            let Some(mode) = others.as_ref().filter(|_| is_other(p)) else {
                let t = match p.by_ref || p.is_self() {
                    true => quote!(#t),
                    false => quote!(&#t),
                };
                along.push(self.lifted(p, &s, 1, &Tangents::One(&value, &t)));
                seeded.push(all);
                continue;
            };
            taken.push(quote!(let (#n, #t) = <#mode as #ad::Mode>::along(#n);));
            let moved = self.lifted(p, &s, 1, &Tangents::One(&value, &quote!(__t)));
            let still = self.lifted(p, &s, 1, &Tangents::None(&value));
            along.push(quote!(match &#t { Some(__t) => #moved, None => #still }));
            let dual = dual(&s, LANES);
            let none = seeds(quote!(<#dual as #ad::Extends<#s>>::constant));
            seeded.push(quote!(if <#mode as #ad::Mode>::ON { #all } else { #none }));
        }
        let (vis, allow, f) = (self.vis, allowed(), &self.sig.ident);
        let (generics, clause) = (self.generics(&[], &[]), self.scalar_clause(scalar, None));
        let gradient_ty = match &others {
            Some(mode) => self.gradient_ty_of(mode),
            None => self.gradient_ty(),
        };
        let run = quote! {
            #(#taken)*
            let __args = &(#(#along,)*);
            #one
        };
        // The values of a gradient that nobody asks for are not computed.
        let alone = self.method_parts(others.as_ref(), |i, p| {
            let proto = format_ident!("__q{i}");
            let (ct, t) = (
                self.cotangent(i, p, &s, 1, others.as_ref()),
                self.value_ty(p),
            );
            quote!(#ad::along::<#s, #t>(&#proto, #ct))
        });
        let gradient = |part: &dyn Fn(TokenStream, TokenStream) -> TokenStream| {
            self.method_parts(others.as_ref(), |i, p| {
                let g = format_ident!("__g{i}");
                part(
                    self.value_ty(p),
                    match others.is_some() && is_other(p) {
                        true => quote!(#g.as_ref().expect("a gradient by every argument")),
                        false => quote!(&#g),
                    },
                )
            })
        };
        let product = gradient(&|t, g| quote!(#ad::part::<#s, 1, #t>(#g, 0)));
        let values = gradient(&|t, g| quote!(#ad::value_part::<#s, #t>(#g)));
        let row = gradient(&|t, g| quote!(#ad::part::<#s, #LANES, #t>(#g, __k)));
        let (wide, finish_wide) = self.method_run(&s, LANES);
        let constant: Vec<bool> = self.params.iter().map(|p| p.constant).collect();
        let lift = lift(&seeded, &constant);
        let rows_of = |t| quote!(<#t as #ad::Layout>::With<#gradient_ty>);
        let layout = match &others {
            Some(mode) => self.by_own_or_all(mode, rows_of),
            None => one_or_tuple(self.active().map(|(_, p)| rows_of(self.value_ty(p)))),
        };
        let rows = self.method_parts(others.as_ref(), |_, p| {
            let (t, value) = (self.value_ty(p), self.lent(p));
            quote!(<#t as #ad::Layout>::with(#value, &mut || __rows.next().expect("a row for each scalar")))
        });
        let [hvp, both, hessian] = ["hvp", "grad_and_hvp", "hessian"].map(|m| self.method(m));
        let docs = [
            format!("The product of the Hessian of `{f}` with a vector, in the layout of the gradient: each differentiable argument is given with its tangent."),
            format!("The gradient of `{f}` and what [`{hvp}`](Self::{hvp}) gives, from one run."),
            format!("The Hessian of `{f}`: its gradient, with a row in the place of each scalar, which has the layout of the gradient."),
        ];
        let [doc_hvp, doc_both, doc_hessian] = &docs;
        quote! {
            #[doc = #doc_hvp]
            #[inline]
            #[allow(#allow)]
            #vis fn #hvp #generics(#(#pairs),*) -> #gradient_ty #clause {
                #run
                #alone
            }
            #[doc = #doc_both]
            #[inline]
            #[allow(#allow)]
            #vis fn #both #generics(#(#pairs),*) -> (#gradient_ty, #gradient_ty) #clause {
                #run
                #finish_one
                (#values, #product)
            }
            #[doc = #doc_hessian]
            #[inline]
            #[allow(#allow)]
            #vis fn #hessian #generics(#(#decls),*) -> #layout #clause {
                let mut __rows = ::std::vec::Vec::new();
                #ad::sweeps::<#LANES, _>(#lift, |__args, __seeds| {
                    #wide
                    #finish_wide
                    __rows.extend((0..__seeds.width()).map(|__k| #row));
                });
                let mut __rows = __rows.into_iter();
                #rows
            }
        }
    }

    /// Runs the pullback of a method over duals, whose arguments are `__args`, with prototypes `__q0`, `__q1`, … and
    /// cotangents `__d0`, `__d1`, …; and what makes the gradients `__g0`, `__g1`, … of these.
    fn method_run(&self, s: &TokenStream, lanes: usize) -> (TokenStream, TokenStream) {
        let ad = quote!(::differentiable::__rt);
        let dual = dual(s, lanes);
        let others = self.others();
        let (mut modes, mut setup, mut call, mut again, mut accs, mut finish) = (
            Vec::new(),
            Vec::new(),
            Vec::new(),
            Vec::new(),
            Vec::new(),
            Vec::new(),
        );
        for (i, p) in self.params.iter().enumerate() {
            let (k, ty) = (syn::Index::from(i), self.value_ty(p));
            let [acc, proto, gradient] =
                ["d", "q", "g"].map(|letter| format_ident!("__{letter}{i}"));
            if is_copied(p) {
                let (name, copy) = (self.name_of(p), format_ident!("__c{i}"));
                let copied = match p.value_ty().is_some_and(is_context) {
                    true => quote!(#ad::Context::of_another_form(#name)),
                    false => quote!(::core::clone::Clone::clone(#name)),
                };
                setup.push(quote! {
                    let mut #copy = #copied;
                    let mut #acc = #ad::no_adj(&#copy);
                });
                modes.push(quote!(#ad::Off));
                call.push(quote!(&mut #copy));
                again.push(quote!(#ad::Gone));
                accs.push(quote!(&mut #acc));
                continue;
            }
            let open = self.taken(p).is_some();
            let x = match open {
                true => quote!(#ad::Lends::__lent(&__args.#k)),
                false => quote!(&__args.#k),
            };
            if p.constant {
                modes.push(quote!(#ad::Off));
                setup.push(match open {
                    true => quote!(let mut #acc = #ad::NoGrad;),
                    false => quote!(let mut #acc = #ad::no_adj(#x);),
                });
            } else {
                let mode = match others.as_ref().filter(|_| is_other(p)) {
                    Some(mode) => quote!(<#mode as ::core::default::Default>::default()),
                    None => quote!(#ad::On),
                };
                setup.push(quote! {
                    let mut #acc = #ad::Differentiable::zero_adj(#x, #mode);
                    let #proto = #ad::Differentiable::proto(#x);
                });
                modes.push(mode);
                let lifted = quote!(<#ty as #ad::Lift<#s, #dual>>::Lifted);
                finish.push(match others.as_ref().filter(|_| is_other(p)) {
                    Some(mode) => quote! {
                        let #gradient = <#mode as #ad::Mode>::into_same::<#lifted>(#acc)
                            .map(|__ct| <#lifted as #ad::Differentiable>::finish(&#proto, __ct));
                    },
                    None => quote!(let #gradient = <#lifted as #ad::Differentiable>::finish(&#proto, #acc);),
                });
            }
            if p.is_self() || p.by_ref {
                again.push(x.clone());
            }
            if !p.is_self() {
                call.push(match p.by_ref {
                    true => x,
                    false => quote!(::core::clone::Clone::clone(#x)),
                });
            }
            accs.push(quote!(&mut #acc));
        }
        let (hidden, output) = (self.hidden("vjp"), self.output());
        let run = match self.params.iter().position(|p| p.is_self()) {
            Some(i) => {
                let i = syn::Index::from(i);
                quote!(__args.#i.#hidden)
            }
            None => quote!(<<Self as #ad::Lift<#s, #dual>>::Lifted>::#hidden),
        };
        let lifted = quote!(<#output as #ad::Lift<#s, #dual>>::Lifted);
        let pulled = quote! {
            #(#setup)*
            let (__value, __pullback) = #run((#(#modes,)*), #(#call),*);
            let __one = <#lifted as #ad::Loss<#dual>>::cotangent(<#dual as #ad::Scalar>::ONE, || __value);
            __pullback(<#lifted as #ad::Differentiable>::start(__one), #(#again,)* #(#accs),*);
        };
        (pulled, quote!(#(#finish)*))
    }

    /// The cotangent of an argument over duals.
    fn cotangent(
        &self,
        i: usize,
        p: &ParamDecl,
        s: &TokenStream,
        lanes: usize,
        others: Option<&TokenStream>,
    ) -> TokenStream {
        let ad = quote!(::differentiable::__rt);
        let (acc, ty, dual) = (format_ident!("__d{i}"), self.value_ty(p), dual(s, lanes));
        match others.filter(|_| is_other(p)) {
            Some(mode) => quote! {
                <#mode as #ad::Mode>::into_same::<<#ty as #ad::Lift<#s, #dual>>::Lifted>(#acc).expect("a cotangent of every argument")
            },
            None => quote!(#acc),
        }
    }

    /// A value in the layout of the gradient, from that of each argument.
    fn method_parts(
        &self,
        others: Option<&TokenStream>,
        part: impl Fn(usize, &ParamDecl) -> TokenStream,
    ) -> TokenStream {
        let parts: Vec<_> = self.active().map(|(i, p)| part(i, p)).collect();
        match others {
            Some(mode) => self.gradient_of(mode, &parts),
            None => one_or_tuple(parts),
        }
    }
}
