//! Rust made into less Rust, before anything is lowered: [`whole`] and [`all`] list the steps.

mod apart;
pub mod chains;
pub mod choices;
pub mod desugar;
pub mod jumps;
pub mod local_items;
mod longer;
pub mod receivers;
pub mod rename;
pub mod siblings;
mod signatures;
mod text;

use crate::input::ctxt::Ctxt;
use crate::input::grids::Grids;
use crate::input::own_macros;
use crate::input::signature::ParamDecl;
use crate::syntax::active::{active_names, touches_active};
use crate::syntax::operands::hold_together;
use crate::syntax::references::{reference_names, Bindings};
use desugar::{call_kinds, optional};
use proc_macro2::TokenStream;
use siblings::Siblings;
use std::collections::HashSet;
use syn::{Block, Expr, Item, ReturnType, Type};

/// What is known of a function beside its body.
pub struct Source<'a> {
    pub cx: &'a Ctxt,
    pub params: &'a [ParamDecl],
    /// The functions of the same `impl` block.
    pub siblings: Option<&'a Siblings>,
    /// Names from outside of the body that may carry a derivative.
    pub active: HashSet<String>,
    /// Names from outside of the body that hold references.
    pub references: HashSet<String>,
    pub grids: Grids,
    /// The type of the value, if it has one.
    pub output: Option<Type>,
}

/// A body that can be lowered.
pub struct Rewritten {
    pub body: Block,
    /// The names in it that may carry a derivative.
    pub active: HashSet<String>,
    pub grids: Grids,
    pub output: Option<Type>,
}

/// The steps on the body of a function as it was written. `expand` is what becomes of an annotated function inside; the
/// items that can stand outside of the body come back beside it.
pub fn whole(
    body: &Block,
    params: &[ParamDecl],
    is_free: bool,
    expand: &dyn Fn(TokenStream) -> TokenStream,
    cx: &Ctxt,
) -> (Block, Vec<Item>) {
    let names = |p: &ParamDecl| p.ident.as_ref().map(ToString::to_string);
    let functions = params.iter().filter(|p| p.function.is_some());
    // Macros of ours: what they stand for.
    let body = own_macros::replaced(body);
    // Tables and choices of functions: an index, and a `match` where one is called.
    let (functions, all) = (functions.filter_map(names), params.iter().filter_map(names));
    let mut body = choices::written_out(&body, functions.collect(), all.collect(), cx);
    // Functions and other items inside: taken out, so that the companions share them.
    let items = local_items::taken(&mut body, expand);
    if is_free {
        return (body, items);
    }
    local_items::put_back(&mut body, items);
    (body, Vec::new())
}

/// The steps on the body of a function, and of a closure that is passed on, whose captures are known first when the
/// function around it is lowered.
pub fn all(source: &Source<'_>, body: &Block) -> Rewritten {
    let mut steps = Steps::new(source, body);
    steps.write(apart::closures); //  `|r| …` twice, of a reference and of a value: two names
    steps.write(|body, source| {
        signatures::told(body, source); // `Matrix::scale(&mut m, k)`: a method
        longer::bounded(body, source); //  `dot(row, &x)` in a loop that pushes to `x`: `&x[..n]`
    });
    steps.write(|body, _| receivers::named(body)); // `f(x).last()`: a name for what the call gives
    steps.desugar(); //   `if let`, `?`, `v.swap(i, j)`, `o.map(f)`: `match`, assignments and loops
    steps.chains(); //    `x.iter().map(f).sum()`: a loop with an index
    steps.jumps(); //     `break`, `continue`, `return`: "the rest is not run"
    Rewritten {
        body: steps.body,
        active: steps.active,
        grids: source.grids.clone(),
        output: source.output.clone(),
    }
}

impl<'a> Source<'a> {
    /// That of a function.
    pub fn of(
        params: &'a [ParamDecl],
        body: &Block,
        output: &ReturnType,
        siblings: Option<&'a Siblings>,
        cx: &'a Ctxt,
    ) -> Self {
        let active = params.iter().filter(|p| !p.constant).map(ParamDecl::name);
        let references = params.iter().filter(|p| p.by_ref).map(ParamDecl::name);
        let source = Source {
            cx,
            params,
            siblings,
            active: active.collect(),
            references: references.collect(),
            grids: Grids::of(params, body, output),
            output: value_of(output),
        };
        text::check(body, &source.active, cx);
        source
    }

    /// The names of parameters that are mutable references, and of methods that change `self`.
    fn changing(&self) -> [HashSet<String>; 2] {
        let lent = self.params.iter().filter(|d| d.by_mut && !d.constant);
        let lent = lent.filter_map(|d| Some(d.ident.as_ref()?.to_string()));
        let mutating = self.siblings.map(|s| s.mutating()).unwrap_or_default();
        [lent.collect(), mutating]
    }

    /// Which names hold an `Option` or a `Result`.
    fn kinds(&self, body: &Block) -> optional::Kinds {
        let typed = self.params.iter();
        let typed = typed.filter_map(|d| Some((d.ident.as_ref()?.to_string(), d.ty.as_ref()?)));
        let mut calls = self.siblings.map(Siblings::kinds).unwrap_or_default();
        let returned = self.output.as_ref().and_then(optional::of_type);
        for (call, kind) in call_kinds::of_calls(body, returned) {
            calls.entry(call).or_insert(kind);
        }
        optional::kinds(typed, body, calls)
    }
}

/// The type of a function's value, unless that is `()`.
pub fn value_of(output: &ReturnType) -> Option<Type> {
    let is_unit = |ty: &Type| matches!(ty, Type::Tuple(t) if t.elems.is_empty());
    match output {
        ReturnType::Type(_, ty) if !is_unit(ty) => Some((**ty).clone()),
        _ => None,
    }
}

/// The body between two steps.
struct Steps<'a> {
    source: &'a Source<'a>,
    body: Block,
    /// The names in it that may carry a derivative.
    active: HashSet<String>,
}

impl<'a> Steps<'a> {
    fn new(source: &'a Source<'a>, body: &Block) -> Self {
        Steps {
            source,
            body: body.clone(),
            active: HashSet::new(),
        }
    }

    /// A step has put other code in place, which may have other names.
    fn put(&mut self, body: Block) {
        self.active = active_names(self.source.active.clone(), &body);
        self.body = body;
    }

    /// A step that writes into the body.
    fn write(&mut self, step: impl FnOnce(&mut Block, &Source<'a>)) {
        let mut body = self.body.clone();
        step(&mut body, self.source);
        self.put(body);
    }

    fn desugar(&mut self) {
        let references = Bindings::of(self.source.references.clone(), &self.body).always();
        let mut body = desugar::rewrite(
            self.source.cx,
            &self.body,
            [&self.active, &references],
            self.source.kinds(&self.body),
            self.source.changing(),
            self.source.output.as_ref(),
        );
        hold_together(&mut body);
        self.put(body);
    }

    fn chains(&mut self) {
        let params = self.source.params.iter().filter(|d| !d.mutable);
        let typed = params.filter_map(|d| Some((d.ident.as_ref()?, d.ty.as_ref()?)));
        let mut body = chains::rewrite(
            &self.body,
            typed,
            &self.active,
            &reference_names(self.source.references.clone(), &self.body),
            &self.source.grids,
            self.source.output.as_ref(),
        );
        hold_together(&mut body);
        self.put(body);
    }

    fn jumps(&mut self) {
        let native = |e: &Expr| !touches_active(e, &self.active);
        let has_value = self.source.output.is_some();
        if let Some(body) = jumps::rewrite(self.source.cx, &self.body, has_value, &native) {
            self.put(body);
            // Code with marks is never kept as written.
            self.active.extend(jumps::MARKS.map(String::from));
        }
    }
}
