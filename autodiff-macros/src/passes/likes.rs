//! Types of what starts out empty and is read before anything is stored, where the macro cannot tell them.
//!
//! ```text
//! let mut z = Vec::with_capacity(n);
//! for i in 0..n {
//!     let s = dot(&z, &l[i]);       // reads an entry, by a method in emitted code: of which type?
//!     z.push((y[i] - s) / l[i][i]); // says it, too late
//! }
//! ```
//!
//! Rust infers the type from what is stored. So an expression of the same type stands at the start, in a closure that
//! is never called: `ad::stored(&z, || (y[0] - ad::any::<f64>()) / l[0][0]);`.

use crate::code::{project, Code, Side};
use crate::ir::*;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use std::collections::HashSet;
use syn::{parse_quote, Expr};

/// Writes them behind the definitions.
pub fn write(f: &mut Func) {
    let mut order = Order::default();
    order.block(f, &f.body);
    let wanted: Vec<(VarId, Operand)> = order.late;
    let said = wanted.into_iter().filter_map(|(vec, stored)| {
        let like = Like {
            f,
            at: &f.vars[vec].defined,
            depth: 0,
        };
        let value = like.operand(&stored)?;
        Some((vec, value))
    });
    let said: Vec<(VarId, Expr)> = said.collect();
    if said.is_empty() {
        return;
    }
    let mut body = std::mem::take(&mut f.body);
    body.put_behind(&|s| {
        let StmtKind::Def(v, _) = &s.kind else {
            return None;
        };
        let (_, value) = said.iter().find(|(w, _)| w == v)?;
        let name = &f.vars[*v].name;
        Some(StmtKind::Native(quote!(ad::stored(&#name, || #value);)))
    });
    f.body = body;
}

/// Which empty vectors are read before something is pushed to them.
#[derive(Default)]
struct Order {
    /// Those without an entry so far.
    empty: HashSet<VarId>,
    /// Those of them that were read.
    read: HashSet<VarId>,
    /// What is pushed to these first.
    late: Vec<(VarId, Operand)>,
}

impl Order {
    fn block(&mut self, f: &Func, b: &Block) {
        for s in &b.stmts {
            match &s.kind {
                StmtKind::Def(v, Rhs::Native(n)) if is_empty_vec(n) && !typed(&f.vars[*v]) => {
                    self.empty.insert(*v);
                }
                StmtKind::Def(v, rhs) => {
                    let places = crate::ir::places(rhs);
                    let roots: Vec<VarId> = places.iter().map(|p| p.root).collect();
                    let of_alias = f.vars[*v].alias.as_ref().map(|p| p.root);
                    self.read(roots.into_iter().chain(of_alias));
                }
                StmtKind::Push(p, o) if p.is_var() => {
                    self.read(o.place().map(|p| p.root));
                    if self.empty.remove(&p.root) && self.read.contains(&p.root) {
                        self.late.push((p.root, o.clone()));
                    }
                }
                StmtKind::Assign(_, o, _) | StmtKind::Accum(_, _, o) => {
                    self.read(o.place().map(|p| p.root));
                }
                _ => {}
            }
            s.blocks().into_iter().for_each(|b| self.block(f, b));
        }
    }

    fn read(&mut self, roots: impl IntoIterator<Item = VarId>) {
        self.read
            .extend(roots.into_iter().filter(|v| self.empty.contains(v)));
    }
}

/// `Vec::new()`, `Vec::with_capacity(n)`
fn is_empty_vec(n: &Native) -> bool {
    let Expr::Call(c) = &n.expr else { return false };
    let Expr::Path(p) = &*c.func else {
        return false;
    };
    let names = crate::syntax::segments(&p.path);
    let bare = p.path.segments.iter().all(|s| s.arguments.is_empty());
    matches!(names.as_slice(), [.., owner, made]
        if bare && owner == "Vec" && (made == "new" || made == "with_capacity"))
}

/// Whether the type is known without.
fn typed(v: &Var) -> bool {
    v.written.is_some() || matches!(&v.ty, Ty::Seq(t) if t.is_known() || t.is_discrete())
}

/// Expressions of the types that values have which are computed later.
struct Like<'a> {
    f: &'a Func,
    /// Where they stand: what is defined later has no name there.
    at: &'a Point,
    depth: usize,
}

impl Like<'_> {
    fn deeper(&self) -> Option<Like<'_>> {
        (self.depth < 40).then_some(Like {
            depth: self.depth + 1,
            ..*self
        })
    }

    fn is_there(&self, v: VarId) -> bool {
        let defined = &self.f.vars[v].defined;
        let around = self.at.scope.starts_with(&defined.scope);
        let here = defined.pos < self.at.pos || self.f.vars[v].param.is_some();
        here && around && !self.f.vars[v].by_name && !self.f.interior.contains(&v)
    }

    fn operand(&self, o: &Operand) -> Option<Expr> {
        match o {
            Operand::Native(n) => self.native(n),
            Operand::Place {
                place,
                by_ref: true,
            } => self.reference(place),
            Operand::Place {
                place,
                by_ref: false,
            } => match &place.ty {
                Ty::Float(ty) => Some(any(ty)),
                _ => {
                    let r = self.reference(place)?;
                    Some(parse_quote!(ad::same_as(#r)))
                }
            },
        }
    }

    fn native(&self, n: &Native) -> Option<Expr> {
        match &n.ty {
            Ty::Float(ty) => Some(any(ty)),
            _ if n.uses.iter().all(|v| self.is_there(*v)) => Some(n.expr.clone()),
            _ => None,
        }
    }

    /// `&place`
    fn reference(&self, p: &Place) -> Option<Expr> {
        if let Ty::Float(ty) = &p.ty {
            let value = any(ty);
            return Some(parse_quote!(&#value));
        }
        let var = &self.f.vars[p.root];
        let base: TokenStream = if self.is_there(p.root) && var.alias.is_none() {
            let name = &var.name;
            match (var.hold, p.projections.first()) {
                (Hold::Ref | Hold::Mut, None | Some(Projection::Variant(..))) => quote!((*#name)),
                _ => quote!(#name),
            }
        } else if let Some(of) = &var.alias {
            let r = self.deeper()?.reference(of)?;
            quote!((*#r))
        } else {
            let value = self.deeper()?.computed(p.root)?;
            quote!((#value))
        };
        let mut anywhere = p.clone();
        for projection in &mut anywhere.projections {
            match projection {
                Projection::Index(n) if !n.uses.iter().all(|v| self.is_there(*v)) => {
                    n.expr = parse_quote!(0);
                }
                Projection::Spot(s) if !s.index.uses.iter().all(|v| self.is_there(*v)) => {
                    return None;
                }
                Projection::Range(n) => n.expr = parse_quote!(..),
                _ => {}
            }
        }
        let place = project(Side::Value, base, &anywhere);
        syn::parse2(quote!(&#place)).ok()
    }

    /// The value of a variable that is defined later.
    fn computed(&self, v: VarId) -> Option<Expr> {
        if let Ty::Float(ty) = &self.f.vars[v].ty {
            return Some(any(ty));
        }
        if let Some(rhs) = self.f.body.definition(v) {
            return self.rhs(rhs);
        }
        let arms = chosen(&self.f.body, v)?;
        let mut results = arms.iter().filter_map(|a| a.block.result.as_ref());
        results.find_map(|o| self.operand(o))
    }

    fn rhs(&self, rhs: &Rhs) -> Option<Expr> {
        let span = Span::mixed_site();
        let mut like = match rhs {
            Rhs::Borrow(p) => return self.reference(p),
            Rhs::Snapshot(p) => {
                let r = self.reference(p)?;
                return Some(parse_quote!(ad::same_as(#r)));
            }
            Rhs::Cast(_, ty) => return Some(parse_quote!(ad::any::<#ty>())),
            Rhs::Native(n) => return self.native(n),
            Rhs::GetLate(_) | Rhs::Witness(_) | Rhs::Pop(_) => return None,
            Rhs::Call { .. } | Rhs::Method { .. }
                if rhs
                    .arguments()
                    .iter()
                    .any(|a| a.lend == Lend::Mut || a.is_function()) =>
            {
                return None
            }
            rhs => rhs.clone(),
        };
        for o in like.operands_mut() {
            *o = Operand::Native(Native {
                expr: self.operand(o)?,
                uses: Vec::new(),
                cheap: false,
                ty: o.ty(),
            });
        }
        match &mut like {
            Rhs::Powi(_, n) => n.expr = parse_quote!(1),
            Rhs::Repeat { len, vec: true, .. } if !len.uses.iter().all(|v| self.is_there(*v)) => {
                len.expr = parse_quote!(0);
            }
            Rhs::Repeat { len, vec, .. } if !*vec && !len.uses.is_empty() => return None,
            _ => {}
        }
        let code = Code {
            f: self.f,
            keep: &|_| false,
        };
        syn::parse2(code.forward(&like, span)).ok()
    }
}

/// A value of a type, for its type.
fn any(ty: &str) -> Expr {
    let ty = syn::Ident::new(ty, Span::call_site());
    parse_quote!(ad::any::<#ty>())
}

/// The arms of the branch that gives a variable its value.
fn chosen(b: &Block, v: VarId) -> Option<&[Arm]> {
    b.deep().find_map(|s| match &s.kind {
        StmtKind::Branch {
            out: Some(w), arms, ..
        } if *w == v => Some(arms.as_slice()),
        _ => None,
    })
}
