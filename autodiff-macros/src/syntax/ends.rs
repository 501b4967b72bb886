//! The ends of an expression whose value is an `Option` or a `Result`: `Some(..)`, `None`, `Ok(..)`, `Err(..)` in its
//! branches, as far as its syntax tells.

use crate::syntax::pattern_names;
use syn::{parse_quote, Block, Expr, Stmt, Type};

/// The type that wraps a value which may be missing.
#[derive(Clone, Copy, Debug)]
pub enum Wrapper {
    Option,
    Result,
}

impl Wrapper {
    /// That of a written type, such as what `?` returns early.
    pub fn of(ty: &Type) -> Option<Self> {
        let Type::Path(p) = ty else { return None };
        let last = p.path.segments.last()?.ident.to_string();
        match last.as_str() {
            "Option" => Some(Wrapper::Option),
            "Result" => Some(Wrapper::Result),
            _ => None,
        }
    }

    /// `Some(e)` or `Ok(e)`
    pub fn wrap(self, e: &Expr) -> Expr {
        match self {
            Wrapper::Option => parse_quote!(Some(#e)),
            Wrapper::Result => parse_quote!(Ok(#e)),
        }
    }
}

/// One end.
pub enum End<'e> {
    /// What is in `Some(..)` or `Ok(..)`.
    Item(&'e Expr),
    Error(&'e Expr),
    Nothing,
    /// A `return` or a `break`: no value comes from here.
    Left,
    Unknown,
}

fn of(e: &Expr) -> End<'_> {
    match e {
        Expr::Call(c) if c.args.len() == 1 => match &*c.func {
            Expr::Path(p) => match p
                .path
                .segments
                .last()
                .map(|s| s.ident.to_string())
                .as_deref()
            {
                Some("Some" | "Ok") => End::Item(&c.args[0]),
                Some("Err") => End::Error(&c.args[0]),
                _ => End::Unknown,
            },
            _ => End::Unknown,
        },
        Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "None") => End::Nothing,
        Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => End::Left,
        _ => End::Unknown,
    }
}

/// What is known of all ends together.
#[derive(Default)]
pub struct Ends {
    pub items: usize,
    pub kind: Option<Wrapper>,
    pub unknown: bool,
    /// What the blocks around them bind.
    pub bound: Vec<String>,
}

impl Ends {
    pub fn of(e: &Expr) -> Self {
        let mut ends = Ends::default();
        ends.add(e);
        ends
    }

    fn add(&mut self, e: &Expr) {
        match e {
            Expr::Paren(p) => self.add(&p.expr),
            Expr::Block(b) => {
                // A jump to a label brings a value that is not looked for.
                self.unknown |= b.label.is_some();
                self.add_block(&b.block);
            }
            Expr::If(i) => {
                self.add_block(&i.then_branch);
                match &i.else_branch {
                    Some((_, e)) => self.add(e),
                    None => self.unknown = true,
                }
            }
            Expr::Match(m) => {
                self.unknown = true;
                m.arms.iter().for_each(|a| self.add(&a.body));
            }
            Expr::MethodCall(m) if m.method == "then" || m.method == "then_some" => {
                self.unknown = true;
                self.kind = Some(Wrapper::Option);
            }
            e => match of(e) {
                End::Item(_) => {
                    self.items += 1;
                    self.kind = self.kind.or(Some(item_kind(e)));
                }
                End::Error(_) => self.kind = Some(Wrapper::Result),
                End::Nothing => self.kind = Some(Wrapper::Option),
                End::Left => {}
                End::Unknown => self.unknown = true,
            },
        }
    }

    fn add_block(&mut self, b: &Block) {
        for s in &b.stmts {
            if let Stmt::Local(l) = s {
                self.bound.extend(pattern_names(&l.pat));
            }
        }
        match b.stmts.last() {
            Some(Stmt::Expr(e, None)) => self.add(e),
            // A jump.
            Some(Stmt::Expr(e, Some(_))) if matches!(of(e), End::Left) => {}
            _ => self.unknown = true,
        }
    }
}

fn item_kind(e: &Expr) -> Wrapper {
    let Expr::Call(c) = e else {
        return Wrapper::Option;
    };
    match &*c.func {
        Expr::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Ok") => Wrapper::Result,
        _ => Wrapper::Option,
    }
}

/// The expression as statements, with others at its ends.
pub fn spread(e: &Expr, put: &mut dyn FnMut(End<'_>) -> Vec<Stmt>) -> Vec<Stmt> {
    let block = |b: &Block, put: &mut dyn FnMut(End<'_>) -> Vec<Stmt>| {
        let mut stmts = b.stmts.clone();
        if let Some(Stmt::Expr(e, None)) = b.stmts.last() {
            stmts.pop();
            stmts.extend(spread(e, put));
        }
        stmts
    };
    match e {
        Expr::Paren(p) => spread(&p.expr, put),
        Expr::Block(b) => block(&b.block, put),
        Expr::If(i) => {
            let cond = &i.cond;
            let then = block(&i.then_branch, put);
            let other = i.else_branch.as_ref().map(|(_, e)| spread(e, put));
            let other = other.unwrap_or_default();
            let e: Expr = match (then.is_empty(), other.is_empty()) {
                (true, _) => syn::parse_quote!(if !(#cond) { #(#other)* }),
                (_, true) => syn::parse_quote!(if #cond { #(#then)* }),
                _ => syn::parse_quote!(if #cond { #(#then)* } else { #(#other)* }),
            };
            vec![Stmt::Expr(e, None)]
        }
        e => match of(e) {
            End::Left => vec![Stmt::Expr(e.clone(), Some(Default::default()))],
            end => put(end),
        },
    }
}
