//! Functions of one number: the forward run finds the slope, and the pullback multiplies with it.
//!
//! For `fn f(x: f64) -> f64` with a loop it emits
//!
//! ```text
//! let t_x = ad::slope::unit(&x);
//! …                                    // as in `__jvp`
//! (value, move |ct, d_x| ad::slope::pull(&__tangent, &ct, &mut *d_x))
//! ```
//!
//! A reverse pass needs a tape of what each iteration computes, and a recursive function a box for each call. One tangent
//! beside each value needs neither, and takes as many operations. Loops that look for an extremum stay as they are: their
//! reverse pass goes through the iteration that was found, and forward mode through all.

use super::vjp::{Emitted, Vjp};
use crate::input::signature::ParamDecl;
use crate::ir::{is_active, Rhs, StmtKind};
use crate::syntax::names::derived;
use crate::syntax::{ty::Ty, ty_of};
use proc_macro2::Ident;
use quote::quote;
use syn::{ReturnType, Signature};

/// The one number by which a function is differentiated, if forward mode is the better way to its gradient.
pub fn of_one_number(runs: &Vjp<'_>, params: &[ParamDecl], sig: &Signature) -> Option<Ident> {
    let plain = |p: &ParamDecl| p.function.is_none() && !p.by_mut && !p.is_self();
    if !params.iter().all(plain) {
        return None;
    }
    let mut active = params.iter().filter(|p| !p.constant);
    let (Some(x), None) = (active.next(), active.next()) else {
        return None;
    };
    let ReturnType::Type(_, output) = &sig.output else {
        return None;
    };
    let same = matches!(x.kind, Ty::Float(_)) && x.kind == ty_of(output) && !x.by_ref;
    (same && keeps_much(runs, &sig.ident)).then(|| x.ident.clone())?
}

/// Whether a reverse pass would need a tape, or boxes.
fn keeps_much(runs: &Vjp<'_>, name: &Ident) -> bool {
    let mut much = false;
    for s in runs.f.body.deep().filter(|s| is_active(s, &runs.f.vars)) {
        match &s.kind {
            StmtKind::For { var, body, .. } if runs.selects(body, *var) => return false,
            StmtKind::For { .. } | StmtKind::While { .. } => much = true,
            StmtKind::Def(_, Rhs::Call { path, .. }) => much |= path.is_ident(name),
            _ => {}
        }
    }
    much
}

/// Both runs, of the body of `__jvp`.
pub fn runs(x: &Ident, along: &Emitted) -> Emitted {
    let (t, d) = (derived("t_", x), derived("d_", x));
    let (forward, slope) = (&along.forward, &along.reverse);
    Emitted {
        forward: quote!(let #t = ad::slope::unit(&#x); #forward let __slope = #slope;),
        value: along.value.clone(),
        held: quote!(),
        reverse: quote!(ad::slope::pull(&__slope, &__ct, &mut *#d);),
    }
}
