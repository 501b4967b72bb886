//! Copies before loops: `for i in 0..n { f[i] = force(&x, i); }`.
//!
//! The reverse pass lends `x` to each call again. If the loop does not change `x`, and something behind it does, all calls read one
//! copy, made before the loop.

use crate::ir::*;
use quote::ToTokens;
use std::collections::HashMap;

/// Takes copies for calls out of the loops that do not change what is copied.
pub fn before_loops(f: &mut Func) {
    let mut body = std::mem::take(&mut f.body);
    let mut hoist = Hoist {
        vars: &mut f.vars,
        same: HashMap::new(),
    };
    hoist.block(&mut body);
    let same = hoist.same;
    body.each_mut(&mut |s| {
        if let StmtKind::Def(_, rhs) = &mut s.kind {
            for a in rhs.arguments_mut() {
                a.snapshot = a.snapshot.map(|v| same.get(&v).copied().unwrap_or(v));
            }
        }
    });
    f.body = body;
}

struct Hoist<'a> {
    vars: &'a mut Vec<Var>,
    /// Copies of what another one before the same loops is a copy of.
    same: HashMap<VarId, VarId>,
}

impl Hoist<'_> {
    fn block(&mut self, b: &mut Block) {
        let mut out: Vec<Stmt> = Vec::new();
        for mut s in std::mem::take(&mut b.stmts) {
            s.blocks_mut().into_iter().for_each(|b| self.block(b));
            for mut copy in self.out_of(&mut s) {
                copy.point = s.point.clone();
                let StmtKind::Def(v, Rhs::Snapshot(place)) = &copy.kind else {
                    continue;
                };
                let (v, place) = (*v, place.clone());
                match self.made_before(&out, &place, &copy.point) {
                    Some(first) => drop(self.same.insert(v, first)),
                    None => {
                        self.vars[v].defined = copy.point.clone();
                        out.push(copy);
                    }
                }
            }
            out.push(s);
        }
        b.stmts = out;
    }

    /// What comes out of a loop.
    fn out_of(&self, s: &mut Stmt) -> Vec<Stmt> {
        let mut found = Vec::new();
        let kept = s.checkpoint().is_some();
        if let (false, StmtKind::For { body, .. } | StmtKind::While { body, .. }) =
            (kept, &mut s.kind)
        {
            if let Some(id) = body.scope.last().copied() {
                self.take(body, id, &mut found);
            }
        }
        found
    }

    /// Takes the copies out of a block of a loop; those in a loop inside had to stay there.
    fn take(&self, b: &mut Block, of: ScopeId, found: &mut Vec<Stmt>) {
        let (out, rest) = std::mem::take(&mut b.stmts)
            .into_iter()
            .partition(|s| self.comes_out(s, of));
        b.stmts = rest;
        found.extend::<Vec<Stmt>>(out);
        for s in &mut b.stmts {
            if let StmtKind::Branch { arms, .. } = &mut s.kind {
                for a in arms {
                    self.take(&mut a.block, of, found);
                }
            }
        }
    }

    fn comes_out(&self, s: &Stmt, of: ScopeId) -> bool {
        let StmtKind::Def(v, Rhs::Snapshot(place)) = &s.kind else {
            return false;
        };
        let (copy, root) = (&self.vars[*v], &self.vars[place.root]);
        let field = |p: &Projection| matches!(p, Projection::Field(_));
        let within = |p: &Point| p.scope.contains(&of);
        copy.kept_for == Some(KeptFor::Calls)
            && root.alias.is_none()
            && !root.late
            && place.projections.iter().all(field)
            && !within(&root.defined)
            && !root.writes.iter().any(within)
    }

    /// A copy of the same in the block, which has not changed since.
    fn made_before(&self, stmts: &[Stmt], place: &Place, at: &Point) -> Option<VarId> {
        let text = |p: &Place| {
            let fields = p.projections.iter().map(|p| match p {
                Projection::Field(member) => member.to_token_stream().to_string(),
                _ => String::new(),
            });
            (p.root, fields.collect::<Vec<_>>())
        };
        let writes = &self.vars[place.root].writes;
        stmts.iter().rev().find_map(|s| match &s.kind {
            StmtKind::Def(v, Rhs::Snapshot(p))
                if self.vars[*v].kept_for == Some(KeptFor::Calls) && text(p) == text(place) =>
            {
                let changed = writes
                    .iter()
                    .any(|w| s.point.pos <= w.pos && w.pos <= at.pos);
                (!changed).then_some(*v)
            }
            _ => None,
        })
    }
}
