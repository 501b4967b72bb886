//! Resampling, transposed convolutions and what else came later, inside annotated functions, in both modes.

use crate::check::between;
use crate::coverage::covered;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Images, Height, Width, Long);

/// Sizes are on no device.
macro_rules! nowhere {
    ($($Dim:ident)*) => { $(
        impl ToDevice for $Dim {
            fn each_storage(&mut self, _: &mut dyn FnMut(&mut dyn differentiable::device::AnyStorage)) {}
        }
    )* };
}
nowhere! { Height Long }

type Photo = Tensor![f64; 2, 2, 5, 7];

fn photo(seed: u64) -> Photo {
    filled(seed)
}

fn filled<S: Shape + Default>(seed: u64) -> Tensor<S, f64> {
    between(S::default(), seed, -1.0, 1.0)
}

covered! {
    interpolate_nearest at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 8, 3] {
        x.interpolate_nearest(Sz::<8>, Sz::<3>)
    }
    interpolate_bilinear at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 8, 3] {
        x.interpolate_bilinear(Sz::<8>, Sz::<3>)
    }
    interpolate_bilinear_aligned at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 4, 13] {
        x.interpolate_bilinear_aligned(Sz::<4>, Sz::<13>)
    }
    interpolate_to_run_time_sizes at (
        between((Images(2), Height(3), Width(4)), 3, -1.0, 1.0),
        Height(5)
    ) = |x: Tensor![f64; Images, Height, Width], h: Height| -> f64 {
        let y = x.interpolate_bilinear(*h, Width(3)).sin();
        (&y * &y).sum().item()
    }
    interpolate_nearest1d at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 5, 9] {
        x.interpolate_nearest1d(Sz::<9>)
    }
    interpolate_linear at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 5, 9] {
        x.interpolate_linear(Sz::<9>)
    }
    interpolate_linear_aligned at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 5, 4] {
        x.interpolate_linear_aligned(Sz::<4>)
    }
    upsample_nearest at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 10, 14] { x.upsample_nearest::<2>() }
    upsample_bilinear at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 15, 21] { x.upsample_bilinear::<3>() }
    upsample_one_image at (filled::<shape![2, 3]>(1)) = |x: Tensor![f64; 2, 3]| -> Tensor![f64; 4, 6] {
        x.upsample_bilinear::<2>()
    }

    conv_transpose1d_output_pad at (filled::<shape![2, 3, 4]>(1), filled::<shape![3, 2, 3]>(2))
        = |x: Tensor![f64; 2, 3, 4], w: Tensor![f64; 3, 2, 3]| -> Tensor![f64; 2, 2, 8] {
            x.conv_transpose1d(w, Win::new().stride::<2>().pad::<1>().output_pad::<1>())
        }
    conv_transpose1d_grouped at (filled::<shape![2, 4, 3]>(1), filled::<shape![4, 3, 2]>(2))
        = |x: Tensor![f64; 2, 4, 3], w: Tensor![f64; 4, 3, 2]| -> Tensor![f64; 2, 6, 4] {
            x.conv_transpose1d_grouped(w, Win::new(), Groups::<2>)
        }
    conv_transpose2d_grouped at (photo(1), filled::<shape![2, 3, 3, 2]>(2))
        = |x: Tensor![f64; 2, 2, 5, 7], w: Tensor![f64; 2, 3, 3, 2]| -> Tensor![f64; 2, 6, 10, 9] {
            let step = (Win::new().stride::<2>().pad::<1>().output_pad::<1>(), Win::new().dilation::<2>());
            x.conv_transpose2d_grouped(w, step, Groups::<2>)
        }
    conv_transpose3d_grouped at (filled::<shape![1, 2, 2, 3, 2]>(1), filled::<shape![2, 1, 2, 1, 2]>(2))
        = |x: Tensor![f64; 1, 2, 2, 3, 2], w: Tensor![f64; 2, 1, 2, 1, 2]| -> Tensor![f64; 1, 2, 3, 3, 3] {
            x.conv_transpose3d_grouped(w, Win::new(), Groups::<2>)
        }
    conv_transpose2d_of_run_time_sizes at (
        between((Images(2), Sz::<2>, Height(4), Width(5)), 3, -1.0, 1.0),
        filled::<shape![3, 2, 3, 2]>(2),
        filled::<shape![3, 2, 3, 3]>(4)
    ) = |x: Tensor![f64; Images, 2, Height, Width], w: Tensor![f64; 3, 2, 3, 2], v: Tensor![f64; 3, 2, 3, 3]| -> f64 {
        let y = x.conv2d(w, Win::new().stride::<2>().pad::<1>());
        let z = y.conv_transpose2d(v, Win::new().stride::<2>().pad::<1>().output_pad::<1>());
        let z = z.conv_transpose2d(&v.slice::<0, 0, 2>(), Win::new()).conv2d(w, Win::new());
        // Bounded: beside a large value, differences lose the digits of a small derivative.
        (&z * 0.05).sin().sum().item()
    }
}

covered! {
    rsqrt at (between((Images(3), Sz::<5>), 1, 0.2, 2.0)) = |x: Tensor![f64; Images, 5]| -> Tensor![f64; Images, 5] {
        x.rsqrt()
    }
    sign at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 5, 7] { x.sign() * x }
    atan2 at (photo(1), photo(2)) = |x: Tensor![f64; 2, 2, 5, 7], y: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 5, 7] { x.atan2(y) }
    hypot at (photo(1), filled::<shape![5, 7]>(2)) = |x: Tensor![f64; 2, 2, 5, 7], y: Tensor![f64; 5, 7]| -> Tensor![f64; 2, 2, 5, 7] { x.hypot(y) }
    angles_of_what_is_computed at (photo(1), photo(2)) = |x: Tensor![f64; 2, 2, 5, 7], y: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 5, 7] {
        let a = (x * y).atan2(&x.exp());
        a.hypot(&(y + 2.0))
    }
    remainder at (photo(1), between(Default::default(), 2, 0.13, 0.41)) = |x: Tensor![f64; 2, 2, 5, 7], y: Tensor![f64; 7]| -> Tensor![f64; 2, 2, 5, 7] {
        (x % y) * x
    }
    remainder_by_a_scalar at (photo(1), 0.3) = |x: Tensor![f64; 2, 2, 5, 7], m: f64| -> Tensor![f64; 2, 2, 5, 7] { (x * x) % *m }
    pow at (between(Default::default(), 1, 0.2, 2.0), filled::<shape![7]>(2))
        = |x: Tensor![f64; 3, 7], y: Tensor![f64; 7]| -> Tensor![f64; 3, 7] { x.pow(y) }
    lerp at (photo(1), photo(2), 0.3) = |x: Tensor![f64; 2, 2, 5, 7], y: Tensor![f64; 2, 2, 5, 7], w: f64| -> Tensor![f64; 2, 2, 5, 7] { x.lerp(y, *w).lerp(x, 0.25) }

    argmax_keepdim at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 1, 5, 7] {
        x.gather::<1, _, _>(&x.argmax_keepdim::<1>()) * 2.0 - x.gather::<1, _, _>(&x.argmin_keepdim::<1>())
    }
    any_axes at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 5, 7] {
        let m = x.gt(0.0).any_axes::<Axes2<0, 1>>();
        m.select(&x.sum_axes::<Axes2<0, 1>>(), &x.mean_axes::<Axes2<0, 1>>())
    }

    prod_axes at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 7] { x.prod_axes::<Axes2<1, 2>>() }
    prod_axes_keepdim at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 1, 1, 7] { x.prod_axes_keepdim::<Axes2<1, 2>>() }
    var_axes at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 7] { x.var_axes::<Axes2<1, 2>>(1) }
    var_axes_keepdim at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 1, 1, 7] { x.var_axes_keepdim::<Axes2<1, 2>>(0) }
    std_axes at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 5] { x.std_axes::<Axes2<-3, -1>>(1) }
    std_axes_keepdim at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 1, 5, 1] { x.std_axes_keepdim::<Axes2<1, 3>>(1) }
    norm_axes at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 7] { x.norm_axes::<Axes2<1, 2>>() }
    norm_axes_keepdim at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 1, 1, 7] { x.norm_axes_keepdim::<Axes2<1, 2>>() }
    norm_l1_axes at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 7] { x.norm_l1_axes::<Axes2<1, 2>>() }
    norm_l1_axes_keepdim at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 1, 1, 7] {
        x.norm_l1_axes_keepdim::<Axes2<1, 2>>()
    }
    norm_p_axes at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 7] { x.norm_p_axes::<Axes2<1, 2>>(3.0) }
    norm_p_axes_keepdim at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 1, 1, 7] {
        x.norm_p_axes_keepdim::<Axes2<1, 2>>(1.5)
    }
    logsumexp_axes at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 7] { x.logsumexp_axes::<Axes2<1, 2>>() }
    logsumexp_axes_keepdim at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 1, 1, 7] {
        x.logsumexp_axes_keepdim::<Axes2<1, 2>>()
    }

    matmul_of_one_and_a_batch at (filled::<shape![4, 3]>(1), filled::<shape![2, 3, 5]>(2))
        = |x: Tensor![f64; 4, 3], y: Tensor![f64; 2, 3, 5]| -> Tensor![f64; 2, 4, 5] { x.matmul(y) }
    matmul_of_batches_of_different_rank at (
        filled::<shape![6, 2, 4, 3]>(1),
        between((Sz::<2>, Sz::<3>, Long(5)), 2, -1.0, 1.0)
    ) = |x: Tensor![f64; 6, 2, 4, 3], y: Tensor![f64; 2, 3, Long]| -> Tensor![f64; 6, 2, 4, Long] { x.matmul(y) }
    matmul_of_a_smaller_batch at (filled::<shape![2, 4, 3]>(1), filled::<shape![6, 2, 3, 1]>(2))
        = |x: Tensor![f64; 2, 4, 3], y: Tensor![f64; 6, 2, 3, 1]| -> Tensor![f64; 6, 2, 4, 1] { x.matmul(y) }
    matmul_of_an_expanded_batch at (filled::<shape![1, 4, 3]>(1), filled::<shape![6, 3, 2]>(2))
        = |x: Tensor![f64; 1, 4, 3], y: Tensor![f64; 6, 3, 2]| -> Tensor![f64; 6, 4, 2] {
            x.expand::<0, _>(Sz::<6>).matmul(y)
        }
    tensordot at (filled::<shape![4, 2, 3]>(1), filled::<shape![2, 3, 5]>(2))
        = |x: Tensor![f64; 4, 2, 3], y: Tensor![f64; 2, 3, 5]| -> Tensor![f64; 4, 5] { x.tensordot::<2, _>(y) }
    tensordot_of_all at (filled::<shape![2, 3]>(1), filled::<shape![2, 3]>(2))
        = |x: Tensor![f64; 2, 3], y: Tensor![f64; 2, 3]| -> Tensor![f64;] { x.tensordot::<2, _>(y) }
    tensordot_of_one_axis at (filled::<shape![2, 5, 3]>(1), filled::<shape![3, 1, 4]>(2))
        = |x: Tensor![f64; 2, 5, 3], y: Tensor![f64; 3, 1, 4]| -> Tensor![f64; 2, 5, 1, 4] { x.tensordot::<1, _>(y) }

    batch_norm_inference at (
        photo(1),
        filled::<shape![2]>(2),
        between(Default::default(), 3, 0.2, 2.0),
        filled::<shape![2]>(4),
        filled::<shape![2]>(5)
    ) = |x: Tensor![f64; 2, 2, 5, 7], m: Tensor![f64; 2], v: Tensor![f64; 2], g: Tensor![f64; 2], b: Tensor![f64; 2]| -> Tensor![f64; 2, 2, 5, 7] {
        x.batch_norm_inference(m, v, g, b, 1e-2)
    }
    batch_norm_inference_of_rows at (between((Images(4), Sz::<3>), 1, -1.0, 1.0), filled::<shape![3]>(4))
        = |x: Tensor![f64; Images, 3], g: Tensor![f64; 3]| -> Tensor![f64; Images, 3] {
            x.batch_norm_inference(g, &(g * g), g, &g.exp(), 0.1)
        }
    unfold at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 2, 7, 3] { x.unfold::<2, 3, 2>() }
    unfold_of_the_last at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 5, 6, 2] { x.unfold::<-1, 2, 1>() }
    unfold_with_gaps at (between((Long(8), Sz::<2>), 1, -1.0, 1.0)) = |x: Tensor![f64; Long, 2]| -> f64 {
        let y = x.unfold::<0, 2, 3>();
        (&y * &y * &y).sum().item()
    }
    repeat_to at (between((Images(2), Sz::<3>), 1, -1.0, 1.0)) = |x: Tensor![f64; Images, 3]| -> Tensor![f64; Long, 3] {
        x.repeat_to::<0, _>(Long(6))
    }
    repeat_interleave_to at (between((Images(2), Sz::<3>), 1, -1.0, 1.0))
        = |x: Tensor![f64; Images, 3]| -> Tensor![f64; Long, 9] {
            x.repeat_interleave_to::<0, _>(Long(4)).repeat_interleave_to::<1, _>(Sz::<9>)
        }
    pad_to at (between((Sz::<3>, Images(2)), 1, -1.0, 1.0), 0.7)
        = |x: Tensor![f64; 3, Images], v: f64| -> Tensor![f64; 3, Long] { x.pad_to::<-1, _>(2, Long(7), *v) }
    pad_reflect_to at (between((Images(4), Sz::<3>), 1, -1.0, 1.0), Long(8))
        = |x: Tensor![f64; Images, 3], n: Long| -> Tensor![f64; Long, 3] { x.pad_reflect_to::<0, _>(3, *n) }
    pad_replicate_to at (between((Images(2), Sz::<3>), 1, -1.0, 1.0), 2usize)
        = |x: Tensor![f64; Images, 3], before: usize| -> Tensor![f64; Long, 3] {
            x.pad_replicate_to::<0, _>(*before, Long(7))
        }
    stack_to at (vec![photo(1), photo(2), photo(3)]) = |x: Vec<Tensor![f64; 2, 2, 5, 7]>| -> Tensor![f64; 2, Long, 2, 5, 7] {
        Tensor::stack_to::<1, _>(x, Long(x.len()))
    }
}
