//! Adaptors that change how many items there are, or that keep state.

use super::choice::Otherwise;
use super::{is_function, one, scopes, whole, Chain, Chains, Item, Source, Stage, COPIES};
use crate::syntax::ends::Wrapper;
use proc_macro2::Ident;
use std::rc::Rc;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Block, Expr, Stmt};

impl Chains<'_> {
    pub(super) fn adapted(
        &mut self,
        name: &str,
        args: &[&Expr],
        mut chain: Chain,
    ) -> Option<Chain> {
        match (name, args) {
            ("filter_map", [f]) if is_function(f, 1) => {
                let (f, skip) = ((*f).clone(), Otherwise::Nothing);
                chain.stages.push(Stage::Choose(f, Wrapper::Option, skip));
            }
            ("map_while", [f]) if is_function(f, 1) => {
                let (f, stop) = ((*f).clone(), Otherwise::Stop);
                chain.stages.push(Stage::Choose(f, Wrapper::Option, stop));
            }
            ("inspect", [f]) if is_function(f, 1) => {
                chain.stages.push(Stage::Inspect((*f).clone()));
            }
            ("flat_map", [Expr::Closure(c)]) if is_function(args[0], 1) => {
                let c = self.all_own(c)?;
                let (before, items) = tail(&c.body);
                let inner = self.chain(&items)?;
                inner.source.len.as_ref()?;
                let pat = c.inputs[0].clone();
                chain.stages.push(Stage::Flat(pat, before, inner.into()));
            }
            ("flatten", []) => {
                let row = self.fresh("row");
                let source = self.elements(&parse_quote!(#row), super::Elements::Shared);
                let inner = Chain {
                    source,
                    stages: Vec::new(),
                };
                let pat = parse_quote!(#row);
                chain
                    .stages
                    .push(Stage::Flat(pat, Vec::new(), inner.into()));
            }
            ("scan", [start, Expr::Closure(c)]) if is_function(args[1], 2) => {
                let state = self.fresh("state");
                let setup = &mut chain.source.setup;
                let ty = state_type(&c.inputs[0]);
                setup.push(parse_quote!(let mut #state #ty = #start;));
                chain.stages.push(Stage::Scan(state, c.clone()));
            }
            ("take_while", [f]) if is_function(f, 1) => {
                chain.stages.push(Stage::TakeWhile((*f).clone()));
            }
            ("skip_while", [f]) if is_function(f, 1) => {
                let flag = self.fresh("skipping");
                let setup = &mut chain.source.setup;
                setup.push(parse_quote!(let mut #flag = true;));
                chain.stages.push(Stage::SkipWhile(flag, (*f).clone()));
            }
            ("take" | "skip" | "step_by" | "rev" | "zip" | "enumerate" | "cycle", args) => {
                let mut chain = self.in_a_vec(vec![chain])?;
                if !self.adapt(name, args, &mut chain.source) {
                    return None;
                }
                return Some(chain);
            }
            _ => return None,
        }
        Some(chain)
    }

    /// The parts of `a.chain(b).chain(c)`.
    pub(super) fn joined(&mut self, e: &Expr) -> Option<Vec<Chain>> {
        let e = match e {
            Expr::Paren(p) => &p.expr,
            e => e,
        };
        match e {
            Expr::MethodCall(m) if m.method == "chain" && m.args.len() == 1 => {
                let mut parts = match &*m.receiver {
                    Expr::MethodCall(first) if first.method == "chain" => {
                        self.joined(&m.receiver)?
                    }
                    first => vec![self.chain(first)?],
                };
                parts.push(self.chain(&m.args[0])?);
                Some(parts)
            }
            _ => None,
        }
    }

    /// `a.chain(b).collect()`, with or without `copied()`: the `Vec` of the items.
    pub(super) fn joined_vec(&mut self, e: &Expr) -> Option<Expr> {
        let (parts, copied) = match e {
            Expr::MethodCall(m) if m.method == "copied" || m.method == "cloned" => {
                (self.joined(&m.receiver)?, true)
            }
            e => (self.joined(e)?, false),
        };
        let (setup, out, lent) = self.appended(parts)?;
        (lent == copied).then(|| parse_quote!({ #(#setup)* #out }))
    }

    /// The items of these chains, one after the other, in a `Vec` that can be counted.
    pub(super) fn in_a_vec(&mut self, chains: Vec<Chain>) -> Option<Chain> {
        let (setup, out, lent) = self.appended(chains)?;
        let len = parse_quote!(#out.len());
        Some(Chain {
            source: Source {
                setup,
                len: Some(len),
                item: Rc::new(move |k| {
                    one(if lent {
                        parse_quote!(&#out[#k])
                    } else {
                        parse_quote!(#out[#k].clone())
                    })
                }),
                range: None,
            },
            stages: Vec::new(),
        })
    }

    /// Puts the items of these chains into a `Vec`: the statements, its name, and whether they are copies of what is lent.
    fn appended(&mut self, chains: Vec<Chain>) -> Option<(Vec<Stmt>, Ident, bool)> {
        // All items are made before the first is used: that must not show.
        if chains.iter().any(|c| c.stages.iter().any(has_effect)) {
            return None;
        }
        let out = self.fresh(COPIES);
        let mut setup: Vec<Stmt> = vec![parse_quote!(let mut #out = ::std::vec::Vec::new();)];
        let (mut references, mut values) = (false, false);
        for chain in chains {
            let loops = self.run(chain, None, |_, item| {
                let value = match &item {
                    Item::One(Expr::Reference(r)) => {
                        references = true;
                        let place = &r.expr;
                        parse_quote!(#place.clone())
                    }
                    item => {
                        values = true;
                        whole(item.clone())
                    }
                };
                vec![parse_quote!(#out.push(#value);)]
            })?;
            setup.extend(loops);
        }
        (!(references && values)).then_some((setup, out, references))
    }

    /// A closure whose parameters and variables hide nothing that the stages behind it read.
    fn all_own(&mut self, c: &syn::ExprClosure) -> Option<syn::ExprClosure> {
        let (before, _) = tail(&c.body);
        let mut all = c.clone();
        for s in &before {
            if let Stmt::Local(l) = s {
                for name in crate::syntax::pattern_names(&l.pat) {
                    let name = syn::Ident::new(&name, proc_macro2::Span::call_site());
                    all.inputs.push(parse_quote!(#name));
                }
            }
        }
        // One of them may have hidden a variable that is read before.
        let read = scopes::free(&before);
        let locals = all.inputs.iter().skip(1);
        if locals
            .flat_map(crate::syntax::pattern_names)
            .any(|n| read.contains(&n))
        {
            return None;
        }
        let mut own = crate::rewrite::rename::apart(&all, &mut |n| self.fresh(n));
        let names = |c: &syn::ExprClosure| {
            c.inputs
                .iter()
                .flat_map(crate::syntax::pattern_names)
                .collect::<Vec<_>>()
        };
        for (old, new) in names(&all).iter().zip(names(&own)) {
            for known in [&mut self.active, &mut self.references] {
                if known.contains(old) {
                    known.insert(new.clone());
                }
            }
        }
        while own.inputs.len() > c.inputs.len() {
            own.inputs.pop();
        }
        Some(own)
    }
}

/// The type of a state, where the closure says it: `|s: &mut Option<f64>, x|`.
fn state_type(p: &syn::Pat) -> Option<proc_macro2::TokenStream> {
    let syn::Pat::Type(t) = p else { return None };
    let syn::Type::Reference(r) = &*t.ty else {
        return None;
    };
    let ty = &r.elem;
    Some(quote::quote!(: #ty))
}

/// The statements of a block and its value.
fn tail(e: &Expr) -> (Vec<Stmt>, Expr) {
    if let Expr::Block(b) = e {
        if let (None, Some((Stmt::Expr(value, None), before))) =
            (&b.label, b.block.stmts.split_last())
        {
            return (before.to_vec(), value.clone());
        }
    }
    (Vec::new(), e.clone())
}

fn has_effect(s: &Stage) -> bool {
    match s {
        Stage::Map(f)
        | Stage::Filter(f)
        | Stage::Choose(f, ..)
        | Stage::Inspect(f)
        | Stage::TakeWhile(f)
        | Stage::SkipWhile(_, f)
        | Stage::Successors(_, f)
        | Stage::FromFn(f) => crate::syntax::assigns(f),
        Stage::ZipChain(_, stages) => stages.iter().any(has_effect),
        Stage::Flat(_, before, inner) => {
            let block: Block = parse_quote!({ #(#before)* });
            crate::syntax::assigns(&parse_quote!(#block)) || inner.stages.iter().any(has_effect)
        }
        // Its own state is seen by nobody else; what else it may assign is not looked for.
        Stage::Scan(..) | Stage::Enumerate | Stage::Cloned | Stage::Zip(_) => false,
    }
}

/// Whether a loop body has a `break` of this loop.
pub fn breaks(b: &Block) -> bool {
    struct V(bool);
    impl<'a> Visit<'a> for V {
        fn visit_expr_break(&mut self, _: &'a syn::ExprBreak) {
            self.0 = true;
        }
        fn visit_expr_for_loop(&mut self, _: &'a syn::ExprForLoop) {}
        fn visit_expr_while(&mut self, _: &'a syn::ExprWhile) {}
        fn visit_expr_loop(&mut self, _: &'a syn::ExprLoop) {}
    }
    let mut v = V(false);
    visit::visit_block(&mut v, b);
    v.0
}

/// The method that is meant by `Vec3::norm` where it is given references. What is named like a constructor is none.
pub(super) fn method_of(f: &Expr) -> Option<&Ident> {
    const CONSTRUCTORS: &[&str] = &["new", "from", "with", "of", "parse", "try"];
    let Expr::Path(p) = f else { return None };
    let mut last = p.path.segments.iter().rev();
    let (method, owner) = (&last.next()?.ident, &last.next()?.ident);
    let constructs = method.to_string();
    let constructs = constructs.split('_').next().unwrap_or_default();
    let of_type = owner.to_string().starts_with(char::is_uppercase);
    let is_method = method.to_string().starts_with(char::is_lowercase);
    (p.qself.is_none() && of_type && is_method && !CONSTRUCTORS.contains(&constructs))
        .then_some(method)
}

/// Whether a loop body goes on with the loop of this label.
pub fn continues(b: &Block, label: &syn::Label) -> bool {
    struct V<'a>(&'a syn::Lifetime, bool);
    impl<'a> Visit<'a> for V<'_> {
        fn visit_expr_continue(&mut self, c: &'a syn::ExprContinue) {
            self.1 |= c.label.as_ref().is_some_and(|l| l.ident == self.0.ident);
        }
    }
    let mut v = V(&label.name, false);
    v.visit_block(b);
    v.1
}

/// Writes the label to each `break` of this loop.
pub fn name_breaks(b: &mut Block, label: &syn::Label) {
    struct V<'a>(&'a syn::Lifetime);
    impl VisitMut for V<'_> {
        fn visit_expr_break_mut(&mut self, b: &mut syn::ExprBreak) {
            b.label.get_or_insert_with(|| self.0.clone());
        }
        fn visit_expr_for_loop_mut(&mut self, _: &mut syn::ExprForLoop) {}
        fn visit_expr_while_mut(&mut self, _: &mut syn::ExprWhile) {}
        fn visit_expr_loop_mut(&mut self, _: &mut syn::ExprLoop) {}
        fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    }
    visit_mut::visit_block_mut(&mut V(&label.name), b);
}
