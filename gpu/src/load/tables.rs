//! The functions of each library that are called here.
//!
//! cudarc declares them, and looks each up when it is first called: a missing one is a panic. Here all are looked up when
//! the library is opened, in the library that was chosen. The compiler compares each line with cudarc's declaration. Codes
//! come back as numbers, since a newer library may have more of them than cudarc's enums.

use super::Table;
use cudarc::cublas::sys as blas;
use cudarc::cublas::sys::*;
use cudarc::cublaslt::sys as lt;
use cudarc::driver::sys as cuda;
use cudarc::driver::sys::*;
use cudarc::nvrtc::sys as rtc;
use libloading::Library;
use std::collections::HashMap;
use std::ffi::{c_char, c_int, c_longlong, c_uchar, c_uint, c_ulonglong, c_ushort, c_void};
use std::path::PathBuf;
use std::sync::{LazyLock, Mutex};

type Bytes = *mut c_void;
type Const = *const c_void;

macro_rules! table {
    (
        $(#[$doc:meta])*
        $table:ident from $sys:ident, $status:ty, names $names:expr, beside $beside:expr;
        $(fn $name:ident($($argument:ty),* $(,)?);)*
        unchecked { $(fn $unchecked:ident($($argument_:ty),*);)* }
        optional { $(fn $optional:ident($($argument__:ty),*);)* }
    ) => {
        $(#[$doc])*
        #[allow(non_snake_case)]
        pub(crate) struct $table {
            $(pub(crate) $name: unsafe extern "C" fn($($argument),*) -> u32,)*
            $(pub(crate) $unchecked: unsafe extern "C" fn($($argument_),*) -> u32,)*
            $(pub(crate) $optional: Option<unsafe extern "C" fn($($argument__),*) -> u32>,)*
            _library: Library,
        }

        const _: () = {
            $(let _: unsafe fn($($argument),*) -> $status = $sys::$name;)*
            $(let _: unsafe fn($($argument__),*) -> $status = $sys::$optional;)*
        };

        impl Table for $table {
            const NAMES: &'static [&'static str] = &$names;
            const BESIDE: &'static [&'static str] = &$beside;

            fn resolve(library: Library) -> Result<Self, String> {
                // SAFETY: the types are those that cudarc declares; statuses are enums of 32 bits.
                unsafe {
                    let missing = |name: &str| format!("lacks `{name}`");
                    Ok(Self {
                        $($name: *library.get(stringify!($name).as_bytes()).map_err(|_| missing(stringify!($name)))?,)*
                        $($unchecked: *library.get(stringify!($unchecked).as_bytes()).map_err(|_| missing(stringify!($unchecked)))?,)*
                        $($optional: library.get(stringify!($optional).as_bytes()).ok().map(|found| *found),)*
                        _library: library,
                    })
                }
            }

            fn opened() -> &'static Mutex<HashMap<PathBuf, &'static Self>> {
                static OPENED: LazyLock<Mutex<HashMap<PathBuf, &'static $table>>> = LazyLock::new(Default::default);
                &OPENED
            }
        }
    };
}

table! {
    /// The driver: only what drivers have had since CUDA 11.4.
    Driver from cuda, CUresult, names ["cuda", "nvcuda"], beside [];
    fn cuInit(c_uint);
    fn cuDriverGetVersion(*mut c_int);
    fn cuDeviceGetCount(*mut c_int);
    fn cuDeviceGet(*mut CUdevice, c_int);
    fn cuDeviceGetName(*mut c_char, c_int, CUdevice);
    fn cuDeviceTotalMem_v2(*mut usize, CUdevice);
    fn cuDeviceGetAttribute(*mut c_int, CUdevice_attribute, CUdevice);
    fn cuDevicePrimaryCtxRetain(*mut CUcontext, CUdevice);
    fn cuDevicePrimaryCtxRelease_v2(CUdevice);
    fn cuCtxGetCurrent(*mut CUcontext);
    fn cuCtxSetCurrent(CUcontext);
    fn cuMemGetInfo_v2(*mut usize, *mut usize);
    fn cuMemAlloc_v2(*mut CUdeviceptr, usize);
    fn cuMemFree_v2(CUdeviceptr);
    fn cuMemHostAlloc(*mut Bytes, usize, c_uint);
    fn cuMemFreeHost(Bytes);
    fn cuMemcpyHtoDAsync_v2(CUdeviceptr, Const, usize, CUstream);
    fn cuMemcpyDtoHAsync_v2(Bytes, CUdeviceptr, usize, CUstream);
    fn cuMemcpyDtoDAsync_v2(CUdeviceptr, CUdeviceptr, usize, CUstream);
    fn cuMemsetD8Async(CUdeviceptr, c_uchar, usize, CUstream);
    fn cuMemsetD16Async(CUdeviceptr, c_ushort, usize, CUstream);
    fn cuMemsetD32Async(CUdeviceptr, c_uint, usize, CUstream);
    fn cuMemsetD2D8Async(CUdeviceptr, usize, c_uchar, usize, usize, CUstream);
    fn cuMemsetD2D32Async(CUdeviceptr, usize, c_uint, usize, usize, CUstream);
    fn cuStreamCreate(*mut CUstream, c_uint);
    fn cuStreamDestroy_v2(CUstream);
    fn cuStreamSynchronize(CUstream);
    fn cuStreamWaitEvent(CUstream, CUevent, c_uint);
    fn cuStreamBeginCapture_v2(CUstream, CUstreamCaptureMode);
    fn cuStreamEndCapture(CUstream, *mut CUgraph);
    fn cuThreadExchangeStreamCaptureMode(*mut CUstreamCaptureMode);
    fn cuEventCreate(*mut CUevent, c_uint);
    fn cuEventDestroy_v2(CUevent);
    fn cuEventRecord(CUevent, CUstream);
    fn cuEventSynchronize(CUevent);
    fn cuEventQuery(CUevent);
    fn cuModuleLoadDataEx(*mut CUmodule, Const, c_uint, *mut CUjit_option, *mut Bytes);
    fn cuModuleUnload(CUmodule);
    fn cuModuleGetFunction(*mut CUfunction, CUmodule, *const c_char);
    fn cuFuncSetAttribute(CUfunction, CUfunction_attribute, c_int);
    fn cuLaunchKernel(CUfunction, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, CUstream, *mut Bytes, *mut Bytes);
    fn cuGraphInstantiateWithFlags(*mut CUgraphExec, CUgraph, c_ulonglong);
    fn cuGraphLaunch(CUgraphExec, CUstream);
    fn cuGraphExecDestroy(CUgraphExec);
    fn cuGraphDestroy(CUgraph);
    // A code may be one that the enum lacks.
    unchecked { fn cuGetErrorName(u32, *mut *const c_char); }
    optional {
        fn cuFuncGetParamInfo(CUfunction, usize, *mut usize, *mut usize);
        fn cuFuncLoad(CUfunction);
    }
}

table! {
    /// The compiler.
    Nvrtc from rtc, rtc::nvrtcResult, names ["nvrtc"], beside ["nvrtc-builtins"];
    fn nvrtcVersion(*mut c_int, *mut c_int);
    fn nvrtcCreateProgram(*mut rtc::nvrtcProgram, *const c_char, *const c_char, c_int, *const *const c_char, *const *const c_char);
    fn nvrtcDestroyProgram(*mut rtc::nvrtcProgram);
    fn nvrtcCompileProgram(rtc::nvrtcProgram, c_int, *const *const c_char);
    fn nvrtcGetCUBINSize(rtc::nvrtcProgram, *mut usize);
    fn nvrtcGetCUBIN(rtc::nvrtcProgram, *mut c_char);
    fn nvrtcGetPTXSize(rtc::nvrtcProgram, *mut usize);
    fn nvrtcGetPTX(rtc::nvrtcProgram, *mut c_char);
    fn nvrtcGetProgramLogSize(rtc::nvrtcProgram, *mut usize);
    fn nvrtcGetProgramLog(rtc::nvrtcProgram, *mut c_char);
    fn nvrtcGetNumSupportedArchs(*mut c_int);
    fn nvrtcGetSupportedArchs(*mut c_int);
    unchecked {}
    optional {}
}

table! {
    /// Products of matrices, with a search for the algorithm.
    BlasLt from lt, lt::cublasStatus_t, names ["cublasLt"], beside [];
    fn cublasLtCreate(*mut lt::cublasLtHandle_t);
    fn cublasLtDestroy(lt::cublasLtHandle_t);
    fn cublasLtMatmulDescCreate(*mut lt::cublasLtMatmulDesc_t, lt::cublasComputeType_t, lt::cudaDataType_t);
    fn cublasLtMatmulDescDestroy(lt::cublasLtMatmulDesc_t);
    fn cublasLtMatmulDescSetAttribute(lt::cublasLtMatmulDesc_t, lt::cublasLtMatmulDescAttributes_t, Const, usize);
    fn cublasLtMatrixLayoutCreate(*mut lt::cublasLtMatrixLayout_t, lt::cudaDataType, u64, u64, i64);
    fn cublasLtMatrixLayoutDestroy(lt::cublasLtMatrixLayout_t);
    fn cublasLtMatrixLayoutSetAttribute(lt::cublasLtMatrixLayout_t, lt::cublasLtMatrixLayoutAttribute_t, Const, usize);
    fn cublasLtMatmulPreferenceCreate(*mut lt::cublasLtMatmulPreference_t);
    fn cublasLtMatmulPreferenceDestroy(lt::cublasLtMatmulPreference_t);
    fn cublasLtMatmulPreferenceSetAttribute(lt::cublasLtMatmulPreference_t, lt::cublasLtMatmulPreferenceAttributes_t, Const, usize);
    fn cublasLtMatmulAlgoGetHeuristic(
        lt::cublasLtHandle_t, lt::cublasLtMatmulDesc_t, lt::cublasLtMatrixLayout_t, lt::cublasLtMatrixLayout_t,
        lt::cublasLtMatrixLayout_t, lt::cublasLtMatrixLayout_t, lt::cublasLtMatmulPreference_t, c_int,
        *mut lt::cublasLtMatmulHeuristicResult_t, *mut c_int,
    );
    fn cublasLtMatmul(
        lt::cublasLtHandle_t, lt::cublasLtMatmulDesc_t, Const, Const, lt::cublasLtMatrixLayout_t, Const,
        lt::cublasLtMatrixLayout_t, Const, Const, lt::cublasLtMatrixLayout_t, Bytes, lt::cublasLtMatrixLayout_t,
        *const lt::cublasLtMatmulAlgo_t, Bytes, usize, lt::cudaStream_t,
    );
    unchecked {}
    optional {}
}

table! {
    /// Products that cuBLASLt has no algorithm for.
    Blas from blas, cublasStatus_t, names ["cublas"], beside ["cublasLt"];
    fn cublasCreate_v2(*mut cublasHandle_t);
    fn cublasDestroy_v2(cublasHandle_t);
    fn cublasSetStream_v2(cublasHandle_t, blas::cudaStream_t);
    fn cublasSetWorkspace_v2(cublasHandle_t, Bytes, usize);
    fn cublasGemmStridedBatchedEx(
        cublasHandle_t, cublasOperation_t, cublasOperation_t, c_int, c_int, c_int, Const, Const, cudaDataType, c_int, c_longlong,
        Const, cudaDataType, c_int, c_longlong, Const, Bytes, cudaDataType, c_int, c_longlong, c_int, cublasComputeType_t,
        cublasGemmAlgo_t,
    );
    unchecked {}
    optional {}
}

impl Nvrtc {
    /// Major and minor.
    pub(crate) fn version(&self) -> (i32, i32) {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: two numbers to write to.
        unsafe { (self.nvrtcVersion)(&mut major, &mut minor) };
        (major, minor)
    }
}
