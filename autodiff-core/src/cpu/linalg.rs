//! Factorisations of matrices.

use super::*;

/// Rows and columns of the matrices.
fn sizes<T: Elem>(x: &View<'_, T, Cpu>) -> [usize; 2] {
    let dims = x.layout.dims();
    [dims[dims.rank() - 2], dims[dims.rank() - 1]]
}

pub(super) fn lu<T: Factorize>(
    x: View<'_, T, Cpu>,
    lu: ViewMut<'_, T, Cpu>,
    order: ViewMut<'_, i64, Cpu>,
) {
    T::lu(sizes(&x)[1], flat(x), dense(lu).0, dense(order).0);
}

pub(super) fn lu_solve<T: Factorize>(
    transposed: bool,
    lu: View<'_, T, Cpu>,
    order: View<'_, i64, Cpu>,
    b: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Option<usize> {
    let [n, k] = sizes(&b);
    let out = dense(out).0;
    T::lu_solve(n, k, transposed, flat(lu), flat(order), flat(b), out)
}

pub(super) fn lu_determinant<T: Factorize>(
    lu: View<'_, T, Cpu>,
    order: View<'_, i64, Cpu>,
    sign: ViewMut<'_, T, Cpu>,
    log: ViewMut<'_, T, Cpu>,
) {
    let n = sizes(&lu)[1];
    T::lu_determinant(n, flat(lu), flat(order), dense(sign).0, dense(log).0);
}

pub(super) fn determinant<T: Factorize>(x: View<'_, T, Cpu>, out: ViewMut<'_, T, Cpu>) {
    T::determinant(sizes(&x)[1], flat(x), dense(out).0);
}

pub(super) fn cofactor<T: Factorize>(x: View<'_, T, Cpu>, out: ViewMut<'_, T, Cpu>) {
    T::cofactor(sizes(&x)[1], flat(x), dense(out).0);
}

pub(super) fn solve_triangular<T: Factorize>(
    which: Triangle,
    a: View<'_, T, Cpu>,
    b: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Option<usize> {
    let [n, k] = sizes(&b);
    T::solve_triangular(n, k, which, flat(a), flat(b), dense(out).0)
}

pub(super) fn cholesky<T: Factorize>(
    x: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) -> Option<usize> {
    T::cholesky(sizes(&x)[1], flat(x), dense(out).0)
}

pub(super) fn qr<T: Factorize>(
    x: View<'_, T, Cpu>,
    q: ViewMut<'_, T, Cpu>,
    r: ViewMut<'_, T, Cpu>,
) {
    let [m, n] = sizes(&x);
    T::qr(m, n, flat(x), dense(q).0, dense(r).0);
}

pub(super) fn eigh<T: Factorize>(
    x: View<'_, T, Cpu>,
    values: ViewMut<'_, T, Cpu>,
    vectors: Option<ViewMut<'_, T, Cpu>>,
) -> Option<usize> {
    let vectors = vectors.map_or(&mut [][..], |v| dense(v).0);
    T::eigh(sizes(&x)[1], flat(x), dense(values).0, vectors)
}

pub(super) fn svd<T: Factorize>(
    x: View<'_, T, Cpu>,
    s: ViewMut<'_, T, Cpu>,
    vectors: Option<[ViewMut<'_, T, Cpu>; 2]>,
) -> Option<usize> {
    let [m, n] = sizes(&x);
    let [u, vt] = match vectors {
        Some(vectors) => vectors.map(|v| dense(v).0),
        None => [&mut [][..], &mut []],
    };
    T::svd(m, n, flat(x), u, dense(s).0, vt)
}

pub(super) fn divide_gaps<T: Factorize>(
    how: Gaps,
    values: View<'_, T, Cpu>,
    x: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    let [rows, n] = sizes(&x);
    T::divide_gaps(how, rows, n, flat(values), flat(x), dense(out).0);
}

pub(super) fn matrix_exp<T: Factorize>(x: View<'_, T, Cpu>, out: ViewMut<'_, T, Cpu>) {
    T::matrix_exp(sizes(&x)[1], flat(x), dense(out).0);
}

pub(super) fn matrix_exp_derivative<T: Factorize>(
    x: View<'_, T, Cpu>,
    t: View<'_, T, Cpu>,
    out: ViewMut<'_, T, Cpu>,
) {
    T::matrix_exp_derivative(sizes(&x)[1], flat(x), flat(t), dense(out).0);
}
