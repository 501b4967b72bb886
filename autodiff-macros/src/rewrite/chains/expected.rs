//! Ends of chains whose type is that of a `let` or of the result: a sum that is a vector, and chains collected into a
//! vector of another crate (`Array1` of ndarray, `DVector` of nalgebra), which go through a `Vec`.

use crate::syntax;
use crate::syntax::ty::Ty;
use std::collections::HashSet;
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Block, Expr, Pat, Stmt, Type, TypePath};

/// Writes the type that is expected of a chain at its end, `sum::<DVec3>()`, and rewrites
/// `chain.collect::<Array1<_>>()` and `Array1::from_iter(chain)`.
pub(super) fn says(body: &mut Block, active: &HashSet<String>, output: Option<&Type>) {
    if let Some(Type::Path(ty)) = output {
        in_block(body, ty);
    }
    Vectors { active }.visit_block_mut(body);
}

/// The path of a type, if it is that of a vector.
fn vector(ty: &Type) -> Option<&TypePath> {
    let Type::Path(p) = ty else { return None };
    let last = &p.path.segments.last()?.ident;
    (last == "Array1" || last == "DVector").then_some(p)
}

/// Whether a sum of this type starts with a zero of its own. That of floats is a literal, which has any type.
fn is_summed(ty: &TypePath) -> bool {
    let last = ty.path.segments.last();
    let name = last.map(|s| s.ident.to_string()).unwrap_or_default();
    ty.qself.is_none()
        && syntax::ty_of(&Type::Path(ty.clone())) == Ty::Unknown
        && !matches!(name.as_str(), "Option" | "Result")
}

/// Whether these are methods of an iterator, and not of a tensor.
fn is_chain(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => matches!(*p.expr, Expr::Range(_)) || is_chain(&p.expr),
        Expr::MethodCall(m) => {
            const STARTS: &[&str] = &["iter", "into_iter", "chunks", "chunks_exact", "windows"];
            m.args.len() <= 1 && STARTS.iter().any(|s| m.method == s) || is_chain(&m.receiver)
        }
        _ => false,
    }
}

fn in_block(block: &mut Block, ty: &TypePath) {
    if let Some(Stmt::Expr(e, None)) = block.stmts.last_mut() {
        at_the_end(e, ty);
    }
}

/// Gives `collect()` and `sum()` without a type the type that is expected of them.
fn at_the_end(e: &mut Expr, ty: &TypePath) {
    match e {
        Expr::Paren(p) => at_the_end(&mut p.expr, ty),
        Expr::Block(b) => in_block(&mut b.block, ty),
        Expr::If(i) => {
            in_block(&mut i.then_branch, ty);
            if let Some((_, other)) = &mut i.else_branch {
                at_the_end(other, ty);
            }
        }
        Expr::MethodCall(m) if m.args.is_empty() && m.turbofish.is_none() => {
            let collected = m.method == "collect" && vector(&Type::Path(ty.clone())).is_some();
            let ends = m.method == "sum" || m.method == "product";
            let summed = ends && is_summed(ty) && is_chain(&m.receiver);
            if collected || summed {
                m.turbofish = Some(parse_quote!(::<#ty>));
            }
        }
        _ => {}
    }
}

struct Vectors<'a> {
    active: &'a HashSet<String>,
}

impl VisitMut for Vectors<'_> {
    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        if let (Pat::Type(t), Some(init)) = (&l.pat, &mut l.init) {
            if let Type::Path(ty) = &*t.ty {
                at_the_end(&mut init.expr, ty);
            }
        }
        visit_mut::visit_local_mut(self, l);
    }
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        // Without a derivative it stays as it is, of whatever type.
        if !syntax::maybe_active(e, self.active) {
            return;
        }
        let new: Option<Expr> = match e {
            Expr::MethodCall(m) if m.method == "collect" && m.args.is_empty() => {
                let ty = m.turbofish.as_ref().and_then(|t| match t.args.first() {
                    Some(syn::GenericArgument::Type(t)) => vector(t),
                    _ => None,
                });
                let chain = &m.receiver;
                ty.map(|ty| {
                    let constructor = constructor(&ty.path);
                    parse_quote!(#constructor(#chain.collect::<::std::vec::Vec<_>>()))
                })
            }
            Expr::Call(c) => match (&*c.func, c.args.first()) {
                (Expr::Path(f), Some(Expr::MethodCall(chain))) if c.args.len() == 1 => {
                    let names = syntax::segments(&f.path);
                    let of_vector = matches!(
                        names.as_slice(),
                        [.., owner, last] if last == "from_iter" && matches!(owner.as_str(), "Array1" | "DVector")
                    );
                    of_vector.then(|| {
                        let mut owner = f.path.clone();
                        owner.segments.pop();
                        owner.segments.pop_punct();
                        let constructor = constructor(&owner);
                        parse_quote!(#constructor(#chain.collect::<::std::vec::Vec<_>>()))
                    })
                }
                _ => None,
            },
            _ => None,
        };
        if let Some(new) = new {
            *e = new;
        }
    }
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// `Array1::<f64>::from_vec`, as an expression.
fn constructor(ty: &syn::Path) -> syn::Path {
    let mut path = ty.clone();
    for segment in &mut path.segments {
        if let syn::PathArguments::AngleBracketed(a) = &mut segment.arguments {
            a.colon2_token.get_or_insert_with(Default::default);
        }
    }
    path.segments.push(parse_quote!(from_vec));
    path
}
