//! The loop that finds an extremum: `for i in 0..n { m = m.max(x[i]); }`.
//!
//! Of its trips only those count that came to be selected: see `ad::turn`. A trip that left `m` as
//! it was adds zero to everything else, and is not even run in reverse. What is compared may take any
//! computation ([`Vjp::local`] says what is asked of it), and `if x < m { m = x; }` is such a loop too,
//! also of several variables that are replaced together.

use super::reserve::bounds;
use super::straight::{is_half_open, mentions};
use super::windows::{key, window_of, Entries, Window};
use super::Vjp;
use crate::emit::sides::side;
use crate::ir::is_active;
use crate::ir::*;
use crate::knowledge::numbers::Op;
use crate::syntax::names::ident;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// A loop all of whose trips replace `m` or leave it as it is.
pub(super) struct Extremum {
    how: How,
    /// What a trip keeps, after its variable.
    record: Vec<Ident>,
    /// The tapes of loops inside. Of what a trip puts there nothing stays if it left `m` as it was.
    pub(super) inner: Vec<usize>,
}

/// What decides.
pub(super) enum How {
    /// `m = m.max(x);`
    Select(Box<Select>),
    /// `if … { m = x; }`, or `m = if … { x } else { m };`
    Branch {
        id: usize,
        /// The arms that leave `m` as it is.
        kept: Vec<bool>,
    },
}

pub(super) struct Select {
    /// The variable that holds the result of `max`.
    selected: VarId,
    /// `m` is the receiver.
    receiver: bool,
    extremum: VarId,
    /// What is compared with `m`, and the statements that name it, where both can be read again
    /// after the loop.
    element: Option<(TokenStream, TokenStream)>,
    /// The trips only do this, and what they compare are entries one after the other.
    entries: Option<Window>,
    /// `max` or `min`
    select: &'static str,
}

/// The parts of a trip around `m = m.max(x);`.
struct Compared {
    /// References to both.
    m: TokenStream,
    x: TokenStream,
    extremum: TokenStream,
    /// The value of `x`.
    copied: TokenStream,
    /// `x > m` where `x` becomes `m`.
    beats: TokenStream,
    /// What is before, this, and what is after.
    stmts: [TokenStream; 3],
}

impl Vjp<'_> {
    /// Recognises the body of such a loop.
    pub(super) fn extremum(&self, body: &Block, var: VarId) -> Option<Extremum> {
        let active = body.stmts.iter().filter(|s| is_active(s, &self.f.vars));
        let active: Vec<&Stmt> = active.collect();
        let how = match active.as_slice() {
            [rest @ .., select, assign] if matches!(assign.kind, StmtKind::Assign(..)) => {
                match &select.kind {
                    StmtKind::Branch { .. } => self.chosen(body, rest, select, assign)?,
                    _ => How::Select(Box::new(self.select(body, var, rest, select, assign)?)),
                }
            }
            [rest @ .., branch] => self.replaced(body, rest, branch)?,
            [] => return None,
        };
        let mut record = self.record(body);
        record.retain(|name| name != self.name(var));
        let mut inner = Vec::new();
        self.taped(body, &mut inner);
        Some(Extremum {
            how,
            record,
            inner: inner.into_iter().map(|(id, _)| id).collect(),
        })
    }

    /// Whether only some trips of a loop are kept.
    pub fn selects(&self, body: &Block, var: VarId) -> bool {
        self.extremum(body, var).is_some()
    }

    /// `m = m.max(x);` after what computes `x`.
    fn select(
        &self,
        body: &Block,
        var: VarId,
        rest: &[&Stmt],
        select: &Stmt,
        assign: &Stmt,
    ) -> Option<Select> {
        let StmtKind::Def(selected, rhs @ Rhs::Op(Op::Select(select), operands)) = &select.kind
        else {
            return None;
        };
        super::picks(rhs)?;
        let StmtKind::Assign(m, Operand::Place { place, .. }, None) = &assign.kind else {
            return None;
        };
        let whole = m.is_var() && place.is_var() && place.root == *selected;
        let floats = m.ty.is_known() && self.f.vars[*selected].ty.is_known();
        if !(whole && floats) {
            return None;
        }
        let is_m = |o: &Operand| o.place().is_some_and(|p| p.is_var() && p.root == m.root);
        let uses_m = |o: &Operand| o.place().is_some_and(|p| p.root == m.root);
        let receiver = match operands.as_slice() {
            [a, b] if is_m(a) && !uses_m(b) => true,
            [a, b] if is_m(b) && !uses_m(a) => false,
            _ => return None,
        };
        let other = &operands[usize::from(receiver)];
        let from = other.place().map(|p| p.root);
        // The element may have got a name first. It is read after nothing has changed it, and is not `m`
        // under another name.
        let (named, place) = match rest {
            [] => (None, other.place()),
            [s] => match &s.kind {
                StmtKind::Def(v, Rhs::Copy(o)) if from == Some(*v) => (Some(*v), o.place()),
                StmtKind::Def(v, Rhs::Snapshot(p)) if from == Some(*v) => (Some(*v), Some(p)),
                _ => (None, None),
            },
            _ => (None, None),
        };
        let plain = rest.len() == usize::from(named.is_some());
        if !plain && !self.local(body, rest, &[m.root]) {
            return None;
        }
        let plain = plain && self.record(body) == [self.selection(*selected)];
        let element = plain.then(|| self.element(body, m.root, named, other));
        let element = element.flatten();
        Some(Select {
            selected: *selected,
            receiver,
            extremum: m.root,
            entries: place
                .filter(|_| element.is_some())
                .and_then(|p| self.entries(body, p, var)),
            element,
            select,
        })
    }

    /// The entries that the trips go through, if they do nothing else.
    fn entries(&self, body: &Block, place: &Place, var: VarId) -> Option<Window> {
        let window = |p: &Place| window_of(self.f, p, body, var);
        let mut others = body.stmts.iter().filter(|s| !is_active(s, &self.f.vars));
        // What is borrowed by name is that entry.
        let nothing_else = others.all(|s| {
            matches!(&s.kind, StmtKind::Def(_, Rhs::Borrow(p))
                if p.root == place.root && key(p) == key(place))
        });
        let Entries { slice, offset, .. } = window(place).filter(|_| nothing_else)?;
        Some(Window {
            var: place.root,
            root: place.root,
            values: (place.root, slice.clone()),
            slice,
            offset,
            key: key(place),
        })
    }

    /// The element of a trip, if it is an entry of an array, and nothing else is done in a trip.
    fn element(
        &self,
        body: &Block,
        m: VarId,
        named: Option<VarId>,
        other: &Operand,
    ) -> Option<(TokenStream, TokenStream)> {
        let mut before = body.clone();
        before
            .stmts
            .retain(|s| !is_active(s, &self.f.vars) || named.is_some_and(|v| defines(s, v)));
        let again = before.stmts.iter().all(|s| match &s.kind {
            StmtKind::Def(_, Rhs::Native(n)) => n.cheap,
            StmtKind::Def(_, Rhs::Borrow(_) | Rhs::Copy(_) | Rhs::Snapshot(_)) => true,
            _ => false,
        });
        let unchanged = |v: VarId| {
            let inside = |w: &Point| w.scope.starts_with(&body.scope);
            v != m && !self.f.vars[v].writes.iter().any(inside)
        };
        let flows = before.stmts.iter().map(Stmt::flow);
        let of_statements = flows.flat_map(|f| f.variables().collect::<Vec<_>>());
        let place = other.place()?;
        let mut used = of_statements.chain([place.root]).chain(place.index_uses());
        let plain = self.f.vars[m].hold == Hold::Value && self.f.vars[m].alias.is_none();
        if !(again && plain && used.all(unchanged)) {
            return None;
        }
        let element = self.with_code(|c| c.value_ref(other));
        Some((element, self.fwd_block(&before)))
    }

    pub(super) fn fwd_extremum(
        &self,
        extremum: &Extremum,
        id: usize,
        var: &Ident,
        (range, reversed): (&Native, bool),
        body: &Block,
    ) -> TokenStream {
        let as_written = range;
        let rev = reversed.then(|| quote!(.rev()));
        let e = &range.expr;
        let range = match reversed {
            true => quote!((#e)#rev),
            false => quote!(#e),
        };
        let (tape, count) = (self.tape(id), self.trips(id));
        let (pick, kept) = match &extremum.how {
            How::Select(select) => {
                let (kept, replaced) = match select.receiver {
                    true => (quote!(ad::Pick::Left), quote!(ad::Pick::Right)),
                    false => (quote!(ad::Pick::Right), quote!(ad::Pick::Left)),
                };
                let plain = (!reversed).then_some(as_written);
                let loops = (plain, &range);
                if let Some(code) = self.fwd_select(select, id, var, loops, body, &replaced) {
                    return code;
                }
                let sel = self.selection(select.selected);
                (quote!(#sel), kept)
            }
            How::Branch { id, kept } => {
                let arms = kept.iter().enumerate().map(|(k, leaves)| {
                    let pattern = side(k, kept.len(), quote!(_));
                    let pick = match leaves {
                        true => quote!(ad::Pick::Left),
                        false => quote!(ad::Pick::Right),
                    };
                    quote!(#pattern => #pick)
                });
                let branch = self.branch(*id);
                (
                    quote!(match &#branch { #(#arms,)* }),
                    quote!(ad::Pick::Left),
                )
            }
        };
        let record = self.held(&extremum.record);
        let starts = self.starts(id, extremum);
        let inner: Vec<Ident> = extremum.inner.iter().map(|id| self.tape(*id)).collect();
        let marks: Vec<Ident> = extremum.inner.iter().map(|t| mark(id, *t)).collect();
        let drops = (!inner.is_empty())
            .then(|| quote!(if __pick == #kept { #(#inner.truncate(#marks);)* }));
        // What is picked may be told by what is kept, which moves.
        let turn = quote! {
            let __pick = #pick;
            #drops
            ad::turn(&mut #tape, &mut #count, (#var, #(#record,)*), __pick, #kept);
        };
        let mut head = quote!(let mut #count = 0usize; #(let #starts = #inner.len();)*);
        let mut end = TokenStream::new();
        let trip = match self.compared(&extremum.how, body, &turn) {
            Some(c) if inner.is_empty() && extremum.record.len() == 1 => {
                let (m, x, [before, replace, after]) = (c.m, c.x, c.stmts);
                let latest = ident(format!("latest{id}"));
                head = quote!(let mut #latest = ad::Latest::new(&#tape, #kept););
                end = quote!(let #count = #latest.finish(&mut #tape););
                let (beats, of, copied) = (c.beats, c.extremum, c.copied);

                quote! {
                    #before
                    if #m < #x || #x < #m {
                        let __beats = #x #beats #m;
                        #of = if __beats { #copied } else { #of };
                        #latest.replaced(__beats, #var);
                    } else {
                        #replace
                        #latest.turn(&mut #tape, #var, #pick);
                    }
                    #after
                }
            }
            Some(c) => {
                let (m, x, beats) = (c.m, c.x, c.beats);
                let [before, replace, after] = c.stmts;
                let stays =
                    (!inner.is_empty()).then(|| quote!(else { #(#inner.truncate(#marks);)* }));
                quote!(#before if !(#m #beats #x) { #replace #turn } #stays #after)
            }
            None => {
                let stmts = self.fwd_block(body);
                quote!(#stmts #turn)
            }
        };
        quote! {
            #head
            for #var in #range {
                #(let #marks = #inner.len();)*
                #trip
            }
            #end
        }
    }

    /// `m = m.max(x);`, taken out of the trip: where no NaN and no tie is about, one comparison says what the
    /// rule for all cases says.
    fn compared(&self, how: &How, body: &Block, turn: &TokenStream) -> Option<Compared> {
        let How::Select(select) = how else {
            return None;
        };
        let at = body
            .stmts
            .iter()
            .position(|s| defines(s, select.selected))?;
        let [define, assign] = body.stmts.get(at..at + 2)? else {
            return None;
        };
        let (StmtKind::Def(_, Rhs::Op(_, operands)), StmtKind::Assign(m, ..)) =
            (&define.kind, &assign.kind)
        else {
            return None;
        };
        if operands.iter().any(|o| o.place().is_none()) {
            return None;
        }
        let block = |stmts: &[Stmt]| -> TokenStream { stmts.iter().map(|s| self.fwd(s)).collect() };
        let after = &body.stmts[at + 2..];
        // What comes after must neither be kept nor read the result.
        let named = |s: &Stmt| match &s.kind {
            StmtKind::Def(v, _) => mentions(turn, self.name(*v)),
            _ => !matches!(s.kind, StmtKind::Native(_)),
        };
        let after_code = block(after);
        if after.iter().any(named) || mentions(&after_code, self.name(select.selected)) {
            return None;
        }
        let x = &operands[usize::from(select.receiver)];
        let of_m = &operands[usize::from(!select.receiver)];
        let reference = |o: &Operand| self.with_code(|c| c.value_ref(o));
        Some(Compared {
            m: reference(of_m),
            x: reference(x),
            extremum: self.with_code(|c| c.place_mut(m)),
            copied: self.with_code(|c| c.operand(x)),
            beats: match select.select {
                "max" => quote!(>),
                _ => quote!(<),
            },
            stmts: [
                block(&body.stmts[..at]),
                block(&body.stmts[at..at + 2]),
                after_code,
            ],
        })
    }

    /// Where the element can be read again after the loop.
    fn fwd_select(
        &self,
        select: &Select,
        id: usize,
        var: &Ident,
        (as_written, range): (Option<&Native>, &TokenStream),
        body: &Block,
        replaced: &TokenStream,
    ) -> Option<TokenStream> {
        // The loop as it is written is one that compilers vectorise; which trips had a part in the
        // result is found once it is known.
        let (element, before) = select.element.as_ref()?;
        let stmts = self.fwd_block(body);
        let (tape, count) = (self.tape(id), self.trips(id));
        if let (Some(w), Some(as_written)) = (&select.entries, as_written) {
            if let (true, Some([start, _])) = (is_half_open(as_written), bounds(as_written)) {
                let m = self.name(select.extremum);
                let (x, slice, from) = (self.name(w.root), w.slice(), w.from(start));
                let method = ident(select.select.into());
                let of = match select.receiver {
                    true => quote!(|__a, __x| __a.#method(__x)),
                    false => quote!(|__a, __x| __x.#method(__a)),
                };
                let reaches = match select.select {
                    "max" => quote!(|__x, __a| __x >= __a),
                    _ => quote!(|__x, __a| __x <= __a),
                };
                return Some(quote! {
                    let mut #count = 0usize;
                    {
                        let __trips = #range;
                        let __n = ad::count(&__trips);
                        let __first = #m;
                        let __entries = ad::window(&#x #slice, __n, || #from);
                        let __item = |__t| ad::nth(&__trips, __t);
                        let __parts = (&mut #tape, &mut #count);
                        if !ad::extremum(__parts, __entries, __item, &mut #m, #of, #reaches, #replaced) {
                            #m = __first;
                            for #var in __trips { #stmts }
                        }
                    }
                });
            }
        }
        let m = self.name(select.extremum);
        Some(quote! {
            let __trips = #range;
            let __first = #m;
            for #var in __trips.clone() { #stmts }
            let mut #count = 0usize;
            for #var in __trips {
                #before
                ad::had_part(&mut #tape, &mut #count, #var, #element, &#m, &__first, #replaced);
            }
        })
    }

    pub(super) fn rev_extremum(
        &self,
        extremum: &Extremum,
        id: usize,
        var: VarId,
        body: &Block,
    ) -> TokenStream {
        let (tape, count) = (self.tape(id), self.trips(id));
        let name = self.name(var);
        let lent = self.lend(&extremum.record);
        let record = extremum.record.iter().map(|r| self.binding(r));
        let (prologue, stmts) = (self.prologue(body), self.rev_stmts(body));
        // What replaced trips put on the tapes of loops inside is below that of the others.
        let starts = self.starts(id, extremum);
        let inner = extremum.inner.iter().map(|id| self.tape(*id));
        quote! {
            for _ in 0..#count { let (#name, #(#record,)*) = #tape.pop(); #lent #prologue #stmts }
            #(#inner.truncate(#starts);)*
        }
    }

    /// How long the tapes of the loops inside were before such a loop.
    pub(super) fn starts(&self, id: usize, extremum: &Extremum) -> Vec<Ident> {
        let start = |inner: &usize| ident(format!("start{id}_{inner}"));
        extremum.inner.iter().map(start).collect()
    }
}

/// How long the tape of a loop inside was before the trip.
fn mark(id: usize, inner: usize) -> Ident {
    ident(format!("mark{id}_{inner}"))
}

fn defines(s: &Stmt, v: VarId) -> bool {
    matches!(&s.kind, StmtKind::Def(w, _) if *w == v)
}
