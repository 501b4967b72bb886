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

#[differentiable]
impl Translator {
    fn forward(
        &self,
        s: &Tensor![i64; Batch, Source],
        keys: &Keys,
        t: &Tensor![i64; Batch, Time],
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
        t: &Tensor![i64; Batch, Time],
        next: &Tensor![i64; Batch, Time],
        ctx: &mut Ctx,
    ) -> Tensor![] {
        self.forward(s, keys, t, ctx)
            .cross_entropy_with(next, no_grad!(Loss::ignore(0)))
    }
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

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
    let name = MONTHS[month];
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

/// Texts behind one another, each filled up with 0, and their lengths.
fn padded<L: Dim>(texts: &[Vec<i64>], length: fn(usize) -> L) -> (Tensor![i64; Batch, L], Keys) {
    let longest = texts.iter().map(Vec::len).max().unwrap();
    let all = Tensor::from_fn_with((Batch(texts.len()), length(longest)), |i| {
        *texts[i / longest].get(i % longest).unwrap_or(&0)
    });
    (
        all,
        Keys::first(texts.iter().map(|t| t.len() as i64).collect::<Vec<_>>()),
    )
}

impl Translator {
    fn translate(&self, text: &[i64]) -> Vec<i64> {
        let (source, keys) = padded(&[text.to_vec()], Source);
        let mut out = vec![1];
        while out.len() < 13 {
            let (target, _) = padded(&[out.clone()], Time);
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
    let (mut opt, mut ctx) = (Adam::new(1e-3), Ctx::train(&net, 0));
    for _ in 0..500 {
        let (sources, targets): (Vec<_>, Vec<_>) = (0..64).map(|_| example(seeds)).unzip();
        let (source, keys) = padded(&sources, Source);
        let (given, _) = padded(
            &targets
                .iter()
                .map(|t| [&[1], &t[..]].concat())
                .collect::<Vec<_>>(),
            Time,
        );
        let (next, _) = padded(
            &targets
                .iter()
                .map(|t| [t, &[2][..]].concat())
                .collect::<Vec<_>>(),
            Time,
        );
        let (_, grad) = net.loss_value_and_grad(&source, &keys, &given, &next, &mut ctx);
        opt.step(&mut net, &clip_grad_norm(grad, 1.0).0);
    }
    let right = (0..100).filter(|_| {
        let (written, date) = example(seeds);
        net.translate(&written) == date
    });
    let right = right.count();
    assert!(right >= 95, "{right} of 100");
}
