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
    for s in b.deep() {
        if let StmtKind::Def(v, rhs) = &s.kind {
            if changes(rhs).any(|p| vars[p.root].active) {
                vars[*v].active = true;
            }
        }
    }
}

fn set(flags: &mut [bool], i: usize) -> bool {
    !std::mem::replace(&mut flags[i], true)
}

fn forward(b: &Block, vars: &[Var], varied: &mut [bool]) -> bool {
    let mut changed = false;
    for s in b.deep() {
        // An operation may make an integer of floats; what is stored or chosen is of the same type.
        let computed = matches!(s.kind, StmtKind::Def(..));
        for pass in s.flow().passes {
            if pass.from.iter().any(|v| varied[*v]) {
                // What is lent as a constant stays one: the called function has to see to it.
                for v in pass.to {
                    changed |= !(computed && vars[v].ty.is_discrete()) && set(varied, v);
                }
            }
        }
    }
    changed
}

fn backward(b: &Block, useful: &mut [bool]) -> bool {
    let mut changed = false;
    let stmts: Vec<&Stmt> = b.deep().collect();
    for s in stmts.into_iter().rev() {
        for mut pass in s.flow().passes {
            let to = pass.to.iter().chain(&pass.constant);
            // What is popped without being used leaves a place in the cotangent.
            let popped = matches!(s.kind, StmtKind::Def(_, Rhs::Pop(_)));
            let mut ends = to.chain(pass.from.iter().filter(|_| popped));
            if ends.any(|v| useful[*v]) {
                pass.from.extend(pass.to.iter().filter(|_| popped));
                for v in pass.from {
                    changed |= set(useful, v);
                }
            }
        }
    }
    changed
}
