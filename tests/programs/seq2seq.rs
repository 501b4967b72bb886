//! Dates in many forms to dates in one, by an encoder and a decoder.

use super::common::*;

dim!(Source);

#[module]
struct Translator {
    source: Embedding<40, 64>,
    target: Embedding<40, 64>,
    places: Embedding<32, 64>,
    #[init(Transformer::new(seeds, 2, 0.0))]
    body: Transformer<64, 4, 16, 128>,
    head: Linear<64, 40>,
}

type Target = Tensor![i64; Batch, Time];

#[differentiable]
impl Translator {
    fn forward(
        &self,
        s: &Tensor![i64; Batch, Source],
        keys: &Keys,
        t: &Target,
        ctx: &mut Ctx,
    ) -> Tensor![Batch, Time, 40] {
        let source =
            self.source.forward(s) + self.places.forward(&no_grad!(positions(s.shape().1)));
        let target =
            self.target.forward(t) + self.places.forward(&no_grad!(positions(t.shape().1)));
        self.head
            .forward(&self.body.forward(&source, &target, keys, ctx))
    }

    fn loss(
        &self,
        s: &Tensor![i64; Batch, Source],
        keys: &Keys,
        t: &Target,
        next: &Target,
        ctx: &mut Ctx,
    ) -> Tensor![] {
        self.forward(s, keys, t, ctx)
            .cross_entropy_with(next, no_grad!(Loss::ignore(0)))
    }
}

const MONTHS: &str =
    "january february march april may june july august september october november december";

/// 0 is padding, 1 begins and 2 ends a text, or is a space.
fn ids(text: &str) -> Vec<i64> {
    let id = |c: u8| match c {
        b'a'..=b'z' => c - b'a' + 3,
        b'0'..=b'9' => c - b'0' + 29,
        b'-' => 39,
        _ => 2,
    };
    text.bytes().map(|c| id(c) as i64).collect()
}

fn example(seeds: &mut Seeds) -> (Vec<i64>, Vec<i64>) {
    let mut below = |n: u64| (seeds.next_seed() >> 20) % n;
    let (year, month, day) = (1950 + below(100), below(12) as usize, 1 + below(28));
    let name = MONTHS.split(' ').nth(month).unwrap();
    let written = match below(3) {
        0 => format!("{day} {name} {year}"),
        1 => format!("{name} {day} {year}"),
        _ => format!("{day} {} {year}", &name[..3]),
    };
    (
        ids(&written),
        ids(&format!("{year}-{:02}-{day:02}", month + 1)),
    )
}

impl Translator {
    fn translate(&self, text: &[i64]) -> Vec<i64> {
        let (source, n) = pad(&[text], Source, 0).unwrap();
        let keys = Keys::first(n);
        let mut out = vec![1];
        while out.len() < 13 {
            let (target, _) = pad(&[&out], Time, 0).unwrap();
            let logits = self.forward(&source, &keys, &target, &mut Ctx::eval());
            let next = logits.index::<1>(out.len() - 1).argmax::<1>().to_vec()[0];
            if next == 2 {
                break;
            }
            out.push(next);
        }
        out.split_off(1)
    }
}

#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "trains for a minute without optimisation: add --release"
)]
fn dates_are_translated() {
    let seeds = &mut Seeds::new(4);
    let mut net = Translator::new(seeds);
    let (mut opt, mut ctx) = (Adam::new(1e-3).clip_norm(1.0), Ctx::train(&net, 0));
    for _ in 0..500 {
        let (sources, targets): (Vec<_>, Vec<_>) = (0..64).map(|_| example(seeds)).unzip();
        let (source, n) = pad(&sources, Source, 0).unwrap();
        let given: Vec<_> = targets.iter().map(|t| [&[1], &t[..]].concat()).collect();
        let next: Vec<_> = targets.iter().map(|t| [t, &[2][..]].concat()).collect();
        let [given, next] = [given, next].map(|rows| pad(&rows, Time, 0).unwrap().0);
        let keys = Keys::first(n);
        let (_, grad) = net.loss_value_and_grad(&source, &keys, &given, &next, &mut ctx);
        opt.step(&mut net, &grad);
    }
    let is_right = |_: &i32| {
        let (written, date) = example(seeds);
        net.translate(&written) == date
    };
    let right = (0..100).filter(is_right).count();
    assert!(right >= 95, "{right} of 100");
}
