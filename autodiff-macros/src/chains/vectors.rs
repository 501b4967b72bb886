//! Chains that end in a vector of another crate: `Array1` of ndarray and `DVector` of nalgebra, through a `Vec`.

use crate::syntax;
use syn::visit_mut::{self, VisitMut};
use syn::{parse_quote, Block, Expr, Pat, Stmt, Type, TypePath};

/// Rewrites `chain.collect::<Array1<_>>()`, also where only the type of a `let` or of the result says so, and
/// `Array1::from_iter(chain)`.
pub(super) fn through_vec(body: &mut Block, output: Option<&Type>) {
    if let (Some(ty), Some(Stmt::Expr(e, None))) = (output.and_then(vector), body.stmts.last_mut())
    {
        collected(e, ty);
    }
    Vectors.visit_block_mut(body);
}

/// The path of a type, if it is that of a vector.
fn vector(ty: &Type) -> Option<&TypePath> {
    let Type::Path(p) = ty else { return None };
    let last = &p.path.segments.last()?.ident;
    (last == "Array1" || last == "DVector").then_some(p)
}

/// Gives a `collect()` without a type the type that is expected of it.
fn collected(e: &mut Expr, ty: &TypePath) {
    if let Expr::MethodCall(m) = e {
        if m.method == "collect" && m.args.is_empty() && m.turbofish.is_none() {
            m.turbofish = Some(parse_quote!(::<#ty>));
        }
    }
}

struct Vectors;

impl VisitMut for Vectors {
    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        if let (Pat::Type(t), Some(init)) = (&l.pat, &mut l.init) {
            if let Some(ty) = vector(&t.ty) {
                collected(&mut init.expr, ty);
            }
        }
        visit_mut::visit_local_mut(self, l);
    }
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
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
