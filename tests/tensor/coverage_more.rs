//! Resampling, transposed convolutions and what else came later, inside annotated functions, in both modes.

use crate::check::between;
use crate::coverage::covered;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Images, Height, Width, Long);

type Photo = Tensor![f64; 2, 2, 5, 7];

fn photo(seed: u64) -> Photo {
    filled(seed)
}

fn filled<S: Shape + Default>(seed: u64) -> Tensor<S, f64> {
    between(S::default(), seed, -1.0, 1.0)
}

covered! {
    interpolate_nearest at (photo(1)) = |x: Photo| -> Tensor![f64; 2, 2, 8, 3] {
        x.interpolate_nearest(Sz::<8>, Sz::<3>)
    }
    interpolate_bilinear at (photo(1)) = |x: Photo| -> Tensor![f64; 2, 2, 8, 3] {
        x.interpolate_bilinear(Sz::<8>, Sz::<3>)
    }
    interpolate_bilinear_aligned at (photo(1)) = |x: Photo| -> Tensor![f64; 2, 2, 4, 13] {
        x.interpolate_bilinear_aligned(Sz::<4>, Sz::<13>)
    }
    interpolate_to_run_time_sizes at (
        between((Images(2), Height(3), Width(4)), 3, -1.0, 1.0),
        Height(5)
    ) = |x: Tensor![f64; Images, Height, Width], h: Height| -> f64 {
        let y = x.interpolate_bilinear(*h, Width(3)).sin();
        (&y * &y).sum().item()
    }
    interpolate_nearest1d at (photo(1)) = |x: Photo| -> Tensor![f64; 2, 2, 5, 9] {
        x.interpolate_nearest1d(Sz::<9>)
    }
    interpolate_linear at (photo(1)) = |x: Photo| -> Tensor![f64; 2, 2, 5, 9] {
        x.interpolate_linear(Sz::<9>)
    }
    interpolate_linear_aligned at (photo(1)) = |x: Photo| -> Tensor![f64; 2, 2, 5, 4] {
        x.interpolate_linear_aligned(Sz::<4>)
    }
    upsample_nearest at (photo(1)) = |x: Photo| -> Tensor![f64; 2, 2, 10, 14] { x.upsample_nearest::<2>() }
    upsample_bilinear at (photo(1)) = |x: Photo| -> Tensor![f64; 2, 2, 15, 21] { x.upsample_bilinear::<3>() }
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
        = |x: Photo, w: Tensor![f64; 2, 3, 3, 2]| -> Tensor![f64; 2, 6, 10, 9] {
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
        (&z * &z).sum().item()
    }
}
