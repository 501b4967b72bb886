//! Variables and the names that they have in the source, and where in the program something stands.

use super::Lower;
use crate::ir::*;
use proc_macro2::{Ident, Span};
use std::collections::HashMap;

impl Lower<'_> {
    pub(super) fn var(&mut self, name: Ident, ty: Ty, hold: Hold, mutable: bool) -> VarId {
        self.names.insert(name.to_string());
        let defined = self.point();
        self.vars.push(Var::new(name, ty, hold, mutable, defined));
        self.vars.len() - 1
    }

    /// A variable with the user's name, or that name with a number when it is taken.
    pub fn fresh_named(&mut self, ident: &Ident, ty: Ty, hold: Hold, mutable: bool) -> VarId {
        let base = ident.to_string();
        let base = base.trim_start_matches("r#");
        let mut name = ident.clone();
        let mut k = 1;
        while self.names.contains(&name.to_string()) {
            name = Ident::new(&format!("{base}_{k}"), ident.span());
            k += 1;
        }
        self.var(name, ty, hold, mutable)
    }

    /// An intermediate result.
    pub fn temp(&mut self, ty: Ty, span: Span) -> VarId {
        // The cotangent of a variable is named after it, so ours must differ from the user's.
        while self.names.contains(&format!("v{}", self.temps)) {
            self.temps += 1;
        }
        let name = Ident::new(
            &format!("v{}", self.temps),
            Span::mixed_site().located_at(span),
        );
        self.temps += 1;
        self.var(name, ty, Hold::Value, false)
    }

    pub fn bind(&mut self, source: &Ident, var: VarId) {
        let env = self.env.last_mut().expect("an environment");
        env.insert(source.to_string(), var);
    }

    pub fn lookup(&self, name: &str) -> Option<VarId> {
        self.env.iter().rev().find_map(|e| e.get(name).copied())
    }

    pub fn push_env(&mut self) {
        self.env.push(HashMap::new());
    }

    pub fn pop_env(&mut self) {
        self.env.pop();
    }

    pub fn point(&self) -> Point {
        Point {
            pos: self.pos,
            scope: self.scope.clone(),
        }
    }

    pub fn push(&mut self, out: &mut Vec<Stmt>, kind: StmtKind, span: Span) {
        self.pos += 1;
        let point = self.point();
        let mut changed = std::mem::take(&mut self.lent);
        // Statements of later arguments may stand between the place where a variable is lent and the call that changes it.
        if let StmtKind::Def(_, rhs) = &kind {
            changed.extend(changes(rhs).map(|p| p.root));
        }
        for var in changed {
            self.note_write(var, &point);
            // The call may leave another length or variant behind.
            self.vars[var].grows = true;
        }
        out.push(Stmt { kind, point, span });
    }

    /// Notes that a variable changes, and what it leads to.
    pub fn note_write(&mut self, var: VarId, point: &Point) {
        self.vars[var].writes.push(point.clone());
        if let Some(of) = self.leads_to.get(&var).copied() {
            self.note_write(of, point);
        }
    }

    pub fn new_id(&mut self) -> usize {
        self.next_id += 1;
        self.next_id
    }

    pub fn enter(&mut self, is_loop: bool) -> usize {
        let id = self.new_id();
        self.scope.push(ScopeId { id, is_loop });
        self.push_env();
        id
    }

    pub fn leave(&mut self) {
        self.scope.pop();
        self.pop_env();
    }
}
