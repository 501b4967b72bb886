//! What a loop with `#[checkpoint]` keeps.

use crate::ir::is_active;
use crate::ir::*;
use crate::passes::fuse::uses;
use syn::Expr;

/// Finds the state of every such loop, and what else it reads.
pub fn analyse(f: &mut Func) {
    let mut all = std::mem::take(&mut f.body);
    all.each_mut(&mut |s| {
        let active = is_active(s, &f.vars);
        let point = s.point.clone();
        match &mut s.kind {
            StmtKind::For {
                body,
                checkpoint: Some(c),
                ..
            }
            | StmtKind::While {
                body,
                checkpoint: Some(c),
                ..
            } if active => of_loop(f, c, body, &point),
            _ => {}
        }
    });
    f.body = all;
}

fn of_loop(f: &Func, c: &mut Checkpoint, body: &Block, point: &Point) {
    let outside = |v: &VarId| {
        let var = &f.vars[*v];
        let before = var.defined.pos <= point.pos && point.scope.starts_with(&var.defined.scope);
        var.param.is_some() || before && !var.defined.scope.starts_with(&body.scope)
    };
    let changes = |v: VarId| f.vars[v].mutable || f.vars[v].hold == Hold::Mut || f.vars[v].late;
    let changed_inside = |v: &VarId| {
        let inside = |w: &Point| w.scope.starts_with(&body.scope);
        changes(*v) && f.vars[*v].alias.is_none() && f.vars[*v].writes.iter().any(inside)
    };
    c.state = (0..f.vars.len())
        .filter(outside)
        .filter(changed_inside)
        .collect();
    let mut read = uses::named(f, &[&c.primal, body]);
    let mut all = read.clone();
    // What is defined anew reads in turn.
    while let Some(v) = read.pop() {
        for used in f.redefined(v).into_iter().flat_map(|n| n.uses.clone()) {
            if !all.contains(&used) {
                all.push(used);
                read.push(used);
            }
        }
    }
    all.retain(|v| outside(v) && !c.state.contains(v));
    all.sort_unstable();
    all.dedup();
    let again = |v: VarId| changes(v) && !f.frozen(v, point);
    (c.entry, c.reads) = all.into_iter().partition(|v| again(*v));
}

impl Checkpoint {
    /// Whether the loop names a variable from outside.
    pub fn names(&self, v: VarId) -> bool {
        [&self.state, &self.entry, &self.reads]
            .iter()
            .any(|all| all.contains(&v))
    }

    /// What the loop reads as it is when all has run.
    pub fn kept<'a>(&'a self, f: &'a Func) -> impl Iterator<Item = VarId> + 'a {
        let reads = self.reads.iter().copied();
        reads.filter(|v| f.redefined(*v).is_none())
    }
}

impl Func {
    /// The value of a variable that cannot leave the forward run, and is made once more in the reverse
    /// pass: a closure, or a reference.
    pub fn redefined(&self, v: VarId) -> Option<&Native> {
        let var = &self.vars[v];
        if var.mutable || var.alias.is_some() || var.param.is_some() {
            return None;
        }
        let Some(Rhs::Native(n)) = self.body.definition(v) else {
            return None;
        };
        Some(n).filter(|n| matches!(n.expr, Expr::Closure(_) | Expr::Reference(_)))
    }
}
