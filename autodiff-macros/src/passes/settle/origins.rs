//! Where values come from: the copies that were made so far, and the places whose derivative a variable has.

use super::Settle;
use crate::ir::*;
use quote::ToTokens;

/// `let v = place;`, made for the reverse pass.
#[derive(Clone)]
pub(super) struct Copied {
    pub(super) var: VarId,
    pub(super) place: Place,
    pub(super) at: Point,
}

impl Settle<'_> {
    /// The places that the derivative of a place comes from: itself, if nothing else is known.
    pub(super) fn sources(&self, p: &Place) -> Vec<Place> {
        let v = &self.f.vars[p.root];
        if v.made_of.is_empty() || !v.writes.is_empty() {
            return vec![p.clone()];
        }
        match (p.projections.first(), v.made_of.as_slice()) {
            (
                None | Some(Projection::Index(_) | Projection::Range(_) | Projection::Spot(_)),
                all,
            ) => all.to_vec(),
            (Some(_), [whole]) if v.copy => {
                let parts = whole.projections.iter().chain(&p.projections);
                vec![Place {
                    root: whole.root,
                    projections: parts.cloned().collect(),
                    ..p.clone()
                }]
            }
            // The field of a struct may be constant, whatever the others are.
            _ => vec![p.clone()],
        }
    }

    /// Notes where the derivative of a variable comes from.
    pub(super) fn note_sources(&mut self, v: VarId, rhs: &Rhs) {
        let var = &self.f.vars[v];
        if !var.made_of.is_empty() || !var.writes.is_empty() {
            return;
        }
        let places: Vec<&Place> = match rhs {
            Rhs::Snapshot(p) => vec![p],
            Rhs::Struct(s) if s.base.is_some() => return,
            rhs => rhs
                .operands()
                .into_iter()
                .filter_map(Operand::place)
                .collect(),
        };
        let active = places.into_iter().filter(|p| self.f.vars[p.root].active);
        let mut made_of: Vec<Place> = Vec::new();
        for p in active.flat_map(|p| self.sources(p)) {
            if !made_of.iter().any(|q| same_place(q, &p)) {
                made_of.push(p);
            }
        }
        let var = &mut self.f.vars[v];
        var.copy = matches!(rhs, Rhs::Snapshot(_) | Rhs::Copy(_));
        // As many as a tuple can have.
        if made_of.len() <= 12 {
            var.made_of = made_of;
        }
    }

    /// The copy of a number that still is what the place holds: one value is kept once.
    pub(super) fn copied(&self, place: &Place, point: &Point) -> Option<VarId> {
        self.found(&self.copies, place, point)
    }

    /// The one of these copies that still is what the place holds.
    pub(super) fn found(&self, copies: &[Copied], place: &Place, point: &Point) -> Option<VarId> {
        found(&self.f.vars, copies, place, point)
    }

    pub(super) fn note_copy(&mut self, var: VarId, place: &Place, at: &Point) {
        let v = &self.f.vars[var];
        let fixed = v.writes.is_empty() && v.hold == Hold::Value && !v.late;
        let copied = || {
            let whole = self.f.vars[place.root].part(&place.projections);
            whole.is_some_and(|t| t.is_copy())
        };
        // Values that are not copied may be moved at their first use.
        if fixed && v.ty == place.ty && (v.ty.is_float() || copied()) {
            self.copies.push(Copied {
                var,
                place: place.clone(),
                at: at.clone(),
            });
        }
    }
}

/// The one of these copies that still is what the place holds.
pub(super) fn found(
    vars: &[Var],
    copies: &[Copied],
    place: &Place,
    point: &Point,
) -> Option<VarId> {
    let same = |c: &&Copied| {
        let unchanged = |v: VarId| {
            vars[v].writes.iter().all(|w| {
                let between = c.at.pos <= w.pos && w.pos < point.pos;
                // A loop around this point alone comes back to it after its other writes.
                let repeated = point
                    .scope
                    .iter()
                    .any(|s| s.is_loop && !c.at.scope.contains(s) && w.scope.contains(s));
                !between && !repeated
            })
        };
        same_place(&c.place, place) && unchanged(place.root) && place.index_uses().all(unchanged)
    };
    copies.iter().rev().find(same).map(|c| c.var)
}

/// Whether two places are written alike.
fn same_place(a: &Place, b: &Place) -> bool {
    let index = |n: &Native| n.expr.to_token_stream().to_string();
    let alike = |(x, y): (&Projection, &Projection)| match (x, y) {
        (Projection::Field(x), Projection::Field(y)) => x == y,
        (Projection::Index(x), Projection::Index(y)) => index(x) == index(y),
        (Projection::Spot(x), Projection::Spot(y)) => index(&x.index) == index(&y.index),
        (Projection::Deref, Projection::Deref) => true,
        _ => false,
    };
    a.root == b.root
        && a.ty == b.ty
        && a.projections.len() == b.projections.len()
        && a.projections.iter().zip(&b.projections).all(alike)
}
