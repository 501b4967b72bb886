//! Matrix products, against `gemm` called as it is meant to be and candle.

use crate::support::{assert_close, case};
use crate::table::{Table, agree, candle, entries, numbers};
use differentiable::prelude::*;
use gemm::Parallelism;

/// `out ← a · b` by `gemm`; strides are those of rows and columns.
#[allow(clippy::too_many_arguments)]
fn by_gemm(
    out: &mut [f32],
    [m, k, n]: [usize; 3],
    a: &[f32],
    [ar, ac]: [isize; 2],
    b: &[f32],
    [br, bc]: [isize; 2],
) {
    // SAFETY: the slices hold as many entries as the strides reach, and `out` is not read.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            out.as_mut_ptr(),
            1,
            n as isize,
            false,
            a.as_ptr(),
            ac,
            ar,
            b.as_ptr(),
            bc,
            br,
            0.0f32,
            1.0,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

macro_rules! product {
    ($table:ident, $m:literal, $k:literal, $n:literal) => {{
        let (a, b) = (numbers($m * $k, 1), numbers($k * $n, 2));
        let x = Tensor::<shape![$m, $k]>::from_slice(&a).expect("a");
        let y = Tensor::<shape![$k, $n]>::from_slice(&b).expect("b");
        let (cx, cy) = (candle(&a, &[$m, $k]), candle(&b, &[$k, $n]));
        let mut out = vec![0.0f32; $m * $n];
        let strides = ([$k as isize, 1], [$n as isize, 1]);
        by_gemm(&mut out, [$m, $k, $n], &a, strides.0, &b, strides.1);
        agree("matmul", &x.matmul(&y).to_vec(), &out, 1e-3);
        agree("matmul", &entries(&cx.matmul(&cy).expect("c")), &out, 1e-3);
        $table.row(
            "a·b",
            concat!(stringify!($m), "×", stringify!($k), "×", stringify!($n)),
            || x.matmul(&y),
            vec![
                case("gemm", || {
                    by_gemm(&mut out, [$m, $k, $n], &a, strides.0, &b, strides.1)
                }),
                case("candle", || cx.matmul(&cy).expect("c")),
            ],
        );
        // aᵀ·b of stored k×m, and a·bᵀ of stored n×k, as views.
        let x = Tensor::<shape![$k, $m]>::from_slice(&a).expect("a");
        let y = Tensor::<shape![$n, $k]>::from_slice(&b).expect("b");
        let (xt, yt) = (x.transpose::<0, 1>(), y.transpose::<0, 1>());
        let mut out = vec![0.0f32; $m * $n];
        let strides = ([1, $m as isize], [1, $k as isize]);
        by_gemm(&mut out, [$m, $k, $n], &a, strides.0, &b, strides.1);
        agree("transposed", &xt.matmul(&yt).to_vec(), &out, 1e-3);
        $table.row(
            "aᵀ·bᵀ",
            concat!(stringify!($m), "×", stringify!($k), "×", stringify!($n)),
            || xt.matmul(&yt),
            vec![case("gemm", || {
                by_gemm(&mut out, [$m, $k, $n], &a, strides.0, &b, strides.1)
            })],
        );
    }};
}

/// Square, skinny and batched products.
pub fn run(table: &mut Table) {
    product!(table, 64, 64, 64);
    product!(table, 128, 128, 128);
    product!(table, 256, 256, 256);
    product!(table, 512, 512, 512);
    product!(table, 1024, 1024, 1024);
    product!(table, 64, 784, 100);
    product!(table, 128, 768, 3072);
    batched(table);
}

fn batched(table: &mut Table) {
    let (a, b) = (numbers(1024 * 32 * 32, 1), numbers(1024 * 32 * 32, 2));
    let x = Tensor::<shape![1024, 32, 32]>::from_slice(&a).expect("a");
    let y = Tensor::<shape![1024, 32, 32]>::from_slice(&b).expect("b");
    let (cx, cy) = (candle(&a, &[1024, 32, 32]), candle(&b, &[1024, 32, 32]));
    let theirs = entries(&cx.matmul(&cy).expect("c"));
    agree("batched", &x.matmul(&y).to_vec(), &theirs, 1e-4);
    let mut out = vec![0.0f32; 1024 * 32 * 32];
    let mut each = || {
        for ((o, a), b) in out.chunks_mut(1024).zip(a.chunks(1024)).zip(b.chunks(1024)) {
            by_gemm(o, [32; 3], a, [32, 1], b, [32, 1]);
        }
        out[0]
    };
    assert_close(
        "batched",
        &[f64::from(each())],
        &[f64::from(theirs[0])],
        1e-4,
    );
    table.row(
        "a·b",
        "1024 of 32×32×32",
        || x.matmul(&y),
        vec![
            case("gemm", each),
            case("candle", || cx.matmul(&cy).expect("c")),
        ],
    );
}
