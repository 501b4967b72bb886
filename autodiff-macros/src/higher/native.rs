//! Calls that stand in emitted code as the user wrote them: no derivative of their value is asked, since it decides,
//! is held constant or is no number.
//!
//! The function may be one of `f64`, or one that takes any scalar; its path does not tell. See
//! `autodiff-core/src/ad/higher/native.rs` for what is emitted.

use super::forms::{is_ours, simple_name};
use super::generic::Exchange;
use crate::syntax;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{Expr, Lit};

/// Names in the body of a companion.
#[derive(Debug, Default)]
pub struct Locals {
    /// Parameters and closures: those that are called take the scalar.
    called: HashSet<String>,
    /// Integers of which nothing here says the type: nothing may be asked of it before the call says it.
    integers: HashSet<String>,
}

impl<'a> Visit<'a> for Locals {
    fn visit_fn_arg(&mut self, arg: &'a syn::FnArg) {
        if let syn::FnArg::Typed(t) = arg {
            self.called.extend(simple_name(&t.pat));
        }
    }
    fn visit_local(&mut self, l: &'a syn::Local) {
        visit::visit_local(self, l);
        let Some((name, init)) = simple_name(&l.pat).zip(l.init.as_ref()) else {
            return;
        };
        match &*init.expr {
            Expr::Closure(_) => {
                self.called.insert(name);
            }
            e if self.is_discrete(e) => {
                self.integers.insert(name);
            }
            _ => {}
        }
    }
    fn visit_expr_for_loop(&mut self, l: &'a syn::ExprForLoop) {
        if let (Some(name), Expr::Range(_)) = (simple_name(&l.pat), without_parens(&l.expr)) {
            self.integers.insert(name);
        }
        visit::visit_expr_for_loop(self, l);
    }
}

impl Locals {
    /// Whether an expression surely has no scalars.
    fn is_discrete(&self, e: &Expr) -> bool {
        match e {
            Expr::Lit(l) => match &l.lit {
                Lit::Int(i) => !i.suffix().starts_with('f'),
                other => !matches!(other, Lit::Float(_)),
            },
            Expr::Path(p) => p
                .path
                .get_ident()
                .is_some_and(|i| self.integers.contains(&i.to_string())),
            Expr::Paren(p) => self.is_discrete(&p.expr),
            Expr::Unary(u) => self.is_discrete(&u.expr),
            Expr::Binary(b) => self.is_discrete(&b.left) && self.is_discrete(&b.right),
            Expr::Cast(c) => syntax::ty_of(&c.ty).is_discrete(),
            Expr::MethodCall(m) => m.method == "len",
            _ => false,
        }
    }
}

fn without_parens(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => without_parens(&p.expr),
        _ => e,
    }
}

/// Whether a call of such a path may be one of a function of floats.
fn may_be_native(path: &syn::Path) -> bool {
    const OWNERS: &[&str] = &["std", "core", "alloc", "str", "char", "bool"];
    let names = syntax::segments(path);
    let number = |n: &String| {
        let bits = n.trim_start_matches(['i', 'u', 'f']);
        bits.len() + 1 == n.len() && (bits == "size" || bits.parse::<u8>().is_ok())
    };
    let owners = names.len() - 1;
    // What is emitted calls companions; `g::__along` is what the user's `g::jvp` became.
    let ours = |n: &String| n.starts_with("__") && n != "__along";
    !names.iter().any(ours)
        && !OWNERS.contains(&names[0].as_str())
        && !names.iter().any(|n| n.starts_with(char::is_uppercase))
        && !names[..owners].iter().any(number)
}

impl Exchange<'_> {
    /// `far(x)`: over the scalar if `far` takes it, or of its number.
    pub fn native_call(&mut self, c: &mut syn::ExprCall) -> Option<TokenStream> {
        let Expr::Path(p) = &mut *c.func else {
            return None;
        };
        let local = |i: &syn::Ident| self.locals.called.contains(&i.to_string());
        if p.path.get_ident().is_some_and(local) || !may_be_native(&p.path) {
            return None;
        }
        if is_ours(&Expr::Path(p.clone())) {
            return None;
        }
        self.visit_path_mut(&mut p.path);
        let ad = quote!(::differentiable::__rt);
        let native = quote!(#ad::native);
        let discrete: Vec<bool> = c.args.iter().map(|a| self.locals.is_discrete(a)).collect();
        // What is changed is not copied, and a closure knows its types from the function.
        let as_written = c.args.iter().any(|a| {
            matches!(a, Expr::Closure(_))
                || matches!(a, Expr::Reference(r) if r.mutability.is_some())
        });
        c.args.iter_mut().for_each(|a| self.visit_expr_mut(a));
        let (path, args, span) = (&p.path, &c.args, p.span());
        if as_written || discrete.iter().all(|d| *d) {
            let value = quote_spanned!(span=> #path(#args));
            return Some(quote!(#native::Value::<AnyScalar, _>::new(#value).over()));
        }
        let float = syn::Ident::new(self.float, span);
        let given = discrete.iter().enumerate().map(|(i, discrete)| {
            let i = syn::Index::from(i);
            match discrete {
                true => quote!(__args.#i),
                false => {
                    quote!(#native::Argument::<_, #float, _>::new(__way, __args.#i).hold().give())
                }
            }
        });
        let value = quote_spanned!(span=> __function(#(#given),*));
        Some(quote! {
            match (&#path, (#args,)) {
                (__function, __args) => match #native::Call::of(__function, &__args).way() {
                    __way => #native::Value::<AnyScalar, _>::new(#value).over(),
                }
            }
        })
    }
}
