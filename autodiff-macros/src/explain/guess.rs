//! The types of integers and other data without a derivative, which the transformation itself does
//! not have to know.

use crate::input::signature::ParamDecl;
use crate::ir::*;
use std::collections::{HashMap, HashSet};
use syn::{BinOp, Expr, Lit, Type, UnOp};

pub struct Guess<'a> {
    f: &'a Func,
    params: &'a [ParamDecl],
    /// What a variable is set to where it is defined.
    pub defs: HashMap<VarId, &'a Rhs>,
    /// Counters, with what they count through.
    ranges: HashMap<VarId, &'a Native>,
    /// Used as an index.
    indices: HashSet<VarId>,
    /// Floats whose type is open, by what they meet.
    floats: HashMap<VarId, &'static str>,
}

impl<'a> Guess<'a> {
    pub fn new(f: &'a Func, params: &'a [ParamDecl]) -> Self {
        let mut guess = Guess {
            f,
            params,
            defs: HashMap::new(),
            ranges: HashMap::new(),
            indices: HashSet::new(),
            floats: HashMap::new(),
        };
        guess.block(&f.body);
        guess
    }

    fn block(&mut self, b: &'a Block) {
        for s in b.deep() {
            let flow = s.flow();
            let places = flow.places().chain(flow.target);
            places.for_each(|p| self.place(p));
            match &s.kind {
                StmtKind::Def(v, rhs) => {
                    self.defs.insert(*v, rhs);
                    if let (Rhs::Op(_, operands), Ty::Float(name)) = (rhs, &self.f.vars[*v].ty) {
                        for o in operands {
                            let var = match o {
                                Operand::Native(n) => self.named(&n.expr, &n.uses),
                                Operand::Place { place, .. } => {
                                    place.is_var().then_some(place.root)
                                }
                            };
                            self.floats.extend(var.map(|v| (v, *name)));
                        }
                    }
                }
                StmtKind::For { var, range, .. } => {
                    self.ranges.insert(*var, range);
                }
                _ => {}
            }
        }
    }

    fn place(&mut self, p: &Place) {
        for projection in &p.projections {
            if let Projection::Index(n) | Projection::Range(n) = projection {
                self.index(&n.expr, &n.uses);
            }
        }
    }

    /// The operands of index arithmetic are indices.
    fn index(&mut self, e: &Expr, uses: &[VarId]) {
        match e {
            Expr::Path(_) => self.indices.extend(self.named(e, uses)),
            Expr::Paren(p) => self.index(&p.expr, uses),
            Expr::Group(g) => self.index(&g.expr, uses),
            Expr::Binary(b) => {
                self.index(&b.left, uses);
                self.index(&b.right, uses);
            }
            Expr::Range(r) => {
                let ends = r.start.iter().chain(&r.end);
                ends.for_each(|e| self.index(e, uses));
            }
            _ => {}
        }
    }

    /// The variable that a path is.
    fn named(&self, e: &Expr, uses: &[VarId]) -> Option<VarId> {
        let Expr::Path(p) = e else { return None };
        let name = p.path.get_ident()?;
        let is = |v: &&VarId| self.f.vars[**v].name == *name;
        uses.iter().find(is).copied()
    }

    pub fn declared(&self, v: VarId) -> Option<&'a Type> {
        self.params[self.f.vars[v].param?].value_ty()
    }

    /// The type of a variable, if something tells it.
    pub fn var(&self, v: VarId) -> Option<Type> {
        self.var_within(v, 16)
    }

    fn var_within(&self, v: VarId, depth: usize) -> Option<Type> {
        let depth = depth.checked_sub(1)?;
        if let Some(t) = self.declared(v) {
            return Some(t.clone());
        }
        if let (Ty::OpenFloat, Some(name)) = (&self.f.vars[v].ty, self.floats.get(&v)) {
            return syn::parse_str(name).ok();
        }
        if self.indices.contains(&v) {
            return Some(syn::parse_quote!(usize));
        }
        if let Some(range) = self.ranges.get(&v) {
            return match &range.expr {
                Expr::Range(r) => {
                    let mut ends = r.start.iter().chain(&r.end);
                    ends.find_map(|e| self.expr(e, &range.uses, depth))
                }
                _ => None,
            };
        }
        match self.defs.get(&v)? {
            Rhs::Native(n) => self.expr(&n.expr, &n.uses, depth),
            Rhs::Copy(Operand::Native(n)) => self.expr(&n.expr, &n.uses, depth),
            Rhs::Copy(Operand::Place { place, .. }) | Rhs::Snapshot(place) if place.is_var() => {
                self.var_within(place.root, depth)
            }
            _ => None,
        }
    }

    fn expr(&self, e: &Expr, uses: &[VarId], depth: usize) -> Option<Type> {
        let of = |e: &Expr| self.expr(e, uses, depth);
        match e {
            Expr::Lit(l) => match &l.lit {
                Lit::Bool(_) => Some(syn::parse_quote!(bool)),
                Lit::Int(n) => syn::parse_str(n.suffix()).ok(),
                Lit::Float(n) => syn::parse_str(n.suffix()).ok(),
                _ => None,
            },
            Expr::Cast(c) => Some((*c.ty).clone()),
            Expr::Paren(p) => of(&p.expr),
            Expr::Group(g) => of(&g.expr),
            Expr::Path(_) => self.var_within(self.named(e, uses)?, depth),
            Expr::Unary(u) if !matches!(u.op, UnOp::Deref(_)) => of(&u.expr),
            Expr::Binary(b) => match b.op {
                BinOp::Eq(_)
                | BinOp::Ne(_)
                | BinOp::Lt(_)
                | BinOp::Le(_)
                | BinOp::Gt(_)
                | BinOp::Ge(_)
                | BinOp::And(_)
                | BinOp::Or(_) => Some(syn::parse_quote!(bool)),
                BinOp::Shl(_) | BinOp::Shr(_) => of(&b.left),
                _ => of(&b.left).or_else(|| of(&b.right)),
            },
            Expr::MethodCall(m) => match m.method.to_string().as_str() {
                "len" | "count" | "argmax" | "argmin" | "capacity" => {
                    Some(syn::parse_quote!(usize))
                }
                "is_empty" | "is_nan" | "is_finite" | "is_some" | "is_none" | "is_ok"
                | "is_err" => Some(syn::parse_quote!(bool)),
                // A kept range is cloned where it is used.
                "clone" => of(&m.receiver),
                _ => None,
            },
            // A query that is checked to have no derivative.
            Expr::Call(c) if c.args.len() == 1 && is_query(&c.func) => of(&c.args[0]),
            Expr::Range(r) => {
                let t = r.start.iter().chain(&r.end).find_map(|e| of(e))?;
                match (&r.start, &r.end, &r.limits) {
                    (Some(_), Some(_), syn::RangeLimits::HalfOpen(_)) => {
                        Some(syn::parse_quote!((#t, #t)))
                    }
                    (Some(_), Some(_), syn::RangeLimits::Closed(_)) => {
                        Some(syn::parse_quote!((#t, #t, bool)))
                    }
                    _ => Some(t),
                }
            }
            Expr::Index(i) if !matches!(&*i.index, Expr::Range(_)) => {
                let v = self.named(&i.expr, uses)?;
                match self.declared(v)? {
                    Type::Slice(s) => Some((*s.elem).clone()),
                    Type::Array(a) => Some((*a.elem).clone()),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

fn is_query(e: &Expr) -> bool {
    let Expr::Path(p) = e else { return false };
    p.path.segments.last().is_some_and(|s| s.ident == "query")
}
