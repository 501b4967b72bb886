//! Activation functions and special functions: kinks, limits, single precision.

use crate::check::between;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Batch);

/// Value and derivative of an elementwise function at some points.
macro_rules! at {
    (|$x:ident| $body:expr, $points:expr) => {{
        #[differentiable]
    fn f($x: &Tensor![f64; Batch]) -> Tensor![f64; Batch] {
            $body
        }
        let points = $points;
        let x = Tensor::from_slice_with((Batch(points.len()),), &points).unwrap();
        let (y, pull) = f::vjp(&x);
        (y.to_vec(), pull(x.zero_like_ones()).to_vec())
    }};
}

trait Ones {
    fn zero_like_ones(&self) -> Self;
}
impl<S: Shape> Ones for Tensor<S, f64> {
    fn zero_like_ones(&self) -> Self {
        Tensor::ones_with(self.shape())
    }
}

const INF: f64 = f64::INFINITY;

#[test]
fn at_kinks_the_negative_side_counts() {
    let (y, d) = at!(|x| x.leaky_relu(0.25), [0.0, -2.0, 3.0]);
    assert_eq!((y, d), (vec![0.0, -0.5, 3.0], vec![0.25, 0.25, 1.0]));
    let (y, d) = at!(|x| x.elu(0.5), [0.0, 3.0, -INF]);
    assert_eq!((y, d), (vec![0.0, 3.0, -0.5], vec![0.5, 1.0, 0.0]));
    let (y, d) = at!(|x| x.celu(0.5), [0.0, 3.0, -INF]);
    assert_eq!((y, d), (vec![0.0, 3.0, -0.5], vec![1.0, 1.0, 0.0]));
    let (y, d) = at!(|x| x.hardsigmoid(), [-3.0, 3.0, 0.0, -9.0, INF]);
    assert_eq!(
        (y, d),
        (
            vec![0.0, 1.0, 0.5, 0.0, 1.0],
            vec![0.0, 0.0, 1.0 / 6.0, 0.0, 0.0]
        )
    );
    let (y, d) = at!(|x| x.hardswish(), [-3.0, 3.0, 0.0, -9.0, INF]);
    assert_eq!(
        (y, d),
        (vec![0.0, 3.0, 0.0, 0.0, INF], vec![0.0, 1.0, 0.5, 0.0, 1.0])
    );
    let (y, d) = at!(|x| x.softsign(), [0.0, 1.0, -3.0]);
    assert_eq!((y, d), (vec![0.0, 0.5, -0.75], vec![1.0, 0.25, 0.0625]));
}

#[test]
fn far_out() {
    let (y, d) = at!(|x| x.log_sigmoid(), [-1000.0, 1000.0, -INF, 0.0]);
    assert_eq!(y[..3], [-1000.0, 0.0, -INF]);
    assert!((y[3] + core::f64::consts::LN_2).abs() < 1e-15);
    assert_eq!(d, [1.0, 0.0, 1.0, 0.5]);
    let (y, d) = at!(|x| x.mish(), [-1000.0, 1000.0, 0.0]);
    assert_eq!((y, d), (vec![-0.0, 1000.0, 0.0], vec![0.0, 1.0, 0.6]));
    let (y, d) = at!(|x| x.erfc(), [-INF, INF, 0.0, 27.5]);
    assert_eq!((&y[..2], d[0]), (&[2.0, 0.0][..], 0.0));
    assert!((y[2] - 1.0).abs() < 1e-15 && y[3] == 0.0);
    let (y, d) = at!(|x| x.lgamma(), [0.0, -1.0, INF, 1.0, 2.0]);
    assert_eq!(y, [INF, INF, INF, 0.0, 0.0]);
    assert!(d[0].is_nan() && d[1].is_nan());
    let (y, d) = at!(|x| x.digamma(), [0.0, -3.0]);
    assert!(y.iter().all(|y| y.is_nan()) && d.iter().all(|d| *d == INF));
}

#[test]
fn nan_stays() {
    let x: Tensor![f64; 1] = tensor([f64::NAN]);
    for y in [
        x.erf(),
        x.erfc(),
        x.lgamma(),
        x.digamma(),
        x.mish(),
        x.hardswish(),
        x.hardsigmoid(),
        x.softsign(),
        x.log_sigmoid(),
        x.selu(),
        x.elu(1.0),
        x.celu(2.0),
        x.leaky_relu(0.1),
    ] {
        assert!(y.item_of_one().is_nan());
    }
}

trait One {
    fn item_of_one(&self) -> f64;
}
impl One for Tensor<(Sz<1>,), f64> {
    fn item_of_one(&self) -> f64 {
        self.at([0])
    }
}

#[test]
fn near_zero_elu_keeps_its_digits() {
    for x in [-1e-3, -1e-9, -1e-17, -1e-300, -0.5, -30.0, -800.0] {
        let y = Tensor::<(Sz<1>,), f64>::full(x).elu(1.0).at([0]);
        assert!(
            (y - x.exp_m1()).abs() <= 1e-15 * x.exp_m1().abs(),
            "{x}: {y}"
        );
    }
}

#[test]
fn single_precision_follows_double() {
    let x = between((Batch(1001),), 3, -6.0, 6.0);
    let narrow = x.cast::<f32>();
    let exact = narrow.cast::<f64>();
    macro_rules! same {
        ($($name:ident($($p:literal)?))*) => { $(
            for (a, b) in narrow.$name($($p)?).to_vec().into_iter().zip(exact.$name($($p)?).to_vec()) {
                assert!((f64::from(a) - b).abs() <= 2e-6 * (1.0 + b.abs()), "{}: {a} {b}", stringify!($name));
            }
        )* };
    }
    same!(erf() erfc() mish() hardswish() hardsigmoid() softsign() log_sigmoid() selu() elu(0.5) celu(0.5) leaky_relu(0.1));
    let (narrow, exact) = (narrow.abs(), exact.abs());
    for (a, b) in narrow
        .lgamma()
        .to_vec()
        .into_iter()
        .zip(exact.lgamma().to_vec())
    {
        assert_eq!(a, b as f32);
    }
    assert_eq!(
        narrow.digamma().to_vec(),
        exact.digamma().cast::<f32>().to_vec()
    );
}

#[test]
fn dropout_is_a_function_of_the_seed() {
    let x = Tensor::<_, f64>::ones_with((Batch(100_003),));
    let y = x.dropout(0.25, 11);
    assert_eq!(y, x.dropout(0.25, 11));
    assert_ne!(y, x.dropout(0.25, 12));
    assert!(y.to_vec().iter().all(|&y| y == 0.0 || y == 1.0 / 0.75));
    let kept = y.ne(0.0).count().item() as f64 / 100_003.0;
    assert!((kept - 0.75).abs() < 0.006, "{kept}");
    // Element i depends on the seed and i, not on the size or the layout.
    let short = Tensor::<_, f64>::ones_with((Batch(77),)).dropout(0.25, 11);
    assert_eq!(short.to_vec(), y.to_vec()[..77]);
    let turned = Tensor::<shape![7, 11], f64>::ones()
        .transpose::<0, 1>()
        .dropout(0.25, 11);
    assert_eq!(turned.to_vec(), short.to_vec());
    assert_eq!(x.dropout(0.0, 1), x);
    assert_eq!(
        Tensor::<_, f32>::ones_with((Batch(77),))
            .dropout(0.25, 11)
            .ne(0.0),
        short.ne(0.0)
    );
}

#[test]
#[should_panic(expected = "dropout: the rate p = 1 is not in [0, 1)")]
fn a_rate_of_one() {
    Tensor::<shape![2], f64>::ones().dropout(1.0, 1);
}

#[test]
#[should_panic(expected = "dropout: the rate p = NaN is not in [0, 1)")]
fn a_rate_that_is_no_number() {
    Tensor::<shape![2], f64>::ones().dropout(f64::NAN, 1);
}

#[test]
fn dropout_of_infinities() {
    let x: Tensor![f64; 64] = Tensor::full(INF);
    assert!(
        x.dropout(0.5, 3)
            .to_vec()
            .iter()
            .all(|&y| y == 0.0 || y == INF)
    );
}

#[test]
fn sizes_around_the_vector_width() {
    #[differentiable]
    fn f(x: &Tensor![f64; Batch], a: f64) -> Tensor![f64; Batch] {
        (x.elu(a) + x.mish() * x.leaky_relu(a)).celu(a) + x.selu().dropout(0.3, 5)
    }
    for n in [0, 1, 15, 16, 17, 63, 65, 300] {
        let checked = check_grads::<f, _>(&(between((Batch(n),), 4, -2.0, 2.0), 0.6));
        let nothing = differentiable::ad::GradientMismatch::NothingToCompare;
        assert_eq!(checked, if n == 0 { Err(nothing) } else { Ok(()) });
    }
}
