//! Regions that end in sums or means along an axis.

use super::common::*;
use crate::points;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Rows);
dim!(Columns);

both! {
    fn inner(x: &Tensor![f64; Rows, Columns], b: &Tensor![f64; Columns], c: &Tensor![f64; Rows]) -> Tensor![f64;] {
        (((x - b).square() * b).sum_axis::<1>() * c).sum()
    }
    fn outer(x: &Tensor![f64; Rows, Columns], b: &Tensor![f64; Columns], k: f64) -> Tensor![f64;] {
        ((x * b + k).sin().mean_axis::<0>() * b).sum()
    }
    fn kept(x: &Tensor![f64; Rows, Columns], k: f64) -> Tensor![f64;] {
        let rows = (x * k).tanh().mean_axis_keepdim::<-1>();
        let columns = (x - k).exp().sum_axis_keepdim::<-2>();
        rows.square().sum() + columns.ln().sum()
    }
    fn transposed(x: &Tensor![f64; Rows, Columns], c: &Tensor![f64; Rows]) -> Tensor![f64;] {
        let t = x.transpose::<0, 1>();
        ((t * c).sigmoid().sum_axis::<0>() * c).sum()
    }
    fn middle(x: &Tensor![f64; 3, 5, 40], w: &Tensor![f64; 5, 40]) -> Tensor![f64;] {
        let y = (x * w + 0.5).gelu().mean_axis::<1>();
        (y.exp() * x.sum_axis::<1>()).sum()
    }
    fn narrow(x: &Tensor![f64; 3, 5, 7], w: &Tensor![f64; 7]) -> Tensor![f64;] {
        let y = (x * w).softplus().sum_axis::<1>();
        (y.ln() - y).sum()
    }
    fn norm(x: &Tensor![f64; Rows, 67], g: &Tensor![f64; 67], b: &Tensor![f64; 67]) -> Tensor![f64;] {
        let d = x - x.mean_axis_keepdim::<1>().expand::<1, _>(Sz::<67>);
        let s = (d.square() * 1.5).mean_axis_keepdim::<1>();
        let r = (s + 1e-5).rsqrt().expand::<1, _>(Sz::<67>);
        let y = d * r * g + b;
        (y.square() * y).sum()
    }
    fn single_precision(x: &Tensor![f32; Rows, Columns], b: &Tensor![f32; Columns]) -> Tensor![f32;] {
        (x * b).exp().sum_axis::<-1>().ln().sum()
    }
    fn frozen(x: &Tensor![f64; Rows, Columns], #[constant] w: &Tensor![f64; Rows, Columns]) -> Tensor![f64;] {
        (x * w + w).relu().sum_axis::<1>().square().sum()
    }
}

#[test]
fn run_time_sizes() {
    for rows in [1, 2, 9] {
        for columns in [1, 3, 31, 32, 65, 130] {
            let x = &points((Rows(rows), Columns(columns)), 1);
            let b = &points((Columns(columns),), 2);
            let c = &points((Rows(rows),), 3);
            at_every_level!(inner(x, b, c), 1e-12);
            at_every_level!(outer(x, b, 0.3), 1e-12);
            at_every_level!(kept(x, 0.7), 1e-12);
            at_every_level!(transposed(x, c), 1e-12);
            at_every_level!(single_precision(&x.cast(), &b.cast()), 1e-4);
            at_every_level!(frozen(x, &points((Rows(rows), Columns(columns)), 4)), 1e-12);
            if columns < 40 {
                check_grads::<inner::fused, _>(&(x.clone(), b.clone(), c.clone())).unwrap();
                check_grads::<outer::fused, _>(&(x.clone(), b.clone(), 0.3)).unwrap();
                check_grads::<kept::fused, _>(&(x.clone(), 0.7)).unwrap();
                check_grads::<transposed::fused, _>(&(x.clone(), c.clone())).unwrap();
            }
        }
    }
}

/// Parts are divided between rows, or each has sums of its own.
#[test]
fn many_elements() {
    for (rows, columns) in [
        (3, 90_001),
        (9_001, 33),
        (2_001, 130),
        (70_000, 4),
        (1, 300_000),
    ] {
        let x = &points((Rows(rows), Columns(columns)), 1);
        let b = &points((Columns(columns),), 2);
        let c = &points((Rows(rows),), 3);
        at_every_level!(inner(x, b, c), 1e-10);
        at_every_level!(outer(x, b, 0.3), 1e-10);
        at_every_level!(transposed(x, c), 1e-10);
    }
}

#[test]
fn axes_in_the_middle_and_norms_by_hand() {
    let x = &points(Default::default(), 1);
    let w = &points(Default::default(), 2);
    at_every_level!(middle(x, w), 1e-12);
    check_grads::<middle::fused, _>(&(x.clone(), w.clone())).unwrap();
    let (x, w) = (
        &points(Default::default(), 3),
        &points(Default::default(), 4),
    );
    at_every_level!(narrow(x, w), 1e-12);
    check_grads::<narrow::fused, _>(&(x.clone(), w.clone())).unwrap();
    let x = &points((Rows(5), Sz), 5);
    let (g, b) = (
        &points(Default::default(), 6),
        &points(Default::default(), 7),
    );
    at_every_level!(norm(x, g, b), 1e-11);
    check_grads::<norm::fused, _>(&(x.clone(), g.clone(), b.clone())).unwrap();
}

/// Single precision keeps its digits over many rows: sums go up in steps.
#[test]
fn many_terms() {
    let (rows, columns) = (300_000, 33);
    let x = Tensor::<_, f32>::from_fn_with((Rows(rows), Columns(columns)), |i| {
        0.1 + ((i / columns) % 7) as f32 * 0.01
    });
    let b = Tensor::<_, f32>::from_fn_with((Columns(columns),), |j| 1.0 + (j % 5) as f32);
    let near = |found: &[f32], exact: &[f64]| {
        for (f, e) in found.iter().zip(exact) {
            assert!((f64::from(*f) - e).abs() < 2e-6 * e.abs(), "{f} and {e}");
        }
    };
    let (value, (_, by_b)) = many::value_and_grad(&x, &b);
    let (wide, (_, wide_by_b)) = many_wide::value_and_grad(&x.cast(), &b.cast());
    near(&value.to_vec(), &wide.to_vec());
    near(&by_b.to_vec(), &wide_by_b.to_vec());
    near(&down(&x, 0.7).to_vec(), &down_wide(&x.cast(), 0.7).to_vec());
}

#[differentiable]
fn many(x: &Tensor![f32; Rows, Columns], b: &Tensor![f32; Columns]) -> Tensor![f32;] {
    (x * 0.7 * b).sum()
}
#[differentiable(unfused)]
fn many_wide(x: &Tensor![f64; Rows, Columns], b: &Tensor![f64; Columns]) -> Tensor![f64;] {
    (x * 0.7 * b).sum()
}
#[differentiable]
fn down(x: &Tensor![f32; Rows, Columns], k: f32) -> Tensor![f32; Columns] {
    (x * k).sum_axis::<0>()
}
#[differentiable(unfused)]
fn down_wide(x: &Tensor![f64; Rows, Columns], k: f64) -> Tensor![f64; Columns] {
    (x * k).sum_axis::<0>()
}

/// Sums of nothing are 0, means of nothing are NaN.
#[test]
fn empty_axes() {
    for (rows, columns) in [(0, 5), (4, 0), (0, 0)] {
        let x = &points((Rows(rows), Columns(columns)), 1);
        let b = &points((Columns(columns),), 2);
        let c = &points((Rows(rows),), 3);
        let found = at_every_level!(inner(x, b, c), 0.0);
        assert_eq!(found, vec![0.0; 1 + columns + rows]);
        at_every_level!(outer(x, b, 0.3), 0.0);
        at_every_level!(kept(x, 0.7), 0.0);
    }
}
