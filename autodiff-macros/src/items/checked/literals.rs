//! Values of structs and variants that a body writes out: their types need a derivative where the value has one.

use super::Checked;
use crate::ir::{Func, Rhs, StmtKind};
use crate::syntax::segments;
use proc_macro2::TokenStream;
use quote::{quote_spanned, ToTokens};
use std::collections::HashSet;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Path, Type};

/// Where the values with a derivative are written, as the text of their spans.
pub type Literals = HashSet<String>;

/// Those of a function, once it is known which of its values have a derivative.
pub fn literals(f: &Func) -> Literals {
    let of = |kind: &StmtKind| match kind {
        StmtKind::Def(v, Rhs::Struct(l)) if f.vars[*v].active && is_of_user(&l.path) => {
            Some(key(&l.path))
        }
        _ => None,
    };
    f.body.deep().filter_map(|s| of(&s.kind)).collect()
}

fn key(path: &Path) -> String {
    format!("{:?}", path.span())
}

/// The name of the type that a literal is of: what is before the name of a variant, if it has one.
fn ty(path: &Path) -> String {
    let mut names = segments(path);
    let of_variant = names.iter().rev().nth(1);
    if of_variant.is_some_and(|n| n.starts_with(char::is_uppercase)) {
        names.pop();
    }
    names.join("::")
}

fn is_of_user(path: &Path) -> bool {
    let names = segments(path);
    let first = names.first().map(String::as_str);
    !matches!(
        first,
        Some("Self" | "Some" | "Ok" | "Err" | "Option" | "Result")
    )
}

impl Checked {
    /// The body that asks the types of these values for a derivative; as it is where the function has parameters, of
    /// which a value may be made.
    pub(super) fn asking(&self, body: &TokenStream, literals: &Literals) -> TokenStream {
        let alone = self.unknown.iter().all(|n| n == "Self");
        match syn::parse2::<syn::Stmt>(body.clone()) {
            Ok(mut s) if alone && !literals.is_empty() => {
                let of_signature = self.carried.iter().filter_map(|t| match t {
                    Type::Path(p) => Some(ty(&p.path)),
                    _ => None,
                });
                let asked = of_signature.collect();
                Ask { literals, asked }.visit_stmt_mut(&mut s);
                s.into_token_stream()
            }
            _ => body.clone(),
        }
    }
}

struct Ask<'a> {
    literals: &'a Literals,
    /// The names of the types that were asked: each is, once.
    asked: HashSet<String>,
}

impl VisitMut for Ask<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        let path = match &*e {
            Expr::Struct(s) => &s.path,
            Expr::Call(c) => match &*c.func {
                Expr::Path(p) => &p.path,
                _ => return,
            },
            _ => return,
        };
        // What a value borrows may live as long as the value does, but not as long as an argument.
        if self.literals.contains(&key(path)) && !borrows(e) && self.asked.insert(ty(path)) {
            let span = path.span();
            let asked = quote_spanned!(span=> ::differentiable::__rt::Carries::same(#e));
            *e = Expr::Verbatim(asked);
        }
    }
}

fn borrows(e: &Expr) -> bool {
    struct Borrows(bool);
    impl<'a> Visit<'a> for Borrows {
        fn visit_expr_reference(&mut self, _: &'a syn::ExprReference) {
            self.0 = true;
        }
    }
    let mut found = Borrows(false);
    found.visit_expr(e);
    found.0
}
