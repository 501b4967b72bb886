//! Moves instead of copies, where a value dies in the forward run.
//!
//! The witness of a vector that grows is taken at the end of its block, so that the vector has to be there. Where one statement
//! takes it whole and nothing names it afterwards, the witness is taken before that statement, and the vector moves.
//!
//! ```text
//! let v1 = __out.to_owned();               let w___out = __out.__wit();
//! let s = State { x: v1 };                 let v1 = __out;
//! let w___out = __out.__wit();             let s = State { x: v1 };
//! ```
//!
//! What a variant holds is copied out of it, unless nothing names the enum afterwards: `let lu = factor(&a)?;`.
//!
//! A value may die in a branch: what follows an early `return` stands in one. Outside of the branch it is known that nothing
//! names the value behind it ([`Var::dies`]); inside, which statement is the last.

use super::straight::mentions;
use super::Vjp;
use crate::ir::*;
use crate::syntax::identifiers;
use proc_macro2::TokenStream;
use std::cell::OnceCell;
use std::collections::HashSet;

/// What each statement of a block names, and its value: found out where something may move.
type Names = OnceCell<Vec<HashSet<String>>>;

impl Vjp<'_> {
    /// The forward run of a block.
    pub(super) fn fwd_block(&self, b: &Block) -> TokenStream {
        let vars = self.f.vars.iter().enumerate();
        let outer: Vec<VarId> = vars.filter(|(_, v)| v.dies).map(|(v, _)| v).collect();
        let mut out = TokenStream::new();
        let (mut moved, names) = (Vec::new(), Names::new());
        for (k, s) in b.stmts.iter().enumerate() {
            let taken = if self.moves { taken(s) } else { Vec::new() };
            let dying = self.dying(b, k, &taken, &outer, &names);
            let is_loop = matches!(s.kind, StmtKind::For { .. } | StmtKind::While { .. });
            let may_take = is_loop || taken.iter().any(|(v, _)| outer.contains(v));
            if dying.is_empty() && (outer.is_empty() || !may_take) {
                out.extend(self.fwd(s));
                continue;
            }
            let mut f = self.f.clone();
            outer.iter().for_each(|v| f.vars[*v].dies = false);
            for v in dying {
                let witness = f.vars[v].grows && self.needs.witnesses.contains(&v);
                if witness && !outer.contains(&v) {
                    out.extend(self.define_witness(v));
                }
                f.vars[v].dies = true;
                moved.push(v);
            }
            if let StmtKind::Def(copy, Rhs::Snapshot(p)) = &s.kind {
                f.vars[*copy].moved |= p.is_var() && f.vars[p.root].dies;
            }
            out.extend(self.within(&f).fwd(s));
        }
        for s in &b.stmts {
            if let StmtKind::Def(v, _) = &s.kind {
                let grows = self.f.vars[*v].grows && !moved.contains(v);
                if grows && self.needs.witnesses.contains(v) {
                    out.extend(self.define_witness(*v));
                }
            }
        }
        out
    }

    /// Of the variables that a statement takes, or a statement inside, those that nothing names afterwards. `outer` are those
    /// that nothing names behind this block.
    fn dying(
        &self,
        b: &Block,
        k: usize,
        taken: &[(VarId, bool)],
        outer: &[VarId],
        names: &Names,
    ) -> Vec<VarId> {
        let s = &b.stmts[k];
        let copied = |(v, copied): &&(VarId, bool)| *copied || self.f.vars[*v].grows;
        let mut taken: Vec<VarId> = taken.iter().filter(copied).map(|t| t.0).collect();
        taken.sort_unstable();
        taken.dedup();
        taken.retain(|v| outer.contains(v) || self.may_move(b, k, *v));
        if taken.is_empty() {
            return taken;
        }
        match s.blocks().is_empty() {
            true => {
                let flow = s.flow();
                let named: Vec<VarId> = flow.variables().collect();
                taken.retain(|v| named.iter().filter(|u| *u == v).count() <= 1);
            }
            false => taken.retain(|v| self.stays_in(s, *v)),
        }
        if taken.is_empty() {
            return taken;
        }
        let later = &names.get_or_init(|| self.named_in(b))[k + 1..];
        let named = |v: VarId| {
            let name = self.f.vars[v].name.to_string();
            later.iter().any(|names| names.contains(&name))
        };
        taken.retain(|v| !named(*v));
        taken
    }

    /// What each statement of a block names, and its value.
    fn named_in(&self, b: &Block) -> Vec<HashSet<String>> {
        // To ask the blocks inside for their moves would double the work with each block around.
        let plain = Vjp {
            moves: false,
            ..*self
        };
        let stmts = b.stmts.iter().map(|s| plain.fwd(s));
        let result = b.result.iter().map(|o| plain.result_value(b, o));
        let names_of = |code| {
            let mut names = Vec::new();
            identifiers(code, &mut names);
            names.into_iter().collect()
        };
        stmts.chain(result).map(names_of).collect()
    }

    /// Whether a variable is a value of this block that the reverse pass does not read.
    fn may_move(&self, b: &Block, k: usize, v: VarId) -> bool {
        let var = &self.f.vars[v];
        let plain = var.hold == Hold::Value && var.alias.is_none() && !var.late && !var.by_name;
        let kept = self.needs.values.contains(&v) || self.f.lent.contains(&v);
        let defined = |s: &Stmt| match &s.kind {
            StmtKind::Def(d, _) | StmtKind::Branch { out: Some(d), .. } => *d == v,
            _ => false,
        };
        let here = || b.stmts[..k].iter().any(defined);
        plain && !kept && here() && !self.is_lent(&b.stmts, v)
    }

    /// Whether one of these statements defines a reference to a variable or to a part of it.
    fn is_lent(&self, stmts: &[Stmt], v: VarId) -> bool {
        stmts.iter().any(|s| {
            let lent = match &s.kind {
                StmtKind::Def(r, _) if self.f.vars[*r].hold.is_reference() => {
                    s.flow().variables().any(|u| u == v)
                }
                _ => false,
            };
            let mut inside = s.blocks().into_iter();
            lent || inside.any(|b| self.is_lent(&b.stmts, v))
        })
    }

    /// Whether a branch leaves a variable as it is, until it is taken, and its patterns borrow nothing of it.
    fn stays_in(&self, s: &Stmt, v: VarId) -> bool {
        if let StmtKind::Branch { head, arms, .. } = &s.kind {
            let mut natives = head.natives().iter();
            let named = natives.any(|n| n.uses.contains(&v));
            let takes = |a: &Arm| taken_in(&a.block).any(|(u, _)| u == v);
            let free = |a: &Arm| !takes(a) || binds_nothing(&a.pattern);
            if named && !(borrows_whole(head) && arms.iter().all(free)) {
                return false;
            }
        }
        let unchanged = |s: &Stmt| {
            let flow = s.flow();
            let name = &self.f.vars[v].name;
            let as_written = flow.written.iter().any(|t| mentions(t, name));
            let changed = flow.passes.iter().any(|p| p.to.contains(&v));
            !as_written && !changed && flow.target.is_none_or(|p| p.root != v)
        };
        let mut inside = s.blocks().into_iter();
        inside.all(|b| b.stmts.iter().all(|s| unchanged(s) && self.stays_in(s, v)))
    }
}

/// The variables that a statement takes by value, or of which it takes what a variant holds, and whether it copies them also
/// if they do not grow.
fn taken(s: &Stmt) -> Vec<(VarId, bool)> {
    let operands = match &s.kind {
        StmtKind::Def(_, Rhs::Snapshot(p)) => {
            let taken = taken_place(p).map(|(v, _)| (v, true));
            return taken.into_iter().collect();
        }
        StmtKind::Def(_, rhs) => rhs.operands(),
        StmtKind::Assign(_, o, _) | StmtKind::Push(_, o) | StmtKind::SetLate(_, o) => vec![o],
        StmtKind::Branch { arms, .. } => {
            return arms.iter().flat_map(|a| taken_in(&a.block)).collect();
        }
        _ => return Vec::new(),
    };
    operands.into_iter().filter_map(taken_operand).collect()
}

fn taken_in(b: &Block) -> impl Iterator<Item = (VarId, bool)> + '_ {
    let result = b.result.iter().filter_map(taken_operand);
    b.stmts.iter().flat_map(taken).chain(result)
}

fn taken_operand(o: &Operand) -> Option<(VarId, bool)> {
    match o {
        Operand::Place {
            place,
            by_ref: false,
        } => taken_place(place),
        _ => None,
    }
}

fn taken_place(p: &Place) -> Option<(VarId, bool)> {
    let inside = matches!(p.projections.as_slice(), [Projection::Variant(..)]);
    (!p.ty.is_copy() && (p.is_var() || inside)).then_some((p.root, inside))
}

/// `match x` or `match &x`
fn borrows_whole(head: &Head) -> bool {
    let Head::Match(value) = head else {
        return false;
    };
    match &value.expr {
        syn::Expr::Reference(r) => matches!(&*r.expr, syn::Expr::Path(_)),
        e => matches!(e, syn::Expr::Path(_)),
    }
}

/// Whether a pattern has no names for what it matches.
fn binds_nothing(pattern: &TokenStream) -> bool {
    use syn::parse::Parser;
    struct Names(bool);
    impl syn::visit::Visit<'_> for Names {
        fn visit_pat_ident(&mut self, p: &syn::PatIdent) {
            // `None` is a name of a variant.
            self.0 |= !p.ident.to_string().starts_with(char::is_uppercase);
        }
    }
    let Ok(pattern) = syn::Pat::parse_multi_with_leading_vert.parse2(pattern.clone()) else {
        return false;
    };
    let mut names = Names(false);
    syn::visit::Visit::visit_pat(&mut names, &pattern);
    !names.0
}
