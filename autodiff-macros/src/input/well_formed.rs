//! Types that syn reads and rustc refuses: emitted in another place, they would be syntax errors
//! without the user's own message.

use syn::visit::{self, Visit};
use syn::{Error, Field, Type, TypeTraitObject};

/// A trait object without `dyn`, such as `f64 +`.
pub fn bare_trait_object<'a>(visit: impl FnOnce(&mut BareObjects<'a>)) -> Option<&'a Type> {
    let mut found = BareObjects(None);
    visit(&mut found);
    found.0
}

/// What only rustc refuses in a field, after the derives have run.
pub fn field(field: &Field) -> Result<(), Error> {
    if let Some(ty) = bare_trait_object(|v| v.visit_type(&field.ty)) {
        return Err(Error::new_spanned(ty, NEEDS_DYN));
    }
    match &field.ident {
        Some(name) if name == "_" => Err(Error::new_spanned(field, "a field needs a name")),
        _ => Ok(()),
    }
}

pub const NEEDS_DYN: &str = "a trait object is written with `dyn`";

pub struct BareObjects<'a>(Option<&'a Type>);

impl<'a> Visit<'a> for BareObjects<'a> {
    fn visit_type(&mut self, ty: &'a Type) {
        if let Type::TraitObject(TypeTraitObject {
            dyn_token: None, ..
        }) = ty
        {
            self.0 = Some(ty);
        }
        visit::visit_type(self, ty);
    }
}
