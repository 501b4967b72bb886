//! Methods of vectors and matrices.
//!
//! A norm has the derivative zero where it is zero, as `hypot`; `normalize` is NaN there. With `B = A⁻¹` and a
//! cotangent `C` of it, `A` is given `−Bᵀ C Bᵀ`; of `det A` the matrix of cofactors, which exists for singular
//! matrices too.

use super::Real;
use crate::ad::{direction as unit, quotient as entry};
use nalgebra::{Const, DMatrix, DVector, DimMin, Matrix2, Matrix3, SMatrix, SVector};

/// Twice.
#[inline]
fn twice<T: Real>(ct: T) -> T {
    ct + ct
}

/// The methods that every kind of matrix has.
macro_rules! methods {
    ($Trait:ident [$($g:tt)*] [$($n:ident)*] $M:ty; $($more:tt)*) => {
        rules! {
            /// The derivatives of methods.
            lent $Trait [$($g)*] [$($n)*] for $M where [];
            dot __dot_vjp __dot_jvp |ct| [a da => b * ct] [b db: $M => a * ct] [] -> T;
                push da.dot(b) + a.dot(db);
            norm __norm_vjp __norm_jvp |ct| [a da => a * unit(ct, n)] [] [] -> T, n;
                push unit(a.dot(da), n);
            norm_squared __norm_squared_vjp __norm_squared_jvp |ct| [a da => a * twice(ct)] [] [] -> T;
                push twice(a.dot(da));
            normalize __normalize_vjp __normalize_jvp |ct|
                [a da => { let k = a.norm(); (&ct - &n * n.dot(&ct)).map(|x| entry(x, k)) }] [] [] -> $M, n;
                push { let k = a.norm(); (da - &n * n.dot(da)).map(|x| entry(x, k)) };
            sum __sum_vjp __sum_jvp |ct| [a da => a.map(|_| ct)] [] [] -> T; push da.sum();
            component_mul __component_mul_vjp __component_mul_jvp |ct|
                [a da => ct.component_mul(b)] [b db: $M => ct.component_mul(a)] [] -> $M;
                push da.component_mul(b) + a.component_mul(db);
            component_div __component_div_vjp __component_div_jvp |ct|
                [a da => ct.zip_map(b, entry)] [b db: $M => (-ct.component_mul(&out)).zip_map(b, entry)] [] -> $M, out;
                push (da - out.component_mul(db)).zip_map(b, entry);
            add_scalar __add_scalar_vjp __add_scalar_jvp |ct| [a da => ct.clone()] [] [k dk: T => ct.sum()] -> $M;
                push da.add_scalar(dk);
            scale __scale_vjp __scale_jvp |ct| [a da => &ct * k] [] [k dk: T => ct.dot(a)] -> $M;
                push da * k + a * dk;
            $($more)*
        }
    };
}

methods! { SMatrixRules [T: Real, const R: usize, const C: usize] [T R C] SMatrix<T, R, C>;
    transpose __transpose_vjp __transpose_jvp |ct| [a da => ct.transpose()] [] [] -> SMatrix<T, C, R>;
        push da.transpose();
    fn repeat __repeat_vjp __repeat_jvp |ct| [k dk: T => ct.sum()] -> SMatrix<T, R, C>; push SMatrix::repeat(dk);
    fn from_element __from_element_vjp __from_element_jvp |ct| [k dk: T => ct.sum()] -> SMatrix<T, R, C>;
        push SMatrix::repeat(dk);
}
methods! { DVectorRules [T: Real] [T] DVector<T>;
    lerp __lerp_vjp __lerp_jvp |ct| [a da => &ct * (T::ONE - s)] [b db: DVector<T> => &ct * s]
        [s ds: T => ct.dot(&(b - a))] -> DVector<T>;
        push da * (T::ONE - s) + db * s + (b - a) * ds;
    fn from_vec __from_vec_vjp __from_vec_jvp |ct| [v dv: Vec<T> => ct.data.into()] -> DVector<T>;
        push DVector::from_vec(dv);
    fn repeat __repeat_vjp __repeat_jvp |ct| [n dn: usize => (), k dk: T => ct.sum()] -> DVector<T>;
        push DVector::repeat(n, dk);
    fn from_element __from_element_vjp __from_element_jvp |ct| [n dn: usize => (), k dk: T => ct.sum()] -> DVector<T>;
        push DVector::repeat(n, dk);
}
methods! { DMatrixRules [T: Real] [T] DMatrix<T>;
    transpose __transpose_vjp __transpose_jvp |ct| [a da => ct.transpose()] [] [] -> DMatrix<T>;
        push da.transpose();
    trace __trace_vjp __trace_jvp |ct| [a da => diagonal_of(a, ct)] [] [] -> T; push da.trace();
    determinant __determinant_vjp __determinant_jvp |ct| [a da => cofactors(a) * ct] [] [] -> T;
        push cofactors(a).dot(da);
    fn repeat __repeat_vjp __repeat_jvp |ct|
        [n dn: usize => (), m dm: usize => (), k dk: T => ct.sum()] -> DMatrix<T>; push DMatrix::repeat(n, m, dk);
    fn from_element __from_element_vjp __from_element_jvp |ct|
        [n dn: usize => (), m dm: usize => (), k dk: T => ct.sum()] -> DMatrix<T>; push DMatrix::repeat(n, m, dk);
}

/// A matrix like `a` with `ct` on its diagonal.
#[inline]
fn diagonal_of<T: Real>(a: &DMatrix<T>, ct: T) -> DMatrix<T> {
    DMatrix::from_diagonal_element(a.nrows(), a.ncols(), ct)
}

/// The derivatives of the determinant by the entries: `det A · A⁻ᵀ`, and for a singular matrix the determinants of
/// what is left without a row and a column.
fn cofactors<T: Real>(m: &DMatrix<T>) -> DMatrix<T> {
    match m.clone().try_inverse() {
        Some(inverse) => inverse.transpose() * m.determinant(),
        None => DMatrix::from_fn(m.nrows(), m.ncols(), |i, j| {
            let minor = m.clone().remove_row(i).remove_column(j).determinant();
            if (i + j) % 2 == 0 { minor } else { -minor }
        }),
    }
}

/// The same of a matrix of static size.
#[inline]
fn cofactors_of<T: Real, const N: usize>(m: &SMatrix<T, N, N>) -> SMatrix<T, N, N>
where
    Const<N>: DimMin<Const<N>, Output = Const<N>>,
{
    match m.try_inverse() {
        Some(inverse) => inverse.transpose() * m.determinant(),
        None => {
            let all = cofactors(&DMatrix::from_column_slice(N, N, m.as_slice()));
            SMatrix::from_column_slice(all.as_slice())
        }
    }
}

rules! {
    /// The derivatives of methods of square matrices.
    cloned SquareRules [T: Real, const N: usize] [T N] for SMatrix<T, N, N>
        where [Const<N>: DimMin<Const<N>, Output = Const<N>>];
    trace __trace_vjp __trace_jvp |ct| [a da => SMatrix::from_diagonal_element(ct)] [] [] -> T; push da.trace();
    determinant __determinant_vjp __determinant_jvp |ct| [a da => cofactors_of(a) * ct] [] [] -> T;
        push cofactors_of(a).dot(da);
    diagonal __diagonal_vjp __diagonal_jvp |ct| [a da => SMatrix::from_diagonal(&ct)] [] [] -> SVector<T, N>;
        push da.diagonal();
    try_inverse __try_inverse_vjp __try_inverse_jvp |ct| [a da => match (b, ct) {
            (Some(b), Some(ct)) => -(b.transpose() * ct * b.transpose()),
            _ => a.map(|_| T::ZERO),
        }] [] [] -> Option<SMatrix<T, N, N>>, b;
        push b.map(|b| -(b * da * b));
}

rules! {
    /// The derivative of the inverse.
    cloned InverseRules [T: Real] [T] for DMatrix<T> where [];
    try_inverse __try_inverse_vjp __try_inverse_jvp |ct| [a da => match (&b, ct) {
            (Some(b), Some(ct)) => -(b.transpose() * ct * b.transpose()),
            _ => a.map(|_| T::ZERO),
        }] [] [] -> Option<DMatrix<T>>, b;
        push b.as_ref().map(|b| -(b * da * b));
}

rules! {
    /// The derivative of `from` of an array.
    lent ArrayRules [T: Real, const R: usize] [T R] for SVector<T, R> where [];
    fn from __from_vjp __from_jvp |ct| [a da: [T; R] => ct.into()] -> SVector<T, R>; push SVector::from(da);
}

rules! {
    /// The derivatives of functions and methods of vectors of two numbers.
    lent Vector2Rules [T: Real] [T] for SVector<T, 2> where [];
    fn new __new_vjp __new_jvp |ct| [x dx: T => ct.x, y dy: T => ct.y] -> SVector<T, 2>; push SVector::<T, 2>::new(dx, dy);
    perp __perp_vjp __perp_jvp |ct| [a da => SVector::<T, 2>::new(b.y, -b.x) * ct]
        [b db: SVector<T, 2> => SVector::<T, 2>::new(-a.y, a.x) * ct] [] -> T;
        push da.perp(b) + a.perp(db);
}

rules! {
    /// The derivatives of functions and methods of vectors of three numbers.
    lent Vector3Rules [T: Real] [T] for SVector<T, 3> where [];
    fn new __new_vjp __new_jvp |ct| [x dx: T => ct.x, y dy: T => ct.y, z dz: T => ct.z] -> SVector<T, 3>;
        push SVector::<T, 3>::new(dx, dy, dz);
    cross __cross_vjp __cross_jvp |ct| [a da => b.cross(&ct)] [b db: SVector<T, 3> => ct.cross(a)] [] -> SVector<T, 3>;
        push da.cross(b) + a.cross(db);
}

rules! {
    /// The derivative of `new`.
    lent Vector4Rules [T: Real] [T] for SVector<T, 4> where [];
    fn new __new_vjp __new_jvp |ct|
        [x dx: T => ct.x, y dy: T => ct.y, z dz: T => ct.z, w dw: T => ct.w] -> SVector<T, 4>;
        push SVector::<T, 4>::new(dx, dy, dz, dw);
}

rules! {
    /// The derivative of `new`.
    lent Matrix2Rules [T: Real] [T] for Matrix2<T> where [];
    fn new __new_vjp __new_jvp |ct|
        [a da: T => ct[(0, 0)], b db: T => ct[(0, 1)], c dc: T => ct[(1, 0)], d dd: T => ct[(1, 1)]] -> Matrix2<T>;
        push Matrix2::new(da, db, dc, dd);
}

rules! {
    /// The derivative of `new`.
    lent Matrix3Rules [T: Real] [T] for Matrix3<T> where [];
    fn new __new_vjp __new_jvp |ct| [
        a da: T => ct[(0, 0)], b db: T => ct[(0, 1)], c dc: T => ct[(0, 2)],
        d dd: T => ct[(1, 0)], e de: T => ct[(1, 1)], f df: T => ct[(1, 2)],
        g dg: T => ct[(2, 0)], h dh: T => ct[(2, 1)], i di: T => ct[(2, 2)]
    ] -> Matrix3<T>; push Matrix3::new(da, db, dc, dd, de, df, dg, dh, di);
}

crate::ad::viewed::numbers! {
    [const R: usize, const C: usize] SMatrix [, R, C];
    [] DVector [];
    [] DMatrix [];
}
