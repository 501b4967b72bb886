//! Every operation of tensors inside a user's `#[differentiable]` function, in both modes.
//!
//! The other modules check the rules themselves; this one that generated code reaches each of them.

use crate::check::between;
use differentiable::ad::check_grads;
use differentiable::prelude::*;
use std::collections::BTreeSet;
use std::path::PathBuf;

dim!(Batch, Time);

type Matrix = Tensor![f64; 2, 3];
type Ragged = Tensor![f64; Batch, 3];

/// Positive entries below 1, no two alike: in the domain of every function, away from ties.
fn matrix(seed: u64) -> Matrix {
    between(Default::default(), seed, 0.1, 0.9)
}

fn ragged(seed: u64) -> Ragged {
    between((Batch(4), Sz), seed, 0.1, 0.9)
}

/// A test for each function, which is compared with central differences at the arguments given, its products with Hessians with
/// those of the gradient, and its results for several examples at once with those for each. The last two in one build only,
/// debug and fused: they double what is compiled.
macro_rules! covered {
    ($($name:ident at ($($arg:expr),*) = |$($params:ident: $ty:ty),*| -> $out:ty { $($body:tt)* })*) => { $(
        #[test]
        fn $name() {
            #[cfg_attr(all(debug_assertions, not(feature = "unfused")), differentiable(higher_order(Tensor)))]
            #[cfg_attr(not(all(debug_assertions, not(feature = "unfused"))), differentiable)]
            #[allow(clippy::ptr_arg)] // the arguments are named by the types that own them
            fn function($($params: &$ty),*) -> $out {
                $($body)*
            }
            let args = ($($arg,)*);
            check_grads::<function, _>(&args).unwrap();
            #[cfg(all(debug_assertions, not(feature = "unfused")))]
            {
                differentiable::ad::check_hvp::<function, f64, _>(&args).unwrap();
                crate::examples::check_examples::<function, _>(stringify!($name), &args);
            }
        }
    )* };
}

/// The same of functions whose types have no form over other scalars, as `Linear<3, 2, f64>`.
macro_rules! first_order {
    ($($name:ident at ($($arg:expr),*) = |$($params:ident: $ty:ty),*| -> $out:ty { $($body:tt)* })*) => { $(
        #[test]
        fn $name() {
            #[differentiable]
            #[allow(clippy::ptr_arg)]
            fn function($($params: &$ty),*) -> $out {
                $($body)*
            }
            check_grads::<function, _>(&($($arg,)*)).unwrap();
        }
    )* };
}

pub(crate) use covered;
pub(crate) use first_order;

/// Functions of every element.
macro_rules! elementwise {
    ($($name:ident)*) => {
        covered! { $($name at (ragged(7)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.$name() })* }
    };
}

elementwise! {
    exp exp2 exp_m1 sqrt cbrt tan tanh recip sigmoid relu ln log2 log10 ln_1p sin cos sinh cosh asin
    acos atan asinh atanh abs fract gelu silu softplus to_degrees to_radians square gelu_tanh
    erf erfc lgamma digamma mish hardswish hardsigmoid softsign log_sigmoid selu
}

covered! {
    sine_and_cosine at (ragged(7)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] {
        let (s, c) = (x.sin(), x.cos());
        &s * &(&s - &c)
    }
    acosh at (&ragged(7) + 1.0) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.acosh() }
    powi at (ragged(7)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.powi(-3) }
    powf at (ragged(7), 1.7) = |x: Tensor![f64; Batch, 3], p: f64| -> Tensor![f64; Batch, 3] { x.powf(*p) }
    elu at (&ragged(7) - 0.5, 0.7) = |x: Tensor![f64; Batch, 3], a: f64| -> Tensor![f64; Batch, 3] { x.elu(*a) }
    celu at (&ragged(7) - 0.5, 0.7) = |x: Tensor![f64; Batch, 3], a: f64| -> Tensor![f64; Batch, 3] { x.celu(*a) }
    leaky_relu at (&ragged(7) - 0.5, 0.1) = |x: Tensor![f64; Batch, 3], slope: f64| -> Tensor![f64; Batch, 3] { x.leaky_relu(*slope) }
    leaky_relu_with_a_constant at (&ragged(7) - 0.5) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.leaky_relu(0.01).elu(1.0) }
    dropout at (ragged(7)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.dropout(0.4, 3) * x }
    clamp at (ragged(7), 0.3, 0.6) = |x: Tensor![f64; Batch, 3], lo: f64, hi: f64| -> Tensor![f64; Batch, 3] { x.clamp(*lo, *hi) }

    // Their derivative is zero; what is left is that of the product.
    floor at (ragged(7)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { (x * 10.0).floor() * x }
    ceil at (ragged(7)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { (x * 10.0).ceil() * x }
    round at (ragged(7)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { (x * 10.0).round() * x }
    trunc at (ragged(7)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { (x * 10.0).trunc() * x }
    signum at (ragged(7)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { (x - 0.5).signum() * x }
}

covered! {
    add at (ragged(1), ragged(2)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x + y }
    sub at (ragged(1), ragged(2)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x - y }
    mul at (ragged(1), ragged(2)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x * y }
    div at (ragged(1), ragged(2)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x / y }
    neg at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { -x }
    mixed_ownership at (ragged(1), ragged(2)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] {
        let sum = x + y;
        let both = sum.clone() * &sum - x.exp() / sum;
        -(both.clone() + both * 0.5)
    }
    broadcast at (ragged(1), between((Sz::<3>,), 2, 0.1, 0.9)) = |x: Tensor![f64; Batch, 3], b: Tensor![f64; 3]| -> Tensor![f64; Batch, 3] {
        (x + b) * b - b / x
    }
    broadcast_a_scalar_tensor at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x / x.sum() - x.mean() }
    assign at (ragged(1), ragged(2)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] {
        let mut z = x.clone();
        z += y;
        z *= x;
        z -= &y.sin();
        z /= y;
        z
    }
    maximum at (ragged(1), ragged(2)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.maximum(y) }
    minimum at (ragged(1), ragged(2)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.minimum(y) }
    matmul at (ragged(1), between(Default::default(), 2, -1.0, 1.0)) = |x: Tensor![f64; Batch, 3], w: Tensor![f64; 3, 5]| -> Tensor![f64; Batch, 5] {
        x.matmul(w)
    }
    matmul_of_vectors at (tensor([1.0, 2.0, 3.0]), tensor([0.5, -1.0, 4.0])) = |x: Tensor![f64; 3], y: Tensor![f64; 3]| -> Tensor![f64;] {
        x.matmul(y)
    }
    matmul_of_batches at (
        between((Batch(2), Sz, Time(3)), 1, -1.0, 1.0),
        between((Batch(2), Time(3), Sz), 2, -1.0, 1.0)
    ) = |x: Tensor![f64; Batch, 2, Time], y: Tensor![f64; Batch, Time, 4]| -> Tensor![f64; Batch, 2, 4] {
        x.matmul(y)
    }
    affine at (ragged(1), between(Default::default(), 2, -1.0, 1.0), between(Default::default(), 3, -1.0, 1.0))
        = |x: Tensor![f64; Batch, 3], w: Tensor![f64; 3, 5], b: Tensor![f64; 5]| -> Tensor![f64; Batch, 5] { x.affine(w, b) }
}

covered! {
    sum at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.sum() }
    mean at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.mean() }
    max at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.max() }
    min at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.min() }
    sum_axis at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch] { x.sum_axis::<1>() }
    mean_axis at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 3] { x.mean_axis::<0>() }
    max_axis at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch] { x.max_axis::<-1>() }
    min_axis at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 3] { x.min_axis::<0>() }
    sum_axis_keepdim at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 1, 3] { x.sum_axis_keepdim::<0>() }
    mean_axis_keepdim at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 1] { x.mean_axis_keepdim::<1>() }
    max_axis_keepdim at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 1] { x.max_axis_keepdim::<1>() }
    min_axis_keepdim at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 1, 3] { x.min_axis_keepdim::<0>() }
    prod at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64;] { (x + 0.5).prod() }
    prod_axis at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch] { x.prod_axis::<1>() }
    prod_axis_keepdim at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 1, 3] { x.prod_axis_keepdim::<0>() }
    var at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.var(1) }
    var_axis at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 3] { x.var_axis::<0>(0) }
    var_axis_keepdim at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 1] { x.var_axis_keepdim::<-1>(1) }
    std at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.std(0) }
    std_axis at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch] { x.std_axis::<1>(1) }
    std_axis_keepdim at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 1, 3] { x.std_axis_keepdim::<0>(0) }
    norm at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.norm() }
    norm_axis at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 3] { x.norm_axis::<0>() }
    norm_axis_keepdim at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 1] { x.norm_axis_keepdim::<1>() }
    norm_l1 at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64;] { (x - 0.5).norm_l1() }
    norm_l1_axis at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch] { x.norm_l1_axis::<1>() }
    norm_l1_axis_keepdim at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 1, 3] { x.norm_l1_axis_keepdim::<0>() }
    norm_p at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64;] { (x - 0.5).norm_p(3.0) }
    norm_p_axis at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 3] { x.norm_p_axis::<0>(1.5) }
    norm_p_axis_keepdim at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 1] { x.norm_p_axis_keepdim::<1>(4.0) }
    logsumexp at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.logsumexp() }
    logsumexp_axis at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch] { x.logsumexp_axis::<1>() }
    logsumexp_axis_keepdim at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 1, 3] { x.logsumexp_axis_keepdim::<0>() }
    sum_axes at (between((Batch(2), Sz, Sz), 1, -1.0, 1.0)) = |x: Tensor![f64; Batch, 2, 3]| -> Tensor![f64; 2] { x.sum_axes::<Axes2<0, 2>>() }
    sum_axes_keepdim at (between((Batch(2), Sz, Sz), 1, -1.0, 1.0)) = |x: Tensor![f64; Batch, 2, 3]| -> Tensor![f64; Batch, 1, 1] { x.sum_axes_keepdim::<Axes2<-2, -1>>() }
    mean_axes at (between((Batch(2), Sz, Sz), 1, -1.0, 1.0)) = |x: Tensor![f64; Batch, 2, 3]| -> Tensor![f64; Batch] { x.mean_axes::<Axes2<1, 2>>() }
    mean_axes_keepdim at (between((Batch(2), Sz, Sz), 1, -1.0, 1.0)) = |x: Tensor![f64; Batch, 2, 3]| -> Tensor![f64; 1, 2, 1] { x.mean_axes_keepdim::<Axes2<0, 2>>() }
    max_axes at (between((Batch(2), Sz, Sz), 1, -1.0, 1.0)) = |x: Tensor![f64; Batch, 2, 3]| -> Tensor![f64; 3] { x.max_axes::<Axes2<-3, -2>>() }
    max_axes_keepdim at (between((Batch(2), Sz, Sz), 1, -1.0, 1.0)) = |x: Tensor![f64; Batch, 2, 3]| -> Tensor![f64; Batch, 1, 1] { x.max_axes_keepdim::<Axes2<1, 2>>() }
    min_axes at (between((Batch(2), Sz, Sz), 1, -1.0, 1.0)) = |x: Tensor![f64; Batch, 2, 3]| -> Tensor![f64;] { x.min_axes::<Axes3<0, 1, 2>>() }
    min_axes_keepdim at (between((Batch(2), Sz, Sz), 1, -1.0, 1.0)) = |x: Tensor![f64; Batch, 2, 3]| -> Tensor![f64; 1, 2, 1] { x.min_axes_keepdim::<Axes2<0, 2>>() }
    sort at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.sort::<0>() * x }
    sort_descending at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.sort_descending::<-1>() }
    topk at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 2, 3] {
        let (values, places) = x.topk::<0, 2>();
        values * places[[0, 0]] as f64
    }
    argsort at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] {
        let order = x.argsort::<0>();
        x.gather::<0, _, _>(&order)
    }
    cumsum at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.cumsum::<0>() }
    cumprod at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.cumprod::<-1>() }
    softmax at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.softmax::<-1>() }
    log_softmax at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.log_softmax::<0>() }
    cross_entropy at (ragged(1), Tensor::from_slice_with((Batch(4),), &[0, 2, 1, 1]).unwrap())
        = |x: Tensor![f64; Batch, 3], classes: Tensor![i64; Batch]| -> Tensor![f64;] { x.cross_entropy(classes) }
    mse_loss at (ragged(1), ragged(2)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; Batch, 3]| -> Tensor![f64;] { x.mse_loss(y) }

    // Masks carry no derivative, what is chosen by them does.
    select at (ragged(1), ragged(2)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] {
        let mask = x.gt(y);
        mask.select(&(x * y), &y.sin())
    }
    select_broadcast at (ragged(1), between((Sz::<3>,), 2, 0.1, 0.9)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; 3]| -> Tensor![f64; Batch, 3] {
        x.ge(0.5).logical_or(&y.lt(0.3)).select(y, &x.sum())
    }
    masked_fill at (ragged(1), 0.7) = |x: Tensor![f64; Batch, 3], v: f64| -> Tensor![f64; Batch, 3] {
        x.masked_fill(&x.gt(0.5), *v * *v)
    }
    masked_fill_with_a_constant at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.masked_fill(&x.le(0.5), 2.0) * x }
    branch_on_a_mask at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64;] {
        let mask = x.gt(0.9);
        if mask.any().item() || x.lt(0.0).all().item() { x.mean() } else { (x * x).sum() }
    }
    cast at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] {
        let mask = x.gt(0.5);
        x * mask.cast::<f64>() + x.cast::<f64>()
    }

    // Positions carry no derivative, what is taken from there does.
    argmax at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 4, 3] {
        let rows = x.argmax::<0>();
        x.narrow::<0, _>(0, Sz::<4>) * rows[[1]] as f64
    }
}

covered! {
    transpose at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 3, Batch] { x.transpose::<0, 1>() }
    permute at (between((Batch(2), Sz, Sz), 1, -1.0, 1.0)) = |x: Tensor![f64; Batch, 2, 3]| -> Tensor![f64; 3, Batch, 2] {
        x.permute::<2, 0, 1>()
    }
    reshape at (matrix(1)) = |x: Tensor![f64; 2, 3]| -> Tensor![f64; 3, 2] { x.reshape::<shape![3, 2]>() }
    flatten at (between((Batch(2), Sz, Sz), 1, -1.0, 1.0)) = |x: Tensor![f64; Batch, 2, 3]| -> Tensor![f64; Batch, 6] {
        x.flatten()
    }
    split_last at (between((Batch(2), Sz), 1, -1.0, 1.0)) = |x: Tensor![f64; Batch, 6]| -> Tensor![f64; Batch, 2, 3] {
        x.split_last::<2>()
    }
    merge_last at (between((Batch(2), Sz, Sz), 1, -1.0, 1.0)) = |x: Tensor![f64; Batch, 2, 3]| -> Tensor![f64; Batch, 6] {
        x.merge_last()
    }
    unsqueeze at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 1, 3] { x.unsqueeze::<1>() }
    squeeze at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch] { x.sum_axis_keepdim::<1>().squeeze::<1>() }
    slice at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 2, 3] { x.slice::<0, 1, 2>() }
    index at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 3] { x.index::<0>(1) * x.index::<0>(2) }
    narrow at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Time, 3] {
        let start = x.shape().0.size() - 2;
        x.narrow::<0, _>(start, Time(2))
    }
    expand at (between(Default::default(), 1, -1.0, 1.0)) = |x: Tensor![f64; 1, 3]| -> Tensor![f64; Batch, 3] {
        x.expand::<0, _>(Batch(4))
    }
    concat at (ragged(1), ragged(2)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 6] { x.concat::<1, _>(y) }
    concat_to at (ragged(1), matrix(2)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; 2, 3]| -> Tensor![f64; Time, 3] {
        x.concat_to::<0, _, _>(y, Time(6))
    }
    split_at at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 2] {
        let (first, rest) = x.split_at::<1, 1>();
        first.matmul(&rest.slice::<0, 0, 1>())
    }
    chunk at (between((Batch(3), Sz), 1, -1.0, 1.0)) = |x: Tensor![f64; Batch, 4]| -> Tensor![f64; Batch, 2] {
        let parts = x.chunk::<1, 2>();
        &parts[0] * &parts[1].sin()
    }
    stack at (ragged(1), ragged(2)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; Batch, 3]| -> Tensor![f64; 3, Batch, 3] {
        Tensor::stack::<0, 3>(&[x.clone(), x * y, y.clone()])
    }
    stack_last at (ragged(1), ragged(2)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3, 2] {
        let parts = [x.exp(), y.clone()];
        Tensor::stack::<-1, 2>(&parts) * 2.0
    }
    stack_an_argument at ([matrix(1), matrix(2)]) = |parts: [Tensor![f64; 2, 3]; 2]| -> Tensor![f64; 2, 2, 3] {
        Tensor::stack::<1, 2>(parts)
    }
    embedding at (matrix(1), tensor([1i64, 0, 1, 1])) = |table: Tensor![f64; 2, 3], ids: Tensor![i64; 4]| -> Tensor![f64; 4, 3] {
        table.embedding(ids)
    }
    gather at (matrix(1), tensor([[2i64, 0], [1, 1]])) = |x: Tensor![f64; 2, 3], ids: Tensor![i64; 2, 2]| -> Tensor![f64; 2, 2] {
        x.gather::<1, _, _>(ids)
    }
}

type Square = Tensor![f64; Time, Time];

fn quadratic(seed: u64) -> Square {
    between((Time(4), Time(4)), seed, -1.0, 1.0)
}

covered! {
    flip at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] { x.flip::<0>() * x }
    roll at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] {
        let by = x.shape().1.size() as isize - 1;
        x.roll::<0>(by) * x.roll::<1>(-1)
    }
    slice_step at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; 2, 3] { x.slice_step::<0, 0, 4, 3>() }
    repeat at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 6] { x.repeat::<1, 2>().exp() }
    repeat_interleave at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 6] { x.repeat_interleave::<1, 2>().exp() }
    tril at (quadratic(1)) = |x: Tensor![f64; Time, Time]| -> Tensor![f64; Time, Time] { x.tril(-1) * x }
    triu at (quadratic(1)) = |x: Tensor![f64; Time, Time]| -> Tensor![f64; Time, Time] { x.triu(1) * x }
    diag at (tensor([1.0, 2.0, 3.0])) = |x: Tensor![f64; 3]| -> Tensor![f64; 3, 3] { x.diag() }
    diagonal at (quadratic(1)) = |x: Tensor![f64; Time, Time]| -> Tensor![f64; Time] { x.diagonal() }
    pad at (ragged(1), 0.5) = |x: Tensor![f64; Batch, 3], v: f64| -> Tensor![f64; Batch, 6] { x.pad::<1, 1, 2>(*v * *v) }
    pad_reflect at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 6] { x.pad_reflect::<1, 2, 1>() }
    pad_replicate at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 6] { x.pad_replicate::<1, 2, 1>() }
    split at (between((Batch(3), Sz), 1, -1.0, 1.0)) = |x: Tensor![f64; Batch, 5]| -> Tensor![f64; Batch, 2] {
        let (a, _, c) = x.split::<1, shape![2, 1, 2]>();
        a * c.sin()
    }
    concat_all at (matrix(1), matrix(2)) = |x: Tensor![f64; 2, 3], y: Tensor![f64; 2, 3]| -> Tensor![f64; 2, 9] {
        Tensor::concat_all::<1, 3>(&[x.clone(), x * y, y.clone()])
    }
    meshgrid at (tensor([1.0, 2.0]), tensor([0.5, -1.0, 4.0])) = |x: Tensor![f64; 2], y: Tensor![f64; 3]| -> Tensor![f64; 2, 3] {
        let (a, b) = x.meshgrid(y);
        a * b.sin()
    }
    meshgrid3 at (tensor([1.0, 2.0]), tensor([0.5, -1.0, 4.0]), tensor([3.0]))
        = |x: Tensor![f64; 2], y: Tensor![f64; 3], z: Tensor![f64; 1]| -> Tensor![f64; 2, 3, 1] {
        let (a, b, c) = x.meshgrid3(y, z);
        a * b.sin() * c
    }
    one_hot at (matrix(1), tensor([1i64, 0, 1, 1])) = |table: Tensor![f64; 2, 3], ids: Tensor![i64; 4]| -> Tensor![f64; 4, 3] {
        ids.one_hot::<2, f64>().matmul(table)
    }
    like_another at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] {
        let k = x.sum().item();
        (x.ones_like() * 2.0 + x.zeros_like() + x.full_like(k)) * x
    }
    to at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, 3] {
        x.to(&Device::current()).sin() * x
    }
    index_select at (ragged(1), tensor([2i64, 0, 2, 1])) = |x: Tensor![f64; Batch, 3], ids: Tensor![i64; 4]| -> Tensor![f64; Batch, 4] {
        x.index_select::<1, _, _>(ids)
    }
    index_add at (matrix(1), tensor([2i64, 0]), between(Default::default(), 3, -1.0, 1.0))
        = |x: Tensor![f64; 2, 3], ids: Tensor![i64; 2], src: Tensor![f64; 2, 2]| -> Tensor![f64; 2, 3] {
        x.index_add::<1, _, _>(ids, src).exp()
    }
    rename at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> Tensor![f64; Batch, Batch] {
        x.rename::<shape![Batch, Batch]>().exp() * 2.0
    }
    scatter_add at (matrix(1), tensor([[2i64, 0], [1, 1]]), between(Default::default(), 3, -1.0, 1.0))
        = |x: Tensor![f64; 2, 3], ids: Tensor![i64; 2, 2], src: Tensor![f64; 2, 2]| -> Tensor![f64; 2, 3] {
        x.scatter_add::<1, _, _>(ids, src).exp()
    }
    scatter at (matrix(1), tensor([[2i64, 0], [1, 1]]), between(Default::default(), 3, -1.0, 1.0))
        = |x: Tensor![f64; 2, 3], ids: Tensor![i64; 2, 2], src: Tensor![f64; 2, 2]| -> Tensor![f64; 2, 3] {
        x.scatter::<1, _, _>(ids, src).exp()
    }
}

covered! {
    dot at (tensor([1.0, 2.0, 3.0]), tensor([0.5, -1.0, 4.0])) = |x: Tensor![f64; 3], y: Tensor![f64; 3]| -> f64 {
        x.dot(y).item()
    }
    outer at (tensor([1.0, 2.0]), tensor([0.5, -1.0, 4.0])) = |x: Tensor![f64; 2], y: Tensor![f64; 3]| -> Tensor![f64; 2, 3] {
        x.outer(y)
    }
    einsum_of_one at (quadratic(1)) = |x: Tensor![f64; Time, Time]| -> Tensor![f64;] { einsum!("ii->", x) }
    einsum_of_two at (ragged(1), ragged(2)) = |x: Tensor![f64; Batch, 3], y: Tensor![f64; Batch, 3]| -> Tensor![f64; 3, 3] {
        let product = einsum!("bi,bj->ij", x, &y.sin());
        product.exp()
    }
    einsum_of_three at (ragged(1), ragged(2), between(Default::default(), 3, -1.0, 1.0))
        = |x: Tensor![f64; Batch, 3], y: Tensor![f64; Batch, 3], w: Tensor![f64; 3, 2, 3]| -> Tensor![f64; 2, Batch] {
        einsum!("bi,ijk,bk->jb", x, w, y)
    }
    einsum_in_other_code at (matrix(1), matrix(2)) = |x: Tensor![f64; 2, 3], y: Tensor![f64; 2, 3]| -> Tensor![f64; 2, 3] {
        let mut sum = x.clone();
        for i in 0..2 {
            if i == 1 {
                sum += einsum!("ij,kj,kl->il", &sum, y, &(x * y));
            }
        }
        sum
    }
    einsum_in_a_vector at (matrix(1), matrix(2)) = |x: Tensor![f64; 2, 3], y: Tensor![f64; 2, 3]| -> Vec<Tensor![f64; 2, 3]> {
        vec![einsum!("ij,ij->ij", x, y), x.clone()]
    }
}

covered! {
    item at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> f64 { x.sum().item() * x.max().item() }
    to_vec at (matrix(1)) = |x: Tensor![f64; 2, 3]| -> f64 {
        let all = x.to_vec();
        all[0] * all[4] + all[5].sin()
    }
    at at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> f64 { x.at([1, 2]) * x.at([3, 0]) + x.sin().at([1, 2]) }
    element at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> f64 { x[[1, 2]] * x[[3, 0]] + x[[1, 2]].sin() }
    element_at_a_name at (ragged(1), [1, 2]) = |x: Tensor![f64; Batch, 3], given: [usize; 2]| -> f64 {
        let mut s = x[*given];
        let mut at = [0; 2];
        for i in 0..3 {
            at[0] = i;
            s *= x[at];
        }
        let last = [3, 1];
        s + x[last]
    }
    element_of_a_result at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> f64 { (x * 2.0).exp()[[0, 0]] - (x + x)[[1; 2]] }
    elements_in_a_loop at (ragged(1), 0.7) = |x: Tensor![f64; Batch, 3], a: f64| -> f64 {
        let mut s = 0.0;
        for i in 0..x.shape().0.size() {
            for j in 0..3 {
                s = s * a + x[[i, j]] * x[[i, 2 - j]];
            }
        }
        s
    }
    element_that_changes at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> f64 {
        let mut y = x.clone();
        let before = y[[0, 1]];
        y = &y * x;
        let mut i = 1;
        let middle = y[[i, 1]];
        i += 1;
        before * middle * y[[i, 1]]
    }
    element_in_a_branch at (ragged(1)) = |x: Tensor![f64; Batch, 3]| -> f64 {
        if x[[0, 0]] > 2.0 { x[[0, 1]] } else { x[[2, 2]] * x[[2, 2]] }
    }
    element_of_an_array at ([matrix(1), matrix(2)]) = |p: [Tensor![f64; 2, 3]; 2]| -> f64 {
        p[0][[1, 1]] * p[1][[0, 2]] + p[1][[1, 1]]
    }
    element_of_indices at (ragged(1), tensor([2i64, 0])) = |x: Tensor![f64; Batch, 3], ids: Tensor<(Sz<2>,), i64>| -> f64 {
        x[[ids[[0]] as usize, 0]] * x[[ids.at([1]) as usize, 1]]
    }
}

first_order! {
    element_of_a_field at (Pair { first: matrix(1), second: ragged(2) }) = |p: Pair| -> f64 {
        p.first[[1, 1]] * p.second[[3, 1]]
    }
}

/// Has tensors as fields.
#[derive(Clone, Differentiable)]
struct Pair {
    first: Matrix,
    second: Ragged,
}

#[test]
fn single_precision() {
    #[differentiable]
    fn function(x: &Tensor![2, 3]) -> f32 {
        x[[0, 1]] * x[[1, 2]] * 2.0 + x.sum().item()
    }
    let x: Tensor![2, 3] = Tensor::iota();
    check_grads::<function, _>(&(x.clone(),)).unwrap();
    assert_eq!(function::grad(&x).to_vec(), [1.0, 11.0, 1.0, 1.0, 1.0, 3.0]);
}

#[test]
#[should_panic(expected = "index [2, 0] is outside a tensor of shape")]
fn an_element_outside() {
    #[differentiable]
    fn function(x: &Matrix) -> f64 {
        x[[2, 0]]
    }
    function::grad(&matrix(1));
}

/// An operation that is added without a test here is noticed: every companion in `ops/` and every
/// rule that tensors implement there must be called in this file.
#[test]
fn nothing_is_left_out() {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !c.is_alphanumeric() && c != '_')
            .map(str::to_string)
            .collect()
    };
    // Rules are traits, `Log10Rule` for `log10`: names are compared without `_` and case.
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    let mut wanted = BTreeSet::new();
    let mut paths = vec![PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/autodiff-core/src/ops"
    ))];
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        // Companions that `#[rule]` writes.
        for rest in text.split("#[derivative(").skip(1) {
            let method = rest.split("pub fn ").nth(1).unwrap_or("");
            wanted.extend(method.split(['<', '(']).next().map(plain));
        }
        for word in words(&text) {
            let companion = word.strip_prefix("__").and_then(|w| w.strip_suffix("_vjp"));
            wanted.extend(companion.or(word.strip_suffix("Rule")).map(plain));
        }
    }
    // `foo` is an example in a comment; `get` makes an `Option`, which annotated functions cannot
    // take apart; operators have no names to search for, nor has the sine beside a cosine, nor has the
    // method behind `einsum!`.
    for other in [
        "", "foo", "get", "add", "sub", "mul", "div", "rem", "neg", "sincos", "einsum1", "einsum2",
        "einsum3",
    ] {
        wanted.remove(other);
    }
    assert!(
        wanted.len() > 80,
        "the search finds the operations: {wanted:?}"
    );

    // This file and those beside it that are named after it.
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tensor");
    let mut here = include_str!("coverage.rs").to_string();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with("coverage_") {
            here += &std::fs::read_to_string(&path).unwrap();
        }
    }
    let table = here.split("elementwise! {").nth(1).unwrap();
    let mut called: BTreeSet<String> = words(table.split('}').next().unwrap())
        .iter()
        .map(|w| plain(w))
        .collect();
    for call in [".", "Tensor::"] {
        let after = here.split(call).skip(1).filter_map(|rest| {
            let name: String = rest
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect();
            let rest = &rest[name.len()..];
            (rest.starts_with('(') || rest.starts_with("::<")).then_some(name)
        });
        called.extend(after.map(|name| plain(&name)));
    }
    let missing: Vec<_> = wanted.difference(&called).collect();
    assert!(missing.is_empty(), "not covered: {missing:?}");
}
