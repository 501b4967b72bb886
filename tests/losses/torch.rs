//! Losses against values and gradients from PyTorch in `f64`; `tests/golden/loss_cases.py` made them.

use crate::cases::{Cases, array};
use crate::values::{numbers, read};
use differentiable::ad::{DifferentiableFn, check_grads, check_hvp};
use differentiable::nn;
use differentiable::prelude::*;
use serde_json::Value;

const CASES: Cases = Cases {
    json: include_str!("../golden/losses.json"),
    tolerance: 1e-12,
};

fn integers<S: StaticShape>(v: &Value) -> Tensor<S, i64> {
    let data: Vec<i64> = numbers(&v["data"]).iter().map(|&n| n as i64).collect();
    Tensor::from_slice(&data).unwrap()
}

/// Losses of floats and then integers, each with its place: the value and the gradients of PyTorch; the pushforward and the
/// Hessian by differences.
macro_rules! losses {
    ($($name:ident: $($i:tt $x:ident [$($s:tt)*]),+ $(; $($j:tt $n:ident [$($t:tt)*]),+)? => $body:expr;)*) => {
        $(
            #[test]
            fn $name() {
                #[differentiable(higher_order(Tensor))]
                fn function($($x: &Tensor![f64; $($s)*],)+ $($($n: &Tensor![i64; $($t)*]),+)?) -> Tensor![f64;] {
                    $body
                }
                let case = CASES.case(stringify!($name));
                let args = ($(array(&case["inputs"][$i]),)+ $($(integers(&case["integers"][$j]),)+)?);
                CASES.same("value", &function::call(&args).to_vec(), &case["output"]);
                let gradient = <function as DifferentiableFn<_>>::vjp(&args, Tensor::full(0.7));
                $(CASES.same(concat!("gradient of ", stringify!($x)), &gradient.$i.to_vec(), &case["gradients"][$i]);)+
                check_grads::<function, _>(&args).unwrap();
                check_hvp::<function, f64, _>(&args).unwrap();
            }
        )*

        #[test]
        fn every_case_is_compared() {
            let known = [$(stringify!($name)),*];
            let all = read(CASES.json);
            let missing: Vec<_> = all.iter().filter(|c| !known.iter().any(|k| c["op"] == *k)).map(|c| &c["op"]).collect();
            assert!(missing.is_empty(), "not compared: {missing:?}");
        }
    };
}

const W5: [f64; 5] = [0.25, 0.6875, 1.125, 1.5625, 2.0];
const W4: [f64; 4] = [0.25, 0.25 + 1.75 / 3.0, 0.25 + 3.5 / 3.0, 2.0];

losses! {
    cross_entropy_5: 0 x [5]; 0 k [] => x.cross_entropy(k);
    cross_entropy_2x3x5: 0 x [2, 3, 5]; 0 k [2, 3] => x.cross_entropy(k);
    cross_entropy_2x1x3x4: 0 x [2, 1, 3, 4]; 0 k [2, 1, 3] => x.cross_entropy(k);
    nll_loss_1x1: 0 x [1, 1]; 0 k [1] => x.nll_loss(k);
    cross_entropy_with_smoothing_1x1: 0 x [1, 1]; 0 k [1] => x.cross_entropy_with(k, Loss::smoothing(0.1));
    cross_entropy_with_weights_1x1: 0 x [1, 1]; 0 k [1] => x.cross_entropy_with(k, Loss::weights(&[0.25]));
    nll_loss_with_weights_1x1: 0 x [1, 1]; 0 k [1] => x.nll_loss_with(k, Loss::weights(&[0.25]));
    cross_entropy_with_sum_1x1: 0 x [1, 1]; 0 k [1] => x.cross_entropy_with(k, Loss::sum());
    nll_loss_with_sum_1x1: 0 x [1, 1]; 0 k [1] => x.nll_loss_with(k, Loss::sum());
    cross_entropy_with_weights_smoothing_1x1: 0 x [1, 1]; 0 k [1] => x.cross_entropy_with(k, Loss::weights(&[0.25]).smoothing(0.3));
    nll_loss_6x5: 0 x [6, 5]; 0 k [6] => x.nll_loss(k);
    cross_entropy_with_smoothing_6x5: 0 x [6, 5]; 0 k [6] => x.cross_entropy_with(k, Loss::smoothing(0.1));
    cross_entropy_with_weights_6x5: 0 x [6, 5]; 0 k [6] => x.cross_entropy_with(k, Loss::weights(&W5));
    nll_loss_with_weights_6x5: 0 x [6, 5]; 0 k [6] => x.nll_loss_with(k, Loss::weights(&W5));
    cross_entropy_with_sum_6x5: 0 x [6, 5]; 0 k [6] => x.cross_entropy_with(k, Loss::sum());
    nll_loss_with_sum_6x5: 0 x [6, 5]; 0 k [6] => x.nll_loss_with(k, Loss::sum());
    cross_entropy_with_weights_smoothing_6x5: 0 x [6, 5]; 0 k [6] => x.cross_entropy_with(k, Loss::weights(&W5).smoothing(0.3));
    cross_entropy_with_ignore_6x5: 0 x [6, 5]; 0 k [6] => x.cross_entropy_with(k, Loss::ignore(0));
    nll_loss_with_ignore_6x5: 0 x [6, 5]; 0 k [6] => x.nll_loss_with(k, Loss::ignore(0));
    cross_entropy_with_ignore_smoothing_6x5: 0 x [6, 5]; 0 k [6] => x.cross_entropy_with(k, Loss::ignore(0).smoothing(0.1));
    cross_entropy_with_all_6x5: 0 x [6, 5]; 0 k [6] => x.cross_entropy_with(k, Loss::ignore(0).smoothing(0.2).weights(&W5));
    cross_entropy_with_all_sum_6x5: 0 x [6, 5]; 0 k [6] => x.cross_entropy_with(k, Loss::ignore(0).smoothing(0.2).weights(&W5).sum());
    cross_entropy_with_outside_6x5: 0 x [6, 5]; 0 k [6] => x.cross_entropy_with(k, Loss::ignore(-100).weights(&W5));
    nll_loss_with_outside_6x5: 0 x [6, 5]; 0 k [6] => x.nll_loss_with(k, Loss::ignore(-100).weights(&W5));
    nll_loss_2x3x4: 0 x [2, 3, 4]; 0 k [2, 3] => x.nll_loss(k);
    cross_entropy_with_smoothing_2x3x4: 0 x [2, 3, 4]; 0 k [2, 3] => x.cross_entropy_with(k, Loss::smoothing(0.1));
    cross_entropy_with_weights_2x3x4: 0 x [2, 3, 4]; 0 k [2, 3] => x.cross_entropy_with(k, Loss::weights(&W4));
    nll_loss_with_weights_2x3x4: 0 x [2, 3, 4]; 0 k [2, 3] => x.nll_loss_with(k, Loss::weights(&W4));
    cross_entropy_with_sum_2x3x4: 0 x [2, 3, 4]; 0 k [2, 3] => x.cross_entropy_with(k, Loss::sum());
    nll_loss_with_sum_2x3x4: 0 x [2, 3, 4]; 0 k [2, 3] => x.nll_loss_with(k, Loss::sum());
    cross_entropy_with_weights_smoothing_2x3x4: 0 x [2, 3, 4]; 0 k [2, 3] => x.cross_entropy_with(k, Loss::weights(&W4).smoothing(0.3));
    cross_entropy_with_ignore_2x3x4: 0 x [2, 3, 4]; 0 k [2, 3] => x.cross_entropy_with(k, Loss::ignore(0));
    nll_loss_with_ignore_2x3x4: 0 x [2, 3, 4]; 0 k [2, 3] => x.nll_loss_with(k, Loss::ignore(0));
    cross_entropy_with_ignore_smoothing_2x3x4: 0 x [2, 3, 4]; 0 k [2, 3] => x.cross_entropy_with(k, Loss::ignore(0).smoothing(0.1));
    cross_entropy_with_all_2x3x4: 0 x [2, 3, 4]; 0 k [2, 3] => x.cross_entropy_with(k, Loss::ignore(0).smoothing(0.2).weights(&W4));
    cross_entropy_with_all_sum_2x3x4: 0 x [2, 3, 4]; 0 k [2, 3] => x.cross_entropy_with(k, Loss::ignore(0).smoothing(0.2).weights(&W4).sum());
    cross_entropy_with_outside_2x3x4: 0 x [2, 3, 4]; 0 k [2, 3] => x.cross_entropy_with(k, Loss::ignore(-100).weights(&W4));
    nll_loss_with_outside_2x3x4: 0 x [2, 3, 4]; 0 k [2, 3] => x.nll_loss_with(k, Loss::ignore(-100).weights(&W4));
    bce_loss_1x1: 0 x [1, 1], 1 t [1, 1] => x.bce_loss(t);
    bce_with_logits_weighted_1x1: 0 x [1, 1], 1 t [1, 1] => nn::bce_with_logits_weighted(x, t, &no_grad!(spread::<1>(0.5, 4.0)));
    soft_cross_entropy_1x1: 0 x [1, 1], 1 t [1, 1] => nn::soft_cross_entropy(x, t);
    bce_loss_3x5: 0 x [3, 5], 1 t [3, 5] => x.bce_loss(t);
    bce_with_logits_weighted_3x5: 0 x [3, 5], 1 t [3, 5] => nn::bce_with_logits_weighted(x, t, &no_grad!(spread::<5>(0.5, 4.0)));
    soft_cross_entropy_3x5: 0 x [3, 5], 1 t [3, 5] => nn::soft_cross_entropy(x, t);
    bce_loss_4x17: 0 x [4, 17], 1 t [4, 17] => x.bce_loss(t);
    bce_with_logits_weighted_4x17: 0 x [4, 17], 1 t [4, 17] => nn::bce_with_logits_weighted(x, t, &no_grad!(spread::<17>(0.5, 4.0)));
    soft_cross_entropy_4x17: 0 x [4, 17], 1 t [4, 17] => nn::soft_cross_entropy(x, t);
    kl_normal_1x1: 0 m [1, 1], 1 v [1, 1] => nn::kl_normal(m, v);
    cosine_similarity_1x1: 0 a [1, 1], 1 b [1, 1] => (nn::cosine_similarity(a, b) * no_grad!(spread::<1>(1.0, 2.0))).sum();
    kl_normal_4x3: 0 m [4, 3], 1 v [4, 3] => nn::kl_normal(m, v);
    cosine_similarity_4x3: 0 a [4, 3], 1 b [4, 3] => (nn::cosine_similarity(a, b) * no_grad!(spread::<4>(1.0, 2.0))).sum();
    kl_normal_2x3x4: 0 m [2, 3, 4], 1 v [2, 3, 4] => nn::kl_normal(m, v);
    triplet_loss_1x2: 0 a [1, 2], 1 p [1, 2], 2 n [1, 2] => nn::triplet_loss(a, p, n, 0.5);
    contrastive_loss_1x2: 0 a [1, 2], 1 b [1, 2]; 0 k [1] => nn::contrastive_loss(a, b, &no_grad!(k.cast::<bool>()), 2.5);
    cosine_embedding_loss_1x2: 0 a [1, 2], 1 b [1, 2]; 0 k [1] => nn::cosine_embedding_loss(a, b, &no_grad!(k.cast::<bool>()), 0.2);
    info_nce_1x2: 0 a [1, 2], 1 b [1, 2] => nn::info_nce(a, b, 0.25);
    clip_loss_1x2: 0 a [1, 2], 1 b [1, 2], 2 s [] => nn::clip_loss(a, b, s);
    triplet_loss_4x3: 0 a [4, 3], 1 p [4, 3], 2 n [4, 3] => nn::triplet_loss(a, p, n, 0.5);
    contrastive_loss_4x3: 0 a [4, 3], 1 b [4, 3]; 0 k [4] => nn::contrastive_loss(a, b, &no_grad!(k.cast::<bool>()), 2.5);
    cosine_embedding_loss_4x3: 0 a [4, 3], 1 b [4, 3]; 0 k [4] => nn::cosine_embedding_loss(a, b, &no_grad!(k.cast::<bool>()), 0.2);
    info_nce_4x3: 0 a [4, 3], 1 b [4, 3] => nn::info_nce(a, b, 0.25);
    clip_loss_4x3: 0 a [4, 3], 1 b [4, 3], 2 s [] => nn::clip_loss(a, b, s);
    triplet_loss_6x7: 0 a [6, 7], 1 p [6, 7], 2 n [6, 7] => nn::triplet_loss(a, p, n, 0.5);
    contrastive_loss_6x7: 0 a [6, 7], 1 b [6, 7]; 0 k [6] => nn::contrastive_loss(a, b, &no_grad!(k.cast::<bool>()), 2.5);
    cosine_embedding_loss_6x7: 0 a [6, 7], 1 b [6, 7]; 0 k [6] => nn::cosine_embedding_loss(a, b, &no_grad!(k.cast::<bool>()), 0.2);
    info_nce_6x7: 0 a [6, 7], 1 b [6, 7] => nn::info_nce(a, b, 0.25);
    clip_loss_6x7: 0 a [6, 7], 1 b [6, 7], 2 s [] => nn::clip_loss(a, b, s);
    ctc_loss_mean_1x1x2x1: 0 x [1, 1, 2]; 0 labels [1, 1], 1 frames [1], 2 counts [1] => x.log_softmax::<-1>().ctc_loss(labels, frames, counts, Ctc::new());
    ctc_loss_sum_1x1x2x1: 0 x [1, 1, 2]; 0 labels [1, 1], 1 frames [1], 2 counts [1] => x.log_softmax::<-1>().ctc_loss(labels, frames, counts, Ctc::new().sum());
    ctc_loss_last_blank_1x1x2x1: 0 x [1, 1, 2]; 0 labels [1, 1], 1 frames [1], 2 counts [1] => x.log_softmax::<-1>().ctc_loss(labels, frames, counts, Ctc::new().blank(1));
    ctc_loss_no_labels_1x1x2x1: 0 x [1, 1, 2]; 0 labels [1, 1], 1 frames [1], 2 counts [1] => x.log_softmax::<-1>().ctc_loss(labels, frames, counts, Ctc::new());
    ctc_loss_mean_6x2x4x3: 0 x [6, 2, 4]; 0 labels [2, 3], 1 frames [2], 2 counts [2] => x.log_softmax::<-1>().ctc_loss(labels, frames, counts, Ctc::new());
    ctc_loss_sum_6x2x4x3: 0 x [6, 2, 4]; 0 labels [2, 3], 1 frames [2], 2 counts [2] => x.log_softmax::<-1>().ctc_loss(labels, frames, counts, Ctc::new().sum());
    ctc_loss_last_blank_6x2x4x3: 0 x [6, 2, 4]; 0 labels [2, 3], 1 frames [2], 2 counts [2] => x.log_softmax::<-1>().ctc_loss(labels, frames, counts, Ctc::new().blank(3));
    ctc_loss_no_labels_6x2x4x3: 0 x [6, 2, 4]; 0 labels [2, 3], 1 frames [2], 2 counts [2] => x.log_softmax::<-1>().ctc_loss(labels, frames, counts, Ctc::new());
    ctc_loss_zero_infinity_6x2x4x3: 0 x [6, 2, 4]; 0 labels [2, 3], 1 frames [2], 2 counts [2] => x.log_softmax::<-1>().ctc_loss(labels, frames, counts, Ctc::new().zero_infinity());
    ctc_loss_mean_9x4x5x4: 0 x [9, 4, 5]; 0 labels [4, 4], 1 frames [4], 2 counts [4] => x.log_softmax::<-1>().ctc_loss(labels, frames, counts, Ctc::new());
    ctc_loss_sum_9x4x5x4: 0 x [9, 4, 5]; 0 labels [4, 4], 1 frames [4], 2 counts [4] => x.log_softmax::<-1>().ctc_loss(labels, frames, counts, Ctc::new().sum());
    ctc_loss_last_blank_9x4x5x4: 0 x [9, 4, 5]; 0 labels [4, 4], 1 frames [4], 2 counts [4] => x.log_softmax::<-1>().ctc_loss(labels, frames, counts, Ctc::new().blank(4));
    ctc_loss_no_labels_9x4x5x4: 0 x [9, 4, 5]; 0 labels [4, 4], 1 frames [4], 2 counts [4] => x.log_softmax::<-1>().ctc_loss(labels, frames, counts, Ctc::new());
    ctc_loss_zero_infinity_9x4x5x4: 0 x [9, 4, 5]; 0 labels [4, 4], 1 frames [4], 2 counts [4] => x.log_softmax::<-1>().ctc_loss(labels, frames, counts, Ctc::new().zero_infinity());
}

/// Numbers from `first` to `last` at equal distances.
fn spread<const N: usize>(first: f64, last: f64) -> Tensor<(Sz<N>,), f64> {
    let step = (last - first) / (N - 1).max(1) as f64;
    Tensor::from_fn(|i| first + step * i as f64)
}
