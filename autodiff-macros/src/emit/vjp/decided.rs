//! Branches that the reverse pass decides anew.
//!
//! Of `if i != j { … }` in a loop the forward run keeps which arm ran, a byte in each trip. Where the arms keep nothing, and
//! the condition only reads what is there again, the reverse pass asks the condition once more, and the loop has no tape.

use super::Vjp;
use crate::ir::*;
use syn::Expr;

impl Vjp<'_> {
    /// Whether the reverse pass asks the conditions of a branch again.
    pub fn is_decided_again(&self, s: &Stmt) -> bool {
        let StmtKind::Branch {
            head: Head::If(conds),
            arms,
            out,
            ..
        } = &s.kind
        else {
            return false;
        };
        let in_loop = s.point.scope.iter().any(|s| s.is_loop);
        let asked = |c: &Native| {
            let there = c.uses.iter().all(|v| self.is_there_again(*v));
            let asks = self.only_reads(&c.expr, c);
            c.cheap && asks && there && self.f.native_frozen(c, &s.point)
        };
        let keeps_nothing = |a: &Arm| {
            let diverges = a.block.result.as_ref().is_some_and(Operand::diverges);
            !diverges && !chooses(&a.block) && self.record(&a.block).is_empty()
        };
        let again = in_loop && conds.iter().all(asked) && arms.iter().all(keeps_nothing);
        again && !out.is_some_and(|v| self.is_assigned(v))
    }

    /// Whether a variable is given to another: `m = if … { x[i] } else { m };` picks an extremum too.
    fn is_assigned(&self, v: VarId) -> bool {
        let mut all = self.f.body.deep();
        all.any(|s| match &s.kind {
            StmtKind::Assign(to, Operand::Place { place, .. }, _) => {
                to.is_var() && place.is_var() && place.root == v
            }
            _ => false,
        })
    }

    /// Whether an expression names no method or index of the user's, which might count how often it is asked.
    fn only_reads(&self, e: &Expr, c: &Native) -> bool {
        let reads = |e: &Expr| self.only_reads(e, c);
        let list = |e: &Expr| {
            let mut named = c.uses.iter().map(|v| &self.f.vars[*v]);
            let listed = named.find(|v| matches!(e, Expr::Path(p) if p.path.is_ident(&v.name)));
            listed.is_some_and(|v| matches!(v.ty, Ty::Seq(_)))
        };
        match e {
            Expr::Lit(_) | Expr::Path(_) => true,
            Expr::Paren(p) => reads(&p.expr),
            Expr::Group(g) => reads(&g.expr),
            Expr::Unary(u) => reads(&u.expr),
            Expr::Cast(c) => reads(&c.expr),
            Expr::Field(f) => reads(&f.base),
            Expr::Binary(b) => reads(&b.left) && reads(&b.right),
            Expr::Index(i) => list(&i.expr) && reads(&i.index),
            Expr::MethodCall(m) => {
                let length = m.method == "len" || m.method == "is_empty";
                let known = if length {
                    list(&m.receiver)
                } else {
                    reads(&m.receiver)
                };
                known && m.args.iter().all(reads)
            }
            _ => false,
        }
    }

    /// Whether the reverse pass has a variable, whatever else it reads.
    fn is_there_again(&self, v: VarId) -> bool {
        let var = &self.f.vars[v];
        let plain = var.ty.is_copy() && var.hold == Hold::Value && !var.late;
        let outside = var.defined.scope.is_empty() && plain && var.alias.is_none();
        let lent = var.param.is_some_and(|p| {
            let p = &self.f.params[p];
            p.by_ref && !p.by_mut && !p.lent
        });
        var.counter || self.needs.values.contains(&v) || lent || outside && !self.has_checkpoints()
    }

    /// Whether loops run again from what they were, with what they read from outside.
    fn has_checkpoints(&self) -> bool {
        self.f.body.deep().any(|s| s.checkpoint().is_some())
    }
}

/// Whether a block gives a variable another value: such a branch may pick an extremum, whose loop has a tape of its own kind.
fn chooses(b: &Block) -> bool {
    let assigns = |s: &Stmt| matches!(&s.kind, StmtKind::Assign(p, ..) if p.is_var());
    b.stmts.iter().any(assigns)
}
