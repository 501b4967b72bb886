//! The kernels as text, for whoever compiles them: `differentiable` puts types and printed formulas in front.
//!
//! A module begins with [`BASE`], and with [`FAULT`] where a kernel reports an index. `.cuh` files are for several modules.

macro_rules! texts {
    ($($name:ident $file:literal)*) => {$(
        #[doc = concat!("`kernels/", $file, "`")]
        pub const $name: &str = include_str!(concat!("../kernels/", $file));
    )*};
}

texts! {
    BASE "base.cuh"
    FAULT "fault.cuh"
    GROUP "group.cuh"
    ROW "row.cuh"
    ORDER "order.cuh"
    WINDOWS "windows.cuh"
    ATTENTION_SHARED "attention.cuh"
    ATTENTION "attention.cu"
    ATTENTION_PULLBACK "attention_pullback.cu"
    ATTENTION_PUSHFORWARD "attention_pushforward.cu"
    ATTENTION_TENSOR_SHARED "attention_tensor.cuh"
    ATTENTION_TENSOR "attention_tensor.cu"
    ATTENTION_TENSOR_PULLBACK "attention_tensor_pullback.cu"
    CHANNELS "channels.cu"
    CONV "conv.cu"
    CROSS_ENTROPY "cross_entropy.cu"
    FOLD "fold.cuh"
    FOLD_AGAIN "fold_again.cu"
    FOLD_OTHERS "fold_others.cu"
    FOLD_PULLBACK "fold_pullback.cu"
    INDEX "index.cu"
    INTEGER "integer.cu"
    MAP "map.cu"
    NORM "norm.cu"
    OPTIM "optim.cu"
    POOL "pool.cu"
    PRODUCT_OF_DUALS "product_of_duals.cu"
    RADIX "radix.cu"
    RANDOM "random.cu"
    RECURRENT "recurrent.cu"
    REDUCE "reduce.cu"
    RESAMPLE "resample.cu"
    ROWS "rows.cu"
    SCAN "scan.cu"
    SCAN_LONG "scan_long.cu"
    SORT "sort.cu"
    SUMS "sums.cu"
    TRIANGLE "triangle.cu"
}
