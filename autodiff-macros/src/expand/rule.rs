//! `#[rule]`: the companions of a tensor operation, from the formulas of its derivatives.
//!
//! It stands on an `impl` block; each method with a `#[derivative(..)]` gets `__x_vjp` and `__x_jvp`, whose signatures
//! follow from its own. For
//!
//! ```text
//! #[rule]
//! impl<S: Shape, T: Elem, D: Backend> Tensor<S, T, D> {
//!     #[derivative(
//!         where T: Float;
//!         pull self => scatter(ct, ids.raw(), self.dims());
//!         push t.pick(ids);
//!     )]
//!     pub fn pick<X: Index>(&self, ids: &Tensor<S, X, D>) -> Tensor<S, T, D> { … }
//! }
//! ```
//!
//! it emits, beside `pick`,
//!
//! ```text
//!     pub fn __pick_vjp<M0: Mode, M1: Mode, X: Index>(&self, _: (M0, M1), ids: &Tensor<S, X, D>) -> (
//!         Tensor<S, T, D>,
//!         impl FnOnce(Ct<Tensor<S, T, D>>, &Self, &Tensor<S, X, D>, &mut Adj<Self, M0>, &mut Adj<Tensor<S, X, D>, M1>)
//!         + Clone + use<M0, M1, X, S, T, D>,
//!     ) where T: Float, Tensor<S, X, D>: Differentiable {
//!         let value = self.pick::<X>(ids);
//!         (value, move |ct, this, ids, d_self, d_ids| {
//!             if let Some(ct) = ct.raw() && M0::ON {
//!                 d_self.acc(Tensor::new(this.shape(), scatter(ct, ids.raw(), this.dims())).into());
//!             }
//!         })
//!     }
//!     pub fn __pick_jvp<X: Index>(&self, t: &Self, ids: &Tensor<S, X, D>, _: impl Sized) -> (…, …) {
//!         (self.pick::<X>(ids), t.pick(ids))
//!     }
//! ```
//!
//! The clauses of `derivative`, each with a semicolon:
//!
//! | clause | meaning |
//! |---|---|
//! | `where BOUNDS` | bounds of the companions alone |
//! | `let PATTERN = EXPR` | what the pullback keeps |
//! | `value EXPR` | the value, where it is not that of a call of the operation |
//! | `pull NAME => EXPR` | the cotangent of `self` or an argument, as untyped storage; `ct` is that of the value |
//! | `pull { .. }` | the whole pullback: `ct`, the arguments, and `d_self` or `d_NAME` with modes `M0`, `M1`, … |
//! | `active NAME, ..` | the arguments with a tangent, where no `pull NAME` says so |
//! | `push EXPR` | the tangent of the value; `t` is that of `self`, `t_NAME` that of an argument |

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Block, Error, Expr, FnArg, GenericParam, ImplItem, ImplItemFn, ItemImpl, Pat, ReturnType, Token, Type,
    WherePredicate,
};

/// Adds the companions to the block.
pub fn expand(item: TokenStream) -> TokenStream {
    syn::parse2(item).and_then(companions).unwrap_or_else(Error::into_compile_error)
}

fn companions(mut block: ItemImpl) -> syn::Result<TokenStream> {
    let mut items = Vec::new();
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else { continue };
        let Some(at) = method.attrs.iter().position(|a| a.path().is_ident("derivative")) else {
            continue;
        };
        let attribute: Attribute = method.attrs.remove(at);
        let rule: Rule = attribute.parse_args()?;
        let operation = Operation::new(&block.generics, method, &rule)?;
        items.push(operation.vjp());
        items.push(operation.jvp());
    }
    let all = &mut block.items;
    for item in items {
        all.push(ImplItem::Verbatim(item));
    }
    Ok(quote!(#block))
}

/// The clauses.
#[derive(Default)]
struct Rule {
    bounds: Vec<WherePredicate>,
    kept: Vec<(Pat, Expr)>,
    value: Option<Expr>,
    pulls: Vec<(Ident, Expr)>,
    pullback: Option<Block>,
    active: Vec<Ident>,
    push: Option<Expr>,
}

impl Parse for Rule {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut rule = Rule::default();
        while !input.is_empty() {
            if input.parse::<Option<Token![where]>>()?.is_some() {
                let bounds = Punctuated::<WherePredicate, Token![,]>::parse_separated_nonempty(input)?;
                rule.bounds.extend(bounds);
            } else if input.parse::<Option<Token![let]>>()?.is_some() {
                let pattern = Pat::parse_single(input)?;
                input.parse::<Token![=]>()?;
                rule.kept.push((pattern, input.parse()?));
            } else {
                rule.clause(input)?;
            }
            if !input.is_empty() {
                input.parse::<Token![;]>()?;
            }
        }
        Ok(rule)
    }
}

impl Rule {
    fn clause(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let name: Ident = input.parse()?;
        match name.to_string().as_str() {
            "value" => self.value = Some(input.parse()?),
            "push" => self.push = Some(input.parse()?),
            "active" => {
                let names = Punctuated::<Ident, Token![,]>::parse_separated_nonempty(input)?;
                self.active.extend(names);
            }
            "pull" if input.peek(syn::token::Brace) => self.pullback = Some(input.parse()?),
            "pull" => {
                let of = match input.parse::<Option<Token![self]>>()? {
                    Some(this) => Ident::new("self", this.span),
                    None => input.parse()?,
                };
                input.parse::<Token![=>]>()?;
                self.pulls.push((of, input.parse()?));
            }
            _ => {
                return Err(Error::new(
                    name.span(),
                    "expected `where`, `let`, `value`, `pull`, `active` or `push`",
                ))
            }
        }
        Ok(())
    }
}

/// An argument besides `self`.
struct Argument<'a> {
    name: &'a Ident,
    /// Without a reference.
    ty: &'a Type,
    by_reference: bool,
    active: bool,
}

/// A method and its rule.
struct Operation<'a> {
    outer: &'a syn::Generics,
    method: &'a ImplItemFn,
    rule: &'a Rule,
    arguments: Vec<Argument<'a>>,
    out: &'a Type,
    push: &'a Expr,
}

impl<'a> Operation<'a> {
    fn new(outer: &'a syn::Generics, method: &'a ImplItemFn, rule: &'a Rule) -> syn::Result<Self> {
        let sig = &method.sig;
        let wrong = |what: &str| Err(Error::new(sig.ident.span(), what));
        let mut inputs = sig.inputs.iter();
        match inputs.next() {
            Some(FnArg::Receiver(r)) if r.reference.is_some() && r.mutability.is_none() => {}
            _ => return wrong("a rule is for methods that take `&self`"),
        }
        let ReturnType::Type(_, out) = &sig.output else {
            return wrong("an operation has a value");
        };
        let mut arguments = Vec::new();
        for input in inputs {
            let FnArg::Typed(input) = input else { continue };
            let Pat::Ident(name) = &*input.pat else {
                return wrong("an argument of an operation is a name");
            };
            let (ty, by_reference) = match &*input.ty {
                Type::Reference(r) => (&*r.elem, true),
                ty => (ty, false),
            };
            let name = &name.ident;
            let active = rule.active.contains(name) || rule.pulls.iter().any(|(of, _)| of == name);
            arguments.push(Argument { name, ty, by_reference, active });
        }
        let known = |n: &Ident| n == "self" || arguments.iter().any(|a| a.name == n);
        let named = rule.pulls.iter().map(|(of, _)| of).chain(&rule.active);
        if let Some(other) = named.clone().find(|n| !known(n)) {
            return Err(Error::new(other.span(), format!("`{}` has no argument `{other}`", sig.ident)));
        }
        let Some(push) = &rule.push else {
            return wrong("a rule says what to `push`");
        };
        if rule.pulls.is_empty() && rule.pullback.is_none() {
            return wrong("a rule says what to `pull`");
        }
        Ok(Operation { outer, method, rule, arguments, out, push })
    }

    /// The names of the type and constant parameters of the method.
    fn own(&self) -> Vec<&Ident> {
        names(&self.method.sig.generics)
    }

    /// A call of the operation on `self`.
    fn call(&self) -> TokenStream {
        let (name, own) = (&self.method.sig.ident, self.own());
        let arguments = self.arguments.iter().map(|a| a.name);
        let turbofish = (!own.is_empty()).then(|| quote!(::<#(#own),*>));
        quote!(self.#name #turbofish (#(#arguments),*))
    }

    fn clause(&self, with_arguments: bool) -> TokenStream {
        let own = self.method.sig.generics.where_clause.iter().flat_map(|w| &w.predicates);
        let rule = &self.rule.bounds;
        let arguments = self.arguments.iter().filter(|a| with_arguments && !matches!(a.ty, Type::Slice(_)));
        let arguments = arguments.map(|a| a.ty);
        quote!(where #(#own,)* #(#rule,)* #(#arguments: crate::ad::Differentiable,)*)
    }

    fn vjp(&self) -> TokenStream {
        let (out, rule) = (self.out, self.rule);
        let name = format_ident!("__{}_vjp", self.method.sig.ident);
        let modes: Vec<Ident> = (0..=self.arguments.len()).map(|k| format_ident!("M{k}")).collect();
        let (generics, own, outer) = (&self.method.sig.generics.params, self.own(), names(self.outer));
        let inputs = self.method.sig.inputs.iter().skip(1);
        let lent = self.arguments.iter().filter(|a| a.by_reference);
        let (lent_types, lent_names): (Vec<_>, Vec<_>) = lent.map(|a| (a.ty, a.name)).unzip();
        let types = self.arguments.iter().map(|a| a.ty);
        let rest = &modes[1..];
        let d_names = self.arguments.iter().map(|a| format_ident!("d_{}", a.name));
        let d_names: Vec<Ident> = d_names.collect();
        let kept = rule.kept.iter().map(|(pattern, value)| quote!(let #pattern = #value;));
        let value = rule.value.as_ref().map_or_else(|| self.call(), |v| quote!(#v));
        let pullback = match &rule.pullback {
            Some(block) => renamed(quote!(#block)),
            None => {
                let pulls = rule.pulls.iter().map(|(of, expr)| self.pull(of, expr, &modes));
                quote!(if let Some(ct) = ct.raw() { #(#pulls)* })
            }
        };
        let clause = self.clause(true);
        quote! {
            #[doc(hidden)]
            #[track_caller]
            #[allow(unused_variables, clippy::type_complexity, clippy::too_many_arguments)]
            pub fn #name<#(#modes: crate::ad::Mode,)* #generics>(
                &self,
                _: (#(#modes,)*),
                #(#inputs),*
            ) -> (
                #out,
                impl FnOnce(
                    crate::ad::Ct<#out>,
                    &Self,
                    #(&#lent_types,)*
                    &mut crate::ad::Adj<Self, M0>,
                    #(&mut crate::ad::Adj<#types, #rest>),*
                ) + Clone + use<#(#modes,)* #(#own,)* #(#outer),*>,
            )
            #clause
            {
                #(#kept)*
                (#value, move |ct, __this: &Self, #(#lent_names: &#lent_types,)* d_self, #(#d_names),*| #pullback)
            }
        }
    }

    /// One cotangent.
    fn pull(&self, of: &Ident, expr: &Expr, modes: &[Ident]) -> TokenStream {
        let at = self.arguments.iter().position(|a| a.name == of);
        let mode = &modes[at.map_or(0, |i| i + 1)];
        let d = format_ident!("d_{of}");
        let this = match at {
            Some(_) => quote!(#of),
            None => quote!(__this),
        };
        let expr = renamed(quote!(#expr));
        quote! {
            if #mode::ON {
                crate::ad::Acc::acc(#d, Tensor::new(#this.shape(), #expr).into());
            }
        }
    }

    fn jvp(&self) -> TokenStream {
        let (out, push) = (self.out, self.push);
        let name = format_ident!("__{}_jvp", self.method.sig.ident);
        let generics = &self.method.sig.generics.params;
        let parameters = self.arguments.iter().map(|a| {
            let (name, ty, tangent) = (a.name, a.ty, format_ident!("t_{}", a.name));
            match (a.by_reference, a.active) {
                (true, true) => quote!(#name: &#ty, #tangent: &#ty),
                (false, true) => quote!(#name: #ty, #tangent: #ty),
                (true, false) => quote!(#name: &#ty, _: impl Sized),
                (false, false) => quote!(#name: #ty, _: impl Sized),
            }
        });
        let (call, clause) = (self.call(), self.clause(false));
        quote! {
            #[doc(hidden)]
            #[track_caller]
            #[allow(unused_variables, clippy::type_complexity, clippy::too_many_arguments)]
            pub fn #name<#generics>(&self, t: &Self, #(#parameters),*) -> (#out, #out) #clause {
                (#call, #push)
            }
        }
    }
}

fn names(generics: &syn::Generics) -> Vec<&Ident> {
    let names = generics.params.iter().filter_map(|p| match p {
        GenericParam::Type(p) => Some(&p.ident),
        GenericParam::Const(p) => Some(&p.ident),
        GenericParam::Lifetime(_) => None,
    });
    names.collect()
}

/// `self` in a pullback is an argument of a closure, which cannot have that name.
fn renamed(code: TokenStream) -> TokenStream {
    let one = |token| match token {
        TokenTree::Ident(i) if i == "self" => TokenTree::Ident(Ident::new("__this", Span::call_site().located_at(i.span()))),
        TokenTree::Group(g) => {
            let mut group = Group::new(g.delimiter(), renamed(g.stream()));
            group.set_span(g.span());
            TokenTree::Group(group)
        }
        other => other,
    };
    code.into_iter().map(one).collect()
}
