//! Operators that are called in a differentiable function in a form whose derivative is not followed.

use crate::input::ctxt::Ctxt;
use crate::ir::*;
use crate::knowledge::operators::instead;
use crate::syntax;

/// Whether nothing but an operator has the name. A module `camera` may well have a function `linearize`, for which
/// `callees` says the same where there is none.
fn is_operator(name: &str) -> bool {
    ["hvp", "grad_and_hvp"].contains(&name)
}

/// Records an error for each operator that would need a derivative.
pub fn refuse_operators(f: &Func, cx: &Ctxt) {
    for s in f.body.deep() {
        let StmtKind::Def(v, Rhs::Call { path, .. }) = &s.kind else {
            continue;
        };
        let names = syntax::segments(path);
        let [.., owner, name] = names.as_slice() else {
            continue;
        };
        let of_function = !owner.starts_with(char::is_uppercase) && f.vars[*v].active;
        let Some(instead) = instead(name).filter(|_| of_function && is_operator(name)) else {
            continue;
        };
        cx.error(path, format!("`{owner}::{name}` has no derivative in a differentiable function: {instead}; a function of your own that is named `{name}` is called by its bare name"));
    }
}
