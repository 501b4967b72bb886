//! Operators that are called in a differentiable function and have no derivative there.
//!
//! `g::grad`, `g::value_and_grad`, `g::hvp` and `g::jvp` have one, and lead to what the others give.

use crate::ctxt::Ctxt;
use crate::ir::*;
use crate::syntax;

/// What leads to the derivative of an operator's value.
pub fn instead(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "grad_and_hvp" => "`g::grad` and `g::hvp` have one",
        "hessian" => {
            "`g::hvp((x, v))` along a unit vector has a column of the Hessian"
        }
        "jacobian" | "jacobian_fwd" | "jacobian_rev" => {
            "`g::jvp((x, v))` along a unit vector has a column of the Jacobian as its second part"
        }
        "linearize" => "`g::jvp((x, v))` has the value and its derivative along `v`",
        "vjp" => "`g::grad` has a derivative, and so has the gradient of a function of yours that gives the sum of what `g` returns, each times its cotangent",
        _ => return None,
    })
}

/// Whether nothing but an operator has the name. A module `camera` may well have a function `jacobian`, for which
/// `callees` says the same where there is none.
fn is_operator(name: &str) -> bool {
    ["grad_and_hvp", "jacobian_fwd", "jacobian_rev"].contains(&name)
}

/// Records an error for each operator that would need a derivative.
pub fn refuse_operators(f: &Func, cx: &Ctxt) {
    each(&f.body, &mut |v, path| {
        let names = syntax::segments(path);
        let [.., owner, name] = names.as_slice() else {
            return;
        };
        let of_function = !owner.starts_with(char::is_uppercase) && f.vars[v].active;
        let Some(instead) = instead(name).filter(|_| of_function && is_operator(name)) else {
            return;
        };
        cx.error(path, format!("`{owner}::{name}` has no derivative in a differentiable function: {instead}; a function of your own that is named `{name}` is called by its bare name"));
    });
}

fn each(b: &Block, found: &mut dyn FnMut(VarId, &syn::Path)) {
    for s in &b.stmts {
        if let StmtKind::Def(v, Rhs::Call { path, .. }) = &s.kind {
            found(*v, path);
        }
        for inner in s.blocks() {
            each(inner, found);
        }
    }
}
