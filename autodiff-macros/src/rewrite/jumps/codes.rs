//! The codes of jumps that a block sets: a loop that no jump leaves needs no test for one after its trips.

use std::collections::BTreeSet;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprAssign, Stmt};

/// The codes that statements set, but for 0.
pub(super) fn set_in(stmts: &[Stmt]) -> BTreeSet<usize> {
    let mut v = Mentions::default();
    stmts.iter().for_each(|s| v.visit_stmt(s));
    v.set
}

/// Whether statements name the code of jumps.
pub(super) fn are_named(stmts: &[Stmt]) -> bool {
    let mut v = Mentions::default();
    stmts.iter().for_each(|s| v.visit_stmt(s));
    v.read || !v.set.is_empty()
}

/// Takes back the settings of a code that nothing asks for: what follows them is in other arms.
pub(super) fn forget(stmts: &mut Vec<Stmt>, code: usize) -> bool {
    let mut v = Mentions::default();
    stmts.iter().for_each(|s| v.visit_stmt(s));
    if v.read || v.set.iter().any(|c| *c != code) {
        return false;
    }
    let mut block = Block {
        brace_token: Default::default(),
        stmts: std::mem::take(stmts),
    };
    Forget.visit_block_mut(&mut block);
    *stmts = block.stmts;
    true
}

/// The code of `__jump = code`.
fn code_of(a: &ExprAssign) -> Option<usize> {
    let Expr::Lit(l) = &*a.right else {
        return None;
    };
    match &l.lit {
        syn::Lit::Int(i) if is_jump(&a.left) => i.base10_parse().ok(),
        _ => None,
    }
}

fn is_jump(e: &Expr) -> bool {
    matches!(e, Expr::Path(p) if p.path.is_ident("__jump"))
}

#[derive(Default)]
struct Mentions {
    set: BTreeSet<usize>,
    /// It is compared, or set to 0.
    read: bool,
}

impl<'a> Visit<'a> for Mentions {
    fn visit_expr_assign(&mut self, a: &'a ExprAssign) {
        match code_of(a) {
            Some(code) if code != 0 => drop(self.set.insert(code)),
            _ => visit::visit_expr_assign(self, a),
        }
    }
    fn visit_expr(&mut self, e: &'a Expr) {
        self.read |= is_jump(e);
        visit::visit_expr(self, e);
    }
}

struct Forget;

impl VisitMut for Forget {
    fn visit_block_mut(&mut self, b: &mut Block) {
        let sets = |s: &Stmt| matches!(s, Stmt::Expr(Expr::Assign(a), _) if code_of(a).is_some());
        b.stmts.retain(|s| !sets(s));
        visit_mut::visit_block_mut(self, b);
    }
}
