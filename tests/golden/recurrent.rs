//! Recurrent layers against values and gradients from PyTorch.

use crate::cases::{Cases, array};
use differentiable::ad::DifferentiableFn;
use differentiable::prelude::*;

const CASES: Cases = Cases {
    json: include_str!("recurrent.json"),
    tolerance: 1e-12,
};

/// Layers whose results are joined along the first axis, in value and gradients.
macro_rules! layers {
    ($($name:ident -> [$($y:tt)*] = |$($x:ident [$($s:tt)*]),*| $body:block)*) => { $(
        #[test]
        fn $name() {
            #[differentiable]
            fn function($($x: &Tensor![f64; $($s)*]),*) -> Tensor![f64; $($y)*] $body
            let case = CASES.case(stringify!($name));
            let mut inputs = case["inputs"].as_array().unwrap().iter();
            let args = ($({ let $x = array(inputs.next().unwrap()); $x },)*);
            CASES.same("value", &function::call(&args).to_vec(), &case["output"]);
            let ($($x),*) = <function as DifferentiableFn<_>>::vjp(&args, array(&case["cotangent"]));
            let mut gradients = case["gradients"].as_array().unwrap().iter();
            $(CASES.same(concat!("gradient of ", stringify!($x)), &$x.to_vec(), gradients.next().unwrap());)*
            assert!(inputs.next().is_none() && gradients.next().is_none(), "all operands are there");
        }
    )* };
}

macro_rules! lstm {
    ($($name:ident $l:literal $b:literal $i:literal $h:literal -> $all:literal;)*) => { layers! { $(
        $name -> [$all, $b, $h] = |
            x [$l, $b, $i], w_ih [4, $h, $i], w_hh [4, $h, $h], bias [4, $h], h0 [$b, $h], c0 [$b, $h]
        | {
            let (y, h, c) = x.lstm(w_ih, w_hh, bias, h0, c0);
            y.concat::<0, _>(&h.unsqueeze::<0>()).concat::<0, _>(&c.unsqueeze::<0>())
        }
    )* } };
}

macro_rules! gru {
    ($($name:ident $l:literal $b:literal $i:literal $h:literal -> $all:literal;)*) => { layers! { $(
        $name -> [$all, $b, $h] = |
            x [$l, $b, $i], w_ih [3, $h, $i], w_hh [3, $h, $h], b_ih [3, $h], b_hh [3, $h], h0 [$b, $h]
        | {
            let (y, h) = x.gru(w_ih, w_hh, b_ih, b_hh, h0);
            y.concat::<0, _>(&h.unsqueeze::<0>())
        }
    )* } };
}

macro_rules! rnn {
    ($($name:ident $l:literal $b:literal $i:literal $h:literal -> $all:literal;)*) => { layers! { $(
        $name -> [$all, $b, $h] = |
            x [$l, $b, $i], w_ih [$h, $i], w_hh [$h, $h], bias [$h], h0 [$b, $h]
        | {
            let (y, h) = x.rnn(w_ih, w_hh, bias, h0);
            y.concat::<0, _>(&h.unsqueeze::<0>())
        }
    )* } };
}

lstm! {
    lstm_1_1_1_1 1 1 1 1 -> 3;
    lstm_3_5_2_7 3 5 2 7 -> 5;
    lstm_4_2_3_16 4 2 3 16 -> 6;
}
gru! {
    gru_1_1_1_1 1 1 1 1 -> 2;
    gru_3_5_2_7 3 5 2 7 -> 4;
    gru_4_2_3_16 4 2 3 16 -> 5;
}
rnn! {
    rnn_1_1_1_1 1 1 1 1 -> 2;
    rnn_3_5_2_7 3 5 2 7 -> 4;
    rnn_4_2_3_16 4 2 3 16 -> 5;
}
