//! `quantile_axis`, `median_axis`.

use crate::check::between;
use differentiable::prelude::*;

dim!(Rows);

/// NumPy's linear interpolation.
fn quantile(x: &[f64], q: f64) -> f64 {
    let mut s = x.to_vec();
    s.sort_by(f64::total_cmp);
    let h = q * (s.len() - 1) as f64;
    let (i, w) = (h.floor() as usize, h.fract());
    s[i] + w * (s[(i + 1).min(s.len() - 1)] - s[i])
}

#[test]
fn lines_of_any_length() {
    fn of<const N: usize>() {
        let x: Tensor<(Rows, Sz<N>), f64> = between((Rows(4), Sz), N as u64, -2.0, 2.0);
        for q in [0.0, 0.1, 0.25, 0.5, 0.77, 1.0] {
            let expected: Vec<f64> = x.to_vec().chunks(N).map(|row| quantile(row, q)).collect();
            let kept = x.quantile_axis_keepdim::<-1>(q);
            let along = x.t().quantile_axis::<0>(q).to_vec();
            assert_eq!(kept.to_vec(), along);
            for (a, b) in along.iter().zip(&expected) {
                assert!((a - b).abs() < 1e-14, "{a} is not {b}");
            }
        }
        assert_eq!(x.median_axis::<1>(), x.quantile_axis::<1>(0.5));
        assert_eq!(x.median_axis_keepdim::<0>().dims()[0], 1);
    }
    of::<1>();
    of::<2>();
    of::<7>();
    of::<65>();
}

#[test]
fn gradients_and_special_values() {
    #[differentiable]
    fn f(x: &Tensor![f64; 4]) -> Tensor![f64;] {
        x.quantile_axis::<0>(0.25)
    }
    let x = tensor([3.0, 0.0, 8.0, 1.0]);
    let (y, d) = f::value_and_grad(&x);
    assert_eq!((y.item(), d.to_vec()), (0.75, vec![0.0, 0.25, 0.0, 0.75]));
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let x = tensor([3.0, nan, 8.0, 1.0]);
    let (y, d) = f::value_and_grad(&x);
    assert!(y.item().is_nan() && d.to_vec()[0].is_nan());
    let rows = tensor([
        [1.0, inf, 2.0],
        [nan, 1.0, 1.0],
        [-inf, -inf, 5.0],
        [1.0, 1.0, 1.0],
    ]);
    let medians = rows.median_axis::<1>().to_vec();
    assert!(medians[1].is_nan());
    assert_eq!([medians[0], medians[2], medians[3]], [2.0, -inf, 1.0]);
    let x: Tensor![4] = tensor([1.0, 2.0, 4.0, 3.0]);
    assert_eq!(x.median_axis::<0>().item(), 2.5);
}

#[test]
#[should_panic(expected = "quantile_axis: `q` is 1.5, expected a number between 0 and 1")]
fn beyond_the_largest() {
    let _ = Tensor::<shape![3], f64>::zeros().quantile_axis::<0>(1.5);
}

#[test]
#[should_panic(expected = "median_axis: axis 0 has size 0, expected an element")]
fn of_nothing() {
    let _ = Tensor::<(Rows,), f64>::zeros_with((Rows(0),)).median_axis::<0>();
}
