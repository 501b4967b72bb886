//! Resampling, transposed convolutions and what else came later against values and gradients from JAX.

use differentiable::ad::DifferentiableFn;
use differentiable::prelude::*;

use crate::cases::{Cases, array};
use crate::values::read;

const CASES: Cases = Cases {
    json: include_str!("more.json"),
    tolerance: 1e-10,
};

cases! {
    "interpolate_nearest_one" interpolate_nearest_one: 0 x [1, 1, 1, 1] -> [1, 1, 3, 2] = x.interpolate_nearest(Sz::<3>, Sz::<2>);
    "interpolate_nearest_up" interpolate_nearest_up: 0 x [2, 3, 5, 7] -> [2, 3, 9, 16] = x.interpolate_nearest(Sz::<9>, Sz::<16>);
    "interpolate_nearest_down" interpolate_nearest_down: 0 x [2, 7, 9] -> [2, 3, 1] = x.interpolate_nearest(Sz::<3>, Sz::<1>);
    "interpolate_nearest_mixed" interpolate_nearest_mixed: 0 x [1, 4, 11] -> [1, 17, 5] = x.interpolate_nearest(Sz::<17>, Sz::<5>);
    "interpolate_bilinear_one" interpolate_bilinear_one: 0 x [1, 1, 1, 1] -> [1, 1, 3, 2] = x.interpolate_bilinear(Sz::<3>, Sz::<2>);
    "interpolate_bilinear_up" interpolate_bilinear_up: 0 x [2, 3, 5, 7] -> [2, 3, 9, 16] = x.interpolate_bilinear(Sz::<9>, Sz::<16>);
    "interpolate_bilinear_down" interpolate_bilinear_down: 0 x [2, 7, 9] -> [2, 3, 1] = x.interpolate_bilinear(Sz::<3>, Sz::<1>);
    "interpolate_bilinear_mixed" interpolate_bilinear_mixed: 0 x [1, 4, 11] -> [1, 17, 5] = x.interpolate_bilinear(Sz::<17>, Sz::<5>);
    "interpolate_bilinear_aligned_one" interpolate_bilinear_aligned_one: 0 x [1, 1, 1, 1] -> [1, 1, 3, 2] = x.interpolate_bilinear_aligned(Sz::<3>, Sz::<2>);
    "interpolate_bilinear_aligned_up" interpolate_bilinear_aligned_up: 0 x [2, 3, 5, 7] -> [2, 3, 9, 16] = x.interpolate_bilinear_aligned(Sz::<9>, Sz::<16>);
    "interpolate_bilinear_aligned_down" interpolate_bilinear_aligned_down: 0 x [2, 7, 9] -> [2, 3, 1] = x.interpolate_bilinear_aligned(Sz::<3>, Sz::<1>);
    "interpolate_bilinear_aligned_mixed" interpolate_bilinear_aligned_mixed: 0 x [1, 4, 11] -> [1, 17, 5] = x.interpolate_bilinear_aligned(Sz::<17>, Sz::<5>);
    "upsample_bilinear_2" upsample_bilinear: 0 x [2, 1, 5, 3] -> [2, 1, 10, 6] = x.upsample_bilinear::<2>();
    "upsample_nearest_3" upsample_nearest: 0 x [2, 1, 5, 3] -> [2, 1, 15, 9] = x.upsample_nearest::<3>();
    "interpolate_linear_one" interpolate_linear_one: 0 x [1, 1, 1] -> [1, 1, 4] = x.interpolate_linear(Sz::<4>);
    "interpolate_linear_up" interpolate_linear_up: 0 x [2, 3, 7] -> [2, 3, 17] = x.interpolate_linear(Sz::<17>);
    "interpolate_linear_down" interpolate_linear_down: 0 x [2, 3, 9] -> [2, 3, 4] = x.interpolate_linear(Sz::<4>);

    "conv_transpose1d_output_pad" conv_transpose1d_output_pad: 0 x [2, 3, 5], 1 w [3, 2, 2] -> [2, 2, 15]
        = x.conv_transpose1d(w, Win::new().stride::<3>().pad::<1>().dilation::<2>().output_pad::<2>());
    "conv_transpose2d_output_pad" conv_transpose2d_output_pad: 0 x [2, 4, 3, 5], 1 w [4, 3, 3, 3] -> [2, 3, 6, 10]
        = x.conv_transpose2d(w, Win::new().stride::<2>().pad::<1>().output_pad::<1>());
    "conv_transpose2d_groups" conv_transpose2d_groups: 0 x [2, 4, 5, 3], 1 w [4, 3, 2, 2] -> [2, 6, 6, 4]
        = x.conv_transpose2d_grouped(w, Win::new(), Groups::<2>);
    "conv_transpose2d_depthwise" conv_transpose2d_depthwise: 0 x [1, 3, 4, 5], 1 w [3, 1, 2, 3] -> [1, 3, 8, 7]
        = x.conv_transpose2d_grouped(w, (Win::new().stride::<2>(), Win::new().pad::<1>().dilation::<2>()), Groups::<3>);
    "conv_transpose2d_grouped_one" conv_transpose2d_grouped_one: 0 x [1, 1, 1, 1], 1 w [1, 1, 1, 1] -> [1, 1, 1, 1]
        = x.conv_transpose2d_grouped(w, Win::new(), Groups::<1>);
    "conv_transpose3d_groups" conv_transpose3d_groups: 0 x [1, 4, 3, 2, 2], 1 w [4, 1, 2, 3, 2] -> [1, 2, 4, 4, 3]
        = x.conv_transpose3d_grouped(
            w,
            (Win::new(), Win::new().stride::<2>().pad::<1>().output_pad::<1>(), Win::new()),
            Groups::<2>,
        );
    "conv_transpose3d_output_pad" conv_transpose3d_output_pad: 0 x [1, 1, 2, 1, 3], 1 w [1, 2, 3, 3, 3] -> [1, 2, 4, 2, 6]
        = x.conv_transpose3d(w, Win::new().stride::<2>().pad::<1>().output_pad::<1>());

    "matmul_left_missing" matmul_left_missing: 0 x [4, 3], 1 y [2, 3, 5] -> [2, 4, 5] = x.matmul(y);
    "matmul_right_missing" matmul_right_missing: 0 x [5, 2, 4, 3], 1 y [2, 3, 7] -> [5, 2, 4, 7] = x.matmul(y);
    "matmul_left_shorter" matmul_left_shorter: 0 x [2, 1, 3], 1 y [3, 2, 3, 1] -> [3, 2, 1, 1] = x.matmul(y);
    "matmul_expanded" matmul_expanded: 0 x [1, 4, 3], 1 y [6, 3, 2] -> [6, 4, 2] = x.expand::<0, _>(Sz::<6>).matmul(y);
    "tensordot_one" tensordot_one: 0 x [1, 1], 1 y [1, 1] -> [1, 1] = x.tensordot::<1, _>(y);
    "tensordot_1" tensordot_1: 0 x [2, 5, 3], 1 y [3, 1, 4] -> [2, 5, 1, 4] = x.tensordot::<1, _>(y);
    "tensordot_2" tensordot_2: 0 x [7, 2, 3], 1 y [2, 3, 5] -> [7, 5] = x.tensordot::<2, _>(y);
    "tensordot_3" tensordot_3: 0 x [3, 2, 5], 1 y [3, 2, 5] -> [] = x.tensordot::<3, _>(y);

    "batch_norm_inference_one" batch_norm_inference_one: 0 x [1, 1], 1 m [1], 2 v [1], 3 g [1], 4 b [1] -> [1, 1]
        = x.batch_norm_inference(m, v, g, b, 1e-5);
    "batch_norm_inference_rows" batch_norm_inference_rows: 0 x [5, 3], 1 m [3], 2 v [3], 3 g [3], 4 b [3] -> [5, 3]
        = x.batch_norm_inference(m, v, g, b, 1e-5);
    "batch_norm_inference_images" batch_norm_inference_images: 0 x [2, 3, 5, 7], 1 m [3], 2 v [3], 3 g [3], 4 b [3] -> [2, 3, 5, 7]
        = x.batch_norm_inference(m, v, g, b, 1e-5);
    "unfold_one" unfold_one: 0 x [1] -> [1, 1] = x.unfold::<0, 1, 1>();
    "unfold_overlap" unfold_overlap: 0 x [2, 9, 5] -> [2, 4, 5, 3] = x.unfold::<1, 3, 2>();
    "unfold_gap" unfold_gap: 0 x [9, 2] -> [3, 2, 2] = x.unfold::<0, 2, 3>();

    "prod_axes_1x1x1" prod_axes_one: 0 x [1, 1, 1] -> [1] = x.prod_axes::<Axes2<0, 2>>();
    "prod_axes_2x3x5" prod_axes: 0 x [2, 3, 5] -> [3] = x.prod_axes::<Axes2<0, 2>>();
    "prod_axes_4x7x3" prod_axes_large: 0 x [4, 7, 3] -> [7] = x.prod_axes::<Axes2<0, 2>>();
    "logsumexp_axes_1x1x1" logsumexp_axes_one: 0 x [1, 1, 1] -> [1] = x.logsumexp_axes::<Axes2<0, 2>>();
    "logsumexp_axes_2x3x5" logsumexp_axes: 0 x [2, 3, 5] -> [3] = x.logsumexp_axes::<Axes2<0, 2>>();
    "logsumexp_axes_4x7x3" logsumexp_axes_large: 0 x [4, 7, 3] -> [7] = x.logsumexp_axes::<Axes2<-3, -1>>();
    "norm_axes_keepdim_1x1x1" norm_axes_keepdim_one: 0 x [1, 1, 1] -> [1, 1, 1] = x.norm_axes_keepdim::<Axes2<1, 2>>();
    "norm_axes_keepdim_2x3x5" norm_axes_keepdim: 0 x [2, 3, 5] -> [2, 1, 1] = x.norm_axes_keepdim::<Axes2<1, 2>>();
    "norm_axes_keepdim_4x7x3" norm_axes_keepdim_large: 0 x [4, 7, 3] -> [4, 1, 1] = x.norm_axes_keepdim::<Axes2<-2, -1>>();
    "var_axes_keepdim_1x1x1" var_axes_keepdim_one: 0 x [1, 1, 1] -> [1, 1, 1] = x.var_axes_keepdim::<Axes2<1, 2>>(0);
    "var_axes_keepdim_2x3x5" var_axes_keepdim: 0 x [2, 3, 5] -> [2, 1, 1] = x.var_axes_keepdim::<Axes2<1, 2>>(0);
    "var_axes_keepdim_4x7x3" var_axes_keepdim_large: 0 x [4, 7, 3] -> [4, 1, 1] = x.var_axes_keepdim::<Axes2<1, 2>>(0);
    "std_axes_2x3x5" std_axes: 0 x [2, 3, 5] -> [3] = x.std_axes::<Axes2<0, 2>>(1);

    "atan2_1" atan2_one: 0 x [1], 1 y [1] -> [1] = x.atan2(y);
    "atan2_3x5" atan2: 0 x [3, 5], 1 y [3, 5] -> [3, 5] = x.atan2(y);
    "atan2_2x3x4" atan2_suffix: 0 x [2, 3, 4], 1 y [4] -> [2, 3, 4] = x.atan2(y);
    "hypot_1" hypot_one: 0 x [1], 1 y [1] -> [1] = x.hypot(y);
    "hypot_3x5" hypot: 0 x [3, 5], 1 y [3, 5] -> [3, 5] = x.hypot(y);
    "hypot_2x3x4" hypot_suffix: 0 x [2, 3, 4], 1 y [4] -> [2, 3, 4] = x.hypot(y);
    "rem_1" rem_one: 0 x [1], 1 y [1] -> [1] = x % y;
    "rem_3x5" rem: 0 x [3, 5], 1 y [3, 5] -> [3, 5] = x % y;
    "rem_2x3x4" rem_suffix: 0 x [2, 3, 4], 1 y [4] -> [2, 3, 4] = x % y;
    "pow_1" pow_one: 0 x [1], 1 y [1] -> [1] = x.pow(y);
    "pow_3x5" pow: 0 x [3, 5], 1 y [3, 5] -> [3, 5] = x.pow(y);
    "pow_2x3x4" pow_suffix: 0 x [2, 3, 4], 1 y [4] -> [2, 3, 4] = x.pow(y);
    "rsqrt_1" rsqrt_one: 0 x [1] -> [1] = x.rsqrt();
    "rsqrt_3x5" rsqrt: 0 x [3, 5] -> [3, 5] = x.rsqrt();
    "rsqrt_2x3x4" rsqrt_large: 0 x [2, 3, 4] -> [2, 3, 4] = x.rsqrt();
}
