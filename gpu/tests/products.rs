//! Products against three loops.

mod support;

use differentiable_gpu::{Element, Gpu, GpuError, Matrix, Product};
use half::{bf16, f16};
use std::sync::Arc;
use support::{Number, get, gpu, put};

/// A number of one of the four types.
trait Real: Number + PartialEq + std::fmt::Debug {
    const ELEMENT: Element;
    const ERROR: f64;
    fn new(x: f64) -> Self;
    fn value(self) -> f64;
}
macro_rules! real {
    ($($ty:ty, $element:ident, $error:expr, $new:expr, $value:expr;)*) => { $(impl Real for $ty {
        const ELEMENT: Element = Element::$element;
        const ERROR: f64 = $error;
        fn new(x: f64) -> Self { $new(x) }
        fn value(self) -> f64 { $value(self) }
    })* };
}
real! {
    f32, F32, 1e-5, |x| x as f32, f64::from;
    f64, F64, 1e-13, |x| x, |x| x;
    f16, F16, 2e-3, f16::from_f64, f16::to_f64;
    bf16, Bf16, 1.6e-2, bf16::from_f64, bf16::to_f64;
}

fn numbers<T: Real>(n: usize, seed: f64) -> Vec<T> {
    (0..n).map(|i| T::new((i as f64 * seed).sin())).collect()
}

/// The place of an element of a matrix in a batch.
fn at(matrix: Matrix, batch: usize, row: usize, column: usize) -> usize {
    let (row, column) = if matrix.transposed {
        (column, row)
    } else {
        (row, column)
    };
    batch * matrix.stride + row * matrix.leading + column
}

/// A matrix with gaps between rows and between matrices, and the elements that its batch needs.
fn gaps(
    rows: usize,
    columns: usize,
    transposed: bool,
    batch: usize,
    gap: usize,
) -> (Matrix, usize) {
    let (rows, columns) = if transposed {
        (columns, rows)
    } else {
        (rows, columns)
    };
    let leading = columns + gap;
    let stride = rows * leading + gap;
    (
        Matrix {
            transposed,
            leading,
            stride,
        },
        batch * stride,
    )
}

fn compare<T: Real, O: Real>(gpu: &Arc<Gpu>, product: Product, sizes: [usize; 3]) {
    let Product {
        rows,
        inner,
        columns,
        batch,
        a,
        b,
        c,
        alpha,
        beta,
        ..
    } = product;
    let (x, y, z) = (
        numbers::<T>(sizes[0], 0.37),
        numbers::<T>(sizes[1], 0.73),
        numbers::<O>(sizes[2], 0.19),
    );
    let (xd, yd, zd) = (put(gpu, &x), put(gpu, &y), put(gpu, &z));
    gpu.product(&product, &xd, &yd, &zd);
    let found = get::<O>(gpu, &zd);
    let mut written = vec![false; z.len()];
    for batch in 0..batch {
        for row in 0..rows {
            for column in 0..columns {
                let sum: f64 = (0..inner)
                    .map(|k| x[at(a, batch, row, k)].value() * y[at(b, batch, k, column)].value())
                    .sum();
                let place = at(c, batch, row, column);
                let before = if beta == 0.0 {
                    0.0
                } else {
                    beta * z[place].value()
                };
                let expected = alpha * sum + before;
                let error = (found[place].value() - expected).abs() / (1.0 + expected.abs());
                assert!(
                    error <= O::ERROR.max(T::ERROR * 0.1),
                    "{product:?} at {batch} {row} {column}: {error}"
                );
                written[place] = true;
            }
        }
    }
    // Nothing between the rows has changed.
    assert!(
        (0..z.len()).all(|at| written[at] || found[at] == z[at]),
        "{product:?}"
    );
}

fn all<T: Real>() {
    let Some(gpu) = gpu() else { return };
    for (rows, inner, columns) in [(1, 1, 1), (5, 7, 3), (1, 9, 4), (4, 9, 1), (16, 32, 24)] {
        for (ta, tb, tc) in [
            (false, false, false),
            (true, false, false),
            (false, true, false),
            (true, true, false),
            (false, true, true),
        ] {
            for (batch, gap, alpha, beta) in [(1, 0, 1.0, 0.0), (3, 2, 0.5, 1.0), (2, 3, 1.0, -2.0)]
            {
                let ((a, of_a), (b, of_b)) = (
                    gaps(rows, inner, ta, batch, gap),
                    gaps(inner, columns, tb, batch, gap),
                );
                let (c, of_c) = gaps(rows, columns, tc, batch, gap);
                let product = Product {
                    batch,
                    a,
                    b,
                    c,
                    alpha,
                    beta,
                    ..Product::new(T::ELEMENT, rows, inner, columns)
                };
                compare::<T, T>(&gpu, product, [of_a, of_b, of_c]);
            }
        }
    }
    // One B for the whole batch.
    let mut product = Product {
        batch: 3,
        ..Product::new(T::ELEMENT, 4, 5, 6)
    };
    product.b.stride = 0;
    compare::<T, T>(&gpu, product, [60, 30, 72]);
}

#[test]
fn single() {
    all::<f32>();
}
#[test]
fn double() {
    all::<f64>();
}
#[test]
fn half_precision() {
    all::<f16>();
}
#[test]
fn bfloat() {
    all::<bf16>();
}

#[test]
fn halves_into_single() {
    let Some(gpu) = gpu() else { return };
    let product = |element| Product {
        output: Element::F32,
        ..Product::new(element, 8, 16, 8)
    };
    compare::<bf16, f32>(&gpu, product(Element::Bf16), [128, 128, 64]);
    compare::<f16, f32>(&gpu, product(Element::F16), [128, 128, 64]);
}

#[test]
fn a_number_for_each_column_is_added() {
    let Some(gpu) = gpu() else { return };
    let product = Product::new(Element::F32, 3, 4, 5);
    let (x, y, bias) = (
        numbers::<f32>(12, 0.37),
        numbers::<f32>(20, 0.73),
        numbers::<f32>(5, 0.19),
    );
    let (a, b, c) = (put(&gpu, &x), put(&gpu, &y), put(&gpu, &[7f32; 15]));
    // Another address each time.
    for shift in [0, 1] {
        let bias: Vec<f32> = bias.iter().map(|v| v + shift as f32).collect();
        let d = put(&gpu, &bias);
        assert!(gpu.product_with_bias(&product, &a, &b, &d, &c));
        for (at, found) in get::<f32>(&gpu, &c).into_iter().enumerate() {
            let (row, column) = (at / 5, at % 5);
            let sum: f32 = (0..4).map(|k| x[row * 4 + k] * y[k * 5 + column]).sum();
            assert!((found - sum - bias[column]).abs() < 1e-5);
        }
    }
    // Where it is not possible nothing is done.
    let before = gpu.counters().products;
    let batch = Product {
        batch: 2,
        ..product
    };
    let nothing = Product {
        inner: 0,
        ..product
    };
    let double = Product::new(Element::F64, 3, 4, 5);
    for product in [batch, nothing, double] {
        assert!(!gpu.product_with_bias(&product, &a, &b, &bias_of(&gpu), &c));
    }
    assert!(!gpu.product_with_bias(&product, &a, &b, bias_of(&gpu).at(4), &c));
    assert_eq!(gpu.counters().products, before);
    assert_eq!(gpu.synchronise(), Ok(()));
    // Too short, which the next wait says.
    let short = put(&gpu, &[0f32; 4]);
    gpu.product_with_bias(&product, &a, &b, &short, &c);
    assert!(matches!(gpu.synchronise(), Err(GpuError::Range { .. })));
}

fn bias_of(gpu: &Arc<Gpu>) -> differentiable_gpu::Buffer {
    put(gpu, &[0f64; 8])
}

#[test]
fn tf32_rounds_what_it_multiplies() {
    let Some(gpu) = gpu() else { return };
    let x = 1.0 + 2f32.powi(-12);
    let (a, b, c) = (
        put(&gpu, &[x; 64]),
        put(&gpu, &[1f32; 64]),
        put(&gpu, &[0f32; 64]),
    );
    let product = Product::new(Element::F32, 8, 8, 8);
    gpu.product(&product, &a, &b, &c);
    assert_eq!(get::<f32>(&gpu, &c), [8.0 * x; 64]);
    gpu.product(
        &Product {
            tf32: true,
            ..product
        },
        &a,
        &b,
        &c,
    );
    // A card may multiply small matrices without the units that round.
    let rounded = get::<f32>(&gpu, &c);
    assert!(rounded == [8.0; 64] || support::real() && rounded == [8.0 * x; 64]);
}

#[test]
fn nothing_to_sum() {
    let Some(gpu) = gpu() else { return };
    let (a, c) = (gpu.alloc(0).unwrap(), put(&gpu, &[1f32; 12]));
    let mut product = Product {
        beta: 1.0,
        ..Product::new(Element::F32, 2, 0, 3)
    };
    product.c.leading = 4;
    gpu.product(&product, &a, &a, c.at(4));
    assert_eq!(get::<f32>(&gpu, &c), [1.0; 12]);
    gpu.product(
        &Product {
            beta: 0.0,
            ..product
        },
        &a,
        &a,
        c.at(4),
    );
    assert_eq!(
        get::<f32>(&gpu, &c),
        [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]
    );
    gpu.product(&Product::new(Element::F32, 0, 5, 3), &a, &c, &a);
    assert_eq!(gpu.synchronise(), Ok(()));
}

#[test]
fn products_stay_in_their_buffers() {
    let Some(gpu) = gpu() else { return };
    let (a, b, c) = (
        put(&gpu, &[1f32; 16]),
        put(&gpu, &[1f32; 16]),
        put(&gpu, &[1f32; 15]),
    );
    gpu.product(&Product::new(Element::F32, 4, 4, 4), &a, &b, &c);
    assert_eq!(
        gpu.synchronise(),
        Err(GpuError::Range {
            what: "product",
            at: 0,
            bytes: 64,
            len: 60
        })
    );
    let mut overlapping = Product::new(Element::F32, 3, 4, 4);
    overlapping.c.leading = 3;
    gpu.product(&overlapping, &a, &b, &c);
    assert!(
        gpu.synchronise()
            .unwrap_err()
            .to_string()
            .contains("rows overlap")
    );
    assert_eq!(get::<f32>(&gpu, &c), [1.0; 15]);
}

#[test]
fn many_products_of_one_kind_share_a_plan() {
    let Some(gpu) = gpu() else { return };
    let (a, b, c) = (
        put(&gpu, &[1f32; 16]),
        put(&gpu, &[1f32; 16]),
        put(&gpu, &[0f32; 16]),
    );
    let product = Product {
        beta: 1.0,
        ..Product::new(Element::F32, 4, 4, 4)
    };
    for _ in 0..100 {
        gpu.product(&product, &a, &b, &c);
    }
    assert_eq!(get::<f32>(&gpu, &c), [400.0; 16]);
    assert_eq!(gpu.counters().products, 100);
}
