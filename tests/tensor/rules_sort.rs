//! `sort argsort topk`: order of ties and NaN, axes, sizes, rules.

use crate::check::{between, finish, start};
use crate::method;
use differentiable::__rt::{Differentiable, NoGrad, On};
use differentiable::prelude::*;

dim!(Batch);

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

macro_rules! sorts {
    ($x:expr) => {{
        let x = $x;
        method!(x, sort __sort_vjp __sort_jvp [0]);
        method!(x, sort __sort_vjp __sort_jvp [-1]);
        method!(x, sort_descending __sort_descending_vjp __sort_descending_jvp [0]);
        method!(x, sort_descending __sort_descending_vjp __sort_descending_jvp [1]);
    }};
}

#[test]
fn rules() {
    sorts!(between(<shape![3, 5, 7]>::default(), 1, -2.0, 2.0));
    sorts!(between(<shape![1, 1]>::default(), 2, -2.0, 2.0));
    sorts!(between((Batch(4), Sz::<3>), 3, -2.0, 2.0));
    sorts!(between((Batch(0), Sz::<3>), 3, -2.0, 2.0));
    sorts!(between(<shape![5, 3, 4]>::default(), 8, -2.0, 2.0).transpose::<0, 2>());
}

#[test]
fn ties_and_special_values() {
    let x: Tensor![f64; 6] = tensor([2.0, NAN, -INF, 2.0, INF, -0.0]);
    assert_eq!(x.argsort::<0>().to_vec(), [2, 5, 0, 3, 4, 1]);
    assert_eq!(x.argsort_descending::<0>().to_vec(), [1, 4, 0, 3, 5, 2]);
    assert_eq!(x.sort::<0>().to_vec()[..5], [-INF, -0.0, 2.0, 2.0, INF]);
    assert!(x.sort_descending::<0>().at([0]).is_nan());
    let zeros: Tensor![f64; 3] = tensor([0.0, -0.0, 0.0]);
    assert_eq!(zeros.argsort::<0>().to_vec(), [0, 1, 2]);
    let ids: Tensor![i64; 4] = tensor([3, 1, 2, 1]);
    assert_eq!(ids.sort::<0>().to_vec(), [1, 1, 2, 3]);
    assert_eq!(ids.topk::<0, 2>().1.to_vec(), [0, 2]);
}

#[test]
fn along_each_axis() {
    let x: Tensor![f64; 2, 3] = tensor([[3.0, 1.0, 2.0], [0.0, 5.0, 1.0]]);
    assert_eq!(x.sort::<0>(), tensor([[0.0, 1.0, 1.0], [3.0, 5.0, 2.0]]));
    assert_eq!(x.sort::<1>(), tensor([[1.0, 2.0, 3.0], [0.0, 1.0, 5.0]]));
    assert_eq!(x.argsort::<0>(), tensor([[1, 0, 1], [0, 1, 0]]));
    assert_eq!(x.gather::<1, _, _>(&x.argsort::<1>()), x.sort::<1>());
    for n in [1, 2, 33, 5000] {
        let x = between((Batch(n), Sz::<3>), 4, -1.0, 1.0);
        let mut column: Vec<f64> = x.to_vec().into_iter().skip(1).step_by(3).collect();
        column.sort_by(f64::total_cmp);
        let sorted: Vec<f64> = x
            .sort::<0>()
            .to_vec()
            .into_iter()
            .skip(1)
            .step_by(3)
            .collect();
        assert_eq!(sorted, column);
    }
}

#[test]
fn the_largest() {
    let x: Tensor![f64; 2, 4] = tensor([[3.0, 7.0, 7.0, 2.0], [NAN, 1.0, 9.0, -1.0]]);
    let (values, places) = x.topk::<1, 2>();
    assert_eq!(places, tensor([[1, 2], [0, 2]]));
    assert_eq!(
        (values.at([0, 0]), values.at([0, 1]), values.at([1, 1])),
        (7.0, 7.0, 9.0)
    );
    let (all, _) = x.topk::<1, 4>();
    assert_eq!(all.to_vec()[..4], x.sort_descending::<1>().to_vec()[..4]);
    let columns: Tensor![f64; 1, 4] = x.topk::<0, 1>().0;
    assert_eq!(columns.to_vec()[1..], [7.0, 9.0, 2.0]);
    let none: Tensor![f64; 2, 0] = x.topk::<1, 0>().0;
    assert_eq!(none.len(), 0);
    let many = between((Batch(3000),), 4, -1.0, 1.0);
    assert_eq!(
        many.topk::<0, 17>().0.to_vec()[..],
        many.sort_descending::<0>().to_vec()[..17]
    );
}

#[test]
fn the_cotangent_of_the_largest_goes_home() {
    let x: Tensor![f64; 4] = tensor([3.0, 7.0, 7.0, 2.0]);
    let ((values, _), pull) = x.__topk_vjp::<On, 0, 2>((On,));
    assert_eq!(values.to_vec(), [7.0, 7.0]);
    let mut d = x.zero_adj(On);
    pull((start(tensor([10.0, 20.0])), NoGrad), &x, &mut d);
    assert_eq!(finish(&x, d).to_vec(), [0.0, 10.0, 20.0, 0.0]);
    let ((_, places), (t, ())) = x.__topk_jvp::<0, 2>(&tensor([1.0, 2.0, 3.0, 4.0]));
    assert_eq!((t.to_vec(), places.to_vec()), (vec![2.0, 3.0], vec![1, 2]));
}

#[test]
#[should_panic(expected = "topk: there are 2 elements along axis 0, not 3")]
fn more_than_there_are() {
    Tensor::<_, f64>::zeros_with((Batch(2),)).topk::<0, 3>();
}
