use super::Differentiable;

/// The context of layers, which a function takes as `ctx: &mut Ctx`: their mode, random numbers and new buffers.
///
/// The macro knows it by the name `Ctx` and follows no derivative into it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is taken for the context of layers, `nn::Ctx`, which has no derivative",
    note = "give a type of your own another name than `Ctx`"
)]
pub trait Context: Differentiable<Tangent = ()> {}

/// Asks that a type is the context of layers.
#[doc(hidden)]
#[inline(always)]
pub fn context<T: Context>() {}
