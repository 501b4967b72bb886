//! Room on tapes before the loops that fill them.
//!
//! The trips of a loop over a range are known when it starts. Where they are known even before the
//! loops around it start, the product of all of them is reserved there, so that a tape never grows: its entries are put on it
//! by `push_reserved`.

use super::Vjp;
use crate::ir::is_active;
use crate::ir::*;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Expr;

/// A loop that runs all of its range, which has an end.
#[derive(Clone, Copy)]
struct Trips<'a> {
    id: usize,
    range: &'a Native,
    body: &'a Block,
}

/// Room for one tape.
struct Room {
    /// The loop before which it is made.
    site: usize,
    tape: usize,
    /// How often each of the loops from there to the tape's own runs.
    factors: Vec<TokenStream>,
}

impl Vjp<'_> {
    /// Makes room before the loop `id`, whose range is `__trips`.
    pub(super) fn reserve(&self, id: usize) -> Option<TokenStream> {
        let mut rooms = Vec::new();
        self.rooms(&self.f.body, &mut Vec::new(), &mut rooms);
        let calls: Vec<TokenStream> = rooms
            .into_iter()
            .filter(|room| room.site == id)
            .map(|room| {
                let (tape, inner) = (self.tape(room.tape), &room.factors);
                quote!(#tape.reserve(ad::trips(&__trips)#(.saturating_mul(#inner))*);)
            })
            .collect();
        (!calls.is_empty()).then(|| quote!(#(#calls)*))
    }

    fn rooms<'b>(&'b self, b: &'b Block, around: &mut Vec<Trips<'b>>, out: &mut Vec<Room>) {
        for s in &b.stmts {
            match &s.kind {
                StmtKind::For {
                    var,
                    range,
                    body,
                    exit: None,
                    id,
                    ..
                } => {
                    let this = Trips {
                        id: *id,
                        range,
                        body,
                    };
                    if s.checkpoint().is_some() {
                        self.rooms(body, &mut Vec::new(), out);
                        continue;
                    }
                    let active = is_active(s, &self.f.vars);
                    if active && self.extremum(body, *var).is_some() {
                        // Of most of its trips nothing is kept.
                        self.rooms(body, &mut Vec::new(), out);
                        continue;
                    }
                    if active && !self.loop_record(body, None).is_empty() {
                        out.push(self.room(this, around));
                    }
                    around.push(this);
                    self.rooms(body, around, out);
                    around.pop();
                }
                StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                    self.rooms(body, &mut Vec::new(), out);
                }
                StmtKind::Branch { arms, .. } => {
                    let inside = |a: &'b Arm| self.rooms(&a.block, &mut Vec::new(), out);
                    arms.iter().for_each(inside);
                }
                _ => {}
            }
        }
    }

    /// Goes outwards as long as the number of trips is known there already.
    fn room(&self, this: Trips<'_>, around: &[Trips<'_>]) -> Room {
        let mut room = Room {
            site: this.id,
            tape: this.id,
            factors: Vec::new(),
        };
        let mut inner = vec![this];
        for outer in around.iter().rev() {
            if !inner.iter().all(|t| self.known_before(t.range, outer)) {
                break;
            }
            let e = &inner[inner.len() - 1].range.expr;
            room.factors.push(quote!(ad::trips(&(#e))));
            room.site = outer.id;
            inner.push(*outer);
        }
        room
    }

    /// Whether a range is the same before a loop as in it, and is evaluated there without a panic.
    fn known_before(&self, range: &Native, outer: &Trips<'_>) -> bool {
        let Some([start, end]) = bounds(range) else {
            return false;
        };
        let inside = |scope: &Scope| scope.starts_with(&outer.body.scope);
        plain(start)
            && plain(end)
            && range.uses.iter().all(|v| {
                let v = &self.f.vars[*v];
                !inside(&v.defined.scope) && !v.writes.iter().any(|w| inside(&w.scope))
            })
    }
}

/// Both ends of a range that is written out.
pub(super) fn bounds(range: &Native) -> Option<[&Expr; 2]> {
    match &range.expr {
        Expr::Range(r) => Some([r.start.as_deref()?, r.end.as_deref()?]),
        _ => None,
    }
}

/// A literal, a variable or a length.
fn plain(e: &Expr) -> bool {
    match e {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Paren(p) => plain(&p.expr),
        Expr::MethodCall(m) => {
            m.method == "len" && m.args.is_empty() && matches!(&*m.receiver, Expr::Path(_))
        }
        _ => false,
    }
}
