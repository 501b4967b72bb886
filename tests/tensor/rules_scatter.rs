//! `index_select scatter_add scatter`, `meshgrid one_hot`, `arange linspace eye_with`.

use crate::check::{between, check, finish};
use differentiable::__rt::{Differentiable, NoGrad, On};
use differentiable::prelude::*;

dim!(Batch, Time);

#[test]
fn index_select() {
    macro_rules! at {
        ($i:literal, $x:expr, $index:expr) => {{
            let index = $index;
            check(
                "index_select",
                &between($x, 1, -1.0, 1.0),
                |x| x.index_select::<$i, _, i64>(&index),
                |x, ct| {
                    let (y, pull) = x.__index_select_vjp::<_, _, $i, _, i64>((On, On), &index);
                    let mut d = x.zero_adj(On);
                    pull(ct, x, &index, &mut d, &mut NoGrad);
                    (y, finish(x, d))
                },
                |x, t| x.__index_select_jvp::<$i, _, i64>(t, &index, ()),
            )
        }};
    }
    // Stretches upwards and downwards, repeats, alone.
    at!(
        1,
        <shape![2, 7]>::default(),
        tensor([1, 2, 3, 3, 2, 1, 6, 0, 6])
    );
    at!(0, <shape![7, 3]>::default(), tensor([6, 5, 4, 0, 1, 5, 5]));
    at!(-2, (Batch(2), Sz::<3>, Time(2)), tensor([2, 1, 0, 0]));
    at!(0, <shape![3, 17]>::default(), tensor([2, 0, 2]));
    at!(
        1,
        <shape![3, 2]>::default(),
        Tensor::zeros_with((Batch(0),))
    );
}

#[test]
fn index_select_picks_entries() {
    let x: Tensor![2, 3] = tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let y: Tensor![2, 4] = x.index_select::<1, _, _>(&tensor([2u32, 0, 0, 1]));
    assert_eq!(y.to_vec(), [3.0, 1.0, 1.0, 2.0, 6.0, 4.0, 4.0, 5.0]);
    let rows: Tensor![Batch, 3] =
        x.index_select::<0, _, _>(&Tensor::<_, i64>::ones_with((Batch(2),)));
    assert_eq!(rows.to_vec(), [4.0, 5.0, 6.0, 4.0, 5.0, 6.0]);
}

#[test]
#[should_panic(expected = "index -1 at position 1 is out of range")]
fn index_select_outside() {
    Tensor::<shape![2, 3]>::zeros()
        .index_select::<0, _, _>(&tensor([0i64, -1]))
        .to_vec();
}

macro_rules! scatters {
    ($name:ident $vjp:ident $jvp:ident $i:literal, $x:expr, $index:expr) => {{
        let index = $index;
        check(
            stringify!($name),
            &(
                between($x, 1, -1.0, 1.0),
                between(index.shape(), 2, -1.0, 1.0),
            ),
            |(x, src)| x.$name::<$i, i64, _>(&index, src),
            |(x, src), ct| {
                let (y, pull) = x.$vjp::<_, _, _, $i, i64, _>((On, On, On), &index, src);
                let (mut d, mut d_src) = (x.zero_adj(On), src.zero_adj(On));
                pull(ct, x, &index, src, &mut d, &mut NoGrad, &mut d_src);
                (y, (finish(x, d), finish(src, d_src)))
            },
            |(x, src), (t, t_src)| x.$jvp::<$i, i64, _>(t, &index, (), src, t_src),
        )
    }};
}

#[test]
fn scatters() {
    macro_rules! at {
        ($i:literal, $x:expr, $index:expr) => {
            scatters!(scatter_add __scatter_add_vjp __scatter_add_jvp $i, $x, $index);
            scatters!(scatter __scatter_vjp __scatter_jvp $i, $x, $index);
        };
    }
    at!(1, <shape![2, 4]>::default(), tensor([[0, 3, 3], [1, 0, 2]]));
    at!(
        0,
        <shape![4, 2]>::default(),
        tensor([[0, 3], [0, 0], [1, 1]])
    );
    at!(
        -2,
        <shape![2, 3, 2]>::default(),
        tensor([[[0, 2]], [[1, 1]]])
    );
    at!(0, (Batch(1),), tensor([0, 0, 0]));
    at!(
        1,
        (Batch(2), Time(3)),
        Tensor::zeros_with((Batch(2), Sz::<0>))
    );
}

#[test]
fn of_several_the_last_stays_or_all_are_added() {
    let x: Tensor![3] = tensor([1.0, 2.0, 3.0]);
    let (index, src) = (tensor([2i64, 0, 2]), tensor([10.0, 20.0, 30.0]));
    assert_eq!(
        x.scatter::<0, _, _>(&index, &src).to_vec(),
        [20.0, 2.0, 30.0]
    );
    assert_eq!(
        x.scatter_add::<0, _, _>(&index, &src).to_vec(),
        [21.0, 2.0, 43.0]
    );
    // The operand is as it was.
    assert_eq!(x.to_vec(), [1.0, 2.0, 3.0]);
}

#[test]
#[should_panic(expected = "index 3 at position 0 is out of range")]
fn scatter_add_outside() {
    let src: Tensor![2, 1] = Tensor::zeros();
    Tensor::<shape![2, 3]>::zeros()
        .scatter_add::<1, _, _>(&tensor([[3i64], [0]]), &src)
        .to_vec();
}

#[test]
#[should_panic(expected = "scatter: axis 0 has 2 entries, the index has 3")]
fn scatter_with_other_sizes() {
    let x: Tensor![Batch, 3] = Tensor::zeros_with((Batch(2), Sz));
    let index: Tensor![i64; Batch, 1] = Tensor::zeros_with((Batch(3), Sz));
    let src: Tensor![Batch, 1] = Tensor::zeros_with((Batch(3), Sz));
    x.scatter::<1, _, _>(&index, &src);
}

#[test]
fn meshgrid() {
    check(
        "meshgrid",
        &(
            between((Batch(3),), 1, -1.0, 1.0),
            between((Sz::<2>,), 2, -1.0, 1.0),
        ),
        |(a, b)| a.meshgrid(b),
        |(a, b), ct| {
            let (y, pull) = a.__meshgrid_vjp((On, On), b);
            let (mut d_a, mut d_b) = (a.zero_adj(On), b.zero_adj(On));
            pull(ct, a, b, &mut d_a, &mut d_b);
            (y, (finish(a, d_a), finish(b, d_b)))
        },
        |(a, b), (t_a, t_b)| a.__meshgrid_jvp(t_a, b, t_b),
    );
    let (a, b) = tensor([1.0f32, 2.0]).meshgrid(&tensor([3.0, 4.0, 5.0]));
    assert_eq!(a.to_vec(), [1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    assert_eq!(b.to_vec(), [3.0, 4.0, 5.0, 3.0, 4.0, 5.0]);
}

#[test]
fn one_hot() {
    let y: Tensor![f32; 2, 3] = tensor([2i64, 0]).one_hot::<3, f32>();
    assert_eq!(y.to_vec(), [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    let y: Tensor![f64; Batch, 1, 2] =
        Tensor::<(Batch, Sz<1>), u32>::ones_with((Batch(2), Sz)).one_hot::<2, f64>();
    assert_eq!(y.to_vec(), [0.0, 1.0, 0.0, 1.0]);
    assert!(
        Tensor::<(Batch,), i64>::zeros_with((Batch(0),))
            .one_hot::<2, f64>()
            .is_empty()
    );
}

#[test]
#[should_panic(expected = "index 3 at position 1 is out of range")]
fn one_hot_outside() {
    tensor([0i64, 3]).one_hot::<3, f64>().to_vec();
}

#[test]
fn ranges() {
    assert_eq!(
        Tensor::<shape![4]>::arange(1.0, 0.5).to_vec(),
        [1.0, 1.5, 2.0, 2.5]
    );
    assert_eq!(
        Tensor::<shape![5]>::linspace(0.0, 1.0).to_vec(),
        [0.0, 0.25, 0.5, 0.75, 1.0]
    );
    assert_eq!(Tensor::<shape![1]>::linspace(3.0, 4.0).to_vec(), [3.0]);
    assert!(Tensor::<(Batch,), f64>::linspace_with((Batch(0),), 0.0, 1.0).is_empty());
    let x: Tensor![f64; Batch] = Tensor::linspace_with((Batch(50),), 0.1, 0.7);
    assert_eq!((x[[0]], x[[49]]), (0.1, 0.7));
    let eye: Tensor![f64; Batch, Batch] = Tensor::eye_with(Batch(2));
    assert_eq!(eye.to_vec(), [1.0, 0.0, 0.0, 1.0]);
}
