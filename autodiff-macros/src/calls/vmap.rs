//! `vmap!(|x, y| f(&w, x, y), &xs, &ys)`: a loop over the examples of batches, whose results are joined; with `#[batched]`
//! before the closure a call of a method that runs it once, for all examples.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned, ToTokens};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Error, Expr, ExprClosure, Pat, Token};

/// What stands between the parentheses.
pub(super) struct Call {
    pub(super) function: ExprClosure,
    batched: bool,
    pub(super) batches: Vec<Expr>,
}

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let usage = "`vmap!` takes a closure of one example and the batches: `vmap!(|x, y| loss(&w, x, y), &xs, &ys)`";
        let mut function = match input.parse()? {
            Expr::Closure(c) => c,
            other => return Err(Error::new(other.span(), usage)),
        };
        let (marks, others): (Vec<_>, Vec<_>) =
            (function.attrs.into_iter()).partition(|a| a.path().is_ident("batched"));
        for mark in &marks {
            mark.meta.require_path_only()?;
        }
        function.attrs = others;
        let batched = !marks.is_empty();
        if !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        let batches = Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
        let (given, taken) = (batches.len(), function.inputs.len());
        if given == 0 {
            return Err(Error::new(function.span(), usage));
        }
        if given != taken {
            let message =
                format!("the closure takes {taken} examples, and there are {given} batches");
            return Err(Error::new(function.span(), message));
        }
        let most = super::batched::MOST;
        if batched && given > most {
            let message =
                format!("with `#[batched]`, `vmap!` takes up to {most} batches, not {given}");
            return Err(Error::new(function.span(), message));
        }
        Ok(Call {
            function,
            batched,
            batches: batches.into_iter().collect(),
        })
    }
}

/// What would leave the loop instead of one example.
struct Leaves(Option<Error>);

impl Leaves {
    fn found(&mut self, e: &dyn ToTokens, what: &str) {
        let message = format!("`{what}` would leave all examples, not one: write the value as an expression, or a loop");
        self.0.get_or_insert_with(|| Error::new_spanned(e, message));
    }
}

impl<'a> Visit<'a> for Leaves {
    fn visit_expr(&mut self, e: &'a Expr) {
        match e {
            Expr::Return(_) => self.found(e, "return"),
            Expr::Try(_) => self.found(e, "?"),
            // Of a function of its own.
            Expr::Closure(_) | Expr::Async(_) => {}
            e => visit::visit_expr(self, e),
        }
    }
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

/// Where a call stands.
#[derive(Clone, Copy)]
pub enum Place {
    /// In code that rustc compiles as it is; the methods must be in scope.
    Plain,
    /// In an annotated function.
    Annotated,
}

/// The loop, or the call.
pub fn block(tokens: TokenStream, at: Place) -> syn::Result<syn::ExprBlock> {
    // Names of ours are none of those around the macro.
    let span = proc_macro2::Span::mixed_site();
    let own = |name: String| proc_macro2::Ident::new(&name, span);
    let i = own("__i".into());
    let call: Call = syn::parse2(tokens)?;
    let mut leaves = Leaves(None);
    leaves.visit_expr(&call.function.body);
    if let Some(error) = leaves.0 {
        return Err(error);
    }
    if call.batched {
        return super::batched::call(call, at);
    }
    let Call {
        function, batches, ..
    } = call;
    let (mut binds, mut same, mut examples) = (Vec::new(), Vec::new(), Vec::new());
    let mut first = None;
    for (k, (batch, param)) in batches.iter().zip(&function.inputs).enumerate() {
        let (at, one) = (batch.span(), own(format!("__example{k}")));
        let batch = match batch {
            Expr::Reference(r) if r.mutability.is_none() => &*r.expr,
            e => e,
        };
        // A place is named again and again: a reference to it would be kept for the reverse pass.
        let batch = if is_place(batch) {
            quote_spanned!(at=> (#batch))
        } else {
            let name = own(format!("__batch{k}"));
            binds.push(quote_spanned!(at=> let #name = #batch;));
            quote!(#name)
        };
        match &first {
            None => first = Some(batch.clone()),
            Some(first) => same.push(quote_spanned!(at=> let _ = #first.batch_same(&#batch);)),
        }
        // The pattern is on a reference, as the parameter of a closure over `iter()` is.
        let bound = match param {
            Pat::Reference(r) => {
                let inner = &r.pat;
                quote_spanned!(param.span()=> let #inner = #one;)
            }
            param => quote_spanned!(param.span()=> let #param = &#one;),
        };
        examples.push(quote_spanned!(param.span()=>
            let #one = #batch.batch_example(#i);
            #bound
        ));
    }
    let body = &function.body;
    syn::parse2(quote_spanned!(span=> {
        #(#binds)*
        #(#same)*
        let __examples = #first.batch_examples();
        let __dim = #first.batch_dim();
        let mut __results = ::std::vec::Vec::with_capacity(__examples);
        for #i in 0..__examples {
            #(#examples)*
            let __result = #body;
            __results.push(__result);
        }
        __dim.batch_stacked(__results)
    }))
}

/// Whether the expression names a value and computes nothing.
pub(super) fn is_place(e: &Expr) -> bool {
    match e {
        Expr::Path(_) => true,
        Expr::Field(f) => is_place(&f.base),
        Expr::Paren(p) => is_place(&p.expr),
        Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && is_place(&u.expr),
        Expr::Index(i) => is_place(&i.expr) && crate::syntax::is_cheap(&i.index),
        _ => false,
    }
}

pub fn expand(tokens: TokenStream) -> TokenStream {
    match block(tokens, Place::Plain) {
        Ok(block) => quote!({
            #[allow(unused_imports)]
            use ::differentiable::__rt::{Join as _, SliceBatch as _};
            #block
        }),
        Err(e) => e.to_compile_error(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(tokens: TokenStream) -> String {
        block(tokens, Place::Plain)
            .err()
            .map(|e| e.to_string())
            .unwrap_or_default()
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert!(message(quote!(f, &xs)).contains("takes a closure"));
        assert!(message(quote!(|| 1.0)).contains("takes a closure"));
        assert!(message(quote!(|x, y| x + y, &xs)).contains("takes 2 examples, and there are 1"));
        assert!(message(quote!(
            |x| {
                return 1.0;
            },
            &xs
        ))
        .contains("`return` would leave"));
        assert!(message(quote!(|x| f(x)?, &xs)).contains("`?` would leave"));
    }

    #[test]
    fn batches_may_be_lent() {
        let (lent, given) = (quote!(|x| f(x), &xs), quote!(|x| f(x), xs));
        assert_eq!(text(lent, Place::Plain), text(given, Place::Plain));
    }

    fn text(tokens: TokenStream, at: Place) -> String {
        block(tokens, at).unwrap().to_token_stream().to_string()
    }

    #[test]
    fn all_examples_at_once() {
        let call = || {
            quote!(
                #[batched]
                |x, y| f(x, y),
                xs,
                &ys
            )
        };
        let expected = quote!({
            ::differentiable::__rt::Batched2::batched2(&xs, &ys, |x: &_, y: &_| f(x, y))
        });
        assert_eq!(text(call(), Place::Plain), expected.to_string());
        let expected = quote!({ (xs).batched2(&ys, |x: &_, y: &_| f(x, y)) });
        assert_eq!(text(call(), Place::Annotated), expected.to_string());
        let copies = text(
            quote!(
                #[batched]
                |&x| f(x),
                a + b
            ),
            Place::Plain,
        );
        assert!(
            copies.contains("& (a + b)") && copies.contains("clone"),
            "{copies}"
        );
        assert!(!message(quote!(
            #[batched(4)]
            |x| f(x),
            xs
        ))
        .is_empty());
        let five = message(quote!(
            #[batched]
            |a, b, c, d, e| a,
            a,
            b,
            c,
            d,
            e
        ));
        assert!(five.contains("up to 4 batches"), "{five}");
    }
}
