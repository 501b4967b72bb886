//! A GPT: blocks of a decoder with pre-norm and GELU, trained by AdamW. W4: four blocks, vocabulary 96, 64 tokens, width 128,
//! 4 heads. G1: twelve blocks, vocabulary 50304, 1024 tokens, width 768, 12 heads. With an `m` or a `G`, in mixed precision.

use crate::steps::{Run, train};
use differentiable::optim::AdamW;
use differentiable::prelude::*;

/// Models of several sizes: `all` is `batch` × `time`.
macro_rules! models {
    ($($name:ident [$batch:tt $time:tt $all:tt] words $words:tt width $width:tt $three:tt $four:tt heads $heads:tt $all_heads:tt blocks $blocks:tt;)*) => { $(
        pub mod $name {
        use super::*;

        #[derive(Clone, Differentiable, Module)]
        pub struct Norm<T: Float = f32> {
            pub scale: Tensor<(Sz<$width>,), T>,
            pub shift: Tensor<(Sz<$width>,), T>,
        }

        impl<T: Float> Norm<T> {
            pub fn start() -> Self {
                Norm {
                    scale: Tensor::ones(),
                    shift: Tensor::zeros(),
                }
            }
        }

        #[derive(Clone, Differentiable, Module)]
        pub struct Block<T: Float = f32> {
            norm1: Norm<T>,
            qkv: Linear<$width, $three, T>,
            out: Linear<$width, $width, T>,
            norm2: Norm<T>,
            up: Linear<$width, $four, T>,
            down: Linear<$four, $width, T>,
        }

        #[differentiable]
        impl<T: Float> Block<T> {
            pub fn forward(
                &self,
                x: &Tensor![T; $batch, $time, $width],
                #[constant] how: Attention,
            ) -> Tensor![T; $batch, $time, $width] {
                let h = x.layer_norm(&self.norm1.scale, &self.norm1.shift, 1e-5);
                let heads = self.qkv.forward(&h).split_last::<$all_heads>();
                let (q, k, v) = heads.split::<2, (Sz<$heads>, Sz<$heads>, Sz<$heads>)>();
                let q = q.permute::<0, 2, 1, 3>();
                let k = k.permute::<0, 2, 1, 3>();
                let v = v.permute::<0, 2, 1, 3>();
                let a = q.attention(&k, &v, how);
                let a = a.permute::<0, 2, 1, 3>().merge_last();
                let x = x + self.out.forward(&a);
                let h = x.layer_norm(&self.norm2.scale, &self.norm2.shift, 1e-5);
                let h = self.up.forward(&h).gelu();
                x + self.down.forward(&h)
            }
        }

        #[derive(Clone, Differentiable, Module)]
        pub struct Gpt<T: Float = f32> {
            tokens: Tensor<(Sz<$words>, Sz<$width>), T>,
            positions: Tensor<(Sz<$time>, Sz<$width>), T>,
            blocks: [Block<T>; $blocks],
            norm: Norm<T>,
            head: Linear<$width, $words, T>,
        }

        #[differentiable]
        impl<T: Float> Gpt<T> {
            pub fn logits(&self, ids: &Tensor![i64; $batch, $time]) -> Tensor![T; $batch, $time, $words] {
                let mut x = self.tokens.embedding(ids) + &self.positions;
                for i in 0..$blocks {
                    x = self.blocks[i].forward(&x, Attention::new().causal());
                }
                let x = x.layer_norm(&self.norm.scale, &self.norm.shift, 1e-5);
                self.head.forward(&x)
            }

            pub fn loss(&self, ids: &Tensor![i64; $batch, $time], targets: &Tensor![i64; $all]) -> Tensor![T;] {
                self.logits(ids)
                    .reshape::<(Sz<$all>, Sz<$words>)>()
                    .cross_entropy(targets)
            }
        }

        impl<T: Float> Block<T> {
            pub fn start(seeds: &mut Seeds) -> Self {
                Block {
                    norm1: Norm::start(),
                    qkv: Linear::new(seeds),
                    out: Linear::new(seeds),
                    norm2: Norm::start(),
                    up: Linear::new(seeds),
                    down: Linear::new(seeds),
                }
            }
        }

        impl<T: Float> Gpt<T> {
            pub fn start() -> (Self, AdamW) {
                let mut seeds = Seeds::new(1);
                let model = Gpt {
                    tokens: Tensor::randn(2) * T::lit(0.02),
                    positions: Tensor::randn(3) * T::lit(0.02),
                    blocks: core::array::from_fn(|_| Block::start(&mut seeds)),
                    norm: Norm::start(),
                    head: Linear::new(&mut seeds),
                };
                (model, AdamW::new(3e-4))
            }

            pub fn data() -> (Tensor![i64; $batch, $time], Tensor![i64; $all]) {
                (
                    Tensor::from_fn(|i| (i * 31 % $words) as i64),
                    Tensor::from_fn(|i| ((i + 1) * 31 % $words) as i64),
                )
            }
        }

        pub fn run<T: Float>(run: Run) {
            train(run, Gpt::<T>::start(), Gpt::<T>::data(), |net, x, y| {
                net.loss_value_and_grad(x, y)
            });
        }
        }
    )* };
}

models! {
    small [16 64 1024] words 96 width 128 384 512 heads 4 12 blocks 4;
    large [4 1024 4096] words 50304 width 768 2304 3072 heads 12 36 blocks 12;
}
