//! Calls that stand in emitted code as the user wrote them: no derivative of their value is asked, since it decides,
//! is held constant or is no number.
//!
//! The function may be one of `f64`, or one that takes any scalar; its path does not tell. See
//! `autodiff-core/src/ad/higher/native.rs` for what is emitted.

use super::forms::{is_ours, path_name};
use super::generic::Exchange;
use crate::syntax;
use crate::syntax::simple_name;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{Expr, Lit};

/// Names in the body of a companion.
#[derive(Debug, Default)]
pub struct Locals {
    /// All of them: one that is called takes the scalar.
    bound: HashSet<String>,
    /// Those that are also functions: `let energy = energy(x);`.
    functions: HashSet<String>,
    /// Those that are no scalars: integers, of which often nothing but the call says the type, so that nothing may be
    /// asked of it before.
    integers: HashSet<String>,
}

impl<'a> Visit<'a> for Locals {
    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        self.bound.insert(p.ident.to_string());
        visit::visit_pat_ident(self, p);
    }
    fn visit_fn_arg(&mut self, arg: &'a syn::FnArg) {
        if let syn::FnArg::Typed(t) = arg {
            let discrete = |_: &String| syntax::ty_of(&t.ty).is_discrete();
            self.integers.extend(simple_name(&t.pat).filter(discrete));
        }
        visit::visit_fn_arg(self, arg);
    }
    fn visit_local(&mut self, l: &'a syn::Local) {
        // The names of modes are ours: a function of the user's may be called `m0`.
        let modes = |init: &syn::LocalInit| path_name(&init.expr).is_some_and(|n| n == "__modes");
        if l.init.as_ref().is_some_and(modes) {
            return;
        }
        visit::visit_local(self, l);
        let Some(init) = &l.init else { return };
        let mut own = Locals::default();
        own.visit_pat(&l.pat);
        let mut called = Called(own.bound, HashSet::new());
        called.visit_expr(&init.expr);
        self.functions.extend(called.1);
        if let Some(name) = simple_name(&l.pat).filter(|_| self.is_discrete(&init.expr)) {
            self.integers.insert(name);
        }
    }
    fn visit_expr_for_loop(&mut self, l: &'a syn::ExprForLoop) {
        if let (Some(name), Expr::Range(_)) = (simple_name(&l.pat), without_parens(&l.expr)) {
            self.integers.insert(name);
        }
        visit::visit_expr_for_loop(self, l);
    }
}

/// Which of some names are called.
struct Called(HashSet<String>, HashSet<String>);

impl<'a> Visit<'a> for Called {
    fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
        if let Some(name) = path_name(&c.func).filter(|n| self.0.contains(n)) {
            self.1.insert(name);
        }
        visit::visit_expr_call(self, c);
    }
}

impl Locals {
    /// Whether a name is one of a variable.
    pub fn is_variable(&self, name: &str) -> bool {
        self.bound.contains(name)
    }

    /// Whether a name is one of an integer.
    pub fn is_integer(&self, name: &str) -> bool {
        self.integers.contains(name)
    }

    /// Whether a name may be one of a scalar.
    fn may_be_scalar(&self, name: &Ident) -> bool {
        let name = name.to_string();
        name == "self" || self.bound.contains(&name) && !self.integers.contains(&name)
    }

    /// Whether an argument stays as the user wrote it: no variable in it may be a scalar. One number is a scalar where
    /// the function takes them.
    fn stays(&self, e: &Expr) -> bool {
        let mut variables = Variables::default();
        variables.visit_expr(e);
        !is_number(e) && !variables.all.iter().any(|i| self.may_be_scalar(i))
    }

    /// Whether a literal has integers only: it may be of any type, also one that has no forms over scalars.
    pub fn are_discrete<'e>(&self, values: impl Iterator<Item = &'e Expr>) -> bool {
        let mut values = values.peekable();
        values.peek().is_some() && values.all(|v| self.is_discrete(v))
    }

    /// Whether an expression surely has no scalars.
    pub fn is_discrete(&self, e: &Expr) -> bool {
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

fn is_number(e: &Expr) -> bool {
    match e {
        Expr::Lit(_) => true,
        Expr::Unary(u) => is_number(&u.expr),
        _ => false,
    }
}

/// Whether a call of such a path may be one of a function of floats.
fn may_be_native(path: &syn::Path) -> bool {
    // The modules of the standard library too, as they are when imported.
    const OWNERS: &[&str] = &[
        "alloc", "array", "bool", "char", "cmp", "core", "iter", "mem", "std", "str",
    ];
    let names = syntax::segments(path);
    let number = |n: &String| {
        let bits = n.trim_start_matches(['i', 'u', 'f']);
        bits.len() + 1 == n.len() && (bits == "size" || bits.parse::<u8>().is_ok())
    };
    let owners = names.len() - 1;
    // What is emitted calls companions; `g::__along` and the like are what the user's `g::jvp` became.
    let ours = |n: &String| n.starts_with("__") && !super::IN_KEPT_CODE.contains(&n.as_str());
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
        let variable = |i: &Ident| {
            let name = i.to_string();
            self.locals.is_variable(&name) && !self.locals.functions.contains(&name)
        };
        if p.path.get_ident().is_some_and(variable)
            || !may_be_native(&p.path)
            || is_ours(&Expr::Path(p.clone()))
        {
            return None;
        }
        // The scalar stands where the user wrote `pick::<f64>`.
        let types = |s: &syn::PathSegment| match &s.arguments {
            syn::PathArguments::AngleBracketed(a) => {
                let mut types = a.args.iter();
                types.any(|a| matches!(a, syn::GenericArgument::Type(_)))
            }
            _ => false,
        };
        if p.path.segments.iter().any(types) {
            return None;
        }
        self.visit_path_mut(&mut p.path);
        let args = || c.args.iter();
        if args().any(|a| matches!(a, Expr::Closure(_))) {
            return self.call_with_closure(c);
        }
        // What is changed is not copied, and what goes with it is of its type.
        let changes = args().any(|a| matches!(a, Expr::Reference(r) if r.mutability.is_some()));
        // A constant stays as it is.
        let constant = |a: &Expr| match a {
            Expr::Reference(r) => self.names.is_part(&r.expr),
            a => path_name(a).is_some_and(|n| self.names.contains(&n)),
        };
        let stays = args().map(|a| !changes && (self.locals.stays(a) || constant(a)));
        let stays: Vec<bool> = stays.collect();
        let exchanged: Vec<bool> = args()
            .zip(&stays)
            .map(|(a, stays)| !stays && !self.locals.is_discrete(a))
            .collect();
        let visited = c.args.iter_mut().zip(&stays).filter(|(_, stays)| !**stays);
        visited.for_each(|(a, _)| self.visit_expr_mut(a));
        let args: Vec<&Expr> = c.args.iter().collect();
        let (path, span) = (&p.path, Span::call_site().located_at(p.span()));
        if changes || !exchanged.contains(&true) {
            return Some(over(&quote_spanned!(span=> #path(#(#args),*))));
        }
        let float = Ident::new(self.float, span);
        let given = exchanged.iter().enumerate().map(|(i, exchanged)| {
            let i = syn::Index::from(i);
            match exchanged {
                true => quote!(__way.exchange(__args.#i).hold().give()),
                false => quote!(__args.#i),
            }
        });
        let value = over(&quote_spanned!(span=> __function(#(#given),*)));
        let call = quote!(::differentiable::__rt::native::Call::<#float, _, _>);
        // In parentheses: `match .. {} < 3.0` is none at the start of a statement.
        Some(quote! {
            (match (&#path, (#(#args,)*)) {
                (__function, __args) => match #call::of(__function, &__args).way() {
                    __way => #value,
                }
            })
        })
    }

    /// `bisect(|t| t * t - x, 0.0, 1.0)`: of numbers, unless it changes a variable.
    fn call_with_closure(&mut self, c: &syn::ExprCall) -> Option<TokenStream> {
        let mut variables = Variables::default();
        variables.visit_expr_call(c);
        let named = |i: &&Ident| {
            *i != "self"
                && self.locals.may_be_scalar(i)
                && !variables.bound.contains(&i.to_string())
        };
        let named: Vec<&Ident> = variables.all.iter().filter(named).collect();
        if named
            .iter()
            .any(|i| variables.changed.contains(&i.to_string()))
        {
            return None;
        }
        let native = quote!(::differentiable::__rt::native);
        let float = Ident::new(self.float, c.func.span());
        let value = over(&quote!(#c));
        Some(quote! {
            ({
                #(
                    let #named = #native::Named::<#float, _>::new(&#named).hold();
                    let #named = #named.give();
                )*
                let __value = #value;
                __value
            })
        })
    }
}

/// A value of a function: scalars in the place of floats.
fn over(value: &TokenStream) -> TokenStream {
    let ad = quote!(::differentiable::__rt);
    quote!(#ad::native::Way::<#ad::ToScalars<AnyScalar>>::new().exchange(#value).hold().read())
}

/// The variables in an expression.
#[derive(Default)]
struct Variables {
    all: Vec<Ident>,
    bound: HashSet<String>,
    changed: HashSet<String>,
}

impl Variables {
    fn add(&mut self, i: &Ident) {
        if !self.all.contains(i) {
            self.all.push(i.clone());
        }
    }
    fn tokens(&mut self, tokens: TokenStream) {
        for t in tokens {
            match t {
                TokenTree::Ident(i) => self.add(&i),
                TokenTree::Group(g) => self.tokens(g.stream()),
                _ => {}
            }
        }
    }
}

impl<'a> Visit<'a> for Variables {
    fn visit_expr_path(&mut self, p: &'a syn::ExprPath) {
        if let Some(i) = p.path.get_ident() {
            self.add(i);
        } else if p.path.segments[0].ident == "Self" {
            self.add(&Ident::new("self", p.path.span()));
        }
    }
    fn visit_macro(&mut self, m: &'a syn::Macro) {
        self.tokens(m.tokens.clone());
    }
    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        self.bound.insert(p.ident.to_string());
        visit::visit_pat_ident(self, p);
    }
    fn visit_expr_reference(&mut self, r: &'a syn::ExprReference) {
        if r.mutability.is_some() {
            self.changed.extend(syntax::root_name(&r.expr));
        }
        visit::visit_expr_reference(self, r);
    }
    fn visit_expr_assign(&mut self, a: &'a syn::ExprAssign) {
        self.changed.extend(syntax::root_name(&a.left));
        visit::visit_expr_assign(self, a);
    }
    fn visit_expr_binary(&mut self, b: &'a syn::ExprBinary) {
        if syntax::is_assign_op(&b.op) {
            self.changed.extend(syntax::root_name(&b.left));
        }
        visit::visit_expr_binary(self, b);
    }
}
