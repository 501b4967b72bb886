//! Spreads what is known of types: a literal's float type is fixed by what it meets.
//!
//! Rust does the same inference; here it only saves type witnesses, so an answer that is missed
//! costs a witness and a wrong one cannot arise (a float never meets a float of another type).

use crate::ir::*;
use crate::knowledge::numbers::Op;
use crate::syntax::join;
use crate::syntax::ty::elem;

pub fn spread(f: &mut Func) {
    loop {
        let before: Vec<Ty> = f.vars.iter().map(|v| v.ty.clone()).collect();
        let mut body = std::mem::take(&mut f.body);
        block(&mut body, &mut f.vars);
        f.body = body;
        if f.vars.iter().map(|v| &v.ty).eq(before.iter()) {
            return;
        }
    }
}

fn block(b: &mut Block, vars: &mut [Var]) {
    for s in &mut b.stmts {
        match &mut s.kind {
            StmtKind::Def(v, rhs) => {
                rhs.operands_mut()
                    .into_iter()
                    .for_each(|o| operand(o, vars));
                if let Rhs::Borrow(p) | Rhs::Snapshot(p) = rhs {
                    place(p, vars);
                }
                meet(rhs, vars);
                let late = match rhs {
                    Rhs::GetLate(l) => Some(vars[*l].ty.clone()),
                    _ => None,
                };
                if let Some(ty) = late.or_else(|| result(rhs)) {
                    refine(&mut vars[*v].ty, &ty);
                }
            }
            StmtKind::Assign(p, o, _) | StmtKind::Accum(_, p, o) => {
                place(p, vars);
                operand(o, vars);
                store(p, &o.ty(), vars);
                let ty = p.ty.clone();
                fix(o, &ty, vars);
            }
            StmtKind::Branch { arms, out, .. } => {
                for a in arms {
                    block(&mut a.block, vars);
                    if let (Some(v), Some(o)) = (*out, &a.block.result) {
                        refine(&mut vars[v].ty, &o.ty());
                    }
                }
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => block(body, vars),
            StmtKind::Push(p, o) => {
                place(p, vars);
                operand(o, vars);
                if p.is_var() {
                    refine(&mut vars[p.root].ty, &Ty::Seq(Box::new(o.ty())));
                }
            }
            StmtKind::SetLate(v, o) => {
                operand(o, vars);
                refine(&mut vars[*v].ty, &o.ty());
            }
            StmtKind::Late(..) | StmtKind::Native(_) => {}
        }
    }
    if let Some(o) = &mut b.result {
        operand(o, vars);
    }
}

/// An open float, or a sequence of them, takes the type of what it meets.
fn refine(ty: &mut Ty, with: &Ty) {
    match (&mut *ty, with) {
        (Ty::OpenFloat, Ty::Float(_)) => *ty = with.clone(),
        (Ty::Seq(a), Ty::Seq(b)) => refine(a, b),
        _ => {}
    }
}

fn place(p: &mut Place, vars: &[Var]) {
    let mut ty = vars[p.root].ty.clone();
    for projection in &p.projections {
        ty = match projection {
            Projection::Field(_) | Projection::Variant(..) | Projection::Deref => Ty::Unknown,
            Projection::Index(_) => elem(&ty),
            Projection::Spot(_) => Ty::Unknown,
            Projection::Range(_) => ty,
        };
    }
    if ty == Ty::Unknown {
        ty = vars[p.root].part_ty(&p.projections);
    }
    // What was known when it was written (a `let` with a type) is not lost.
    if p.ty == Ty::Unknown || p.ty == Ty::OpenFloat || matches!(p.ty, Ty::Seq(_)) {
        p.ty = ty;
    }
}

fn operand(o: &mut Operand, vars: &[Var]) {
    if let Operand::Place { place: p, .. } = o {
        place(p, vars);
    }
}

/// A store fixes the type of the variable stored to.
fn store(p: &Place, ty: &Ty, vars: &mut [Var]) {
    let mut whole = ty.clone();
    for projection in p.projections.iter().rev() {
        match projection {
            Projection::Index(_) => whole = Ty::Seq(Box::new(whole)),
            Projection::Range(_) => {}
            _ => return,
        }
    }
    refine(&mut vars[p.root].ty, &whole);
}

fn fix(o: &Operand, ty: &Ty, vars: &mut [Var]) {
    if let Operand::Place { place, .. } = o {
        store(place, ty, vars);
    }
}

/// The operands of an arithmetic operation have one float type.
fn meet(rhs: &Rhs, vars: &mut [Var]) {
    if let Rhs::Op(
        Op::Add
        | Op::Sub
        | Op::Mul
        | Op::Div
        | Op::Binary(_)
        | Op::Select(_)
        | Op::Clamp
        | Op::MulAdd,
        o,
    ) = rhs
    {
        if let Some(ty @ Ty::Float(_)) = o
            .iter()
            .map(Operand::ty)
            .find(|t| matches!(t, Ty::Float(_)))
        {
            for o in o {
                fix(o, &ty, vars);
            }
        }
    }
}

fn result(rhs: &Rhs) -> Option<Ty> {
    match rhs {
        Rhs::Copy(o) | Rhs::Powi(o, _) => Some(o.ty()),
        Rhs::Snapshot(p) | Rhs::Borrow(p) => Some(p.ty.clone()),
        Rhs::Op(_, o) => o.iter().map(Operand::ty).reduce(|a, b| join(&a, &b)),
        Rhs::Array(o) | Rhs::VecList(o) => o
            .iter()
            .map(Operand::ty)
            .reduce(|a, b| join(&a, &b))
            .map(|t| Ty::Seq(Box::new(t))),
        Rhs::Repeat { value, .. } => Some(Ty::Seq(Box::new(value.ty()))),
        _ => None,
    }
}
