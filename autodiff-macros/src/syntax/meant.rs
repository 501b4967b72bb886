//! What names mean, written in their stead.

use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Member, Token};

/// Names and the expressions that take their places.
pub struct Meant<'a>(pub &'a [(String, &'a Expr)]);

impl VisitMut for Meant<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Path(p) = e {
            if let Some((_, meant)) = self.0.iter().find(|(name, _)| p.path.is_ident(name)) {
                *e = match meant {
                    Expr::Path(_) | Expr::Lit(_) => (*meant).clone(),
                    meant => syn::parse_quote!((#meant)),
                };
            }
            return;
        }
        visit_mut::visit_expr_mut(self, e);
        // `(i, j).0` is `i`.
        if let Expr::Field(f) = e {
            if let (Some(parts), Member::Unnamed(k)) = (tuple(&f.base), &f.member) {
                let part = parts.iter().nth(k.index as usize).cloned();
                *e = part.unwrap_or_else(|| e.clone());
            }
        }
    }
}

fn tuple(e: &Expr) -> Option<&Punctuated<Expr, Token![,]>> {
    match e {
        Expr::Paren(p) => tuple(&p.expr),
        Expr::Tuple(t) => Some(&t.elems),
        _ => None,
    }
}
