//! Whether a called function gives an `Option` or a `Result`, as far as the rest of the body tells: `g(x)?`,
//! `match g(x) { Ok(v) => .. }`, `g(x).map_err(..)`, what the function itself returns.

use super::optional::Kinds;
use crate::syntax;
use crate::syntax::ends::Wrapper;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Pat, Stmt};

/// What stands for a call among the names: `g()` and `.g()`.
pub fn key(e: &Expr) -> Option<String> {
    match e {
        Expr::Call(c) => match &*c.func {
            Expr::Path(p) => Some(format!("{}()", p.path.segments.last()?.ident)),
            _ => None,
        },
        Expr::MethodCall(m) => Some(format!(".{}()", m.method)),
        _ => None,
    }
}

/// The kinds of calls in the body of a function that returns `output`.
pub fn of_calls(body: &Block, output: Option<Wrapper>) -> Kinds {
    let mut found = Calls {
        kinds: Kinds::new(),
        output,
    };
    found.returned(body);
    found.visit_block(body);
    found.kinds
}

struct Calls {
    kinds: Kinds,
    /// What the function, or the closure around, returns.
    output: Option<Wrapper>,
}

impl Calls {
    /// Notes what a value is, and with it the call that it comes from by methods that keep the kind.
    fn note(&mut self, e: &Expr, kind: Option<Wrapper>) {
        let Some(kind) = kind else { return };
        match e {
            Expr::Paren(p) => self.note(&p.expr, Some(kind)),
            Expr::Group(g) => self.note(&g.expr, Some(kind)),
            Expr::Reference(r) => self.note(&r.expr, Some(kind)),
            Expr::MethodCall(m) if keeps_kind(m) => self.note(&m.receiver, Some(kind)),
            e => {
                if let Some(key) = key(e) {
                    self.kinds.entry(key).or_insert(kind);
                }
            }
        }
    }

    /// The value of a block that the function returns.
    fn returned(&mut self, b: &Block) {
        if let Some(Stmt::Expr(e, None)) = b.stmts.last() {
            self.returned_value(e);
        }
    }

    fn returned_value(&mut self, e: &Expr) {
        match e {
            Expr::If(i) => {
                self.returned(&i.then_branch);
                if let Some((_, other)) = &i.else_branch {
                    self.returned_value(other);
                }
            }
            Expr::Match(m) => m.arms.iter().for_each(|a| self.returned_value(&a.body)),
            Expr::Block(b) => self.returned(&b.block),
            e => self.note(e, self.output),
        }
    }
}

impl<'a> Visit<'a> for Calls {
    fn visit_local(&mut self, l: &'a syn::Local) {
        if let Some(init) = &l.init {
            let kind = match &l.pat {
                Pat::Type(t) => super::optional::of_type(&t.ty),
                pat => of_pattern(pat),
            };
            self.note(&init.expr, kind);
        }
        visit::visit_local(self, l);
    }
    fn visit_expr_match(&mut self, m: &'a syn::ExprMatch) {
        let kind = m.arms.iter().find_map(|a| of_pattern(&a.pat));
        self.note(&m.expr, kind);
        visit::visit_expr_match(self, m);
    }
    fn visit_expr_let(&mut self, l: &'a syn::ExprLet) {
        self.note(&l.expr, of_pattern(&l.pat));
        visit::visit_expr_let(self, l);
    }
    fn visit_expr_try(&mut self, t: &'a syn::ExprTry) {
        self.note(&t.expr, self.output);
        visit::visit_expr_try(self, t);
    }
    fn visit_expr_return(&mut self, r: &'a syn::ExprReturn) {
        if let Some(e) = &r.expr {
            self.returned_value(e);
        }
        visit::visit_expr_return(self, r);
    }
    fn visit_expr_method_call(&mut self, m: &'a syn::ExprMethodCall) {
        self.note(&m.receiver, of_receiver(m));
        visit::visit_expr_method_call(self, m);
    }
    fn visit_expr_closure(&mut self, c: &'a syn::ExprClosure) {
        let around = self.output.take();
        visit::visit_expr_closure(self, c);
        self.output = around;
    }
    fn visit_item(&mut self, _: &'a syn::Item) {}
}

/// Methods of these types whose value is of the same.
fn keeps_kind(m: &syn::ExprMethodCall) -> bool {
    let name = m.method.to_string();
    matches!(
        name.as_str(),
        "map"
            | "and_then"
            | "or_else"
            | "or"
            | "as_ref"
            | "clone"
            | "copied"
            | "cloned"
            | "map_err"
    ) && syntax::root_name(&m.receiver).is_none()
}

/// Methods that one of the two has.
fn of_receiver(m: &syn::ExprMethodCall) -> Option<Wrapper> {
    let parameters = match m.args.first() {
        Some(Expr::Closure(c)) => Some(c.inputs.len()),
        _ => None,
    };
    match (m.method.to_string().as_str(), parameters) {
        ("map_err" | "is_ok" | "is_err" | "unwrap_err" | "expect_err" | "err" | "ok", _) => {
            Some(Wrapper::Result)
        }
        ("ok_or" | "ok_or_else" | "is_some" | "is_none", _) => Some(Wrapper::Option),
        ("unwrap_or_else" | "map_or_else" | "or_else", Some(n)) => Some(match n {
            0 => Wrapper::Option,
            _ => Wrapper::Result,
        }),
        _ => None,
    }
}

fn of_pattern(p: &Pat) -> Option<Wrapper> {
    let of = |path: &syn::Path| match path.segments.last()?.ident.to_string().as_str() {
        "Some" | "None" => Some(Wrapper::Option),
        "Ok" | "Err" => Some(Wrapper::Result),
        _ => None,
    };
    match p {
        Pat::TupleStruct(t) => of(&t.path),
        Pat::Path(p) => of(&p.path),
        Pat::Ident(i) if i.ident == "None" => Some(Wrapper::Option),
        Pat::Reference(r) => of_pattern(&r.pat),
        Pat::Paren(p) => of_pattern(&p.pat),
        Pat::Or(o) => o.cases.iter().find_map(of_pattern),
        _ => None,
    }
}
