//! Products of matrices, by cuBLASLt.

mod plan;

use crate::context::Context;
use crate::counters::add;
use crate::error::GpuError;
use crate::gpu::{Gpu, Work};
use crate::load::{self, Blas, BlasLt};
use crate::memory::{DeviceMemory, Place};
use cudarc::cublas::sys::cublasHandle_t;
use cudarc::cublaslt::sys::cublasLtHandle_t;
use plan::{Config, Plan};
use std::collections::HashMap;
use std::ffi::c_void;
use std::path::PathBuf;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, PoisonError};

/// What matrices consist of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// Numbers of 32 bits.
    F32,
    /// Numbers of 64 bits.
    F64,
    /// `half::f16`; sums are of 32 bits.
    F16,
    /// `half::bf16`; sums are of 32 bits.
    Bf16,
}

impl Element {
    /// Its bytes.
    pub fn bytes(self) -> usize {
        match self {
            Self::F64 => 8,
            Self::F32 => 4,
            Self::F16 | Self::Bf16 => 2,
        }
    }
}

/// How a matrix lies in memory, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Matrix {
    /// What is stored is its transpose.
    pub transposed: bool,
    /// Elements from one stored row to the next.
    pub leading: usize,
    /// Elements from one matrix of a batch to the next; 0 if all are the same.
    pub stride: usize,
}

/// C ← αAB + βC for a batch of matrices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Product {
    /// What A and B consist of.
    pub element: Element,
    /// What C consists of: the same, or [`Element::F32`] for halves.
    pub output: Element,
    /// The rows of A and C.
    pub rows: usize,
    /// The columns of A and rows of B.
    pub inner: usize,
    /// The columns of B and C.
    pub columns: usize,
    /// How many products.
    pub batch: usize,
    /// A.
    pub a: Matrix,
    /// B.
    pub b: Matrix,
    /// C.
    pub c: Matrix,
    /// α.
    pub alpha: f64,
    /// β. With 0, C is not read.
    pub beta: f64,
    /// Numbers of 32 bits are multiplied with the ten bits of a TF32 mantissa, which is several times as fast.
    pub tf32: bool,
}

impl Product {
    /// C ← AB for one matrix each, stored without gaps.
    pub fn new(element: Element, rows: usize, inner: usize, columns: usize) -> Self {
        let dense = |rows: usize, columns: usize| Matrix {
            transposed: false,
            leading: columns,
            stride: rows * columns,
        };
        Self {
            element,
            output: element,
            rows,
            inner,
            columns,
            batch: 1,
            a: dense(rows, inner),
            b: dense(inner, columns),
            c: dense(rows, columns),
            alpha: 1.0,
            beta: 0.0,
            tf32: false,
        }
    }

    /// The stored rows and columns of a matrix, and its bytes in a batch.
    fn stored(
        &self,
        matrix: Matrix,
        rows: usize,
        columns: usize,
        element: Element,
    ) -> Option<(usize, usize, usize)> {
        let (rows, columns) = if matrix.transposed {
            (columns, rows)
        } else {
            (rows, columns)
        };
        if rows == 0 || columns == 0 {
            return Some((rows, columns, 0));
        }
        if rows > 1 && matrix.leading < columns {
            return None;
        }
        let last = (self.batch - 1)
            .checked_mul(matrix.stride)?
            .checked_add((rows - 1).checked_mul(matrix.leading)?)?;
        Some((
            rows,
            columns,
            last.checked_add(columns)?.checked_mul(element.bytes())?,
        ))
    }
}

/// The libraries, and what they have found out.
#[derive(Default)]
pub(crate) struct Products(Mutex<Option<Handles>>);

struct Handles {
    plans: HashMap<Config, Arc<Plan>>,
    lt: &'static BlasLt,
    lt_handle: cublasLtHandle_t,
    /// For what cuBLASLt has no algorithm for.
    blas: Option<(&'static Blas, cublasHandle_t)>,
    workspace: Option<DeviceMemory>,
    context: Arc<Context>,
}

// SAFETY: the handles are used under the lock of their device.
unsafe impl Send for Handles {}

/// What NVIDIA recommends for its largest cards.
const WORKSPACE: usize = 32 << 20;

impl Handles {
    fn new(
        context: &Arc<Context>,
        given: Option<&[PathBuf]>,
        stream: *mut c_void,
    ) -> Result<Self, GpuError> {
        let (lt, blas) = load::products(given)?;
        let mut handles = Self {
            plans: HashMap::new(),
            lt,
            lt_handle: null_mut(),
            blas: None,
            workspace: DeviceMemory::new(context, WORKSPACE)?,
            context: context.clone(),
        };
        let workspace = handles.workspace();
        context.relaxed(|| {
            // SAFETY: handles to write to; the workspace lives as long as the handles.
            unsafe {
                plan::check(
                    (lt.cublasLtCreate)(&mut handles.lt_handle),
                    "starting cuBLASLt",
                )?;
                if let Some(blas) = blas {
                    let mut handle = null_mut();
                    plan::check((blas.cublasCreate_v2)(&mut handle), "starting cuBLAS")?;
                    handles.blas = Some((blas, handle));
                    plan::check(
                        (blas.cublasSetStream_v2)(handle, stream.cast()),
                        "starting cuBLAS",
                    )?;
                    plan::check(
                        (blas.cublasSetWorkspace_v2)(handle, workspace.0, workspace.1),
                        "starting cuBLAS",
                    )?;
                }
            }
            Ok(())
        })?;
        Ok(handles)
    }

    fn workspace(&self) -> (*mut c_void, usize) {
        self.workspace.as_ref().map_or((null_mut(), 0), |memory| {
            (memory.address as *mut c_void, memory.bytes)
        })
    }

    /// The plan for a configuration, sought the first time.
    fn plan(&mut self, config: Config) -> Result<Arc<Plan>, GpuError> {
        if let Some(plan) = self.plans.get(&config) {
            return Ok(plan.clone());
        }
        let plan = Arc::new(Plan::new(
            self.lt,
            self.lt_handle,
            &config,
            self.workspace().1,
        )?);
        self.plans.insert(config, plan.clone());
        Ok(plan)
    }
}

impl Drop for Handles {
    fn drop(&mut self) {
        if self.context.bind().is_err() {
            return;
        }
        self.plans.clear();
        // SAFETY: created in `new`, if they are not null.
        unsafe {
            if !self.lt_handle.is_null() {
                (self.lt.cublasLtDestroy)(self.lt_handle);
            }
            if let Some((blas, handle)) = self.blas {
                (blas.cublasDestroy_v2)(handle);
            }
        }
    }
}

impl Gpu {
    /// Multiplies matrices behind all that was queued. Errors come out of the next [`Gpu::download`] or
    /// [`Gpu::synchronise`].
    pub fn product<'a>(
        &self,
        product: &Product,
        a: impl Into<Place<'a>>,
        b: impl Into<Place<'a>>,
        c: impl Into<Place<'a>>,
    ) {
        let places = [a.into(), b.into(), c.into()];
        self.queue(|work| self.multiply(work, product, places, None).map(|_| ()));
        self.settle_if_synchronous();
    }

    /// As [`Gpu::product`], with a number for each column of C that is added to its entries. Says whether it does that: if
    /// not, nothing was queued, since the library has no algorithm for it.
    pub fn product_with_bias<'a>(
        &self,
        product: &Product,
        a: impl Into<Place<'a>>,
        b: impl Into<Place<'a>>,
        bias: impl Into<Place<'a>>,
        c: impl Into<Place<'a>>,
    ) -> bool {
        const ALIGNMENT: u64 = 16;
        let (places, bias) = ([a.into(), b.into(), c.into()], bias.into());
        let possible = product.output == Element::F32
            && product.batch == 1
            && product.inner > 0
            && !product.c.transposed
            && bias.address() % ALIGNMENT == 0;
        let mut done = false;
        if possible {
            self.queue(|work| {
                // An error is an answer as well: it comes out later.
                done = true;
                done = self.multiply(work, product, places, Some(bias))?;
                Ok(())
            });
            self.settle_if_synchronous();
        }
        done
    }

    fn settle_if_synchronous(&self) {
        if self.setup.synchronous && self.lock().capture.is_none() {
            let _ = self.settle();
        }
    }

    /// Says whether it was queued: not if there is a bias, and no algorithm that adds it.
    fn multiply(
        &self,
        work: &mut Work,
        product: &Product,
        places: [Place<'_>; 3],
        bias: Option<Place<'_>>,
    ) -> Result<bool, GpuError> {
        let Product {
            element,
            output,
            rows,
            inner,
            columns,
            batch,
            a,
            b,
            c,
            alpha,
            beta,
            tf32,
        } = *product;
        if batch == 0 || rows == 0 || columns == 0 {
            return Ok(true);
        }
        let refuse = |error: &str| GpuError::Failed {
            what: format!("{product:?}"),
            code: 7,
            error: error.to_owned(),
        };
        if output != element && (output != Element::F32 || element == Element::F64) {
            return Err(refuse("C has another type than its sums"));
        }
        let sizes = [
            product.stored(a, rows, inner, element),
            product.stored(b, inner, columns, element),
            product.stored(c, rows, columns, output),
        ];
        let [Some(of_a), Some(of_b), Some(of_c)] = sizes else {
            return Err(refuse("rows overlap"));
        };
        if batch > 1
            && c.stride
                < of_c
                    .2
                    .div_ceil(output.bytes())
                    .saturating_sub((batch - 1) * c.stride)
        {
            return Err(refuse("the matrices of C overlap"));
        }
        for (place, (_, _, bytes)) in places.iter().zip([of_a, of_b, of_c]) {
            place.check(self, bytes, "product")?;
            work.hold(place);
        }
        if let Some(bias) = &bias {
            bias.check(self, columns * output.bytes(), "product")?;
            work.hold(bias);
        }
        if inner == 0 {
            return self.scale(product, of_c, &places[2]).map(|()| true);
        }
        let mut guard = self
            .products
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let handles = match &mut *guard {
            Some(handles) => handles,
            none => {
                let given = self.setup.libraries.as_deref();
                none.insert(Handles::new(&self.context, given, self.stream.raw.cast())?)
            }
        };
        // The libraries store column by column: Cᵀ = BᵀAᵀ for a C that is stored row by row.
        let leading = |matrix: Matrix, (rows, columns, _): (usize, usize, usize)| {
            if rows > 1 { matrix.leading } else { columns }
        };
        let addresses = places.map(|place| place.address());
        let sides = [(a, of_a, addresses[0]), (b, of_b, addresses[1])];
        let ([left, right], m, n) = if c.transposed {
            (sides, rows, columns)
        } else {
            ([sides[1], sides[0]], columns, rows)
        };
        let side = |(matrix, size, address): (Matrix, _, u64)| plan::Side {
            transposed: matrix.transposed != c.transposed,
            leading: leading(matrix, size),
            stride: matrix.stride,
            alignment: alignment(address),
        };
        let to = plan::Side {
            transposed: false,
            leading: leading(c, of_c),
            stride: c.stride,
            alignment: alignment(addresses[2]),
        };
        let config = Config {
            element,
            output,
            m,
            n,
            k: inner,
            batch,
            sides: [side(left), side(right), to],
            tf32: tf32 && element == Element::F32,
            bias: bias.is_some(),
        };
        let plan = handles.plan(config)?;
        if config.bias && plan.algorithm.is_none() {
            return Ok(false);
        }
        add(&self.counters.products, 1);
        let call = plan::Call {
            addresses: [left.2, right.2, addresses[2]],
            bias: bias.map_or(0, |bias| bias.address()),
            alpha,
            beta,
            stream: self.stream.raw.cast(),
        };
        // SAFETY: the matrices lie in their buffers.
        let code = unsafe {
            match (&plan.algorithm, handles.blas) {
                (Some(_), _) => plan.run(handles.lt, handles.lt_handle, &call, handles.workspace()),
                (None, Some((blas, handle))) => config.run(blas, handle, &call),
                (None, None) => {
                    return Err(refuse("cuBLASLt has no algorithm, and cuBLAS is not there"));
                }
            }
        };
        // A card that has failed says so to the next wait.
        plan::check(code, "product").map(|()| true)
    }

    /// C ← βC.
    fn scale(
        &self,
        product: &Product,
        (rows, columns, _): (usize, usize, usize),
        c: &Place<'_>,
    ) -> Result<(), GpuError> {
        let Product {
            output,
            batch,
            c: matrix,
            beta,
            ..
        } = product;
        let bytes = output.bytes();
        match *beta {
            1.0 => Ok(()),
            0.0 => (0..*batch).try_for_each(|at| {
                let (to, pitch) = (
                    c.address() + (at * matrix.stride * bytes) as u64,
                    matrix.leading.max(columns) * bytes,
                );
                // SAFETY: the matrix lies in its buffer, as the caller has checked.
                let code = unsafe {
                    (self.driver().cuMemsetD2D8Async)(
                        to,
                        pitch,
                        0,
                        columns * bytes,
                        rows,
                        self.stream.raw,
                    )
                };
                self.driver().check(code, "product")
            }),
            _ => Err(GpuError::Failed {
                what: format!("{product:?}"),
                code: 15,
                error: "β is neither 0 nor 1, and there is nothing to sum".to_owned(),
            }),
        }
    }
}

/// The power of two that divides an address, as far as algorithms care.
fn alignment(address: u64) -> u32 {
    1 << address.trailing_zeros().min(8)
}
