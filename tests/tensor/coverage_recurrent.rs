//! Recurrent layers inside annotated functions, in both modes.

use crate::check::between;
use crate::coverage::covered;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

dim!(Steps, Texts);

type Inputs = Tensor![f64; Steps, Texts, 2];
type State = Tensor![f64; Texts, 3];

fn inputs(seed: u64) -> Inputs {
    between((Steps(4), Texts(5), Sz), seed, -1.0, 1.0)
}

fn state(seed: u64) -> State {
    between((Texts(5), Sz), seed, -1.0, 1.0)
}

fn filled<S: Shape + Default>(seed: u64) -> Tensor<S, f64> {
    between(S::default(), seed, -1.0, 1.0)
}

covered! {
    lstm at (inputs(1), filled::<shape![4, 3, 2]>(2), filled::<shape![4, 3, 3]>(3), filled::<shape![4, 3]>(4), state(5), state(6))
        = |x: Tensor![f64; Steps, Texts, 2], w: Tensor![f64; 4, 3, 2], u: Tensor![f64; 4, 3, 3], b: Tensor![f64; 4, 3], h0: Tensor![f64; Texts, 3], c0: Tensor![f64; Texts, 3]|
            -> (Tensor![f64; Steps, Texts, 3], Tensor![f64; Texts, 3], Tensor![f64; Texts, 3]) {
            x.lstm(w, u, b, h0, c0)
        }
    lstm_of_which_one_result_is_used at (inputs(1), filled::<shape![4, 3, 2]>(2), filled::<shape![4, 3, 3]>(3), state(5))
        = |x: Tensor![f64; Steps, Texts, 2], w: Tensor![f64; 4, 3, 2], u: Tensor![f64; 4, 3, 3], h0: Tensor![f64; Texts, 3]| -> f64 {
            let bias: Tensor![f64; 4, 3] = Tensor::ones();
            let (_, _, c) = x.lstm(w, u, &bias, h0, &h0.sin());
            c.square().sum().item()
        }
    lstm_in_two_layers at (inputs(1), filled::<shape![4, 3, 2]>(2), filled::<shape![4, 3, 3]>(3), filled::<shape![4, 3]>(4), state(5))
        = |x: Tensor![f64; Steps, Texts, 2], w: Tensor![f64; 4, 3, 2], u: Tensor![f64; 4, 3, 3], b: Tensor![f64; 4, 3], h0: Tensor![f64; Texts, 3]| -> Tensor![f64; Texts, 3] {
            let (y, h, c) = x.lstm(w, u, b, h0, h0);
            let (_, h, c) = y.lstm(u, u, b, &h, &c);
            h * c
        }
    gru at (inputs(1), filled::<shape![3, 3, 2]>(2), filled::<shape![3, 3, 3]>(3), filled::<shape![3, 3]>(4), filled::<shape![3, 3]>(6), state(5))
        = |x: Tensor![f64; Steps, Texts, 2], w: Tensor![f64; 3, 3, 2], u: Tensor![f64; 3, 3, 3], b: Tensor![f64; 3, 3], c: Tensor![f64; 3, 3], h0: Tensor![f64; Texts, 3]|
            -> (Tensor![f64; Steps, Texts, 3], Tensor![f64; Texts, 3]) {
            x.gru(w, u, b, c, h0)
        }
    rnn at (inputs(1), filled::<shape![3, 2]>(2), filled::<shape![3, 3]>(3), filled::<shape![3]>(4), state(5))
        = |x: Tensor![f64; Steps, Texts, 2], w: Tensor![f64; 3, 2], u: Tensor![f64; 3, 3], b: Tensor![f64; 3], h0: Tensor![f64; Texts, 3]|
            -> (Tensor![f64; Steps, Texts, 3], Tensor![f64; Texts, 3]) {
            x.rnn(w, u, b, h0)
        }
}
