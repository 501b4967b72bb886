//! cuBLASLt: descriptors and the product.

use crate::blas::{COMPUTE_TF32, INVALID, NOT_SUPPORTED, OK, factor, multiply};
use crate::multiply::{Element, Multiply, Operand};
use std::ffi::c_void;

type Pointer = *mut c_void;

struct Description {
    compute: u32,
    transposed: [bool; 2],
    /// Whether a number is added to the entries of each row, and where these are.
    adds: bool,
    bias: usize,
}

#[derive(Clone, Copy)]
struct Layout {
    code: u32,
    rows: u64,
    columns: u64,
    leading: i64,
    batch: i32,
    stride: i64,
}

/// The answer to a search for algorithms, as cuBLASLt lays it out.
#[repr(C)]
struct Found {
    algorithm: [u64; 8],
    workspace: usize,
    state: u32,
    waves: f32,
    reserved: [i32; 4],
}

unsafe fn give<T>(to: *mut Pointer, value: T) -> u32 {
    // SAFETY: as cuBLASLt's functions ask, here and below: the caller passes a handle to write to.
    unsafe { *to = Box::into_raw(Box::new(value)).cast() };
    OK
}
unsafe fn destroy<T>(handle: Pointer) -> u32 {
    // SAFETY: from `give`.
    unsafe { drop(Box::from_raw(handle.cast::<T>())) };
    OK
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cublasLtCreate(handle: *mut Pointer) -> u32 {
    // SAFETY: see above.
    unsafe { give(handle, 0u64) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cublasLtDestroy(handle: Pointer) -> u32 {
    // SAFETY: see above.
    unsafe { destroy::<u64>(handle) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cublasLtMatmulDescCreate(
    description: *mut Pointer,
    compute: u32,
    _: u32,
) -> u32 {
    // SAFETY: see above.
    unsafe {
        give(
            description,
            Description {
                compute,
                transposed: [false; 2],
                adds: false,
                bias: 0,
            },
        )
    }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cublasLtMatmulDescDestroy(description: Pointer) -> u32 {
    // SAFETY: see above.
    unsafe { destroy::<Description>(description) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cublasLtMatmulDescSetAttribute(
    description: Pointer,
    attribute: u32,
    value: *const u32,
    bytes: usize,
) -> u32 {
    const BIAS: u32 = 4;
    // SAFETY: see above.
    unsafe {
        let description = &mut *description.cast::<Description>();
        match (attribute, bytes) {
            (3 | 4, 4) => description.transposed[attribute as usize - 3] = *value != 0,
            (7, 4) if *value == BIAS => description.adds = true,
            (8, 8) => description.bias = *value.cast(),
            _ => return NOT_SUPPORTED,
        }
    }
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cublasLtMatrixLayoutCreate(
    layout: *mut Pointer,
    code: u32,
    rows: u64,
    columns: u64,
    leading: i64,
) -> u32 {
    if leading < rows as i64 {
        return INVALID;
    }
    // SAFETY: see above.
    unsafe {
        give(
            layout,
            Layout {
                code,
                rows,
                columns,
                leading,
                batch: 1,
                stride: 0,
            },
        )
    }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cublasLtMatrixLayoutDestroy(layout: Pointer) -> u32 {
    // SAFETY: see above.
    unsafe { destroy::<Layout>(layout) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cublasLtMatrixLayoutSetAttribute(
    layout: Pointer,
    attribute: u32,
    value: *const c_void,
    _: usize,
) -> u32 {
    // SAFETY: see above.
    unsafe {
        let layout = &mut *layout.cast::<Layout>();
        match attribute {
            5 => layout.batch = *value.cast(),
            6 => layout.stride = *value.cast(),
            _ => return NOT_SUPPORTED,
        }
    }
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cublasLtMatmulPreferenceCreate(preference: *mut Pointer) -> u32 {
    // SAFETY: see above.
    unsafe { give(preference, 0u64) }
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cublasLtMatmulPreferenceDestroy(preference: Pointer) -> u32 {
    // SAFETY: see above.
    unsafe { destroy::<u64>(preference) }
}
#[unsafe(no_mangle)]
extern "C" fn cublasLtMatmulPreferenceSetAttribute(
    _: Pointer,
    _: u32,
    _: *const c_void,
    _: usize,
) -> u32 {
    OK
}

/// The product that descriptors ask for, if they fit together.
unsafe fn product(
    description: Pointer,
    layouts: [Pointer; 3],
    addresses: [usize; 3],
    factors: [*const c_void; 2],
) -> Option<Multiply> {
    // SAFETY: see above.
    let (description, [a, b, c], [alpha, beta]) = unsafe {
        let description = &*description.cast::<Description>();
        let factors = factors.map(|value| {
            if value.is_null() {
                1.0
            } else {
                factor(description.compute, value)
            }
        });
        (
            description,
            layouts.map(|layout| *layout.cast::<Layout>()),
            factors,
        )
    };
    let of = |layout: Layout, transposed| {
        if transposed {
            (layout.columns, layout.rows)
        } else {
            (layout.rows, layout.columns)
        }
    };
    let ((m, k), (inner, n)) = (
        of(a, description.transposed[0]),
        of(b, description.transposed[1]),
    );
    if inner != k
        || (c.rows, c.columns) != (m, n)
        || a.batch != c.batch
        || b.batch != c.batch
        || k == 0
    {
        return None;
    }
    let operand = |layout: Layout, address, transposed| {
        let element = Element::from_code(layout.code)?;
        Some(Operand {
            element,
            address,
            transposed,
            leading: layout.leading as usize,
            stride: layout.stride,
        })
    };
    Some(Multiply {
        m: m as usize,
        n: n as usize,
        k: k as usize,
        batch: c.batch as usize,
        a: operand(a, addresses[0], description.transposed[0])?,
        b: operand(b, addresses[1], description.transposed[1])?,
        c: operand(c, addresses[2], false)?,
        bias: description.adds.then_some(description.bias),
        alpha,
        beta,
        tf32: description.compute == COMPUTE_TF32,
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn cublasLtMatmulAlgoGetHeuristic(
    _: Pointer,
    description: Pointer,
    a: Pointer,
    b: Pointer,
    c: Pointer,
    _: Pointer,
    _: Pointer,
    _: i32,
    results: *mut Found,
    count: *mut i32,
) -> u32 {
    let none = std::ptr::null();
    // SAFETY: see above.
    unsafe {
        if product(description, [a, b, c], [0; 3], [none; 2]).is_none() {
            *count = 0;
            return NOT_SUPPORTED;
        }
        results.write(Found {
            algorithm: [1; 8],
            workspace: 0,
            state: OK,
            waves: 1.0,
            reserved: [0; 4],
        });
        *count = 1;
    }
    OK
}
#[unsafe(no_mangle)]
unsafe extern "C" fn cublasLtMatmul(
    _: Pointer,
    description: Pointer,
    alpha: *const c_void,
    a: usize,
    a_layout: Pointer,
    b: usize,
    b_layout: Pointer,
    beta: *const c_void,
    c: usize,
    c_layout: Pointer,
    d: usize,
    _: Pointer,
    algorithm: *const [u64; 8],
    _: Pointer,
    _: usize,
    stream: Pointer,
) -> u32 {
    // SAFETY: see above.
    unsafe {
        if c != d || algorithm.is_null() || *algorithm != [1; 8] {
            return NOT_SUPPORTED;
        }
        product(
            description,
            [a_layout, b_layout, c_layout],
            [a, b, c],
            [alpha, beta],
        )
        .map_or(INVALID, |product| multiply(stream, product))
    }
}
