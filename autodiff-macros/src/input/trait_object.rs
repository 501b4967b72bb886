//! `Box<dyn Layer>` in a type that shall carry a derivative.

use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Type, TypeParamBound, TypeTraitObject};

/// The first trait object inside a type that has a value of it.
pub fn inside(ty: &Type) -> Option<&TypeTraitObject> {
    struct V<'a>(Option<&'a TypeTraitObject>);
    impl<'a> Visit<'a> for V<'a> {
        fn visit_type_trait_object(&mut self, object: &'a TypeTraitObject) {
            self.0.get_or_insert(object);
        }
        // What is called has signatures of its own.
        fn visit_type_fn_ptr(&mut self, _: &'a syn::TypeFnPtr) {}
        // A type that is only named has no value.
        fn visit_path_segment(&mut self, segment: &'a syn::PathSegment) {
            if segment.ident != "PhantomData" {
                visit::visit_path_segment(self, segment);
            }
        }
    }
    let mut v = V(None);
    v.visit_type(ty);
    v.0
}

/// What to write instead of it.
pub fn message(object: &TypeTraitObject) -> String {
    let name = object.bounds.iter().find_map(|bound| match bound {
        TypeParamBound::Trait(t) => t.path.segments.last().map(|s| s.ident.to_string()),
        _ => None,
    });
    let written = object.to_token_stream();
    match name {
        Some(name) if !["Fn", "FnMut", "FnOnce"].contains(&name.as_str()) => format!(
            "`{written}` cannot carry a derivative, since its type is known only when the program runs: use an enum with a variant for each type that implements `{name}`, `#[derive(Differentiable)] enum Any{name} {{ … }}`, and `match` on it"
        ),
        _ => format!(
            "`{written}` cannot carry a derivative: use an enum with a variant for each function, and `match` on it where it is called"
        ),
    }
}
