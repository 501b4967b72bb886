//! Special values of losses, definitions by enumeration, and the panics of wrong use.

use differentiable::ad::check_grads;
use differentiable::nn;
use differentiable::prelude::*;

dim!(Batch, Time);

const INF: f64 = f64::INFINITY;

#[differentiable]
fn entropy(
    x: &Tensor![f64; Batch, Time, 3],
    #[constant] y: &Tensor![i64; Batch, Time],
    #[constant] options: LossOptions,
) -> Tensor![f64;] {
    x.cross_entropy_with(y, options)
}

fn logits(data: &[f64], time: usize) -> Tensor![f64; Batch, Time, 3] {
    let sizes = (Batch(data.len() / 3 / time.max(1)), Time(time), Sz);
    Tensor::from_slice_with(sizes, data).unwrap()
}

fn targets(data: &[i64], time: usize) -> Tensor![i64; Batch, Time] {
    let sizes = (Batch(data.len() / time.max(1)), Time(time));
    Tensor::from_slice_with(sizes, data).unwrap()
}

#[test]
fn no_rows() {
    let (x, y) = (logits(&[], 2), targets(&[], 2));
    assert!(x.cross_entropy(&y).item().is_nan());
    assert!(x.nll_loss(&y).item().is_nan());
    let (loss, d) = entropy::value_and_grad(&x, &y, Loss::smoothing(0.1).weights(&[1.0, 2.0, 3.0]));
    assert!(loss.item().is_nan() && d.to_vec().is_empty());
    let (loss, d) = entropy::value_and_grad(&x, &y, Loss::ignore(0).sum());
    assert_eq!((loss.item(), d.len()), (0.0, 0));
}

#[test]
fn all_rows_ignored() {
    let (x, y) = (
        logits(&[0.5, -1.0, 2.0, 0.0, 1.0, 3.0], 2),
        targets(&[1, 1], 2),
    );
    for options in [
        Loss::ignore(1),
        Loss::ignore(1).smoothing(0.1),
        Loss::ignore(1).weights(&[1.0, 2.0, 3.0]),
    ] {
        let (loss, d) = entropy::value_and_grad(&x, &y, options.clone());
        assert!(loss.item().is_nan(), "{options:?}");
        assert_eq!(d.to_vec(), [0.0; 6], "{options:?}");
        let (loss, d) = entropy::value_and_grad(&x, &y, options.sum());
        assert_eq!((loss.item(), d.to_vec()), (0.0, vec![0.0; 6]));
    }
}

#[test]
fn what_ignored_rows_hold_does_not_matter() {
    let x = logits(&[f64::NAN, INF, -INF, 0.0, 1.0, 3.0], 2);
    let alone = logits(&[0.0, 1.0, 3.0], 1);
    for options in [Loss::ignore(-1), Loss::ignore(-1).smoothing(0.2)] {
        let (loss, d) = entropy::value_and_grad(&x, &targets(&[-1, 2], 2), options.clone());
        let (one, d_one) = entropy::value_and_grad(&alone, &targets(&[2], 1), options);
        assert_eq!(loss.item(), one.item());
        assert_eq!(d.to_vec(), [vec![0.0; 3], d_one.to_vec()].concat());
    }
}

#[test]
fn one_class() {
    let x: Tensor![f64; 4, 1] = Tensor::randn(0);
    let y = tensor([0_i64; 4]);
    assert_eq!(x.cross_entropy(&y).item(), 0.0);
    assert_eq!(x.cross_entropy_with(&y, Loss::smoothing(0.5)).item(), 0.0);
}

#[test]
fn extreme_logits() {
    let y = targets(&[0, 2], 2);
    let x = logits(&[1e30, -1e30, 0.0, 800.0, -800.0, 799.0], 2);
    for options in [Loss::new(), Loss::ignore(7)] {
        let (loss, d) = entropy::value_and_grad(&x, &y, options);
        let (second, p) = ((1.0 + 1_f64.exp()).ln(), 1.0 / (1.0 + (-1_f64).exp()));
        assert!((loss.item() - second / 2.0).abs() < 1e-15);
        for (d, expected) in d
            .to_vec()
            .iter()
            .zip([0.0, 0.0, 0.0, p / 2.0, 0.0, -p / 2.0])
        {
            assert!((d - expected).abs() < 1e-15);
        }
    }
    // A class that is masked out has no share, and as a target an infinite loss.
    let x = logits(&[1.0, -INF, 0.0], 1);
    let (loss, d) = entropy::value_and_grad(&x, &targets(&[0], 1), Loss::weights(&[1.0; 3]));
    assert!(loss.item().is_finite());
    assert_eq!(d.to_vec()[1], 0.0);
    let loss = x.cross_entropy_with(&targets(&[1], 1), Loss::weights(&[1.0; 3]));
    assert_eq!(loss.item(), INF);
}

#[test]
fn plain_options_are_no_options() {
    let x: Tensor![2, 3, 5] = Tensor::randn(1);
    let y = tensor([[4_u32, 0, 2], [1, 1, 3]]);
    let all = [
        x.cross_entropy_with(&y, Loss::new()),
        x.cross_entropy_with(&y, Loss::ignore(9).smoothing(0.0)),
        x.cross_entropy_with(&y, Loss::weights(&[3.0; 5])),
        x.cross_entropy_with(&y, Loss::sum()) / 6.0,
        x.log_softmax::<-1>().nll_loss(&y),
        x.reshape::<shape![6, 5]>()
            .cross_entropy(&y.reshape::<shape![6]>()),
    ];
    for loss in all {
        assert!((loss.item() - x.cross_entropy(&y).item()).abs() < 1e-6);
    }
}

#[test]
fn views_are_read_in_their_order() {
    let x: Tensor![f64; 5, 3, 2] = Tensor::randn(1);
    let y = tensor([[4_i64, 0, 2], [1, 1, 3]]);
    let (view, copy) = (
        x.permute::<2, 1, 0>(),
        Tensor::from_fn(|i| x[[i % 5, i / 5 % 3, i / 15]]),
    );
    let copy: Tensor![f64; 2, 3, 5] = copy;
    let options = Loss::ignore(1).smoothing(0.1);
    assert_eq!(view.cross_entropy(&y), copy.cross_entropy(&y));
    assert_eq!(
        view.cross_entropy_with(&y, options.clone()),
        copy.cross_entropy_with(&y, options)
    );
}

#[test]
fn probabilities_of_0_and_1() {
    #[differentiable]
    fn bce(p: &Tensor![f64; 4], t: &Tensor![f64; 4]) -> Tensor![f64;] {
        p.bce_loss(t) * 4.0
    }
    // PyTorch's numbers.
    let (loss, (d, d_t)) = bce::value_and_grad(
        &tensor([0.0, 0.0, 1.0, 1.0]),
        &tensor([0.0, 1.0, 1.0, 0.25]),
    );
    assert_eq!(loss.item(), 175.0);
    assert_eq!(d.to_vec(), [0.0, -1e12, 0.0, 0.75e12]);
    assert_eq!(d_t.to_vec(), [100.0, 100.0, -100.0, -100.0]);
    let outside: Tensor![f64; 1] = tensor([1.5]);
    assert!(outside.bce_loss(&tensor([1.0])).item().is_nan());
}

/// `−ln` of the sum over all paths of classes that read as the labels.
fn by_enumeration(p: &[Vec<f64>], labels: &[usize]) -> f64 {
    let (frames, classes) = (p.len(), p[0].len());
    let mut sum = 0.0;
    for number in 0..classes.pow(frames as u32) {
        let path: Vec<usize> = (0..frames as u32)
            .map(|t| number / classes.pow(t) % classes)
            .collect();
        let mut read = path.clone();
        read.dedup();
        read.retain(|&class| class != 0);
        if read == labels {
            sum += path
                .iter()
                .zip(p)
                .map(|(&class, p)| p[class])
                .product::<f64>();
        }
    }
    -sum.ln()
}

#[test]
fn ctc_sums_over_all_paths() {
    for (frames, labels) in [
        (1, vec![]),
        (2, vec![1]),
        (5, vec![2, 2]),
        (6, vec![1, 2, 1]),
        (4, vec![1, 1, 2]),
    ] {
        let x = Tensor::<(Time, Sz<1>, Sz<3>), f64>::randn_with((Time(frames), Sz, Sz), 3)
            .softmax::<-1>();
        let p: Vec<Vec<f64>> = x.to_vec().chunks(3).map(<[f64]>::to_vec).collect();
        let places = tensor([[0, 1, 2].map(|i| labels.get(i).map_or(0, |&l| l as i64))]);
        let (steps, counts) = (tensor([frames as i64]), tensor([labels.len() as i64]));
        let loss = x
            .ln()
            .ctc_loss(&places, &steps, &counts, Ctc::new().sum())
            .item();
        let expected = by_enumeration(&p, &labels);
        assert!(
            (loss - expected).abs() < 1e-13 * expected,
            "{labels:?}: {loss}, {expected}"
        );
    }
}

#[differentiable]
fn ctc(
    z: &Tensor![f64; 4, 2, 3],
    #[constant] labels: &Tensor![i64; 2, 2],
    #[constant] frames: &Tensor![i64; 2],
    #[constant] options: Ctc,
) -> Tensor![f64;] {
    z.ctc_loss(labels, frames, &no_grad!(tensor([2_i64, 1])), options)
}

#[test]
fn ctc_has_the_derivative_by_its_own_argument() {
    #[differentiable]
    fn alone(z: &Tensor![f64; 4, 2, 3]) -> Tensor![f64;] {
        let (labels, frames) = no_grad!((tensor([[1_i64, 1], [2, 0]]), tensor([3_i64, 4])));
        ctc(z, &labels, &frames, no_grad!(Ctc::new()))
    }
    // No distributions: what is summed over classes need not be 1.
    check_grads::<alone, _>(&(Tensor::randn(4),)).unwrap();
}

#[test]
fn ctc_of_what_cannot_be_aligned() {
    let z = Tensor::<shape![4, 2, 3], f64>::randn(5).log_softmax::<-1>();
    let labels = tensor([[1_i64, 1], [2, 0]]);
    // Two equal labels need three frames.
    let frames = tensor([2_i64, 4]);
    let (loss, d) = ctc::value_and_grad(&z, &labels, &frames, Ctc::new());
    assert_eq!(loss.item(), INF);
    let of_first = |t: usize| d.to_vec()[t * 6..][..3].to_vec();
    assert!(of_first(0).iter().all(|d| d.is_nan()));
    assert_eq!(of_first(3), [0.0; 3]); // behind its frames
    let (loss, d) = ctc::value_and_grad(&z, &labels, &frames, Ctc::new().zero_infinity());
    assert!(loss.item().is_finite());
    let all = d.to_vec();
    assert!((0..4).all(|t| all[t * 6..][..3] == [0.0; 3]));
    assert!(all.iter().any(|&d| d != 0.0));
    // No frames: nothing can be read but nothing.
    let none = tensor([0_i64, 0]);
    let loss = |counts: [i64; 2]| {
        z.ctc_loss(&labels, &none, &tensor(counts), Ctc::new().sum())
            .item()
    };
    assert_eq!((loss([0, 0]), loss([0, 1])), (0.0, INF));
}

#[test]
fn ctc_of_impossible_classes() {
    // Class 2 never comes: what does not need it has a finite loss and derivative.
    let p = Tensor::<shape![4, 1, 3], f64>::from_fn(|i| [0.25, 0.75, 0.0][i % 3]);
    #[differentiable]
    fn one(z: &Tensor![f64; 4, 1, 3], #[constant] label: i64) -> Tensor![f64;] {
        let labels: Tensor![i64; 1, 1] = no_grad!(tensor([[label]]));
        let (frames, counts) = no_grad!((tensor([4_i64]), tensor([1_i64])));
        z.ctc_loss(&labels, &frames, &counts, no_grad!(Ctc::new()))
    }
    let (loss, d) = one::value_and_grad(&p.ln(), 1);
    assert!(loss.item() > 0.0 && d.to_vec().iter().all(|d| d.is_finite()));
    assert_eq!(d.to_vec()[2], 0.0);
    assert_eq!(one(&p.ln(), 2).item(), INF);
}

#[test]
fn losses_of_vectors_at_their_edges() {
    let zero: Tensor![f64; 1, 2] = tensor([[0.0, 0.0]]);
    let (cosine, far) = (nn::cosine_similarity(&zero, &zero), tensor([false]));
    assert_eq!(cosine.to_vec(), [0.0]);
    #[differentiable]
    fn pairs(
        a: &Tensor![f64; 1, 2],
        #[constant] b: &Tensor![f64; 1, 2],
        #[constant] s: &Tensor![bool; 1],
    ) -> Tensor![f64;] {
        nn::contrastive_loss(a, b, s, 1.0)
    }
    let (loss, d) = pairs::value_and_grad(&zero, &zero, &far);
    assert_eq!((loss.item(), d.to_vec()), (0.5, vec![0.0, 0.0]));
}

#[test]
fn losses_work_in_single_precision() {
    let x: Tensor![4, 3] = Tensor::randn(0);
    let y: Tensor![4, 3] = Tensor::randn(1);
    #[differentiable]
    fn all(x: &Tensor![4, 3], #[constant] y: &Tensor![4, 3]) -> Tensor![] {
        nn::kl_normal(x, y)
            + nn::triplet_loss(x, y, &(y * 2.0), 1.0)
            + nn::info_nce(x, y, 0.1)
            + x.sigmoid().bce_loss(&y.sigmoid())
    }
    let (loss, d) = all::value_and_grad(&x, &y);
    assert!(loss.item().is_finite() && d.to_vec().iter().all(|d| d.is_finite()));
}

macro_rules! refused {
    ($($name:ident: $message:literal = $body:expr;)*) => { $(
        #[test]
        #[should_panic(expected = $message)]
        fn $name() {
            let _ = $body;
        }
    )* };
}

refused! {
    wrong_count_of_weights: "cross_entropy_with: 2 weights for 3 classes"
        = logits(&[0.0; 3], 1).cross_entropy_with(&targets(&[0], 1), Loss::weights(&[1.0, 2.0]));
    wrong_count_of_weights_of_logarithms: "nll_loss_with: 4 weights for 3 classes"
        = logits(&[0.0; 3], 1).nll_loss_with(&targets(&[0], 1), Loss::weights(&[1.0; 4]));
    a_share_above_1: "the share of smoothed labels is not in [0, 1]" = Loss::smoothing(1.5);
    a_target_that_is_no_class: "cross_entropy_with: index 3 at position 1 is out of range: there are 3 entries"
        = logits(&[0.0; 6], 2).cross_entropy_with(&targets(&[0, 3], 2), Loss::ignore(-100));
    a_negative_target: "cross_entropy: index -100 at position 0 is out of range: there are 3 entries"
        = logits(&[0.0; 6], 2).cross_entropy(&targets(&[-100, 2], 2));
    targets_of_another_length: "cross_entropy_with: the run-time dimension `Time` is 2 on the left, `Time` is 1 on the right"
        = logits(&[0.0; 6], 2).cross_entropy_with(&targets(&[0], 1), Loss::new());
    a_blank_beyond_the_classes: "ctc_loss: the blank is class 3 of 3"
        = ctc(&Tensor::zeros(), &Tensor::ones(), &Tensor::ones(), Ctc::new().blank(3));
    a_blank_as_a_label: "ctc_loss: label 1 of example 0 is 1, the blank"
        = ctc(&Tensor::zeros(), &tensor([[0, 1], [2, 2]]), &Tensor::ones(), Ctc::new().blank(1));
    a_label_beyond_the_classes: "ctc_loss: label 0 of example 1 is 5, there are 3 classes"
        = ctc(&Tensor::zeros(), &tensor([[2, 1], [5, 7]]), &Tensor::ones(), Ctc::new());
    too_many_frames: "ctc_loss: example 1 has 5 frames, not between 0 and 4"
        = ctc(&Tensor::zeros(), &Tensor::ones(), &tensor([4, 5]), Ctc::new());
}
