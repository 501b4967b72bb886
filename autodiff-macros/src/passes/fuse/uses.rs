//! How often each variable is read.

use crate::ir::*;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::HashMap;

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
