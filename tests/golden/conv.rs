//! Convolutions and pooling against values and gradients from JAX.

use differentiable::ad::DifferentiableFn;
use differentiable::prelude::*;

use crate::cases::{Cases, array};

const CASES: Cases = Cases {
    json: include_str!("conv.json"),
    tolerance: 1e-10,
};

/// Functions of an input and weights, compared in value and gradients.
macro_rules! weighted {
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
            CASES.same("gradient of the input", &gradient.0.to_vec(), &case["gradients"][0]);
            CASES.same("gradient of the weights", &gradient.1.to_vec(), &case["gradients"][1]);
        }
    )* };
}

/// Functions of an input.
macro_rules! pooled {
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

weighted! {
    conv1d_one [1, 1, 1] by [1, 1, 1] -> [1, 1, 1] = |x, w| x.conv1d(w, Win::new());
    conv1d_stride [2, 3, 9] by [4, 3, 3] -> [2, 4, 5] = |x, w| x.conv1d(w, Win::new().stride::<2>().pad::<1>());
    conv1d_dilation [3, 1, 7] by [2, 1, 2] -> [3, 2, 8] = |x, w| x.conv1d(w, Win::new().pad::<2>().dilation::<3>());
    conv2d_one [1, 1, 1, 1] by [1, 1, 1, 1] -> [1, 1, 1, 1] = |x, w| x.conv2d(w, Win::new());
    conv2d_same [2, 3, 5, 7] by [4, 3, 3, 3] -> [2, 4, 5, 7] = |x, w| x.conv2d(w, Win::new().pad::<1>());
    conv2d_mixed [1, 2, 9, 11] by [3, 2, 3, 2] -> [1, 3, 4, 12] = |x, w| {
        x.conv2d(w, (Win::new().stride::<2>(), Win::new().pad::<2>().dilation::<3>()))
    };
    conv2d_groups [2, 4, 5, 3] by [6, 2, 3, 3] -> [2, 6, 5, 3] = |x, w| {
        x.conv2d_grouped(w, Win::new().pad::<1>(), Groups::<2>)
    };
    conv3d_one [1, 1, 1, 1, 1] by [1, 1, 1, 1, 1] -> [1, 1, 1, 1, 1] = |x, w| x.conv3d(w, Win::new());
    conv3d_plain [1, 2, 3, 4, 5] by [3, 2, 2, 2, 2] -> [1, 3, 2, 3, 4] = |x, w| x.conv3d(w, Win::new());
    conv3d_stride [2, 1, 3, 5, 4] by [2, 1, 3, 3, 3] -> [2, 2, 2, 3, 2] = |x, w| {
        x.conv3d(w, Win::new().stride::<2>().pad::<1>())
    };
    conv_transpose2d_one [1, 1, 1, 1] by [1, 1, 1, 1] -> [1, 1, 1, 1] = |x, w| x.conv_transpose2d(w, Win::new());
    conv_transpose2d_double [2, 4, 3, 5] by [4, 3, 2, 2] -> [2, 3, 6, 10] = |x, w| {
        x.conv_transpose2d(w, Win::new().stride::<2>())
    };
    conv_transpose2d_padded [1, 3, 3, 5] by [3, 2, 3, 3] -> [1, 2, 5, 9] = |x, w| {
        x.conv_transpose2d(w, Win::new().stride::<2>().pad::<1>())
    };
}

pooled! {
    max_pool1d [2, 3, 9] -> [2, 3, 5] = |x| x.max_pool1d::<3, _>(Win::new().stride::<2>().pad::<1>());
    max_pool2d_one [1, 1, 1, 1] -> [1, 1, 1, 1] = |x| x.max_pool::<1, 1>();
    max_pool2d [2, 3, 5, 7] -> [2, 3, 2, 3] = |x| x.max_pool::<2, 2>();
    max_pool2d_overlapping [1, 2, 7, 9] -> [1, 2, 4, 5] = |x| {
        x.max_pool2d::<3, 3, _>(Win::new().stride::<2>().pad::<1>())
    };
    max_pool3d [1, 2, 3, 2, 5] -> [1, 2, 2, 2, 4] = |x| x.max_pool3d::<2, 1, 2, _>(Win::new());
    avg_pool1d [2, 3, 9] -> [2, 3, 5] = |x| x.avg_pool1d::<3, _>(Win::new().stride::<2>().pad::<1>());
    avg_pool2d_one [1, 1, 1, 1] -> [1, 1, 1, 1] = |x| x.avg_pool::<1, 1>();
    avg_pool2d [2, 3, 5, 7] -> [2, 3, 2, 3] = |x| x.avg_pool::<2, 2>();
    avg_pool2d_overlapping [1, 2, 7, 9] -> [1, 2, 4, 5] = |x| {
        x.avg_pool2d::<3, 3, _>(Win::new().stride::<2>().pad::<1>())
    };
    avg_pool3d [1, 2, 3, 2, 5] -> [1, 2, 2, 2, 4] = |x| x.avg_pool3d::<2, 1, 2, _>(Win::new());
}
