//! Moves instead of copies: `u = step(&u, k)`.
//!
//! The reverse pass reads what `u` was. The copy is made where `u` gets its next value, and there the old one is nobody's: it is
//! moved. Until then calls borrow `u` itself.
//!
//! ```text
//! let v0 = step(&u, k);
//! let k0 = u;           // for the reverse pass
//! u = v0;
//! ```
//!
//! Calls that run again in the reverse pass get no copies (`passes/needs`), so that none of them asks for `u` there.

use crate::ir::*;

/// Moves what is overwritten as a whole.
pub fn move_overwritten(f: &mut Func) {
    let mut body = std::mem::take(&mut f.body);
    in_block(&mut body, &mut f.vars);
    f.body = body;
}

fn in_block(b: &mut Block, vars: &mut [Var]) {
    for s in &mut b.stmts {
        s.blocks_mut().into_iter().for_each(|b| in_block(b, vars));
    }
    // From the end: what moves behind a copy leaves the places before it as they are.
    for k in (0..b.stmts.len()).rev() {
        if let Some((copy, to)) = moved(&b.stmts, k, vars) {
            vars[copy].moved = true;
            b.stmts[k..to].rotate_left(1);
        }
    }
}

/// The copy that a statement makes, if it can be a move, and the assignment before which that is.
fn moved(stmts: &[Stmt], k: usize, vars: &[Var]) -> Option<(VarId, usize)> {
    let StmtKind::Def(copy, Rhs::Snapshot(place)) = &stmts[k].kind else {
        return None;
    };
    let (copy, of) = (*copy, place.root);
    let var = &vars[of];
    let own = var.hold == Hold::Value && var.alias.is_none() && var.param.is_none();
    let whole = place.is_var() && !place.ty.is_copy() && !var.grows && !var.late && !var.by_name;
    // Loops read the entries of their copies in the forward pass too.
    let for_calls = vars[copy].kept_for == Some(KeptFor::Calls);
    if !own || !whole || !for_calls {
        return None;
    }
    let overwrites =
        |s: &Stmt| matches!(&s.kind, StmtKind::Assign(p, _, _) if p.is_var() && p.root == of);
    let after = &stmts[k + 1..];
    let to = after.iter().position(overwrites)?;
    let StmtKind::Assign(_, value, _) = &after[to].kind else {
        return None;
    };
    let reads = |o: &Operand| match o {
        Operand::Place { place, .. } => place.root == of || place.index_uses().any(|v| v == of),
        Operand::Native(n) => n.uses.contains(&of),
    };
    let only_read = |s: &Stmt| only_reads(s, of, copy, vars);
    (!reads(value) && after[..to].iter().all(only_read)).then_some((copy, k + 1 + to))
}

/// Whether a statement leaves a variable where it is, and does not read the copy.
fn only_reads(s: &Stmt, of: VarId, copy: VarId, vars: &[Var]) -> bool {
    let inside = |b: &Block| {
        let mut result = b.result.iter();
        result.all(|o| lends(o, of) && lends(o, copy))
            && b.stmts.iter().all(|s| only_reads(s, of, copy, vars))
    };
    alone(s, of, copy, vars) && s.blocks().into_iter().all(inside)
}

/// The same for a statement without those inside.
fn alone(s: &Stmt, of: VarId, copy: VarId, vars: &[Var]) -> bool {
    let flow = s.flow();
    let name = vars[of].name.to_string();
    let names = std::collections::HashSet::from([name]);
    let written = flow
        .written
        .iter()
        .any(|t| crate::syntax::tokens_mention((*t).clone(), &names));
    let stored = flow.target.is_some_and(|p| p.root == of);
    if written || stored || flow.defines == Some(of) {
        return false;
    }
    // The copy comes after these: only what calls borrow is taken from the variable itself.
    let def = match &s.kind {
        StmtKind::Def(v, rhs) => Some((*v, rhs)),
        _ => None,
    };
    let args = def.map(|(_, rhs)| rhs.arguments()).unwrap_or_default();
    let lent = |a: &&Arg| a.snapshot == Some(copy) && a.lend == Lend::Shared && !a.is_function();
    let borrowed = args.iter().copied().filter(lent).count();
    if flow.variables().filter(|v| *v == copy).count() > borrowed {
        return false;
    }
    match def {
        Some((_, Rhs::Pop(p) | Rhs::Borrow(p))) => p.root != of,
        // Only one can be moved.
        Some((v, Rhs::Snapshot(p))) => !(p.root == of && vars[v].moved),
        Some((_, rhs @ (Rhs::Call { .. } | Rhs::Method { .. }))) => {
            let is_receiver = |k: usize| k == 0 && matches!(rhs, Rhs::Method { .. });
            args.iter().enumerate().all(|(k, a)| {
                let by_reference = match &a.operand {
                    Operand::Place { by_ref, .. } => *by_ref || is_receiver(k),
                    Operand::Native(_) => true,
                };
                let shared = a.lend == Lend::Shared && !a.is_function();
                by_reference && shared || lends(&a.operand, of)
            })
        }
        _ => flow.operands.iter().all(|o| lends(o, of)),
    }
}

/// Whether a value is read and not moved: a number, or none of the variable.
fn lends(o: &Operand, of: VarId) -> bool {
    match o {
        Operand::Place { place, .. } => place.root != of || !place.is_var() && place.ty.is_copy(),
        Operand::Native(n) => !n.uses.contains(&of) || n.cheap,
    }
}
