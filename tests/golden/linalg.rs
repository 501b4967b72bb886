//! Linear algebra and Fourier transforms against values and gradients from JAX.

use differentiable::ad::DifferentiableFn;
use differentiable::prelude::*;

use crate::cases::{Cases, array};

const CASES: Cases = Cases {
    json: include_str!("linalg.json"),
    tolerance: 1e-9,
};

/// Functions of one tensor, compared in value and gradient.
macro_rules! unary {
    ($($name:ident [$($x:tt)*] -> [$($y:tt)*] = |$x_:ident| $body:expr;)*) => { $(
        #[test]
        fn $name() {
            #[differentiable]
            fn function($x_: &Tensor![f64; $($x)*]) -> Tensor![f64; $($y)*] {
                $body
            }
            let case = CASES.case(stringify!($name));
            let args = (array(&case["inputs"][0]),);
            CASES.same("value", &function::call(&args).to_vec(), &case["output"]);
            let gradient = <function as DifferentiableFn<_>>::vjp(&args, array(&case["cotangent"]));
            CASES.same("gradient", &gradient.0.to_vec(), &case["gradients"][0]);
        }
    )* };
}

/// Functions of two tensors.
macro_rules! binary {
    ($($name:ident [$($x:tt)*] by [$($w:tt)*] -> [$($y:tt)*] = |$x_:ident, $w_:ident| $body:expr;)*) => { $(
        #[test]
        fn $name() {
            #[differentiable]
            fn function($x_: &Tensor![f64; $($x)*], $w_: &Tensor![f64; $($w)*]) -> Tensor![f64; $($y)*] {
                $body
            }
            let case = CASES.case(stringify!($name));
            let args = (array(&case["inputs"][0]), array(&case["inputs"][1]));
            CASES.same("value", &function::call(&args).to_vec(), &case["output"]);
            let gradient = <function as DifferentiableFn<_>>::vjp(&args, array(&case["cotangent"]));
            CASES.same("gradient of the first", &gradient.0.to_vec(), &case["gradients"][0]);
            CASES.same("gradient of the second", &gradient.1.to_vec(), &case["gradients"][1]);
        }
    )* };
}

/// The identity of the size of a matrix.
fn eye<const N: usize>() -> Tensor![f64; {N}, {N}] {
    Tensor::<shape![{ N }], f64>::ones().diag()
}

binary! {
    solve_1 [1, 1] by [1, 1] -> [1, 1] = |a, b| (a + no_grad!(eye::<1>() * 9.0)).solve(b);
    solve_lower_1 [1, 1] by [1, 1] -> [1, 1] = |a, b| (a + no_grad!(eye::<1>() * 9.0)).solve_triangular(b, Triangle::lower());
    solve_upper_transposed_unit_1 [1, 1] by [1, 1] -> [1, 1] = |a, b| {
        (a + no_grad!(eye::<1>() * 9.0)).solve_triangular(b, Triangle::upper().transposed().unit_diagonal())
    };
    solve_2 [3, 3] by [3, 2] -> [3, 2] = |a, b| (a + no_grad!(eye::<3>() * 9.0)).solve(b);
    solve_lower_2 [3, 3] by [3, 2] -> [3, 2] = |a, b| (a + no_grad!(eye::<3>() * 9.0)).solve_triangular(b, Triangle::lower());
    solve_upper_transposed_unit_2 [3, 3] by [3, 2] -> [3, 2] = |a, b| {
        (a + no_grad!(eye::<3>() * 9.0)).solve_triangular(b, Triangle::upper().transposed().unit_diagonal())
    };
    solve_3 [2, 5, 5] by [2, 5, 3] -> [2, 5, 3] = |a, b| (a + no_grad!(eye::<5>() * 9.0)).solve(b);
    solve_lower_3 [2, 5, 5] by [2, 5, 3] -> [2, 5, 3] = |a, b| (a + no_grad!(eye::<5>() * 9.0)).solve_triangular(b, Triangle::lower());
    solve_upper_transposed_unit_3 [2, 5, 5] by [2, 5, 3] -> [2, 5, 3] = |a, b| {
        (a + no_grad!(eye::<5>() * 9.0)).solve_triangular(b, Triangle::upper().transposed().unit_diagonal())
    };
    lstsq_1 [1, 1] by [1, 1] -> [1, 1] = |a, b| a.lstsq(b);
    lstsq_2 [7, 3] by [7, 2] -> [3, 2] = |a, b| a.lstsq(b);
    lstsq_3 [3, 5] by [3, 2] -> [5, 2] = |a, b| a.lstsq(b);
    cross_1 [3] by [3] -> [3] = |a, b| a.cross(b);
    cross_2 [1, 3] by [1, 3] -> [1, 3] = |a, b| a.cross(b);
    cross_3 [2, 5, 3] by [2, 5, 3] -> [2, 5, 3] = |a, b| a.cross(b);
    fft_1 [1] by [1] -> [2] = |re, im| {
        let (a, b) = re.fft::<-1>(im);
        a.concat::<0, _>(&b)
    };
    ifft_1 [1] by [1] -> [2] = |re, im| {
        let (a, b) = re.ifft::<-1>(im);
        a.concat::<0, _>(&b)
    };
    fft_ortho_1 [1] by [1] -> [2] = |re, im| {
        let (a, b) = re.fft_ortho::<-1>(im);
        a.concat::<0, _>(&b)
    };
    fft_2 [5, 3] by [5, 3] -> [10, 3] = |re, im| {
        let (a, b) = re.fft::<-1>(im);
        a.concat::<0, _>(&b)
    };
    ifft_2 [5, 3] by [5, 3] -> [10, 3] = |re, im| {
        let (a, b) = re.ifft::<-1>(im);
        a.concat::<0, _>(&b)
    };
    fft_ortho_2 [5, 3] by [5, 3] -> [10, 3] = |re, im| {
        let (a, b) = re.fft_ortho::<-1>(im);
        a.concat::<0, _>(&b)
    };
    fft_3 [2, 8, 7] by [2, 8, 7] -> [4, 8, 7] = |re, im| {
        let (a, b) = re.fft::<-1>(im);
        a.concat::<0, _>(&b)
    };
    ifft_3 [2, 8, 7] by [2, 8, 7] -> [4, 8, 7] = |re, im| {
        let (a, b) = re.ifft::<-1>(im);
        a.concat::<0, _>(&b)
    };
    fft_ortho_3 [2, 8, 7] by [2, 8, 7] -> [4, 8, 7] = |re, im| {
        let (a, b) = re.fft_ortho::<-1>(im);
        a.concat::<0, _>(&b)
    };
    fft2_1 [1, 1] by [1, 1] -> [2, 1] = |re, im| {
        let (a, b) = re.fft2(im);
        a.concat::<0, _>(&b)
    };
    ifft2_1 [1, 1] by [1, 1] -> [2, 1] = |re, im| {
        let (a, b) = re.ifft2(im);
        a.concat::<0, _>(&b)
    };
    fft2_2 [5, 3] by [5, 3] -> [10, 3] = |re, im| {
        let (a, b) = re.fft2(im);
        a.concat::<0, _>(&b)
    };
    ifft2_2 [5, 3] by [5, 3] -> [10, 3] = |re, im| {
        let (a, b) = re.ifft2(im);
        a.concat::<0, _>(&b)
    };
    fft2_3 [2, 8, 7] by [2, 8, 7] -> [4, 8, 7] = |re, im| {
        let (a, b) = re.fft2(im);
        a.concat::<0, _>(&b)
    };
    ifft2_3 [2, 8, 7] by [2, 8, 7] -> [4, 8, 7] = |re, im| {
        let (a, b) = re.ifft2(im);
        a.concat::<0, _>(&b)
    };
    fft_along_1 [2, 9, 3] by [2, 9, 3] -> [2, 18, 3] = |re, im| {
        let (a, b) = re.fft::<1>(im);
        a.concat::<1, _>(&b)
    };
    irfft_1 [1] by [1] -> [1] = |re, im| re.irfft::<-1, _>(im, Sz::<1>);
    irfft_2 [3, 5] by [3, 5] -> [3, 8] = |re, im| re.irfft::<-1, _>(im, Sz::<8>);
    irfft_3 [3, 5] by [3, 5] -> [3, 9] = |re, im| re.irfft::<-1, _>(im, Sz::<9>);
    irfft2_1 [1, 1] by [1, 1] -> [1, 1] = |re, im| re.irfft2(im, Sz::<1>);
    irfft2_2 [3, 5] by [3, 5] -> [3, 8] = |re, im| re.irfft2(im, Sz::<8>);
    irfft2_3 [2, 4, 5] by [2, 4, 5] -> [2, 4, 9] = |re, im| re.irfft2(im, Sz::<9>);
}

unary! {
    inv_1 [1, 1] -> [1, 1] = |a| (a + no_grad!(eye::<1>() * 9.0)).inv();
    det_1 [1, 1] -> [] = |a| a.det();
    slogdet_1 [1, 1] -> [] = |a| {
        let (sign, log) = a.slogdet();
        sign * log
    };
    logdet_1 [1, 1] -> [] = |a| (a.matmul(&a.transpose::<-2, -1>()) + no_grad!(eye::<1>())).logdet();
    cholesky_1 [1, 1] -> [1, 1] = |a| (a.matmul(&a.transpose::<-2, -1>()) + no_grad!(eye::<1>())).cholesky();
    eigh_1 [1, 1] -> [2, 1] = |a| {
        let (w, v) = a.eigh();
        w.unsqueeze::<-2>().concat::<-2, _>(&(&v * &v))
    };
    eigvalsh_1 [1, 1] -> [1] = |a| a.eigvalsh();
    matrix_power_1 [1, 1] -> [1, 1] = |a| a.matrix_power(3);
    trace_1 [1, 1] -> [] = |a| a.trace();
    matrix_exp_1 [1, 1] -> [1, 1] = |a| a.matrix_exp();
    inv_2 [3, 3] -> [3, 3] = |a| (a + no_grad!(eye::<3>() * 9.0)).inv();
    det_2 [3, 3] -> [] = |a| a.det();
    slogdet_2 [3, 3] -> [] = |a| {
        let (sign, log) = a.slogdet();
        sign * log
    };
    logdet_2 [3, 3] -> [] = |a| (a.matmul(&a.transpose::<-2, -1>()) + no_grad!(eye::<3>())).logdet();
    cholesky_2 [3, 3] -> [3, 3] = |a| (a.matmul(&a.transpose::<-2, -1>()) + no_grad!(eye::<3>())).cholesky();
    eigh_2 [3, 3] -> [4, 3] = |a| {
        let (w, v) = a.eigh();
        w.unsqueeze::<-2>().concat::<-2, _>(&(&v * &v))
    };
    eigvalsh_2 [3, 3] -> [3] = |a| a.eigvalsh();
    matrix_power_2 [3, 3] -> [3, 3] = |a| a.matrix_power(3);
    trace_2 [3, 3] -> [] = |a| a.trace();
    matrix_exp_2 [3, 3] -> [3, 3] = |a| a.matrix_exp();
    inv_3 [2, 5, 5] -> [2, 5, 5] = |a| (a + no_grad!(eye::<5>() * 9.0)).inv();
    det_3 [2, 5, 5] -> [2] = |a| a.det();
    slogdet_3 [2, 5, 5] -> [2] = |a| {
        let (sign, log) = a.slogdet();
        sign * log
    };
    logdet_3 [2, 5, 5] -> [2] = |a| (a.matmul(&a.transpose::<-2, -1>()) + no_grad!(eye::<5>())).logdet();
    cholesky_3 [2, 5, 5] -> [2, 5, 5] = |a| (a.matmul(&a.transpose::<-2, -1>()) + no_grad!(eye::<5>())).cholesky();
    eigh_3 [2, 5, 5] -> [2, 6, 5] = |a| {
        let (w, v) = a.eigh();
        w.unsqueeze::<-2>().concat::<-2, _>(&(&v * &v))
    };
    eigvalsh_3 [2, 5, 5] -> [2, 5] = |a| a.eigvalsh();
    matrix_power_3 [2, 5, 5] -> [2, 5, 5] = |a| a.matrix_power(3);
    trace_3 [2, 5, 5] -> [2] = |a| a.trace();
    matrix_exp_3 [2, 5, 5] -> [2, 5, 5] = |a| a.matrix_exp();
    qr_1 [1, 1] -> [2, 1] = |a| {
        let (q, r) = a.qr();
        (&q * &q).concat::<-2, _>(&(&r * &r))
    };
    qr_2 [3, 3] -> [6, 3] = |a| {
        let (q, r) = a.qr();
        (&q * &q).concat::<-2, _>(&(&r * &r))
    };
    qr_3 [2, 7, 5] -> [2, 12, 5] = |a| {
        let (q, r) = a.qr();
        (&q * &q).concat::<-2, _>(&(&r * &r))
    };
    svd_1 [1, 1] -> [3, 1] = |a| {
        let (u, s, vt) = a.svd();
        let left = s.unsqueeze::<-2>().concat::<-2, _>(&(&u * &u));
        left.concat::<-2, _>(&(&vt * &vt).transpose::<-2, -1>())
    };
    svd_2 [3, 3] -> [7, 3] = |a| {
        let (u, s, vt) = a.svd();
        let left = s.unsqueeze::<-2>().concat::<-2, _>(&(&u * &u));
        left.concat::<-2, _>(&(&vt * &vt).transpose::<-2, -1>())
    };
    svd_3 [2, 7, 5] -> [2, 13, 5] = |a| {
        let (u, s, vt) = a.svd();
        let left = s.unsqueeze::<-2>().concat::<-2, _>(&(&u * &u));
        left.concat::<-2, _>(&(&vt * &vt).transpose::<-2, -1>())
    };
    svd_4 [3, 5] -> [9, 3] = |a| {
        let (u, s, vt) = a.svd();
        let left = s.unsqueeze::<-2>().concat::<-2, _>(&(&u * &u));
        left.concat::<-2, _>(&(&vt * &vt).transpose::<-2, -1>())
    };
    pinv_1 [1, 1] -> [1, 1] = |a| a.pinv();
    pinv_2 [7, 3] -> [3, 7] = |a| a.pinv();
    pinv_3 [2, 3, 5] -> [2, 5, 3] = |a| a.pinv();
    rfft_1 [1] -> [2] = |x| {
        let (a, b) = x.rfft::<-1>();
        a.concat::<0, _>(&b)
    };
    rfft_2 [5, 3] -> [10, 2] = |x| {
        let (a, b) = x.rfft::<-1>();
        a.concat::<0, _>(&b)
    };
    rfft_3 [2, 8, 7] -> [4, 8, 4] = |x| {
        let (a, b) = x.rfft::<-1>();
        a.concat::<0, _>(&b)
    };
    rfft2_1 [1, 1] -> [2, 1] = |x| {
        let (a, b) = x.rfft2();
        a.concat::<0, _>(&b)
    };
    rfft2_2 [5, 3] -> [10, 2] = |x| {
        let (a, b) = x.rfft2();
        a.concat::<0, _>(&b)
    };
    rfft2_3 [2, 8, 7] -> [4, 8, 4] = |x| {
        let (a, b) = x.rfft2();
        a.concat::<0, _>(&b)
    };
}
