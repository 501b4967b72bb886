//! Linear algebra at its edges: infinities, entries of any size, spectra with equal values.

use crate::check::{finish, start};
use crate::rules_linalg::{
    Size, Square, Squares, all_nan, cofactors, definite, near, square, squares,
};
use differentiable::__rt::{Differentiable, On};
use differentiable::ad::check_grads;
use differentiable::prelude::*;

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

#[test]
fn special_values_stay_where_they_are() {
    for bad in [NAN, INF, -INF] {
        let mut a = definite(3, 4, 1);
        let (good, b) = (a.clone(), squares(3, 4, 2));
        a.raw_mut().edit(|x| x[16 + 5] = bad);
        let check = |what: &str, found: Squares, clean: Squares| {
            let (found, clean) = (found.to_vec(), clean.to_vec());
            assert!(found[16..32].iter().all(|x| x.is_nan()), "{what} of {bad}");
            assert_eq!(found[..16], clean[..16], "{what}");
            assert_eq!(found[32..], clean[32..], "{what}");
        };
        check("solve", a.solve(&b), good.solve(&b));
        check("inv", a.inv(), good.inv());
        check("pinv", a.pinv(), good.pinv());
        check("matrix_exp", a.matrix_exp(), good.matrix_exp());
        check("eigh", a.eigh().1, good.eigh().1);
        check("qr q", a.qr().0, good.qr().0);
        check("qr r", a.qr().1, good.qr().1);
        check("svd u", a.svd().0, good.svd().0);
        check("svd vt", a.svd().2, good.svd().2);
        assert!(a.det()[[1]].is_nan() && a.logdet()[[1]].is_nan());
        assert!(a.eigvalsh().to_vec()[4..8].iter().all(|x| x.is_nan()));
        assert!(a.svdvals().to_vec()[4..8].iter().all(|x| x.is_nan()));
        assert!(a.cholesky().to_vec()[16..32].iter().all(|x| x.is_nan()));
        let (_, pull) = a.__eigh_vjp((On,));
        let mut d = a.zero_adj(On);
        let (w, v) = good.eigh();
        pull((start(w), start(v)), &a, &mut d);
        let d = finish(&a, d).to_vec();
        assert!(d[16..32].iter().all(|x| x.is_nan()) && d[..16].iter().all(|x| x.is_finite()));
    }
}

#[test]
fn vectors_of_equal_eigenvalues_have_no_derivative() {
    let gradient = |a: &Square, of_w: bool, of_v: bool| {
        let ((w, v), pull) = a.__eigh_vjp((On,));
        let mut d = a.zero_adj(On);
        let none = differentiable::tensor::TensorAcc::ZERO;
        let ct_w = if of_w { start(w * 0.0 + 1.0) } else { none };
        let ct_v = if of_v {
            start(v)
        } else {
            differentiable::tensor::TensorAcc::ZERO
        };
        pull((ct_w, ct_v), a, &mut d);
        finish(a, d)
    };
    let identity = Tensor::<_, f64>::ones_with((Size(3),)).diag();
    near(
        "values",
        &gradient(&identity, true, false),
        &identity,
        1e-15,
    );
    assert!(all_nan(&gradient(&identity, false, true)));
    assert!(all_nan(&gradient(&identity, true, true)));
    // The same for eigenvalues that rounding has separated.
    let mut turned = square(4, 3).qr().0;
    let values: Tensor<(Size,), f64> =
        Tensor::from_slice_with((Size(4),), &[1.0, 1.0, 2.0, 3.0]).unwrap();
    turned = turned
        .matmul(&values.diag())
        .matmul(&turned.transpose::<0, 1>());
    assert!(all_nan(&gradient(&turned, false, true)));
    let tangent = identity.__eigh_jvp(&square(3, 1)).1;
    assert!(
        tangent.0.to_vec().iter().all(|x| x.is_finite())
            && tangent.1.to_vec().iter().any(|x| x.is_nan())
    );
    // Vectors that the loss does not see may be close to one another.
    let a = turned + Tensor::<_, f64>::ones_with((Size(4),)).diag() * 0.0;
    let ((_, v), pull) = a.__eigh_vjp((On,));
    let mut ct = v * 0.0;
    ct.raw_mut().edit(|x| x[3] = 1.0);
    let mut d = a.zero_adj(On);
    pull(
        (differentiable::tensor::TensorAcc::ZERO, start(ct)),
        &a,
        &mut d,
    );
    assert!(finish(&a, d).to_vec().iter().all(|x| x.is_finite()));
}

#[test]
fn vectors_of_equal_singular_values_have_no_derivative() {
    let gradient = |a: &Square, of_s: bool, of_u: bool| {
        let ((u, s, _), pull) = a.__svd_vjp((On,));
        let mut d = a.zero_adj(On);
        let zero = || differentiable::tensor::TensorAcc::ZERO;
        let ct_u = if of_u {
            start(u + 1.0)
        } else {
            differentiable::tensor::TensorAcc::ZERO
        };
        let ct_s = if of_s {
            start(s * 0.0 + 1.0)
        } else {
            differentiable::tensor::TensorAcc::ZERO
        };
        pull((ct_u, ct_s, zero()), a, &mut d);
        finish(a, d)
    };
    let identity = Tensor::<_, f64>::ones_with((Size(3),)).diag();
    near(
        "values",
        &gradient(&identity, true, false),
        &identity,
        1e-15,
    );
    assert!(all_nan(&gradient(&identity, false, true)));
    // A tall matrix without full rank.
    let a: Tensor![f64; 3, 2] = tensor([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]);
    let ((u, _, _), pull) = a.__svd_vjp((On,));
    let mut d = a.zero_adj(On);
    let zero = differentiable::tensor::TensorAcc::ZERO;
    pull(
        (
            start(u + 1.0),
            differentiable::tensor::TensorAcc::ZERO,
            zero,
        ),
        &a,
        &mut d,
    );
    assert!(all_nan(&finish(&a, d)));
}

#[test]
fn large_and_small_entries() {
    for size in [1e-300, 1e-150, 1e150, 1e300] {
        let a = definite(1, 4, 1);
        let scaled = &a * size;
        let relative = |x: Vec<f64>, y: Vec<f64>| {
            x.iter()
                .zip(&y)
                .all(|(x, y)| (x / size - y).abs() < 1e-12 * y.abs().max(1.0))
        };
        assert!(relative(scaled.eigvalsh().to_vec(), a.eigvalsh().to_vec()));
        assert!(relative(scaled.svdvals().to_vec(), a.svdvals().to_vec()));
    }
}

#[test]
fn exponentials_of_nothing_and_next_to_it() {
    let zero = Tensor::<shape![2, 2], f64>::zeros().matrix_exp();
    assert_eq!(zero, Tensor::eye());
    let shear: Tensor![f64; 2, 2] = tensor([[0.0, 1e10], [0.0, 0.0]]);
    assert_eq!(shear.matrix_exp().to_vec(), [1.0, 1e10, 0.0, 1.0]);
    #[differentiable]
    fn total(x: &Tensor![2, 2], s: f32) -> f32 {
        x.matrix_exp().sum().item() * s
    }
    let (d, _) = total::grad(&tensor([[0.0, 1e-34], [0.0, 0.0]]), 1e5);
    assert!(d.to_vec().iter().all(|d| (d - 1e5).abs() < 1.0), "{d:?}");
}

#[test]
fn determinants_whose_factors_overflow() {
    let d = [1e200, -1e200, 1e-200, 1e-150, 0.5];
    let a = Tensor::<_, f64>::from_slice_with((Size(5),), &d)
        .unwrap()
        .diag();
    assert!((a.det().item() / -5e49 - 1.0).abs() < 1e-14);
    // The determinant overflows, its derivative does not.
    let a = Tensor::<_, f64>::full_with((Size(72),), 2e4).diag();
    assert_eq!(a.det().item(), INF);
    assert!((cofactors(&a).to_vec()[0] / 2e4_f64.powi(71) - 1.0).abs() < 1e-12);
    let d = [1e30_f32, 1e30, 1e-30, 1e-30];
    let a = Tensor::from_slice_with((Size(4),), &d).unwrap().diag();
    assert!((a.det().item() - 1.0).abs() < 1e-5);
    // Half a million binary orders up and down again.
    let n = 300;
    let d: Vec<f64> = (0..n)
        .map(|i| if i % 2 == 0 { 1e-9 } else { 2e9 })
        .collect();
    let a = Tensor::from_slice_with((Size(n),), &d).unwrap().diag();
    let (sign, log) = a.slogdet();
    assert!((a.det().item() / (sign.item() * log.item().exp()) - 1.0).abs() < 1e-11);
    // What overflows as a whole still does.
    let a = Tensor::<_, f64>::full_with((Size(n),), 1e9).diag();
    assert_eq!(a.det().item(), INF);
    assert_eq!((a * 1e-18).det().item(), 0.0);
}

#[test]
fn equal_values_alone_have_a_gradient() {
    type Three = Tensor![f64; 3, 3];
    #[differentiable]
    fn of_values(a: &Three) -> Tensor![f64;] {
        let (w, s) = (a.eigvalsh(), a.svdvals());
        (w.square() + s.square()).sum()
    }
    let diagonal: Three = tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 3.0]]);
    check_grads::<of_values, _>(&(diagonal.clone(),)).unwrap();
    for a in [Three::zeros(), Tensor::eye(), diagonal] {
        let d = of_values::grad(&a).to_vec();
        assert!(d.iter().all(|d| d.is_finite()), "{d:?}");
    }
}
