//! The body of a function as a closure in the constant.

use super::types::has_lifetime;
use super::Checked;
use crate::input::plain::context;
use crate::input::signature::ParamDecl;
use crate::syntax::{has_impl, tokens_mention};
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{quote, ToTokens};
use std::collections::HashSet;
use syn::{FnArg, ReturnType, Signature};

impl Checked {
    /// The body, in a closure of what the function takes.
    pub(super) fn closure(
        &mut self,
        sig: &Signature,
        body: &syn::Block,
        params: &[ParamDecl],
    ) -> Option<TokenStream> {
        let plain = sig.asyncness.is_none()
            && matches!(sig.safety, syn::Safety::Default)
            && sig.abi.is_none();
        let owned = match &sig.output {
            ReturnType::Default => true,
            ReturnType::Type(_, t) => !has_lifetime(t) && !has_impl(t),
        };
        let items = body.stmts.iter().any(|s| matches!(s, syn::Stmt::Item(i) if !matches!(i, syn::Item::Use(_) | syn::Item::Const(_))));
        if !plain || !owned || items {
            return None;
        }
        let mut sig = sig.clone();
        self.parameters.as_mut()?.take_functions(&mut sig, params);
        let this = self.this_type()?;
        let mut decls = Vec::new();
        for input in &sig.inputs {
            decls.push(match input {
                FnArg::Receiver(r) => {
                    let (m, span) = (&r.mutability, r.self_token.span);
                    let name = Ident::new("__this", span);
                    match &r.kind {
                        syn::ReceiverKind::Value => quote!(#m #name: #this),
                        syn::ReceiverKind::Reference(_, None, m) => quote!(#name: & #m #this),
                        _ => return None,
                    }
                }
                FnArg::Typed(t) => {
                    if has_impl(&t.ty) {
                        return None;
                    }
                    let (pat, ty) = (&t.pat, &t.ty);
                    quote!(#pat: #ty)
                }
            });
        }
        let output = match &sig.output {
            ReturnType::Default => quote!(()),
            ReturnType::Type(_, t) => t.to_token_stream(),
        };
        let closure = quote!(|#(#decls),*| -> #output #body);
        let names = HashSet::from(["self".into(), "Self".into()]);
        let of_block = sig.receiver().is_some() || tokens_mention(closure.clone(), &names);
        if of_block && self.this.is_none() {
            return None;
        }
        let closure = without_self(
            closure,
            sig.receiver().map(|r| r.self_token.span),
            self.of_trait,
            &this,
        )?;
        Some(quote!(let _ = #closure;))
    }

    /// The type of the block by its other name.
    fn this_type(&self) -> Option<TokenStream> {
        let name = self.this_name();
        let Some(ty) = &self.this else {
            return Some(name.into_token_stream());
        };
        let (names, _) = self.parameters.as_ref()?.within(ty);
        let generics = (!names.is_empty()).then(|| quote!(::<#(#names),*>));
        Some(quote!(#name #generics))
    }
}

/// The tokens with `__this` and `this` for `self` and `Self`; none where `Self` is a value or begins the name of a type
/// of its trait, which no other name of the type does.
fn without_self(
    tokens: TokenStream,
    receiver: Option<Span>,
    of_trait: bool,
    this: &TokenStream,
) -> Option<TokenStream> {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let punct = |t: Option<&TokenTree>, is: &[char]| matches!(t, Some(TokenTree::Punct(p)) if is.contains(&p.as_char()));
    let mut out = TokenStream::new();
    for (k, t) in all.iter().enumerate() {
        let (before, after) = (k.checked_sub(1).map(|k| &all[k]), all.get(k + 1));
        out.extend([match t {
            TokenTree::Ident(i) if i == "self" && !punct(after, &[':']) => {
                // With the spans as they are, messages about it are the same as those about the function.
                let same = context(i.span()) == context(receiver?);
                same.then(|| Ident::new("__this", i.span()))?.into()
            }
            TokenTree::Ident(i) if i == "Self" => {
                let path = punct(after, &[':']);
                let made = matches!(after, Some(TokenTree::Group(g)) if g.delimiter() == proc_macro2::Delimiter::Brace);
                // Of the type by another name rustc does not find what its trait has.
                let of_type = of_trait && path && matches!(all.get(k + 3), Some(TokenTree::Ident(i)) if i.to_string().starts_with(char::is_uppercase));
                if of_type || !path && !made && !punct(before, &['<', ':', '>']) {
                    return None;
                }
                out.extend(this.clone().into_iter().map(|mut t| {
                    t.set_span(i.span());
                    t
                }));
                continue;
            }
            TokenTree::Group(g) => {
                let mut inner = Group::new(g.delimiter(), without_self(g.stream(), receiver, of_trait, this)?);
                inner.set_span(g.span());
                inner.into()
            }
            t => t.clone(),
        }]);
    }
    Some(out)
}
