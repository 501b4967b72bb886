//! Activity: a variable matters to the derivative when it depends on an active parameter
//! (*varied*) and the result depends on it (*useful*).

use crate::ir::*;

/// Fills in [`Var::active`].
pub fn analyse(f: &mut Func) {
    let (varied, useful) = (varied(f), useful(f));
    for (i, v) in f.vars.iter_mut().enumerate() {
        v.active = varied[i] && useful[i] && !v.ty.is_discrete() && v.alias.is_none();
    }
    call_results(&f.body, &mut f.vars);
}

/// Which variables depend on an active parameter.
pub fn varied(f: &Func) -> Vec<bool> {
    let mut varied = vec![false; f.vars.len()];
    for p in &f.params {
        varied[p.var] = !p.constant;
    }
    while forward(&f.body, &f.vars, &mut varied) {}
    varied
}

/// Which variables the result depends on.
pub fn useful(f: &Func) -> Vec<bool> {
    let mut useful = vec![false; f.vars.len()];
    for p in &f.params {
        // What is left behind the reference is a result.
        useful[p.var] = p.by_mut && !p.constant;
    }
    if let Some(p) = f.body.result.as_ref().and_then(Operand::place) {
        useful[p.root] = true;
    }
    while backward(&f.body, &mut useful) {}
    useful
}

/// A call that changes an active place has a reverse whatever becomes of its value.
fn call_results(b: &Block, vars: &mut [Var]) {
    for s in &b.stmts {
        match &s.kind {
            StmtKind::Def(v, rhs) if changes(rhs).any(|p| vars[p.root].active) => {
                vars[*v].active = true;
            }
            _ => s.blocks().into_iter().for_each(|b| call_results(b, vars)),
        }
    }
}

fn set(flags: &mut [bool], i: usize) -> bool {
    !std::mem::replace(&mut flags[i], true)
}

fn forward(b: &Block, vars: &[Var], varied: &mut [bool]) -> bool {
    let mut changed = false;
    for s in &b.stmts {
        match &s.kind {
            StmtKind::Def(v, rhs) => {
                let any = sources(rhs).iter().any(|v| varied[*v]);
                if any && !vars[*v].ty.is_discrete() {
                    changed |= set(varied, *v);
                }
                // What is lent as a constant stays one: the called function has to see to it.
                let followed = rhs.arguments().into_iter().filter(|a| !a.unfollowed);
                for p in followed.filter_map(Arg::changed) {
                    if any && !vars[p.root].ty.is_discrete() {
                        changed |= set(varied, p.root);
                    }
                }
            }
            StmtKind::Assign(p, o, _) | StmtKind::Accum(_, p, o) | StmtKind::Push(p, o) => {
                if o.place().is_some_and(|q| varied[q.root]) {
                    changed |= set(varied, p.root);
                }
            }
            StmtKind::Branch { arms, out, .. } => {
                for a in arms {
                    changed |= forward(&a.block, vars, varied);
                    let result = a.block.result.as_ref().and_then(Operand::place);
                    if let (Some(v), Some(p)) = (out, result) {
                        if varied[p.root] {
                            changed |= set(varied, *v);
                        }
                    }
                }
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                changed |= forward(body, vars, varied);
            }
            StmtKind::SetLate(v, o) => {
                if o.place().is_some_and(|q| varied[q.root]) {
                    changed |= set(varied, *v);
                }
            }
            StmtKind::Late(..) | StmtKind::Native(_) => {}
        }
    }
    changed
}

fn backward(b: &Block, useful: &mut [bool]) -> bool {
    let mut changed = false;
    for s in b.stmts.iter().rev() {
        match &s.kind {
            // What is popped without being used leaves a place in the cotangent.
            StmtKind::Def(v, Rhs::Pop(p)) if useful[p.root] || useful[*v] => {
                changed |= set(useful, *v);
                changed |= set(useful, p.root);
            }
            StmtKind::Def(v, rhs) if useful[*v] || changes(rhs).any(|p| useful[p.root]) => {
                for v in sources(rhs) {
                    changed |= set(useful, v);
                }
            }
            StmtKind::SetLate(v, o) if useful[*v] => {
                if let Some(q) = o.place() {
                    changed |= set(useful, q.root);
                }
            }
            StmtKind::Assign(p, o, _) | StmtKind::Accum(_, p, o) | StmtKind::Push(p, o)
                if useful[p.root] =>
            {
                if let Some(q) = o.place() {
                    changed |= set(useful, q.root);
                }
            }
            StmtKind::Branch { arms, out, .. } => {
                for a in arms {
                    if out.is_some_and(|v| useful[v]) {
                        if let Some(p) = a.block.result.as_ref().and_then(Operand::place) {
                            changed |= set(useful, p.root);
                        }
                    }
                    changed |= backward(&a.block, useful);
                }
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                changed |= backward(body, useful);
            }
            _ => {}
        }
    }
    changed
}
