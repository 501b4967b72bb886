//! Attention, recurrent layers, Fourier transforms.

use crate::harness::{Cases, wave};
use crate::rules;
use differentiable::prelude::*;

pub fn cases(cases: &mut Cases) {
    rules! { cases;
        attention (q: [2, 3, 5, 4], k: [2, 3, 6, 4], v: [2, 3, 6, 7]) -> [2, 3, 5, 7] = q.attention(k, v, Attention::new());
        causal (q: [2, 5, 4], k: [2, 5, 4], v: [2, 5, 4]) -> [2, 5, 4] = q.attention(k, v, Attention::new().causal());
        blind (q: [2, 5, 4], k: [2, 3, 4], v: [2, 3, 4]) -> [2, 5, 4] = q.attention(k, v, Attention::new().causal());
        grouped (q: [2, 6, 5, 4], k: [2, 3, 5, 4], v: [2, 3, 5, 4]) -> [2, 6, 5, 4]
            = q.attention_grouped(k, v, Attention::new().causal());
        biased (q: [2, 3, 5, 4], k: [2, 3, 6, 4], v: [2, 3, 6, 4], b: [3, 5, 6]) -> [2, 3, 5, 4]
            = q.attention_biased(k, v, b, Attention::new());
        padded (q: [3, 2, 5, 4], k: [3, 2, 6, 4], v: [3, 2, 6, 4]; n: [3] below 6) -> [3, 2, 5, 4]
            = q.attention_padded(k, v, n, Attention::new());
        masked (q: [2, 5, 4], k: [2, 6, 4], v: [2, 6, 4]; m: [5, 6] below 2) -> [2, 5, 4]
            = q.attention_masked(k, v, &m.gt(0), Attention::new());
    }
    let x: Tensor![5, 3, 4] = Tensor::from_fn(wave);
    let state: Tensor![3, 6] = Tensor::from_fn(|i| wave(i + 1) * 0.3);
    let weight = |shift: usize| move |i: usize| wave(i + shift) * 0.3;
    let model = cases.run("lstm", |io| {
        let x = io.input("x", &x);
        let (h, c) = (io.input("h", &state), io.input("c", &(&state * 0.5)));
        let w = io.variable("w", &Tensor::<shape![4, 6, 4]>::from_fn(weight(1)));
        let u = io.variable("u", &Tensor::<shape![4, 6, 6]>::from_fn(weight(2)));
        let b = io.variable("b", &Tensor::<shape![4, 6]>::from_fn(weight(3)));
        let (y, h, c) = x.lstm(&w, &u, &b, &h, &c);
        io.output("y", &y);
        io.output("h1", &h);
        io.output("c1", &c);
    });
    cases.expect("recurrent", &model, |all| all.contains(&"LSTM"));
    let model = cases.run("gru", |io| {
        let (x, h) = (io.input("x", &x), io.input("h", &state));
        let w = io.variable("w", &Tensor::<shape![3, 6, 4]>::from_fn(weight(1)));
        let u = io.variable("u", &Tensor::<shape![3, 6, 6]>::from_fn(weight(2)));
        let b = io.variable("b", &Tensor::<shape![3, 6]>::from_fn(weight(3)));
        let c = io.variable("c", &Tensor::<shape![3, 6]>::from_fn(weight(4)));
        let (y, h) = x.gru(&w, &u, &b, &c, &h);
        io.output("y", &y);
        io.output("h1", &h);
    });
    cases.expect("recurrent", &model, |all| all.contains(&"GRU"));
    let model = cases.run("rnn", |io| {
        let (x, h) = (io.input("x", &x), io.input("h", &state));
        let w = io.variable("w", &Tensor::<shape![6, 4]>::from_fn(weight(1)));
        let u = io.variable("u", &Tensor::<shape![6, 6]>::from_fn(weight(2)));
        let b = io.variable("b", &Tensor::<shape![6]>::from_fn(weight(3)));
        let (y, h) = x.rnn(&w, &u, &b, &h);
        io.output("y", &y);
        io.output("h1", &h);
    });
    cases.expect("recurrent", &model, |all| all.contains(&"RNN"));
    cases.run("fourier", |io| {
        let x = io.input("x", &Tensor::<shape![3, 8]>::from_fn(wave));
        let y = io.input("y", &Tensor::<shape![3, 8]>::from_fn(|i| wave(i + 3)));
        let (re, im) = x.fft::<1>(&y);
        io.output("re", &re);
        io.output("im", &im);
        let (re, im) = x.ifft::<1>(&y);
        io.output("inverse_re", &re);
        io.output("inverse_im", &im);
        let (re, im) = x.rfft::<1>();
        io.output("half_re", &re);
        io.output("half_im", &im);
    });
}
