//! Constant arguments that are not written over the scalar: see `autodiff-core/src/ad/higher/unlifted.rs`.
//!
//! A companion takes such a slice of any numbers `__Base` that its scalar extends, and what it reads of it becomes the
//! scalar there:
//!
//! | emitted | with `points` as it is |
//! |---|---|
//! | `points: &[f64]` | `points: &[__Base]` |
//! | `points[i] * x`, `&points[i]` | `ad::known(points[i]) * x`, `&ad::known(points[i])` |
//! | `let row = &points[a..b];`, `points.len()` | as it stands |
//!
//! An argument that is used in any other way is written over the scalar, as those that have a gradient are.

mod products;

use super::forms::{each_index, is_ours, is_push, is_window, path_name};
use super::Higher;
use crate::input::signature::ParamDecl;
use crate::items::unlifted::{Base, Shape};
use crate::items::Surface;
use crate::syntax;
use crate::syntax::simple_name;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned, ToTokens};
use std::collections::{HashMap, HashSet};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ImplItem, Pat, Token};

impl Higher<'_> {
    /// The parameters, with those marked that can stay as they are: in the companions, which are emitted for `f64`,
    /// they have numbers of type `__Base`.
    pub fn unlifted(&self, companions: &mut Vec<ImplItem>, float: &str) -> Vec<ParamDecl> {
        let surface = self.surface;
        let generic = surface.sig.generics.params.iter().next().is_some();
        let candidate = |p: &ParamDecl| {
            let lent = p.constant && !p.discrete && p.by_ref && !p.by_mut && p.function.is_none();
            let shape = Shape::of(p.value_ty().filter(|_| lent && !generic)?, float)?;
            let name = p.ident.as_ref()?.to_string();
            // Tangents have such names.
            let taken = surface.params.iter().any(|p| {
                p.ident.as_ref().is_some_and(|other| {
                    *other == format!("t_{name}") || name == format!("t_{other}")
                })
            });
            (shape != Shape::Number && !taken).then_some((name, shape))
        };
        let mut found: HashMap<String, Shape> =
            surface.params.iter().filter_map(candidate).collect();
        while !found.is_empty() {
            let mut items = companions.clone();
            let mut lost = HashSet::new();
            for item in &mut items {
                if let ImplItem::Fn(f) = item {
                    lost.extend(Reader::new(surface, &found).companion(f));
                }
            }
            if lost.is_empty() {
                *companions = items;
                break;
            }
            found.retain(|name, _| !lost.contains(name));
        }
        let mut params = surface.params.to_vec();
        for p in &mut params {
            p.unlifted = is_one_of(p, &found);
        }
        params
    }
}

/// Whether a parameter has one of these names.
fn is_one_of(p: &ParamDecl, names: &HashMap<String, Shape>) -> bool {
    let name = p.ident.as_ref().map(ToString::to_string);
    name.is_some_and(|n| names.contains_key(&n))
}

/// What declares the numbers of constant arguments: a parameter, and what it must be.
pub fn declared(generics: &mut syn::Generics) {
    generics
        .params
        .push(syn::parse_quote!(__Base: ::differentiable::__rt::Scalar));
    let clause = generics.make_where_clause();
    clause
        .predicates
        .push(syn::parse_quote!(AnyScalar: ::differentiable::__rt::Extends<__Base>));
}

/// Reads numbers of constant arguments where a companion does.
struct Reader<'a> {
    surface: &'a Surface<'a>,
    params: &'a HashMap<String, Shape>,
    /// The arguments, and what borrows a part of them: with the argument and the shape of the part.
    borrowed: HashMap<String, (String, Shape)>,
    /// Variables that borrow a number that was read, with the argument.
    numbers: HashMap<String, String>,
    /// Variables on a tape that borrow, by tape and name.
    kept: HashMap<(String, String), (String, Shape)>,
    /// Variables that may be no integers.
    ranges: HashSet<String>,
    /// Arguments that are used in another way.
    lost: HashSet<String>,
}

impl<'a> Reader<'a> {
    fn new(surface: &'a Surface<'a>, params: &'a HashMap<String, Shape>) -> Self {
        let range = |p: &&ParamDecl| {
            let ty = p.ty.as_ref().map(|t| t.to_token_stream().to_string());
            ty.is_some_and(|t| t.contains("Range"))
        };
        let ranges = surface.params.iter().filter(range);
        let ranges = ranges.filter_map(|p| Some(p.ident.as_ref()?.to_string()));
        let borrowed = params.iter();
        let borrowed = borrowed.map(|(name, shape)| (name.clone(), (name.clone(), shape.clone())));
        Reader {
            surface,
            params,
            borrowed: borrowed.collect(),
            numbers: HashMap::new(),
            kept: HashMap::new(),
            ranges: ranges.collect(),
            lost: HashSet::new(),
        }
    }

    /// The companion with the arguments as they are; those for which that is not possible are returned.
    fn companion(&mut self, f: &mut syn::ImplItemFn) -> HashSet<String> {
        let takes = |arg: &syn::FnArg| named(arg).is_some_and(|n| self.params.contains_key(&n));
        if !f.sig.inputs.iter().any(takes) {
            return HashSet::new();
        }
        self.visit_block_mut(&mut f.block);
        for arg in &mut f.sig.inputs {
            let name = named(arg).unwrap_or_default();
            let of = name.strip_prefix("t_").unwrap_or(&name);
            if self.params.contains_key(of) || self.params.contains_key(&name) {
                Base.visit_fn_arg_mut(arg);
            }
        }
        let mut pullback = Pullback {
            numbers: self.inputs(),
            inputs: 1
                + self.surface.params.iter().filter(|p| p.by_ref).count()
                + self.surface.params.len(),
        };
        pullback.visit_return_type_mut(&mut f.sig.output);
        pullback.visit_block_mut(&mut f.block);
        declared(&mut f.sig.generics);
        std::mem::take(&mut self.lost)
    }

    /// Which inputs of the pullback belong to the arguments: after the cotangent come references, then accumulators.
    fn inputs(&self) -> HashSet<usize> {
        let references = self.surface.params.iter().filter(|p| p.by_ref);
        let inputs = references.chain(self.surface.params).enumerate();
        inputs
            .filter(|(_, p)| is_one_of(p, self.params))
            .map(|(i, _)| 1 + i)
            .collect()
    }

    /// Visits what has variables of its own.
    fn inside(&mut self, visit: impl FnOnce(&mut Self)) {
        let outside = self.borrowed.clone();
        visit(self);
        self.borrowed = outside;
    }

    /// What an expression is a place in.
    fn place(&self, e: &Expr) -> Option<(String, Shape)> {
        match e {
            Expr::Path(_) => self.borrowed.get(&path_name(e)?).cloned(),
            Expr::Paren(p) => self.place(&p.expr),
            Expr::Group(g) => self.place(&g.expr),
            Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.place(&u.expr),
            Expr::Index(i) => {
                let (root, shape) = self.place(&i.expr)?;
                let (Shape::Array(entry) | Shape::Slice(entry)) = shape else {
                    return None;
                };
                match self.index(&i.index)? {
                    Index::Number => Some((root, *entry)),
                    Index::Range => Some((root, Shape::Slice(entry))),
                }
            }
            Expr::Field(f) => {
                let (root, shape) = self.place(&f.base)?;
                match (&f.member, shape) {
                    (syn::Member::Unnamed(i), Shape::Tuple(parts)) => {
                        Some((root, parts.get(i.index as usize)?.clone()))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// What an index is, as far as its form tells.
    fn index(&self, e: &Expr) -> Option<Index> {
        match e {
            Expr::Range(_) => Some(Index::Range),
            Expr::Paren(p) => self.index(&p.expr),
            Expr::Group(g) => self.index(&g.expr),
            Expr::Path(_) => {
                let name = path_name(e)?;
                (!self.ranges.contains(&name)).then_some(Index::Number)
            }
            Expr::Lit(_) | Expr::Cast(_) | Expr::Field(_) | Expr::Index(_) => Some(Index::Number),
            Expr::Binary(_) | Expr::Unary(_) => Some(Index::Number),
            Expr::MethodCall(m) => {
                let name = m.method.to_string();
                let integer = INTEGERS.contains(&name.as_str()) || name.starts_with("wrapping_");
                (integer || name.starts_with("saturating_")).then_some(Index::Number)
            }
            // A trip of a loop. Of other functions nobody knows what they give.
            Expr::Call(c) => match &*c.func {
                Expr::Path(p) => {
                    (syntax::segments(&p.path) == ["ad", "nth"]).then_some(Index::Number)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Visits what stands in the indices of a place.
    fn indices(&mut self, e: &mut Expr) {
        each_index(e, &mut |i| self.visit_expr_mut(i));
    }

    /// The value at a place, over the scalar.
    fn read(&mut self, e: &mut Expr) {
        self.indices(e);
        let known =
            quote_spanned!(e.span()=> ::differentiable::__rt::known::<AnyScalar, __Base, _>(#e));
        *e = Expr::Verbatim(known);
    }

    /// An operand, or an argument of a rule, may refer to a number that is read for it.
    fn referred(&mut self, e: &mut Expr) {
        match e {
            Expr::Reference(r) if r.mutability.is_none() => {
                if let Some((root, shape)) = self.place(&r.expr) {
                    self.value(&mut r.expr, &root, &shape);
                }
            }
            Expr::Paren(p) => self.referred(&mut p.expr),
            _ => {}
        }
    }

    /// A variable that refers to a number that was read: that is gone at the end of its block.
    fn outlives(&mut self, e: &Expr) {
        let name = path_name(e).unwrap_or_default();
        self.lost.extend(self.numbers.get(&name).cloned());
    }

    /// A place that is used as a value.
    fn value(&mut self, e: &mut Expr, root: &str, shape: &Shape) {
        // What borrows is no value.
        if !shape.is_copied() || path_name(e).is_some() {
            self.lost.insert(root.to_owned());
        } else {
            self.read(e);
        }
    }

    /// A variable that borrows a part of an argument, or is one: whether it is.
    fn lends(&mut self, local: &mut syn::Local) -> bool {
        let Some(name) = simple_name(&local.pat) else {
            return false;
        };
        let Some(init) = &mut local.init else {
            return false;
        };
        let lent = match &mut *init.expr {
            Expr::Reference(r) if r.mutability.is_none() => &mut *r.expr,
            // The entries that a loop reads, and a block of them.
            Expr::Call(c) if is_window(&c.func) => match c.args.first_mut() {
                Some(Expr::Reference(r)) if r.mutability.is_none() => &mut *r.expr,
                Some(whole) => whole,
                None => return false,
            },
            e if path_name(e).is_some() => e,
            _ => return false,
        };
        let Some((root, shape)) = self.place(lent) else {
            return false;
        };
        if shape == Shape::Number {
            self.numbers.insert(name, root);
            return false;
        }
        self.indices(lent);
        if let Expr::Call(c) = &mut *init.expr {
            c.args
                .iter_mut()
                .skip(1)
                .for_each(|a| self.visit_expr_mut(a));
        }
        self.borrowed.insert(name, (root, shape));
        if let Pat::Type(t) = &mut local.pat {
            // What it borrows tells its type.
            local.pat = (*t.pat).clone();
        }
        true
    }
}

/// Methods of integers.
const INTEGERS: &[&str] = &[
    "abs_diff",
    "div_ceil",
    "isqrt",
    "len",
    "max",
    "min",
    "pow",
    "rem_euclid",
];

enum Index {
    Number,
    Range,
}

/// The types of a pullback's inputs, which are in order.
struct Pullback {
    numbers: HashSet<usize>,
    inputs: usize,
}

impl VisitMut for Pullback {
    fn visit_parenthesized_generic_arguments_mut(
        &mut self,
        a: &mut syn::ParenthesizedGenericArguments,
    ) {
        if a.inputs.len() == self.inputs {
            for (i, ty) in a.inputs.iter_mut().enumerate() {
                if self.numbers.contains(&i) {
                    Base.visit_named_arg_mut(ty);
                }
            }
        }
    }
    // Of a pullback that may be in a box.
    fn visit_expr_closure_mut(&mut self, c: &mut syn::ExprClosure) {
        for (i, input) in c.inputs.iter_mut().enumerate() {
            let boxed = matches!(input, Pat::Type(t)
                if simple_name(&t.pat).is_some_and(|n| n == format!("__a{i}")));
            if boxed && self.numbers.contains(&i) {
                Base.visit_pat_mut(input);
            }
        }
        visit_mut::visit_expr_closure_mut(self, c);
    }
}

fn named(arg: &syn::FnArg) -> Option<String> {
    match arg {
        syn::FnArg::Typed(t) => simple_name(&t.pat),
        syn::FnArg::Receiver(_) => None,
    }
}

impl VisitMut for Reader<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Some((root, shape)) = self.place(e) {
            return self.value(e, &root, &shape);
        }
        match e {
            // What refers to a number that was read lives no longer than its statement.
            Expr::Reference(r) if r.mutability.is_none() => {
                if let Some((root, _)) = self.place(&r.expr) {
                    self.lost.insert(root);
                    return;
                }
            }
            Expr::Assign(a) => self.outlives(&a.right),
            Expr::Binary(b) => {
                if let Some(product) = self.product(b) {
                    *e = product;
                    return;
                }
                self.referred(&mut b.left);
                self.referred(&mut b.right);
            }
            Expr::MethodCall(m) => match self.place(&m.receiver) {
                Some((root, shape)) if shape != Shape::Number => {
                    if m.args.is_empty() && (m.method == "len" || m.method == "is_empty") {
                        return self.indices(&mut m.receiver);
                    }
                    self.lost.insert(root);
                    return;
                }
                // What borrows may be kept for the reverse part.
                None if m.args.len() == 1 && is_push(m) => {
                    let tape = path_name(&m.receiver).unwrap_or_default();
                    if let Some(Expr::Tuple(kept)) = m.args.first_mut() {
                        for part in &mut kept.elems {
                            let name = path_name(part).unwrap_or_default();
                            self.outlives(part);
                            match self.borrowed.get(&name) {
                                Some(of) => {
                                    self.kept.insert((tape.clone(), name), of.clone());
                                }
                                None => self.visit_expr_mut(part),
                            }
                        }
                        return;
                    }
                }
                // A pullback.
                _ if m.args.len() > 2 => m.args.iter_mut().for_each(|a| self.referred(a)),
                _ => {}
            },
            // Passed on to the companion whose pullback is not in a box.
            Expr::Call(c) => {
                if let Some(pull) = self.product_pull(c) {
                    *e = pull;
                    return;
                }
                let name = match &*c.func {
                    Expr::Path(p) => p.path.segments.last().map(|s| s.ident.to_string()),
                    _ => None,
                };
                if name.is_some_and(|n| n == "__vjp_open") {
                    return;
                }
                if is_ours(&c.func) {
                    c.args.iter_mut().for_each(|a| self.referred(a));
                }
            }
            _ => {}
        }
        visit_mut::visit_expr_mut(self, e);
    }

    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        if let (Some(name), Some(init)) = (simple_name(&local.pat), &local.init) {
            match self.index(&init.expr) {
                Some(Index::Number) => self.ranges.remove(&name),
                _ => self.ranges.insert(name),
            };
        }
        if self.lends(local) {
            return;
        }
        let tape = match &local.init {
            Some(init) => match &*init.expr {
                Expr::MethodCall(m) if m.method == "pop" => path_name(&m.receiver),
                _ => None,
            },
            None => None,
        };
        if let Some(init) = &mut local.init {
            if simple_name(&local.pat).is_some() {
                self.referred(&mut init.expr);
            }
            self.visit_local_init_mut(init);
        }
        self.visit_pat_mut(&mut local.pat);
        // What the forward part kept has its name.
        let kept = self.kept.iter();
        let kept = kept.filter(|((of, _), _)| tape.as_ref() == Some(of));
        let names = kept.map(|((_, name), part)| (name.clone(), part.clone()));
        self.borrowed.extend(names);
    }

    fn visit_pat_ident_mut(&mut self, p: &mut syn::PatIdent) {
        // Another variable of the same name.
        self.borrowed.remove(&p.ident.to_string());
    }

    fn visit_expr_closure_mut(&mut self, c: &mut syn::ExprClosure) {
        let pullback = c.inputs.first().and_then(simple_name);
        self.inside(|this| match pullback.is_some_and(|n| n == "__ct") {
            true => this.visit_expr_mut(&mut c.body),
            false => visit_mut::visit_expr_closure_mut(this, c),
        });
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    fn visit_block_mut(&mut self, b: &mut syn::Block) {
        self.inside(|this| visit_mut::visit_block_mut(this, b));
        if let Some(syn::Stmt::Expr(e, None)) = b.stmts.last() {
            self.outlives(e);
        }
    }
    fn visit_expr_for_loop_mut(&mut self, f: &mut syn::ExprForLoop) {
        self.visit_expr_mut(&mut f.expr);
        self.inside(|this| {
            this.visit_pat_mut(&mut f.pat);
            this.visit_block_mut(&mut f.body);
        });
    }
    fn visit_arm_mut(&mut self, a: &mut syn::Arm) {
        self.inside(|this| visit_mut::visit_arm_mut(this, a));
    }
    fn visit_expr_let_mut(&mut self, l: &mut syn::ExprLet) {
        self.visit_expr_mut(&mut l.expr);
        self.visit_pat_mut(&mut l.pat);
    }
    fn visit_expr_if_mut(&mut self, i: &mut syn::ExprIf) {
        self.inside(|this| {
            this.visit_expr_mut(&mut i.cond);
            this.visit_block_mut(&mut i.then_branch);
        });
        if let Some((_, other)) = &mut i.else_branch {
            self.visit_expr_mut(other);
        }
    }
    fn visit_expr_while_mut(&mut self, w: &mut syn::ExprWhile) {
        self.inside(|this| visit_mut::visit_expr_while_mut(this, w));
    }

    fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
        let separated = Punctuated::<Expr, Token![,]>::parse_terminated;
        if syntax::is_statement_macro(m) {
            if let Ok(mut args) = separated.parse2(m.tokens.clone()) {
                args.iter_mut().for_each(|a| self.visit_expr_mut(a));
                m.tokens = quote!(#args);
                return;
            }
        }
        let mentioned = self.borrowed.iter().filter(|(name, _)| {
            syntax::tokens_mention(m.tokens.clone(), &HashSet::from([(*name).clone()]))
        });
        let roots: Vec<_> = mentioned.map(|(_, (root, _))| root.clone()).collect();
        self.lost.extend(roots);
    }
}

/// The wrapper of an argument that stays as it is.
pub fn unlifted(value: &TokenStream) -> TokenStream {
    quote!(::differentiable::__rt::Unlifted(#value))
}
