//! `#[differentiable]` on a function, a method or an `impl` block.

use crate::activity;
use crate::callees::Callees;
use crate::ctxt::Ctxt;
use crate::jvp::Jvp;
use crate::lower::{Lower, Siblings};
use crate::needs;
use crate::operator_impl;
use crate::options::Options;
use crate::settle::settle;
use crate::signature;
use crate::surface::{Kind, Surface};
use crate::types;
use crate::vjp::{Emitted, Vjp};
use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use std::cell::Cell;
use syn::{Generics, ImplItem, ImplItemFn, Item, ItemFn, ItemImpl, Signature, Visibility};

pub fn expand(attr: TokenStream, input: TokenStream) -> TokenStream {
    if let Ok(mut f) = syn::parse2::<ItemFn>(input.clone()) {
        return free_or_method(attr, &mut f);
    }
    match syn::parse2::<Item>(input.clone()) {
        Ok(Item::Impl(i)) => impl_block(attr, i),
        Ok(Item::Trait(t)) => error(input, &t.trait_token, "`#[differentiable]` on a trait is not supported yet: annotate the inherent methods that implement it"),
        Ok(Item::Struct(s)) => error(input, &s.struct_token, "`#[differentiable]` is for functions: write `#[derive(Differentiable)]` on a struct"),
        Ok(other) => error(input, &other, "`#[differentiable]` is for functions, methods and `impl` blocks"),
        Err(e) => {
            let e = e.to_compile_error();
            quote!(#input #e)
        }
    }
}

fn error(input: TokenStream, at: &dyn ToTokens, message: &str) -> TokenStream {
    let e = syn::Error::new_spanned(at.to_token_stream(), message).to_compile_error();
    quote!(#input #e)
}

fn free_or_method(attr: TokenStream, f: &mut ItemFn) -> TokenStream {
    let cx = Ctxt::new();
    let options = Options::parse(attr, &cx);
    // A function that names `Self` can only be in an `impl` block.
    let associated = f.sig.receiver().is_some() || mentions_self(&f.sig);
    let kind = if associated {
        Kind::Associated
    } else {
        Kind::Free
    };
    let companions = companions(&mut f.sig, &f.vis, &f.block, kind, None, &options, &cx);
    let errors = cx.check();
    match kind {
        Kind::Associated => quote!(#f #errors #companions),
        Kind::Free => {
            let (vis, name) = (&f.vis, &f.sig.ident);
            let cfgs = f
                .attrs
                .iter()
                .filter(|a| a.path().is_ident("cfg"))
                .collect::<Vec<_>>();
            let doc = format!(
                "Derivatives of the function `{name}`: `grad`, `value_and_grad`, `vjp`, `jvp`."
            );
            quote! {
                #f
                #errors
                #(#cfgs)*
                #[doc = #doc]
                #[allow(non_camel_case_types, dead_code)]
                #[derive(Debug)]
                #vis enum #name {}
                #(#cfgs)*
                const _: () = { #companions };
            }
        }
    }
}

fn mentions_self(sig: &Signature) -> bool {
    fn any(t: TokenStream) -> bool {
        t.into_iter().any(|t| match t {
            proc_macro2::TokenTree::Ident(i) => i == "Self",
            proc_macro2::TokenTree::Group(g) => any(g.stream()),
            _ => false,
        })
    }
    any(sig.to_token_stream())
}

fn impl_block(attr: TokenStream, mut i: ItemImpl) -> TokenStream {
    let cx = Ctxt::new();
    let options = Options::parse(attr, &cx);
    if let Some((path, _)) = &i.trait_ {
        let path = path.clone();
        let rule = if operator_impl::is_operator(&path) {
            operator_impl::expand(&i, &path, &options, &cx)
        } else {
            cx.error(&path, "`#[differentiable]` on the `impl` of a trait is for operators (`Add Sub Mul Div Neg AddAssign SubAssign`): for another trait annotate an inherent method and call it from the trait's");
            TokenStream::new()
        };
        let errors = cx.check();
        return quote!(#i #errors #rule);
    }
    let generics = i.generics.clone();
    let siblings = Siblings::of(&i);
    let mut all = TokenStream::new();
    for item in &mut i.items {
        if let ImplItem::Fn(f) = item {
            if !take_skip(f) {
                all.extend(companions(
                    &mut f.sig,
                    &f.vis,
                    &f.block,
                    Kind::Associated,
                    Some((&generics, &siblings)),
                    &options,
                    &cx,
                ));
            }
        }
    }
    let errors = cx.check();
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let self_ty = &i.self_ty;
    quote! {
        #i
        #errors
        impl #impl_generics #self_ty #where_clause { #all }
    }
}

/// `#[no_grad]` on a method of an annotated block leaves it out.
fn take_skip(f: &mut ImplItemFn) -> bool {
    let before = f.attrs.len();
    f.attrs.retain(|a| !a.path().is_ident("no_grad"));
    f.attrs.len() != before
}

pub fn companions(
    sig: &mut Signature,
    vis: &Visibility,
    body: &syn::Block,
    kind: Kind,
    block: Option<(&Generics, &Siblings)>,
    options: &Options,
    cx: &Ctxt,
) -> TokenStream {
    let before = cx.error_count();
    let params = signature::params(sig, options, cx);
    if cx.error_count() > before {
        // Companions of a signature that is refused would only add errors.
        return TokenStream::new();
    }
    let sig = &*sig;
    let surface = Surface {
        sig,
        vis,
        kind,
        params: &params,
        outer: block.map(|b| b.0),
    };
    if params.len() != sig.inputs.len() {
        return TokenStream::new();
    }
    // A pullback that holds one of its own kind has no size: it is handed out in a box. A method of
    // the same name may be another type's; then the box is not needed, and cheap.
    let recursive = Cell::new(options.boxed);
    let before = cx.error_count();
    let mut forward_func = Lower::new(cx, block.map(|b| b.1)).func(&params, body, &sig.output);
    let stub = || Emitted {
        forward: TokenStream::new(),
        value: quote!(::core::unreachable!()),
        reverse: TokenStream::new(),
    };
    let (vjp, jvp, imports) = if cx.error_count() > before {
        // The user sees the errors above and none that follow from them.
        (
            stub(),
            Emitted {
                reverse: quote!(::core::unreachable!()),
                ..stub()
            },
            TokenStream::new(),
        )
    } else {
        types::spread(&mut forward_func);
        activity::analyse(&mut forward_func);
        let callees = Callees::default();
        let arity = |p: &syn::Path| arity_of(p, body);
        let resolve = |p: &syn::Path| {
            let own = p.segments.last().is_some_and(|s| s.ident == sig.ident);
            let in_scope = kind == Kind::Associated || p.segments.len() == 1;
            recursive.set(recursive.get() || own && in_scope);
            callees.resolve(p, arity(p))
        };
        let method = |name: &syn::Ident, args: usize| {
            let own = kind == Kind::Associated && *name == sig.ident;
            recursive.set(recursive.get() || own);
            callees.method(name, args);
        };
        let jvp = Jvp {
            f: &forward_func,
            callee: &resolve,
            method: &method,
        }
        .emit();
        let mut func = forward_func;
        settle(&mut func);
        let needs = needs::analyse(&func);
        let vjp = Vjp {
            f: &func,
            needs: &needs,
            callee: &resolve,
            method: &method,
        }
        .emit();
        (vjp, jvp, callees.imports())
    };
    let mut vjp = surface.vjp_companion(&vjp, &imports, recursive.get());
    if recursive.get() {
        vjp.extend(surface.boxed_companion());
    }
    let jvp = surface.jvp_companion(&jvp, &imports);
    let user = surface.user_functions();
    match kind {
        Kind::Associated => quote!(#vjp #jvp #user),
        Kind::Free => {
            let name = &sig.ident;
            let function = surface.function_trait();
            quote! {
                impl #name { #vjp #jvp #user }
                #function
            }
        }
    }
}

/// How many arguments calls of this path have.
fn arity_of(path: &syn::Path, body: &syn::Block) -> usize {
    use syn::visit::{self, Visit};
    struct V {
        path: String,
        found: usize,
    }
    impl<'a> Visit<'a> for V {
        fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
            if c.func.to_token_stream().to_string() == self.path {
                self.found = c.args.len();
            }
            visit::visit_expr_call(self, c);
        }
    }
    let mut v = V {
        path: path.to_token_stream().to_string(),
        found: 0,
    };
    v.visit_block(body);
    v.found
}
