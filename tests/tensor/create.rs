//! Constructors, access, conversion back.

use differentiable::prelude::*;

dim!(Batch);

#[test]
fn constants() {
    let z: Tensor![2, 3] = Tensor::zeros();
    assert_eq!(z.to_vec(), [0.0; 6]);
    let o: Tensor![f64; Batch, 2] = Tensor::ones_with((Batch(2), Sz));
    assert_eq!(o.to_vec(), [1.0; 4]);
    assert_eq!(Tensor::<shape![2], i64>::full(7).to_vec(), [7, 7]);
    assert_eq!(Tensor::<shape![2], bool>::ones().to_vec(), [true, true]);
    assert_eq!(Tensor::<shape![2, 2], u8>::iota().to_vec(), [0, 1, 2, 3]);
    assert_eq!(
        Tensor::<shape![3, 3], f32>::eye().to_vec(),
        [1., 0., 0., 0., 1., 0., 0., 0., 1.]
    );
}

#[test]
fn from_data() {
    let x: Tensor![2, 2] = Tensor::from_slice(&[1.0, 2.0, 3.0, 4.0]).unwrap();
    assert_eq!(x, tensor([[1.0, 2.0], [3.0, 4.0]]));
    let e = Tensor::<shape![2, 2]>::from_vec(vec![1.0; 3]).unwrap_err();
    assert_eq!(
        e.to_string(),
        "a tensor of shape [2, 2] has 4 elements, but 3 were given"
    );
    let e =
        Tensor::<shape![Batch, 2], f64>::from_slice_with((Batch(3), Sz), &[0.0; 4]).unwrap_err();
    assert!(matches!(
        e,
        ShapeError::Length {
            expected: 6,
            found: 4,
            ..
        }
    ));
    let s: Tensor![f64;] = tensor(2.5);
    assert_eq!(s.item(), 2.5);
}

#[test]
fn access() {
    let x: Tensor![2, 3] = tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(x.get([1, 2]), Some(6.0));
    assert_eq!(x.get([2, 0]), None);
    assert_eq!(x.get([0]), None);
    assert_eq!(x[[0, 1]], 2.0);
    assert_eq!(x.transpose::<0, 1>()[[1, 0]], 2.0);
    assert_eq!(
        (x.rank(), x.len(), x.dims().as_slice()),
        (2, 6, &[2, 3][..])
    );
    let y: Tensor![Batch, 3] = Tensor::zeros_with((Batch(4), Sz));
    assert_eq!(y.shape(), (Batch(4), Sz));
}

#[test]
#[should_panic(expected = "index [0, 3] is outside a tensor of shape [2, 3]")]
fn access_outside() {
    let x: Tensor![2, 3] = Tensor::zeros();
    let _ = x[[0, 3]];
}

#[test]
fn random_numbers_are_reproducible() {
    let a: Tensor![100, 100] = Tensor::randn(7);
    assert_eq!(a, Tensor::randn(7));
    assert_ne!(a, Tensor::randn(8));
    let (mean, var) = (a.mean().item(), a.square().mean().item());
    assert!(
        mean.abs() < 0.05 && (var - 1.0).abs() < 0.05,
        "{mean} {var}"
    );
    let u: Tensor![f64; Batch] = Tensor::rand_uniform_with((Batch(1000),), 3, -1.0, 3.0);
    assert!(u.min().item() >= -1.0 && u.max().item() < 3.0);
    assert!((u.mean().item() - 1.0).abs() < 0.15);
}

#[test]
fn equality_compares_sizes_and_elements() {
    let a: Tensor![Batch] = Tensor::zeros_with((Batch(2),));
    assert_ne!(a, Tensor::zeros_with((Batch(3),)));
    assert_ne!(a, Tensor::ones_with((Batch(2),)));
    assert_eq!(a, a.clone());
}

#[test]
fn elements_taken_out_lead_back() {
    use crate::check::{check, finish, start};
    use differentiable::__rt::{Differentiable, NoGrad, On};
    let x: Tensor![f64; Batch, 2] = Tensor::iota_with((Batch(3), Sz));
    check(
        "item",
        &tensor(2.0f64),
        |x| x.item(),
        |x, ct| {
            let (y, pull) = x.__item_vjp((On,));
            let mut d = x.zero_adj(On);
            pull(ct, x, &mut d);
            (y, finish(x, d))
        },
        |x, t| x.__item_jvp(t),
    );
    let (v, pull) = x.__to_vec_vjp((On,));
    let mut d = x.zero_adj(On);
    pull(v, &x, &mut d);
    assert_eq!(finish(&x, d), x);
    let (y, pull) = x.__get_vjp((On, On), [2, 1]);
    let mut d = start(Tensor::ones_with(x.shape()));
    pull(Some(3.0), &x, &mut d, &mut [NoGrad; 2]);
    assert_eq!(y, Some(5.0));
    assert_eq!(finish(&x, d).to_vec(), [1.0, 1.0, 1.0, 1.0, 1.0, 4.0]);
}
