//! Operators of differentiable functions: `g::hessian`, `g::hvp` and the like.

/// Whether a path ends in the name of such an operator: what its companions begin with.
pub fn matrix_operator(name: &str) -> Option<&'static str> {
    match name {
        "hessian" => Some("hessian"),
        "jacobian" | "jacobian_fwd" | "jacobian_rev" => Some("jacobian"),
        _ => None,
    }
}

/// The form of an operator whose derivative is followed, where this one is not.
pub fn instead(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "hvp" | "grad_and_hvp" => {
            "write the pairs out, `g::hvp((x, v), c)`, and what is computed behind a reference with a name"
        }
        "linearize" | "vjp" => {
            "take it apart at once, `let (value, f) = g::vjp(x);`, and call `f` by its name"
        }
        _ => return None,
    })
}
