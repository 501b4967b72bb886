//! Convolutions and pooling inside annotated functions, in both modes.

use crate::check::between;
use crate::coverage::covered;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Images, Height, Width);

type Photo = Tensor![f64; 2, 2, 5, 7];

fn photo(seed: u64) -> Photo {
    between(Default::default(), seed, -1.0, 1.0)
}

fn filled<S: Shape + Default>(seed: u64) -> Tensor<S, f64> {
    between(S::default(), seed, -1.0, 1.0)
}

covered! {
    conv1d at (filled::<shape![2, 3, 8]>(1), filled::<shape![4, 3, 3]>(2))
        = |x: Tensor![f64; 2, 3, 8], w: Tensor![f64; 4, 3, 3]| -> Tensor![f64; 2, 4, 4] {
            x.conv1d(w, Win::new().stride::<2>().pad::<1>())
        }
    conv2d at (photo(1), filled::<shape![3, 2, 3, 3]>(2))
        = |x: Tensor![f64; 2, 2, 5, 7], w: Tensor![f64; 3, 2, 3, 3]| -> Tensor![f64; 2, 3, 5, 7] {
            x.conv2d(w, Win::new().pad::<1>())
        }
    conv2d_of_one_entry at (photo(1), filled::<shape![3, 2, 1, 1]>(2))
        = |x: Tensor![f64; 2, 2, 5, 7], w: Tensor![f64; 3, 2, 1, 1]| -> Tensor![f64; 2, 3, 5, 7] {
            x.conv2d(w, Win::new())
        }
    conv2d_rectangular at (photo(1), filled::<shape![3, 2, 2, 3]>(2))
        = |x: Tensor![f64; 2, 2, 5, 7], w: Tensor![f64; 3, 2, 2, 3]| -> Tensor![f64; 2, 3, 6, 3] {
            x.conv2d(w, (Win::new().pad::<1>(), Win::new().stride::<2>()))
        }
    conv2d_dilated at (photo(1), filled::<shape![3, 2, 2, 3]>(2))
        = |x: Tensor![f64; 2, 2, 5, 7], w: Tensor![f64; 3, 2, 2, 3]| -> Tensor![f64; 2, 3, 3, 3] {
            let step = Win::new().dilation::<2>();
            x.conv2d(w, step).relu() + x.conv2d(w, step)
        }
    conv2d_of_run_time_sizes at (
        between((Images(2), Sz::<2>, Height(4), Width(5)), 3, -1.0, 1.0),
        filled::<shape![3, 2, 3, 2]>(2)
    ) = |x: Tensor![f64; Images, 2, Height, Width], w: Tensor![f64; 3, 2, 3, 2]| -> f64 {
        let y = x.conv2d(w, Win::new().pad::<1>());
        let z = y.max_pool::<2, 1>();
        (&z * &z).sum().item()
    }
    conv3d at (filled::<shape![1, 2, 3, 4, 3]>(1), filled::<shape![2, 2, 2, 2, 3]>(2))
        = |x: Tensor![f64; 1, 2, 3, 4, 3], w: Tensor![f64; 2, 2, 2, 2, 3]| -> Tensor![f64; 1, 2, 2, 3, 3] {
            x.conv3d(w, (Win::new(), Win::new(), Win::new().pad::<1>()))
        }
    conv1d_grouped at (filled::<shape![2, 4, 6]>(1), filled::<shape![2, 2, 3]>(2))
        = |x: Tensor![f64; 2, 4, 6], w: Tensor![f64; 2, 2, 3]| -> Tensor![f64; 2, 2, 4] {
            x.conv1d_grouped(w, Win::new(), Groups::<2>)
        }
    conv2d_grouped at (filled::<shape![2, 4, 5, 3]>(1), filled::<shape![8, 1, 3, 3]>(2))
        = |x: Tensor![f64; 2, 4, 5, 3], w: Tensor![f64; 8, 1, 3, 3]| -> Tensor![f64; 2, 8, 5, 3] {
            x.conv2d_grouped(w, Win::new().pad::<1>(), Groups::<4>)
        }
    conv3d_grouped at (filled::<shape![1, 2, 2, 3, 3]>(1), filled::<shape![2, 1, 2, 2, 2]>(2))
        = |x: Tensor![f64; 1, 2, 2, 3, 3], w: Tensor![f64; 2, 1, 2, 2, 2]| -> Tensor![f64; 1, 2, 1, 2, 2] {
            x.conv3d_grouped(w, Win::new(), Groups::<2>)
        }
    conv_transpose1d at (filled::<shape![2, 3, 4]>(1), filled::<shape![3, 2, 3]>(2))
        = |x: Tensor![f64; 2, 3, 4], w: Tensor![f64; 3, 2, 3]| -> Tensor![f64; 2, 2, 7] {
            x.conv_transpose1d(w, Win::new().stride::<2>().pad::<1>())
        }
    conv_transpose2d at (photo(1), filled::<shape![2, 3, 2, 2]>(2))
        = |x: Tensor![f64; 2, 2, 5, 7], w: Tensor![f64; 2, 3, 2, 2]| -> Tensor![f64; 2, 3, 10, 14] {
            x.conv_transpose2d(w, Win::new().stride::<2>())
        }
    conv_transpose3d at (filled::<shape![1, 2, 2, 3, 2]>(1), filled::<shape![2, 2, 2, 1, 2]>(2))
        = |x: Tensor![f64; 1, 2, 2, 3, 2], w: Tensor![f64; 2, 2, 2, 1, 2]| -> Tensor![f64; 1, 2, 3, 3, 3] {
            x.conv_transpose3d(w, Win::new())
        }
    max_pool at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 2, 3] { x.max_pool::<2, 2>() }
    avg_pool at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 2, 3] { x.avg_pool::<3, 2>() }
    max_pool1d at (filled::<shape![2, 3, 8]>(1)) = |x: Tensor![f64; 2, 3, 8]| -> Tensor![f64; 2, 3, 4] {
        x.max_pool1d::<3, _>(Win::new().stride::<2>().pad::<1>())
    }
    max_pool2d at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 3, 4] {
        x.max_pool2d::<3, 3, _>(Win::new().stride::<2>().pad::<1>())
    }
    max_pool3d at (filled::<shape![1, 2, 3, 4, 3]>(1))
        = |x: Tensor![f64; 1, 2, 3, 4, 3]| -> Tensor![f64; 1, 2, 2, 3, 2] {
            x.max_pool3d::<2, 2, 2, _>(Win::new())
        }
    avg_pool1d at (filled::<shape![2, 3, 8]>(1)) = |x: Tensor![f64; 2, 3, 8]| -> Tensor![f64; 2, 3, 4] {
        x.avg_pool1d::<3, _>(Win::new().stride::<2>().pad::<1>())
    }
    avg_pool2d at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 4, 3] {
        x.avg_pool2d::<2, 3, _>((Win::new(), Win::new().stride::<2>()))
    }
    avg_pool3d at (filled::<shape![1, 2, 3, 4, 3]>(1))
        = |x: Tensor![f64; 1, 2, 3, 4, 3]| -> Tensor![f64; 1, 2, 2, 3, 2] {
            x.avg_pool3d::<2, 2, 2, _>(Win::new())
        }
    adaptive_max_pool2d at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 3, 2] {
        x.adaptive_max_pool2d::<3, 2>()
    }
    adaptive_max_pool1d at (filled::<shape![2, 3, 7]>(1)) = |x: Tensor![f64; 2, 3, 7]| -> Tensor![f64; 2, 3, 3] {
        x.adaptive_max_pool1d::<3>()
    }
    adaptive_max_pool3d at (filled::<shape![1, 2, 3, 4, 3]>(1))
        = |x: Tensor![f64; 1, 2, 3, 4, 3]| -> Tensor![f64; 1, 2, 2, 3, 1] {
            x.adaptive_max_pool3d::<2, 3, 1>()
        }
    adaptive_avg_pool1d at (filled::<shape![2, 3, 7]>(1)) = |x: Tensor![f64; 2, 3, 7]| -> Tensor![f64; 2, 3, 3] {
        x.adaptive_avg_pool1d::<3>()
    }
    adaptive_avg_pool3d at (filled::<shape![1, 2, 3, 4, 3]>(1))
        = |x: Tensor![f64; 1, 2, 3, 4, 3]| -> Tensor![f64; 1, 2, 2, 3, 1] {
            x.adaptive_avg_pool3d::<2, 3, 1>()
        }
    adaptive_avg_pool2d at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 2, 3, 2] {
        x.adaptive_avg_pool2d::<3, 2>()
    }
    unfold2d at (photo(1)) = |x: Tensor![f64; 2, 2, 5, 7]| -> Tensor![f64; 2, 12, 20] {
        x.unfold2d::<2, 3, _>(Win::new())
    }
    fold2d at (filled::<shape![2, 12, 20]>(1)) = |x: Tensor![f64; 2, 12, 20]| -> Tensor![f64; 2, 2, 5, 7] {
        x.fold2d::<2, 5, 7, 2, 3, _>(Win::new())
    }
}
