//! Attention inside annotated functions, in both modes.

use crate::check::between;
use crate::coverage::covered;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Texts, Time, Cached);

type Heads = Tensor![f64; Texts, 2, Time, 3];
type Cache = Tensor![f64; Texts, 2, Cached, 3];

fn heads(seed: u64) -> Heads {
    between((Texts(2), Sz, Time(4), Sz), seed, -1.0, 1.0)
}

fn cache(seed: u64) -> Cache {
    between((Texts(2), Sz, Cached(6), Sz), seed, -1.0, 1.0)
}

fn filled<S: Shape + Default>(seed: u64) -> Tensor<S, f64> {
    between(S::default(), seed, -1.0, 1.0)
}

covered! {
    attention at (filled::<shape![3, 2]>(1), filled::<shape![5, 2]>(2), filled::<shape![5, 4]>(3))
        = |q: Tensor![f64; 3, 2], k: Tensor![f64; 5, 2], v: Tensor![f64; 5, 4]| -> Tensor![f64; 3, 4] {
            q.attention(k, v, Attention::new())
        }
    attention_to_itself at (heads(1)) = |x: Tensor![f64; Texts, 2, Time, 3]| -> f64 {
        let y = x.attention(x, x, Attention::new().causal().dropout(0.2, 3));
        (&y * &y).sum().item()
    }
    attention_to_a_cache at (heads(1), cache(2)) = |x: Tensor![f64; Texts, 2, Time, 3], past: Tensor![f64; Texts, 2, Cached, 3]| -> Tensor![f64; Texts, 2, Time, 3] {
        let how = Attention::new().causal().scale(0.4);
        x.attention(past, &past.tanh(), how) + x
    }
    attention_by_a_seed at (heads(1), 5_u64) = |x: Tensor![f64; Texts, 2, Time, 3], seed: u64| -> Tensor![f64; Texts, 2, Time, 3] {
        x.attention(x, &x.sin(), Attention::new().dropout(0.3, *seed))
    }
    attention_masked at (heads(1), cache(2), Tensor::from_fn_with((Time(4), Cached(6)), |i| i % 5 < 3))
        = |x: Tensor![f64; Texts, 2, Time, 3], past: Tensor![f64; Texts, 2, Cached, 3], mask: Tensor![bool; Time, Cached]| -> Tensor![f64; Texts, 2, Time, 3] {
            x.attention_masked(past, past, mask, Attention::new())
        }
    attention_masked_by_a_comparison at (heads(1), filled::<shape![2, 4, 4]>(2))
        = |x: Tensor![f64; Texts, 2, Time, 3], scores: Tensor![f64; 2, 4, 4]| -> f64 {
            let y = x.narrow::<2, _>(0, Sz::<4>);
            y.attention_masked(&y, &y, &scores.gt(0.0), Attention::new().causal()).sum().item()
        }
    attention_biased at (heads(1), cache(2), between((Sz::<2>, Time(4), Cached(6)), 3, -1.0, 1.0))
        = |x: Tensor![f64; Texts, 2, Time, 3], past: Tensor![f64; Texts, 2, Cached, 3], bias: Tensor![f64; 2, Time, Cached]| -> Tensor![f64; Texts, 2, Time, 3] {
            x.attention_biased(past, past, &bias.square(), Attention::new().causal())
        }
    attention_padded at (heads(1), cache(2), Tensor::from_fn_with((Texts(2),), |i| 6 - 4 * i as i64))
        = |x: Tensor![f64; Texts, 2, Time, 3], past: Tensor![f64; Texts, 2, Cached, 3], lengths: Tensor![i64; Texts]| -> Tensor![f64; Texts, 2, Time, 3] {
            x.attention_padded(past, past, lengths, Attention::new())
        }
    attention_grouped at (filled::<shape![2, 4, 3, 2]>(1), filled::<shape![2, 2, 5, 2]>(2))
        = |q: Tensor![f64; 2, 4, 3, 2], k: Tensor![f64; 2, 2, 5, 2]| -> Tensor![f64; 2, 4, 3, 2] {
            q.attention_grouped(k, k, Attention::new().causal())
        }
    attention_masked_biased at (heads(1), cache(2), between((Sz::<2>, Time(4), Cached(6)), 3, -1.0, 1.0))
        = |x: Tensor![f64; Texts, 2, Time, 3], past: Tensor![f64; Texts, 2, Cached, 3], bias: Tensor![f64; 2, Time, Cached]| -> Tensor![f64; Texts, 2, Time, 3] {
            let mask = bias.gt(-0.6);
            x.attention_masked_biased(past, past, &mask, &bias.square(), Attention::new().causal())
        }
    attention_grouped_masked at (filled::<shape![2, 4, 3, 2]>(1), filled::<shape![2, 2, 5, 2]>(2))
        = |q: Tensor![f64; 2, 4, 3, 2], k: Tensor![f64; 2, 2, 5, 2]| -> Tensor![f64; 2, 4, 3, 2] {
            let mask: Tensor![bool; 4, 3, 5] = Tensor::from_fn(|i| i % 7 < 4);
            q.attention_grouped_masked(k, k, &mask, Attention::new())
        }
    attention_grouped_biased at (
        filled::<shape![2, 4, 3, 2]>(1),
        filled::<shape![2, 2, 5, 2]>(2),
        filled::<shape![4, 3, 5]>(3)
    ) = |q: Tensor![f64; 2, 4, 3, 2], k: Tensor![f64; 2, 2, 5, 2], b: Tensor![f64; 4, 3, 5]| -> Tensor![f64; 2, 4, 3, 2] {
        q.attention_grouped_biased(k, k, b, Attention::new())
    }
    attention_grouped_masked_biased at (
        filled::<shape![2, 4, 3, 2]>(1),
        filled::<shape![2, 2, 5, 2]>(2),
        filled::<shape![3, 5]>(3)
    ) = |q: Tensor![f64; 2, 4, 3, 2], k: Tensor![f64; 2, 2, 5, 2], b: Tensor![f64; 3, 5]| -> Tensor![f64; 2, 4, 3, 2] {
        let mask: Tensor![bool; 2, 4, 3, 5] = Tensor::from_fn(|i| i % 7 < 4);
        q.attention_grouped_masked_biased(k, k, &mask, b, Attention::new())
    }
    attention_by_queries_alone at (filled::<shape![3, 2]>(1)) = |q: Tensor![f64; 3, 2]| -> Tensor![f64; 3, 2] {
        let keys: Tensor![f64; 3, 2] = tensor([[0.1, -0.7], [0.5, 0.2], [-0.3, 0.9]]);
        q.attention(&keys, &keys, Attention::new())
    }
}
