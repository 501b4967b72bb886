//! The function itself over any scalar: its calls lead to functions over the same scalar.

use crate::ir::*;
use crate::needs::Needs;
use crate::vjp::Callee;
use quote::{quote, ToTokens};
use syn::Path;

/// Turns calls of functions with companions into calls of their `__over`. Those that pass functions on are
/// called through their pullbacks.
pub fn over_calls(b: &mut Block, resolve: &dyn Fn(&Path, usize) -> Callee) {
    for s in &mut b.stmts {
        match &mut s.kind {
            StmtKind::Def(_, Rhs::Call { path, args }) if !args.iter().any(Arg::is_function) => {
                if let Some(over) = resolve(path, args.len()).over {
                    *path = over;
                }
            }
            StmtKind::Branch { arms, .. } => {
                for arm in arms {
                    over_calls(&mut arm.block, resolve);
                }
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => over_calls(body, resolve),
            _ => {}
        }
    }
}

/// What the function itself keeps: every value, so that none is moved which is read again.
pub fn keep_all(f: &Func) -> Needs {
    fn witnesses(b: &Block, found: &mut Vec<VarId>) {
        for s in &b.stmts {
            match &s.kind {
                StmtKind::Def(v, Rhs::Witness(_)) => found.push(*v),
                StmtKind::Branch { arms, .. } => {
                    arms.iter().for_each(|a| witnesses(&a.block, found));
                }
                StmtKind::For { body, .. } | StmtKind::While { body, .. } => witnesses(body, found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    witnesses(&f.body, &mut found);
    let mut needs = Needs::none();
    needs.values = (0..f.vars.len()).filter(|v| !found.contains(v)).collect();
    needs
}

/// The path of a call, with the generics that the user wrote.
pub fn with_generics(path: impl ToTokens, generics: Option<&proc_macro2::TokenStream>) -> Path {
    let generics = generics.map(|g| quote!(::<#g>));
    syn::parse_quote!(#path #generics)
}
