//! How often each variable is read.

use crate::ir::*;
use crate::syntax::has_name;
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::Expr;

/// The number of reads of each variable, anywhere in the function.
pub fn count(f: &Func) -> Vec<usize> {
    let mut c = Count::new(f);
    c.block(&f.body);
    // A part of an alias is a part of what it stands for.
    for v in &f.vars {
        if let Some(p) = &v.alias {
            c.place(p);
        }
    }
    c.uses
}

/// The variables that blocks name, those of kept code too.
pub fn named(f: &Func, blocks: &[&Block]) -> Vec<VarId> {
    let mut c = Count::new(f);
    for b in blocks {
        c.block(b);
        c.kept(f, b);
    }
    let named = c.uses.into_iter().enumerate().filter(|(_, n)| *n > 0);
    named.map(|(v, _)| v).collect()
}

/// Whether one of the statements reads a variable.
pub fn any<'s>(f: &Func, stmts: impl IntoIterator<Item = &'s Stmt>, v: VarId) -> bool {
    let mut c = Count {
        uses: vec![0; f.vars.len()],
        names: HashMap::from([(f.vars[v].name.to_string(), v)]),
    };
    stmts.into_iter().for_each(|s| c.stmt(s));
    c.uses[v] > 0
}

/// Whether kept code in one of the statements may move the value of a variable: it names it, and not only to lend it.
pub fn moves<'s>(f: &Func, stmts: impl IntoIterator<Item = &'s Stmt>, v: VarId) -> bool {
    let moved = |s: &Stmt| match &s.kind {
        StmtKind::Def(_, Rhs::Native(n)) if n.uses.contains(&v) => {
            let mut moves = Moves {
                name: &f.vars[v].name,
                found: false,
            };
            moves.visit_expr(&n.expr);
            moves.found
        }
        _ => false,
    };
    let inside = |s: &Stmt| s.blocks().into_iter().any(|b| b.deep().any(moved));
    stmts.into_iter().any(|s| moved(s) || inside(s))
}

/// Finds a name that stands for its value, and neither behind `&` nor before `[..]` or a field.
struct Moves<'a> {
    name: &'a Ident,
    found: bool,
}

impl Moves<'_> {
    fn is_name(&self, e: &Expr) -> bool {
        matches!(e, Expr::Path(p) if p.path.is_ident(self.name))
    }
}

impl<'ast> Visit<'ast> for Moves<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        match e {
            Expr::Reference(r) if self.is_name(&r.expr) => {}
            Expr::Field(f) if self.is_name(&f.base) => {}
            Expr::Index(i) if self.is_name(&i.expr) => self.visit_expr(&i.index),
            Expr::Macro(m) => self.found |= has_name(&m.mac.tokens, &self.name.to_string()),
            e if self.is_name(e) => self.found = true,
            e => visit::visit_expr(self, e),
        }
    }
}

struct Count {
    uses: Vec<usize>,
    names: HashMap<String, VarId>,
}

impl Count {
    fn new(f: &Func) -> Self {
        let names = f.vars.iter().enumerate();
        Count {
            uses: vec![0; f.vars.len()],
            names: names.map(|(i, v)| (v.name.to_string(), i)).collect(),
        }
    }

    /// What is kept as written in definitions and in regions.
    fn kept(&mut self, f: &Func, b: &Block) {
        for s in b.deep() {
            match &s.kind {
                StmtKind::Def(_, Rhs::Native(n)) => self.native(n),
                StmtKind::Def(_, Rhs::Call { path, .. }) => {
                    if let Some(region) = f.region_of(path) {
                        self.tokens(region.probe.clone());
                    }
                }
                _ => {}
            }
        }
    }

    fn block(&mut self, b: &Block) {
        for s in &b.stmts {
            self.stmt(s);
        }
        if let Some(o) = &b.result {
            self.operand(o);
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        s.blocks().into_iter().for_each(|b| self.block(b));
        // What is kept as written is counted where it is asked for.
        if matches!(s.kind, StmtKind::Def(_, Rhs::Native(_))) {
            return;
        }
        let flow = s.flow();
        flow.variables().for_each(|v| self.uses[v] += 1);
        let written = flow.written.into_iter();
        written.for_each(|t| self.tokens(t.clone()));
    }

    fn operand(&mut self, o: &Operand) {
        match o {
            Operand::Place { place, .. } => self.place(place),
            Operand::Native(n) => self.native(n),
        }
    }

    fn place(&mut self, p: &Place) {
        self.uses[p.root] += 1;
        for v in p.index_uses() {
            self.uses[v] += 1;
        }
    }

    fn native(&mut self, n: &Native) {
        n.uses.iter().for_each(|v| self.uses[*v] += 1);
    }

    fn tokens(&mut self, tokens: TokenStream) {
        for t in tokens {
            match t {
                TokenTree::Ident(i) => {
                    if let Some(v) = self.names.get(&i.to_string()) {
                        self.uses[*v] += 1;
                    }
                }
                TokenTree::Group(g) => self.tokens(g.stream()),
                _ => {}
            }
        }
    }
}
