//! `#[derivative(of = f)]`: a rule of the user's for a function that the macro cannot see into, or should not.
//!
//! The rule becomes the companions of `f`, in an `enum` of the last name of the path, as an annotated
//! function has them: whoever calls `f` by that name, with the rule in scope, finds them.

use crate::emit::vjp::Emitted;
use crate::expand::companion_item;
use crate::higher::{self, Higher, Scalar};
use crate::input::boxing::Boxing;
use crate::input::ctxt::Ctxt;
use crate::input::functions::{self, Mode};
use crate::input::options::Options;
use crate::input::plain::{self, Resolved};
use crate::input::signature::{self, ParamDecl};
use crate::items::function_trait::Caller;
use crate::items::{Calls, FunctionKind, Surface, Within};
use crate::syntax::names::{derived, nth_of};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Ident, ItemFn, Path, ReturnType, Signature, Token, Type};

/// What the attribute is given.
struct Given {
    of: Path,
    /// The forward rule.
    jvp: Option<Path>,
}

impl Parse for Given {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let (mut of, mut jvp) = (None, None);
        let missing = input.span();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            let _: Token![=] = input.parse()?;
            let path: Path = input.parse()?;
            let to = match name.to_string().as_str() {
                "of" => &mut of,
                "jvp" => &mut jvp,
                _ => return Err(syn::Error::new(name.span(), format!("`{name}` is not an option of `#[derivative]`; the options are `of = function` and `jvp = forward_rule`"))),
            };
            if to.replace(path).is_some() {
                return Err(syn::Error::new(
                    name.span(),
                    format!("`{name}` is given twice"),
                ));
            }
            if !input.is_empty() {
                let _: Token![,] = input.parse()?;
            }
        }
        let of = of.ok_or_else(|| {
            syn::Error::new(
                missing,
                "say whose derivative this is: `#[derivative(of = function)]`",
            )
        })?;
        Ok(Given { of, jvp })
    }
}

pub fn expand(attr: TokenStream, input: TokenStream) -> TokenStream {
    let (attr, input) = match plain::item("derivative", attr, input) {
        Resolved::Item(attr, input) => (attr, input),
        Resolved::Instead(tokens) => return tokens,
    };
    let cx = Ctxt::new();
    let items = match (
        syn::parse2::<Given>(attr),
        syn::parse2::<ItemFn>(input.clone()),
    ) {
        (Err(e), _) => {
            cx.push(e);
            input
        }
        (_, Err(_)) => {
            cx.error(&input, RETURNS);
            input
        }
        (Ok(given), Ok(mut f)) => {
            let companions = companions(&given, &mut f, &cx);
            // The pair that a rule returns is as complex as it is.
            quote!(#[allow(clippy::type_complexity)] #f #companions)
        }
    };
    let errors = cx.check();
    quote!(#items #errors)
}

const RETURNS: &str = "`#[derivative]` is for a function that returns the value and the pullback, which takes the cotangent of the value to the gradient: `fn rule(x: f64) -> (f64, impl Fn(f64) -> f64)`";

fn companions(given: &Given, rule: &mut ItemFn, cx: &Ctxt) -> Option<TokenStream> {
    let name = &given.of.segments.last()?.ident;
    let generic = |s: &syn::PathSegment| !s.arguments.is_none();
    if let Some(s) = given.of.segments.iter().find(|s| generic(s)) {
        cx.error(
            s,
            "the path of a function without generics is enough: they are those of the rule",
        );
        return None;
    }
    let owner = given.of.segments.iter().rev().nth(1);
    let is_type = |o: &&syn::PathSegment| {
        let primitive = given.of.segments.len() == 2 && (o.ident == "f64" || o.ident == "f32");
        primitive || o.ident.to_string().starts_with(char::is_uppercase)
    };
    if let Some(owner) = owner.filter(is_type) {
        cx.error(owner, format!("rules are for functions: write a function that calls `{}::{name}`, and a rule for it", owner.ident));
        return None;
    }
    let mut sig = rule.sig.clone();
    sig.ident = name.clone();
    let Some(value) = value_type(&mut rule.sig) else {
        cx.error(&rule.sig, RETURNS);
        return None;
    };
    sig.output = syn::parse_quote!(-> #value);
    let before = cx.error_count();
    let params = signature::params(&mut sig, &Options::default(), cx);
    for arg in &mut rule.sig.inputs {
        if let syn::FnArg::Typed(t) = arg {
            t.attrs
                .retain(|a| !["constant", "no_grad"].iter().any(|n| a.path().is_ident(n)));
        }
    }
    if let Some(p) = params
        .iter()
        .find(|p| p.by_mut || p.is_self() || p.function.is_some())
    {
        cx.error_at(p.span, "a rule takes values and shared references: a function that changes its arguments, takes functions or is a method has its derivative from `#[differentiable]`");
    }
    if params.iter().all(|p| p.constant) && cx.error_count() == before {
        cx.error(
            &rule.sig.inputs,
            "nothing here has a derivative: a rule needs a parameter that is not constant",
        );
    }
    let scalar = higher::scalar_of(&sig, None, None, cx);
    let jvp = forward(given, rule, &params, &value, scalar.as_ref(), cx);
    if cx.error_count() > before {
        return None;
    }
    let [reverse_sig, forward_sig] = [Mode::Reverse, Mode::Forward]
        .map(|mode| functions::companion_signature(&sig, &params, mode));
    let surface = Surface {
        sig: &reverse_sig,
        vis: &rule.vis,
        kind: FunctionKind::Free,
        params: &params,
        outer: None,
        of_trait: None,
        within: Within::Type,
        checked: None,
    };
    let forward_surface = Surface {
        sig: &forward_sig,
        ..surface
    };
    let none = TokenStream::new();
    let vjp = surface.vjp_companion(Some(&reverse(&surface, rule, &params, &value)), &none, true);
    let jvp = forward_surface.jvp_companion(Some(&jvp?), &none);
    let user = surface.user_functions(true);
    let weight = surface.weight(Boxing::Open, &Calls::default());
    let (function, item) = (
        surface.function_trait(Caller::Helpers),
        surface.item_companions(&forward_surface),
    );
    // A function that is generic over its scalar has derivatives of every order.
    let of_any_scalar = scalar.map(|scalar| {
        let higher = Higher {
            surface: &surface,
            scalar: &scalar,
            body: &rule.block,
            marked: &[],
            cx,
            tensors: false,
        };
        let emitted = higher::Emitted {
            companions: &none,
            over: &surface.over_itself(),
        };
        higher.items(&emitted, false)
    });
    // A function of this module is in scope.
    let import = (given.of.segments.len() > 1).then(|| {
        let of = &given.of;
        quote!(#[allow(unused_imports)] use #of;)
    });
    let same = agreement(&sig, &given.of, &value);
    let doc = format!(
        "Derivatives of the function `{name}`, by the rule `{}`",
        rule.sig.ident
    );
    let items = quote! {
        #import
        #same
        impl #name { #weight #vjp #jvp #user #item }
        #function
        #of_any_scalar
    };
    Some(companion_item(rule, name, &doc, &items))
}

/// The first type of the pair that a rule returns. The second gets what a pullback needs: it can be cloned,
/// and borrows nothing.
fn value_type(sig: &mut Signature) -> Option<Type> {
    let ReturnType::Type(_, output) = &mut sig.output else {
        return None;
    };
    let Type::Tuple(pair) = &mut **output else {
        return None;
    };
    if pair.elems.len() != 2 {
        return None;
    }
    match &mut pair.elems[1] {
        Type::ImplTrait(pullback) => {
            // The edition of this token decides what the closure captures: types, no lifetimes.
            pullback.impl_token.span = Span::mixed_site();
            pullback
                .bounds
                .push(syn::parse_quote!(::core::clone::Clone));
        }
        // A named type can be a pullback too.
        Type::Path(_) | Type::FnPtr(_) => {}
        _ => return None,
    }
    Some(pair.elems[0].clone())
}

/// The arguments as a rule takes them; what it takes by value stays.
fn arguments(params: &[ParamDecl]) -> TokenStream {
    let args = params.iter().map(|p| {
        let n = p.ident.as_ref();
        match p.by_ref {
            true => quote!(#n),
            false => quote!(::core::clone::Clone::clone(&#n)),
        }
    });
    quote!(#(#args),*)
}

fn reverse(surface: &Surface<'_>, rule: &ItemFn, params: &[ParamDecl], value: &Type) -> Emitted {
    let (rule, args) = (&rule.sig.ident, arguments(params));
    let pass = surface.pass_generics(None);
    let (mut keep, mut add, mut wanted) = (TokenStream::new(), TokenStream::new(), Vec::new());
    let count = surface.active().count();
    for (nth, (i, p)) in surface.active().enumerate() {
        let d = derived("d_", &surface.adj_base(p));
        let (wit, g) = (
            format_ident!("__wit{i}"),
            nth_of(&quote!(__gradient), nth, count),
        );
        let t = surface.value_ty(p);
        // The witness of what is lent is made again, in the pullback.
        let lent = surface.lent(p);
        let to = if p.by_ref { &mut add } else { &mut keep };
        to.extend(quote!(let #wit = ad::wit(#lent);));
        let ct = quote!(<#t as ad::Differentiable>::start(#g));
        add.extend(match p.slice_of {
            Some(_) => quote!(ad::acc_slice(&#wit, #ct, #d);),
            None => quote!(ad::acc(&#wit, #ct, #d);),
        });
        let mode = format_ident!("__M{i}");
        wanted.push(quote!(<#mode as ad::Mode>::ON));
    }
    Emitted {
        forward: quote! {
            #keep
            let (__result, __pull) = #rule #pass(#args);
            let __proto = ad::Differentiable::proto(&__result);
        },
        value: quote!(__result),
        held: TokenStream::new(),
        reverse: quote! {
            if #(#wanted)||* {
                let __gradient = __pull(<#value as ad::Differentiable>::finish(&__proto, __ct));
                #add
            }
        },
    }
}

/// The forward rule: the one that is given, or the product with the gradient of a number.
fn forward(
    given: &Given,
    rule: &ItemFn,
    params: &[ParamDecl],
    value: &Type,
    scalar: Option<&Scalar>,
    cx: &Ctxt,
) -> Option<Emitted> {
    let tangent = |p: &ParamDecl| {
        let base = p.ident.clone().unwrap_or_else(|| format_ident!("this"));
        derived("t_", &base)
    };
    if let Some(jvp) = &given.jvp {
        let args = params.iter().map(|p| {
            let (n, t) = (p.ident.as_ref(), tangent(p));
            match p.constant {
                true => quote!(#n),
                false => quote!((#n, #t)),
            }
        });
        return Some(Emitted {
            forward: quote!(let (__result, __tangent) = #jvp(#(#args),*);),
            value: quote!(__result),
            held: TokenStream::new(),
            reverse: quote!(__tangent),
        });
    }
    let is = |name: &str| matches!(value, Type::Path(p) if p.path.is_ident(name));
    let parameter = match scalar {
        Some(Scalar::Parameter(t)) => Some(t).filter(|t| is(&t.to_string())),
        _ => None,
    };
    if !is("f64") && !is("f32") && parameter.is_none() {
        cx.error(value, "the forward rule follows from the pullback only where the value is `f64`, `f32` or the one parameter `T: Scalar`: give it too, `#[derivative(of = f, jvp = f_jvp)]` with `fn f_jvp((x, dx): (X, X), ..) -> (Y, Y)`, the value and its tangent for pairs of arguments and tangents");
        return None;
    }
    let (name, args) = (&rule.sig.ident, arguments(params));
    let active: Vec<_> = params.iter().filter(|p| !p.constant).collect();
    let terms = active.iter().enumerate().map(|(k, p)| {
        let (g, t) = (nth_of(&quote!(__gradient), k, active.len()), tangent(p));
        let t = match (&p.slice_of, p.by_ref) {
            (Some(_), _) => quote!(&#t.to_vec()),
            (None, true) => quote!(#t),
            (None, false) => quote!(&#t),
        };
        match parameter {
            Some(_) => quote!(let __tangent = ad::Pairing::pairing(&#g, #t, __tangent);),
            None => quote!(let __tangent = __tangent + ad::Tangent::dot(&#g, #t);),
        }
    });
    let (zero, one, done) = match parameter {
        Some(t) => (
            quote!(<#t as ad::Scalar>::ZERO),
            quote!(<#t as ad::Scalar>::ONE),
            quote!(__tangent),
        ),
        None => (quote!(0.0), quote!(1.0), quote!(__tangent as #value)),
    };
    Some(Emitted {
        forward: quote! {
            let (__result, __pull) = #name(#args);
            let __gradient = __pull(#one);
            let __tangent = #zero;
            #(#terms)*
            let __tangent = #done;
        },
        value: quote!(__result),
        held: TokenStream::new(),
        reverse: quote!(__tangent),
    })
}

/// Has the compiler compare the types of the rule with those of the function.
fn agreement(sig: &Signature, of: &Path, value: &Type) -> Option<TokenStream> {
    if !sig.generics.params.is_empty() {
        return None;
    }
    let types = sig.inputs.iter().filter_map(|a| match a {
        syn::FnArg::Typed(t) => Some(&t.ty),
        syn::FnArg::Receiver(_) => None,
    });
    Some(quote!(const _: fn(#(#types),*) -> #value = #of;))
}
