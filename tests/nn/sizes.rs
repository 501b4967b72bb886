//! Sizes that users compute and name.

use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Time, Batch, Width);

#[differentiable]
fn summed(x: &Tensor![f64; Time, Batch, 3], w: &Tensor![f64; 3, 2]) -> f64 {
    let rows: Tensor![f64; (Time * Batch), 2] = x.reshape::<shape![(Time * Batch), 3]>().matmul(w);
    let renamed = rows
        .reshape::<shape![Time, Batch, 2]>()
        .rename::<shape![Width, Batch, 2]>();
    renamed.square().sum().item()
}

#[test]
fn a_product_of_named_sizes_is_a_dimension() {
    let x: Tensor![f64; Time, Batch, 3] = Tensor::randn_with((Time(4), Batch(5), Sz), 1);
    let w = Tensor::randn(2);
    check_grads::<summed, _>(&(x.clone(), w.clone())).unwrap();
    assert_eq!(
        x.reshape::<shape![(Time * Batch), 3]>().dims().as_slice(),
        [20, 3]
    );
    let three: Tensor![f64; (Batch * 3), Time] = Tensor::zeros_with((Prod(Batch(2), Sz), Time(4)));
    assert_eq!(three.dims().as_slice(), [6, 4]);
    let three: Tensor![f64; (3 * Batch)] = Tensor::zeros_with((Prod(Sz, Batch(2)),));
    assert_eq!(
        three.reshape::<shape![3, Batch]>().dims().as_slice(),
        [3, 2]
    );
    let static_: Tensor![f64; (2 * 3)] = Tensor::<shape![6], f64>::zeros();
    assert_eq!(static_.len(), 6);
}

#[test]
fn an_axis_takes_another_name() {
    let x: Tensor![Batch, 3] = Tensor::randn_with((Batch(4), Sz), 1);
    let y: Tensor![Width, 3] = x.rename();
    assert_eq!(y.shape().0, Width(4));
    assert_eq!(y.rename::<shape![4, 3]>().to_vec(), x.to_vec());
    assert_eq!(y.rename::<shape![4, Batch]>().shape().1, Batch(3));
}

#[test]
#[should_panic(expected = "rename: axis 0 has size 4, and is to have size 5")]
fn a_size_that_differs_is_found_at_run_time() {
    let x: Tensor![Batch, 3] = Tensor::zeros_with((Batch(4), Sz));
    let _ = x.rename::<shape![5, 3]>();
}

#[test]
fn entries_add_up_where_an_index_says() {
    let x: Tensor![f64; 3, 2] = Tensor::ones();
    let src = tensor([[1.0, 2.0], [10.0, 20.0], [100.0, 200.0]]);
    let y = x.index_add::<0, _, _>(&tensor([2i64, 0, 2]), &src);
    assert_eq!(y, tensor([[11.0, 21.0], [1.0, 1.0], [102.0, 203.0]]));
    let y = x
        .t()
        .index_add::<1, _, _>(&tensor([2i64]), &tensor([[5.0], [6.0]]));
    assert_eq!(y, tensor([[1.0, 1.0, 6.0], [1.0, 1.0, 7.0]]));
}

#[differentiable]
fn added(x: &Tensor![f64; 4, 2], src: &Tensor![f64; 3, 2]) -> f64 {
    x.index_add::<0, _, _>(&no_grad!(tensor([3i64, 1, 3])), src)
        .tanh()
        .sum()
        .item()
}

#[test]
fn added_entries_have_derivatives() {
    check_grads::<added, _>(&(Tensor::randn(1), Tensor::randn(2))).unwrap();
}
