//! CPU kernels over untyped buffers; never generic over shape.

pub mod binary;
pub mod gemm;
pub mod index;
pub mod map;
pub mod math;
pub mod nest;
pub mod optim;
pub mod par;
pub mod pool;
pub mod random;
pub mod reduce;
pub mod rows;
pub mod unary;
