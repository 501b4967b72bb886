//! Sines and cosines of the same angle: each is the slope of the other, which then is not computed
//! again in the reverse pass.
//!
//! Not in a loop: there the two would be two entries of the tape, and the angle is often none.

use crate::ir::*;
use crate::knowledge::numbers::Op;
use std::collections::HashMap;

/// The cosine for a sine, the sine for a cosine.
pub fn find(f: &Func) -> HashMap<VarId, VarId> {
    let mut pairs = HashMap::new();
    block(f, &f.body, &mut pairs);
    pairs
}

fn block(f: &Func, b: &Block, pairs: &mut HashMap<VarId, VarId>) {
    let of_angles: Vec<_> = b.stmts.iter().filter_map(|s| of_angle(f, s)).collect();
    for (name, angle, v) in &of_angles {
        let other = of_angles.iter().find(|o| o.0 != *name && o.1 == *angle);
        if let Some((_, _, other)) = other {
            pairs.insert(*v, *other);
        }
    }
    for s in &b.stmts {
        if let StmtKind::Branch { arms, .. } = &s.kind {
            arms.iter().for_each(|a| block(f, &a.block, pairs));
        }
    }
}

/// `let v = angle.sin();` or the same with `cos`, of an angle that stays what it is.
fn of_angle(f: &Func, s: &Stmt) -> Option<(&'static str, VarId, VarId)> {
    let StmtKind::Def(v, Rhs::Op(Op::UnaryIn(name @ ("sin" | "cos")), operands)) = &s.kind else {
        return None;
    };
    let angle = operands.first()?.place()?;
    let fixed = angle.is_var() && f.place_frozen(angle, &s.point) && !f.vars[*v].mutable;
    fixed.then_some((name, angle.root, *v))
}
