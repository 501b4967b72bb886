//! Linear algebra inside annotated functions, in both modes. Losses do not depend on the signs of vectors.

use crate::check::between;
use crate::coverage::covered;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Batch, Size);

type Square = Tensor![f64; 3, 3];
type Squares = Tensor![f64; Batch, 3, 3];
type Sized2 = Tensor![f64; Batch, Size, Size];
type Columns = Tensor![f64; Batch, 3, 2];
type Vectors = Tensor![f64; Batch, 3];
type Tall = Tensor![f64; 2, 4, 3];
type Wide = Tensor![f64; 2, 3, 5];

fn filled<S: Shape>(shape: S, seed: u64) -> Tensor<S, f64> {
    between(shape, seed, -1.0, 1.0)
}

/// Entries in (−1, 1) with 2 on the diagonal: far from singular.
fn squares(seed: u64) -> Squares {
    let mut x = filled((Batch(4), Sz, Sz), seed);
    for b in 0..4 {
        for i in 0..3 {
            x.raw_mut().edit(|x| x[b * 9 + i * 4] += 2.0);
        }
    }
    x
}

fn square(seed: u64) -> Square {
    squares(seed).narrow::<0, Sz<1>>(0, Sz).squeeze::<0>()
}

/// Positive definite in the symmetric part, but not symmetric.
fn definite(seed: u64) -> Squares {
    let x = filled((Batch(4), Sz::<3>, Sz::<3>), seed);
    let mut y = x.matmul(&x.transpose::<-2, -1>()) + filled((Batch(4), Sz, Sz), seed + 1) * 0.1;
    for b in 0..4 {
        for i in 0..3 {
            y.raw_mut().edit(|x| x[b * 9 + i * 4] += 0.5);
        }
    }
    y
}

fn sized() -> Sized2 {
    let mut x = filled((Batch(2), Size(5), Size(5)), 3);
    for b in 0..2 {
        for i in 0..5 {
            x.raw_mut().edit(|x| x[b * 25 + i * 6] += 3.0);
        }
    }
    x
}

covered! {
    solve at (squares(1), filled((Batch(4), Sz, Sz), 2)) = |a: Squares, b: Columns| -> Columns { a.solve(b) }
    solve_one at (square(1), filled(Default::default(), 2)) = |a: Square, b: Tensor![f64; 3, 4]| -> Tensor![f64; 3, 4] {
        a.solve(b)
    }
    solve_twice at (squares(1)) = |a: Squares| -> Squares { a.solve(a) + a.solve(&a.matmul(a)) }
    solve_vec at (squares(1), filled((Batch(4), Sz), 2)) = |a: Squares, b: Vectors| -> Vectors { a.solve_vec(b) }
    solve_lower at (squares(1), filled((Batch(4), Sz, Sz), 2)) = |a: Squares, b: Columns| -> Columns {
        a.solve_triangular(b, Triangle::lower())
    }
    solve_lower_transposed at (squares(1), filled((Batch(4), Sz, Sz), 2)) = |a: Squares, b: Columns| -> Columns {
        a.solve_triangular(b, Triangle::lower().transposed())
    }
    solve_lower_unit at (squares(1), filled((Batch(4), Sz, Sz), 2)) = |a: Squares, b: Columns| -> Columns {
        a.solve_triangular(b, Triangle::lower().unit_diagonal())
    }
    solve_upper at (squares(1), filled((Batch(4), Sz, Sz), 2)) = |a: Squares, b: Columns| -> Columns {
        a.solve_triangular(b, Triangle::upper())
    }
    solve_upper_transposed_unit at (squares(1), filled((Batch(4), Sz, Sz), 2)) = |a: Squares, b: Columns| -> Columns {
        a.solve_triangular(b, Triangle::upper().transposed().unit_diagonal())
    }
    inv at (squares(1)) = |a: Squares| -> Squares { a.inv() }
    inv_of_run_time_size at (sized()) = |a: Sized2| -> Sized2 { a.inv() }
    det at (filled((Batch(4), Sz, Sz), 1)) = |a: Squares| -> Tensor![f64; Batch] { a.det() }
    det_of_one at (filled(Default::default(), 1)) = |a: Square| -> f64 { a.det().item() }
    slogdet at (filled((Batch(4), Sz, Sz), 1)) = |a: Squares| -> Tensor![f64; Batch] {
        let (sign, log) = a.slogdet();
        &sign * &log
    }
    logdet at (definite(1)) = |a: Squares| -> Tensor![f64; Batch] { a.logdet() }
    cholesky at (definite(1)) = |a: Squares| -> Squares { a.cholesky() }
    cholesky_solve at (definite(1), filled((Batch(4), Sz, Sz), 2)) = |a: Squares, b: Columns| -> Columns {
        a.cholesky().cholesky_solve(b)
    }
    cholesky_solve_of_any at (squares(1), filled((Batch(4), Sz, Sz), 2)) = |l: Squares, b: Columns| -> Columns {
        l.cholesky_solve(b)
    }
    qr_square at (squares(1)) = |a: Squares| -> Squares {
        let (q, r) = a.qr();
        &q * &q + &r * &r
    }
    qr_tall at (filled(Default::default(), 1)) = |a: Tall| -> Tall {
        let (q, r) = a.qr();
        &q * &q + a.matmul(&(&r * &r))
    }
    qr_wide at (filled(Default::default(), 1)) = |a: Wide| -> Wide {
        let (q, r) = a.qr();
        &r * &r + (&q * &q).matmul(a)
    }
    qr_q_alone at (filled(Default::default(), 1)) = |a: Wide| -> Tensor![f64; 2, 3, 3] {
        let (q, _) = a.qr();
        &q * &q
    }
    qr_of_run_time_rows at (filled((Batch(6), Sz), 1)) = |a: Vectors| -> f64 {
        let (q, r) = a.qr();
        ((&q * &q).cumsum::<0>().sum() + (&r * &r).cumsum::<1>().sum()).item()
    }
    eigh at (definite(1)) = |a: Squares| -> Squares {
        let (w, v) = a.eigh();
        let weights = w.unsqueeze::<1>().expand::<1, _>(Sz::<3>);
        (&v * &v) * weights
    }
    eigh_values_alone at (definite(1)) = |a: Squares| -> Vectors {
        let (w, _) = a.eigh();
        w
    }
    eigvalsh at (definite(1)) = |a: Squares| -> Vectors { a.eigvalsh() }
    svd_tall at (filled(Default::default(), 1)) = |a: Tall| -> Tall {
        let (u, s, vt) = a.svd();
        let weights = (&s * &s).unsqueeze::<1>().expand::<1, _>(Sz::<4>);
        ((&u * &u) * weights).matmul(&(&vt * &vt))
    }
    svd_wide at (filled(Default::default(), 1)) = |a: Wide| -> Wide {
        let (u, s, vt) = a.svd();
        let weights = (&s * &s).unsqueeze::<1>().expand::<1, _>(Sz::<3>);
        ((&u * &u) * weights).matmul(&(&vt * &vt))
    }
    svd_u_alone at (filled(Default::default(), 1)) = |a: Tall| -> Tall {
        let (u, _, _) = a.svd();
        &u * &u
    }
    svd_of_run_time_rows at (filled((Batch(6), Sz), 1)) = |a: Vectors| -> f64 {
        let (u, s, vt) = a.svd();
        ((&u * &u).cumsum::<0>().sum() + s.sum() + (&vt * &vt).cumsum::<1>().sum()).item()
    }
    svdvals at (filled(Default::default(), 1)) = |a: Tall| -> Tensor![f64; 2, 3] { a.svdvals() }
    pinv at (filled(Default::default(), 1)) = |a: Tall| -> Tensor![f64; 2, 3, 4] { a.pinv() }
    pinv_wide at (filled(Default::default(), 1)) = |a: Wide| -> Tensor![f64; 2, 5, 3] { a.pinv() }
    lstsq at (filled(Default::default(), 1), filled(Default::default(), 2))
        = |a: Tall, b: Tensor![f64; 2, 4, 2]| -> Tensor![f64; 2, 3, 2] { a.lstsq(b) }
    lstsq_wide at (filled(Default::default(), 1), filled(Default::default(), 2))
        = |a: Wide, b: Tensor![f64; 2, 3, 2]| -> Tensor![f64; 2, 5, 2] { a.lstsq(b) }
    matrix_exp at (filled((Batch(4), Sz, Sz), 1)) = |a: Squares| -> Squares { a.matrix_exp() }
    matrix_power at (squares(1)) = |a: Squares| -> Squares {
        a.matrix_power(5) * 0.1 + a.matrix_power(-2) + a.matrix_power(1) + a.matrix_power(0)
    }
    trace at (squares(1)) = |a: Squares| -> Tensor![f64; Batch] { a.trace() }
    cross at (filled((Batch(4), Sz), 1), filled((Batch(4), Sz), 2)) = |a: Vectors, b: Vectors| -> Vectors { a.cross(b) }
}
