//! Which names hold references, as far as the syntax tells.

use crate::syntax::bound_names;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::{Expr, Pat};

enum Items {
    References,
    /// Or what the syntax does not tell.
    Values,
    Pairs(Box<Items>, Box<Items>),
}

/// Names that hold references, as far as the syntax tells: what a pattern binds of a reference, and
/// what a loop over one gives.
pub fn reference_names(params: HashSet<String>, body: &syn::Block) -> HashSet<String> {
    Bindings::of(params, body).references
}

/// The names that patterns bind, and which of them hold references.
pub struct Bindings {
    references: HashSet<String>,
    /// How often each is bound, and how often to a reference.
    bound: HashMap<String, [usize; 2]>,
    /// Names of what a loop or a chain goes through: by reference or by value, as the name holds one or the other.
    iterated: HashSet<String>,
}

impl Bindings {
    pub fn of(params: HashSet<String>, body: &syn::Block) -> Self {
        let bound = params.iter().map(|name| (name.clone(), [1, 1])).collect();
        let mut all = Bindings {
            references: params,
            bound,
            iterated: HashSet::new(),
        };
        all.visit_block(body);
        all
    }

    /// Names that hold references wherever they are bound.
    pub fn always(&self) -> HashSet<String> {
        let always = |name: &&String| self.bound.get(*name).is_some_and(|[all, of]| all == of);
        self.references.iter().filter(always).cloned().collect()
    }

    /// Names that loops or chains go through, and that hold a reference in one place and something else in another.
    pub fn unclear(&self) -> HashSet<String> {
        let unclear = |name: &&String| {
            let [all, references] = self.bound.get(*name).copied().unwrap_or_default();
            references > 0 && all > references
        };
        self.iterated.iter().filter(unclear).cloned().collect()
    }

    fn iterate(&mut self, e: &Expr) {
        if let Expr::Path(p) = e {
            self.iterated
                .extend(p.path.get_ident().map(ToString::to_string));
        }
    }

    fn refer(&mut self, p: &Pat) {
        for name in bound_names(p, false) {
            self.bound.entry(name.clone()).or_default()[1] += 1;
            self.references.insert(name);
        }
    }

    fn is_reference(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.is_reference(&p.expr),
            Expr::Reference(_) => true,
            Expr::Path(p) => p
                .path
                .get_ident()
                .is_some_and(|i| self.references.contains(&i.to_string())),
            Expr::MethodCall(m) if m.args.is_empty() && m.method != "unwrap" => matches!(
                m.method.to_string().as_str(),
                "as_ref" | "as_mut" | "as_deref" | "as_slice" | "iter" | "iter_mut"
            ),
            e => taken_entry(e).is_some(),
        }
    }
    /// What a loop over an expression gives.
    fn items(&self, e: &Expr) -> Items {
        let m = match e {
            Expr::Paren(p) => return self.items(&p.expr),
            Expr::MethodCall(m) => m,
            e if self.is_reference(e) => return Items::References,
            _ => return Items::Values,
        };
        match (m.method.to_string().as_str(), m.args.first()) {
            (
                "iter" | "iter_mut" | "chunks" | "chunks_mut" | "chunks_exact" | "chunks_exact_mut"
                | "windows",
                _,
            ) => Items::References,
            ("zip", Some(other)) => {
                let (left, right) = (self.items(&m.receiver), self.items(other));
                Items::Pairs(left.into(), right.into())
            }
            ("enumerate", None) => {
                Items::Pairs(Items::Values.into(), self.items(&m.receiver).into())
            }
            (
                "into_iter" | "rev" | "take" | "skip" | "step_by" | "cycle" | "chain" | "filter"
                | "take_while" | "skip_while",
                _,
            ) => self.items(&m.receiver),
            _ => Items::Values,
        }
    }
    fn bind_items(&mut self, p: &Pat, items: &Items) {
        match (p, items) {
            (Pat::Paren(p), _) => self.bind_items(&p.pat, items),
            (Pat::Tuple(t), Items::Pairs(a, b)) if t.elems.len() == 2 => {
                self.bind_items(&t.elems[0], a);
                self.bind_items(&t.elems[1], b);
            }
            (p, Items::References) => self.refer(p),
            _ => {}
        }
    }
    fn bind(&mut self, p: &Pat, from: &Expr) {
        match (p, from) {
            (Pat::Tuple(p), Expr::Tuple(t)) if p.elems.len() == t.elems.len() => {
                for (p, e) in p.elems.iter().zip(&t.elems) {
                    self.bind(p, e);
                }
            }
            (Pat::TupleStruct(p), e) if p.path.is_ident("Some") && asked_entry(e).is_some() => {
                p.elems.iter().for_each(|p| self.refer(p));
            }
            (p, e) if self.is_reference(e) => self.refer(p),
            _ => {}
        }
    }
}

/// The call that gives an entry of a sequence or of a map by reference, if there is one: `map.get(key)`.
pub fn asked_entry(e: &Expr) -> Option<&syn::ExprMethodCall> {
    let Expr::MethodCall(m) = e else { return None };
    let asks = matches!(
        (m.method.to_string().as_str(), m.args.len()),
        ("first" | "last", 0) | ("get" | "get_mut", 1)
    );
    asks.then_some(m)
}

/// The same where the entry is taken: `map.get(key).unwrap()`, `x.first()?`.
pub fn taken_entry(e: &Expr) -> Option<&syn::ExprMethodCall> {
    match e {
        Expr::Paren(p) => taken_entry(&p.expr),
        Expr::Try(t) => asked_entry(&t.expr),
        Expr::MethodCall(m) => match (m.method.to_string().as_str(), m.args.len()) {
            ("unwrap", 0) | ("expect", 1) => asked_entry(&m.receiver),
            _ => None,
        },
        _ => None,
    }
}

impl<'a> Visit<'a> for Bindings {
    fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
        self.bound.entry(p.ident.to_string()).or_default()[0] += 1;
        visit::visit_pat_ident(self, p);
    }
    fn visit_local(&mut self, l: &'a syn::Local) {
        if let Some(init) = &l.init {
            self.bind(&l.pat, &init.expr);
        }
        visit::visit_local(self, l);
    }
    fn visit_expr_match(&mut self, m: &'a syn::ExprMatch) {
        for a in &m.arms {
            self.bind(&a.pat, &m.expr);
        }
        visit::visit_expr_match(self, m);
    }
    fn visit_expr_for_loop(&mut self, f: &'a syn::ExprForLoop) {
        self.iterate(&f.expr);
        let items = self.items(&f.expr);
        self.bind_items(&f.pat, &items);
        visit::visit_expr_for_loop(self, f);
    }
    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        if m.method == "into_iter" {
            self.iterate(&m.receiver);
        }
        m.args.iter().for_each(|a| self.iterate(a));
        const OF_ITEMS: &[&str] = &["map", "for_each", "flat_map", "filter_map", "fold"];
        if OF_ITEMS.contains(&m.method.to_string().as_str()) {
            if let Some(Expr::Closure(c)) = m.args.last() {
                let items = self.items(&m.receiver);
                if let Some(item) = c.inputs.last() {
                    self.bind_items(item, &items);
                }
            }
        }
        visit::visit_expr_method_call(self, m);
    }
}
