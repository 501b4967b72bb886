//! What defines a variable, where its value stays what it was, and which places may be the same.

use super::{
    sources, Block, Func, Hold, Native, Place, Point, Projection, Rhs, Stmt, StmtKind, Ty, Typed,
    Var, VarId,
};
use syn::{Expr, Member};

impl Block {
    /// What defines a variable, here or in a block inside.
    pub fn definition(&self, v: VarId) -> Option<&Rhs> {
        self.deep().find_map(|s| match &s.kind {
            StmtKind::Def(w, rhs) if *w == v => Some(rhs),
            _ => None,
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

impl Var {
    /// The type of a part, where definitions in the file tell it.
    pub fn part(&self, projections: &[Projection]) -> Option<Typed> {
        let (mut typed, projections) = match (&self.whole, projections) {
            (None, [Projection::Field(Member::Unnamed(k)), inside @ ..]) => {
                (self.parts.get(k.index as usize)?.clone()?, inside)
            }
            (whole, all) => (whole.clone()?, all),
        };
        for p in projections {
            typed = match p {
                Projection::Field(member) => typed.field(member)?,
                Projection::Index(_) => typed.entry()?,
                Projection::Range(_) => {
                    typed.entry()?;
                    typed
                }
                Projection::Deref => typed.inside()?,
                Projection::Variant(variant, member) => typed.variant(variant, member)?,
                Projection::Spot(_) => return None,
            };
        }
        Some(typed)
    }

    /// What is known of a part, where its own type is not written.
    pub fn part_ty(&self, projections: &[Projection]) -> Ty {
        let typed = self.part(projections);
        typed.and_then(|t| t.numbers()).unwrap_or(Ty::Unknown)
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
        Place::whole(v, self.vars[v].ty.clone(), self.vars[v].name.span())
    }

    /// Whether `var`, read at `at`, still has that value when the function has returned.
    ///
    /// True when no write can follow: every write comes earlier, and no loop around both repeats
    /// it (a loop that also encloses the definition makes a new variable each time). What borrows a place is borrowed
    /// again there, and has what the place has by then.
    pub fn frozen(&self, var: VarId, at: &Point) -> bool {
        let v = &self.vars[var];
        if let Some(place) = v.alias.as_ref().filter(|p| p.root != var) {
            if !self.place_frozen(place, at) {
                return false;
            }
        }
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

/// Whether two places are in different fields of entries that may be the same. Rust lends neither while the other is lent: it does
/// not look into an index.
pub fn fields_differ(a: &Place, b: &Place) -> bool {
    for pair in a.projections.iter().zip(&b.projections) {
        match pair {
            (Projection::Field(x), Projection::Field(y)) if x != y => return true,
            (Projection::Field(_), Projection::Field(_)) => {}
            (Projection::Index(_), Projection::Index(_)) => {}
            _ => return false,
        }
    }
    false
}

/// Whether an inactive argument is a reference, as far as its syntax tells.
pub fn is_reference(n: &Native, f: &Func) -> bool {
    match &n.expr {
        syn::Expr::Reference(_) => true,
        syn::Expr::MethodCall(m) => m.method == "as_slice",
        syn::Expr::Path(_) => n
            .uses
            .first()
            .is_some_and(|v| f.vars[*v].hold.is_reference()),
        syn::Expr::Lit(l) => matches!(l.lit, syn::Lit::Str(_)),
        syn::Expr::Paren(p) => is_reference(
            &Native {
                expr: (*p.expr).clone(),
                ..n.clone()
            },
            f,
        ),
        _ => false,
    }
}

/// Whether the reverse pass has something to do for a statement.
pub fn is_active(s: &Stmt, vars: &[Var]) -> bool {
    match &s.kind {
        StmtKind::Def(v, rhs) => vars[*v].active && sources(rhs).iter().any(|v| vars[*v].active),
        StmtKind::Assign(p, ..) | StmtKind::Push(p, _) => vars[p.root].active,
        // `+=` of a user's type need not be linear in what was there.
        StmtKind::Accum(_, p, o) => {
            let other = o.place().is_some_and(|q| vars[q.root].active);
            vars[p.root].active && (other || !p.ty.is_float())
        }
        StmtKind::Branch { arms, out, .. } => {
            out.is_some_and(|v| vars[v].active) || arms.iter().any(|a| block_active(&a.block, vars))
        }
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => block_active(body, vars),
        StmtKind::SetLate(v, o) => {
            vars[*v].active && o.place().is_some_and(|q| vars[q.root].active)
        }
        StmtKind::Late(..) | StmtKind::Native(_) => false,
    }
}

pub fn block_active(b: &Block, vars: &[Var]) -> bool {
    b.stmts.iter().any(|s| is_active(s, vars))
}
