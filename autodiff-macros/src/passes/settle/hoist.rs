//! Copies before loops: `for i in 0..n { f[i] = force(&x, i); }`.
//!
//! The reverse pass lends `x` to each call again. If the loop does not change `x`, and something behind it does, all calls read one
//! copy, made before the loop.

use super::origins::{found, Copied};
use crate::ir::*;
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
    vars: &'a mut [Var],
    /// Copies of what another one before the same loops is a copy of.
    same: HashMap<VarId, VarId>,
}

impl Hoist<'_> {
    fn block(&mut self, b: &mut Block) {
        let mut out: Vec<Stmt> = Vec::new();
        let mut made: Vec<Copied> = Vec::new();
        for mut s in std::mem::take(&mut b.stmts) {
            s.blocks_mut().into_iter().for_each(|b| self.block(b));
            for (var, place, copy) in self.out_of(&mut s) {
                let at = s.point.clone();
                if let Some(first) = found(self.vars, &made, &place, &at) {
                    self.same.insert(var, first);
                    continue;
                }
                self.vars[var].defined = at.clone();
                out.push(Stmt {
                    point: at.clone(),
                    ..copy
                });
                made.push(Copied { var, place, at });
            }
            out.push(s);
        }
        b.stmts = out;
    }

    /// The copies that come out of a loop, and of what they are copies.
    fn out_of(&self, s: &mut Stmt) -> Vec<(VarId, Place, Stmt)> {
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
    fn take(&self, b: &mut Block, of: ScopeId, found: &mut Vec<(VarId, Place, Stmt)>) {
        for mut s in std::mem::take(&mut b.stmts) {
            match &mut s.kind {
                StmtKind::Def(v, Rhs::Snapshot(place)) if self.comes_out(*v, place, of) => {
                    found.push((*v, place.clone(), s));
                    continue;
                }
                StmtKind::Branch { arms, .. } => {
                    for a in arms {
                        self.take(&mut a.block, of, found);
                    }
                }
                _ => {}
            }
            b.stmts.push(s);
        }
    }

    fn comes_out(&self, copy: VarId, place: &Place, of: ScopeId) -> bool {
        let root = &self.vars[place.root];
        let field = |p: &Projection| matches!(p, Projection::Field(_));
        let within = |p: &Point| p.scope.contains(&of);
        self.vars[copy].kept_for == Some(KeptFor::Calls)
            && root.alias.is_none()
            && !root.late
            && place.projections.iter().all(field)
            && !within(&root.defined)
            && !root.writes.iter().any(within)
    }
}
