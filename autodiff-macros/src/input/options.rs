//! The arguments of the attribute: `#[differentiable(wrt(a, b))]`.

use crate::input::boxing::Boxing;
use crate::input::ctxt::Ctxt;
use crate::input::plain::names::Renaming;
use crate::input::signature::ParamDecl;
use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, Token};

#[derive(Clone, Default)]
pub struct Options {
    wrt: Option<Vec<Ident>>,
    /// How the pullback is handed out, where the user says so.
    pub boxing: Option<Boxing>,
    /// A report is asked for.
    pub explain: bool,
    /// Operations on tensors run one by one.
    pub unfused: bool,
    /// Companions for derivatives of higher order are asked for, here.
    pub higher_order: Option<proc_macro2::Span>,
    /// Types whose numbers are fixed, named with it: `higher_order(Shape)`.
    pub marked: Vec<Ident>,
    /// The pullback keeps the arguments alone, and runs the function again.
    pub checkpoint: Option<proc_macro2::Span>,
}

struct Parsed(Vec<(Ident, Option<Vec<Ident>>)>);

impl Parse for Parsed {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut out = Vec::new();
        while !input.is_empty() {
            let name: Ident = input.parse()?;
            let list = if input.peek(syn::token::Paren) {
                let inner;
                syn::parenthesized!(inner in input);
                let names = Punctuated::<Ident, Token![,]>::parse_terminated_with(&inner, |i| {
                    use syn::ext::IdentExt;
                    Ident::parse_any(i)
                })?;
                Some(names.into_iter().collect())
            } else {
                None
            };
            out.push((name, list));
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(Parsed(out))
    }
}

impl Options {
    pub fn parse(attr: TokenStream, cx: &Ctxt) -> Self {
        let mut options = Options::default();
        match syn::parse2::<Parsed>(attr) {
            Err(e) => cx.push(e),
            Ok(Parsed(items)) => {
                for (name, list) in items {
                    match (name.to_string().as_str(), list) {
                        ("wrt", Some(names)) if !names.is_empty() => options.wrt = Some(names),
                        ("wrt", _) => cx.error(&name, "`wrt` takes the names of the parameters to differentiate with respect to: `wrt(a, b)`"),
                        ("boxed", None) => options.boxing = Some(Boxing::Boxed),
                        ("inline", None) => options.boxing = Some(Boxing::Open),
                        ("explain", None) => options.explain = true,
                        ("unfused", None) => options.unfused = true,
                        ("higher_order", types) => {
                            options.higher_order = Some(name.span());
                            options.marked = types.unwrap_or_default();
                        }
                        ("checkpoint", None) => options.checkpoint = Some(name.span()),
                        ("checkpoint", Some(_)) => cx.error(&name, "`checkpoint` of a function takes nothing: a number of snapshots is for loops, `#[checkpoint(snapshots = s)] for …`"),
                        _ => cx.error(&name, format!("`{name}` is not an option of `#[differentiable]`; the options are `wrt(a, b)`, `boxed`, `inline`, `unfused`, `higher_order`, `checkpoint` and `explain`")),
                    }
                }
            }
        }
        options
    }

    /// The options of a function of a block, which may say `#[checkpoint]` itself.
    pub fn of_function(&self, attrs: &mut Vec<syn::Attribute>, cx: &Ctxt) -> Options {
        let again = crate::input::checkpoint::take_from_function(attrs, cx);
        Options {
            checkpoint: self.checkpoint.or(again),
            ..self.clone()
        }
    }

    /// The options with the names that parameters have where they are differentiated.
    pub fn renamed(&self, renaming: &Renaming) -> Options {
        let mut options = self.clone();
        for name in options.wrt.iter_mut().flatten() {
            renaming.rename(name);
        }
        options
    }

    /// Whether a `wrt` list exists and leaves this parameter out.
    pub fn wrt_excludes(&self, param: &str) -> bool {
        self.wrt
            .as_ref()
            .is_some_and(|names| names.iter().all(|n| n != param))
    }

    /// Every name in `wrt` must be a parameter that can have a gradient.
    pub fn check_wrt(&self, params: &[ParamDecl], cx: &Ctxt) {
        for name in self.wrt.iter().flatten() {
            let found = params.iter().find(|p| match &p.ident {
                Some(i) => i == name,
                None => name == "self",
            });
            match found {
                None => cx.error(name, format!("there is no parameter `{name}`")),
                Some(p) if p.discrete => cx.error(
                    name,
                    format!("`{name}` has a discrete type and no gradient"),
                ),
                Some(p) if p.constant => {
                    cx.error(name, format!("`{name}` is both `#[constant]` and in `wrt`"))
                }
                Some(_) => {}
            }
        }
    }
}
