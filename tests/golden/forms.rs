//! Norms, losses, quantiles and the forms of operations that the other files leave out, against values and gradients from
//! JAX; and that no operation with a rule is without such values.

use differentiable::ad::DifferentiableFn;
use differentiable::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

use crate::cases::{Cases, array};
use crate::values::{numbers, read};

const CASES: Cases = Cases {
    json: include_str!("forms.json"),
    tolerance: 1e-10,
};

cases! {
    "affine_1x1" affine_1x1: 0 x [1, 1], 1 w [1, 3], 2 b [3] -> [1, 3] = x.affine(w, b);
    "affine_3x5" affine_3x5: 0 x [3, 5], 1 w [5, 3], 2 b [3] -> [3, 3] = x.affine(w, b);
    "affine_4x17" affine_4x17: 0 x [4, 17], 1 w [17, 3], 2 b [3] -> [4, 3] = x.affine(w, b);
    "batch_norm_1x1x1" batch_norm_1x1x1: 0 x [1, 1, 1], 1 g [1], 2 b [1] -> [1, 1, 1] = x.batch_norm(g, b, 1e-5);
    "batch_norm_2x3x5" batch_norm_2x3x5: 0 x [2, 3, 5], 1 g [3], 2 b [3] -> [2, 3, 5] = x.batch_norm(g, b, 1e-5);
    "batch_norm_4x7x3" batch_norm_4x7x3: 0 x [4, 7, 3], 1 g [7], 2 b [7] -> [4, 7, 3] = x.batch_norm(g, b, 1e-5);
    "bce_with_logits_1x1" bce_with_logits_1x1: 0 x [1, 1], 1 t [1, 1] -> [] = x.bce_with_logits(t);
    "bce_with_logits_3x5" bce_with_logits_3x5: 0 x [3, 5], 1 t [3, 5] -> [] = x.bce_with_logits(t);
    "bce_with_logits_4x17" bce_with_logits_4x17: 0 x [4, 17], 1 t [4, 17] -> [] = x.bce_with_logits(t);
    "cast_1x1" cast_1x1: 0 x [1, 1] -> [1, 1] = x.cast::<f64>() * 2.0;
    "cast_3x5" cast_3x5: 0 x [3, 5] -> [3, 5] = x.cast::<f64>() * 2.0;
    "cast_4x17" cast_4x17: 0 x [4, 17] -> [4, 17] = x.cast::<f64>() * 2.0;
    "clamp_max_1x1" clamp_max_1x1: 0 x [1, 1] -> [1, 1] = x.clamp_max(0.3);
    "clamp_max_3x5" clamp_max_3x5: 0 x [3, 5] -> [3, 5] = x.clamp_max(0.3);
    "clamp_max_4x17" clamp_max_4x17: 0 x [4, 17] -> [4, 17] = x.clamp_max(0.3);
    "clamp_min_1x1" clamp_min_1x1: 0 x [1, 1] -> [1, 1] = x.clamp_min(0.3);
    "clamp_min_3x5" clamp_min_3x5: 0 x [3, 5] -> [3, 5] = x.clamp_min(0.3);
    "clamp_min_4x17" clamp_min_4x17: 0 x [4, 17] -> [4, 17] = x.clamp_min(0.3);
    "expand_as_1" expand_as_1: 0 b [1], 1 x [1, 1] -> [1, 1] = b.expand_as(x) * x;
    "expand_as_17" expand_as_17: 0 b [17], 1 x [4, 17] -> [4, 17] = b.expand_as(x) * x;
    "expand_as_5" expand_as_5: 0 b [5], 1 x [3, 5] -> [3, 5] = b.expand_as(x) * x;
    "group_norm_1x1x1" group_norm_1x1x1: 0 x [1, 1, 1], 1 g [1], 2 b [1] -> [1, 1, 1] = x.group_norm::<1>(g, b, 1e-5);
    "group_norm_2x3x5" group_norm_2x3x5: 0 x [2, 3, 5], 1 g [3], 2 b [3] -> [2, 3, 5] = x.group_norm::<1>(g, b, 1e-5);
    "group_norm_4x7x3" group_norm_4x7x3: 0 x [4, 7, 3], 1 g [7], 2 b [7] -> [4, 7, 3] = x.group_norm::<1>(g, b, 1e-5);
    "huber_loss_1x1" huber_loss_1x1: 0 x [1, 1], 1 t [1, 1] -> [] = x.huber_loss(t, 0.7);
    "huber_loss_3x5" huber_loss_3x5: 0 x [3, 5], 1 t [3, 5] -> [] = x.huber_loss(t, 0.7);
    "huber_loss_4x17" huber_loss_4x17: 0 x [4, 17], 1 t [4, 17] -> [] = x.huber_loss(t, 0.7);
    "instance_norm_1x1x1" instance_norm_1x1x1: 0 x [1, 1, 1], 1 g [1], 2 b [1] -> [1, 1, 1] = x.instance_norm(g, b, 1e-5);
    "instance_norm_2x3x5" instance_norm_2x3x5: 0 x [2, 3, 5], 1 g [3], 2 b [3] -> [2, 3, 5] = x.instance_norm(g, b, 1e-5);
    "instance_norm_4x7x3" instance_norm_4x7x3: 0 x [4, 7, 3], 1 g [7], 2 b [7] -> [4, 7, 3] = x.instance_norm(g, b, 1e-5);
    "kl_div_1x1" kl_div_1x1: 0 x [1, 1], 1 t [1, 1] -> [] = x.kl_div(t);
    "kl_div_3x5" kl_div_3x5: 0 x [3, 5], 1 t [3, 5] -> [] = x.kl_div(t);
    "kl_div_4x17" kl_div_4x17: 0 x [4, 17], 1 t [4, 17] -> [] = x.kl_div(t);
    "l1_loss_1x1" l1_loss_1x1: 0 x [1, 1], 1 t [1, 1] -> [] = x.l1_loss(&(t * 0.7));
    "l1_loss_3x5" l1_loss_3x5: 0 x [3, 5], 1 t [3, 5] -> [] = x.l1_loss(&(t * 0.7));
    "l1_loss_4x17" l1_loss_4x17: 0 x [4, 17], 1 t [4, 17] -> [] = x.l1_loss(&(t * 0.7));
    "layer_norm_1x1" layer_norm_1x1: 0 x [1, 1], 1 g [1], 2 b [1] -> [1, 1] = x.layer_norm(g, b, 1e-5);
    "layer_norm_3x5" layer_norm_3x5: 0 x [3, 5], 1 g [5], 2 b [5] -> [3, 5] = x.layer_norm(g, b, 1e-5);
    "layer_norm_4x17" layer_norm_4x17: 0 x [4, 17], 1 g [17], 2 b [17] -> [4, 17] = x.layer_norm(g, b, 1e-5);
    "lerp_1x1" lerp_1x1: 0 a [1, 1], 1 b [1, 1], 2 w [] -> [1, 1] = a.lerp(b, w.item());
    "lerp_3x5" lerp_3x5: 0 a [3, 5], 1 b [3, 5], 2 w [] -> [3, 5] = a.lerp(b, w.item());
    "lerp_4x17" lerp_4x17: 0 a [4, 17], 1 b [4, 17], 2 w [] -> [4, 17] = a.lerp(b, w.item());
    "log_softmax_axis_0_1x1" log_softmax_axis_0_1x1: 0 x [1, 1] -> [1, 1] = x.log_softmax::<0>();
    "log_softmax_axis_0_3x5" log_softmax_axis_0_3x5: 0 x [3, 5] -> [3, 5] = x.log_softmax::<0>();
    "log_softmax_axis_0_4x17" log_softmax_axis_0_4x17: 0 x [4, 17] -> [4, 17] = x.log_softmax::<0>();
    "logsumexp_axes_keepdim_1x1x1" logsumexp_axes_keepdim_1x1x1: 0 x [1, 1, 1] -> [1, 1, 1] = x.logsumexp_axes_keepdim::<Axes2<1, 2>>();
    "logsumexp_axes_keepdim_2x3x5" logsumexp_axes_keepdim_2x3x5: 0 x [2, 3, 5] -> [2, 1, 1] = x.logsumexp_axes_keepdim::<Axes2<1, 2>>();
    "logsumexp_axes_keepdim_4x7x3" logsumexp_axes_keepdim_4x7x3: 0 x [4, 7, 3] -> [4, 1, 1] = x.logsumexp_axes_keepdim::<Axes2<1, 2>>();
    "median_axis_1x1" median_axis_1x1: 0 x [1, 1] -> [1] = x.median_axis::<1>();
    "median_axis_3x5" median_axis_3x5: 0 x [3, 5] -> [3] = x.median_axis::<1>();
    "median_axis_4x17" median_axis_4x17: 0 x [4, 17] -> [4] = x.median_axis::<1>();
    "median_axis_keepdim_1x1" median_axis_keepdim_1x1: 0 x [1, 1] -> [1, 1] = x.median_axis_keepdim::<0>();
    "median_axis_keepdim_3x5" median_axis_keepdim_3x5: 0 x [3, 5] -> [1, 5] = x.median_axis_keepdim::<0>();
    "median_axis_keepdim_4x17" median_axis_keepdim_4x17: 0 x [4, 17] -> [1, 17] = x.median_axis_keepdim::<0>();
    "norm_axes_1x1x1" norm_axes_1x1x1: 0 x [1, 1, 1] -> [1] = x.norm_axes::<Axes2<0, 2>>();
    "norm_axes_2x3x5" norm_axes_2x3x5: 0 x [2, 3, 5] -> [3] = x.norm_axes::<Axes2<0, 2>>();
    "norm_axes_4x7x3" norm_axes_4x7x3: 0 x [4, 7, 3] -> [7] = x.norm_axes::<Axes2<0, 2>>();
    "norm_l1_axes_1x1x1" norm_l1_axes_1x1x1: 0 x [1, 1, 1] -> [1] = x.norm_l1_axes::<Axes2<0, 2>>();
    "norm_l1_axes_2x3x5" norm_l1_axes_2x3x5: 0 x [2, 3, 5] -> [3] = x.norm_l1_axes::<Axes2<0, 2>>();
    "norm_l1_axes_4x7x3" norm_l1_axes_4x7x3: 0 x [4, 7, 3] -> [7] = x.norm_l1_axes::<Axes2<0, 2>>();
    "norm_l1_axes_keepdim_1x1x1" norm_l1_axes_keepdim_1x1x1: 0 x [1, 1, 1] -> [1, 1, 1] = x.norm_l1_axes_keepdim::<Axes2<1, 2>>();
    "norm_l1_axes_keepdim_2x3x5" norm_l1_axes_keepdim_2x3x5: 0 x [2, 3, 5] -> [2, 1, 1] = x.norm_l1_axes_keepdim::<Axes2<1, 2>>();
    "norm_l1_axes_keepdim_4x7x3" norm_l1_axes_keepdim_4x7x3: 0 x [4, 7, 3] -> [4, 1, 1] = x.norm_l1_axes_keepdim::<Axes2<1, 2>>();
    "norm_p_axes_1x1x1" norm_p_axes_1x1x1: 0 x [1, 1, 1] -> [1] = x.norm_p_axes::<Axes2<0, 2>>(2.5);
    "norm_p_axes_2x3x5" norm_p_axes_2x3x5: 0 x [2, 3, 5] -> [3] = x.norm_p_axes::<Axes2<0, 2>>(2.5);
    "norm_p_axes_4x7x3" norm_p_axes_4x7x3: 0 x [4, 7, 3] -> [7] = x.norm_p_axes::<Axes2<0, 2>>(2.5);
    "norm_p_axes_keepdim_1x1x1" norm_p_axes_keepdim_1x1x1: 0 x [1, 1, 1] -> [1, 1, 1] = x.norm_p_axes_keepdim::<Axes2<1, 2>>(2.5);
    "norm_p_axes_keepdim_2x3x5" norm_p_axes_keepdim_2x3x5: 0 x [2, 3, 5] -> [2, 1, 1] = x.norm_p_axes_keepdim::<Axes2<1, 2>>(2.5);
    "norm_p_axes_keepdim_4x7x3" norm_p_axes_keepdim_4x7x3: 0 x [4, 7, 3] -> [4, 1, 1] = x.norm_p_axes_keepdim::<Axes2<1, 2>>(2.5);
    "norm_p_axis_keepdim_1x1" norm_p_axis_keepdim_1x1: 0 x [1, 1] -> [1, 1] = x.norm_p_axis_keepdim::<1>(2.5);
    "norm_p_axis_keepdim_3x5" norm_p_axis_keepdim_3x5: 0 x [3, 5] -> [3, 1] = x.norm_p_axis_keepdim::<1>(2.5);
    "norm_p_axis_keepdim_4x17" norm_p_axis_keepdim_4x17: 0 x [4, 17] -> [4, 1] = x.norm_p_axis_keepdim::<1>(2.5);
    "prod_axes_keepdim_1x1x1" prod_axes_keepdim_1x1x1: 0 x [1, 1, 1] -> [1, 1, 1] = x.prod_axes_keepdim::<Axes2<1, 2>>();
    "prod_axes_keepdim_2x3x5" prod_axes_keepdim_2x3x5: 0 x [2, 3, 5] -> [2, 1, 1] = x.prod_axes_keepdim::<Axes2<1, 2>>();
    "prod_axes_keepdim_4x7x3" prod_axes_keepdim_4x7x3: 0 x [4, 7, 3] -> [4, 1, 1] = x.prod_axes_keepdim::<Axes2<1, 2>>();
    "quantile_axis_1x1" quantile_axis_1x1: 0 x [1, 1] -> [1] = x.quantile_axis::<1>(0.3);
    "quantile_axis_3x5" quantile_axis_3x5: 0 x [3, 5] -> [3] = x.quantile_axis::<1>(0.3);
    "quantile_axis_4x17" quantile_axis_4x17: 0 x [4, 17] -> [4] = x.quantile_axis::<1>(0.3);
    "quantile_axis_keepdim_1x1" quantile_axis_keepdim_1x1: 0 x [1, 1] -> [1, 1] = x.quantile_axis_keepdim::<0>(0.9);
    "quantile_axis_keepdim_3x5" quantile_axis_keepdim_3x5: 0 x [3, 5] -> [1, 5] = x.quantile_axis_keepdim::<0>(0.9);
    "quantile_axis_keepdim_4x17" quantile_axis_keepdim_4x17: 0 x [4, 17] -> [1, 17] = x.quantile_axis_keepdim::<0>(0.9);
    "rms_norm_1x1" rms_norm_1x1: 0 x [1, 1], 1 g [1] -> [1, 1] = x.rms_norm(g, 1e-6);
    "rms_norm_3x5" rms_norm_3x5: 0 x [3, 5], 1 g [5] -> [3, 5] = x.rms_norm(g, 1e-6);
    "rms_norm_4x17" rms_norm_4x17: 0 x [4, 17], 1 g [17] -> [4, 17] = x.rms_norm(g, 1e-6);
    "sign_1x1" sign_1x1: 0 x [1, 1] -> [1, 1] = x.sign() * x;
    "sign_3x5" sign_3x5: 0 x [3, 5] -> [3, 5] = x.sign() * x;
    "sign_4x17" sign_4x17: 0 x [4, 17] -> [4, 17] = x.sign() * x;
    "smooth_l1_loss_1x1" smooth_l1_loss_1x1: 0 x [1, 1], 1 t [1, 1] -> [] = x.smooth_l1_loss(t, 0.7);
    "smooth_l1_loss_3x5" smooth_l1_loss_3x5: 0 x [3, 5], 1 t [3, 5] -> [] = x.smooth_l1_loss(t, 0.7);
    "smooth_l1_loss_4x17" smooth_l1_loss_4x17: 0 x [4, 17], 1 t [4, 17] -> [] = x.smooth_l1_loss(t, 0.7);
    "softmax_axis_0_1x1" softmax_axis_0_1x1: 0 x [1, 1] -> [1, 1] = x.softmax::<0>();
    "softmax_axis_0_3x5" softmax_axis_0_3x5: 0 x [3, 5] -> [3, 5] = x.softmax::<0>();
    "softmax_axis_0_4x17" softmax_axis_0_4x17: 0 x [4, 17] -> [4, 17] = x.softmax::<0>();
    "stack_1x1" stack_1x1: 0 a [1, 1], 1 b [1, 1] -> [3, 1, 1] = Tensor::stack::<0, 3>(&[a.clone(), b.clone(), a * b]);
    "stack_3x5" stack_3x5: 0 a [3, 5], 1 b [3, 5] -> [3, 3, 5] = Tensor::stack::<0, 3>(&[a.clone(), b.clone(), a * b]);
    "stack_4x17" stack_4x17: 0 a [4, 17], 1 b [4, 17] -> [3, 4, 17] = Tensor::stack::<0, 3>(&[a.clone(), b.clone(), a * b]);
    "std_axes_1x1x1" std_axes_1x1x1: 0 x [1, 1, 1] -> [1] = x.std_axes::<Axes2<0, 2>>(0);
    "std_axes_2x3x5" std_axes_2x3x5: 0 x [2, 3, 5] -> [3] = x.std_axes::<Axes2<0, 2>>(0);
    "std_axes_4x7x3" std_axes_4x7x3: 0 x [4, 7, 3] -> [7] = x.std_axes::<Axes2<0, 2>>(0);
    "t_1x1" t_1x1: 0 x [1, 1] -> [1, 1] = x.t();
    "t_3x5" t_3x5: 0 x [3, 5] -> [5, 3] = x.t();
    "t_4x17" t_4x17: 0 x [4, 17] -> [17, 4] = x.t();
    "var_axes_1x1x1" var_axes_1x1x1: 0 x [1, 1, 1] -> [1] = x.var_axes::<Axes2<0, 2>>(0);
    "var_axes_2x3x5" var_axes_2x3x5: 0 x [2, 3, 5] -> [3] = x.var_axes::<Axes2<0, 2>>(0);
    "var_axes_4x7x3" var_axes_4x7x3: 0 x [4, 7, 3] -> [7] = x.var_axes::<Axes2<0, 2>>(0);
    "var_axis_keepdim_1x1" var_axis_keepdim_1x1: 0 x [1, 1] -> [1, 1] = x.var_axis_keepdim::<1>(0);
    "var_axis_keepdim_3x5" var_axis_keepdim_3x5: 0 x [3, 5] -> [3, 1] = x.var_axis_keepdim::<1>(0);
    "var_axis_keepdim_4x17" var_axis_keepdim_4x17: 0 x [4, 17] -> [4, 1] = x.var_axis_keepdim::<1>(0);
}

/// Operations without golden values in three shapes, and what checks them instead.
const OTHERWISE: &[(&[&str], &str)] = &[
    (&["dropout"], "random"),
    (
        &["full_like", "ones_like", "to", "zeros_like"],
        "compute nothing: tests/devices, tests/tensor",
    ),
    (&["mse_loss"], "has three, by the name `mse`"),
    (&["at"], "takes an entry: tests/tensor/coverage.rs"),
    (
        &["index_add", "rename"],
        "adds what `index_select` takes, and computes nothing: tests/tensor/coverage.rs, tests/nn/sizes.rs",
    ),
    (
        &["add_channels"],
        "a sum with one axis named: tests/tensor/coverage_norm.rs",
    ),
    (
        &[
            "max_pool",
            "avg_pool",
            "conv1d_grouped",
            "conv2d_grouped",
            "conv3d_grouped",
            "conv_transpose1d_grouped",
            "conv_transpose2d_grouped",
            "conv_transpose3d_grouped",
        ],
        "the same kernels as the forms with a number of axes or without groups: tests/tensor/rules_conv.rs",
    ),
    (
        &[
            "avg_pool1d",
            "avg_pool3d",
            "max_pool1d",
            "max_pool3d",
            "conv_transpose1d",
            "conv_transpose3d",
        ],
        "fewer shapes of the kernel that the two-dimensional forms have three of",
    ),
    (
        &[
            "adaptive_avg_pool2d",
            "adaptive_max_pool2d",
            "adaptive_avg_pool1d",
            "adaptive_max_pool1d",
            "adaptive_avg_pool3d",
            "adaptive_max_pool3d",
            "fold2d",
            "unfold2d",
        ],
        "against their definitions: tests/tensor/rules_conv.rs",
    ),
    (
        &[
            "interpolate_linear_aligned",
            "interpolate_nearest1d",
            "upsample_bilinear",
            "upsample_nearest",
        ],
        "forms of interpolations that have three: tests/tensor/rules_resample.rs",
    ),
    (
        &[
            "pad_to",
            "pad_reflect_to",
            "pad_replicate_to",
            "repeat_to",
            "repeat_interleave_to",
            "stack_to",
            "concat_to",
        ],
        "equal to the forms whose sizes are constants: tests/tensor/rules_more.rs, rules_join.rs",
    ),
    (&["index"], "parts of the tensor: tests/tensor/batches.rs"),
    (&["meshgrid3"], "as `meshgrid`: tests/tensor/coverage.rs"),
    (
        &[
            "ifft_ortho",
            "irfft",
            "cholesky_solve",
            "solve_vec",
            "solve_triangular",
            "svdvals",
        ],
        "made of transforms and factorisations that have three: tests/tensor/rules_fourier.rs, rules_linalg.rs",
    ),
    (
        &[
            "std_axes_keepdim",
            "attention_masked_biased",
            "attention_grouped_masked",
            "attention_grouped_biased",
            "attention_grouped_masked_biased",
        ],
        "made of forms that have three: tests/tensor/rules_fold.rs, rules_attention.rs",
    ),
];

/// Every operation with a rule in `docs/book/src/reference/operations.md` has golden values in three shapes or stands in the list above.
#[test]
fn operations_without_golden_values_are_known() {
    let table = include_str!("../../docs/book/src/reference/operations.md").lines();
    let named = |line: &'static str| {
        line.strip_prefix("| **")
            .and_then(|rest| rest.split("**").next())
    };
    let mut names: Vec<&str> = table
        .filter(|line| line.contains("| vjp"))
        .filter_map(named)
        .collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.dedup();
    assert!(names.len() > 200, "the search finds the operations");
    let files = [
        ("", include_str!("tensor.json")),
        ("", include_str!("conv.json")),
        ("attention", include_str!("attention.json")),
        ("", include_str!("recurrent.json")),
        ("", include_str!("losses.json")),
        ("", include_str!("more.json")),
        ("", include_str!("linalg.json")),
        ("", CASES.json),
    ];
    let mut shapes: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (prefix, json) in files {
        for case in read(json) {
            let mut op = case["op"].as_str().unwrap().to_string();
            if prefix == "attention" {
                op = match op.split('_').next().unwrap() {
                    "plain" | "causal" => prefix.into(),
                    kind => format!("{prefix}_{kind}"),
                };
            }
            // The longest name counts: `var_axis_0_1` is of `var_axis`.
            let begins = |name: &&&str| {
                op.strip_prefix(**name)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
            };
            let Some(name) = names.iter().find(begins) else {
                continue;
            };
            let inputs = case["inputs"].as_array().map_or(0, Vec::len);
            let sizes = (0..inputs).map(|i| format!("{:?}", numbers(&case["inputs"][i]["shape"])));
            shapes.entry(name).or_default().insert(sizes.collect());
        }
    }
    let few: BTreeSet<&str> = names
        .iter()
        .filter(|name| shapes.get(**name).map_or(0, BTreeSet::len) < 3)
        .copied()
        .collect();
    let known: BTreeSet<&str> = OTHERWISE
        .iter()
        .flat_map(|(names, _)| names.iter().copied())
        .collect();
    let unknown: Vec<_> = few.difference(&known).collect();
    assert!(
        unknown.is_empty(),
        "fewer than three golden shapes, and no reason why: {unknown:?}"
    );
    let gone: Vec<_> = known.difference(&few).collect();
    assert!(
        gone.is_empty(),
        "in the list though they have golden values, or are no operation: {gone:?}"
    );
}
