//! One copy of an array before the loops that read it, in the stead of a copy of each entry that they read.
//!
//! In `for i in 0..n { for j in 0..n { … x[j] - x[i] … } }` the reverse pass reads entries of `x`, which changes once the
//! loops are over. To keep what is read would take `2 n²` numbers. A copy of `x` before the loops takes `n`, and what is
//! computed from its entries can be computed again.
//!
//! A slice that the caller lends is changed by the caller later. Where entries of it are written once and read then, as those
//! of a table of dynamic programming, what it is in the end is copied.
//!
//! [`search`] tells where a copy pays.

mod search;

use super::Settle;
use crate::ir::*;
use crate::passes::order::Order;
use proc_macro2::Span;
use search::{Read, Search};
use syn::Member;

/// The part of an array that is copied: `fields[..].column`.
#[derive(Clone, PartialEq)]
struct Part {
    root: VarId,
    fields: Vec<Member>,
    /// The fields of the entries; all of them if there is none.
    column: Vec<Member>,
}

/// An array that is copied before a loop.
pub(super) struct ArrayCopy {
    part: Part,
    ty: Ty,
    /// The loop.
    before: usize,
    /// The copy, once the loop is reached.
    var: Option<VarId>,
}

/// Marks the parameters whose arrays are copied in the end.
pub(super) fn mark_lent(f: &mut Func, order: &Order) {
    let groups = Search::of(f, order).groups(Search::read_in_the_end);
    let vars = groups.iter().map(|g| g[0].part.root);
    let marked: Vec<usize> = vars.filter_map(|v| f.vars[v].param).collect();
    marked.into_iter().for_each(|i| f.params[i].copied = true);
}

/// The arrays of a function that are copied before loops.
pub(super) fn find(f: &Func, order: &Order) -> Vec<ArrayCopy> {
    let groups = Search::of(f, order).groups(Search::read);
    let copy = |g: &Vec<Read<'_>>| ArrayCopy {
        part: g[0].part.clone(),
        ty: g[0].ty.clone(),
        before: g[0].nest[0],
        var: None,
    };
    groups.iter().map(copy).collect()
}

impl Settle<'_> {
    /// Copies the arrays that are to be copied before a loop.
    pub(super) fn copy_arrays(&mut self, id: usize, at: &Point, span: Span, out: &mut Vec<Stmt>) {
        for k in 0..self.arrays.len() {
            let ArrayCopy {
                part, ty, before, ..
            } = &self.arrays[k];
            if *before != id {
                continue;
            }
            let (part, ty) = (part.clone(), ty.clone());
            let var = self.temp(ty.clone(), at, span, false);
            self.f.vars[var].kept_for = Some(KeptFor::Entries);
            let rhs = self.copy_of(&part, ty, span);
            out.push(Stmt {
                kind: StmtKind::Def(var, rhs),
                point: at.clone(),
                span,
            });
            self.arrays[k].var = Some(var);
        }
    }

    fn copy_of(&self, part: &Part, ty: Ty, span: Span) -> Rhs {
        let fields = part.fields.iter().cloned().map(Projection::Field);
        let place = Place {
            projections: fields.collect(),
            ..Place::whole(part.root, ty.clone(), span)
        };
        if part.column.is_empty() {
            return Rhs::Snapshot(place);
        }
        let (root, fields, column) = (&self.f.vars[part.root].name, &part.fields, &part.column);
        Rhs::Native(Native {
            expr: syn::parse_quote!(
                #root #(.#fields)*
                    .iter()
                    .map(|__e| ::core::clone::Clone::clone(&__e #(.#column)*))
                    .collect::<::std::vec::Vec<_>>()
            ),
            uses: vec![part.root],
            cheap: false,
            ty,
        })
    }

    /// Notes where the value of an entry is that is read, if its array was copied.
    pub(super) fn find_entry(&self, p: &mut Place, at: &Point) {
        let copy = self.arrays.iter().find_map(|copy| {
            let here = at.scope.iter().any(|s| s.id == copy.before);
            let rest = copy.part.within(p).filter(|_| here)?;
            Some((copy.var?, rest))
        });
        if let Some((var, rest)) = copy {
            p.kept = Some(Box::new(Place {
                projections: rest,
                ..Place::whole(var, p.ty.clone(), p.span)
            }));
        }
    }
}

impl Part {
    /// The projections that lead from the copy to a place.
    fn within(&self, p: &Place) -> Option<Vec<Projection>> {
        let named = |all: &[Projection], names: &[Member]| {
            let same = |(p, m): (&Projection, &Member)| matches!(p, Projection::Field(f) if f == m);
            all.len() >= names.len() && all.iter().zip(names).all(same)
        };
        if p.root != self.root || !named(&p.projections, &self.fields) {
            return None;
        }
        let (index, rest) = p.projections[self.fields.len()..].split_first()?;
        let entry = matches!(index, Projection::Index(_)) && named(rest, &self.column);
        entry.then(|| {
            let rest = rest[self.column.len()..].iter();
            std::iter::once(index).chain(rest).cloned().collect()
        })
    }
}

/// The part of an array whose copy has the value of a place, and the type of the copy.
fn part_of(root: &Var, p: &Place) -> Option<(Part, Ty)> {
    let member = |p: &Projection| match p {
        Projection::Field(m) => Some(m.clone()),
        _ => None,
    };
    let at = p.projections.iter().position(|p| member(p).is_none())?;
    let Projection::Index(_) = &p.projections[at] else {
        return None;
    };
    let fields: Vec<Member> = p.projections[..at].iter().filter_map(member).collect();
    let whole = match at {
        0 => root.ty.clone(),
        _ => root.part_ty(&p.projections[..at]),
    };
    let part = |column| Part {
        root: p.root,
        fields: fields.clone(),
        column,
    };
    if matches!(whole, Ty::Seq(_)) && whole.is_numbers() {
        return Some((part(Vec::new()), whole));
    }
    let of_entry = p.projections[at + 1..].iter().map_while(member);
    let of_entry: Vec<Member> = of_entry.collect();
    (1..=of_entry.len()).find_map(|k| {
        let typed = root.part(&p.projections[..=at + k])?;
        let ty = typed.numbers().filter(|_| typed.is_copy())?;
        Some((part(of_entry[..k].to_vec()), Ty::Seq(Box::new(ty))))
    })
}

/// Takes back the copies that the reverse pass does not read.
pub fn drop_unread(f: &mut Func, needs: &Needs) {
    let mut unread: Vec<VarId> = Vec::new();
    f.body.each_mut(&mut |s| {
        for p in s.reads_mut() {
            if let Some(kept) = p.kept.take_if(|k| !needs.values.contains(&k.root)) {
                unread.push(kept.root);
            }
        }
    });
    f.body
        .retain(&|s| !matches!(&s.kind, StmtKind::Def(v, _) if unread.contains(v)));
}
