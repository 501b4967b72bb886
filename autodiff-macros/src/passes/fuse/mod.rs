//! Fusion: operations that go element by element over tensors become one, which runs in one pass.
//!
//! `(x * &w + &b).gelu()` is three operations, with two tensors in between. Here they become a call of
//! a *region*, a function of one element written beside the companions:
//!
//! ```text
//! struct __Region0;
//! impl Region<3> for __Region0 {
//!     fn value<T: Float, const NEAR: bool>([x0, x1, x2]: [T; 3]) -> T { gelu::value(x0 * x1 + x2) }
//!     fn pullback<T: Float, const NEAR: bool>([x0, x1, x2]: [T; 3], ct: T) -> [T; 3] { … }
//!     fn pushforward<T: Float, const NEAR: bool>([x0, x1, x2]: [T; 3], t: [T; 3]) -> T { … }
//! }
//! let y = fused(__Region0, || { let v0 = x * &w; let v1 = v0 + &b; v1.gelu() }).__vjp(modes, &x, &w, &b);
//! ```
//!
//! `NEAR` says that no argument of a sine, cosine or tangent is so large that it takes a branch, which would
//! keep the region from vector registers; a region with such functions tells which are (`far`).
//!
//! A region is maximal: it takes in every operation whose value only the region reads. One that ends
//! in `sum()` or `mean()` yields the derivatives in the same pass, and one may end in `sum_axis` or `mean_axis`. Which values are tensors is known
//! from the signature on; what is not known to be one is never the root of a region, but may be an
//! operand: the trait of operands decides.

mod apart;
pub mod element;
mod tensors;
mod tidy;
mod total;
pub mod uses;

use crate::code::Code;
use crate::input::signature::ParamDecl;
use crate::ir::is_reference;
use crate::ir::region::{Node, Region, Total, Value};
use crate::ir::*;
use crate::passes::activity;
use crate::syntax::names::ident;
pub use apart::find as find_apart;
use element::Element;
use proc_macro2::TokenStream;
use quote::{quote, ToTokens};
use syn::{Expr, Path};

/// Operands that a region can have.
const MOST_INPUTS: usize = 7;

/// Groups the elementwise operations of a function.
pub fn fuse(f: &mut Func, params: &[ParamDecl]) {
    let known = tensors::known(f, params);
    if !known.iter().any(|t| *t) {
        return;
    }
    tidy::dead(f, &known);
    over(f, &known, |fuser, body| fuser.repeated(body));
    over(f, &known, |fuser, body| fuser.block(body));
}

/// Goes over the body, with what is read and varied in it now.
fn over(f: &mut Func, known: &[bool], pass: impl FnOnce(&mut Fuser<'_>, &mut Block)) {
    let mut fuser = Fuser::new(f, known.to_vec());
    let mut body = std::mem::take(&mut fuser.f.body);
    pass(&mut fuser, &mut body);
    fuser.f.body = body;
}

struct Fuser<'a> {
    f: &'a mut Func,
    /// Which variables are tensors.
    known: Vec<bool>,
    varied: Vec<bool>,
    uses: Vec<usize>,
}

/// The statements of a block that make a region, in order; the last is its root.
struct Members {
    elements: Vec<(usize, VarId, Element)>,
    total: Option<(usize, VarId, Total)>,
}

impl Members {
    fn root(&self) -> (usize, VarId) {
        match (&self.total, self.elements.last()) {
            (Some((at, v, _)), _) => (*at, *v),
            (None, Some((at, v, _))) => (*at, *v),
            (None, None) => (0, 0),
        }
    }

    fn operands(&self) -> impl Iterator<Item = &Operand> {
        self.elements.iter().flat_map(|(_, _, e)| &e.operands)
    }

    fn contains(&self, v: VarId) -> bool {
        self.elements.iter().any(|(_, w, _)| *w == v)
    }
}

impl<'a> Fuser<'a> {
    fn new(f: &'a mut Func, known: Vec<bool>) -> Self {
        let (varied, uses) = (activity::varied(f), uses::count(f));
        Fuser {
            f,
            known,
            varied,
            uses,
        }
    }

    fn block(&mut self, b: &mut Block) {
        for inner in b.stmts.iter_mut().flat_map(Stmt::blocks_mut) {
            self.block(inner);
        }
        let mut taken = vec![false; b.stmts.len()];
        let mut regions = Vec::new();
        for at in (0..b.stmts.len()).rev() {
            if taken[at] {
                continue;
            }
            if let Some(members) = self.grow(b, at, &taken) {
                for (at, ..) in &members.elements {
                    taken[*at] = true;
                }
                regions.push(members);
            }
        }
        // Regions may stand between the operations of others: positions stay until all are replaced.
        let mut before: Vec<Option<Vec<Stmt>>> = vec![None; b.stmts.len()];
        let mut roots = vec![false; b.stmts.len()];
        for members in regions {
            roots[members.root().0] = true;
            self.replace(b, members, &mut before);
        }
        let stmts = std::mem::take(&mut b.stmts).into_iter().enumerate();
        for (at, s) in stmts {
            let taken = before[at].is_some() && !roots[at];
            b.stmts.extend(before[at].take().unwrap_or_default());
            if !taken {
                b.stmts.push(s);
            }
        }
    }

    /// The elementwise operation that a statement is.
    fn element(&self, s: &Stmt) -> Option<(VarId, Element)> {
        let StmtKind::Def(v, rhs) = &s.kind else {
            return None;
        };
        if !self.f.vars[*v].is_plain() || !self.known[*v] || !self.varied[*v] {
            return None;
        }
        let element = element::of(rhs)?;
        Some((*v, element))
    }

    /// The largest region whose value is that of the statement.
    fn grow(&self, b: &Block, at: usize, taken: &[bool]) -> Option<Members> {
        let root = &b.stmts[at];
        let mut members = match total::of(root) {
            Some((v, of, total)) if self.varied[v] && self.f.vars[v].writes.is_empty() => {
                let (last, element) = self.producer(b, at, of, taken)?;
                let whole = self.uses[of] == 1 && self.still(b, last, at);
                if !whole {
                    return None;
                }
                Members {
                    elements: vec![(last, of, element)],
                    total: Some((at, v, total)),
                }
            }
            _ => {
                let (v, element) = self.element(root)?;
                Members {
                    elements: vec![(at, v, element)],
                    total: None,
                }
            }
        };
        'grow: loop {
            let vars: Vec<VarId> = members
                .operands()
                .filter_map(Operand::place)
                .filter(|p| p.is_var() && !members.contains(p.root))
                .map(|p| p.root)
                .collect();
            for v in vars {
                let inside = members.operands().filter(|o| reads(o, v)).count();
                let Some((from, element)) = self.producer(b, at, v, taken) else {
                    continue;
                };
                if self.uses[v] != inside || !self.still(b, from, at) {
                    continue;
                }
                let place = members.elements.iter().position(|(i, ..)| *i > from);
                let place = place.unwrap_or(members.elements.len());
                members.elements.insert(place, (from, v, element));
                if self.inputs(&members).len() > MOST_INPUTS {
                    members.elements.remove(place);
                    continue;
                }
                continue 'grow;
            }
            break;
        }
        let enough = members.elements.len() + usize::from(members.total.is_some()) > 1;
        let inputs = self.inputs(&members).len();
        (enough && (1..=MOST_INPUTS).contains(&inputs)).then_some(members)
    }

    /// The elementwise operation before `at` that defines a variable.
    fn producer(&self, b: &Block, at: usize, v: VarId, taken: &[bool]) -> Option<(usize, Element)> {
        let from = b.stmts[..at]
            .iter()
            .position(|s| matches!(&s.kind, StmtKind::Def(w, _) if *w == v))?;
        let (_, element) = self.element(&b.stmts[from]).filter(|_| !taken[from])?;
        Some((from, element))
    }

    /// Whether what a statement reads is there and the same where the region stands.
    fn still(&self, b: &Block, from: usize, at: usize) -> bool {
        let (s, root) = (&b.stmts[from], &b.stmts[at]);
        let StmtKind::Def(_, rhs) = &s.kind else {
            return false;
        };
        let flow = rhs.flow();
        let all = flow.variables().all(|v| {
            let between = |w: &Point| s.point.pos < w.pos && w.pos <= root.point.pos;
            let var = &self.f.vars[v];
            // Code that stays as written may move an owned value that has no derivative.
            let moved = var.hold == Hold::Value
                && !var.ty.is_copy()
                && !self.varied[v]
                && uses::any(self.f, &b.stmts[from + 1..at], v);
            var.hold != Hold::Mut && !moved && !var.writes.iter().any(between)
        });
        all
    }

    /// The operands from outside, each once: as text, and the first that reads it.
    fn inputs<'m>(&self, members: &'m Members) -> Vec<(String, &'m Operand)> {
        let mut inputs: Vec<(String, &Operand)> = Vec::new();
        for o in members.operands() {
            let interior = o
                .place()
                .is_some_and(|p| p.is_var() && members.contains(p.root));
            if interior || element::literal(o).is_some() {
                continue;
            }
            let key = self.key(o);
            if !inputs.iter().any(|(k, _)| *k == key) {
                inputs.push((key, o));
            }
        }
        inputs
    }

    /// Code that leaves what it reads in place.
    fn code(&self) -> Code<'_> {
        Code {
            f: self.f,
            keep: &|_| true,
        }
    }

    fn key(&self, o: &Operand) -> String {
        match o {
            Operand::Place { place, .. } => self.code().place(place).to_string(),
            Operand::Native(n) => bare(&n.expr).to_token_stream().to_string(),
        }
    }

    /// Makes the root of a region its call. The other statements are taken out by `before`, which has what was
    /// evaluated in them and stays there.
    fn replace(&mut self, b: &mut Block, members: Members, before: &mut [Option<Vec<Stmt>>]) {
        let (at, v) = members.root();
        let keys: Vec<String> = self.inputs(&members).into_iter().map(|(k, _)| k).collect();
        let mut places: Vec<Option<Place>> = vec![None; keys.len()];
        let mut active = vec![false; keys.len()];
        let (mut nodes, mut probe) = (Vec::new(), TokenStream::new());
        let mut kept: Vec<(usize, Stmt)> = Vec::new();
        for (from, _, element) in &members.elements {
            let span = b.stmts[*from].span;
            let mut operands = Vec::new();
            for o in &element.operands {
                if let Some(x) = element::literal(o) {
                    operands.push(Value::Literal(x));
                    continue;
                }
                let inner = o.place().filter(|p| p.is_var());
                let node =
                    inner.and_then(|p| members.elements.iter().position(|(_, w, _)| *w == p.root));
                if let Some(node) = node {
                    operands.push(Value::Node(node));
                    continue;
                }
                let key = self.key(o);
                let k = keys
                    .iter()
                    .position(|other| *other == key)
                    .expect("an operand from outside");
                if places[k].is_none() {
                    places[k] = Some(match o {
                        Operand::Place { place, .. } => {
                            active[k] = self.varied[place.root];
                            place.clone()
                        }
                        Operand::Native(n) => self.named(n, &b.stmts[*from], &mut kept, *from),
                    });
                }
                operands.push(Value::Input(k));
            }
            nodes.push(Node {
                function: element.function.clone(),
                operands,
            });
            // In the user's own words, with what got a name under that name.
            let StmtKind::Def(w, rhs) = &b.stmts[*from].kind else {
                continue;
            };
            let mut rhs = rhs.clone();
            for o in rhs.operands_mut() {
                let Operand::Native(n) = &*o else { continue };
                let key = bare(&n.expr).to_token_stream().to_string();
                let k = keys.iter().position(|other| *other == key);
                if let (Some(Some(place)), None) = (k.map(|k| &places[k]), variable(n)) {
                    *o = Operand::Place {
                        place: place.clone(),
                        by_ref: self.f.vars[place.root].hold == Hold::Ref,
                    };
                }
            }
            let (name, value) = (&self.f.vars[*w].name, self.code().forward(&rhs, span));
            probe.extend(quote!(let #name = #value;));
        }
        let last = match members.total {
            Some(_) => {
                let StmtKind::Def(_, rhs) = &b.stmts[at].kind else {
                    return;
                };
                self.code().forward(rhs, b.stmts[at].span)
            }
            None => self.f.vars[v].name.to_token_stream(),
        };
        let first = members.elements.iter().map(|(i, ..)| *i).min();
        let taken = |i: usize| members.elements.iter().any(|(j, ..)| *j == i);
        let others = (first.unwrap_or(at) + 1..at).filter(|i| !taken(*i));
        let others: Vec<&Stmt> = others.map(|i| &b.stmts[i]).collect();
        let lent = places.iter().flatten().map(|p| p.root);
        let lent = lent.filter(|v| uses::any(self.f, others.iter().copied(), *v));
        let lent: Vec<VarId> = lent.collect();
        self.f.lent.extend(lent);
        let name = ident(format!("__Region{}", self.f.regions.len()));
        let path: Path = name.clone().into();
        let last_use = places.iter().map(|p| {
            p.as_ref()
                .is_some_and(|p| self.is_last_use(p, &members, &b.stmts[at]))
        });
        let last_use = last_use.collect();
        self.f.regions.push(Region {
            name,
            active,
            last_use,
            nodes: tidy::distinct(nodes),
            total: members.total.map(|t| t.2),
            probe: quote!(#probe #last),
        });
        let args = places.into_iter().flatten().map(|place| {
            Arg::shared(Operand::Place {
                place,
                by_ref: true,
            })
        });
        b.stmts[at].kind = StmtKind::Def(
            v,
            Rhs::Call {
                path,
                args: args.collect(),
            },
        );
        let inside = members.elements.iter().map(|(_, w, _)| *w);
        self.f.interior.extend(inside.filter(|w| *w != v));
        for (from, ..) in &members.elements {
            let own = kept.iter().filter(|(i, _)| i == from);
            before[*from] = Some(own.map(|(_, s)| s.clone()).collect());
        }
    }

    /// Whether only the region reads a value, in the block that made it.
    fn is_last_use(&self, p: &Place, members: &Members, root: &Stmt) -> bool {
        let inside = members.operands().filter(|o| reads(o, p.root)).count();
        let v = &self.f.vars[p.root];
        let own = v.hold == Hold::Value && v.param.is_none() && !v.natively_bound && !v.counter;
        let here = v.defined.scope == root.point.scope;
        p.is_var()
            && v.is_plain()
            && own
            && here
            && self.known[p.root]
            && self.uses[p.root] == inside
    }

    /// The place of an inactive operand: its variable, or a new one that is defined in `kept`.
    fn named(&mut self, n: &Native, s: &Stmt, kept: &mut Vec<(usize, Stmt)>, from: usize) -> Place {
        let place = |root: VarId, ty: Ty| Place::whole(root, ty, s.span);
        if let Some(v) = variable(n) {
            return place(v, self.f.vars[v].ty.clone());
        }
        let hold = match is_reference(n, self.f) {
            true => Hold::Ref,
            false => Hold::Value,
        };
        let name = ident(format!("__operand{}", self.f.vars.len()));
        let var = Var::new(name, n.ty.clone(), hold, false, s.point.clone());
        self.f.vars.push(var);
        self.varied.push(false);
        self.uses.push(1);
        self.known.push(false);
        let v = self.f.vars.len() - 1;
        let kind = StmtKind::Def(v, Rhs::Native(n.clone()));
        kept.push((
            from,
            Stmt {
                kind,
                point: s.point.clone(),
                span: s.span,
            },
        ));
        place(v, n.ty.clone())
    }
}

/// Whether an operand is the variable.
fn reads(o: &Operand, v: VarId) -> bool {
    o.place().is_some_and(|p| p.is_var() && p.root == v)
}

/// The variable that an expression is, or borrows.
fn variable(n: &Native) -> Option<VarId> {
    match (bare(&n.expr), n.uses.as_slice()) {
        (Expr::Path(_), &[v]) => Some(v),
        _ => None,
    }
}

/// Without parentheses and `&`.
fn bare(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => bare(&p.expr),
        Expr::Group(g) => bare(&g.expr),
        Expr::Reference(r) if r.mutability.is_none() => bare(&r.expr),
        e => e,
    }
}

/// Whether an operation on tensors goes element by element.
pub fn is_elementwise(rhs: &Rhs) -> bool {
    element::of(rhs).is_some()
}
