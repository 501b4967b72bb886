//! Kernels against slow references in `f64`, over random shapes and layouts.

mod kernels {
    pub mod common;
    mod elementwise;
    mod layouts;
    mod learning;
    mod reductions;
    mod rows;
    mod threads;
}
