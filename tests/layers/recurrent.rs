use differentiable::ad::{DifferentiableFn, check_grads};
use differentiable::nn::*;
use differentiable::prelude::*;

fn seeds() -> Seeds {
    Seeds::new(0)
}

parity! { "recurrent":
    lstm(net: Lstm<2, 3, f64> = Lstm::new(&mut seeds()), x [4, 3, 2], h [3, 3], c [3, 3], w [4, 3, 3], wh [3, 3], wc [3, 3]) {
        let mut state = LstmState::new(h, c);
        let y = net.forward(x, &mut state);
        (y * w).sum() + (state.output(Sz::<3>) * wh).sum() + (state.memory(Sz::<3>) * wc).sum()
    }
    lstm_one(net: Lstm<2, 3, f64> = Lstm::new(&mut seeds()), x [1, 1, 2], w [1, 1, 3], wh [1, 3], wc [1, 3]) {
        let mut state = no_grad!(LstmState::<3, f64>::zeros());
        let y = net.forward(x, &mut state);
        (y * w).sum() + (state.output(Sz::<1>) * wh).sum() + (state.memory(Sz::<1>) * wc).sum()
    }
    lstm_padded(net: Lstm<2, 3, f64> = Lstm::new(&mut seeds()), x [5, 3, 2], h [3, 3], c [3, 3], w [5, 3, 3], wh [3, 3], wc [3, 3]) {
        let lengths = no_grad!(Lengths::from([3, 5, 1]));
        let mut state = LstmState::new(h, c);
        let y = net.forward_padded(x, &lengths, &mut state);
        (y * w).sum() + (state.output(Sz::<3>) * wh).sum() + (state.memory(Sz::<3>) * wc).sum()
    }
    lstm_both(net: BiLstm<2, 3, f64> = BiLstm::new(&mut seeds()), x [4, 2, 2], w [4, 2, 6]) {
        (net.forward(x) * w).sum()
    }
    lstm_both_padded(net: BiLstm<2, 3, f64> = BiLstm::new(&mut seeds()), x [4, 3, 2], w [4, 3, 6]) {
        let lengths = no_grad!(Lengths::from([2, 4, 1]));
        (net.forward_padded(x, &lengths) * w).sum()
    }
    lstm_stack(net: LstmStack<2, 3, f64> = LstmStack::new(&mut seeds(), 2, 0.5), x [4, 2, 2], w [4, 2, 3], wh [2, 2, 3], wc [2, 2, 3]) {
        let mut ctx = no_grad!(Ctx::eval());
        let mut states = no_grad!(net.zeros());
        let y = net.forward(x, &mut states, &mut ctx);
        (y * w).sum()
            + (states[0].output(Sz::<2>) * wh.index::<0>(0)).sum() + (states[1].output(Sz::<2>) * wh.index::<0>(1)).sum()
            + (states[0].memory(Sz::<2>) * wc.index::<0>(0)).sum() + (states[1].memory(Sz::<2>) * wc.index::<0>(1)).sum()
    }
    lstm_stack_padded(net: LstmStack<2, 3, f64> = LstmStack::new(&mut seeds(), 2, 0.0), x [4, 3, 2], w [4, 3, 3], wh [2, 3, 3], wc [2, 3, 3]) {
        let mut ctx = no_grad!(Ctx::eval());
        let lengths = no_grad!(Lengths::from([2, 4, 1]));
        let mut states = no_grad!(net.zeros());
        let y = net.forward_padded(x, &lengths, &mut states, &mut ctx);
        (y * w).sum()
            + (states[0].output(Sz::<3>) * wh.index::<0>(0)).sum() + (states[1].output(Sz::<3>) * wh.index::<0>(1)).sum()
            + (states[0].memory(Sz::<3>) * wc.index::<0>(0)).sum() + (states[1].memory(Sz::<3>) * wc.index::<0>(1)).sum()
    }
}

parity! { "recurrent":
    lstm_truncated(net: Lstm<2, 3, f64> = Lstm::new(&mut seeds()), x1 [2, 2, 2], x2 [3, 2, 2], w1 [2, 2, 3], w2 [3, 2, 3]; cut) {
        let mut state = no_grad!(LstmState::<3, f64>::zeros());
        let first = (net.forward(x1, &mut state) * w1).sum();
        let mut state = state.detached();
        first + (net.forward(x2, &mut state) * w2).sum()
    }
}

/// Two layers that read both ways.
#[module]
struct Deep {
    first: BiLstm<2, 2, f64>,
    second: BiLstm<4, 2, f64>,
}

parity! { "recurrent":
    lstm_both_deep(net: Deep = Deep::new(&mut seeds()), x [4, 3, 2], w [4, 3, 4]) {
        let lengths = no_grad!(Lengths::from([2, 4, 1]));
        let h = net.first.forward_padded(x, &lengths);
        (net.second.forward_padded(&h, &lengths) * w).sum()
    }
}

macro_rules! both_ways {
    ($($Stack:ident: $all:ident $padded:ident;)*) => {
        parity! { "recurrent": $(
            $all(net: $Stack<2, 3, 6, f64> = $Stack::new(&mut seeds(), 2, 0.5), x [4, 2, 2], w [4, 2, 6]) {
                let mut ctx = no_grad!(Ctx::eval());
                (net.forward(x, &mut ctx) * w).sum()
            }
            $padded(net: $Stack<2, 3, 6, f64> = $Stack::new(&mut seeds(), 2, 0.0), x [4, 3, 2], w [4, 3, 6]) {
                let mut ctx = no_grad!(Ctx::eval());
                let lengths = no_grad!(Lengths::from([2, 4, 1]));
                (net.forward_padded(x, &lengths, &mut ctx) * w).sum()
            }
        )* }
    };
}
both_ways! {
    BiLstmStack: lstm_both_stack lstm_both_stack_padded;
    BiGruStack: gru_both_stack gru_both_stack_padded;
    BiRnnStack: rnn_both_stack rnn_both_stack_padded;
}

macro_rules! plain {
    ($($Layer:ident $Both:ident $Stack:ident: $all:ident $single:ident $padded:ident $both:ident $both_padded:ident $stack:ident $stack_padded:ident;)*) => {
        parity! { "recurrent": $(
            $all(net: $Layer<2, 3, f64> = $Layer::new(&mut seeds()), x [4, 3, 2], h [3, 3], w [4, 3, 3], wh [3, 3]) {
                let mut state = RnnState::new(h);
                let y = net.forward(x, &mut state);
                (y * w).sum() + (state.output(Sz::<3>) * wh).sum()
            }
            $single(net: $Layer<2, 3, f64> = $Layer::new(&mut seeds()), x [1, 1, 2], w [1, 1, 3], wh [1, 3]) {
                let mut state = no_grad!(RnnState::<3, f64>::zeros());
                let y = net.step(&x.index::<0>(0), &mut state);
                (y * w.index::<0>(0)).sum() + (state.output(Sz::<1>) * wh).sum()
            }
            $padded(net: $Layer<2, 3, f64> = $Layer::new(&mut seeds()), x [5, 3, 2], h [3, 3], w [5, 3, 3], wh [3, 3]) {
                let lengths = no_grad!(Lengths::from([3, 5, 1]));
                let mut state = RnnState::new(h);
                let y = net.forward_padded(x, &lengths, &mut state);
                (y * w).sum() + (state.output(Sz::<3>) * wh).sum()
            }
            $both(net: $Both<2, 3, f64> = $Both::new(&mut seeds()), x [4, 2, 2], w [4, 2, 6]) {
                (net.forward(x) * w).sum()
            }
            $both_padded(net: $Both<2, 3, f64> = $Both::new(&mut seeds()), x [4, 3, 2], w [4, 3, 6]) {
                let lengths = no_grad!(Lengths::from([2, 4, 1]));
                (net.forward_padded(x, &lengths) * w).sum()
            }
            $stack(net: $Stack<2, 3, f64> = $Stack::new(&mut seeds(), 2, 0.5), x [4, 2, 2], w [4, 2, 3], wh [2, 2, 3]) {
                let mut ctx = no_grad!(Ctx::eval());
                let mut states = no_grad!(net.zeros());
                let y = net.forward(x, &mut states, &mut ctx);
                (y * w).sum()
                    + (states[0].output(Sz::<2>) * wh.index::<0>(0)).sum() + (states[1].output(Sz::<2>) * wh.index::<0>(1)).sum()
            }
            $stack_padded(net: $Stack<2, 3, f64> = $Stack::new(&mut seeds(), 2, 0.0), x [4, 3, 2], w [4, 3, 3], wh [2, 3, 3]) {
                let mut ctx = no_grad!(Ctx::eval());
                let lengths = no_grad!(Lengths::from([2, 4, 1]));
                let mut states = no_grad!(net.zeros());
                let y = net.forward_padded(x, &lengths, &mut states, &mut ctx);
                (y * w).sum()
                    + (states[0].output(Sz::<3>) * wh.index::<0>(0)).sum() + (states[1].output(Sz::<3>) * wh.index::<0>(1)).sum()
            }
        )* }
    };
}
plain! {
    Gru BiGru GruStack: gru gru_one gru_padded gru_both gru_both_padded gru_stack gru_stack_padded;
    Rnn BiRnn RnnStack: rnn rnn_one rnn_padded rnn_both rnn_both_padded rnn_stack rnn_stack_padded;
}

/// What stands behind the end of a sequence is not read, even where it is no number.
#[test]
fn padding_may_be_anything() {
    #[differentiable]
    fn total(net: &BiLstm<2, 3, f64>, x: &Tensor![f64; 4, 2, 2]) -> Tensor![f64;] {
        let lengths = no_grad!(Lengths::from([4, 1]));
        net.forward_padded(x, &lengths).square().sum()
    }
    let net = BiLstm::new(&mut seeds());
    let x = Tensor::<(Sz<4>, Sz<2>, Sz<2>), f64>::randn(1);
    let is_padding = |at: usize| at / 4 >= 1 && at / 2 % 2 == 1;
    let filled = |by: f64| {
        let given = x.to_vec();
        Tensor::from_fn(|at| if is_padding(at) { by } else { given[at] })
    };
    let (value, (of_net, of_x)) = total::value_and_grad(&net, &filled(0.0));
    for by in [f64::NAN, f64::INFINITY, 1e300] {
        let (v, (n, g)) = total::value_and_grad(&net, &filled(by));
        assert_eq!(
            (v.item(), g.to_vec()),
            (value.item(), of_x.to_vec()),
            "{by}"
        );
        assert_eq!(format!("{n:?}"), format!("{of_net:?}"), "{by}");
    }
    assert!((0..16).all(|at| is_padding(at) == (of_x.to_vec()[at] == 0.0)));
}
