//! Loops whose trips replace a variable or leave it as it is by a condition: `if x < m { m = x; }`; see
//! [`extremum`](super::extremum).

use super::extremum::How;
use super::Vjp;
use crate::ir::*;
use crate::ir::{block_active, changes, is_active, sources};

impl Vjp<'_> {
    /// `m = if … { x } else { m };`
    pub(super) fn chosen(
        &self,
        body: &Block,
        rest: &[&Stmt],
        branch: &Stmt,
        assign: &Stmt,
    ) -> Option<How> {
        let StmtKind::Branch {
            arms,
            out: Some(chosen),
            id,
            ..
        } = &branch.kind
        else {
            return None;
        };
        let StmtKind::Assign(m, Operand::Place { place, .. }, None) = &assign.kind else {
            return None;
        };
        let whole = m.is_var() && place.is_var() && place.root == *chosen;
        if !whole || !self.is_number_outside(m.root, body) || !self.local(body, rest, &[m.root]) {
            return None;
        }
        let mut kept = Vec::new();
        for a in arms {
            let value = a.block.result.as_ref().filter(|o| !o.diverges())?;
            let same = value.place().filter(|p| p.root == m.root);
            let leaves = same.is_some_and(Place::is_var) && !block_active(&a.block, &self.f.vars);
            let stmts: Vec<&Stmt> = a.block.stmts.iter().collect();
            if !leaves && (same.is_some() || !self.local(body, &stmts, &[m.root])) {
                return None;
            }
            kept.push(leaves);
        }
        kept.contains(&true)
            .then_some(How::Branch { id: *id, kept })
    }

    /// `if … { m = x; }`, of one or more variables.
    pub(super) fn replaced(&self, body: &Block, rest: &[&Stmt], branch: &Stmt) -> Option<How> {
        let StmtKind::Branch {
            arms,
            out: None,
            id,
            ..
        } = &branch.kind
        else {
            return None;
        };
        let mut all: Option<Vec<VarId>> = None;
        let mut kept = Vec::new();
        for a in arms {
            if a.block.result.as_ref().is_some_and(Operand::diverges) {
                return None;
            }
            let leaves = !block_active(&a.block, &self.f.vars);
            kept.push(leaves);
            if leaves {
                continue;
            }
            let mut assigned: Vec<VarId> = Vec::new();
            for s in &a.block.stmts {
                assigned.extend(self.assigned(body, s));
            }
            assigned.sort_unstable();
            assigned.dedup();
            if *all.get_or_insert_with(|| assigned.clone()) != assigned {
                return None;
            }
        }
        let all = all.filter(|m| !m.is_empty() && kept.contains(&true))?;
        let arms = arms.iter().flat_map(|a| &a.block.stmts);
        let (assigns, others): (Vec<&Stmt>, Vec<&Stmt>) =
            arms.partition(|s| self.assigned(body, s).is_some());
        let of_all = |s: &&Stmt| match &s.kind {
            StmtKind::Assign(_, o, _) => o.place().is_some_and(|p| all.contains(&p.root)),
            _ => false,
        };
        let apart = self.local(body, rest, &all) && self.local(body, &others, &all);
        let how = How::Branch { id: *id, kept };
        (apart && !assigns.iter().any(of_all)).then_some(how)
    }

    /// The number from outside a loop that a statement of its body replaces.
    fn assigned(&self, body: &Block, s: &Stmt) -> Option<VarId> {
        match &s.kind {
            StmtKind::Assign(p, _, None) if p.is_var() && is_active(s, &self.f.vars) => {
                Some(p.root).filter(|v| self.is_number_outside(*v, body))
            }
            _ => None,
        }
    }

    fn is_number_outside(&self, v: VarId, body: &Block) -> bool {
        let var = &self.f.vars[v];
        let plain = var.hold == Hold::Value && var.alias.is_none() && !var.late;
        plain && var.ty.is_known() && !var.defined.scope.starts_with(&body.scope)
    }

    /// Whether statements of a trip matter to nothing but what the trip defines, and do not read the
    /// variables `m`: where no cotangent arrives, their reverse adds zero to all that they read.
    pub(super) fn local(&self, body: &Block, stmts: &[&Stmt], m: &[VarId]) -> bool {
        let vars = &self.f.vars;
        let own = |v: VarId| vars[v].defined.scope.starts_with(&body.scope);
        let other = |v: VarId| !m.contains(&v);
        let read = |o: &Operand| o.place().is_none_or(|p| other(p.root));
        let block = |b: &Block| {
            let stmts: Vec<&Stmt> = b.stmts.iter().collect();
            b.result.as_ref().is_none_or(read) && self.local(body, &stmts, m)
        };
        let mut active = stmts.iter().filter(|s| is_active(s, vars));
        active.all(|s| match &s.kind {
            StmtKind::Def(_, Rhs::Pop(p)) => own(p.root),
            StmtKind::Def(_, Rhs::GetLate(v)) => own(*v),
            StmtKind::Def(_, rhs) => {
                let changed = |p: &Place| own(p.root) || !vars[p.root].active;
                sources(rhs).into_iter().all(other) && changes(rhs).all(changed)
            }
            StmtKind::Assign(p, o, _) | StmtKind::Push(p, o) | StmtKind::Accum(_, p, o) => {
                own(p.root) && read(o)
            }
            StmtKind::SetLate(v, o) => own(*v) && read(o),
            StmtKind::Branch { .. } | StmtKind::For { .. } | StmtKind::While { .. } => {
                s.blocks().into_iter().all(block)
            }
            StmtKind::Late(..) | StmtKind::Native(_) => true,
        })
    }
}
