//! What is computed twice is computed once, and what nothing reads is not computed.
//!
//! Of operations on tensors that go element by element, repeated ones are found in each region.

use super::{element, tensors, uses, Fuser};
use crate::ir::region::{Node, Value};
use crate::ir::*;

/// Removes operations on tensors whose result nothing reads, here and inside.
pub fn dead(f: &mut Func, known: &[bool]) {
    loop {
        let uses = uses::count(f);
        let mut body = std::mem::take(&mut f.body);
        let removed = body.retain(&|s| match &s.kind {
            StmtKind::Def(v, rhs) => {
                let dead = known[*v] && uses[*v] == 0;
                !(f.vars[*v].is_plain() && dead && is_pure(rhs))
            }
            _ => true,
        });
        f.body = body;
        if !removed {
            return;
        }
    }
}

/// Whether an operation only computes.
fn is_pure(rhs: &Rhs) -> bool {
    let cheap = |o: &&Operand| match o {
        Operand::Native(n) => n.cheap,
        Operand::Place { .. } => true,
    };
    let known = match rhs {
        Rhs::Method { name, .. } => tensors::is_method(&name.to_string()) && name != "dropout",
        _ => false,
    };
    (known || element::of(rhs).is_some()) && rhs.operands().iter().all(cheap)
}

impl Fuser<'_> {
    /// Replaces an operation that stands earlier in the block by its value.
    pub(super) fn repeated(&self, b: &mut Block) {
        for inner in b.stmts.iter_mut().flat_map(Stmt::blocks_mut) {
            self.repeated(inner);
        }
        for at in 1..b.stmts.len() {
            let Some((_, text)) = self.computed(&b.stmts[at]) else {
                continue;
            };
            let same = |i: &usize| {
                let first = self.computed(&b.stmts[*i]).filter(|(_, t)| *t == text);
                first.is_some_and(|(w, _)| {
                    self.still(b, *i, at) && self.stays(&b.stmts[*i + 1..at], w)
                })
            };
            let Some((w, _)) = (0..at).find(same).and_then(|i| self.computed(&b.stmts[i])) else {
                continue;
            };
            let (ty, span) = (self.f.vars[w].ty.clone(), b.stmts[at].span);
            if let StmtKind::Def(_, rhs) = &mut b.stmts[at].kind {
                *rhs = Rhs::Snapshot(Place::whole(w, ty, span));
            }
        }
    }

    /// The variable that an operation which is not elementwise defines, and the operation as text.
    fn computed(&self, s: &Stmt) -> Option<(VarId, String)> {
        let StmtKind::Def(v, rhs @ Rhs::Method { .. }) = &s.kind else {
            return None;
        };
        // The shape that these give follows from where it goes: the same text may be two shapes.
        let by_context =
            matches!(rhs, Rhs::Method { name, .. } if name == "reshape" || name == "rename");
        let fits = self.f.vars[*v].is_plain() && self.known[*v] && is_pure(rhs);
        (fits && !by_context && element::of(rhs).is_none())
            .then(|| (*v, self.code().forward(rhs, s.span).to_string()))
    }

    /// Whether a value is not moved away by statements.
    fn stays(&self, stmts: &[Stmt], w: VarId) -> bool {
        stmts.iter().all(|s| match &s.kind {
            StmtKind::Def(_, rhs) => {
                let receiver = match rhs {
                    Rhs::Method { .. } => 1,
                    _ => 0,
                };
                let moved = |o: &&Operand| matches!(o, Operand::Place { place, by_ref: false } if place.root == w);
                let native = |o: &Operand| matches!(o, Operand::Native(n) if n.uses.contains(&w));
                let operands = rhs.operands();
                !operands.iter().skip(receiver).any(moved) && !operands.into_iter().any(native)
                    && !matches!(rhs, Rhs::Native(n) if n.uses.contains(&w))
            }
            _ => !uses::any(self.f, [s], w),
        })
    }
}

/// The same operations of the same operands once.
pub fn distinct(nodes: Vec<Node>) -> Vec<Node> {
    let mut out: Vec<Node> = Vec::new();
    let mut now = Vec::new();
    for mut n in nodes {
        for o in &mut n.operands {
            if let Value::Node(i) = o {
                *i = now[*i];
            }
        }
        let at = out.iter().position(|m| *m == n);
        now.push(at.unwrap_or(out.len()));
        if at.is_none() {
            out.push(n);
        }
    }
    out
}
