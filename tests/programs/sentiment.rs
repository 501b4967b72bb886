//! The mood of texts of different lengths.

use super::common::*;

#[module]
struct Sentiment {
    words: Embedding<64, 16>,
    hidden: Linear<16, 32>,
    out: Linear<32, 2>,
}

#[differentiable]
impl Sentiment {
    fn forward(&self, text: &Tensor![i64; Time]) -> Tensor![2] {
        let h = self.hidden.forward(&self.words.forward(text)).relu();
        self.out.forward(&h.mean_axis::<0>())
    }

    fn loss(&self, texts: &[(Tensor![i64; Time], i64)]) -> Tensor![] {
        let mut sum = Tensor::zeros();
        for (text, label) in texts {
            sum += self.forward(text).cross_entropy(&no_grad!(tensor(*label)));
        }
        sum * no_grad!(1.0 / texts.len() as f32)
    }
}

fn text(seeds: &mut Seeds) -> (Tensor![i64; Time], i64) {
    let mut below = |n: u64| (seeds.next_seed() >> 20) % n;
    let (n, label) = (3 + below(12), below(2));
    let words: Vec<i64> = (0..n).map(|_| if below(4) == 0 { label * 6 + below(6) } else { 12 + below(8) } as i64).collect();
    (
        Tensor::from_slice_with((Time(n as usize),), &words).unwrap(),
        label as i64,
    )
}

#[test]
fn moods_are_told_from_words() {
    let seeds = &mut Seeds::new(0);
    let mut net = Sentiment::new(seeds);
    let mut opt = Adam::new(3e-3);
    let mut last = f32::NAN;
    for _ in 0..300 {
        let texts: Vec<_> = (0..32).map(|_| text(seeds)).collect();
        let (loss, grad) = net.loss_value_and_grad(&texts);
        opt.step(&mut net, &grad);
        last = loss.item();
    }
    assert!(last < 0.4, "{last}");
}
