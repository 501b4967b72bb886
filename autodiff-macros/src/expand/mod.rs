//! `#[differentiable]` on a function, a method or an `impl` block.

mod companions;
pub mod function;
pub mod operator;
pub mod own_rule;
pub mod rule;
#[cfg(test)]
mod tests;

use crate::expand::function::{companions, strip_ours, Companions, Members};
use crate::higher::{self};
use crate::input::ctxt::Ctxt;
use crate::input::options::Options;
use crate::input::plain::{self, Resolved};
use crate::input::signature::{self};
use crate::items::own_methods;
use crate::items::{FunctionKind, Within};
use crate::rewrite::siblings::Siblings;
use crate::syntax::{is_primitive_name, tokens_mention};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, ToTokens};
use std::collections::HashSet;
use syn::visit::{self, Visit};
use syn::{ImplItem, Item, ItemFn, ItemImpl, Signature, Visibility};

pub fn expand(attr: TokenStream, written: TokenStream) -> TokenStream {
    let (attr, input) = match plain::item("differentiable", attr, written.clone()) {
        Resolved::Item(attr, input) => (attr, input),
        Resolved::Instead(tokens) => return tokens,
    };
    if let Ok(mut f) = syn::parse2::<ItemFn>(input.clone()) {
        return free_or_method(attr, &mut f, &written);
    }
    match syn::parse2::<Item>(input.clone()) {
        Ok(Item::Impl(i)) => impl_block(attr, i, &written),
        Ok(Item::Trait(t)) => trait_block(attr, t, &written),
        Ok(Item::Struct(s)) => error(
            input,
            &s.struct_token,
            "`#[differentiable]` is for functions: write `#[derive(Differentiable)]` on a struct",
        ),
        Ok(other) => error(
            input,
            &other,
            "`#[differentiable]` is for functions, methods and `impl` blocks",
        ),
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

/// The item as it was written, unless something of it is ours, or was passed on by a macro in a way that is lost here.
fn passed_on(written: &TokenStream, item: &impl ToTokens, changed: bool) -> TokenStream {
    let changed = changed || plain::groups::has_invisible(written);
    match changed || plain::mentions_ours(written.clone()) {
        true => item.to_token_stream(),
        false => written.clone(),
    }
}

fn free_or_method(attr: TokenStream, f: &mut ItemFn, written: &TokenStream) -> TokenStream {
    if f.sig.receiver().is_none() && is_primitive_name(&f.sig.ident.to_string()) {
        let message = format!(
            "the derivatives of `{0}` are functions of a type named `{0}`, which would hide the `{0}` of the language: name the function otherwise",
            f.sig.ident
        );
        return error(written.clone(), &f.sig.ident, &message);
    }
    let cx = Ctxt::of(written, |v| visit::visit_item_fn(v, f));
    let options = Options::parse(attr, &cx).of_function(&mut f.attrs, &cx);
    // A function that names `Self` can only be in an `impl` block.
    let associated = f.sig.receiver().is_some()
        || tokens_mention(f.sig.to_token_stream(), &HashSet::from(["Self".into()]));
    let kind = if associated {
        FunctionKind::Associated
    } else {
        FunctionKind::Free
    };
    let Companions {
        items,
        first,
        beside,
        in_module,
        ..
    } = companions(
        &mut f.sig,
        &f.vis,
        Some(&mut f.block),
        kind,
        None,
        &options,
        &cx,
    );
    let (items, first) = (cx.named(quote!(#beside #items)), first.map(|f| cx.named(f)));
    let in_module = cx.named(in_module);
    let errors = cx.check();
    let changed = begin_with(&mut f.block, first);
    let passed_on = passed_on(written, f, changed);
    match kind {
        FunctionKind::Associated => quote!(#passed_on #errors #items),
        FunctionKind::Free => {
            let name = &f.sig.ident;
            let doc = format!("Derivatives of the function `{name}`");
            let item = companion_item(f, name, &doc, &items);
            quote!(#passed_on #errors #item #in_module)
        }
    }
}

/// The `enum` beside the function `f` whose members are the companions of the function `name`.
pub fn companion_item(f: &ItemFn, name: &Ident, doc: &str, items: &TokenStream) -> TokenStream {
    let (vis, doc) = (
        &f.vis,
        format!("{doc}: `grad`, `value_and_grad`, `vjp`, `jvp`."),
    );
    quote! {
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code)]
        #[derive(Debug)]
        #vis enum #name {}
        const _: () = { #items };
    }
}

/// Puts a statement before a body. What the user wrote stays, for its types and errors.
fn begin_with(body: &mut syn::Block, first: Option<TokenStream>) -> bool {
    let Some(first) = first else { return false };
    let first = syn::Stmt::Expr(syn::Expr::Verbatim(first), None);
    body.stmts.insert(0, first);
    true
}

fn function_of(item: &mut ImplItem) -> Option<&mut syn::ImplItemFn> {
    match item {
        ImplItem::Fn(f) => Some(f),
        _ => None,
    }
}

fn impl_block(attr: TokenStream, mut i: ItemImpl, written: &TokenStream) -> TokenStream {
    let cx = Ctxt::of(written, |v| v.visit_item_impl(&i));
    let mut options = Options::parse(attr, &cx);
    let of_trait = i.trait_.as_ref().map(|(path, _)| path.clone());
    if let Some(path) = of_trait.as_ref().filter(|p| operator::is_operator(p)) {
        let options = match i.items.iter_mut().find_map(function_of) {
            Some(f) => options.of_function(&mut f.attrs, &cx),
            None => options,
        };
        let plain = plain::block(&i, &cx);
        let path = plain.trait_.as_ref().map_or(path, |(path, _)| path);
        let rule = cx.named(operator::expand(&plain, path, &options, &cx));
        // Their errors are known by now.
        for f in i.items.iter_mut().filter_map(function_of) {
            signature::strip(&mut f.sig);
            strip_ours(&mut f.block);
        }
        let errors = cx.check();
        let passed_on = passed_on(written, &i, false);
        return quote!(#passed_on #errors #rule);
    }
    if of_trait.as_ref().is_some_and(operator::is_index) {
        // It stays as it is; the type over any scalar has it too.
        let plain = plain::block(&i, &cx);
        let asked = options.higher_order.is_some();
        let block = asked.then(|| higher::Block::new(&plain, &options, &cx));
        let rules = [plain.to_token_stream()];
        let over = block
            .flatten()
            .map(|b| cx.named(b.items(TokenStream::new(), &rules, &cx)));
        let errors = cx.check();
        let passed_on = passed_on(written, &i, false);
        return quote!(#passed_on #errors #over);
    }
    let why = of_trait.as_ref().and_then(operator::instead_of);
    if let (Some(path), Some(why)) = (&of_trait, why) {
        cx.error(path, why);
        let errors = cx.check();
        return quote!(#i #errors);
    }
    let within = match of_trait {
        Some(_) => Within::TraitImpl,
        None => Within::Type,
    };
    let plain = plain::block(&i, &cx);
    let generics = plain.generics.clone();
    let siblings = Siblings::of(&plain);
    let asked = options.higher_order.filter(|_| within == Within::Type);
    let before = cx.error_count();
    let over = asked.and_then(|_| higher::Block::new(&plain, &options, &cx));
    if cx.error_count() > before {
        options.higher_order = None;
    }
    let (mut all, mut all_over) = (TokenStream::new(), TokenStream::new());
    let mut all_beside = TokenStream::new();
    let mut changed = false;
    for item in &mut i.items {
        if let ImplItem::Fn(f) = item {
            if !left_out(&mut f.attrs, &f.sig) {
                let options = options.of_function(&mut f.attrs, &cx);
                let Companions {
                    items,
                    first,
                    over,
                    beside,
                    ..
                } = companions(
                    &mut f.sig,
                    &f.vis,
                    Some(&mut f.block),
                    FunctionKind::Associated,
                    Some(Members {
                        generics: &generics,
                        siblings: &siblings,
                        within,
                        ty: Some(&plain.self_ty),
                        of_trait: of_trait.as_ref(),
                        scalar: over.as_ref().map(|b| &b.scalar),
                    }),
                    &options,
                    &cx,
                );
                changed |= begin_with(&mut f.block, first.map(|f| cx.named(f)));
                all.extend(items);
                all_over.extend(over);
                all_beside.extend(beside);
            } else if signature::lends_no_number(&f.sig) {
                // The type over any scalar has it too.
                all_over.extend(f.to_token_stream());
            }
        }
    }
    let rules = match within {
        Within::Type => own_methods::rules(&i),
        _ => Vec::new(),
    };
    let over = over.map(|b| b.items(all_over, &rules, &cx));
    if within == Within::TraitImpl {
        // The companions are functions of the trait.
        i.items.push(ImplItem::Verbatim(cx.named(all)));
        let beside = cx.named(all_beside);
        let errors = cx.check();
        return quote!(#i #errors #beside);
    }
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let self_ty = &plain.self_ty;
    let companions = cx.named(quote! {
        impl #impl_generics #self_ty #where_clause { #all }
        #(#rules)*
        #over
        #all_beside
    });
    let errors = cx.check();
    let passed_on = passed_on(written, &i, changed);
    quote! {
        #passed_on
        #errors
        #companions
    }
}

/// `#[differentiable] trait Shape { … }`: the companions are functions of the trait, which an
/// annotated `impl` of it defines.
fn trait_block(attr: TokenStream, mut t: syn::ItemTrait, written: &TokenStream) -> TokenStream {
    let cx = Ctxt::of(written, |v| v.visit_item_trait(&t));
    let options = Options::parse(attr, &cx);
    let mut generics = t.generics.clone();
    let supertraits = &t.supertraits;
    if !supertraits.is_empty() {
        let clause = generics.make_where_clause();
        clause
            .predicates
            .push(syn::parse_quote!(Self: #supertraits));
    }
    let siblings = Siblings::of_trait(&t);
    let (mut all, mut all_beside) = (TokenStream::new(), TokenStream::new());
    for item in &mut t.items {
        if let syn::TraitItem::Fn(f) = item {
            if !left_out(&mut f.attrs, &f.sig) {
                let options = options.of_function(&mut f.attrs, &cx);
                let companions = companions(
                    &mut f.sig,
                    &Visibility::Inherited,
                    f.default.as_mut(),
                    FunctionKind::Associated,
                    Some(Members {
                        generics: &generics,
                        siblings: &siblings,
                        within: Within::Trait,
                        ty: None,
                        of_trait: None,
                        scalar: None,
                    }),
                    &options,
                    &cx,
                );
                all.extend(companions.items);
                all_beside.extend(companions.beside);
            }
        }
    }
    let (all, all_beside) = (cx.named(all), cx.named(all_beside));
    let errors = cx.check();
    t.items.push(syn::TraitItem::Verbatim(all));
    quote!(#t #errors #all_beside)
}

/// `#[no_grad]` on a method of an annotated block leaves it out, and so does a value without numbers.
fn left_out(attrs: &mut Vec<syn::Attribute>, sig: &Signature) -> bool {
    let before = attrs.len();
    attrs.retain(|a| !a.path().is_ident("no_grad"));
    attrs.len() != before || signature::lends_no_number(sig)
}
