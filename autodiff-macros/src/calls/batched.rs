//! `vmap!(#[batched] |x, y| …, &xs, &ys)`: the call of a method, which runs the closure once for all examples.

use super::vmap::{is_place, Call, Place};
use proc_macro2::{Ident, Span};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprBlock, Pat};

/// The methods of the runtime are `batched1`, `batched2` and so on up to this one.
pub const MOST: usize = 4;

/// In plain code `Batched2::batched2(&xs, &ys, |x, y| …)`, where rustc says what is no batch; in an annotated function
/// `xs.batched2(&ys, |x, y| …)`, a method with a derivative.
pub fn call(call: Call, at: Place) -> syn::Result<ExprBlock> {
    let Call {
        mut function,
        batches,
        ..
    } = call;
    let mut bound = Vec::new();
    for (k, param) in function.inputs.iter_mut().enumerate() {
        let at = param.span();
        match param {
            // The parameter is a reference to an example; `|&x|` has one of its own.
            Pat::Reference(r) => {
                let name = Ident::new(&format!("__example{k}"), Span::mixed_site());
                let inner = &r.pat;
                bound.push(quote_spanned!(at=> let #inner = #name.clone();));
                *param = lent(&name)?;
            }
            Pat::Type(_) => {}
            // That it is one the name alone does not say.
            _ => *param = lent(&*param)?,
        }
    }
    if !bound.is_empty() {
        let body = &function.body;
        function.body = syn::parse2(quote!({ #(#bound)* #body }))?;
    }
    let (count, span) = (batches.len(), function.span());
    let method = format_ident!("batched{count}", span = span);
    let lend = |batch: &Expr| match is_place(batch) {
        true => quote_spanned!(batch.span()=> &#batch),
        false => quote_spanned!(batch.span()=> &(#batch)),
    };
    let batches: Vec<Expr> = batches.into_iter().map(without_reference).collect();
    let lent: Vec<_> = batches.iter().map(lend).collect();
    syn::parse2(match at {
        Place::Plain => {
            let of = format_ident!("Batched{count}", span = span);
            quote_spanned!(span=> { ::differentiable::__rt::#of::#method(#(#lent,)* #function) })
        }
        Place::Annotated => {
            let (first, others) = (&batches[0], &lent[1..]);
            quote_spanned!(span=> { (#first).#method(#(#others,)* #function) })
        }
    })
}

/// `|x|` as `|x: &_|`.
fn lent(param: &impl quote::ToTokens) -> syn::Result<Pat> {
    let closure: syn::ExprClosure = syn::parse2(quote!(|#param: &_| ()))?;
    Ok(closure.inputs[0].clone())
}

/// A batch may be lent or not.
fn without_reference(batch: Expr) -> Expr {
    match batch {
        Expr::Reference(r) if r.mutability.is_none() => *r.expr,
        batch => batch,
    }
}
