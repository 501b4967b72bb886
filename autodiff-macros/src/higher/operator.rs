//! Operators of types whose numbers are fixed, over any scalar.
//!
//! For `#[differentiable(higher_order)] impl Add for Vec2 { … }`, whose body is that of a function `__operator` with
//! companions over any scalar, it emits
//!
//! ```text
//! impl<AnyScalar: ad::Number> Add for Vec2Over<AnyScalar> { fn add(..) { __Over::<AnyScalar>::__over(..) } }
//! impl<AnyScalar: ad::Number> ad::Binary<ad::ops::Add, Vec2Over<AnyScalar>> for Vec2Over<AnyScalar> { … }
//! ```

use super::check::{of_tensors, scalar_of, Scalar};
use super::generic::Exchange;
use super::named::Named;
use crate::input::ctxt::Ctxt;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, ToTokens};
use syn::{ItemFn, ItemImpl, Type};

/// The function that has the body of an operator.
pub const FUNCTION: &str = "__operator";

/// The operator and its `rule` over any scalar; `f` is the function that has its body.
pub fn operator(
    block: &ItemImpl,
    f: &ItemFn,
    rule: &TokenStream,
    asked: Span,
    marked: &[Ident],
    cx: &Ctxt,
) -> TokenStream {
    if cx.error_count() > 0 {
        return TokenStream::new();
    }
    let float = match scalar_of(&f.sig, Some(&f.block), Some(asked), cx) {
        Some(Scalar::Float(float)) => float,
        _ => return TokenStream::new(),
    };
    if is_float(&block.self_ty, &float) {
        cx.error(&block.self_ty, format!("an operator of `{float}` cannot be written for any scalar: write the other order, `v * k`, or a method"));
        return TokenStream::new();
    }
    let named = Named::by_name(&f.sig);
    let types = super::open::Types::default();
    let mut exchange = Exchange {
        cx,
        function: &f.sig.ident,
        float: &float,
        constants: named.const_names(),
        named: &named,
        tensors: of_tensors(&block.to_token_stream(), marked),
        locals: super::native::Locals::default(),
        types: &types,
        names: Default::default(),
        reads: true,
    };
    let mut item = block.clone();
    item.attrs.clear();
    for member in &mut item.items {
        if let syn::ImplItem::Fn(method) = member {
            method.attrs.clear();
            let name = &f.sig.ident;
            let args = f.sig.inputs.iter().enumerate().map(|(k, _)| match k {
                0 => quote!(self),
                _ => quote!(__right),
            });
            method.block = syn::parse_quote!({ #name(#(#args),*) });
            for input in &mut method.sig.inputs {
                match input {
                    syn::FnArg::Typed(right) => *right.pat = syn::parse_quote!(__right),
                    syn::FnArg::Receiver(r) => {
                        if r.mutability.is_some() {
                            r.mutability = None;
                        }
                    }
                }
            }
        }
    }
    exchange.item(&mut item);
    let rule = match syn::parse2::<ItemImpl>(rule.clone()) {
        Ok(mut rule) => {
            exchange.item(&mut rule);
            rule.to_token_stream()
        }
        Err(e) => e.to_compile_error(),
    };
    quote! {
        #[automatically_derived]
        #item
        #rule
    }
}

fn is_float(ty: &Type, float: &str) -> bool {
    match ty {
        Type::Reference(r) => is_float(&r.elem, float),
        Type::Paren(p) => is_float(&p.elem, float),
        Type::Path(p) => p.path.is_ident(float),
        _ => false,
    }
}
