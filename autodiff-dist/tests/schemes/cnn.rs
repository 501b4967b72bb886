use super::*;
use autodiff_dist::dist::{ColumnLinear, Inputs, Pipeline, RowLinear, Sharded};

type X = Tensor![Batch, 1, 8, 8];
type Y = Tensor![i64; Batch];
type Features = Tensor![Batch, 64];

/// Images to features.
#[module]
struct Body {
    conv: Conv2d<1, 4, 3>,
    norm: LayerNorm<64>,
}

#[differentiable]
impl Body {
    fn features(&self, x: &X) -> Features {
        let h = self.conv.forward(x).relu().max_pool2d::<2, 2, _>(Win::<2>);
        let h: Tensor![Batch, 4, 4, 4] = h;
        self.norm.forward(&h.flatten())
    }
}

#[differentiable]
impl Layer<X> for Body {
    type Out = Features;
    fn apply(&self, x: &X, _ctx: &mut Ctx) -> Features {
        self.features(x)
    }
}

#[module]
struct Cnn {
    body: Body,
    hidden: Linear<64, 16>,
    out: Linear<16, 3>,
}

#[differentiable]
impl Cnn {
    fn loss(&self, #[constant] x: &X, #[constant] y: &Y) -> Tensor![] {
        let h = self.hidden.forward(&self.body.features(x)).relu();
        self.out.forward(&h).cross_entropy(y)
    }
}

impl Problem for Cnn {
    type Rows = (X, Y);
    fn begin() -> Self {
        Cnn::new(&mut Seeds::new(4))
    }
    fn rows(from: usize, n: usize) -> (X, Y) {
        let x = Tensor::from_fn_with((Batch(n), Sz, Sz, Sz), |i| number(64 * from + i));
        (
            x,
            Tensor::from_fn_with((Batch(n),), |i| ((from + i) * 7 % 3) as i64),
        )
    }
    fn gradient(&self, (x, y): &(X, Y)) -> Self::Tangent {
        self.loss_grad(x, y)
    }
}

#[derive(Clone, Differentiable, Module)]
struct Split {
    body: Body,
    hidden: ColumnLinear<64, 16>,
    out: RowLinear<16, 3>,
}

#[differentiable]
impl Split {
    fn loss(&self, #[constant] x: &X, #[constant] y: &Y) -> Tensor![] {
        let h = self.hidden.forward(&self.body.features(x)).relu();
        self.out.forward(&h).cross_entropy(y)
    }
}

#[derive(Clone, Differentiable, Module)]
struct Divided {
    body: Sharded<Body>,
    head: Sharded<Sequential<(Linear<64, 16>, Relu, Linear<16, 3>)>>,
}

#[differentiable]
impl Divided {
    fn loss(&self, #[constant] x: &X, #[constant] y: &Y) -> Tensor![] {
        let ctx = &mut no_grad!(Ctx::eval());
        let h: Features = self.body.forward(x, ctx);
        let logits: Tensor![Batch, 3] = self.head.forward(&h, ctx);
        logits.cross_entropy(y)
    }
}

#[differentiable]
fn images(body: &Body, #[constant] x: &X) -> Features {
    body.features(x)
}
#[differentiable]
fn classes(l: &(Linear<64, 16>, Linear<16, 3>), h: &Features, #[constant] y: &Y) -> Tensor![] {
    l.1.forward(&l.0.forward(h).relu()).cross_entropy(y)
}

pub fn all(ranks: &Ranks) {
    by_data::<Cnn>("CNN", ranks);
    let whole = Cnn::begin();
    let expected = alone_by_sgd::<Cnn>();

    let net = Split {
        body: whole.body.clone(),
        hidden: ColumnLinear::of(&whole.hidden, ranks),
        out: RowLinear::of(&whole.out, ranks),
    };
    let gradient = |net: &Split, step: usize| {
        let (x, y) = Cnn::rows(step * ROWS, ROWS);
        net.loss_grad(&x, &y)
    };
    let join = |net: &Split| {
        let (hidden, out) = (net.hidden.whole().unwrap(), net.out.whole().unwrap());
        parameters(&Cnn {
            body: net.body.clone(),
            hidden,
            out,
        })
    };
    by_parts("CNN, tensor parallel", &expected, net, gradient, join);

    let own = ROWS / ranks.size();
    let head = Sequential((whole.hidden.clone(), Relu, whole.out.clone()));
    let net = Divided {
        body: Sharded::new(whole.body.clone(), ranks).unwrap(),
        head: Sharded::new(head, ranks).unwrap(),
    };
    let gradient = |net: &Divided, step: usize| {
        let (x, y) = Cnn::rows(step * ROWS + own * ranks.rank(), own);
        net.loss_grad(&x, &y)
    };
    let join = |net: &Divided| {
        let (body, head) = (net.body.whole().unwrap(), net.head.whole().unwrap().0);
        parameters(&Cnn {
            body,
            hidden: head.0,
            out: head.2,
        })
    };
    by_shares("CNN, ZeRO-3", ranks, &alone::<Cnn>(), net, gradient, join);

    if ranks.size() > 1 {
        pipeline(ranks, &expected);
    }
}

fn pipeline(ranks: &Ranks, expected: &[f32]) {
    const PARTS: usize = 2;
    let pipeline = Pipeline::new(ranks, PARTS);
    let whole = Cnn::begin();
    let (mut body, mut head) = (whole.body, (whole.hidden, whole.out));
    let mut sgd = Sgd::new(0.05).momentum(0.9);
    for step in 0..STEPS {
        let parts = (0..PARTS).map(|p| Cnn::rows(step * ROWS + p * ROWS / PARTS, ROWS / PARTS));
        let (xs, ys): (Vec<X>, Vec<Y>) = parts.unzip();
        if ranks.is_first() {
            let mut grad = body.zero_tangent();
            let forward = |p: usize| images::vjp(&body, &xs[p]);
            pipeline
                .first(forward, |pull, ct| add(&mut grad, pull(ct)))
                .unwrap();
            sgd.step(&mut body, &grad);
        } else if ranks.rank() + 1 < ranks.size() {
            // Hands on what comes: a stage without parameters.
            let inputs = Inputs::new(PARTS);
            pipeline
                .middle(
                    &inputs,
                    |_, h: &Features| (h.clone(), ()),
                    |(), ct: Features| ct,
                )
                .unwrap();
        } else {
            let (inputs, mut grad) = (Inputs::new(PARTS), head.zero_tangent());
            pipeline
                .last(
                    &inputs,
                    |p, h| classes::vjp(&head, h, &ys[p]),
                    |_, pull| {
                        let (of_layers, of_h) = pull(Tensor::full(1.0 / PARTS as f32));
                        add(&mut grad, of_layers);
                        of_h
                    },
                )
                .unwrap();
            sgd.step(&mut head, &grad);
        }
    }
    let from = |x: Vec<f32>, rank: usize| ranks.broadcast_all(&x, rank).unwrap();
    let found = [
        from(parameters(&body), 0),
        from(parameters(&head), ranks.size() - 1),
    ]
    .concat();
    close("CNN, pipeline", &found, expected);
}
