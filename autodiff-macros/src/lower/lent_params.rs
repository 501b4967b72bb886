//! Which parameters of a closure are references, where the closure does not say so.
//!
//! What a closure passes on, `|t, y| rate(t, y)`, is a value or a reference, and the macro sees no types. It is a
//! reference where
//!
//! - the body takes it off, `*y`,
//! - the closure is the right-hand side of a solver of this crate, which lends it the state,
//! - it is passed on to a function of the same `impl` block whose parameter is a reference.
//!
//! Elsewhere the closure says so, `|t, y: &[f64]|`.

use crate::lower::Lower;
use crate::rewrite::siblings::Siblings;
use crate::syntax;
use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{Expr, ExprClosure, Pat};

/// The solvers: their name, how many arguments they have, which of these is the state at the start, and which is the
/// state in the arguments of their functions.
const SOLVERS: [(&str, usize, usize, usize); 9] = [
    ("rk4", 5, 1, 1),
    ("rk4_with", 6, 1, 1),
    ("rk4_path", 5, 1, 1),
    ("dopri5", 5, 1, 1),
    ("dopri5_at", 5, 1, 1),
    ("dopri5_until", 7, 3, 1),
    ("root", 3, 1, 0),
    ("fixed_point", 3, 1, 0),
    ("newton", 3, 1, 0),
];

impl Lower<'_> {
    /// Which parameter of the closures in a call is the state of a solver. A function of the user's may have such a
    /// name too: one that takes the state by value gives it to the closure by value.
    pub(super) fn state_of_solver(&self, c: &syn::ExprCall) -> Option<usize> {
        let Expr::Path(p) = &*c.func else { return None };
        let name = p.path.segments.last()?.ident.to_string();
        let mut solvers = SOLVERS.iter();
        let (.., start, state) =
            solvers.find(|(solver, args, ..)| name == *solver && c.args.len() == *args)?;
        self.is_lent(&c.args[*start]).then_some(*state)
    }

    fn is_lent(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.is_lent(&p.expr),
            Expr::Group(g) => self.is_lent(&g.expr),
            Expr::Reference(_) => true,
            Expr::MethodCall(m) => ["as_slice", "as_ref"].iter().any(|n| m.method == n),
            e => self.is_ref_var(e),
        }
    }

    /// Writes the types of the parameters that are references: `|t, y: &_|`.
    pub(super) fn lent_parameters(&self, mut c: ExprClosure) -> ExprClosure {
        let mut found = References {
            siblings: self.siblings,
            dereferenced: Vec::new(),
            passed: Vec::new(),
            lent: Vec::new(),
        };
        found.visit_expr(&c.body);
        for (i, pat) in c.inputs.iter_mut().enumerate() {
            let Pat::Ident(p) = &*pat else { continue };
            let name = p.ident.to_string();
            let of_solver = self.state == Some(i) && found.passed.contains(&name);
            if of_solver || found.dereferenced.contains(&name) || found.lent.contains(&name) {
                let typed: ExprClosure = syn::parse_quote!(|#pat: &_| ());
                *pat = typed.inputs[0].clone();
            }
        }
        c
    }
}

/// The names in a body that say something of their types.
struct References<'a> {
    siblings: Option<&'a Siblings>,
    /// `*v`
    dereferenced: Vec<String>,
    /// Arguments of calls.
    passed: Vec<String>,
    /// Arguments for parameters that are references.
    lent: Vec<String>,
}

impl References<'_> {
    fn arguments<'e>(&mut self, args: impl Iterator<Item = &'e Expr>, references: &[bool]) {
        for (i, a) in args.enumerate() {
            let Some(name) = name_of(a) else { continue };
            if references.get(i) == Some(&true) {
                self.lent.push(name.clone());
            }
            self.passed.push(name);
        }
    }
}

fn name_of(e: &Expr) -> Option<String> {
    match e {
        Expr::Paren(p) => name_of(&p.expr),
        Expr::Group(g) => name_of(&g.expr),
        Expr::Path(p) => p.path.get_ident().map(Ident::to_string),
        _ => None,
    }
}

impl<'a> Visit<'a> for References<'_> {
    fn visit_expr_unary(&mut self, u: &'a syn::ExprUnary) {
        if let syn::UnOp::Deref(_) = u.op {
            self.dereferenced.extend(name_of(&u.expr));
        }
        visit::visit_expr_unary(self, u);
    }
    fn visit_expr_call(&mut self, c: &'a syn::ExprCall) {
        let path = match &*c.func {
            Expr::Path(p) => Some(&p.path),
            _ => None,
        };
        let own = self.siblings.zip(path).filter(|(s, p)| s.is_own(p));
        let name = path
            .and_then(|p| p.segments.last())
            .map(|s| s.ident.to_string());
        match own.zip(name) {
            Some(((siblings, path), name)) => {
                let receiver = usize::from(siblings.is_method(path));
                let references = siblings.references(&name);
                self.arguments(c.args.iter().skip(receiver), references);
            }
            None => self.arguments(c.args.iter(), &[]),
        }
        visit::visit_expr_call(self, c);
    }
    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        let of_self = syntax::root_name(&m.receiver).is_some_and(|n| n == "self")
            && matches!(&*m.receiver, Expr::Path(_));
        let own = self.siblings.filter(|_| of_self);
        let references = own.map_or(&[][..], |s| s.references(&m.method.to_string()));
        self.arguments(m.args.iter(), references);
        visit::visit_expr_method_call(self, m);
    }
}

#[cfg(test)]
mod tests {
    use super::SOLVERS;
    use syn::{FnArg, Item, Type};

    /// The row of a public function that takes a function of a state, which it lends: its first argument.
    fn row(f: &syn::ItemFn) -> Option<(String, usize, usize, usize)> {
        let types = f.sig.inputs.iter().map(|i| match i {
            FnArg::Typed(t) => &*t.ty,
            FnArg::Receiver(_) => unreachable!("a free function"),
        });
        let types: Vec<&Type> = types.collect();
        let Some(Type::ImplTrait(taken)) = types.first() else {
            return None;
        };
        let Some(syn::TypeParamBound::Trait(of)) = taken.bounds.first() else {
            return None;
        };
        let syn::PathArguments::Parenthesized(of) = &of.path.segments.last()?.arguments else {
            return None;
        };
        let lent = |t: &Type| matches!(t, Type::Reference(_));
        let state = of.inputs.iter().position(|i| lent(&i.ty))?;
        let state_type = &of.inputs[state].ty;
        let start = types.iter().position(|t| *t == state_type)?;
        Some((f.sig.ident.to_string(), types.len(), start, state))
    }

    #[test]
    fn these_are_the_solvers_of_the_crate() {
        let mut found = Vec::new();
        for folder in ["ode", "implicit"] {
            let folder = format!(
                "{}/../autodiff-core/src/{folder}",
                env!("CARGO_MANIFEST_DIR")
            );
            for file in std::fs::read_dir(folder).expect("the solvers") {
                let path = file.expect("a file").path();
                let source = std::fs::read_to_string(&path).expect("a readable file");
                let items = syn::parse_file(&source).expect("a file of Rust").items;
                found.extend(items.iter().filter_map(|i| match i {
                    Item::Fn(f) if matches!(f.vis, syn::Visibility::Public(_)) => row(f),
                    _ => None,
                }));
            }
        }
        let written = SOLVERS.map(|(name, args, start, state)| (name.into(), args, start, state));
        let mut written = written.to_vec();
        found.sort();
        written.sort();
        assert_eq!(found, written);
    }
}
