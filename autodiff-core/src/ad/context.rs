use super::Differentiable;

/// What layers change and no derivative follows: the context, which a function takes as `ctx: &mut Ctx`, and the caches of
/// attention.
///
/// The macro knows them by their names, `Ctx`, `KvCache` and `Caches`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is taken for the type of that name in `nn`, which has no derivative",
    note = "give a type of your own another name than `Ctx`, `KvCache` and `Caches`"
)]
pub trait Context: Differentiable<Tangent = ()> + Clone {
    /// A copy for a pass over another form of the module, with numbers that carry tangents: what the pass changes is
    /// thrown away with it.
    fn of_another_form(&self) -> Self {
        self.clone()
    }
}

/// Asks that a type is the context of layers.
#[doc(hidden)]
#[inline(always)]
pub fn context<T: Context>() {}
