//! Layers of every kind in one network, over any number type: sound and words to classes.

use differentiable::nn::*;
use differentiable::optim::Adam;
use differentiable::prelude::*;

dim!(Batch, Time, Words);

#[module(bags: usize, rate: f64)]
struct Speech<T: Float = f32> {
    #[init(Sequential((Conv1d::new(seeds), GroupNorm::new(seeds), Silu, MaxPool1d, Conv1d::new(seeds), GroupNorm::new(seeds), Silu)))]
    front: Sequential<(
        Conv1d<2, 8, 5, 1, 2, 1, T>,
        GroupNorm<2, 8, T>,
        Silu,
        MaxPool1d<2>,
        Conv1d<8, 12, 3, 1, 1, 1, T>,
        GroupNorm<3, 12, T>,
        Silu,
    )>,
    gru: BiGru<12, 7, T>,
    #[init((0..bags).map(|_| EmbeddingBag::new(seeds, Bag::Mean)).collect())]
    words: Vec<EmbeddingBag<20, 14, T>>,
    #[init(Dropout::new(rate))]
    drop: Dropout,
    #[buffer]
    #[init(Tensor::zeros())]
    seen: Tensor![T; 14],
    #[param]
    #[init(T::lit(0.5))]
    mix: T,
    out: Linear<14, 4, T>,
}

#[differentiable]
impl<T: Float> Speech<T> {
    fn forward(
        &self,
        x: &Tensor![T; Batch, 2, 16],
        text: &Tensor![i64; Batch, Words],
        ctx: &mut Ctx,
    ) -> Tensor![T; Batch, 4] {
        let h = self.front.forward(x, ctx);
        let h = self.gru.forward(&h.permute::<2, 0, 1>());
        let mut h = h.mean_axis::<0>();
        for bag in &self.words {
            h += bag.forward(text) * self.mix;
        }
        if ctx.is_train() {
            let mean: Tensor![T; 14] = no_grad!(h.mean_axis::<0>());
            no_grad!(ctx.update(&self.seen, mean));
        }
        self.out.forward(&self.drop.forward(&h, ctx))
    }
    fn loss(
        &self,
        x: &Tensor![T; Batch, 2, 16],
        text: &Tensor![i64; Batch, Words],
        y: &Tensor![i64; Batch],
        ctx: &mut Ctx,
    ) -> (Tensor![T;], Tensor![T; Batch, 4]) {
        let logits = self.forward(x, text, ctx);
        let options = no_grad!(
            Loss::ignore(-1)
                .smoothing(0.05)
                .weights(&[1.0, 2.0, 1.0, 0.5])
        );
        (logits.cross_entropy_with(y, options), logits)
    }
}

fn net(seed: u64, bags: usize) -> Speech {
    Speech::new(&mut Seeds::new(seed), bags, 0.1)
}

#[allow(clippy::type_complexity)]
fn batch(n: usize) -> (Tensor![Batch, 2, 16], Tensor![i64; Batch, Words]) {
    let x = Tensor::randn_with((Batch(n), Sz, Sz), 3);
    (
        x,
        Tensor::from_fn_with((Batch(n), Words(5)), |i| (i * 7 % 20) as i64),
    )
}

#[test]
fn a_network_of_many_layers_learns() {
    let mut net = net(0, 2);
    let (x, words) = batch(12);
    let y = Tensor::from_fn_with((Batch(12),), |i| if i == 11 { -1 } else { i as i64 % 4 });
    let mut opt = Adam::new(1e-2);
    let mut ctx = Ctx::train(&net, 1);
    let mut losses = Vec::new();
    for _ in 0..150 {
        let ((loss, logits), grad) = net.loss_value_and_grad(&x, &words, &y, &mut ctx);
        assert_eq!(logits.dims().as_slice(), [12, 4]);
        opt.step(&mut net, &grad);
        ctx.commit(&mut net);
        losses.push(loss.item());
    }
    assert!(losses[149] < 0.5 * losses[0], "{losses:?}");
    assert!(net.seen.abs().sum().item() > 0.0);
    assert_eq!((net.summary().params, net.summary().buffers), (1931, 14));
}

#[test]
fn it_goes_to_a_file_and_back() {
    let path = std::env::temp_dir().join(format!("speech-{}.safetensors", std::process::id()));
    let (first, mut second) = (net(0, 2), net(1, 2));
    torch::export(&first, &path).unwrap();
    torch::import(&mut second, &path).unwrap();
    let (x, words) = batch(3);
    let run = |net: &Speech| net.forward(&x, &words, &mut Ctx::eval());
    assert_eq!(run(&first), run(&second));
    let wrong = torch::import(&mut net(1, 3), &path)
        .unwrap_err()
        .to_string();
    assert!(
        wrong.contains("missing `words.2.weight` [20, 14]"),
        "{wrong}"
    );
    std::fs::remove_file(path).unwrap();
}

#[test]
fn its_numbers_can_be_of_another_type() {
    let net = net(0, 2);
    let precise: Speech<f64> = net.cast();
    assert_eq!(precise.num_params(), net.num_params());
    let (x, words) = batch(3);
    let y = net.forward(&x, &words, &mut Ctx::eval());
    let more = precise.forward(&x.cast(), &words, &mut Ctx::eval());
    assert!((more - y.cast::<f64>()).abs().max().item() < 1e-5);
}

#[test]
fn nothing_goes_through_all_layers() {
    let (x, words) = batch(0);
    let y = net(0, 1).forward(&x, &words, &mut Ctx::eval());
    assert_eq!(y.dims().as_slice(), [0, 4]);

    let edges = Edges::new(Batch(0), []).unwrap();
    assert!(edges.normalised::<f32>().is_empty());
    let attention = GraphAttention::<2, 3, 2>::new(&mut Seeds::new(0));
    assert!(
        attention
            .forward(&Tensor::zeros_with((Batch(0), Sz)), &edges)
            .is_empty()
    );

    let mixture = MixtureOfExperts::<4, 8, 3, 2>::new(&mut Seeds::new(0));
    let rows: Tensor![Batch, 4] = Tensor::zeros_with((Batch(0), Sz));
    assert!(mixture.forward(&rows).0.is_empty());

    let frames: Tensor![f64; Time, Batch, 3] = Tensor::zeros_with((Time(4), Batch(0), Sz));
    let labels: Tensor![i64; Batch, Words] = Tensor::zeros_with((Batch(0), Words(2)));
    let none: Tensor![i64; Batch] = Tensor::zeros_with((Batch(0),));
    assert!(
        frames
            .ctc_loss(&labels, &none, &none, Ctc::new())
            .item()
            .is_nan()
    );
    assert_eq!(
        frames
            .ctc_loss(&labels, &none, &none, Ctc::new().sum())
            .item(),
        0.0
    );
}
