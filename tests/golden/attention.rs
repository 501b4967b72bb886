//! Attention against values and gradients from JAX.

use differentiable::ad::DifferentiableFn;
use differentiable::prelude::*;

use crate::cases::{Cases, array};

const CASES: Cases = Cases {
    json: include_str!("attention.json"),
    tolerance: 1e-12,
};

/// The mask of `shown` in the script.
fn shown<S: StaticShape>() -> Tensor<S, bool> {
    let dims = S::default().dims();
    let width = dims[dims.rank() - 1];
    Tensor::from_fn(|i| i * 5 % 7 < 4 || i % width == 0)
}

/// Functions of queries, keys and values, compared in value and gradients.
macro_rules! attention {
    ($($name:ident [$($q:tt)*] [$($k:tt)*] [$($v:tt)*] -> [$($y:tt)*] = |$q_:ident, $k_:ident, $v_:ident| $body:expr;)*) => { $(
        #[test]
        fn $name() {
            #[differentiable]
            fn function(
                $q_: &Tensor![f64; $($q)*],
                $k_: &Tensor![f64; $($k)*],
                $v_: &Tensor![f64; $($v)*],
            ) -> Tensor![f64; $($y)*] {
                $body
            }
            let case = CASES.case(stringify!($name));
            let inputs = &case["inputs"];
            let args = (array(&inputs[0]), array(&inputs[1]), array(&inputs[2]));
            CASES.same("value", &function::call(&args).to_vec(), &case["output"]);
            let gradient = <function as DifferentiableFn<_>>::vjp(&args, array(&case["cotangent"]));
            CASES.same("gradient of the queries", &gradient.0.to_vec(), &case["gradients"][0]);
            CASES.same("gradient of the keys", &gradient.1.to_vec(), &case["gradients"][1]);
            CASES.same("gradient of the values", &gradient.2.to_vec(), &case["gradients"][2]);
        }
    )* };
}

attention! {
    plain_one [1, 1] [1, 1] [1, 1] -> [1, 1] = |q, k, v| q.attention(k, v, Attention::new());
    plain_matrix [3, 5] [7, 5] [7, 2] -> [3, 2] = |q, k, v| q.attention(k, v, Attention::new());
    plain_batch [2, 9, 4] [2, 9, 4] [2, 9, 4] -> [2, 9, 4] = |q, k, v| q.attention(k, v, Attention::new());
    plain_heads [2, 3, 5, 4] [2, 3, 6, 4] [2, 3, 6, 1] -> [2, 3, 5, 1] = |q, k, v| {
        q.attention(k, v, Attention::new().scale(0.7))
    };
    plain_tiles [2, 2] [150, 2] [150, 3] -> [2, 3] = |q, k, v| q.attention(k, v, Attention::new());
    causal_one [1, 1] [1, 1] [1, 1] -> [1, 1] = |q, k, v| q.attention(k, v, Attention::new().causal());
    causal_square [2, 9, 4] [2, 9, 4] [2, 9, 3] -> [2, 9, 3] = |q, k, v| q.attention(k, v, Attention::new().causal());
    causal_cache [2, 2, 3] [2, 7, 3] [2, 7, 5] -> [2, 2, 5] = |q, k, v| q.attention(k, v, Attention::new().causal());
    causal_tiles [70, 2] [70, 2] [70, 3] -> [70, 3] = |q, k, v| q.attention(k, v, Attention::new().causal());
    masked_one [1, 1] [1, 1] [1, 1] -> [1, 1] = |q, k, v| {
        q.attention_masked(k, v, &shown::<shape![1, 1]>(), Attention::new())
    };
    masked_rows [2, 5, 3] [2, 7, 3] [2, 7, 2] -> [2, 5, 2] = |q, k, v| {
        q.attention_masked(k, v, &shown::<shape![5, 7]>(), Attention::new())
    };
    masked_heads [2, 3, 4, 2] [2, 3, 6, 2] [2, 3, 6, 2] -> [2, 3, 4, 2] = |q, k, v| {
        q.attention_masked(k, v, &shown::<shape![2, 3, 4, 6]>(), Attention::new())
    };
    padded_one [1, 1, 1] [1, 1, 1] [1, 1, 1] -> [1, 1, 1] = |q, k, v| {
        q.attention_padded(k, v, &tensor([1_i64]), Attention::new())
    };
    padded_batch [3, 5, 3] [3, 7, 3] [3, 7, 2] -> [3, 5, 2] = |q, k, v| {
        q.attention_padded(k, v, &tensor([7_i64, 1, 4]), Attention::new())
    };
    padded_heads [2, 3, 4, 2] [2, 3, 5, 2] [2, 3, 5, 2] -> [2, 3, 4, 2] = |q, k, v| {
        q.attention_padded(k, v, &tensor([2_i64, 5]), Attention::new())
    };
    grouped_one [1, 1, 1] [1, 1, 1] [1, 1, 1] -> [1, 1, 1] = |q, k, v| q.attention_grouped(k, v, Attention::new());
    grouped_heads [2, 4, 5, 3] [2, 2, 5, 3] [2, 2, 5, 2] -> [2, 4, 5, 2] = |q, k, v| {
        q.attention_grouped(k, v, Attention::new().causal())
    };
    grouped_single [3, 4, 2] [1, 7, 2] [1, 7, 5] -> [3, 4, 5] = |q, k, v| q.attention_grouped(k, v, Attention::new());
}

/// Functions of a bias as well.
macro_rules! biased {
    ($($name:ident [$($q:tt)*] [$($k:tt)*] [$($v:tt)*] [$($b:tt)*] -> [$($y:tt)*] by $how:expr;)*) => { $(
        #[test]
        fn $name() {
            #[differentiable]
            fn function(
                q: &Tensor![f64; $($q)*],
                k: &Tensor![f64; $($k)*],
                v: &Tensor![f64; $($v)*],
                bias: &Tensor![f64; $($b)*],
            ) -> Tensor![f64; $($y)*] {
                q.attention_biased(k, v, bias, $how)
            }
            let case = CASES.case(stringify!($name));
            let inputs = &case["inputs"];
            let args = (array(&inputs[0]), array(&inputs[1]), array(&inputs[2]), array(&inputs[3]));
            CASES.same("value", &function::call(&args).to_vec(), &case["output"]);
            let gradient = <function as DifferentiableFn<_>>::vjp(&args, array(&case["cotangent"]));
            CASES.same("gradient of the queries", &gradient.0.to_vec(), &case["gradients"][0]);
            CASES.same("gradient of the keys", &gradient.1.to_vec(), &case["gradients"][1]);
            CASES.same("gradient of the values", &gradient.2.to_vec(), &case["gradients"][2]);
            CASES.same("gradient of the bias", &gradient.3.to_vec(), &case["gradients"][3]);
        }
    )* };
}

biased! {
    biased_one [1, 1] [1, 1] [1, 1] [1, 1] -> [1, 1] by Attention::new();
    biased_rows [2, 5, 3] [2, 7, 3] [2, 7, 2] [5, 7] -> [2, 5, 2] by Attention::new();
    biased_heads [2, 3, 5, 2] [2, 3, 5, 2] [2, 3, 5, 2] [3, 5, 5] -> [2, 3, 5, 2] by Attention::new().causal();
}
