//! Characters by an LSTM, in pieces of a long text, and samples from it.

use super::common::*;

#[module]
struct CharLm {
    chars: Embedding<96, 32>,
    lstm: Lstm<32, 128>,
    out: Linear<128, 96>,
}

type Ids = Tensor![i64; Time, Batch];

#[differentiable]
impl CharLm {
    fn forward(&self, ids: &Ids, state: &mut LstmState<128>) -> Tensor![Time, Batch, 96] {
        self.out
            .forward(&self.lstm.forward(&self.chars.forward(ids), state))
    }

    fn loss(&self, ids: &Ids, next: &Ids, state: &mut LstmState<128>) -> Tensor![] {
        self.forward(ids, state).cross_entropy(next)
    }
}

fn sample(net: &CharLm, prompt: &str, n: usize, ctx: &mut Ctx) -> String {
    let (mut out, mut state, mut ids) = (prompt.to_string(), LstmState::zeros(), encode(prompt));
    let cool = Categorical::new().temperature(0.7);
    for _ in 0..n {
        let x = Tensor::from_slice_with((Time(ids.len()), Batch(1)), &ids).unwrap();
        let last = net.forward(&x, &mut state).index::<0>(ids.len() - 1);
        ids = cool.draw(&last, ctx).to_vec();
        out.push(decode(ids[0]));
    }
    out
}

#[test]
fn characters_are_told_from_those_before() {
    let (ids, batch, time) = (text(), 16, 32);
    let lane = (ids.len() - 1) / batch;
    let mut net = CharLm::new(&mut Seeds::new(1));
    let mut opt = Adam::new(4e-3).clip_norm(1.0);
    let mut last = f32::NAN;
    for _ in 0..6 {
        let (mut state, mut sum, mut n) = (LstmState::zeros(), 0.0, 0.0);
        for t in (0..lane - time).step_by(time) {
            let cut = |shift: usize| {
                let at = |i: usize| ids[i % batch * lane + t + i / batch + shift];
                Tensor::from_fn_with((Time(time), Batch(batch)), at)
            };
            state = state.detached();
            let (loss, grad) = net.loss_value_and_grad(&cut(0), &cut(1), &mut state);
            opt.step(&mut net, &grad);
            (sum, n) = (sum + loss.item(), n + 1.0);
        }
        last = sum / n;
    }
    assert!(last < 2.85, "{last}");
    assert_eq!(
        sample(&net, "let (value, ", 20, &mut Ctx::eval_with_seed(0)).len(),
        32
    );
}
