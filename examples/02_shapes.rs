//! Lesson 2: tensors carry their shape in the type.
//!
//! Sizes known when the program is written are numbers, others have names: `Tensor![Batch, 3]`. A
//! product that does not fit is a compile error; results are inferred.

use differentiable::prelude::*;

dim!(Batch);

/// The bias lacks the batch axis and is added to every row.
fn layer(x: &Tensor![Batch, 3], w: &Tensor![3, 2], b: &Tensor![2]) -> Tensor![Batch, 2] {
    (x.matmul(w) + b).relu()
}

fn main() -> Result<(), ShapeError> {
    // The shape of nested arrays is known to the compiler.
    let w = tensor([[1.0, -1.0], [0.5, 2.0], [0.0, 1.0]]);
    let b = tensor([0.5, -0.5]);

    // A named size is given at run time, and a wrong number of elements is an error value.
    let x = Tensor::from_slice_with((Batch(2), Sz), &[1.0, 2.0, 3.0, -1.0, 0.0, 1.0])?;
    let y = layer(&x, &w, &b);
    println!("x = {x}\ny = {y}");

    let wrong: Result<Tensor![2, 2], _> = Tensor::from_slice(&[1.0, 2.0, 3.0]);
    println!("three numbers for a 2×2 tensor: {}", wrong.unwrap_err());

    // `x.matmul(&b)` does not compile: the inner dimensions `(Sz<3>, Sz<2>)` differ.

    let columns: Tensor![2] = y.sum_axis::<0>();
    let rows: Tensor![Batch] = y.mean_axis::<1>();
    let total: Tensor![] = y.sum();
    println!("columns {columns}, rows {rows}, total {}", total.item());

    let turned: Tensor![2, Batch] = y.transpose::<0, 1>();
    let shares: Tensor![Batch, 2] = y.softmax::<-1>();
    println!("turned {turned}\nshares {shares}");
    Ok(())
}
