//! Every operation with the shape it infers. The stated types verify; none of them is needed.

use differentiable::prelude::*;
use differentiable::shape::Prod;

dim!(Batch, Time);

#[test]
fn matmul_of_ranks_1_to_4() {
    let a: Tensor![Batch, 6] = Tensor::ones_with((Batch(2), Sz));
    let w: Tensor![6, 5] = Tensor::ones();
    let _: Tensor![Batch, 5] = a.matmul(&w);
}
