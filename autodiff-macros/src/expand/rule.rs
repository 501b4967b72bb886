//! `#[rule]`: the companions of tensor operations, from the formulas of their derivatives.
//!
//! It stands on an `impl` block. Each method with a `#[derivative(..)]` gets `__x_vjp` and `__x_jvp`, whose signatures
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
//!         let out = self.pick::<X>(ids);
//!         (out, move |ct, this, ids, d_self, d_ids| {
//!             let Some(ct) = ct.raw() else { return };
//!             if M0::ON {
//!                 d_self.acc(Tensor::new(this.shape(), scatter(ct, ids.raw(), this.dims())).into());
//!             }
//!         })
//!     }
//!     pub fn __pick_jvp<X: Index>(&self, t: &Self, ids: &Tensor<S, X, D>, _: impl Sized) -> (…, …) {
//!         let out = self.pick::<X>(ids);
//!         let tangent = t.pick(ids);
//!         (out, tangent)
//!     }
//! ```
//!
//! The clauses of `derivative`, each with a semicolon:
//!
//! | clause | meaning |
//! |---|---|
//! | `where BOUNDS` | bounds of the companions alone |
//! | `mode NAME: BOUND` | what the mode of an argument must be, such as `Inactive` |
//! | `let PATTERN = EXPR` | what the pullback keeps; `out` is the value |
//! | `value EXPR` | the value, after the `let`s, where it is not that of a call of the operation |
//! | `pull NAME => EXPR` | the cotangent of `self` or an argument, as untyped storage; `ct` is that of the value |
//! | `pull \|ct, ..\| EXPR` | the whole pullback: of the cotangent, what the operation borrows, and the accumulators |
//! | `active NAME, ..` | beside a whole pullback: the arguments with a tangent |
//! | `unread NAME, ..` | arguments of which only the shape is read |
//! | `push EXPR` | the tangent of the value `out`; `t` is the tangent of `self`, `t_NAME` that of an argument |
//! | `both EXPR` | in place of `push`: the value and its tangent |
//!
//! No cotangent is lost without a word: an argument that is neither pulled nor active must be of a type without a
//! derivative, or its clause `mode` or `unread` says why it has none.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Error, Expr, FnArg, GenericParam, ImplItem, ImplItemFn, ItemImpl, Pat, Path, ReceiverKind,
    ReturnType, Token, Type, WherePredicate,
};

/// Adds the companions to the block.
pub fn expand(item: TokenStream) -> TokenStream {
    match syn::parse2(item.clone()).and_then(companions) {
        Ok(companions) => with(item, companions),
        Err(error) => error.into_compile_error(),
    }
}

/// The block as it was written, without the formulas and with more items. Printed from its parsed form, documentation would
/// lose what the compiler reads from the source, such as the digits of a negative constant.
fn with(item: TokenStream, companions: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    if let Some(TokenTree::Group(body)) = tokens.pop() {
        let mut inside = without_formulas(body.stream());
        inside.extend(companions);
        let mut group = Group::new(body.delimiter(), inside);
        group.set_span(body.span());
        tokens.push(TokenTree::Group(group));
    }
    tokens.into_iter().collect()
}

/// Without the attributes `#[derivative(..)]`.
fn without_formulas(body: TokenStream) -> TokenStream {
    let mut kept = Vec::new();
    for token in body {
        let is_formula = matches!(&token, TokenTree::Group(g)
            if g.delimiter() == Delimiter::Bracket
                && matches!(g.stream().into_iter().next(), Some(TokenTree::Ident(i)) if i == "derivative"));
        let after_hash = matches!(kept.last(), Some(TokenTree::Punct(p)) if p.as_char() == '#');
        match is_formula && after_hash {
            true => drop(kept.pop()),
            false => kept.push(token),
        }
    }
    kept.into_iter().collect()
}

fn companions(block: ItemImpl) -> syn::Result<TokenStream> {
    let mut items = TokenStream::new();
    for item in &block.items {
        let ImplItem::Fn(method) = item else { continue };
        let formulas = method
            .attrs
            .iter()
            .find(|a| a.path().is_ident("derivative"));
        let Some(formulas) = formulas else { continue };
        let rule: Rule = formulas.parse_args()?;
        let operation = Operation::new(&block.generics, method, &rule)?;
        items.extend(operation.vjp());
        items.extend(operation.jvp());
    }
    match items.is_empty() {
        false => Ok(items),
        true => Err(Error::new(
            Span::call_site(),
            "no method of this block has a `#[derivative(..)]`",
        )),
    }
}

/// The clauses.
#[derive(Default)]
struct Rule {
    bounds: Vec<WherePredicate>,
    modes: Vec<(Ident, Path)>,
    kept: Vec<(Pat, Expr)>,
    value: Option<Expr>,
    pulls: Vec<(Ident, Expr)>,
    pullback: Option<Expr>,
    active: Vec<Ident>,
    unread: Vec<Ident>,
    push: Option<Expr>,
    both: Option<Expr>,
}

impl Parse for Rule {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut rule = Rule::default();
        while !input.is_empty() {
            if input.parse::<Option<Token![where]>>()?.is_some() {
                let bounds =
                    Punctuated::<WherePredicate, Token![,]>::parse_separated_nonempty(input)?;
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
            "both" => self.both = Some(input.parse()?),
            "active" | "unread" => {
                let names = Punctuated::<Ident, Token![,]>::parse_separated_nonempty(input)?;
                match name == "active" {
                    true => self.active.extend(names),
                    false => self.unread.extend(names),
                }
            }
            "mode" => {
                let of = input.parse()?;
                input.parse::<Token![:]>()?;
                self.modes.push((of, input.parse()?));
            }
            "pull" if input.peek(Token![|]) => self.pullback = Some(input.parse()?),
            "pull" => {
                let of = match input.parse::<Option<Token![self]>>()? {
                    Some(this) => Ident::new("self", this.span),
                    None => input.parse()?,
                };
                input.parse::<Token![=>]>()?;
                self.pulls.push((of, input.parse()?));
            }
            _ => {
                let clauses =
                    "expected `where`, `mode`, `let`, `value`, `pull`, `active`, `unread`, `push` or `both`";
                return Err(Error::new(name.span(), clauses));
            }
        }
        Ok(())
    }
}

/// An argument of the operation, `self` for one.
struct Argument {
    name: Ident,
    /// Without a reference.
    ty: Type,
    by_reference: bool,
    active: bool,
}

impl Argument {
    /// The type of its tangent.
    fn tangent(&self) -> TokenStream {
        let ty = &self.ty;
        match ty {
            Type::Slice(s) => {
                let entry = &s.elem;
                quote!([<#entry as crate::ad::Differentiable>::Tangent])
            }
            _ => quote!(<#ty as crate::ad::Differentiable>::Tangent),
        }
    }

    /// The type of its accumulator: of the entries of a slice, each has one.
    fn accumulator(&self, mode: &Ident) -> TokenStream {
        let ty = &self.ty;
        match ty {
            Type::Slice(s) => {
                let entry = &s.elem;
                quote!([crate::ad::Adj<#entry, #mode>])
            }
            _ => quote!(crate::ad::Adj<#ty, #mode>),
        }
    }
}

/// A method and its rule.
struct Operation<'a> {
    outer: &'a syn::Generics,
    method: &'a ImplItemFn,
    rule: &'a Rule,
    arguments: Vec<Argument>,
    out: &'a Type,
}

impl<'a> Operation<'a> {
    fn new(outer: &'a syn::Generics, method: &'a ImplItemFn, rule: &'a Rule) -> syn::Result<Self> {
        let sig = &method.sig;
        let wrong = |what: &str| Err(Error::new(sig.ident.span(), what));
        let ReturnType::Type(_, out) = &sig.output else {
            return wrong("an operation has a value");
        };
        let mut arguments = Vec::new();
        for input in &sig.inputs {
            arguments.push(match input {
                FnArg::Receiver(r) => match &r.kind {
                    ReceiverKind::Reference(_, _, None) => Argument {
                        name: Ident::new("self", r.self_token.span),
                        ty: syn::parse_quote!(Self),
                        by_reference: true,
                        active: true,
                    },
                    _ => return wrong("an operation with a rule takes `&self`"),
                },
                FnArg::Typed(input) => {
                    let Pat::Ident(name) = &*input.pat else {
                        return wrong("an argument of an operation is a name");
                    };
                    let (ty, by_reference) = match &*input.ty {
                        Type::Reference(r) => ((*r.elem).clone(), true),
                        ty => (ty.clone(), false),
                    };
                    let name = name.ident.clone();
                    let active =
                        rule.active.contains(&name) || rule.pulls.iter().any(|(of, _)| *of == name);
                    Argument {
                        name,
                        ty,
                        by_reference,
                        active,
                    }
                }
            });
        }
        let modes = rule.modes.iter().map(|(of, _)| of);
        let mut named = rule
            .pulls
            .iter()
            .map(|(of, _)| of)
            .chain(&rule.active)
            .chain(&rule.unread)
            .chain(modes);
        if let Some(other) = named.find(|n| arguments.iter().all(|a| a.name != **n)) {
            return Err(Error::new(
                other.span(),
                format!("`{}` has no argument `{other}`", sig.ident),
            ));
        }
        if rule.push.is_some() == rule.both.is_some() {
            return wrong("a rule has one of `push` and `both`");
        }
        if rule.pulls.is_empty() == rule.pullback.is_none() {
            return wrong("a rule has either `pull NAME => ..` or `pull |ct, ..| ..`");
        }
        let pulled = |a: &Argument| rule.pulls.iter().any(|(of, _)| *of == a.name);
        if let (None, Some(lost)) = (
            &rule.pullback,
            arguments.iter().find(|a| a.active && !pulled(a)),
        ) {
            return wrong(&format!("a rule says what to `pull {}`", lost.name));
        }
        Ok(Operation {
            outer,
            method,
            rule,
            arguments,
            out,
        })
    }

    /// The names of the type and constant parameters of the method.
    fn own(&self) -> Vec<&Ident> {
        names(&self.method.sig.generics)
    }

    fn has_self(&self) -> bool {
        self.arguments.first().is_some_and(|a| a.name == "self")
    }

    /// A call of the operation.
    fn call(&self) -> TokenStream {
        let (name, own) = (&self.method.sig.ident, self.own());
        let arguments = self
            .arguments
            .iter()
            .map(|a| &a.name)
            .filter(|n| *n != "self");
        let turbofish = (!own.is_empty()).then(|| quote!(::<#(#own),*>));
        let on = match self.has_self() {
            true => quote!(self.),
            false => quote!(Self::),
        };
        quote!(#on #name #turbofish (#(#arguments),*))
    }

    /// The bounds. Of an argument that is not active they say that it has no derivative to lose. For an active one the
    /// compiler knows the type of the cotangent, and a bound would hide it.
    fn clause(&self) -> TokenStream {
        let own = self.method.sig.generics.where_clause.iter();
        let own = own.flat_map(|w| &w.predicates);
        let rule = &self.rule.bounds;
        let inactive = self.arguments.iter().filter(|a| !a.active).map(|a| {
            let (ty, name) = (&a.ty, &a.name);
            let excused =
                self.rule.unread.contains(name) || self.rule.modes.iter().any(|(of, _)| of == name);
            match excused {
                true => quote!(#ty: crate::ad::Differentiable),
                false => quote!(#ty: crate::ad::Differentiable<Tangent = ()>),
            }
        });
        quote!(where #(#own,)* #(#rule,)* #(#inactive,)*)
    }

    fn vjp(&self) -> TokenStream {
        let (out, rule) = (self.out, self.rule);
        let name = format_ident!("__{}_vjp", self.method.sig.ident);
        let modes: Vec<Ident> = (0..self.arguments.len())
            .map(|k| format_ident!("M{k}"))
            .collect();
        let bounds =
            self.arguments
                .iter()
                .map(|a| match rule.modes.iter().find(|(of, _)| *of == a.name) {
                    Some((_, bound)) => quote!(#bound),
                    None => quote!(crate::ad::Mode),
                });
        let (generics, own, outer) = (
            &self.method.sig.generics.params,
            self.own(),
            names(self.outer),
        );
        let receiver = self.has_self().then(|| quote!(&self,));
        let inputs = self
            .method
            .sig
            .inputs
            .iter()
            .skip(usize::from(self.has_self()));
        let lent = self
            .arguments
            .iter()
            .filter(|a| a.by_reference)
            .map(|a| &a.ty);
        let accumulators = self
            .arguments
            .iter()
            .zip(&modes)
            .map(|(a, m)| a.accumulator(m));
        let kept = rule
            .kept
            .iter()
            .map(|(pattern, value)| quote!(let #pattern = #value;));
        let (before, after) = match &rule.value {
            Some(value) => (quote!(#(#kept)*), quote!(let out = #value;)),
            None => {
                let call = self.call();
                (quote!(let out = #call;), quote!(#(#kept)*))
            }
        };
        let pullback = match &rule.pullback {
            Some(closure) => quote!(#closure),
            None => self.pullback(&modes),
        };
        let clause = self.clause();
        quote! {
            #[doc(hidden)]
            #[track_caller]
            #[allow(unused_variables, clippy::type_complexity, clippy::too_many_arguments, clippy::multiple_bound_locations)]
            pub fn #name<#(#modes: #bounds,)* #generics>(
                #receiver
                _: (#(#modes,)*),
                #(#inputs),*
            ) -> (
                #out,
                impl FnOnce(crate::ad::Ct<#out>, #(&#lent,)* #(&mut #accumulators),*)
                    + Clone + use<#(#modes,)* #(#own,)* #(#outer),*>,
            )
            #clause
            {
                #before
                #after
                (out, move #pullback)
            }
        }
    }

    /// Each cotangent in turn.
    fn pullback(&self, modes: &[Ident]) -> TokenStream {
        let closure_name = |a: &Argument| match a.name == "self" {
            true => format_ident!("__this"),
            false => a.name.clone(),
        };
        let lent = self
            .arguments
            .iter()
            .filter(|a| a.by_reference)
            .map(closure_name);
        let accumulators = self.arguments.iter().map(|a| format_ident!("d_{}", a.name));
        let pulls = self.rule.pulls.iter().filter_map(|(of, expr)| {
            let at = self.arguments.iter().position(|a| a.name == *of)?;
            let (mode, argument) = (&modes[at], closure_name(&self.arguments[at]));
            let (d, expr) = (format_ident!("d_{of}"), renamed(quote!(#expr)));
            Some(quote! {
                if #mode::ON {
                    crate::ad::Acc::acc(#d, Tensor::new(#argument.shape(), #expr).into());
                }
            })
        });
        quote! {
            |ct, #(#lent,)* #(#accumulators),*| {
                let Some(ct) = ct.raw() else { return };
                #(#pulls)*
            }
        }
    }

    fn jvp(&self) -> TokenStream {
        let out = self.out;
        let name = format_ident!("__{}_jvp", self.method.sig.ident);
        let generics = &self.method.sig.generics.params;
        let parameters = self.arguments.iter().map(|a| {
            let (name, ty, tangent) = (&a.name, &a.ty, a.tangent());
            let (t, reference) = (format_ident!("t_{name}"), a.by_reference.then(|| quote!(&)));
            match (*name == "self", a.active) {
                (true, _) => quote!(&self, t: &#tangent),
                (false, true) => quote!(#name: #reference #ty, #t: #reference #tangent),
                (false, false) => quote!(#name: #reference #ty, _: impl Sized),
            }
        });
        let call = self.call();
        let body = match (&self.rule.push, &self.rule.both) {
            (Some(push), _) => quote! {
                let out = #call;
                let tangent = #push;
                (out, tangent)
            },
            (_, both) => quote!(#both),
        };
        let clause = self.clause();
        quote! {
            #[doc(hidden)]
            #[track_caller]
            #[allow(unused_variables, clippy::type_complexity, clippy::too_many_arguments, clippy::multiple_bound_locations)]
            pub fn #name<#generics>(#(#parameters),*) -> (#out, <#out as crate::ad::Differentiable>::Tangent) #clause {
                #body
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
        TokenTree::Ident(i) if i == "self" => {
            TokenTree::Ident(Ident::new("__this", Span::call_site().located_at(i.span())))
        }
        TokenTree::Group(g) => {
            let mut group = Group::new(g.delimiter(), renamed(g.stream()));
            group.set_span(g.span());
            TokenTree::Group(group)
        }
        other => other,
    };
    code.into_iter().map(one).collect()
}
