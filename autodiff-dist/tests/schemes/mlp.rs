use super::*;
use autodiff_dist::dist::{ColumnLinear, Inputs, Pipeline, RowLinear, Schedule, Sharded};

type X = Tensor![Batch, 6];
type H = Tensor![Batch, 16];
type Y = Tensor![Batch, 1];

#[module]
struct Mlp {
    first: Linear<6, 16>,
    second: Linear<16, 16>,
    third: Linear<16, 1>,
}

#[differentiable]
impl Mlp {
    fn loss(&self, #[constant] x: &X, #[constant] y: &Y) -> Tensor![] {
        let h = self.second.forward(&self.first.forward(x).tanh()).gelu();
        (self.third.forward(&h) - y).square().mean()
    }
}

impl Problem for Mlp {
    type Rows = (X, Y);
    fn begin() -> Self {
        Mlp::new(&mut Seeds::new(3))
    }
    fn rows(from: usize, n: usize) -> (X, Y) {
        let x = Tensor::from_fn_with((Batch(n), Sz), |i| number(6 * from + i));
        let v = x.to_vec();
        let y = Tensor::from_fn_with((Batch(n), Sz), |i| (v[6 * i] * v[6 * i + 1]).sin());
        (x, y)
    }
    fn gradient(&self, (x, y): &(X, Y)) -> Self::Tangent {
        self.loss_grad(x, y)
    }
}

#[derive(Clone, Differentiable, Module)]
struct Split {
    first: ColumnLinear<6, 16>,
    second: RowLinear<16, 16>,
    third: Linear<16, 1>,
}

#[differentiable]
impl Split {
    fn loss(&self, #[constant] x: &X, #[constant] y: &Y) -> Tensor![] {
        let h = self.second.forward(&self.first.forward(x).tanh()).gelu();
        (self.third.forward(&h) - y).square().mean()
    }
}

type Body = Sequential<(Linear<6, 16>, Tanh, Linear<16, 16>, Gelu)>;

#[derive(Clone, Differentiable, Module)]
struct Divided {
    body: Sharded<Body>,
    third: Sharded<Linear<16, 1>>,
}

#[differentiable]
impl Divided {
    fn loss(&self, #[constant] x: &X, #[constant] y: &Y) -> Tensor![] {
        let ctx = &mut no_grad!(Ctx::eval());
        let h: H = self.body.forward(x, ctx);
        let found: Y = self.third.forward(&h, ctx);
        (found - y).square().mean()
    }
}

#[differentiable]
fn one(l: &Linear<6, 16>, #[constant] x: &X) -> H {
    l.forward(x).tanh()
}
#[differentiable]
fn two(l: &Linear<16, 16>, h: &H) -> H {
    l.forward(h).gelu()
}
#[differentiable]
fn three(l: &Linear<16, 1>, h: &H, #[constant] y: &Y) -> Tensor![] {
    (l.forward(h) - y).square().mean()
}
/// The last two stages on one rank.
#[differentiable]
fn last(l: &(Linear<16, 16>, Linear<16, 1>), h: &H, #[constant] y: &Y) -> Tensor![] {
    three(&l.1, &two(&l.0, h), y)
}

pub fn all(ranks: &Ranks) {
    by_data::<Mlp>("MLP", ranks);
    let whole = Mlp::begin();

    let net = Split {
        first: ColumnLinear::of(&whole.first, ranks),
        second: RowLinear::of(&whole.second, ranks),
        third: whole.third.clone(),
    };
    let gradient = |net: &Split, step: usize| {
        let (x, y) = Mlp::rows(step * ROWS, ROWS);
        net.loss_grad(&x, &y)
    };
    let join = |net: &Split| {
        let (first, second) = (net.first.whole().unwrap(), net.second.whole().unwrap());
        parameters(&Mlp {
            first,
            second,
            third: net.third.clone(),
        })
    };
    let expected = alone_by_sgd::<Mlp>();
    by_parts("MLP, tensor parallel", &expected, net, gradient, join);

    let own = ROWS / ranks.size();
    let body = Sequential((whole.first.clone(), Tanh, whole.second.clone(), Gelu));
    let net = Divided {
        body: Sharded::new(body, ranks).unwrap(),
        third: Sharded::new(whole.third.clone(), ranks).unwrap(),
    };
    let gradient = |net: &Divided, step: usize| {
        let (x, y) = Mlp::rows(step * ROWS + own * ranks.rank(), own);
        net.loss_grad(&x, &y)
    };
    let join = |net: &Divided| {
        let body = net.body.whole().unwrap().0;
        let third = net.third.whole().unwrap();
        parameters(&Mlp {
            first: body.0,
            second: body.2,
            third,
        })
    };
    by_shares("MLP, ZeRO-3", ranks, &alone::<Mlp>(), net, gradient, join);

    if ranks.size() > 1 {
        for schedule in [Schedule::GPipe, Schedule::OneForwardOneBack] {
            pipeline(ranks, schedule, &expected);
        }
    }
}

fn pipeline(ranks: &Ranks, schedule: Schedule, expected: &[f32]) {
    const PARTS: usize = 4;
    let pipeline = Pipeline::new(ranks, PARTS).schedule(schedule);
    let whole = Mlp::begin();
    let (mut first, mut second, mut third) = (whole.first, whole.second, whole.third);
    let mut sgd = Sgd::new(0.05).momentum(0.9);
    let (me, size) = (ranks.rank(), ranks.size());
    let weight = || Tensor::full(1.0 / PARTS as f32);
    for step in 0..STEPS {
        let parts = (0..PARTS).map(|p| Mlp::rows(step * ROWS + p * ROWS / PARTS, ROWS / PARTS));
        let (xs, ys): (Vec<X>, Vec<Y>) = parts.unzip();
        match me {
            0 => {
                let mut grad = first.zero_tangent();
                let forward = |p: usize| one::vjp(&first, &xs[p]);
                pipeline
                    .first(forward, |pull, ct| add(&mut grad, pull(ct)))
                    .unwrap();
                sgd.step(&mut first, &grad);
            }
            1 if size == 2 => {
                let mut both = (second.clone(), third.clone());
                let (inputs, mut grad) = (Inputs::new(PARTS), both.zero_tangent());
                let forward = |p: usize, h| last::vjp(&both, h, &ys[p]);
                pipeline
                    .last(&inputs, forward, |_, pull| {
                        let (of_layers, of_h) = pull(weight());
                        add(&mut grad, of_layers);
                        of_h
                    })
                    .unwrap();
                sgd.step(&mut both, &grad);
                (second, third) = both;
            }
            1 => {
                let (inputs, mut grad) = (Inputs::new(PARTS), second.zero_tangent());
                pipeline
                    .middle(
                        &inputs,
                        |_, h| two::vjp(&second, h),
                        |pull, ct| {
                            let (of_layer, of_h) = pull(ct);
                            add(&mut grad, of_layer);
                            of_h
                        },
                    )
                    .unwrap();
                sgd.step(&mut second, &grad);
            }
            r if r + 1 < size => {
                // Hands on what comes: a stage without parameters.
                let inputs = Inputs::new(PARTS);
                pipeline
                    .middle(&inputs, |_, h: &H| (h.clone(), ()), |(), ct: H| ct)
                    .unwrap();
            }
            _ => {
                let (inputs, mut grad) = (Inputs::new(PARTS), third.zero_tangent());
                pipeline
                    .last(
                        &inputs,
                        |p, h| three::vjp(&third, h, &ys[p]),
                        |_, pull| {
                            let (of_layer, of_h) = pull(weight());
                            add(&mut grad, of_layer);
                            of_h
                        },
                    )
                    .unwrap();
                sgd.step(&mut third, &grad);
            }
        }
    }
    // Who has trained what.
    let from = |x: Vec<f32>, rank: usize| ranks.broadcast_all(&x, rank).unwrap();
    let mut found = from(parameters(&first), 0);
    found.extend(from(parameters(&second), 1));
    found.extend(from(parameters(&third), size - 1));
    close(&format!("MLP, pipeline by {schedule:?}"), &found, expected);
}
