//! Second derivatives of functions of tensors where kernels branch, overflow or take a number as a parameter.

use differentiable::ad::{Dual, check_hvp};
use differentiable::prelude::*;

fn five(x: [f64; 5]) -> Tensor![f64; 5] {
    Tensor::from_slice(&x).unwrap()
}

/// Far out, where `e^−x` overflows, and at 0, where they are as smooth as everywhere.
const EVERYWHERE: [f64; 5] = [-1000.0, -40.0, 0.0, 0.5, 1000.0];

macro_rules! logistic {
    ($($name:ident)*) => { $(
        #[test]
        fn $name() {
            // The value is used again, so that its tangent counts.
            #[differentiable(higher_order)]
            fn function(x: &Tensor![f64; 5]) -> Tensor![f64;] {
                let y = x.clamp(-30.0, 30.0).$name() + x.$name() / 1e3;
                y.square().sum()
            }
            check_hvp::<function, f64, _>(&(five(EVERYWHERE),)).unwrap();
        }
    )* };
}
logistic! { sigmoid silu softplus mish log_sigmoid gelu_tanh }

#[test]
fn single_precision() {
    #[differentiable(higher_order)]
    fn function(x: &Tensor![4]) -> Tensor![] {
        (x.sigmoid() + x.softplus() + x.silu() + x.mish()).sum()
    }
    let x: Tensor![4] = Tensor::from_slice(&[-500.0, -100.0, 0.0, 500.0]).unwrap();
    let product = function::hvp((&x, &Tensor::ones())).to_vec();
    // Of mish 0.64 at 0, of the others 0, ¼ and ½.
    assert!((product[2] - 1.39).abs() < 1e-6, "{product:?}");
    assert!(
        [0, 1, 3].into_iter().all(|i| product[i].abs() < 1e-40),
        "{product:?}"
    );
}

/// What is flat stays flat, also where it jumps or bends.
#[differentiable(higher_order)]
fn flat(x: &Tensor![f64; 5]) -> Tensor![f64;] {
    let signs = x.sign() + x.signum() + x.floor() + x.trunc() + x.ceil() + x.round();
    (signs * 3.0).square().sum() + x.norm_l1() + x.norm() * 0.0
}

#[test]
fn flat_functions() {
    for x in [[0.0; 5], [0.0, -0.0, 1.2, -1.2, 0.4]] {
        let product = flat::hvp((&five(x), &five([1.0, 2.0, 3.0, 4.0, 5.0])));
        assert_eq!(product.to_vec(), [0.0; 5], "at {x:?}");
    }
}

/// Norms of nothing but zeros have no derivative; the part of each element is 0, and stays so.
#[differentiable(higher_order)]
fn norms(x: &Tensor![f64; 5]) -> Tensor![f64;] {
    x.norm() + x.norm_p(3.0) + x.norm_p(1.5)
}

#[test]
fn norms_of_zeros() {
    let (zeros, v) = (five([0.0; 5]), five([1.0; 5]));
    assert_eq!(norms::grad(&zeros).to_vec(), [0.0; 5]);
    assert_eq!(norms::hvp((&zeros, &v)).to_vec(), [0.0; 5]);
}

/// At 0 the negative side of these counts, with a parameter that changes too.
#[differentiable(higher_order)]
fn pieces(x: &Tensor![f64; 5], p: f64) -> Tensor![f64;] {
    (x.leaky_relu(p) + x.elu(p) + x.celu(p)).sum()
}

#[test]
fn pieces_at_zero() {
    let x = five([0.0, -0.0, 1.0, 2.0, 3.0]);
    let (by_x, by_p) = pieces::hvp((&x, &five([0.0; 5])), (0.5, 1.0));
    // The slopes at 0 are p, p and 1.
    assert_eq!(by_x.to_vec(), [2.0, 2.0, 0.0, 0.0, 0.0]);
    assert_eq!(by_p, 0.0);
    check_hvp::<pieces, f64, _>(&(five([-0.3, -1.0, 0.2, 2.0, -3.0]), 0.7)).unwrap();
}

#[test]
fn bounds_that_change() {
    let x: Tensor![Dual<f64, 1>; 3] = Tensor::from_fn(|i| Dual::constant(i as f64 - 1.0));
    let bound = Dual::new(0.25, [1.0]);
    let tangents = |x: Tensor![Dual<f64, 1>; 3]| {
        x.to_vec()
            .into_iter()
            .map(|x| x.tangents[0])
            .collect::<Vec<_>>()
    };
    assert_eq!(tangents(x.clamp_min(bound)), [1.0, 1.0, 0.0]);
    assert_eq!(tangents(x.clamp_max(bound)), [0.0, 0.0, 1.0]);
}

#[test]
fn draws_between_bounds() {
    let (low, high) = (Dual::new(1.0, [1.0, 0.0]), Dual::new(3.0, [0.0, 1.0]));
    let drawn: Tensor![Dual<f64, 2>; 50] = Tensor::rand_uniform(7, low, high);
    for x in drawn.to_vec() {
        let part = (x.value - 1.0) / 2.0;
        assert!((0.0..1.0).contains(&part));
        assert!(
            (x.tangents[0] - (1.0 - part)).abs() < 1e-12 && (x.tangents[1] - part).abs() < 1e-12
        );
    }
}

/// Of a dual of duals, a tangent may be inside of a zero one.
#[test]
fn parameters_that_are_duals_of_duals() {
    type Twice = Dual<Dual<f64, 1>, 1>;
    // p, with ε₁ε₂ alone.
    let p: Twice = Dual::new(Dual::new(2.0, [0.0]), [Dual::new(0.0, [1.0])]);
    let x: Tensor![Twice; 2] = Tensor::from_fn(|i| Dual::constant(Dual::constant(1.5 + i as f64)));
    for (y, x) in x.powf(p).to_vec().into_iter().zip([1.5_f64, 2.5]) {
        assert!((y.tangents[0].tangents[0] - x * x * x.ln()).abs() < 1e-12);
    }
    let inner: Twice = Dual::new(Dual::new(2.0, [1.0]), [Dual::new(0.0, [0.0])]);
    for (y, x) in x.powf(inner).to_vec().into_iter().zip([1.5_f64, 2.5]) {
        assert!((y.value.tangents[0] - x * x * x.ln()).abs() < 1e-12);
    }
    let same = x.cast::<Twice>();
    assert_eq!(same.to_vec(), x.to_vec());
}

/// A conversion to the element's own type.
#[differentiable(higher_order)]
fn converted<T: Float>(x: &Tensor![T; 5]) -> Tensor![T;] {
    x.cast::<T>().sin().sum()
}

#[test]
fn conversions_to_the_own_type() {
    check_hvp::<converted, f64, _>(&(five([0.3, -0.2, 1.2, -1.2, 0.4]),)).unwrap();
}

/// Scores that tie across the blocks that attention goes through.
#[differentiable(higher_order)]
fn attended(
    q: &Tensor![f64; 2, 4],
    k: &Tensor![f64; 200, 4],
    v: &Tensor![f64; 200, 3],
) -> Tensor![f64;] {
    q.attention(k, v, Attention::new()).square().sum()
}

#[test]
fn attention_with_ties() {
    let q: Tensor![f64; 2, 4] = Tensor::from_fn(|i| 0.3 * (i % 3) as f64 - 0.2);
    let k: Tensor![f64; 200, 4] = Tensor::from_fn(|i| [0.5, -0.25, 0.75, 1.0][i % 4]);
    let v: Tensor![f64; 200, 3] = Tensor::from_fn(|i| ((i * 7) % 11) as f64 * 0.1);
    check_hvp::<attended, f64, _>(&(q, k, v)).unwrap();
}

type Square = Tensor![f64; 3, 3];

#[differentiable(higher_order)]
fn volume(a: &Tensor![f64; 3, 3]) -> f64 {
    a.det().item()
}

fn square(x: [f64; 9]) -> Square {
    Tensor::from_slice(&x).unwrap()
}

/// A determinant is a polynomial: that of a singular matrix has derivatives of every order.
#[test]
fn determinants_of_singular_matrices() {
    let one_to_nine: [f64; 9] = std::array::from_fn(|i| 1.0 + i as f64);
    let mut nearly = one_to_nine;
    nearly[8] += 1e-14;
    for x in [one_to_nine, nearly, [0.0; 9], [2.0; 9]] {
        let along = square([1.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0]);
        let product = volume::hvp((&square(x), &along)).to_vec();
        // Of the cofactors along e₀₀ + e₁₁/2.
        let [a, _, c, _, e, f, g, h, i] = x;
        let expected = [
            i / 2.0,
            0.0,
            -g / 2.0,
            0.0,
            i,
            -h,
            -c / 2.0,
            -f,
            e + a / 2.0,
        ];
        for (found, expected) in product.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{product:?} {x:?}");
        }
    }
}

/// One matrix of a batch changes; the other has no derivative of what is asked for.
#[differentiable(higher_order)]
fn spectra(a: &Tensor![f64; 2, 2, 2]) -> f64 {
    let (w, v) = a.eigh();
    (w.square().sum() + a.det().sum() + v.square().square().sum() * 0.0).item()
}

#[test]
fn matrices_that_do_not_change() {
    let a: Tensor![f64; 2, 2, 2] =
        Tensor::from_slice(&[2.0, 0.3, 0.3, 1.0, 1.0, 0.0, 0.0, 3.0]).unwrap();
    let along: Tensor![f64; 2, 2, 2] =
        Tensor::from_slice(&[1.0, 0.5, 0.5, -1.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    let product = spectra::hvp((&a, &along)).to_vec();
    // Of Σ w² = Σ aᵢⱼ² twice the direction, and of the determinant its cofactors.
    let expected = [1.0, 0.5, 0.5, -1.0, 0.0, 0.0, 0.0, 0.0];
    for (found, expected) in product.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{product:?}");
    }
}

#[differentiable(higher_order)]
fn of_no_columns(a: &Tensor![f64; 2, 2, 2], b: &Tensor![f64; 2, 2, 0]) -> f64 {
    let solved = a.solve(b).sum() + a.solve_triangular(b, Triangle::lower()).sum();
    (solved + a.square().sum()).item()
}

#[test]
fn systems_of_no_columns() {
    let a: Tensor![f64; 2, 2, 2] =
        Tensor::from_slice(&[2.0, 0.3, 0.3, 1.0, 1.0, 0.0, 0.0, 3.0]).unwrap();
    let b: Tensor![f64; 2, 2, 0] = Tensor::zeros();
    let (product, none) = of_no_columns::hvp((&a, &a), (&b, &b));
    assert_eq!(product.to_vec(), (&a * 2.0).to_vec());
    assert!(none.to_vec().is_empty());
}

/// The derivative of an exponential is linear in its direction, also in a large one.
#[differentiable(higher_order)]
fn exponential(a: &Tensor![f64; 3, 3], scale: f64) -> f64 {
    (a.matrix_exp() * scale).sum().item()
}

#[test]
fn exponentials_along_large_directions() {
    let a = square([0.7, 0.2, -0.1, 0.1, 0.5, 0.3, -0.4, 0.2, 0.1]);
    let along = square([0.3, -0.1, 0.2, 0.5, 0.4, -0.2, 0.1, 0.6, -0.3]);
    let (expected, _) = exponential::hvp((&a, &along), (1.0, 0.0));
    let (found, _) = exponential::hvp((&a, &along), (1e14, 0.0));
    for (found, expected) in found.to_vec().into_iter().zip(expected.to_vec()) {
        assert!(
            (found / 1e14 - expected).abs() < 1e-12,
            "{found} {expected}"
        );
    }
    check_hvp::<exponential, f64, _>(&(a, 1.5)).unwrap();
}

/// A third derivative, through duals of duals.
#[differentiable(higher_order)]
fn by_gradient(a: &Tensor![f64; 3, 3]) -> f64 {
    let inner = log_volume::grad(a);
    inner.square().sum().item()
}

#[differentiable(higher_order)]
fn log_volume(a: &Tensor![f64; 3, 3]) -> f64 {
    let x = a.matmul(&a.transpose::<0, 1>()) + a.square();
    (x.logdet() + a.inv().sum() + x.cholesky().sum() + a.det()).item()
}

#[test]
fn third_derivatives_of_factorisations() {
    let a = square([2.0, 0.2, -0.1, 0.1, 1.5, 0.3, -0.4, 0.2, 1.1]);
    check_hvp::<by_gradient, f64, _>(&(a,)).unwrap();
}

#[differentiable(higher_order)]
fn powers(x: &Tensor![f64; 2], p: f64) -> f64 {
    x.powf(p).sum().item()
}

#[test]
fn the_power_zero_of_zero() {
    let x: Tensor![f64; 2] = Tensor::from_slice(&[0.0, 2.0]).unwrap();
    let (by_x, by_p) = powers::hvp((&x, &Tensor::zeros()), (0.0, 1.0));
    assert_eq!(by_x.to_vec()[0], 0.0);
    assert!((by_x.to_vec()[1] - 0.5).abs() < 1e-15);
    assert!((by_p - 2f64.ln().powi(2)).abs() < 1e-15);
}
