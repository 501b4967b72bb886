//! Where one copy of an array takes less than the entries that loops read.
//!
//! The copy pays where the loops read more entries than the array has. Code seldom says how many it has, so the loops tell:
//!
//! - Indices are sums of counters of the loops, each by itself or times a stride. Such loops go over the array; there are
//!   more loops than counters, or a trip reads three entries. (Of two it often keeps their difference, which is as much.)
//! - Loops that end at a literal do not count, unless the array is as short: its type says how many entries it has.
//! - Other indices, as those of a sparse matrix, are in two loops at least. The range of one is that of the array: the end
//!   names its length, or another loop over the same range indexes it.

use super::{part_of, Part};
use crate::ir::*;
use crate::passes::order::{Order, DEEP};
use quote::{quote, ToTokens};
use syn::{BinOp, Expr, ExprRange};

/// The read of an entry.
pub(super) struct Read<'a> {
    pub(super) part: Part,
    pub(super) ty: Ty,
    /// The loops from the one that the copy comes before to the innermost.
    pub(super) nest: Vec<usize>,
    indices: Vec<&'a Expr>,
    /// The type of the array says how many entries it has.
    sized: bool,
}

/// What the indices of an entry are made of.
#[derive(Default)]
struct Index {
    counters: Vec<VarId>,
    /// Something that is no counter is added.
    offset: bool,
    /// It is no sum of products.
    other: bool,
}

pub(super) struct Search<'a> {
    f: &'a Func,
    order: &'a Order,
    /// The ranges whose loops index an array by their counter alone.
    ranges: Vec<(VarId, String)>,
}

/// Every place that an active statement reads.
fn places(f: &Func) -> impl Iterator<Item = (&Place, &Point)> {
    let active = f.body.deep().filter(|s| is_active(s, &f.vars));
    active.flat_map(|s| {
        let places: Vec<&Place> = s.flow().places().collect();
        places.into_iter().map(move |p| (p, &s.point))
    })
}

impl<'a> Search<'a> {
    pub(super) fn of(f: &'a Func, order: &'a Order) -> Self {
        let mut search = Search {
            f,
            order,
            ranges: Vec::new(),
        };
        if order.has_loops() {
            places(f).for_each(|(p, at)| search.note_range(p, at));
        }
        search
    }

    /// The reads that one copy each would serve, where that pays.
    pub(super) fn groups(
        &self,
        read: fn(&Self, &'a Place, &Point) -> Option<Read<'a>>,
    ) -> Vec<Vec<Read<'a>>> {
        let mut groups: Vec<Vec<Read<'_>>> = Vec::new();
        if !self.order.has_loops() {
            return groups;
        }
        for read in places(self.f).filter_map(|(p, at)| read(self, p, at)) {
            let same =
                |g: &&mut Vec<Read<'_>>| g[0].part == read.part && g[0].nest[0] == read.nest[0];
            match groups.iter_mut().find(same) {
                Some(group) => group.push(read),
                None => groups.push(vec![read]),
            }
        }
        groups.retain(|g| self.pays(g));
        groups
    }

    /// Notes the loop that goes over an array.
    fn note_range(&mut self, p: &Place, at: &Point) {
        let Some(Projection::Index(n)) = p
            .projections
            .iter()
            .find(|p| !matches!(p, Projection::Field(_)))
        else {
            return;
        };
        let counter = self.order.variable(&n.expr);
        let mut around = at.scope.iter().map(|s| self.counter(s.id));
        let found = counter.filter(|v| around.any(|c| c == Some(*v)));
        if let Some(range) = found.and_then(|v| self.order.range(v)) {
            self.ranges
                .push((p.root, range.to_token_stream().to_string()));
        }
    }

    fn counter(&self, id: usize) -> Option<VarId> {
        self.order.of_number(id)?.counter
    }

    /// The range of a loop.
    fn range(&self, id: usize) -> Option<&ExprRange> {
        self.order.range(self.counter(id)?)
    }

    /// An entry that is read in a loop that does not change it, and that changes later.
    pub(super) fn read(&self, p: &'a Place, at: &Point) -> Option<Read<'a>> {
        let f = self.f;
        let root = &f.vars[p.root];
        let changes = root.hold != Hold::Ref && root.alias.is_none() && !root.late;
        if !changes || f.frozen(p.root, at) {
            return None;
        }
        let mut nest = at.scope.iter().filter(|s| s.is_loop);
        let outside = |s: &&ScopeId| !root.defined.scope.contains(s) && !self.is_changed_in(p, s);
        let first = nest.find(outside)?;
        let nest = std::iter::once(first).chain(nest).map(|s| s.id);
        let (part, ty) = part_of(root, p).filter(|_| !self.order.keeps(f, p, at))?;
        self.read_of(p, part, ty, nest.collect())
    }

    /// An entry of a slice that the caller lends, which is not changed again in this function.
    pub(super) fn read_in_the_end(&self, p: &'a Place, at: &Point) -> Option<Read<'a>> {
        let f = self.f;
        let root = &f.vars[p.root];
        let lent = root.param.is_some_and(|i| f.params[i].by_mut) && !root.reassigned;
        if !lent || !matches!(root.ty, Ty::Seq(_)) {
            return None;
        }
        let loops = at.scope.iter().filter(|s| s.is_loop);
        let nest: Vec<usize> = loops.map(|s| s.id).collect();
        let (part, ty) = part_of(root, p)?;
        let whole = part.fields.is_empty() && part.column.is_empty();
        if nest.is_empty() || !whole || !self.order.stays(f, p, at) {
            return None;
        }
        self.read_of(p, part, ty, nest)
    }

    fn read_of(&self, p: &'a Place, part: Part, ty: Ty, nest: Vec<usize>) -> Option<Read<'a>> {
        let again = |id: &usize| self.order.of_number(*id).is_none_or(|l| l.again);
        if nest.iter().any(again) {
            return None;
        }
        let index = |p: &'a Projection| match p {
            Projection::Index(n) => Some(&n.expr),
            _ => None,
        };
        let fields: Vec<Projection> = part.fields.iter().cloned().map(Projection::Field).collect();
        let typed = self.f.vars[p.root].part(&fields);
        let sized = typed.is_some_and(|of| of.is_copy());
        Some(Read {
            part,
            ty,
            nest,
            indices: p.projections.iter().filter_map(index).collect(),
            sized,
        })
    }

    /// Whether the trips of a loop may change an entry.
    fn is_changed_in(&self, p: &Place, inside: &ScopeId) -> bool {
        let writes = self.f.vars[p.root].writes.iter();
        let mut here = writes.filter(|w| w.scope.contains(inside));
        here.any(|w| {
            let mut known = self.order.written(p.root, w.pos).peekable();
            known.peek().is_none() || known.any(|to| !fields_differ(p, to))
        })
    }

    /// Whether the loops read more entries than the array has.
    fn pays(&self, reads: &[Read<'_>]) -> bool {
        let mut dense: Vec<String> = Vec::new();
        for read in reads {
            let mut index = Index::default();
            for e in &read.indices {
                self.split(e, true, read, &mut index, DEEP);
            }
            let long = |id: &&usize| read.sized || !self.is_short(**id);
            let long: Vec<usize> = read.nest.iter().filter(long).copied().collect();
            if index.other || index.offset {
                if long.len() > 1 && long.iter().any(|id| self.covers(*id, read)) {
                    return true;
                }
                continue;
            }
            let counted = |id: &&usize| {
                let counter = self.counter(**id);
                counter.is_some_and(|v| index.counters.contains(&v))
            };
            let counted: Vec<&usize> = long.iter().filter(counted).collect();
            if counted.is_empty() || !counted.iter().all(|id| self.is_from_start(**id, read)) {
                continue;
            }
            if long.len() > counted.len() {
                return true;
            }
            let key = read.indices.iter().map(|e| quote!([#e]).to_string());
            let key: String = key.collect();
            if !dense.contains(&key) {
                dense.push(key);
            }
        }
        dense.len() > 2
    }

    /// Finds what an index is made of.
    fn split(&self, e: &Expr, added: bool, read: &Read<'_>, out: &mut Index, deep: usize) {
        if deep == 0 {
            out.other = true;
            return;
        }
        match e {
            Expr::Lit(_) => {}
            Expr::Paren(p) => self.split(&p.expr, added, read, out, deep),
            Expr::Group(g) => self.split(&g.expr, added, read, out, deep),
            Expr::Cast(c) => self.split(&c.expr, added, read, out, deep),
            Expr::Binary(b) => match b.op {
                BinOp::Add(_) | BinOp::Sub(_) => {
                    self.split(&b.left, added, read, out, deep);
                    self.split(&b.right, added, read, out, deep);
                }
                BinOp::Mul(_) => {
                    let before = out.counters.len();
                    self.split(&b.left, false, read, out, deep);
                    self.split(&b.right, false, read, out, deep);
                    out.offset |= added && out.counters.len() == before;
                }
                BinOp::Div(_) | BinOp::Rem(_) => self.split(&b.left, added, read, out, deep),
                _ => out.other = true,
            },
            Expr::MethodCall(m)
                if ["min", "max", "saturating_sub"].contains(&m.method.to_string().as_str()) =>
            {
                self.split(&m.receiver, added, read, out, deep);
            }
            Expr::Path(_) => {
                let Some(v) = self.order.variable(e) else {
                    out.offset |= added;
                    return;
                };
                let mut nest = read.nest.iter();
                if nest.any(|id| self.counter(*id) == Some(v)) {
                    out.counters.push(v);
                    return;
                }
                let scope = &self.f.vars[v].defined.scope;
                let varies = scope.iter().any(|s| read.nest.contains(&s.id));
                match self.order.meaning(v).filter(|_| varies) {
                    Some(meant) => self.split(meant, added, read, out, deep - 1),
                    None => out.offset |= added,
                }
            }
            _ => out.other = true,
        }
    }

    /// Whether the end of a loop is a small number.
    fn is_short(&self, id: usize) -> bool {
        let end = self.range(id).and_then(|r| r.end.as_ref());
        end.is_some_and(|e| matches!(&**e, Expr::Lit(_)))
    }

    /// Whether a loop begins with the first entries, or at the counter of a loop around it.
    fn is_from_start(&self, id: usize, read: &Read<'_>) -> bool {
        let Some(start) = self.range(id).and_then(|r| r.start.as_ref()) else {
            return false;
        };
        let mut index = Index::default();
        self.split(start, true, read, &mut index, DEEP);
        !index.offset && !index.other
    }

    /// Whether a loop goes over the whole array.
    fn covers(&self, id: usize, read: &Read<'_>) -> bool {
        let Some(range) = self.range(id) else {
            return false;
        };
        let same = range.to_token_stream().to_string();
        let root = read.part.root;
        let Some(end) = &range.end else {
            return false;
        };
        let made = match self.f.body.definition(root) {
            Some(Rhs::Repeat { len, .. }) => tokens(&len.expr) == tokens(end),
            _ => false,
        };
        made || self.ranges.contains(&(root, same)) || self.is_length(end, root, DEEP)
    }

    /// Whether an expression is the length of an array, or one less.
    fn is_length(&self, e: &Expr, of: VarId, deep: usize) -> bool {
        if deep == 0 {
            return false;
        }
        match e {
            Expr::Paren(p) => self.is_length(&p.expr, of, deep),
            Expr::Binary(b) if matches!(b.op, BinOp::Sub(_)) => self.is_length(&b.left, of, deep),
            Expr::MethodCall(m) if m.method == "len" => {
                self.order.variable(&m.receiver) == Some(of)
            }
            e => {
                let meant = self.order.variable(e).and_then(|v| self.order.meaning(v));
                meant.is_some_and(|e| self.is_length(e, of, deep - 1))
            }
        }
    }
}

fn tokens(e: &Expr) -> String {
    e.to_token_stream().to_string()
}
