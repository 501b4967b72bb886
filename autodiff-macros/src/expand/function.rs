//! What stands beside a function: the steps from its signature and body to its companions.

use crate::emit::jvp::Jvp;
use crate::emit::vjp::{Emitted, Vjp};
use crate::explain::{self, Explain};
use crate::higher::{self, Higher};
use crate::input::ctxt::Ctxt;
use crate::input::functions::{self, Mode};
use crate::input::options::Options;
use crate::input::own_macros;
use crate::input::plain::{self};
use crate::input::rule::Rule;
use crate::input::signature::{self, ParamDecl};
use crate::input::well_formed::{bare_trait_object, NEEDS_DYN};
use crate::ir;
use crate::items::callees::Callees;
use crate::items::checked::{self, Checked};
use crate::items::function_trait::Caller;
use crate::items::{Calls, Kind, Surface, Within};
use crate::lower::{Lower, Siblings};
use crate::passes::activity;
use crate::passes::checkpoint;
use crate::passes::fuse;
use crate::passes::lengths;
use crate::passes::needs::{self, Needs};
use crate::passes::settle::settle;
use crate::passes::types;
use crate::rewrite::choices;
use crate::rewrite::local_items;
use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use std::cell::RefCell;
use syn::visit::Visit;
use syn::{Generics, Item, Signature, Visibility};

/// What the functions of an `impl` block or a trait have in common.
#[derive(Clone, Copy)]
pub struct Members<'a> {
    pub generics: &'a Generics,
    pub siblings: &'a Siblings,
    pub within: Within,
    /// The type of an `impl` block.
    pub ty: Option<&'a syn::Type>,
    /// The trait of an `impl` of one.
    pub of_trait: Option<&'a syn::Path>,
    /// That of a type whose numbers are fixed, where derivatives of higher order are asked for.
    pub scalar: Option<&'a higher::Scalar>,
}

/// What stands beside a function.
#[derive(Default)]
pub struct Companions {
    pub items: TokenStream,
    /// A call that runs the function with its operations fused.
    pub fused: Option<TokenStream>,
    /// Of a method what its type has over any scalar, before the scalar is exchanged.
    pub over: TokenStream,
    /// What stands beside the function, or beside the block of a method.
    pub beside: TokenStream,
    /// What stands in the module of the function, by its name.
    pub in_module: TokenStream,
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
    // The function itself stays as it is written, but for attributes of ours.
    let (mut plain_sig, written_sig) = (sig.clone(), sig);
    let mut plain_body = body.as_deref().cloned();
    let sig = &mut plain_sig;
    let renaming = plain::function(sig, plain_body.as_mut(), cx);
    let options = &options.renamed(&renaming);
    let mut body = body;
    if let Some(body) = body.as_deref_mut() {
        strip_ours(body);
    }
    let marked = plain_body
        .as_mut()
        .map(|b| crate::input::checkpoint::take_from_body(b, cx));
    if let Some(ty) = bare_trait_object(|v| v.visit_signature(sig)) {
        cx.error(ty, NEEDS_DYN);
        return Companions::default();
    }
    signature::strip(written_sig);
    let params = signature::params(sig, options, cx);
    if cx.error_count() > before {
        // Companions of a signature that is refused would only add errors.
        return Companions::default();
    }
    let of = members.map(|m| checked::Of {
        generics: m.generics,
        ty: m.ty,
        of_trait: m.of_trait,
    });
    let alone = kind == Kind::Associated && members.is_none();
    let higher = options.higher_order.is_some();
    let checked = match alone {
        true => None,
        false => Checked::new(sig, written_sig, body.as_deref(), &params, of, higher, cx),
    };
    let shown = match &checked {
        Some(checked) => checked.params(&params),
        None => params.clone(),
    };
    let sig = &*sig;
    let [reverse_sig, boxed_sig, forward_sig] = [Mode::Reverse, Mode::Boxed, Mode::Forward]
        .map(|mode| functions::companion_signature(sig, &params, mode));
    let surface = Surface {
        sig: &reverse_sig,
        vis,
        kind,
        params: &shown,
        outer: members.map(|m| m.generics),
        of_trait: members.and_then(|m| m.of_trait),
        within: members.map_or(Within::Type, |m| m.within),
        checked: checked.as_ref(),
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
    let mut rule = Rule::Open;
    let refused = refused(cx);
    let before = cx.error_count();
    let names_of = |p: &ParamDecl| p.ident.as_ref().map(ToString::to_string);
    let mut replaced = choices::written_out(
        &own_macros::replaced(body),
        functions().filter_map(names_of).collect(),
        params.iter().filter_map(names_of).collect(),
        cx,
    );
    let within = match options.higher_order {
        Some(_) => quote!(higher_order),
        None => TokenStream::new(),
    };
    let items = local_items::taken(&mut replaced, &|f| super::expand(within.clone(), f));
    let beside = match kind {
        Kind::Free => local_items::beside(&items),
        Kind::Associated => {
            local_items::put_back(&mut replaced, items);
            TokenStream::new()
        }
    };
    // The companions share the imports, unless names of the body stand in them.
    let inner_names = has_items(&replaced);
    let mut forward_func =
        Lower::new(cx, members.map(|m| m.siblings)).func(&params, &replaced, &sig.output);
    let stub = || Emitted {
        forward: TokenStream::new(),
        value: quote!(::core::unreachable!()),
        held: TokenStream::new(),
        reverse: TokenStream::new(),
    };
    let (mut report, mut value, mut over, mut vjp_over) = (None, None, None, None);
    let failed = || refused || cx.error_count() > before;
    if !failed() {
        types::spread(&mut forward_func);
        crate::passes::hints::write(&mut forward_func);
        let scalar_only = scalar.is_some() && options.higher_order.is_some();
        let off = match (options.unfused, cfg!(feature = "unfused")) {
            (true, _) => Some("`unfused` turns regions off"),
            (_, true) => Some("the feature `unfused` turns regions off"),
            _ => None,
        };
        if !scalar_only && off.is_none() {
            fuse::fuse(&mut forward_func, &params);
        }
        if options.explain && !scalar_only {
            fuse::find_apart(&mut forward_func, &params, off);
        }
        crate::passes::likes::write(&mut forward_func);
        activity::analyse(&mut forward_func);
        crate::passes::operators::refuse_operators(&forward_func, cx);
    }
    // A constant whose methods have companions is a value of a type with a derivative.
    let carried = crate::items::callees::called_parameters(&forward_func, &params, &sig.generics);
    let [reverse_sig, boxed_sig, forward_sig] =
        [reverse_sig.clone(), boxed_sig, forward_sig.clone()]
            .map(|sig| crate::items::callees::with_derivatives(sig, &carried));
    let surface = Surface {
        sig: &reverse_sig,
        ..surface
    };
    let forward_surface = Surface {
        sig: &forward_sig,
        ..surface
    };
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
        let own = [&sig.generics].into_iter();
        let all: Vec<_> = own.chain(members.map(|m| m.generics)).collect();
        let callees = Callees::of(&forward_func, &params, &all);
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
            let emitter = Vjp {
                f: plain,
                needs,
                callee: &|p, args| match plain.region(p) {
                    Some(region) => region,
                    None => callees.resolve(p, args),
                },
                method: &|name, args| callees.method(name, args),
                over: false,
            };
            emitter.emit_value()
        };
        value = forward_func.plain().map(|f| run(&f, &Needs::none()));
        let float = matches!(scalar, Some(higher::Scalar::Float(_)));
        let plain_over = || {
            let mut plain = forward_func.inactive();
            let vars = &forward_func.vars;
            crate::passes::over_scalar::over_calls(&mut plain.body, vars, &|p, args| {
                callees.resolve(p, args)
            });
            plain
        };
        over = float.then(|| {
            let plain = plain_over();
            run(&plain, &crate::passes::over_scalar::keep_all(&plain))
        });
        let again = options.checkpoint.is_some();
        let first_run = again.then(|| run(&forward_func.inactive(), &Needs::none()));
        let first_run_over = (again && float).then(|| run(&plain_over(), &Needs::none()));
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
            over: false,
        };
        let emit = |emitter: &Vjp<'_>, first_run| match first_run {
            Some(first_run) => emitter.run_again(emitter.emit(), first_run),
            None => emitter.emit(),
        };
        let vjp = emit(&emitter, first_run);
        // What is run again calls other functions than the code for floats does.
        vjp_over = (float && (again || crate::input::checkpoint::marks(body))).then(|| {
            let emitter = Vjp {
                callee: &|p, args| match func.region(p) {
                    Some(region) => region,
                    None => callees.resolve(p, args),
                },
                method: &|name, args| callees.method(name, args),
                over: true,
                ..emitter
            };
            emit(&emitter, first_run_over)
        });
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
        let (imports, regions) = (
            callees.imports(float, checked.as_ref()),
            func.region_items(),
        );
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
    let (vjp, vjp_over, jvp, value) = match &checked {
        Some(checked) => (
            checked.reverse(&vjp, &params),
            vjp_over.map(|e| checked.reverse(&e, &params)),
            checked.forward(&jvp, &params),
            value.map(|e| checked.value(&e, &params)),
        ),
        None => (vjp, vjp_over, jvp, value),
    };
    let reverse = |vjp: &Emitted| {
        let mut items = surface.vjp_companion(Some(vjp), &inner, rule == Rule::Open);
        if rule != Rule::Open {
            items.extend(surface.closed_companion(rule, &calls, &inner));
        }
        items
    };
    let vjp_over = vjp_over.as_ref().map(reverse);
    let vjp = reverse(&vjp);
    let vjp_over = vjp_over.as_ref().unwrap_or(&vjp);
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
            quote!(#itself #vjp_over #jvp)
        }
        _ => TokenStream::new(),
    };
    let mut like_operator = TokenStream::new();
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
            if scalar.is_none() {
                like_operator = higher::like_operator(&surface, None);
            }
            let higher = scalar.map(|scalar| {
                let emitted = higher::Emitted {
                    companions: &quote!(#vjp_over #jvp #item),
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
                like_operator = higher::like_operator(&surface, Some(&higher));
                higher.items(&emitted, asked)
            });
            quote! {
                #beside
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
        beside: checked.map(|c| c.item()).unwrap_or_default(),
        in_module: like_operator,
    }
}

/// Takes attributes of ours from a body that the compiler gets.
pub fn strip_ours(body: &mut syn::Block) {
    plain::attributes::strip_ours(body);
    crate::input::checkpoint::strip(body);
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
