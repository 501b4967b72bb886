//! Layers one after the other: tuples, and `Vec`s of one type.

use crate::context::Ctx;
use autodiff_core::prelude::*;
use autodiff_core::shape::{Affine, Flatten as Flat};

/// A layer with one input and one output, which [`Sequential`] and [`Residual`](super::Residual) put together.
///
/// Implement it for a layer of your own by `#[differentiable] impl<..> Layer<Tensor<..>> for Mine`, with a call of its
/// `forward`.
#[differentiable]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no layer for inputs of the type `{X}`",
    note = "the output of each layer is the input of the next: compare its sizes with what this layer takes"
)]
pub trait Layer<X: Differentiable>: Differentiable {
    /// The output.
    type Out: Differentiable + Clone;

    /// The output for an input.
    fn apply(&self, x: &X, ctx: &mut Ctx) -> Self::Out;
}

#[differentiable]
impl<const I: usize, const O: usize, S: Shape + Affine<I, O>, T: Float> Layer<Tensor<S, T>>
    for Linear<I, O, T>
{
    type Out = Tensor<<S as Affine<I, O>>::Out, T>;
    fn apply(
        &self,
        x: &Tensor<S, T>,
        #[allow(unused_variables)] ctx: &mut Ctx,
    ) -> Tensor<<S as Affine<I, O>>::Out, T> {
        x.affine(&self.weight, &self.bias)
    }
}

/// Layers in a row, each of which takes what the one before gives.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::{Ctx, Dropout, Relu, Sequential};
/// dim!(Batch);
///
/// #[module]
/// struct Net {
///     #[init(Sequential((Linear::new(seeds), Relu, Dropout::new(0.1), Linear::new(seeds))))]
///     body: Sequential<(Linear<4, 16>, Relu, Dropout, Linear<16, 2>)>,
/// }
/// #[differentiable]
/// impl Net {
///     fn forward(&self, x: &Tensor![Batch, 4], ctx: &mut Ctx) -> Tensor![Batch, 2] {
///         self.body.forward(x, ctx)
///     }
/// }
/// let net = Net::new(&mut Seeds::new(0));
/// let y = net.forward(&Tensor::zeros_with((Batch(3), Sz)), &mut Ctx::eval());
/// assert_eq!(y.dims().as_slice(), [3, 2]);
/// ```
///
/// A `Vec` of layers of one type, such as an enum, is a row as well, if its outputs are like its inputs.
#[module(no_new)]
pub struct Sequential<L>(#[torch(flat())] pub L);

#[differentiable]
impl<L: Differentiable> Sequential<L> {
    /// The output of the last layer.
    pub fn forward<X: Differentiable>(&self, x: &X, ctx: &mut Ctx) -> <L as Layer<X>>::Out
    where
        L: Layer<X>,
    {
        self.0.apply(x, ctx)
    }
}

#[differentiable]
impl<X: Differentiable, L: Differentiable + Layer<X>> Layer<X> for Sequential<L> {
    type Out = <L as Layer<X>>::Out;
    fn apply(&self, x: &X, ctx: &mut Ctx) -> <L as Layer<X>>::Out {
        self.0.apply(x, ctx)
    }
}

/// A row of each length. `Y` are the types between the layers.
macro_rules! rows {
    ($(($A:ident $Y0:ident) $(($L:ident $i:tt $In:ident $Y:ident))* => $Out:ident;)*) => { $(
        #[differentiable]
        impl<
            X: Differentiable,
            $Y0: Differentiable + Clone,
            $($Y: Differentiable + Clone,)*
            $A: Layer<X, Out = $Y0>,
            $($L: Layer<$In, Out = $Y>,)*
        > Layer<X> for ($A, $($L,)*) {
            type Out = $Out;
            fn apply(&self, x: &X, ctx: &mut Ctx) -> $Out {
                let y = self.0.apply(x, ctx);
                $(let y = self.$i.apply(&y, ctx);)*
                y
            }
        }
    )* };
}
rows! {
    (A Y0) => Y0;
    (A Y0) (B 1 Y0 Y1) => Y1;
    (A Y0) (B 1 Y0 Y1) (C 2 Y1 Y2) => Y2;
    (A Y0) (B 1 Y0 Y1) (C 2 Y1 Y2) (D 3 Y2 Y3) => Y3;
    (A Y0) (B 1 Y0 Y1) (C 2 Y1 Y2) (D 3 Y2 Y3) (E 4 Y3 Y4) => Y4;
    (A Y0) (B 1 Y0 Y1) (C 2 Y1 Y2) (D 3 Y2 Y3) (E 4 Y3 Y4) (F 5 Y4 Y5) => Y5;
    (A Y0) (B 1 Y0 Y1) (C 2 Y1 Y2) (D 3 Y2 Y3) (E 4 Y3 Y4) (F 5 Y4 Y5) (G 6 Y5 Y6) => Y6;
    (A Y0) (B 1 Y0 Y1) (C 2 Y1 Y2) (D 3 Y2 Y3) (E 4 Y3 Y4) (F 5 Y4 Y5) (G 6 Y5 Y6) (H 7 Y6 Y7) => Y7;
    (A Y0) (B 1 Y0 Y1) (C 2 Y1 Y2) (D 3 Y2 Y3) (E 4 Y3 Y4) (F 5 Y4 Y5) (G 6 Y5 Y6) (H 7 Y6 Y7) (I 8 Y7 Y8) => Y8;
    (A Y0) (B 1 Y0 Y1) (C 2 Y1 Y2) (D 3 Y2 Y3) (E 4 Y3 Y4) (F 5 Y4 Y5) (G 6 Y5 Y6) (H 7 Y6 Y7) (I 8 Y7 Y8) (J 9 Y8 Y9) => Y9;
    (A Y0) (B 1 Y0 Y1) (C 2 Y1 Y2) (D 3 Y2 Y3) (E 4 Y3 Y4) (F 5 Y4 Y5) (G 6 Y5 Y6) (H 7 Y6 Y7) (I 8 Y7 Y8) (J 9 Y8 Y9) (K 10 Y9 Y10) => Y10;
    (A Y0) (B 1 Y0 Y1) (C 2 Y1 Y2) (D 3 Y2 Y3) (E 4 Y3 Y4) (F 5 Y4 Y5) (G 6 Y5 Y6) (H 7 Y6 Y7) (I 8 Y7 Y8) (J 9 Y8 Y9) (K 10 Y9 Y10) (L 11 Y10 Y11) => Y11;
}

#[differentiable]
impl<X: Differentiable + Clone, A: Differentiable + Layer<X, Out = X>> Layer<X> for Vec<A> {
    type Out = X;
    fn apply(&self, x: &X, ctx: &mut Ctx) -> X {
        let mut x = x.clone();
        for layer in self {
            x = layer.apply(&x, ctx);
        }
        x
    }
}

/// Everything after the first axis as one axis: `[B, X, Y]` becomes `[B, X·Y]`.
#[module]
#[derive(Copy, Default, PartialEq)]
pub struct Flatten;

#[differentiable]
impl<S: Shape + Flat, T: Float> Layer<Tensor<S, T>> for Flatten {
    type Out = Tensor<<S as Flat>::Out, T>;
    fn apply(
        &self,
        x: &Tensor<S, T>,
        #[allow(unused_variables)] ctx: &mut Ctx,
    ) -> Tensor<<S as Flat>::Out, T> {
        x.flatten()
    }
}
