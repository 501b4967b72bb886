//! Linear algebra: reconstruction, sizes, singular and special matrices, errors.

use crate::check::{between, finish, start};
use differentiable::__rt::{Differentiable, On};
use differentiable::ops::LinalgError;
use differentiable::prelude::*;

dim!(pub Batch, pub Size, pub Other);

const INF: f64 = f64::INFINITY;

pub type Squares = Tensor<(Batch, Size, Size), f64>;
pub type Square = Tensor<(Size, Size), f64>;

pub fn squares(count: usize, n: usize, seed: u64) -> Squares {
    between((Batch(count), Size(n), Size(n)), seed, -1.0, 1.0)
}

pub fn square(n: usize, seed: u64) -> Square {
    between((Size(n), Size(n)), seed, -1.0, 1.0)
}

/// Positive definite.
pub fn definite(count: usize, n: usize, seed: u64) -> Squares {
    let x = squares(count, n, seed);
    let shift = Tensor::<_, f64>::ones_with((Size(n),)).diag() * 0.3;
    let y = x.matmul(&x.transpose::<1, 2>());
    y + shift
}

pub fn near<S: Shape>(
    what: &str,
    found: &Tensor<S, f64>,
    expected: &Tensor<S, f64>,
    tolerance: f64,
) {
    assert_eq!(found.dims(), expected.dims(), "{what}");
    for (a, b) in found.to_vec().iter().zip(expected.to_vec()) {
        assert!(
            (a - b).abs() <= tolerance * (1.0 + b.abs()),
            "{what}: {a} is not {b}"
        );
    }
}

fn eye(count: usize, n: usize) -> Squares {
    Tensor::<_, f64>::zeros_with((Batch(count), Size(n), Size(n)))
        + Tensor::<_, f64>::ones_with((Size(n),)).diag()
}

fn t(x: &Squares) -> Squares {
    x.transpose::<1, 2>()
}

pub fn all_nan<S: Shape>(x: &Tensor<S, f64>) -> bool {
    x.to_vec().iter().all(|x| x.is_nan())
}

/// Sizes around those at which blocks and threads begin; many and few matrices.
const SIZES: [(usize, usize); 9] = [
    (3, 0),
    (0, 3),
    (5, 1),
    (4, 2),
    (700, 3),
    (2, 17),
    (3, 33),
    (1, 65),
    (2, 130),
];

#[test]
fn solutions_solve() {
    for (count, n) in SIZES {
        let a = squares(count, n, 1) + eye(count, n) * (n as f64).sqrt();
        let b = squares(count, n, 2);
        near("solve", &a.matmul(&a.solve(&b)), &b, 1e-9);
        near("inv", &a.matmul(&a.inv()), &eye(count, n), 1e-9);
        let v = between((Batch(count), Size(n)), 3, -1.0, 1.0);
        let x = a.solve_vec(&v);
        let back = a.matmul(&x.unsqueeze::<2>()).squeeze::<2>();
        near("solve_vec", &back, &v, 1e-9);
        let strong = &a + &(eye(count, n) * (n as f64));
        for which in [Triangle::lower(), Triangle::upper()] {
            let part = if which.upper {
                strong.triu(0)
            } else {
                strong.tril(0)
            };
            let x = strong.solve_triangular(&b, which);
            near("triangle", &part.matmul(&x), &b, 1e-9);
            let x = strong.solve_triangular(&b, which.transposed());
            near("transposed", &t(&part).matmul(&x), &b, 1e-9);
            let weak = &strong * (0.1 / (n as f64 + 1.0));
            let part = if which.upper {
                weak.triu(1)
            } else {
                weak.tril(-1)
            } + eye(count, n);
            let x = weak.solve_triangular(&b, which.unit_diagonal());
            near("unit", &part.matmul(&x), &b, 1e-9);
            let x = weak.solve_triangular(&b, which.transposed().unit_diagonal());
            near("unit transposed", &t(&part).matmul(&x), &b, 1e-9);
        }
    }
}

#[test]
fn factors_multiply_to_the_matrix() {
    for (count, n) in SIZES {
        let a = definite(count, n, 1);
        let l = a.cholesky();
        near("cholesky", &l.matmul(&t(&l)), &a, 1e-10);
        assert_eq!(l, l.tril(0));
        let b = squares(count, n, 2);
        near("cholesky_solve", &a.matmul(&l.cholesky_solve(&b)), &b, 1e-8);
        let (w, v) = a.eigh();
        near("orthogonal", &t(&v).matmul(&v), &eye(count, n), 1e-11);
        let scaled = &v * w.unsqueeze::<1>().expand::<1, _>(Size(n));
        near("eigh", &scaled.matmul(&t(&v)), &a, 1e-10);
        near("eigvalsh", &a.eigvalsh(), &w, 1e-10);
        assert!(w.to_vec().chunks(n.max(1)).all(|w| w.is_sorted()));
        let (q, r) = b.qr();
        near("qr", &q.matmul(&r), &b, 1e-11);
        near("orthogonal", &t(&q).matmul(&q), &eye(count, n), 1e-11);
        assert_eq!(r, r.triu(0));
        let (u, s, vt) = b.svd();
        let scaled = &u * s.unsqueeze::<1>().expand::<1, _>(Size(n));
        near("svd", &scaled.matmul(&vt), &b, 1e-11);
        near("orthogonal", &t(&u).matmul(&u), &eye(count, n), 1e-11);
        near("orthogonal", &vt.matmul(&t(&vt)), &eye(count, n), 1e-11);
        assert!(
            s.to_vec()
                .chunks(n.max(1))
                .all(|s| s.is_sorted_by(|a, b| a >= b))
        );
        near("svdvals", &b.svdvals(), &s, 1e-11);
    }
}

#[test]
fn tall_and_wide_matrices() {
    fn both<const M: usize, const N: usize, const K: usize>()
    where
        Sz<M>: differentiable::shape::Smaller<Sz<N>, Out = Sz<K>>,
    {
        let a: Tensor<(Sz<3>, Sz<M>, Sz<N>), f64> = between(Default::default(), 1, -1.0, 1.0);
        let (q, r) = a.qr();
        near("qr", &q.matmul(&r), &a, 1e-12);
        let (u, s, vt) = a.svd();
        let scaled = u * s.unsqueeze::<1>().expand::<1, _>(Sz::<M>);
        near("svd", &scaled.matmul(&vt), &a, 1e-12);
        near("svdvals", &a.svdvals(), &s, 1e-12);
        let p = a.pinv();
        near("pinv", &a.matmul(&p).matmul(&a), &a, 1e-11);
        near("pinv", &p.matmul(&a).matmul(&p), &p, 1e-11);
        let b: Tensor<(Sz<3>, Sz<M>, Sz<2>), f64> = between(Default::default(), 2, -1.0, 1.0);
        near("lstsq", &a.lstsq(&b), &p.matmul(&b), 1e-10);
    }
    both::<5, 3, 3>();
    both::<3, 5, 3>();
    both::<1, 1, 1>();
    both::<1, 7, 1>();
    both::<7, 1, 1>();
    both::<40, 3, 3>();
    both::<3, 40, 3>();
    both::<70, 65, 65>();
    both::<4, 4, 4>();
}

#[test]
fn without_entries() {
    let a: Tensor![f64; 2, 4, 0] = Tensor::zeros();
    let (q, r): (Tensor![f64; 2, 4, 0], Tensor![f64; 2, 0, 0]) = a.qr();
    assert_eq!((q.len(), r.len()), (0, 0));
    let (u, s, vt): (
        Tensor![f64; 2, 4, 0],
        Tensor![f64; 2, 0],
        Tensor![f64; 2, 0, 0],
    ) = a.svd();
    assert_eq!((u.len(), s.len(), vt.len()), (0, 0, 0));
    let p: Tensor![f64; 2, 0, 4] = a.pinv();
    assert_eq!(p.len(), 0);
    let b: Tensor![f64; 2, 4, 3] = Tensor::ones();
    let x: Tensor![f64; 2, 0, 3] = a.lstsq(&b);
    assert_eq!(x.len(), 0);
    let none = squares(2, 0, 1);
    assert_eq!(none.det().to_vec(), [1.0, 1.0]);
    assert_eq!(none.logdet().to_vec(), [0.0, 0.0]);
    assert_eq!(none.trace().to_vec(), [0.0, 0.0]);
    let a: Tensor![f64; 2, 3, 3] = Tensor::ones();
    let b: Tensor![f64; 2, 3, 0] = Tensor::zeros();
    assert_eq!(
        (a + Tensor::<(Sz<3>,), f64>::ones().diag()).solve(&b).len(),
        0
    );
}

#[test]
fn determinants() {
    let a: Tensor![f64; 3, 2, 2] = tensor([
        [[0.0, 1.0], [1.0, 0.0]],
        [[2.0, 0.0], [0.0, 3.0]],
        [[1.0, 2.0], [2.0, 4.0]],
    ]);
    assert_eq!(a.det().to_vec(), [-1.0, 6.0, 0.0]);
    let (sign, log) = a.slogdet();
    assert_eq!(sign.to_vec(), [-1.0, 1.0, 0.0]);
    assert_eq!(log.to_vec()[..1], [0.0]);
    assert!((log[[1]] - 6.0_f64.ln()).abs() < 1e-15);
    assert_eq!(log[[2]], -INF);
    let log = a.logdet().to_vec();
    assert!(log[0].is_nan() && log[2] == -INF);
    // Against cofactors along the first row.
    fn slow(a: &[f64], n: usize) -> f64 {
        if n == 0 {
            return 1.0;
        }
        let minor = |j: usize| {
            let rest =
                (1..n).flat_map(|r| (0..n).filter(move |&c| c != j).map(move |c| a[r * n + c]));
            slow(&rest.collect::<Vec<_>>(), n - 1)
        };
        (0..n)
            .map(|j| if j % 2 == 0 { 1.0 } else { -1.0 } * a[j] * minor(j))
            .sum()
    }
    for n in 1..7 {
        let a = square(n, 5);
        assert!((a.det().item() - slow(&a.to_vec(), n)).abs() < 1e-13);
    }
}

/// The gradient of the determinant.
pub fn cofactors(a: &Square) -> Square {
    let (_, pull) = a.__det_vjp((On,));
    let mut d = a.zero_adj(On);
    pull(start(Tensor::ones()), a, &mut d);
    finish(a, d)
}

#[test]
fn the_gradient_of_the_determinant_of_a_singular_matrix() {
    // Of rank n − 1, n − 2 and 0; nearly singular; graded.
    let one: Square = Tensor::from_slice_with(
        (Size(3), Size(3)),
        &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
    )
    .unwrap();
    let expected = [-3.0, 6.0, -3.0, 6.0, -12.0, 6.0, -3.0, 6.0, -3.0];
    near(
        "rank 2",
        &cofactors(&one),
        &Tensor::from_slice_with(one.shape(), &expected).unwrap(),
        1e-12,
    );
    let two: Square = Tensor::from_slice_with(
        (Size(3), Size(3)),
        &[1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 3.0, 6.0, 9.0],
    )
    .unwrap();
    near("rank 1", &cofactors(&two), &(&two * 0.0), 1e-12);
    near("rank 0", &cofactors(&(&two * 0.0)), &(&two * 0.0), 0.0);
    let zero: Square = Tensor::zeros_with((Size(1), Size(1)));
    near("one entry", &cofactors(&zero), &(&zero + 1.0), 1e-15);
    let graded: Square =
        Tensor::from_slice_with((Size(2), Size(2)), &[1e-9, 0.0, 0.0, 1e9]).unwrap();
    let expected: Square =
        Tensor::from_slice_with((Size(2), Size(2)), &[1e9, 0.0, 0.0, 1e-9]).unwrap();
    near("graded", &cofactors(&graded), &expected, 1e-14);
    // Against central differences, which are exact for an entry: the determinant is linear in each.
    for (n, rank) in [(2, 1), (4, 3), (5, 4), (6, 5)] {
        let left = between((Size(n), Other(rank)), 7, -1.0, 1.0);
        let right = between((Other(rank), Size(n)), 8, -1.0, 1.0);
        let a = left.matmul(&right);
        let found = cofactors(&a).to_vec();
        for i in 0..n * n {
            let moved = |h: f64| {
                let mut a = a.clone();
                a.raw_mut().edit(|x| x[i] += h);
                a.det().item()
            };
            let slope = (moved(1.0) - moved(-1.0)) / 2.0;
            assert!(
                (found[i] - slope).abs() < 1e-12,
                "{} is not {slope}",
                found[i]
            );
        }
    }
}

#[test]
fn singular_matrices_are_errors() {
    let mut a = squares(5, 3, 1);
    a.raw_mut()
        .edit(|x| x[27..30].copy_from_slice(&[1.0, 2.0, 3.0]));
    a.raw_mut()
        .edit(|x| x[30..33].copy_from_slice(&[2.0, 4.0, 6.0]));
    a.raw_mut()
        .edit(|x| x[33..36].copy_from_slice(&[0.0, 0.0, 0.0]));
    let singular = Err(LinalgError::Singular { matrix: 3 });
    let b = squares(5, 3, 2);
    assert_eq!(a.try_solve(&b), singular);
    assert_eq!(a.try_inv(), singular);
    assert_eq!(a.try_solve_triangular(&b, Triangle::upper()), singular);
    assert!(
        a.try_solve_triangular(&b, Triangle::upper().unit_diagonal())
            .is_ok()
    );
    assert_eq!(a.det()[[3]], 0.0);
    let v = between((Batch(5), Size(3)), 3, -1.0, 1.0);
    assert_eq!(
        a.try_solve_vec(&v),
        Err(LinalgError::Singular { matrix: 3 })
    );
    assert!(matches!(
        a.try_cholesky(),
        Err(LinalgError::NotPositiveDefinite { .. })
    ));
    let mut a = definite(4, 3, 1);
    a.raw_mut().edit(|x| x[18] = -1.0);
    assert_eq!(
        a.try_cholesky(),
        Err(LinalgError::NotPositiveDefinite { matrix: 2 })
    );
    let b = b.narrow::<0, _>(0, Batch(4));
    let a = a.clone() * 0.0 + 1.0;
    assert_eq!(
        a.try_lstsq(&b),
        Err(LinalgError::RankDeficient { matrix: 0 })
    );
    near("pinv", &a.pinv(), &(a / 9.0), 1e-15);
}

#[test]
#[should_panic(expected = "solve: matrix 1 of the batch is singular")]
fn a_singular_system() {
    let a: Tensor![f64; 2, 2, 2] = tensor([[[1.0, 0.0], [0.0, 1.0]], [[1.0, 1.0], [1.0, 1.0]]]);
    a.solve(&a);
}

#[test]
#[should_panic(expected = "cholesky: matrix 0 of the batch is not positive definite")]
fn no_factor() {
    tensor::<f64, _>([[1.0, 2.0], [2.0, 1.0]]).cholesky();
}

#[test]
#[should_panic(
    expected = "inv: the run-time dimension `Size` is 2 on the left, `Size` is 3 on the right"
)]
fn not_square() {
    Tensor::<_, f64>::zeros_with((Size(2), Size(3))).inv();
}

#[test]
#[should_panic(
    expected = "solve: the run-time dimension `Batch` is 2 on the left, `Batch` is 3 on the right"
)]
fn another_batch() {
    squares(2, 3, 1).solve(&squares(3, 3, 1));
}

#[test]
fn symmetric_parts() {
    let a = definite(2, 5, 1);
    let skew = {
        let x = squares(2, 5, 2);
        &x - &t(&x)
    };
    let b = &a + &skew;
    near("cholesky", &b.cholesky(), &a.cholesky(), 1e-13);
    near("eigvalsh", &b.eigvalsh(), &a.eigvalsh(), 1e-12);
    let (l, pull) = b.__cholesky_vjp((On,));
    let mut d = b.zero_adj(On);
    pull(start(l), &b, &mut d);
    let d = finish(&b, d);
    near("the gradient is symmetric", &t(&d), &d, 1e-14);
    // What the cotangent has above the diagonal does not count.
    let (l, pull) = a.__cholesky_vjp((On,));
    let (mut full, mut lower) = (a.zero_adj(On), a.zero_adj(On));
    pull.clone()(start(squares(2, 5, 3)), &a, &mut full);
    pull(start(squares(2, 5, 3).tril(0)), &a, &mut lower);
    near(
        "the triangle counts",
        &finish(&a, full),
        &finish(&a, lower),
        1e-13,
    );
    let _ = l;
}

#[test]
fn exponentials_and_powers() {
    let zero = squares(2, 5, 1) * 0.0;
    near("of zero", &zero.matrix_exp(), &eye(2, 5), 1e-15);
    for size in [1e-9, 0.3, 3.0, 40.0] {
        let a = squares(2, 5, 1) * size;
        let symmetric = &a + &t(&a);
        let (w, v) = symmetric.eigh();
        let scaled = &v * w.exp().unsqueeze::<1>().expand::<1, _>(Size(5));
        let expected = scaled.matmul(&t(&v));
        let size = expected.abs().max().item();
        near(
            "matrix_exp",
            &(symmetric.matrix_exp() / size),
            &(expected / size),
            1e-11,
        );
    }
    let huge: Tensor![f64; 2, 2] = tensor([[1e308, 1e308], [1e308, 1e308]]);
    assert!(!huge.matrix_exp().to_vec()[0].is_finite());
    let a = squares(2, 4, 1);
    assert_eq!(a.matrix_power(0), eye(2, 4));
    assert_eq!(a.matrix_power(1), a);
    near("cube", &a.matrix_power(3), &a.matmul(&a).matmul(&a), 1e-14);
    near(
        "inverse",
        &a.matrix_power(-2).matmul(&a).matmul(&a),
        &eye(2, 4),
        1e-11,
    );
    let narrow: Tensor![f32; 2, 2] = tensor([[0.0, 3.0], [-3.0, 0.0]]);
    let (s, c) = 3.0_f32.sin_cos();
    let found = narrow.matrix_exp().to_vec();
    for (a, b) in found.iter().zip([c, s, -s, c]) {
        assert!((a - b).abs() < 1e-6);
    }
}

#[test]
fn single_precision() {
    let a: Tensor![f32; 3, 4, 4] = Tensor::randn(1);
    let wide = a.cast::<f64>();
    let b: Tensor![f32; 3, 4, 2] = Tensor::randn(2);
    let x = wide.solve(&b.cast::<f64>());
    near("solve", &a.solve(&b).cast::<f64>(), &x, 1e-3);
    near("svdvals", &a.svdvals().cast::<f64>(), &wide.svdvals(), 1e-5);
    near(
        "eigvalsh",
        &a.eigvalsh().cast::<f64>(),
        &wide.eigvalsh(),
        1e-5,
    );
    near("det", &a.det().cast::<f64>(), &wide.det(), 1e-4);
    let (q, r) = a.qr();
    near("qr", &q.matmul(&r).cast::<f64>(), &wide, 1e-5);
    let spd = a.matmul(&a.transpose::<1, 2>());
    let l = spd.cholesky();
    near(
        "cholesky",
        &l.matmul(&l.transpose::<1, 2>()).cast::<f64>(),
        &spd.cast::<f64>(),
        1e-5,
    );
}

#[test]
fn views_and_vectors() {
    let a = squares(2, 3, 1) + eye(2, 3) * 2.0;
    let b = squares(2, 3, 2);
    near(
        "a transposed view",
        &t(&a).solve(&t(&b)),
        &t(&b.matmul(&a.inv())),
        1e-12,
    );
    let x: Tensor![f64; 2, 3] = tensor([[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]]);
    let y: Tensor![f64; 2, 3] = tensor([[4.0, 5.0, 6.0], [0.0, 0.0, 1.0]]);
    assert_eq!(x.cross(&y), tensor([[-3.0, 6.0, -3.0], [1.0, 0.0, 0.0]]));
    assert_eq!(a.trace().len(), 2);
}
