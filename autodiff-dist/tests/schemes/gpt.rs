use super::*;
use autodiff_dist::dist::{ColumnLinear, Inputs, Pipeline, RowLinear, Sharded, SplitHeads};

dim!(Time);
type Ids = Tensor![i64; Batch, Time];
type H = Tensor![Batch, Time, 16];
const LETTERS: usize = 11;
const TIME: usize = 6;

#[module]
struct Block {
    before: LayerNorm<16>,
    heads: MultiHead<16, 4, 4>,
    between: LayerNorm<16>,
    up: Linear<16, 32>,
    down: Linear<32, 16>,
}

#[differentiable]
impl Block {
    fn forward(&self, x: &H) -> H {
        let keys = no_grad!(Keys::Causal);
        let n = self.before.forward(x);
        let x = x + self.heads.forward(&n, &n, &keys);
        let h = self.up.forward(&self.between.forward(&x)).gelu();
        x + self.down.forward(&h)
    }
}

#[differentiable]
impl Layer<H> for Block {
    type Out = H;
    fn apply(&self, x: &H, _ctx: &mut Ctx) -> H {
        self.forward(x)
    }
}

#[module]
struct Gpt {
    tokens: Embedding<LETTERS, 16>,
    #[init(repeat(2))]
    blocks: Vec<Block>,
    norm: LayerNorm<16>,
    out: Linear<16, LETTERS>,
}

#[differentiable]
impl Gpt {
    fn loss(&self, #[constant] ids: &Ids, #[constant] next: &Ids) -> Tensor![] {
        let mut x = self.tokens.forward(ids);
        for block in &self.blocks {
            x = block.forward(&x);
        }
        self.out.forward(&self.norm.forward(&x)).cross_entropy(next)
    }
}

impl Problem for Gpt {
    type Rows = (Ids, Ids);
    fn begin() -> Self {
        Gpt::new(&mut Seeds::new(5))
    }
    fn rows(from: usize, n: usize) -> (Ids, Ids) {
        let letter = |i: usize| (i * i / 3 % LETTERS) as i64;
        let cut = |shift: usize| {
            Tensor::from_fn_with((Batch(n), Time(TIME)), |i| letter(TIME * from + i + shift))
        };
        (cut(0), cut(1))
    }
    fn gradient(&self, (ids, next): &(Ids, Ids)) -> Self::Tangent {
        self.loss_grad(ids, next)
    }
}

#[derive(Clone, Differentiable, Module)]
struct SplitBlock {
    before: LayerNorm<16>,
    heads: SplitHeads<16, 4, 4>,
    between: LayerNorm<16>,
    up: ColumnLinear<16, 32>,
    down: RowLinear<32, 16>,
}

#[differentiable]
impl SplitBlock {
    fn forward(&self, x: &H) -> H {
        let x = x + self.heads.forward(&self.before.forward(x), true);
        let h = self.up.forward(&self.between.forward(&x)).gelu();
        x + self.down.forward(&h)
    }
}

#[derive(Clone, Differentiable, Module)]
struct Split {
    tokens: Embedding<LETTERS, 16>,
    blocks: Vec<SplitBlock>,
    norm: LayerNorm<16>,
    out: Linear<16, LETTERS>,
}

#[differentiable]
impl Split {
    fn loss(&self, #[constant] ids: &Ids, #[constant] next: &Ids) -> Tensor![] {
        let mut x = self.tokens.forward(ids);
        for block in &self.blocks {
            x = block.forward(&x);
        }
        self.out.forward(&self.norm.forward(&x)).cross_entropy(next)
    }
}

/// Blocks divided; the ends are small and stay whole, so their gradients are averaged by hand.
#[derive(Clone, Differentiable, Module)]
struct Divided {
    tokens: Sharded<Ends>,
    blocks: Vec<Sharded<Block>>,
    out: Sharded<Sequential<(LayerNorm<16>, Linear<16, LETTERS>)>>,
}

/// Letters as features: a product with one 1, so that a divided layer takes numbers.
#[module]
struct Ends {
    tokens: Embedding<LETTERS, 16>,
}

#[differentiable]
impl Layer<Tensor![Batch, Time, { LETTERS }]> for Ends {
    type Out = H;
    fn apply(&self, x: &Tensor![Batch, Time, { LETTERS }], _ctx: &mut Ctx) -> H {
        x.matmul(&self.tokens.weight)
    }
}

#[differentiable]
impl Divided {
    fn loss(
        &self,
        #[constant] x: &Tensor![Batch, Time, { LETTERS }],
        #[constant] next: &Ids,
    ) -> Tensor![] {
        let ctx = &mut no_grad!(Ctx::eval());
        let mut h: H = self.tokens.forward(x, ctx);
        for block in &self.blocks {
            h = block.forward(&h, ctx);
        }
        let logits: Tensor![Batch, Time, { LETTERS }] = self.out.forward(&h, ctx);
        logits.cross_entropy(next)
    }
}

fn one_hot(ids: &Ids) -> Tensor![Batch, Time, { LETTERS }] {
    let v = ids.to_vec();
    let (n, t) = (ids.dims()[0], ids.dims()[1]);
    Tensor::from_fn_with((Batch(n), Time(t), Sz), |i| {
        f32::from(u8::from(v[i / LETTERS] as usize == i % LETTERS))
    })
}

#[differentiable]
fn front(l: &(Embedding<LETTERS, 16>, Block), #[constant] ids: &Ids) -> H {
    l.1.forward(&l.0.forward(ids))
}
#[differentiable]
fn back(
    l: &(Block, LayerNorm<16>, Linear<16, LETTERS>),
    h: &H,
    #[constant] next: &Ids,
) -> Tensor![] {
    l.2.forward(&l.1.forward(&l.0.forward(h)))
        .cross_entropy(next)
}

pub fn all(ranks: &Ranks) {
    by_data::<Gpt>("GPT", ranks);
    let whole = Gpt::begin();
    let expected = alone_by_sgd::<Gpt>();

    let split = |block: &Block| SplitBlock {
        before: block.before.clone(),
        heads: SplitHeads::of(&block.heads, ranks),
        between: block.between.clone(),
        up: ColumnLinear::of(&block.up, ranks),
        down: RowLinear::of(&block.down, ranks),
    };
    let net = Split {
        tokens: whole.tokens.clone(),
        blocks: whole.blocks.iter().map(split).collect(),
        norm: whole.norm.clone(),
        out: whole.out.clone(),
    };
    let gradient = |net: &Split, step: usize| {
        let (ids, next) = Gpt::rows(step * ROWS, ROWS);
        net.loss_grad(&ids, &next)
    };
    let join = |net: &Split| {
        let block = |b: &SplitBlock| Block {
            before: b.before.clone(),
            heads: b.heads.whole().unwrap(),
            between: b.between.clone(),
            up: b.up.whole().unwrap(),
            down: b.down.whole().unwrap(),
        };
        parameters(&Gpt {
            tokens: net.tokens.clone(),
            blocks: net.blocks.iter().map(block).collect(),
            norm: net.norm.clone(),
            out: net.out.clone(),
        })
    };
    by_parts("GPT, tensor parallel", &expected, net, gradient, join);

    let own = ROWS / ranks.size();
    let ends = Ends {
        tokens: whole.tokens.clone(),
    };
    let last = Sequential((whole.norm.clone(), whole.out.clone()));
    let net = Divided {
        tokens: Sharded::new(ends, ranks).unwrap(),
        blocks: whole
            .blocks
            .iter()
            .map(|b| Sharded::new(b.clone(), ranks).unwrap())
            .collect(),
        out: Sharded::new(last, ranks).unwrap(),
    };
    let gradient = |net: &Divided, step: usize| {
        let (ids, next) = Gpt::rows(step * ROWS + own * ranks.rank(), own);
        net.loss_grad(&one_hot(&ids), &next)
    };
    let join = |net: &Divided| {
        let last = net.out.whole().unwrap().0;
        parameters(&Gpt {
            tokens: net.tokens.whole().unwrap().tokens,
            blocks: net.blocks.iter().map(|b| b.whole().unwrap()).collect(),
            norm: last.0,
            out: last.1,
        })
    };
    by_shares("GPT, ZeRO-3", ranks, &alone::<Gpt>(), net, gradient, join);

    if ranks.size() > 1 {
        pipeline(ranks, &expected);
    }
}

fn pipeline(ranks: &Ranks, expected: &[f32]) {
    const PARTS: usize = 4;
    let pipeline = Pipeline::new(ranks, PARTS);
    let mut whole = Gpt::begin();
    let second = whole.blocks.remove(1);
    let mut one = (whole.tokens, whole.blocks.remove(0));
    let mut two = (second, whole.norm, whole.out);
    let mut sgd = Sgd::new(0.05).momentum(0.9);
    for step in 0..STEPS {
        let parts = (0..PARTS).map(|p| Gpt::rows(step * ROWS + p * ROWS / PARTS, ROWS / PARTS));
        let (ids, next): (Vec<Ids>, Vec<Ids>) = parts.unzip();
        if ranks.is_first() {
            let mut grad = one.zero_tangent();
            let forward = |p: usize| front::vjp(&one, &ids[p]);
            pipeline
                .first(forward, |pull, ct| add(&mut grad, pull(ct)))
                .unwrap();
            sgd.step(&mut one, &grad);
        } else if ranks.rank() + 1 < ranks.size() {
            // Hands on what comes: a stage without parameters.
            let inputs = Inputs::new(PARTS);
            pipeline
                .middle(&inputs, |_, h: &H| (h.clone(), ()), |(), ct: H| ct)
                .unwrap();
        } else {
            let (inputs, mut grad) = (Inputs::new(PARTS), two.zero_tangent());
            pipeline
                .last(
                    &inputs,
                    |p, h| back::vjp(&two, h, &next[p]),
                    |_, pull| {
                        let (of_layers, of_h) = pull(Tensor::full(1.0 / PARTS as f32));
                        add(&mut grad, of_layers);
                        of_h
                    },
                )
                .unwrap();
            sgd.step(&mut two, &grad);
        }
    }
    let from = |x: Vec<f32>, rank: usize| ranks.broadcast_all(&x, rank).unwrap();
    let found = [
        from(parameters(&one), 0),
        from(parameters(&two), ranks.size() - 1),
    ]
    .concat();
    close("GPT, pipeline", &found, expected);
}
