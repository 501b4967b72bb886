//! A small GPT with a cache for generation.

use super::common::*;

#[module]
struct Block {
    n1: LayerNorm<64>,
    attention: MultiHead<64, 4, 16>,
    n2: LayerNorm<64>,
    mlp: Mlp<64, 256>,
}

#[differentiable]
impl Block {
    fn forward(
        &self,
        x: &Tensor![Batch, Time, 64],
        cache: &mut KvCache<4, 16>,
    ) -> Tensor![Batch, Time, 64] {
        let x = x + self.attention.causal(&self.n1.forward(x), cache);
        &x + self.mlp.forward(&self.n2.forward(&x))
    }
}

#[module(depth: usize)]
struct Gpt {
    tokens: Embedding<96, 64>,
    places: Embedding<64, 64>,
    #[init(repeat(depth))]
    blocks: Vec<Block>,
    norm: LayerNorm<64>,
    out: Linear<64, 96>,
}

#[differentiable]
impl Gpt {
    fn forward(
        &self,
        ids: &Tensor![i64; Batch, Time],
        caches: &mut Caches<4, 16>,
    ) -> Tensor![Batch, Time, 96] {
        let mut x = self.tokens.forward(ids) + self.places.forward(&caches.positions(ids));
        for (i, block) in self.blocks.iter().enumerate() {
            x = block.forward(&x, &mut caches[i]);
        }
        self.out.forward(&self.norm.forward(&x))
    }

    fn loss(&self, ids: &Tensor![i64; Batch, Time], next: &Tensor![i64; Batch, Time]) -> Tensor![] {
        let mut caches: Caches<4, 16> = no_grad!(Caches::none());
        self.forward(ids, &mut caches).cross_entropy(next)
    }
}

impl Gpt {
    fn generate(&self, prompt: &[i64], n: usize, cached: bool) -> Vec<i64> {
        let (mut all, mut caches, mut next) = (prompt.to_vec(), Caches::empty(), prompt.to_vec());
        for _ in 0..n {
            let given = if cached {
                &next
            } else {
                caches = Caches::none();
                &all
            };
            let x = Tensor::from_slice_with((Batch(1), Time(given.len())), given).unwrap();
            next = self
                .forward(&x, &mut caches)
                .index::<1>(given.len() - 1)
                .argmax::<1>()
                .to_vec();
            all.push(next[0]);
        }
        all
    }
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "trains for a minute without optimisation: add --release"
)]
fn a_text_is_told_by_attention() {
    let (ids, length, total) = (text(), 64, 200);
    let mut net = Gpt::new(&mut Seeds::new(0), 3);
    let mut opt = AdamW::new(3e-3)
        .betas(0.9, 0.95)
        .weight_decay(0.1)
        .clip_norm(1.0);
    let mut seeds = Seeds::new(1);
    let mut last = f32::NAN;
    for _ in 0..total {
        let at: Vec<usize> = (0..16)
            .map(|_| seeds.next_seed() as usize % (ids.len() - length - 1))
            .collect();
        let cut = |shift: usize| {
            Tensor::from_fn_with((Batch(16), Time(length)), |i| {
                ids[at[i / length] + i % length + shift]
            })
        };
        let (loss, grad) = net.loss_value_and_grad(&cut(0), &cut(1));
        opt.step(&mut net, &grad);
        last = loss.item();
    }
    assert!(last < 2.7, "{last}");
    assert_eq!(
        net.generate(&ids[..12], 48, true),
        net.generate(&ids[..12], 48, false)
    );
}
