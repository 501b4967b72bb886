//! Losses of vectors that should be near or far from each other.

use autodiff_core::prelude::*;
use autodiff_core::shape::Axis;

/// The cosines of the angles between vectors along the last axis: `a·b/(max(‖a‖, 1e−8)·max(‖b‖, 1e−8))`.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::cosine_similarity;
/// let cosines = cosine_similarity(&tensor([[1.0, 0.0], [1.0, 1.0]]), &tensor([[2.0, 0.0], [1.0, -1.0]]));
/// assert_eq!(cosines.to_vec(), [1.0, 0.0]);
/// ```
///
/// # Panics
/// If run-time dimensions differ.
#[differentiable]
pub fn cosine_similarity<S: Shape + Axis<-1>, T: Float>(
    a: &Tensor<S, T>,
    b: &Tensor<S, T>,
) -> Tensor<<S as Axis<-1>>::Without, T> {
    let least: T = no_grad!(T::lit(1e-8));
    let lengths = a.norm_axis::<-1>().clamp_min(least) * b.norm_axis::<-1>().clamp_min(least);
    (a * b).sum_axis::<-1>() / lengths
}

/// The mean of `1 − cos(a, b)` for similar pairs of rows, and of `max(0, cos(a, b) − margin)` for the others, with
/// `cos(a, b) = a·b/√((‖a‖² + ε)(‖b‖² + ε))` and ε = 1e−12: PyTorch's `cosine_embedding_loss`.
///
/// # Panics
/// If run-time dimensions differ.
#[differentiable]
pub fn cosine_embedding_loss<B: Dim, N: Dim, T: Float>(
    a: &Tensor<(B, N), T>,
    b: &Tensor<(B, N), T>,
    similar: &Tensor<(B,), bool>,
    #[constant] margin: T,
) -> Tensor<(), T> {
    let (epsilon, one): (T, T) = no_grad!((T::lit(1e-12), T::lit(1.0)));
    let squares = (a.square().sum_axis::<1>() + epsilon) * (b.square().sum_axis::<1>() + epsilon);
    let cosines = (a * b).sum_axis::<1>() / squares.sqrt();
    let near = -&cosines + one;
    let far = (&cosines - margin).relu();
    similar.select(&near, &far).mean()
}

/// The mean of `½d²` for similar pairs of rows, and of `½·max(0, margin − d)²` for the others, with `d = ‖a − b‖`
/// (Hadsell et al. 2006). At `d = 0` the derivative is 0.
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::contrastive_loss;
/// let (a, b) = (tensor([[0.0, 0.0], [0.0, 0.0]]), tensor([[3.0, 4.0], [0.6, 0.8]]));
/// let loss = contrastive_loss(&a, &b, &tensor([true, false]), 2.0);
/// assert_eq!(loss.item(), (0.5 * 25.0 + 0.5 * 1.0) / 2.0);
/// ```
///
/// # Panics
/// If run-time dimensions differ.
#[differentiable]
pub fn contrastive_loss<B: Dim, N: Dim, T: Float>(
    a: &Tensor<(B, N), T>,
    b: &Tensor<(B, N), T>,
    similar: &Tensor<(B,), bool>,
    #[constant] margin: T,
) -> Tensor<(), T> {
    let apart = a - b;
    let near = apart.square().sum_axis::<1>();
    let half: T = no_grad!(T::lit(0.5));
    let far = (-apart.norm_axis::<1>() + margin).relu().square();
    similar.select(&near, &far).mean() * half
}

/// The mean of `max(0, d(anchor, positive) − d(anchor, negative) + margin)` over the rows, with `d(a, b) = ‖a − b + 1e−6‖`:
/// PyTorch's `triplet_margin_loss` (Balntas et al. 2016).
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::triplet_loss;
/// let anchor: Tensor![f64; 8, 4] = Tensor::randn(0);
/// let (same, other) = (&anchor + 0.1, Tensor::randn(1));
/// assert!(triplet_loss(&anchor, &same, &other, 1.0).item() < triplet_loss(&anchor, &other, &same, 1.0).item());
/// ```
///
/// # Panics
/// If run-time dimensions differ.
#[differentiable]
pub fn triplet_loss<B: Dim, N: Dim, T: Float>(
    anchor: &Tensor<(B, N), T>,
    positive: &Tensor<(B, N), T>,
    negative: &Tensor<(B, N), T>,
    #[constant] margin: T,
) -> Tensor<(), T> {
    let epsilon: T = no_grad!(T::lit(1e-6));
    let to_positive = (anchor - positive + epsilon).norm_axis::<1>();
    let to_negative = (anchor - negative + epsilon).norm_axis::<1>();
    (to_positive - to_negative + margin).relu().mean()
}

/// The cross entropy of finding, for each query, the key of its row among the keys of the batch, with cosines divided by a
/// temperature as logits: InfoNCE (van den Oord et al. 2018).
///
/// ```
/// use differentiable::prelude::*;
/// use differentiable::nn::info_nce;
/// let x: Tensor![f64; 8, 4] = Tensor::randn(0);
/// assert!(info_nce(&x, &x, 0.1).item() < info_nce(&x, &Tensor::randn(1), 0.1).item());
/// ```
///
/// # Panics
/// If run-time dimensions differ.
#[differentiable]
pub fn info_nce<B: Dim, N: Dim, T: Float>(
    queries: &Tensor<(B, N), T>,
    keys: &Tensor<(B, N), T>,
    #[constant] temperature: T,
) -> Tensor<(), T> {
    let rows: Tensor<(B,), i64> = no_grad!(own_rows(queries));
    (cosines(queries, keys) / temperature).cross_entropy(&rows)
}

/// The mean of the two cross entropies of finding the text of each image and the image of each text in the batch, with the
/// cosines times `scale` as logits (Radford et al. 2021). The scale is trained as a logarithm: `log_scale.exp()`, from
/// `ln(1/0.07)` on.
///
/// # Panics
/// If run-time dimensions differ.
#[differentiable]
pub fn clip_loss<B: Dim, N: Dim, T: Float>(
    images: &Tensor<(B, N), T>,
    texts: &Tensor<(B, N), T>,
    scale: &Tensor<(), T>,
) -> Tensor<(), T> {
    let logits = cosines(images, texts) * scale;
    let rows: Tensor<(B,), i64> = no_grad!(own_rows(images));
    let half: T = no_grad!(T::lit(0.5));
    (logits.cross_entropy(&rows) + logits.transpose::<0, 1>().cross_entropy(&rows)) * half
}

/// The cosines of all pairs.
#[differentiable]
fn cosines<B: Dim, N: Dim, T: Float>(
    a: &Tensor<(B, N), T>,
    b: &Tensor<(B, N), T>,
) -> Tensor<(B, B), T> {
    let least: T = no_grad!(T::lit(1e-8));
    let of_a = a.norm_axis::<1>().clamp_min(least);
    let of_b = b.norm_axis::<1>().clamp_min(least);
    a.matmul(&b.transpose::<0, 1>()) / of_a.outer(&of_b)
}

/// `0, 1, 2, …`: the partner of each row is in the same row.
fn own_rows<B: Dim, N: Dim, T: Float>(x: &Tensor<(B, N), T>) -> Tensor<(B,), i64> {
    Tensor::from_fn_with((x.shape().0,), |i| i as i64).to(x.device())
}
