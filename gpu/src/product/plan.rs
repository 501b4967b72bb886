//! How a product is computed: descriptors and the algorithm, for matrices that are stored column by column.

use super::Element;
use crate::error::GpuError;
use crate::load::{Blas, BlasLt};
use cudarc::cublas::sys as blas_sys;
use cudarc::cublaslt::sys::{
    cublasComputeType_t as Compute, cublasLtHandle_t, cublasLtMatmulAlgo_t, cublasLtMatmulDesc_t,
    cublasLtMatmulDescAttributes_t as Description, cublasLtMatmulHeuristicResult_t,
    cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t as Preference,
    cublasLtMatrixLayout_t, cublasLtMatrixLayoutAttribute_t as Layout, cudaDataType as Type,
};
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::null_mut;

/// A matrix and its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Side {
    pub(super) transposed: bool,
    pub(super) leading: usize,
    pub(super) stride: usize,
    pub(super) alignment: u32,
}

/// All that the choice of an algorithm depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Config {
    pub(super) element: Element,
    pub(super) output: Element,
    pub(super) m: usize,
    pub(super) n: usize,
    pub(super) k: usize,
    pub(super) batch: usize,
    /// A, B and C.
    pub(super) sides: [Side; 3],
    pub(super) tf32: bool,
    /// A number for each row of C is added to its entries.
    pub(super) bias: bool,
}

/// What differs from call to call.
pub(super) struct Call {
    pub(super) addresses: [u64; 3],
    pub(super) bias: u64,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) stream: *mut c_void,
}

/// An address that nothing is read from.
const ALIGNED: u64 = 256;

/// Numbers of 32 bits on the host, or of 64.
enum Factors {
    Single([f32; 2]),
    Double([f64; 2]),
}

impl Factors {
    fn pointers(&self) -> [*const c_void; 2] {
        match self {
            Self::Single(values) => values.each_ref().map(|value| (&raw const *value).cast()),
            Self::Double(values) => values.each_ref().map(|value| (&raw const *value).cast()),
        }
    }
}

pub(super) fn check(code: u32, what: &str) -> Result<(), GpuError> {
    let error = match code {
        0 => return Ok(()),
        1 => "CUBLAS_STATUS_NOT_INITIALIZED",
        3 => "CUBLAS_STATUS_ALLOC_FAILED",
        7 => "CUBLAS_STATUS_INVALID_VALUE",
        8 => "CUBLAS_STATUS_ARCH_MISMATCH",
        11 => "CUBLAS_STATUS_MAPPING_ERROR",
        13 => "CUBLAS_STATUS_EXECUTION_FAILED",
        14 => "CUBLAS_STATUS_INTERNAL_ERROR",
        15 => "CUBLAS_STATUS_NOT_SUPPORTED",
        _ => "unknown error",
    };
    Err(GpuError::Failed {
        what: what.to_owned(),
        code,
        error: error.to_owned(),
    })
}

fn data_type(element: Element) -> Type {
    match element {
        Element::F32 => Type::CUDA_R_32F,
        Element::F64 => Type::CUDA_R_64F,
        Element::F16 => Type::CUDA_R_16F,
        Element::Bf16 => Type::CUDA_R_16BF,
    }
}

impl Config {
    fn compute(&self) -> Compute {
        match (self.element, self.tf32) {
            (Element::F64, _) => Compute::CUBLAS_COMPUTE_64F,
            (_, true) => Compute::CUBLAS_COMPUTE_32F_FAST_TF32,
            _ => Compute::CUBLAS_COMPUTE_32F,
        }
    }

    fn factors(&self, call: &Call) -> Factors {
        match self.element {
            Element::F64 => Factors::Double([call.alpha, call.beta]),
            _ => Factors::Single([call.alpha as f32, call.beta as f32]),
        }
    }

    /// The stored rows and columns of a matrix.
    fn stored(&self, at: usize) -> (usize, usize) {
        let (rows, columns) = [(self.m, self.k), (self.k, self.n), (self.m, self.n)][at];
        if self.sides[at].transposed {
            (columns, rows)
        } else {
            (rows, columns)
        }
    }

    /// Computes it by cuBLAS, which takes any alignment.
    ///
    /// # Safety
    /// The addresses are those of the matrices.
    pub(super) unsafe fn run(
        &self,
        blas: &Blas,
        handle: blas_sys::cublasHandle_t,
        call: &Call,
    ) -> u32 {
        use blas_sys::{cublasComputeType_t, cublasGemmAlgo_t, cublasOperation_t, cudaDataType};
        const INVALID: u32 = 7;
        let of = |element| match element {
            Element::F32 => cudaDataType::CUDA_R_32F,
            Element::F64 => cudaDataType::CUDA_R_64F,
            Element::F16 => cudaDataType::CUDA_R_16F,
            Element::Bf16 => cudaDataType::CUDA_R_16BF,
        };
        let compute = match self.compute() {
            Compute::CUBLAS_COMPUTE_64F => cublasComputeType_t::CUBLAS_COMPUTE_64F,
            Compute::CUBLAS_COMPUTE_32F_FAST_TF32 => {
                cublasComputeType_t::CUBLAS_COMPUTE_32F_FAST_TF32
            }
            _ => cublasComputeType_t::CUBLAS_COMPUTE_32F,
        };
        let operation = |side: Side| {
            if side.transposed {
                cublasOperation_t::CUBLAS_OP_T
            } else {
                cublasOperation_t::CUBLAS_OP_N
            }
        };
        let number = |n: usize| i32::try_from(n);
        let [a, b, c] = self.sides;
        let (Ok(m), Ok(n), Ok(k), Ok(batch), Ok(lda), Ok(ldb), Ok(ldc)) = (
            number(self.m),
            number(self.n),
            number(self.k),
            number(self.batch),
            number(a.leading),
            number(b.leading),
            number(c.leading),
        ) else {
            return INVALID;
        };
        let (input, output, factors) = (of(self.element), of(self.output), self.factors(call));
        let [alpha, beta] = factors.pointers();
        let [pa, pb, pc] = call.addresses.map(|address| address as *mut c_void);
        let (sa, sb, sc) = (a.stride as i64, b.stride as i64, c.stride as i64);
        let (ta, tb, algorithm) = (
            operation(a),
            operation(b),
            cublasGemmAlgo_t::CUBLAS_GEMM_DEFAULT,
        );
        // SAFETY: the caller's promise.
        unsafe {
            (blas.cublasGemmStridedBatchedEx)(
                handle, ta, tb, m, n, k, alpha, pa, input, lda, sa, pb, input, ldb, sb, beta, pc,
                output, ldc, sc, batch, compute, algorithm,
            )
        }
    }
}

/// Descriptors, and the algorithm that cuBLASLt recommends.
pub(super) struct Plan {
    config: Config,
    lt: &'static BlasLt,
    description: cublasLtMatmulDesc_t,
    layouts: [cublasLtMatrixLayout_t; 3],
    preference: cublasLtMatmulPreference_t,
    /// `None` if there is none for these types and alignments.
    pub(super) algorithm: Option<(cublasLtMatmulAlgo_t, usize)>,
}

impl Drop for Plan {
    fn drop(&mut self) {
        // SAFETY: created in `new`, if they are not null.
        unsafe {
            if !self.description.is_null() {
                (self.lt.cublasLtMatmulDescDestroy)(self.description);
            }
            for layout in self.layouts.iter().filter(|layout| !layout.is_null()) {
                (self.lt.cublasLtMatrixLayoutDestroy)(*layout);
            }
            if !self.preference.is_null() {
                (self.lt.cublasLtMatmulPreferenceDestroy)(self.preference);
            }
        }
    }
}

// SAFETY: descriptors are data; they are used under the lock of their device.
unsafe impl Send for Plan {}
// SAFETY: as above.
unsafe impl Sync for Plan {}

fn bytes<T>(value: &T) -> (*const c_void, usize) {
    ((&raw const *value).cast(), size_of::<T>())
}

impl Plan {
    pub(super) fn new(
        lt: &'static BlasLt,
        handle: cublasLtHandle_t,
        config: &Config,
        workspace: usize,
    ) -> Result<Self, GpuError> {
        let mut plan = Self {
            config: *config,
            lt,
            description: null_mut(),
            layouts: [null_mut(); 3],
            preference: null_mut(),
            algorithm: None,
        };
        // SAFETY: handles to write to, and values of the types that the attributes have.
        unsafe {
            plan.describe()?;
            plan.prefer(workspace)?;
            let [a, b, c] = plan.layouts;
            let mut found = MaybeUninit::<cublasLtMatmulHeuristicResult_t>::zeroed();
            let mut count = 0;
            let code = (lt.cublasLtMatmulAlgoGetHeuristic)(
                handle,
                plan.description,
                a,
                b,
                c,
                c,
                plan.preference,
                1,
                found.as_mut_ptr(),
                &mut count,
            );
            // What it does not support is left to cuBLAS.
            if code == 0 && count > 0 {
                let found = found.as_ptr();
                plan.algorithm = Some(((*found).algo, (*found).workspaceSize));
            }
        }
        Ok(plan)
    }

    unsafe fn describe(&mut self) -> Result<(), GpuError> {
        let (config, lt) = (self.config, self.lt);
        let scale = if config.element == Element::F64 {
            Type::CUDA_R_64F
        } else {
            Type::CUDA_R_32F
        };
        // SAFETY: see `new`.
        unsafe {
            check(
                (lt.cublasLtMatmulDescCreate)(&mut self.description, config.compute(), scale),
                "describing a product",
            )?;
            for (side, attribute) in config.sides.iter().zip([
                Description::CUBLASLT_MATMUL_DESC_TRANSA,
                Description::CUBLASLT_MATMUL_DESC_TRANSB,
            ]) {
                let operation = u32::from(side.transposed);
                let (value, size) = bytes(&operation);
                let code =
                    (lt.cublasLtMatmulDescSetAttribute)(self.description, attribute, value, size);
                check(code, "describing a product")?;
            }
            if config.bias {
                const BIAS: u32 = 4; // `CUBLASLT_EPILOGUE_BIAS`
                let (value, size) = bytes(&BIAS);
                let attribute = Description::CUBLASLT_MATMUL_DESC_EPILOGUE;
                let code =
                    (lt.cublasLtMatmulDescSetAttribute)(self.description, attribute, value, size);
                check(code, "describing a product")?;
                // The search wants an address; each call has its own.
                check(self.set_bias(ALIGNED), "describing a product")?;
            }
            for at in 0..3 {
                let element = if at == 2 {
                    config.output
                } else {
                    config.element
                };
                let ((rows, columns), side) = (config.stored(at), config.sides[at]);
                let layout = &mut self.layouts[at];
                let (rows, columns, leading) = (rows as u64, columns as u64, side.leading as i64);
                let code = (lt.cublasLtMatrixLayoutCreate)(
                    layout,
                    data_type(element),
                    rows,
                    columns,
                    leading,
                );
                check(code, "describing a matrix")?;
                if config.batch > 1 {
                    let (batch, stride) = (config.batch as i32, side.stride as i64);
                    let (count, step) = (bytes(&batch), bytes(&stride));
                    let attribute = Layout::CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT;
                    check(
                        (lt.cublasLtMatrixLayoutSetAttribute)(*layout, attribute, count.0, count.1),
                        "describing a batch",
                    )?;
                    let attribute = Layout::CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET;
                    check(
                        (lt.cublasLtMatrixLayoutSetAttribute)(*layout, attribute, step.0, step.1),
                        "describing a batch",
                    )?;
                }
            }
        }
        Ok(())
    }

    /// Where the numbers are that are added.
    unsafe fn set_bias(&self, address: u64) -> u32 {
        let ((value, size), attribute) = (
            bytes(&address),
            Description::CUBLASLT_MATMUL_DESC_BIAS_POINTER,
        );
        // SAFETY: see `new`; the attribute is an address.
        unsafe {
            (self.lt.cublasLtMatmulDescSetAttribute)(self.description, attribute, value, size)
        }
    }

    unsafe fn prefer(&mut self, workspace: usize) -> Result<(), GpuError> {
        let lt = self.lt;
        // SAFETY: see `new`.
        unsafe {
            check(
                (lt.cublasLtMatmulPreferenceCreate)(&mut self.preference),
                "describing a product",
            )?;
            let set = |attribute, (value, size): (*const c_void, usize)| {
                check(
                    (lt.cublasLtMatmulPreferenceSetAttribute)(
                        self.preference,
                        attribute,
                        value,
                        size,
                    ),
                    "describing a product",
                )
            };
            set(
                Preference::CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                bytes(&(workspace as u64)),
            )?;
            let [a, b, c] = self.config.sides.map(|side| side.alignment);
            set(
                Preference::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES,
                bytes(&a),
            )?;
            set(
                Preference::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
                bytes(&b),
            )?;
            set(
                Preference::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES,
                bytes(&c),
            )?;
            set(
                Preference::CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES,
                bytes(&c),
            )
        }
    }

    /// Queues the product.
    ///
    /// # Safety
    /// The addresses are those of the matrices, and the plan has an algorithm.
    pub(super) unsafe fn run(
        &self,
        lt: &BlasLt,
        handle: cublasLtHandle_t,
        call: &Call,
        workspace: (*mut c_void, usize),
    ) -> u32 {
        let factors = self.config.factors(call);
        let [alpha, beta] = factors.pointers();
        let [a, b, c] = call.addresses.map(|address| address as *mut c_void);
        let [la, lb, lc] = self.layouts;
        let algorithm = self
            .algorithm
            .as_ref()
            .map_or(std::ptr::null(), |found| &raw const found.0);
        let (description, stream) = (self.description, call.stream.cast());
        // SAFETY: the caller's promise; the descriptors are alive, and used under the lock of their device.
        unsafe {
            if self.config.bias {
                let code = self.set_bias(call.bias);
                if code != 0 {
                    return code;
                }
            }
            (lt.cublasLtMatmul)(
                handle,
                description,
                alpha,
                a,
                la,
                b,
                lb,
                beta,
                c,
                lc,
                c,
                lc,
                algorithm,
                workspace.0,
                workspace.1,
                stream,
            )
        }
    }
}
