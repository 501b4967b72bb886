//! `#[differentiable] impl Mul<f64> for Vec3 { … }`: operators of the user's own types.
//!
//! The body becomes that of a free function, whose companions the rule of the operator calls:
//!
//! ```text
//! const _: () = {
//!     fn __operator(__self: Vec3, k: f64) -> Vec3 { <Vec3 as Mul<f64>>::mul(__self, k) }
//!     // its companions, from the body of `mul`
//!     impl Binary<ops::Mul, f64> for Vec3 { type Out = Vec3; fn pull(…) { … } fn push(…) { … } }
//! };
//! ```

use crate::expand::function::companions;
use crate::higher;
use crate::higher::FUNCTION;
use crate::input::ctxt::Ctxt;
use crate::input::options::Options;
use crate::items::{allowed, FunctionKind};
use crate::syntax::turbofish;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, ToTokens};
use syn::{ImplItem, ItemFn, ItemImpl, Path, Type};

/// What an operator's trait is to the derivative.
#[derive(Clone, Copy, PartialEq)]
enum Operator {
    Binary(&'static str),
    Assigning(&'static str),
    Neg,
}

fn operator(path: &Path) -> Option<Operator> {
    let name = path.segments.last()?.ident.to_string();
    Some(match name.as_str() {
        "Add" => Operator::Binary("Add"),
        "Sub" => Operator::Binary("Sub"),
        "Mul" => Operator::Binary("Mul"),
        "Div" => Operator::Binary("Div"),
        "AddAssign" => Operator::Assigning("Add"),
        "SubAssign" => Operator::Assigning("Sub"),
        "Neg" => Operator::Neg,
        _ => return None,
    })
}

/// Whether a trait is an operator of the standard library, as far as its name tells.
pub fn is_operator(path: &Path) -> bool {
    operator(path).is_some()
}

/// Whether a trait is that of an index operator: it gives a part of the value, which is found by its address.
pub fn is_index(path: &Path) -> bool {
    let last = path.segments.last();
    last.is_some_and(|s| s.ident == "Index" || s.ident == "IndexMut")
}

/// Why the `impl` of a trait of the standard library cannot be annotated, and what to do instead.
pub fn instead_of(path: &Path) -> Option<String> {
    const OTHERS: &[&str] = &[
        "From",
        "Into",
        "TryFrom",
        "TryInto",
        "Default",
        "Iterator",
        "IntoIterator",
        "DoubleEndedIterator",
        "FromIterator",
        "Extend",
        "Sum",
        "Product",
        "Deref",
        "DerefMut",
        "AsRef",
        "AsMut",
        "Clone",
        "PartialEq",
        "PartialOrd",
        "Ord",
        "Drop",
        "Display",
        "Debug",
        "FromStr",
        "Rem",
    ];
    let name = path.segments.last()?.ident.to_string();
    let way = match name.as_str() {
        "MulAssign" => "annotate `impl Mul`, by which `a *= b` is differentiated".to_string(),
        "DivAssign" => "annotate `impl Div`, by which `a /= b` is differentiated".to_string(),
        "RemAssign" => "write a method and annotate it".to_string(),
        other if OTHERS.contains(&other) => {
            "write what it does as a method of your type, annotate that, and call it".to_string()
        }
        _ => return None,
    };
    Some(format!(
        "`{name}` is a trait of the standard library and has no place for derivatives: {way}"
    ))
}

/// What stands beside the `impl` of an operator.
pub fn expand(i: &ItemImpl, path: &Path, options: &Options, cx: &Ctxt) -> TokenStream {
    let Some(operator) = operator(path) else {
        return TokenStream::new();
    };
    let method = i.items.iter().find_map(|item| match item {
        ImplItem::Fn(f) => Some(f),
        _ => None,
    });
    let Some(method) = method else {
        cx.error(path, "an operator has a method");
        return TokenStream::new();
    };
    let output = i.items.iter().find_map(|item| match item {
        ImplItem::Type(t) if t.ident == "Output" => Some(t.ty.to_token_stream()),
        _ => None,
    });
    let names = Names {
        self_ty: turbofish(&i.self_ty),
        output: output.unwrap_or_else(|| quote!(())),
    };
    let name = Ident::new(FUNCTION, Span::mixed_site());
    let this = this();
    let self_param = match operator {
        Operator::Assigning(_) => {
            let ty = &names.self_ty;
            quote!(#this: &mut #ty)
        }
        _ => {
            let ty = &names.self_ty;
            quote!(#this: #ty)
        }
    };
    let inputs: Vec<TokenStream> = method
        .sig
        .inputs
        .iter()
        .skip(1)
        .filter_map(|a| match a {
            // Of the type that the trait names: it has the lifetimes of the `impl`.
            syn::FnArg::Typed(t) => {
                let (attrs, pat, ty) = (&t.attrs, &t.pat, right_type(path, &names));
                Some(quote!(#(#attrs)* #pat: #ty))
            }
            syn::FnArg::Receiver(_) => None,
        })
        .collect();
    let (generics, where_clause) = (&i.generics.params, &i.generics.where_clause);
    let output = match operator {
        Operator::Assigning(_) => quote!(()),
        _ => names.replace(names.output.clone()),
    };
    let body = names.replace(method.block.to_token_stream());
    let again = method.sig.receiver().filter(|r| r.mutability.is_some());
    let body = match again {
        Some(_) => quote!({ let mut #this = #this; #body }),
        None => body,
    };
    let function = quote! {
        fn #name<#generics>(#self_param, #(#inputs),*) -> #output #where_clause #body
    };
    let mut f: ItemFn = match syn::parse2(function) {
        Ok(f) => f,
        Err(e) => {
            cx.push(e);
            return TokenStream::new();
        }
    };
    let emitted = companions(
        &mut f.sig,
        &f.vis,
        Some(&mut f.block),
        FunctionKind::Free,
        None,
        options,
        cx,
    );
    let (beside, emitted) = (emitted.beside, emitted.items);
    let call = {
        let (args, method) = (arguments(&f), &method.sig.ident);
        let ty = &i.self_ty;
        quote!({ <#ty as #path>::#method(#(#args),*) })
    };
    let sig = &f.sig;
    let rule = rule(i, operator, &f, &output);
    let over = options
        .higher_order
        .map(|span| higher::operator(i, &f, &rule, span, &options.marked, cx));
    let allow = allowed();
    quote! {
        #[allow(#allow)]
        const _: () = {
            #sig #call
            #[allow(non_camel_case_types)]
            enum #name {}
            #beside
            #emitted
            #rule
            #over
        };
    }
}

/// The type of the right operand: `Self` where the trait does not say.
fn right_type(path: &Path, names: &Names) -> TokenStream {
    let arguments = path.segments.last().map(|s| &s.arguments);
    if let Some(syn::PathArguments::AngleBracketed(a)) = arguments {
        if let Some(syn::GenericArgument::Type(t)) = a.args.first() {
            return names.replace(t.to_token_stream());
        }
    }
    names.self_ty.clone()
}

fn this() -> Ident {
    Ident::new("__self", Span::mixed_site())
}

fn arguments(f: &ItemFn) -> Vec<TokenStream> {
    f.sig
        .inputs
        .iter()
        .filter_map(|a| match a {
            syn::FnArg::Typed(t) => Some(match &*t.pat {
                syn::Pat::Ident(p) => p.ident.to_token_stream(),
                pat => pat.to_token_stream(),
            }),
            syn::FnArg::Receiver(_) => None,
        })
        .collect()
}

/// The type behind a reference, and whether it is one.
fn value_type(ty: &Type) -> (TokenStream, bool) {
    match ty {
        Type::Reference(r) => (r.elem.to_token_stream(), true),
        Type::Paren(p) => value_type(&p.elem),
        ty => (ty.to_token_stream(), false),
    }
}

fn rule(i: &ItemImpl, operator: Operator, f: &ItemFn, output: &TokenStream) -> TokenStream {
    let ad = quote!(::differentiable::__rt);
    let (impl_generics, _, where_clause) = i.generics.split_for_impl();
    let types: Vec<(TokenStream, bool)> = f
        .sig
        .inputs
        .iter()
        .filter_map(|a| match a {
            syn::FnArg::Typed(t) => Some(value_type(&t.ty)),
            syn::FnArg::Receiver(_) => None,
        })
        .collect();
    let (a_ty, a_ref) = &types[0];
    let given = |name: TokenStream, by_ref: bool| match by_ref {
        true => name,
        false => quote!(::core::clone::Clone::clone(#name)),
    };
    let again = |name: TokenStream, by_ref: bool| by_ref.then(|| quote!(#name,));
    let a = given(quote!(a), *a_ref);
    let ta = given(quote!(ta), *a_ref);
    match operator {
        Operator::Neg => {
            let again_a = again(quote!(a), *a_ref);
            quote! {
                impl #impl_generics #ad::Negated for #a_ty #where_clause {
                    type Out = #output;
                    #[inline]
                    fn pull(a: &Self, ct: #ad::Ct<#output>, da: &mut #ad::Ct<Self>) {
                        let (_, __pullback) = __operator::__vjp((#ad::On,), #a);
                        __pullback(ct, #again_a da);
                    }
                    #[inline]
                    fn push(a: &Self, ta: &<Self as #ad::Differentiable>::Tangent)
                        -> <#output as #ad::Differentiable>::Tangent
                    {
                        __operator::__jvp(#a, #ta).1
                    }
                }
            }
        }
        Operator::Binary(op) | Operator::Assigning(op) => {
            let Some((b_ty, b_ref)) = types.get(1) else {
                return TokenStream::new();
            };
            let op = format_ident!("{op}");
            let (b, tb) = (given(quote!(b), *b_ref), given(quote!(tb), *b_ref));
            let again_b = again(quote!(b), *b_ref);
            if let Operator::Assigning(_) = operator {
                return quote! {
                    impl #impl_generics #ad::Assigning<#ad::ops::#op, #b_ty> for #a_ty #where_clause {
                        #[inline]
                        fn pull(a: &Self, b: &#b_ty, da: &mut #ad::Ct<Self>, db: &mut #ad::Ct<#b_ty>) {
                            let mut __state = ::core::clone::Clone::clone(a);
                            let (_, __pullback) = __operator::__vjp((#ad::On, #ad::On), &mut __state, #b);
                            __pullback(#ad::NoGrad, #ad::Gone, #again_b da, db);
                        }
                        #[inline]
                        fn push(
                            a: &Self,
                            b: &#b_ty,
                            ta: &mut <Self as #ad::Differentiable>::Tangent,
                            tb: &<#b_ty as #ad::Differentiable>::Tangent,
                        ) {
                            let mut __state = ::core::clone::Clone::clone(a);
                            __operator::__jvp(&mut __state, ta, #b, #tb);
                        }
                    }
                };
            }
            let again_a = again(quote!(a), *a_ref);
            quote! {
                impl #impl_generics #ad::Binary<#ad::ops::#op, #b_ty> for #a_ty #where_clause {
                    type Out = #output;
                    #[inline]
                    fn pull(
                        a: &Self,
                        b: &#b_ty,
                        ct: #ad::Ct<#output>,
                        da: &mut #ad::Ct<Self>,
                        db: &mut #ad::Ct<#b_ty>,
                    ) {
                        let (_, __pullback) = __operator::__vjp((#ad::On, #ad::On), #a, #b);
                        __pullback(ct, #again_a #again_b da, db);
                    }
                    #[inline]
                    fn push(
                        a: &Self,
                        b: &#b_ty,
                        ta: &<Self as #ad::Differentiable>::Tangent,
                        tb: &<#b_ty as #ad::Differentiable>::Tangent,
                    ) -> <#output as #ad::Differentiable>::Tangent {
                        __operator::__jvp(#a, #ta, #b, #tb).1
                    }
                }
            }
        }
    }
}

/// What `self`, `Self` and `Self::Output` are outside of the `impl`.
struct Names {
    self_ty: TokenStream,
    output: TokenStream,
}

impl Names {
    fn replace(&self, tokens: TokenStream) -> TokenStream {
        let all: Vec<TokenTree> = tokens.into_iter().collect();
        let punct =
            |t: Option<&TokenTree>| matches!(t, Some(TokenTree::Punct(p)) if p.as_char() == ':');
        let mut out = TokenStream::new();
        let mut k = 0;
        while k < all.len() {
            match &all[k] {
                TokenTree::Ident(i) if i == "Self" => {
                    let output =
                        matches!(all.get(k + 3), Some(TokenTree::Ident(i)) if i == "Output");
                    if punct(all.get(k + 1)) && punct(all.get(k + 2)) && output {
                        out.extend(self.replace(self.output.clone()));
                        k += 4;
                        continue;
                    }
                    out.extend(self.self_ty.clone());
                }
                TokenTree::Ident(i) if i == "self" => {
                    let mut this = this();
                    this.set_span(this.span().located_at(i.span()));
                    out.extend([TokenTree::Ident(this)]);
                }
                TokenTree::Group(g) => {
                    let mut new = Group::new(g.delimiter(), self.replace(g.stream()));
                    new.set_span(g.span());
                    out.extend([TokenTree::Group(new)]);
                }
                t => out.extend([t.clone()]),
            }
            k += 1;
        }
        out
    }
}
