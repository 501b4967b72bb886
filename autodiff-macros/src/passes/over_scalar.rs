//! The function itself over any scalar: its calls lead to functions over the same scalar.

use crate::ir::Needs;
use crate::ir::*;
use quote::{quote, ToTokens};
use std::collections::HashSet;
use syn::Path;

/// Turns calls of functions with companions into calls of their `__over`. Those that pass functions on are
/// called through their pullbacks, and those whose value has no derivative stay: see [`native`](crate::higher).
pub fn over_calls(b: &mut Block, vars: &[Var], callees: &dyn Resolve) {
    b.each_mut(&mut |s| {
        if let StmtKind::Def(v, Rhs::Call { path, args }) = &mut s.kind {
            let stays = args.iter().any(Arg::is_function) || !vars[*v].active;
            if let Some(over) = (!stays)
                .then(|| callees.callee(path, args.len()).over)
                .flatten()
            {
                *path = over;
            }
        }
    });
}

/// What the function itself keeps: every value, so that none is moved which is read again.
pub fn keep_all(f: &Func) -> Needs {
    let witness = |s: &Stmt| match &s.kind {
        StmtKind::Def(v, Rhs::Witness(_)) => Some(*v),
        _ => None,
    };
    let found: HashSet<VarId> = f.body.deep().filter_map(witness).collect();
    let mut needs = Needs::none();
    needs.values = (0..f.vars.len()).filter(|v| !found.contains(v)).collect();
    needs
}

/// The path of a call, with the generics that the user wrote.
pub fn with_generics(path: impl ToTokens, generics: Option<&proc_macro2::TokenStream>) -> Path {
    let generics = generics.map(|g| quote!(::<#g>));
    syn::parse_quote!(#path #generics)
}
