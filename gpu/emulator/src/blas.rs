//! cuBLAS: the product of strided batches.

use crate::multiply::{Element, Multiply, Operand};
use crate::streams::enqueue;
use std::ffi::c_void;
use std::sync::Arc;

type Pointer = *mut c_void;

pub const OK: u32 = 0;
pub const INVALID: u32 = 7;
pub const FAILED: u32 = 13;
pub const NOT_SUPPORTED: u32 = 15;
pub const COMPUTE_F64: u32 = 70;
pub const COMPUTE_TF32: u32 = 77;

struct Handle {
    stream: Pointer,
}

/// A factor, which has the type that sums have.
pub unsafe fn factor(compute: u32, value: *const c_void) -> f64 {
    // SAFETY: the caller passes a number on the host of the type that belongs to `compute`.
    unsafe {
        if compute == COMPUTE_F64 {
            *value.cast::<f64>()
        } else {
            f64::from(*value.cast::<f32>())
        }
    }
}

/// Puts a product on a stream.
pub fn multiply(stream: Pointer, product: Multiply) -> u32 {
    // SAFETY: the program has named the matrices.
    match enqueue(stream, Arc::new(move || unsafe { product.run() })) {
        0 => OK,
        _ => FAILED,
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cublasCreate_v2(handle: *mut Pointer) -> u32 {
    // SAFETY: as cuBLAS's function asks, here and below.
    unsafe {
        *handle = Box::into_raw(Box::new(Handle {
            stream: std::ptr::null_mut(),
        }))
        .cast()
    };
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cublasDestroy_v2(handle: Pointer) -> u32 {
    // SAFETY: from `cublasCreate_v2`.
    unsafe { drop(Box::from_raw(handle.cast::<Handle>())) };
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cublasSetStream_v2(handle: Pointer, stream: Pointer) -> u32 {
    // SAFETY: see above.
    unsafe { (*handle.cast::<Handle>()).stream = stream };
    OK
}
#[unsafe(no_mangle)]
extern "C" fn cublasSetWorkspace_v2(_: Pointer, _: Pointer, _: usize) -> u32 {
    OK
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cublasGemmStridedBatchedEx(
    handle: Pointer,
    a_transposed: u32,
    b_transposed: u32,
    m: i32,
    n: i32,
    k: i32,
    alpha: *const c_void,
    a: usize,
    a_type: u32,
    a_leading: i32,
    a_stride: i64,
    b: usize,
    b_type: u32,
    b_leading: i32,
    b_stride: i64,
    beta: *const c_void,
    c: usize,
    c_type: u32,
    c_leading: i32,
    c_stride: i64,
    batch: i32,
    compute: u32,
    _: i32,
) -> u32 {
    let operand = |address, code, transposed, leading: i32, stride| {
        let element = Element::from_code(code)?;
        Some(Operand {
            element,
            address,
            transposed,
            leading: leading as usize,
            stride,
        })
    };
    let (Some(a), Some(b), Some(c)) = (
        operand(a, a_type, a_transposed != 0, a_leading, a_stride),
        operand(b, b_type, b_transposed != 0, b_leading, b_stride),
        operand(c, c_type, false, c_leading, c_stride),
    ) else {
        return NOT_SUPPORTED;
    };
    // SAFETY: see above.
    let (stream, alpha, beta) = unsafe {
        (
            (*handle.cast::<Handle>()).stream,
            factor(compute, alpha),
            factor(compute, beta),
        )
    };
    let (m, n, k, batch) = (m as usize, n as usize, k as usize, batch as usize);
    multiply(
        stream,
        Multiply {
            m,
            n,
            k,
            batch,
            a,
            b,
            c,
            bias: None,
            alpha,
            beta,
            tf32: compute == COMPUTE_TF32,
        },
    )
}
