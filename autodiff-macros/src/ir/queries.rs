//! What defines a variable, where its value stays what it was, and which places may be the same.

use super::{Block, Func, Hold, Native, Place, Point, Projection, Rhs, StmtKind, VarId};
use syn::Expr;

impl Block {
    /// What defines a variable, here or in a block inside.
    pub fn definition(&self, v: VarId) -> Option<&Rhs> {
        self.stmts.iter().find_map(|s| match &s.kind {
            StmtKind::Def(w, rhs) if *w == v => Some(rhs),
            _ => s.blocks().into_iter().find_map(|b| b.definition(v)),
        })
    }
}

impl Rhs {
    /// An inactive `&place`: borrowed again where it is needed, since what it borrows may move.
    pub fn borrowed(&self) -> Option<&Native> {
        match self {
            Rhs::Native(n) => match &n.expr {
                Expr::Reference(r) if r.mutability.is_none() && n.cheap => Some(n),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Func {
    /// The function with nothing to differentiate.
    pub fn inactive(&self) -> Func {
        let mut plain = self.clone();
        plain.vars.iter_mut().for_each(|v| v.active = false);
        plain
    }

    /// The place that is all of a variable.
    pub fn whole(&self, v: VarId) -> Place {
        Place {
            root: v,
            projections: Vec::new(),
            ty: self.vars[v].ty.clone(),
            span: self.vars[v].name.span(),
        }
    }

    /// Whether `var`, read at `at`, still has that value when the function has returned.
    ///
    /// True when no write can follow: every write comes earlier, and no loop around both repeats
    /// it (a loop that also encloses the definition makes a new variable each time).
    pub fn frozen(&self, var: VarId, at: &Point) -> bool {
        let v = &self.vars[var];
        // The caller may write once the function has returned.
        v.hold != Hold::Mut
            && v.writes.iter().all(|w| {
                w.pos < at.pos
                    && !w
                        .scope
                        .iter()
                        .any(|s| s.is_loop && at.scope.contains(s) && !v.defined.scope.contains(s))
            })
    }

    pub fn native_frozen(&self, n: &Native, at: &Point) -> bool {
        n.uses.iter().all(|v| self.frozen(*v, at))
    }

    /// Whether the place itself (not the value in it) can be named again in the reverse pass.
    pub fn indices_frozen(&self, p: &Place, at: &Point) -> bool {
        p.index_uses().all(|v| self.frozen(v, at))
    }

    pub fn place_frozen(&self, p: &Place, at: &Point) -> bool {
        self.frozen(p.root, at) && self.indices_frozen(p, at)
    }
}

/// Whether two places may be the same memory: fields of different name never are.
pub fn overlap(a: &Place, b: &Place) -> bool {
    if a.root != b.root {
        return false;
    }
    for (x, y) in a.projections.iter().zip(&b.projections) {
        match (x, y) {
            (Projection::Field(x), Projection::Field(y)) if x != y => return false,
            (Projection::Field(_), Projection::Field(_)) => {}
            _ => return true,
        }
    }
    true
}
