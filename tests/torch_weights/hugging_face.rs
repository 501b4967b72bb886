//! Models as Hugging Face saves them. `tests/data/torch/hugging_face.py` writes the files.

use super::{assert_near, data};
use differentiable::nn::torch::Import;
use differentiable::nn::*;
use differentiable::prelude::*;

/// Two sentences of five words.
fn words() -> Tensor![i64; 2, 5] {
    Tensor::from_slice(&[3, 1, 4, 1, 5, 9, 2, 6, 5, 8]).unwrap()
}

/// What the model said there.
#[module]
struct Io<const N: usize> {
    #[init(Tensor::zeros())]
    y: Tensor![2, 5, { N }],
}

#[module]
struct Gpt2Block {
    ln_1: LayerNorm<8>,
    attn: MultiHead<8, 2, 4>,
    ln_2: LayerNorm<8>,
    fc: Linear<8, 32>,
    proj: Linear<32, 8>,
}

#[module]
struct Gpt2 {
    wte: Embedding<11, 8>,
    wpe: Embedding<6, 8>,
    #[init(repeat(2))]
    h: Vec<Gpt2Block>,
    ln_f: LayerNorm<8>,
    io: Io<11>,
}

impl Gpt2 {
    fn forward(&self, words: &Tensor![i64; 2, 5]) -> Tensor![2, 5, 11] {
        let mut x = self.wte.forward(words) + self.wpe.forward(&positions(Sz::<5>));
        for b in &self.h {
            let h = b.ln_1.forward(&x);
            let x1 = x + b.attn.forward(&h, &h, &Keys::Causal);
            let h = b.fc.forward(&b.ln_2.forward(&x1)).gelu_tanh();
            x = x1 + b.proj.forward(&h);
        }
        self.wte.attend(&self.ln_f.forward(&x))
    }
}

/// Its `Conv1D` has `[inputs, outputs]`, with the three matrices of attention in one.
#[test]
fn gpt2() {
    let mut net = Gpt2::new(&mut Seeds::new(1));
    Import::new()
        .transpose("**.c_attn.weight")
        .transpose("**.c_proj.weight")
        .transpose("**.c_fc.weight")
        .rename("transformer.{rest..}", "{rest}")
        .rename("h.{i}.attn.c_attn.{p}", "h.{i}.attn.in_proj_{p}")
        .rename("h.{i}.attn.c_proj.{p}", "h.{i}.attn.out_proj.{p}")
        .rename("h.{i}.mlp.c_fc.{p}", "h.{i}.fc.{p}")
        .rename("h.{i}.mlp.c_proj.{p}", "h.{i}.proj.{p}")
        .load(&mut net, data("gpt2.safetensors"))
        .unwrap();
    assert_near(&net.forward(&words()), &net.io.y, 1e-6);
}

#[module]
struct BertBlock {
    self_attn: MultiHead<8, 2, 4>,
    norm1: LayerNorm<8>,
    up: Linear<8, 12>,
    down: Linear<12, 8>,
    norm2: LayerNorm<8>,
}

#[module]
struct Bert {
    word_embeddings: Embedding<11, 8>,
    position_embeddings: Embedding<6, 8>,
    token_type_embeddings: Embedding<2, 8>,
    norm: LayerNorm<8>,
    #[init(repeat(2))]
    layers: Vec<BertBlock>,
    io: Io<8>,
}

impl Bert {
    fn forward(&self, words: &Tensor![i64; 2, 5]) -> Tensor![2, 5, 8] {
        let kinds = self.token_type_embeddings.forward(&words.zeros_like());
        let x = self.word_embeddings.forward(words)
            + self.position_embeddings.forward(&positions(Sz::<5>));
        let mut x = self.norm.forward(&(x + kinds));
        for b in &self.layers {
            let x1 = b
                .norm1
                .forward(&(&x + b.self_attn.forward(&x, &x, &Keys::All)));
            let h = b.down.forward(&b.up.forward(&x1).gelu());
            x = b.norm2.forward(&(x1 + h));
        }
        x
    }
}

#[test]
fn bert() {
    let mut net = Bert::new(&mut Seeds::new(1));
    net.norm.eps = 1e-12;
    for b in &mut net.layers {
        (b.norm1.eps, b.norm2.eps) = (1e-12, 1e-12);
    }
    Import::new()
        .rename("embeddings.LayerNorm.{p}", "norm.{p}")
        .rename("embeddings.{rest..}", "{rest}")
        .rename("encoder.layer.{rest..}", "layers.{rest}")
        .rename(
            "layers.{i}.attention.self.query.{p}",
            "layers.{i}.self_attn.q_proj.{p}",
        )
        .rename(
            "layers.{i}.attention.self.key.{p}",
            "layers.{i}.self_attn.k_proj.{p}",
        )
        .rename(
            "layers.{i}.attention.self.value.{p}",
            "layers.{i}.self_attn.v_proj.{p}",
        )
        .rename(
            "layers.{i}.attention.output.dense.{p}",
            "layers.{i}.self_attn.out_proj.{p}",
        )
        .rename(
            "layers.{i}.attention.output.LayerNorm.{p}",
            "layers.{i}.norm1.{p}",
        )
        .rename("layers.{i}.intermediate.dense.{p}", "layers.{i}.up.{p}")
        .rename("layers.{i}.output.dense.{p}", "layers.{i}.down.{p}")
        .rename("layers.{i}.output.LayerNorm.{p}", "layers.{i}.norm2.{p}")
        .load(&mut net, data("bert.safetensors"))
        .unwrap();
    assert_near(&net.forward(&words()), &net.io.y, 1e-6);
}

#[module]
struct LlamaBlock {
    input_layernorm: RmsNorm<8>,
    self_attn: GroupedMultiHead<8, 2, 2, 2>,
    post_attention_layernorm: RmsNorm<8>,
    mlp: GatedMlp<8, 12>,
}

#[module]
struct Llama {
    embed_tokens: Embedding<11, 8>,
    #[init(repeat(2))]
    layers: Vec<LlamaBlock>,
    norm: RmsNorm<8>,
    lm_head: LinearNoBias<8, 11>,
    io: Io<11>,
}

impl Llama {
    fn forward(&self, words: &Tensor![i64; 2, 5], caches: &mut Caches<2, 2>) -> Tensor![2, 5, 11] {
        let mut x = self.embed_tokens.forward(words);
        for (i, b) in self.layers.iter().enumerate() {
            let h = b.input_layernorm.forward(&x);
            let x1 = x + b.self_attn.causal(&h, caches.layer(i));
            x = &x1 + b.mlp.forward(&b.post_attention_layernorm.forward(&x1));
        }
        self.lm_head.forward(&self.norm.forward(&x))
    }
}

/// The names of our layers are those of Llama: one pattern.
#[test]
fn llama() {
    let mut net = Llama::new(&mut Seeds::new(1));
    Import::new()
        .rename("model.{rest..}", "{rest}")
        .load(&mut net, data("llama.safetensors"))
        .unwrap();
    let logits = net.forward(&words(), &mut Caches::none());
    assert_near(&logits, &net.io.y, 1e-6);
}
