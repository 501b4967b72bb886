//! `#[differentiable]` on a function, a method or an `impl` block.

use crate::activity;
use crate::callees::Callees;
use crate::checkpoint;
use crate::ctxt::Ctxt;
use crate::explain::{self, Explain};
use crate::function_trait::Caller;
use crate::functions::{self, Mode};
use crate::fuse;
use crate::higher::{self, Higher};
use crate::ir;
use crate::jvp::Jvp;
use crate::lengths;
use crate::lower::{Lower, Siblings};
use crate::needs::{self, Needs};
use crate::operator_impl;
use crate::options::Options;
use crate::own_macros;
use crate::settle::settle;
use crate::signature;
use crate::surface::{Calls, Kind, Rule, Surface, Within};
use crate::types;
use crate::vjp::{Emitted, Vjp};
use crate::well_formed::{bare_trait_object, NEEDS_DYN};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, ToTokens};
use std::cell::RefCell;
use syn::visit::Visit;
use syn::{Generics, ImplItem, Item, ItemFn, ItemImpl, Signature, Visibility};

pub fn expand(attr: TokenStream, input: TokenStream) -> TokenStream {
    if let Ok(mut f) = syn::parse2::<ItemFn>(input.clone()) {
        return free_or_method(attr, &mut f);
    }
    match syn::parse2::<Item>(input.clone()) {
        Ok(Item::Impl(i)) => impl_block(attr, i),
        Ok(Item::Trait(t)) => trait_block(attr, t),
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

fn free_or_method(attr: TokenStream, f: &mut ItemFn) -> TokenStream {
    let cx = Ctxt::new();
    let options = Options::parse(attr, &cx).of_function(&mut f.attrs, &cx);
    // A function that names `Self` can only be in an `impl` block.
    let associated = f.sig.receiver().is_some() || mentions_self(&f.sig);
    let kind = if associated {
        Kind::Associated
    } else {
        Kind::Free
    };
    let Companions { items, fused, .. } = companions(
        &mut f.sig,
        &f.vis,
        Some(&mut f.block),
        kind,
        None,
        &options,
        &cx,
    );
    let errors = cx.check();
    run_fused(&mut f.block, fused);
    match kind {
        Kind::Associated => quote!(#f #errors #items),
        Kind::Free => {
            let name = &f.sig.ident;
            let doc = format!("Derivatives of the function `{name}`");
            let item = companion_item(f, name, &doc, &items);
            quote!(#f #errors #item)
        }
    }
}

/// The `enum` beside the function `f` whose members are the companions of the function `name`.
pub fn companion_item(f: &ItemFn, name: &Ident, doc: &str, items: &TokenStream) -> TokenStream {
    let (vis, doc) = (
        &f.vis,
        format!("{doc}: `grad`, `value_and_grad`, `vjp`, `jvp`."),
    );
    let cfgs = f.attrs.iter().filter(|a| a.path().is_ident("cfg"));
    let cfgs: Vec<_> = cfgs.collect();
    quote! {
        #(#cfgs)*
        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code)]
        #[derive(Debug)]
        #vis enum #name {}
        #(#cfgs)*
        const _: () = { #items };
    }
}

/// Lets a function run its fused form. What the user wrote stays, for its types and errors.
fn run_fused(body: &mut syn::Block, fused: Option<TokenStream>) {
    if let Some(call) = fused {
        let stmt = quote!(if ::differentiable::__rt::FUSED { return #call; });
        body.stmts
            .insert(0, syn::Stmt::Expr(syn::Expr::Verbatim(stmt), None));
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

fn function_of(item: &mut ImplItem) -> Option<&mut syn::ImplItemFn> {
    match item {
        ImplItem::Fn(f) => Some(f),
        _ => None,
    }
}

fn impl_block(attr: TokenStream, mut i: ItemImpl) -> TokenStream {
    let cx = Ctxt::new();
    let mut options = Options::parse(attr, &cx);
    let of_trait = i.trait_.as_ref().map(|(path, _)| path.clone());
    if let Some(path) = of_trait.as_ref().filter(|p| operator_impl::is_operator(p)) {
        let options = match i.items.iter_mut().find_map(function_of) {
            Some(f) => options.of_function(&mut f.attrs, &cx),
            None => options,
        };
        let rule = operator_impl::expand(&i, path, &options, &cx);
        // Their errors are known by now.
        let functions = i.items.iter_mut().filter_map(function_of);
        functions.for_each(|f| checkpoint::strip(&mut f.block));
        let errors = cx.check();
        return quote!(#i #errors #rule);
    }
    let why = of_trait.as_ref().and_then(operator_impl::instead_of);
    if let (Some(path), Some(why)) = (&of_trait, why) {
        cx.error(path, why);
        let errors = cx.check();
        return quote!(#i #errors);
    }
    let within = match of_trait {
        Some(_) => Within::TraitImpl,
        None => Within::Type,
    };
    let generics = i.generics.clone();
    let siblings = Siblings::of(&i);
    let asked = options.higher_order.filter(|_| within == Within::Type);
    let before = cx.error_count();
    let over = asked.and_then(|_| higher::Block::new(&i, &options.marked, &cx));
    if cx.error_count() > before {
        options.higher_order = None;
    }
    let (mut all, mut all_over) = (TokenStream::new(), TokenStream::new());
    for item in &mut i.items {
        if let ImplItem::Fn(f) = item {
            if !take_skip(&mut f.attrs) {
                let options = options.of_function(&mut f.attrs, &cx);
                let Companions { items, fused, over } = companions(
                    &mut f.sig,
                    &f.vis,
                    Some(&mut f.block),
                    Kind::Associated,
                    Some(Members {
                        generics: &generics,
                        siblings: &siblings,
                        within,
                        scalar: over.as_ref().map(|b| &b.scalar),
                    }),
                    &options,
                    &cx,
                );
                run_fused(&mut f.block, fused);
                all.extend(items);
                all_over.extend(over);
            }
        }
    }
    let over = over.map(|b| b.items(all_over, &cx));
    let errors = cx.check();
    if within == Within::TraitImpl {
        // The companions are functions of the trait.
        i.items.push(ImplItem::Verbatim(all));
        return quote!(#i #errors);
    }
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let self_ty = &i.self_ty;
    quote! {
        #i
        #errors
        impl #impl_generics #self_ty #where_clause { #all }
        #over
    }
}

/// `#[differentiable] trait Shape { … }`: the companions are functions of the trait, which an
/// annotated `impl` of it defines.
fn trait_block(attr: TokenStream, mut t: syn::ItemTrait) -> TokenStream {
    let cx = Ctxt::new();
    let options = Options::parse(attr, &cx);
    let generics = t.generics.clone();
    let siblings = Siblings::of_trait(&t);
    let mut all = TokenStream::new();
    for item in &mut t.items {
        if let syn::TraitItem::Fn(f) = item {
            if !take_skip(&mut f.attrs) {
                let options = options.of_function(&mut f.attrs, &cx);
                let companions = companions(
                    &mut f.sig,
                    &Visibility::Inherited,
                    f.default.as_mut(),
                    Kind::Associated,
                    Some(Members {
                        generics: &generics,
                        siblings: &siblings,
                        within: Within::Trait,
                        scalar: None,
                    }),
                    &options,
                    &cx,
                );
                all.extend(companions.items);
            }
        }
    }
    let errors = cx.check();
    t.items.push(syn::TraitItem::Verbatim(all));
    quote!(#t #errors)
}

/// `#[no_grad]` on a method of an annotated block leaves it out.
fn take_skip(attrs: &mut Vec<syn::Attribute>) -> bool {
    let before = attrs.len();
    attrs.retain(|a| !a.path().is_ident("no_grad"));
    attrs.len() != before
}

/// What the functions of an `impl` block or a trait have in common.
#[derive(Clone, Copy)]
pub struct Members<'a> {
    generics: &'a Generics,
    siblings: &'a Siblings,
    within: Within,
    /// That of a type whose numbers are fixed, where derivatives of higher order are asked for.
    scalar: Option<&'a higher::Scalar>,
}

/// What stands beside a function.
#[derive(Default)]
pub struct Companions {
    pub items: TokenStream,
    /// A call that runs the function with its operations fused.
    fused: Option<TokenStream>,
    /// Of a method what its type has over any scalar, before the scalar is exchanged.
    over: TokenStream,
}

pub fn companions(
    sig: &mut Signature,
    vis: &Visibility,
    body: Option<&mut syn::Block>,
    kind: Kind,
    members: Option<Members<'_>>,
    options: &Options,
    cx: &Ctxt,
) -> Companions {
    let before = cx.error_count();
    let marked = body.map(|b| checkpoint::take_from_body(b, cx));
    if let Some(ty) = bare_trait_object(|v| v.visit_signature(sig)) {
        cx.error(ty, NEEDS_DYN);
        return Companions::default();
    }
    let params = signature::params(sig, options, cx);
    if cx.error_count() > before {
        // Companions of a signature that is refused would only add errors.
        return Companions::default();
    }
    let sig = &*sig;
    let [reverse_sig, boxed_sig, forward_sig] = [Mode::Reverse, Mode::Boxed, Mode::Forward]
        .map(|mode| functions::companion_signature(sig, &params, mode));
    let surface = Surface {
        sig: &reverse_sig,
        vis,
        kind,
        params: &params,
        outer: members.map(|m| m.generics),
        within: members.map_or(Within::Type, |m| m.within),
    };
    let forward_surface = Surface {
        sig: &forward_sig,
        ..surface
    };
    if params.len() != sig.inputs.len() {
        return Companions::default();
    }
    let refused = |cx: &Ctxt| cx.error_count() > before;
    let functions = || params.iter().filter(|p| p.function.is_some());
    if let Some(marked) = &marked {
        marked.check_functions(functions().filter_map(|p| p.ident.as_ref()), cx);
    }
    if let (Some(span), Some(_)) = (options.checkpoint, functions().next()) {
        cx.error_at(span, "a function with `#[checkpoint]` runs again when the functions that it was passed are not there any more: leave out `#[checkpoint]`, or put it on a function that is called here");
    }
    let Some(body) = marked.as_ref().map(|m| &m.body) else {
        if let Some(span) = options.checkpoint {
            cx.error_at(
                span,
                "`#[checkpoint]` says how a body is run: put it on the function in the `impl`",
            );
        }
        // A required function of a trait.
        let (vjp, jvp) = (
            surface.vjp_companion(None, &TokenStream::new(), true),
            forward_surface.jvp_companion(None, &TokenStream::new()),
        );
        let user = surface.user_functions(true);
        return Companions {
            items: quote!(#vjp #jvp #user),
            ..Companions::default()
        };
    };
    let scalar = match kind {
        Kind::Free => higher::scalar_of(sig, Some(body), options.higher_order, cx),
        Kind::Associated => members.and_then(|m| m.scalar.cloned()),
    };
    let asked = options.higher_order.is_some();
    let calls = RefCell::new(Calls::default());
    // The companions share the imports, unless names of the body stand in them.
    let inner_names = has_items(body);
    let mut rule = Rule::Open;
    let refused = refused(cx);
    let before = cx.error_count();
    let replaced = own_macros::replaced(body);
    let mut forward_func =
        Lower::new(cx, members.map(|m| m.siblings)).func(&params, &replaced, &sig.output);
    let stub = || Emitted {
        forward: TokenStream::new(),
        value: quote!(::core::unreachable!()),
        held: TokenStream::new(),
        reverse: TokenStream::new(),
    };
    let (mut report, mut value, mut over) = (None, None, None);
    let failed = || refused || cx.error_count() > before;
    if !failed() {
        types::spread(&mut forward_func);
        crate::hints::write(&mut forward_func);
        let scalar_only = scalar.is_some() && options.higher_order.is_some();
        if !scalar_only && !options.unfused && !cfg!(feature = "unfused") {
            fuse::fuse(&mut forward_func, &params);
        }
        activity::analyse(&mut forward_func);
        higher::refuse_operators(&forward_func, cx);
    }
    let (vjp, jvp, imports) = if failed() {
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
        let callees = Callees::default();
        let jvp = Jvp {
            f: &forward_func,
            callee: &|p, args| match forward_func.region(p) {
                Some(region) => region,
                None => callees.resolve(p, args),
            },
            method: &|name, args| callees.method(name, args),
        }
        .emit();
        let run = |plain: &ir::Func, needs: &Needs| {
            let plain = Vjp {
                f: plain,
                needs,
                callee: &|p, args| callees.resolve(p, args),
                method: &|name, args| callees.method(name, args),
            };
            plain.emit_value()
        };
        value = forward_func.plain().map(|f| run(&f, &Needs::none()));
        let float = matches!(scalar, Some(higher::Scalar::Float(_)));
        over = float.then(|| {
            let mut plain = forward_func.inactive();
            let vars = &forward_func.vars;
            higher::over_calls(&mut plain.body, vars, &|p, args| callees.resolve(p, args));
            run(&plain, &higher::keep_all(&plain))
        });
        let again = options.checkpoint.is_some();
        let first_run = again.then(|| run(&forward_func.inactive(), &Needs::none()));
        let mut func = forward_func;
        lengths::fix(&mut func);
        settle(&mut func);
        checkpoint::analyse(&mut func);
        let needs = needs::analyse(&func);
        // A pullback that holds one of its own kind has no size: it is handed out in a box. A method
        // of the same name may be another type's; then the box is not needed, and cheap.
        let resolve = |p: &syn::Path, args: usize| {
            if let Some(region) = func.region(p) {
                return region;
            }
            let own = p.segments.last().is_some_and(|s| s.ident == sig.ident);
            let in_scope = kind == Kind::Associated || p.segments.len() == 1;
            let callee = callees.resolve(p, args);
            let mut calls = calls.borrow_mut();
            match &callee.weight {
                _ if own && in_scope => calls.recursive = true,
                Some(weight) if !inner_names => calls.known.push(weight.clone()),
                _ => calls.unknown += 1,
            }
            callee
        };
        let method = |name: &syn::Ident, args: usize| {
            let mut calls = calls.borrow_mut();
            calls.recursive |= kind == Kind::Associated && *name == sig.ident;
            // What a parameter holds that is a function, its caller counts.
            calls.unknown += usize::from(!functions::is_own(name));
            callees.method(name, args);
        };
        let emitter = Vjp {
            f: &func,
            needs: &needs,
            callee: &resolve,
            method: &method,
        };
        let mut vjp = emitter.emit();
        if let Some(first_run) = first_run {
            vjp = emitter.run_again(vjp, first_run);
        }
        rule = surface.rule(&calls.borrow(), options.rule);
        let found = calls.take();
        report = options.explain.then(|| {
            Explain {
                vjp: &emitter,
                sig,
                body,
                params: &params,
                options,
                kind,
                rule,
            }
            .report()
        });
        calls.replace(found);
        let (imports, regions) = (callees.imports(float), func.region_items());
        (vjp, jvp, quote!(#imports #regions))
    };
    let (outer, inner) = match kind == Kind::Free && !inner_names {
        true => (imports, TokenStream::new()),
        false => (TokenStream::new(), imports),
    };
    let calls = calls.into_inner();
    let weight = surface.weight(rule, &calls);
    let surface = Surface {
        sig: if rule == Rule::Boxed {
            &boxed_sig
        } else {
            &reverse_sig
        },
        ..surface
    };
    let mut vjp = surface.vjp_companion(Some(&vjp), &inner, rule == Rule::Open);
    if rule != Rule::Open {
        vjp.extend(surface.closed_companion(rule, &calls, &inner));
    }
    let jvp = forward_surface.jvp_companion(Some(&jvp), &inner);
    let value = value.and_then(|e| surface.value_companion(&e, &inner));
    let (value, fused) = value.unzip();
    let mut user = match surface.within {
        // The trait has them for all types.
        Within::TraitImpl => TokenStream::new(),
        _ => surface.user_functions(!asked || scalar.is_none() || kind == Kind::Associated),
    };
    if options.explain {
        let owner = members.and_then(|m| m.siblings.ty.as_ref());
        user.extend(explain::deliver(
            report,
            owner,
            &surface,
            &quote!(#outer #vjp #jvp),
            cx,
        ));
    }
    if let (Kind::Associated, Some(span)) = (kind, options.higher_order) {
        user.extend(surface.method_of_higher_order(scalar.as_ref(), span, cx));
    }
    let of_type = match (kind, &over) {
        (Kind::Associated, Some(over)) => {
            let itself = surface.over_method(over, &inner);
            quote!(#itself #vjp #jvp)
        }
        _ => TokenStream::new(),
    };
    let items = match kind {
        Kind::Associated => quote!(#value #vjp #jvp #user),
        Kind::Free => {
            let name = &sig.ident;
            let function = surface.function_trait(Caller::Helpers);
            let item = surface.item_companions(&forward_surface);
            let over = match over {
                Some(over) => surface.over_companion(&over, &inner),
                None => surface.over_itself(),
            };
            let higher = scalar.map(|scalar| {
                let emitted = higher::Emitted {
                    companions: &quote!(#vjp #jvp #item),
                    over: &over,
                };
                let higher = Higher {
                    surface: &surface,
                    scalar: &scalar,
                    body,
                    marked: &options.marked,
                    cx,
                    tensors: [surface.sig.to_token_stream(), over.clone()]
                        .iter()
                        .any(|code| higher::of_tensors(code, &options.marked)),
                };
                higher.items(&emitted, asked)
            });
            quote! {
                #outer
                impl #name { #weight #value #vjp #jvp #user #item }
                #function
                #higher
            }
        }
    };
    Companions {
        items,
        fused,
        over: of_type,
    }
}

/// Whether the body declares or imports names.
fn has_items(body: &syn::Block) -> bool {
    struct V(bool);
    impl<'a> Visit<'a> for V {
        fn visit_item(&mut self, _: &'a Item) {
            self.0 = true;
        }
    }
    let mut v = V(false);
    v.visit_block(body);
    v.0
}
