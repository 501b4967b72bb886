//! `embedding`, `gather`.

use crate::check::{between, check, finish, start};
use differentiable::__rt::{Differentiable, NoGrad, On};
use differentiable::prelude::*;

dim!(Batch);

#[test]
fn embedding() {
    fn at<S: differentiable::shape::Insert<-1>>(ids: Tensor<S, i64>) {
        check(
            "embedding",
            &between(<shape![5, 3]>::default(), 1, -1.0, 1.0),
            |x| x.embedding(&ids),
            |x, ct| {
                let (y, pull) = x.__embedding_vjp((On, On), &ids);
                let mut d = x.zero_adj(On);
                pull(ct, x, &ids, &mut d, &mut NoGrad);
                (y, finish(x, d))
            },
            |x, t| x.__embedding_jvp(t, &ids, ()),
        );
    }
    at(tensor([4, 0, 4, 1]));
    at(tensor(2));
    at(tensor([[1, 1], [3, 0], [1, 2]]));
    at(Tensor::zeros_with((Batch(0), Sz::<2>)));
}

#[test]
fn embedding_takes_rows() {
    let table: Tensor![3, 2] = tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
    let rows: Tensor![2, 2] = table.embedding(&tensor([2u32, 0]));
    assert_eq!(rows.to_vec(), [5.0, 6.0, 1.0, 2.0]);
}

#[test]
#[should_panic(expected = "index -1 at position 1 is out of range")]
fn a_negative_number() {
    Tensor::<shape![3, 2]>::zeros()
        .embedding(&tensor([0i64, -1]))
        .to_vec();
}

#[test]
fn gather() {
    macro_rules! at {
        ($i:literal, $x:expr, $index:expr) => {{
            let index = $index;
            check(
                "gather",
                &between($x, 1, -1.0, 1.0),
                |x| x.gather::<$i, i64, _>(&index),
                |x, ct| {
                    let (y, pull) = x.__gather_vjp::<_, _, $i, i64, _>((On, On), &index);
                    let mut d = x.zero_adj(On);
                    pull(ct, x, &index, &mut d, &mut NoGrad);
                    (y, finish(x, d))
                },
                |x, t| x.__gather_jvp::<$i, i64, _>(t, &index, ()),
            )
        }};
    }
    at!(1, <shape![2, 4]>::default(), tensor([[0, 3, 3], [1, 0, 2]]));
    at!(
        0,
        <shape![4, 2]>::default(),
        tensor([[0, 3], [1, 0], [1, 1]])
    );
    at!(
        -2,
        <shape![2, 3, 2]>::default(),
        tensor([[[0, 2]], [[1, 1]]])
    );
}

#[test]
fn gather_picks_along_the_axis() {
    let x: Tensor![2, 3] = tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let y: Tensor![2, 2] = x.gather::<1, _, _>(&tensor([[2i64, 0], [1, 1]]));
    assert_eq!(y.to_vec(), [3.0, 1.0, 5.0, 5.0]);
}

#[test]
#[should_panic(expected = "index 3 at position 0 is out of range: there are 3 entries")]
fn gather_beyond_the_end() {
    Tensor::<shape![2, 3]>::zeros()
        .gather::<1, _, _>(&tensor([[3i64], [0]]))
        .to_vec();
}

/// Tables without rows, rows without entries, and no indices at all: nothing to do, no panic.
#[test]
fn embedding_of_nothing() {
    fn at<V: Dim, E: Dim>(shape: (V, E), ids: Tensor![i64; Batch]) {
        let table = Tensor::<_, f64>::ones_with(shape);
        let (rows, pull) = table.__embedding_vjp((On, On), &ids);
        assert_eq!(rows.dims().as_slice(), [ids.len(), shape.1.size()]);
        let mut d = table.zero_adj(On);
        let ct = Tensor::ones_with(rows.shape());
        pull(start(ct), &table, &ids, &mut d, &mut NoGrad);
        let d = finish(&table, d);
        assert_eq!(d.dims(), table.dims());
        assert_eq!(d.sum().item(), rows.len() as f64);
        assert_eq!(table.__embedding_jvp(&table, &ids, ()).1, rows);
    }
    let none = || Tensor::zeros_with((Batch(0),));
    at((Sz::<0>, Sz::<3>), none());
    at((Batch(0), Batch(0)), none());
    at((Sz::<4>, Sz::<3>), none());
    at((Sz::<4>, Sz::<0>), Tensor::zeros_with((Batch(2),)));
}

#[test]
#[should_panic(expected = "index 0 at position 0 is out of range")]
fn embedding_in_an_empty_table() {
    Tensor::<shape![0, 3]>::zeros()
        .embedding(&tensor([0i64]))
        .to_vec();
}

#[test]
fn gather_of_nothing() {
    let x: Tensor![f64; 2, Batch] = Tensor::zeros_with((Sz, Batch(0)));
    let index: Tensor![i64; 2, 0] = Tensor::zeros();
    let (y, pull) = x.__gather_vjp::<_, _, 1, i64, _>((On, On), &index);
    assert!(y.is_empty());
    let mut d = x.zero_adj(On);
    pull(start(y), &x, &index, &mut d, &mut NoGrad);
    assert_eq!(finish(&x, d), x);
}
