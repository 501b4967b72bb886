//! Types that stand in parentheses or in `<..>` without need, as those that macros pass on do.

use syn::visit_mut::{self, VisitMut};
use syn::{Block, PathArguments, Signature, Type};

/// Writes `(T)` as `T`, and `<T>::f` as `T::f`.
pub fn unwrap(sig: &mut Signature, body: Option<&mut Block>) {
    Unwrap.visit_signature_mut(sig);
    if let Some(body) = body {
        Unwrap.visit_block_mut(body);
    }
}

struct Unwrap;

impl VisitMut for Unwrap {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        while let Type::Paren(p) = ty {
            // Of several bounds the parentheses are needed.
            if matches!(&*p.elem, Type::TraitObject(_) | Type::ImplTrait(_)) {
                break;
            }
            *ty = (*p.elem).clone();
        }
        visit_mut::visit_type_mut(self, ty);
    }
    fn visit_expr_path_mut(&mut self, e: &mut syn::ExprPath) {
        visit_mut::visit_expr_path_mut(self, e);
        let plain = |q: &syn::QSelf| q.position == 0 && q.as_token.is_none();
        let Some(Type::Path(ty)) = e.qself.as_ref().filter(|q| plain(q)).map(|q| &*q.ty) else {
            return;
        };
        if ty.qself.is_some() {
            return;
        }
        let mut path = ty.path.clone();
        for s in &mut path.segments {
            if let PathArguments::AngleBracketed(a) = &mut s.arguments {
                a.colon2_token.get_or_insert_default();
            }
        }
        path.segments.extend(e.path.segments.clone());
        (e.qself, e.path) = (None, path);
    }
    // Items inside are compiled as they are.
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
