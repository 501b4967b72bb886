//! What of shapes and tensors has no derivative.

use super::Tensor;
use crate::ad::{NoDerivative, Rounded};
use crate::device::{Backend, Elem};
use crate::shape::{Dim, Dims, Prod, Shape, Sz};

impl<const N: usize> NoDerivative for Sz<N> {}
impl<A: Dim, B: Dim> NoDerivative for Prod<A, B> {}
impl NoDerivative for Dims {}
impl<S: Shape, T: Elem + NoDerivative, D: Backend> NoDerivative for Tensor<S, T, D> {}
impl<S: Shape, T: Elem, D: Backend> Rounded for Tensor<S, T, D> {}
