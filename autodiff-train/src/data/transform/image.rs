//! Random changes of images, for [`Dataset::augment`](crate::data::Dataset::augment).
//!
//! Images have the shape `[channels, height, width]`. Each function draws what it needs from the seeds it is given, so that the
//! change depends on the row and the epoch alone.

use crate::data::DataError;
use autodiff_nn::device::Elem;
use autodiff_nn::nn::Seeds;
use autodiff_nn::shape::{Dim, Sz};
use autodiff_nn::tensor::Tensor;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

fn rng(seeds: &mut Seeds) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seeds.next_seed())
}

/// An image whose pixel at `(row, column)` is that of `x` at `from(row, column)`; 0 where this is outside.
fn moved<C: Dim, T: Elem>(
    x: &Tensor<(C, impl Dim, impl Dim), T>,
    (height, width): (usize, usize),
    from: impl Fn(usize, usize) -> (Option<usize>, Option<usize>),
) -> Vec<T> {
    let (channels, h, w) = (x.dims()[0], x.dims()[1], x.dims()[2]);
    let pixels = x.to_vec();
    let mut out = vec![T::default(); channels * height * width];
    for (at, pixel) in out.iter_mut().enumerate() {
        let (row, column) = (at / width % height, at % width);
        if let (Some(i), Some(j)) = from(row, column)
            && i < h
            && j < w
        {
            *pixel = pixels[(at / (height * width) * h + i) * w + j];
        }
    }
    out
}

/// The image, or its mirror image from left to right, with equal probability.
///
/// ```
/// use differentiable::data::{Dataset, Loader, random_crop, random_flip};
/// use differentiable::prelude::*;
///
/// dim!(Batch);
///
/// let images: Vec<Tensor![3, 32, 32]> = vec![Tensor::ones(); 8];
/// let images = images
///     .augment(0, |x, seeds| random_flip(&x, seeds))
///     .try_augment(1, |x, seeds| random_crop(&x, 4, seeds));
/// for batch in Loader::new(&images, 4).stack(Batch).epoch(0) {
///     let x: Tensor![Batch, 3, 32, 32] = batch;
/// }
/// ```
pub fn random_flip<C: Dim, H: Dim, W: Dim, T: Elem>(
    x: &Tensor<(C, H, W), T>,
    seeds: &mut Seeds,
) -> Tensor<(C, H, W), T> {
    if !rng(seeds).random::<bool>() {
        return x.clone();
    }
    let (h, w) = (x.dims()[1], x.dims()[2]);
    let pixels = moved(x, (h, w), |i, j| (Some(i), Some(w - 1 - j)));
    same_shape(x, pixels)
}

/// The image moved by up to `by` pixels up or down, and as many left or right; what is uncovered is 0.
pub fn random_shift<C: Dim, H: Dim, W: Dim, T: Elem>(
    x: &Tensor<(C, H, W), T>,
    by: usize,
    seeds: &mut Seeds,
) -> Tensor<(C, H, W), T> {
    let mut rng = rng(seeds);
    let mut draw = || rng.random_range(0..=2 * by);
    let (down, right) = (draw(), draw());
    let size = (x.dims()[1], x.dims()[2]);
    let from = |at: usize, moved: usize| (at + by).checked_sub(moved);
    let pixels = moved(x, size, |i, j| (from(i, down), from(j, right)));
    same_shape(x, pixels)
}

/// A part of the image of `A × B` pixels, at a random place, with `padding` zeros added on each side before: of a
/// 32 × 32 image, a 32 × 32 crop with a padding of 4 is what networks for CIFAR are trained on (He et al. 2016).
///
/// # Errors
/// [`DataError::Crop`] if the padded image is smaller than the crop.
pub fn random_crop<C: Dim, H: Dim, W: Dim, const A: usize, const B: usize, T: Elem>(
    x: &Tensor<(C, H, W), T>,
    padding: usize,
    seeds: &mut Seeds,
) -> Result<Tensor<(C, Sz<A>, Sz<B>), T>, DataError> {
    let (height, width) = (x.dims()[1] + 2 * padding, x.dims()[2] + 2 * padding);
    if height < A || width < B {
        return Err(DataError::Crop {
            height,
            width,
            crop: (A, B),
        });
    }
    let mut rng = rng(seeds);
    let (top, left) = (
        rng.random_range(0..=height - A),
        rng.random_range(0..=width - B),
    );
    let from = |at: usize, start: usize| (at + start).checked_sub(padding);
    let pixels = moved(x, (A, B), |i, j| (from(i, top), from(j, left)));
    Tensor::from_vec_with((x.shape().0, Sz, Sz), pixels).map_err(DataError::other)
}

fn same_shape<C: Dim, H: Dim, W: Dim, T: Elem>(
    x: &Tensor<(C, H, W), T>,
    pixels: Vec<T>,
) -> Tensor<(C, H, W), T> {
    Tensor::from_vec_with(x.shape(), pixels).expect("as many pixels as before")
}

#[cfg(test)]
mod tests {
    use super::*;
    use autodiff_nn::prelude::*;
    use std::collections::HashSet;

    fn image() -> Tensor<(Sz<2>, Sz<3>, Sz<4>), i64> {
        Tensor::from_fn(|i| i as i64 + 1)
    }

    /// What a function makes of the image for 200 seeds.
    fn all<S: Shape>(f: impl Fn(&mut Seeds) -> Tensor<S, i64>) -> HashSet<Vec<i64>> {
        (0..200).map(|s| f(&mut Seeds::new(s)).to_vec()).collect()
    }

    #[test]
    fn a_flip_is_the_image_or_its_mirror() {
        let mirror: Tensor<(Sz<2>, Sz<3>, Sz<4>), i64> = image().flip::<2>();
        let found = all(|seeds| random_flip(&image(), seeds));
        assert_eq!(found, HashSet::from([image().to_vec(), mirror.to_vec()]));
    }

    #[test]
    fn shifts_go_in_all_directions() {
        // Each of 3 × 3 displacements, read from the padded image.
        let found = all(|seeds| random_shift(&image(), 1, seeds));
        let mut expected = HashSet::new();
        for down in -1..=1 {
            for right in -1..=1 {
                let pixel = |c: i64, i: i64, j: i64| {
                    let inside = (0..3).contains(&i) && (0..4).contains(&j);
                    if inside { c * 12 + i * 4 + j + 1 } else { 0 }
                };
                let mut x = Vec::new();
                for at in 0..24 {
                    x.push(pixel(at / 12, at / 4 % 3 - down, at % 4 - right));
                }
                expected.insert(x);
            }
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn crops_are_parts_of_the_padded_image() {
        let found = all(|seeds| random_crop::<_, _, _, 2, 4, _>(&image(), 0, seeds).unwrap());
        let part = |top: usize| -> Vec<i64> {
            let x = image().to_vec();
            [&x[4 * top..4 * top + 8], &x[12 + 4 * top..20 + 4 * top]].concat()
        };
        assert_eq!(found, HashSet::from([part(0), part(1)]));
        // All but the corner of the padding.
        let padded = all(|seeds| random_crop::<_, _, _, 3, 4, _>(&image(), 1, seeds).unwrap());
        assert_eq!(padded, all(|seeds| random_shift(&image(), 1, seeds)));
        let error = random_crop::<_, _, _, 6, 4, _>(&image(), 1, &mut Seeds::new(0)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected a crop of at most 5 × 6 pixels, the padded image, found 6 × 4"
        );
    }
}
