//! Lowers expressions.

use crate::ir::*;
use crate::knowledge::numbers::Op;
use crate::lower::Lower;
use crate::syntax;
use crate::syntax::ty::elem;
use syn::spanned::Spanned;
use syn::{BinOp, Expr, UnOp};

impl Lower<'_> {
    /// The value of an expression.
    pub fn expr(&mut self, e: &Expr, out: &mut Vec<Stmt>) -> Operand {
        if self.late_get(e).is_none() && !self.reads_active(e) && !is_unsupported(e) {
            self.check_cut(e);
            return Operand::Native(self.once(e, out));
        }
        match self.rhs(e, out) {
            Rhs::Copy(operand) => operand,
            Rhs::Borrow(place) => Operand::Place {
                place,
                by_ref: true,
            },
            Rhs::Native(n) => Operand::Native(n),
            rhs => {
                let ty = self.rhs_ty(&rhs);
                self.define(rhs, ty, e.span(), out)
            }
        }
    }

    /// Whether a value that is read may carry a derivative: a number in a constant field has none.
    pub(super) fn reads_active(&self, e: &Expr) -> bool {
        self.maybe_active(e) && !self.is_constant_number(e)
    }

    /// The last operation of an expression; its operands are lowered into `out`.
    pub fn rhs(&mut self, e: &Expr, out: &mut Vec<Stmt>) -> Rhs {
        if let Some(late) = self.late_get(e) {
            return Rhs::GetLate(late);
        }
        if !self.reads_active(e) && !is_unsupported(e) {
            self.check_cut(e);
            return Rhs::Native(self.native(e));
        }
        match e {
            Expr::Paren(p) => self.rhs(&p.expr, out),
            Expr::Group(g) => self.rhs(&g.expr, out),
            Expr::Index(i) if self.is_element(i) => self.element(i, out),
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => match self.place(e, out) {
                Some(place) => {
                    let by_ref = self.is_ref_var(e);
                    Rhs::Copy(Operand::Place { place, by_ref })
                }
                None => self.poison(e),
            },
            Expr::Reference(r) => {
                if r.mutability.is_some() {
                    self.cx.error(e, "a `&mut` borrow of an active value can be bound by `let` or lent to a call in a `#[differentiable]` function");
                    return self.poison(e);
                }
                match self.expr(&r.expr, out) {
                    Operand::Place { place, .. } => Rhs::Borrow(place),
                    Operand::Native(n) => Rhs::Native(n),
                }
            }
            Expr::Unary(u) => match u.op {
                UnOp::Neg(_) => {
                    let x = self.expr(&u.expr, out);
                    Rhs::Op(Op::Neg, vec![x])
                }
                UnOp::Deref(_) => match self.place(e, out) {
                    Some(place) => Rhs::Copy(Operand::Place {
                        place,
                        by_ref: false,
                    }),
                    None => self.poison(e),
                },
                _ => self.unsupported(e, "this operator has no derivative", "use `+ - * /`"),
            },
            Expr::Binary(b) => self.binary(b, out),
            Expr::Cast(c) => {
                if syntax::ty_of(&c.ty).is_discrete() {
                    return Rhs::Native(self.native(e));
                }
                let x = self.expr(&c.expr, out);
                Rhs::Cast(x, (*c.ty).clone())
            }
            Expr::MethodCall(m) => match self.mapped_array(m, out) {
                Some(array) => array,
                None => self.method(m, out),
            },
            Expr::Call(c) => self.call(c, out),
            Expr::Tuple(t) => self.tuple(t, out),
            Expr::Array(a) => Rhs::Array(self.operands(&a.elems.iter().collect::<Vec<_>>(), out)),
            Expr::Repeat(r) => {
                let value = self.expr(&r.expr, out);
                Rhs::Repeat {
                    value,
                    len: self.once(&r.len, out),
                    vec: false,
                }
            }
            Expr::Struct(s) => self.struct_literal(s, out),
            Expr::Block(b) if b.label.is_none() => {
                self.push_env();
                let value = self.stmts_of(&b.block, out);
                self.pop_env();
                match value {
                    Some(v) => Rhs::Copy(v),
                    None => {
                        self.unsupported(e, "this block has no value", "end it with an expression")
                    }
                }
            }
            Expr::If(i) => {
                if i.else_branch.is_none() {
                    return self.unsupported(e, "this `if` has no value", "add an `else`");
                }
                match self.if_expr(i, true, out) {
                    Some(v) => Rhs::Copy(self.var_operand(v, e.span())),
                    None => self.poison(e),
                }
            }
            Expr::Match(m) => match self.match_expr(m, true, out) {
                Some(v) => Rhs::Copy(self.var_operand(v, e.span())),
                None => self.poison(e),
            },
            Expr::Macro(m) => self.macro_expr(m, out),
            other => {
                let (what, way) = unsupported_expr(other);
                self.unsupported(other, what, way)
            }
        }
    }

    /// `__late_get(name)`
    fn late_get(&self, e: &Expr) -> Option<VarId> {
        match e {
            Expr::Call(c) if syntax::is_mark(&c.func, "__late_get") => {
                syntax::root_name(c.args.first()?).and_then(|n| self.lookup(&n))
            }
            _ => None,
        }
    }

    /// Whether an expression is the name of a variable that holds a reference.
    pub fn is_ref_var(&self, e: &Expr) -> bool {
        match e {
            Expr::Path(p) => p
                .path
                .get_ident()
                .and_then(|i| self.lookup(&i.to_string()))
                .is_some_and(|v| self.vars[v].hold.is_reference()),
            Expr::Field(_) => self.is_lent_part(e),
            _ => false,
        }
    }

    /// Whether the value of an expression is a reference, as far as its syntax tells.
    fn is_reference(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.is_reference(&p.expr),
            Expr::Group(g) => self.is_reference(&g.expr),
            Expr::Path(_) | Expr::Field(_) => self.is_ref_var(e),
            Expr::Reference(_) => true,
            Expr::Block(b) => match b.block.stmts.last() {
                Some(syn::Stmt::Expr(tail, None)) => self.is_reference(tail),
                _ => false,
            },
            _ => false,
        }
    }

    pub(super) fn unsupported(&self, e: &Expr, what: &str, way: &str) -> Rhs {
        self.cx.error(
            e,
            format!("{what} in a `#[differentiable]` function: {way}"),
        );
        self.poison(e)
    }

    /// What stands for an expression that had an error.
    pub(super) fn poison(&self, e: &Expr) -> Rhs {
        Rhs::Native(Native {
            expr: e.clone(),
            uses: Vec::new(),
            cheap: false,
            ty: Ty::Unknown,
        })
    }

    /// A place expression. A base that is not a place gets a name first.
    pub fn place(&mut self, e: &Expr, out: &mut Vec<Stmt>) -> Option<Place> {
        match e {
            Expr::Paren(p) => self.place(&p.expr, out),
            Expr::Group(g) => self.place(&g.expr, out),
            Expr::Unary(u) if matches!(u.op, UnOp::Deref(_)) => {
                let mut place = self.place(&u.expr, out)?;
                // `*r` of a reference is the place itself; numbers and sequences are in no box.
                if place.ty == Ty::Unknown && !self.is_reference(&u.expr) {
                    place.projections.push(Projection::Deref);
                    place.span = e.span();
                }
                Some(place)
            }
            Expr::Path(p) => {
                let name = p.path.get_ident()?.to_string();
                let Some(var) = self.lookup(&name) else {
                    self.cx
                        .error(e, format!("`{name}` is not a variable of this function"));
                    return None;
                };
                if self.closures.contains_key(&var) {
                    self.cx.error(e, crate::lower::closure::ONLY_CALLED);
                    return None;
                }
                if let Some(alias) = self.vars[var].alias.clone() {
                    return Some(Place {
                        span: e.span(),
                        ..alias
                    });
                }
                Some(self.var_place(var, e.span()))
            }
            Expr::Field(f) => {
                let mut place = self.base(&f.base, out)?;
                place.projections.push(Projection::Field(f.member.clone()));
                place.ty = self.vars[place.root].part_ty(&place.projections);
                Some(Place {
                    span: e.span(),
                    ..place
                })
            }
            Expr::Index(i) if !self.is_element(i) => {
                if let Some(written) = self.written_out(i) {
                    return self.place(&written, out);
                }
                let mut place = self.base(&i.expr, out)?;
                let draws = self.may_draw(&i.index) && !matches!(&*i.index, Expr::Range(_));
                if draws || self.may_change(&i.index) {
                    self.fix_indices(&mut place, out);
                }
                let index = self.once(&i.index, out);
                let array = matches!(place.ty, Ty::Seq(_));
                if !array && self.has_spot(i) {
                    return Some(self.spotted(place, index, e.span(), out));
                }
                if matches!(&*i.index, Expr::Range(_)) {
                    place.projections.push(Projection::Range(index));
                } else {
                    let ty = elem(&place.ty);
                    place = super::index::entry(place, index);
                    place.ty = match ty {
                        Ty::Unknown => self.vars[place.root].part_ty(&place.projections),
                        known => known,
                    };
                }
                Some(Place {
                    span: e.span(),
                    ..place
                })
            }
            other => {
                let operand = self.expr(other, out);
                match self.named(operand, out) {
                    Operand::Place { place, .. } => Some(place),
                    Operand::Native(_) => None,
                }
            }
        }
    }

    fn base(&mut self, e: &Expr, out: &mut Vec<Stmt>) -> Option<Place> {
        self.place(e, out)
    }

    fn binary(&mut self, b: &syn::ExprBinary, out: &mut Vec<Stmt>) -> Rhs {
        let op = match b.op {
            BinOp::Add(_) => Op::Add,
            BinOp::Sub(_) => Op::Sub,
            BinOp::Mul(_) => Op::Mul,
            BinOp::Div(_) => Op::Div,
            BinOp::Rem(_) => Op::Binary("rem"),
            _ => {
                let e = Expr::Binary(b.clone());
                return self.unsupported(&e, "this operator has no derivative", "use `+ - * / %`");
            }
        };
        let operands = self.operands(&[&*b.left, &*b.right], out);
        Rhs::Op(op, operands)
    }

    /// Operands in the order of evaluation.
    pub(super) fn operands(&mut self, exprs: &[&Expr], out: &mut Vec<Stmt>) -> Vec<Operand> {
        let mut operands = Vec::new();
        for (k, e) in exprs.iter().enumerate() {
            let operand = self.expr(e, out);
            operands.push(self.before(operand, &exprs[k..], out));
        }
        operands
    }

    /// The type of a result, as far as it is known.
    pub fn rhs_ty(&self, rhs: &Rhs) -> Ty {
        match rhs {
            Rhs::Copy(o) => o.ty(),
            Rhs::Borrow(p) | Rhs::Snapshot(p) => p.ty.clone(),
            Rhs::Op(_, operands) => operands
                .iter()
                .map(Operand::ty)
                .reduce(|a, b| syntax::join(&a, &b))
                .filter(|ty| *ty != Ty::Unknown)
                .or_else(|| self.whole_of(rhs, None)?.numbers())
                .unwrap_or(Ty::Unknown),
            Rhs::Powi(x, _) => x.ty(),
            Rhs::Cast(_, ty) => syntax::ty_of(ty),
            Rhs::Array(v) | Rhs::VecList(v) => {
                let ty = v
                    .iter()
                    .map(Operand::ty)
                    .reduce(|a, b| syntax::join(&a, &b))
                    .unwrap_or(Ty::Unknown);
                Ty::Seq(Box::new(ty))
            }
            Rhs::Repeat { value, .. } => Ty::Seq(Box::new(value.ty())),
            Rhs::Native(n) => n.ty.clone(),
            Rhs::Witness(_) => Ty::Discrete,
            Rhs::GetLate(l) => self.vars[*l].ty.clone(),
            Rhs::Method { receiver, .. } if self.called_function(receiver).is_some() => self
                .called_function(receiver)
                .map_or(Ty::Unknown, |f| syntax::ty_of(&f.output)),
            Rhs::Method { receiver, name, .. } if name == "to_vec" => {
                syntax::copied(receiver.operand.ty())
            }
            Rhs::Call { .. } | Rhs::Method { .. } => self
                .whole_of(rhs, None)
                .and_then(|t| t.numbers())
                .unwrap_or(Ty::Unknown),
            Rhs::Pop(_) | Rhs::Tuple(_) | Rhs::Struct(_) => Ty::Unknown,
        }
    }
}

/// Control flow that is an error wherever it stands.
fn is_unsupported(e: &Expr) -> bool {
    matches!(
        e,
        Expr::Return(_)
            | Expr::Try(_)
            | Expr::Await(_)
            | Expr::Break(_)
            | Expr::Continue(_)
            | Expr::Yield(_)
    )
}

fn unsupported_expr(e: &Expr) -> (&'static str, &'static str) {
    match e {
        Expr::While(_) => (
            "`while` has no value that could carry a derivative",
            "make it a statement of its own",
        ),
        Expr::Loop(_) => (
            "this `loop` stands in the middle of an expression",
            "give its value a name first, `let y = loop { … };`",
        ),
        Expr::Closure(_) => (
            "a closure that uses active values cannot be a value here",
            "make it a `#[differentiable]` function, or give it to a method of an iterator chain or of an `Option` or `Result` whose type is written where it is bound",
        ),
        Expr::Return(_) => (
            "this `return` stands in the middle of an expression",
            "make it a statement, `if … { return y; }`",
        ),
        Expr::Break(_) => (
            "this `break` stands in the middle of an expression",
            "make it a statement, `if … { break; }`",
        ),
        Expr::Continue(_) => (
            "this `continue` stands in the middle of an expression",
            "make it a statement, `if … { continue; }`",
        ),
        Expr::Try(_) => (
            "this `?` stands in the middle of an expression",
            "give its value a name first, `let y = …?;`",
        ),
        Expr::Await(_) | Expr::Async(_) => (
            "asynchronous code cannot be differentiated",
            "differentiate the computation it awaits",
        ),
        Expr::Unsafe(_) => (
            "`unsafe` blocks cannot be differentiated",
            "move it into a function with its own rule, or wrap it in `no_grad!`",
        ),
        Expr::Let(_) => (
            "this `let` condition stands in the middle of an expression",
            "use `if let … { … } else { … }` or `match`",
        ),
        Expr::Block(_) => (
            "this labelled block stands in the middle of an expression",
            "give its value a name first, `let y = 'a: { … };`",
        ),
        _ => (
            "this expression is not supported",
            "compute it with `+ - * /`, calls and methods",
        ),
    }
}
