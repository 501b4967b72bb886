//! Jacobians and Hessians as one matrix.

use differentiable::ad::Matrix;
use differentiable::prelude::*;

#[derive(Clone, Differentiable)]
struct Line {
    slope: f64,
    label: usize,
    shift: [f64; 1],
}

#[differentiable]
fn residuals(line: &Line, x: &[f64], k: f32) -> (Vec<f64>, f64) {
    let all = x.iter().map(|x| line.slope * x + line.shift[0]).collect();
    (all, line.slope * f64::from(k))
}

#[test]
fn structs_slices_and_tuples() {
    let line = Line {
        slope: 2.0,
        label: 7,
        shift: [1.0],
    };
    let matrix: Matrix = residuals::jacobian_matrix(&line, &[3.0, 4.0, 5.0], 0.5);
    let expected = [
        [3.0, 1.0, 2.0, 0.0, 0.0, 0.0],
        [4.0, 1.0, 0.0, 2.0, 0.0, 0.0],
        [5.0, 1.0, 0.0, 0.0, 2.0, 0.0],
        [0.5, 0.0, 0.0, 0.0, 0.0, 2.0],
    ];
    assert_eq!(matrix.shape(), (4, 6));
    assert_eq!(matrix.as_slice(), expected.as_flattened());
    assert_eq!((matrix.row(3), matrix[(3, 5)]), (&expected[3][..], 2.0));
    assert_eq!(line.label, 7);
    assert_eq!(residuals::jacobian_matrix(&line, &[], 0.5).shape(), (1, 3));
}

#[differentiable]
fn single(x: &[f32; 2], #[constant] w: f32) -> [f32; 1] {
    [x[0] * x[1] * w]
}

#[differentiable]
fn squares(x: Vec<f64>) -> Vec<f64> {
    x.iter().map(|x| x * x).collect()
}

impl Line {
    fn new(slope: f64) -> Self {
        Line {
            slope,
            label: 0,
            shift: [0.0],
        }
    }
}

#[differentiable]
impl Line {
    fn at(&self, x: [f64; 2]) -> [f64; 2] {
        [self.slope * x[0], self.shift[0] - x[1]]
    }
}

#[test]
fn other_numbers_empty_ones_and_methods() {
    let matrix: Matrix<f32> = single::jacobian_matrix(&[2.0, 3.0], 10.0);
    assert_eq!(matrix.into_parts(), (1, 2, vec![30.0, 20.0]));
    assert_eq!(squares::jacobian_matrix(vec![]).shape(), (0, 0));
    assert_eq!(
        squares::jacobian_matrix(vec![3.0]).into_parts(),
        (1, 1, vec![6.0])
    );
    let matrix = Line::new(3.0).at_jacobian_matrix([4.0, 5.0]);
    assert_eq!(
        matrix.into_parts(),
        (2, 4, vec![4.0, 0.0, 3.0, 0.0, 0.0, 1.0, 0.0, -1.0])
    );
}

#[differentiable(higher_order)]
fn chain(x: &[f64], k: f64) -> Vec<f64> {
    (1..x.len())
        .map(|i| k * (x[i] - x[i - 1]).powi(3))
        .collect()
}

#[differentiable(higher_order)]
fn energy(x: &[f64], k: f64, pair: (f64, [f64; 1])) -> f64 {
    let mut sum = pair.0 * pair.1[0] * k;
    for i in 1..x.len() {
        sum += k * (x[i] - x[i - 1]).powi(3);
    }
    sum
}

#[test]
fn tall_wide_and_hessian() {
    for n in [0usize, 1, 2, 9, 30] {
        let x: Vec<f64> = (0..n).map(|i| (i as f64 * 1.7).sin()).collect();
        let matrix = chain::jacobian_matrix(&x, 2.0);
        let mut expected = vec![0.0; n.saturating_sub(1) * (n + 1)];
        chain::jacobian_into(&mut expected, &x, 2.0);
        assert_eq!(matrix.columns(), n + 1);
        assert_eq!(matrix.as_slice(), expected);

        let hessian = Matrix::from_hessian(&energy::hessian(&x, 2.0, (0.3, [0.7]))).unwrap();
        assert_eq!(hessian.shape(), (n + 3, n + 3));
        for i in 0..n + 3 {
            for j in 0..n + 3 {
                assert_eq!(hessian[(i, j)], hessian[(j, i)]);
            }
        }
        assert_eq!((hessian[(n, n + 1)], hessian[(n + 1, n + 2)]), (0.7, 2.0));
    }
}

dim!(Batch);

#[differentiable]
fn layer(x: &Tensor![f64; Batch, 2], k: f64) -> Tensor![f64; Batch, 2] {
    x * k
}

#[test]
fn tensors() {
    let x = Tensor::from_slice_with((Batch(1), Sz), &[3.0, 4.0]).unwrap();
    let matrix = layer::jacobian_matrix(&x, 2.0);
    assert_eq!(
        matrix.into_parts(),
        (2, 3, vec![2.0, 0.0, 3.0, 0.0, 2.0, 4.0])
    );
}

#[cfg(feature = "linalg")]
#[test]
fn as_a_matrix_of_faer() {
    let matrix = single::jacobian_matrix(&[2.0, 3.0], 10.0).to_faer();
    assert_eq!((matrix.nrows(), matrix.ncols()), (1, 2));
    assert_eq!((matrix[(0, 0)], matrix[(0, 1)]), (30.0, 20.0));
}

/// Without `higher_order` too, by columns where these are fewer: the numbers are those of the rows.
#[differentiable]
fn of_many(line: &Line, k: [f64; 2], #[constant] x: &[f64], n: usize) -> Vec<f64> {
    let at = |x: f64| line.slope * x.sin() + line.shift[0] * k[0] * k[1];
    x.iter().map(|x| at(x * n as f64)).collect()
}

#[test]
fn by_columns_as_by_rows() {
    let line = Line {
        slope: 2.0,
        label: 7,
        shift: [1.5],
    };
    let x: Vec<f64> = (0..9).map(|i| 0.3 * f64::from(i)).collect();
    let matrix = of_many::jacobian_matrix(&line, [0.4, 0.7], &x, 2);
    let rows = of_many::jacobian(&line, [0.4, 0.7], &x, 2);
    assert_eq!(matrix.shape(), (9, 4));
    for (i, (of_line, of_k)) in rows.iter().enumerate() {
        let row = [of_line.slope, of_line.shift[0], of_k[0], of_k[1]];
        let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-14;
        assert!(matrix.row(i).iter().zip(&row).all(near));
    }
}
