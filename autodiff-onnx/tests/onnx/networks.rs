//! The networks of the example programs: one file for every batch, tried with 1, 3 and 8.

use crate::harness::{Cases, Io, wave};
use crate::models::*;
use differentiable::nn::*;
use differentiable::prelude::*;

fn pixels(batch: usize) -> Tensor![Batch, 64] {
    Tensor::from_fn_with((Batch(batch), Sz), |i| wave(i) * 0.5)
}

fn ids(batch: usize, time: usize, shift: usize) -> Tensor![i64; Batch, Time] {
    Tensor::from_fn_with((Batch(batch), Time(time)), |i| {
        ((i * 7 + shift) % 19) as i64
    })
}

fn steps(time: usize, batch: usize) -> Tensor![i64; Time, Batch] {
    Tensor::from_fn_with((Time(time), Batch(batch)), |i| (i * 5 % 19) as i64)
}

pub fn cases(cases: &mut Cases) {
    let seeds = &mut Seeds::new(7);
    macro_rules! of_pixels {
        ($($name:literal: $Net:ident;)*) => { $({
            let net = $Net::new(seeds);
            cases.batched($name, |io, batch| {
                let net = io.module(&net);
                let x = io.input("x", &pixels(batch));
                io.output("y", &net.forward(&x));
            });
        })* };
    }
    of_pixels! { "logistic": Logistic; "mlp": Digits; "fine_tune": FineTune; }

    let cnn = Cnn::new(seeds);
    let model = cases.batched("cnn", |io, batch| {
        let net = io.module(&cnn);
        let x = io.input("x", &pixels(batch).reshape::<shape![Batch, 1, 8, 8]>());
        io.output("y", &net.forward(&x, &mut Ctx::eval()));
    });
    cases.expect("cnn", &model, |all| {
        let idle = ["Expand", "Identity", "Shape", "Transpose"];
        !all.iter().any(|o| idle.contains(o))
    });

    let judge = Judge::new(seeds);
    cases.batched("sentiment", |io, batch| {
        let net = io.module(&judge);
        let tokens = io.input("tokens", &ids(batch, 6, 0));
        let shares = Tensor::from_fn_with((Batch(batch), Time(6)), |i| 0.1 + wave(i).abs());
        let shares = io.input("shares", &shares);
        io.output("y", &net.forward(&tokens, &shares));
    });

    let adder = Adder::new(seeds);
    cases.batched("rnn_adder", |io, batch| {
        let net = io.module(&adder);
        let x = io.input(
            "x",
            &Tensor::from_fn_with((Time(5), Batch(batch), Sz), |i| (i % 3 % 2) as f32),
        );
        io.output("y", &net.forward(&x));
    });

    let chars = CharLm::new(seeds);
    let model = cases.batched("char_lm", |io, batch| {
        let net = io.module(&chars);
        let x = io.input("ids", &steps(6, batch));
        io.output("y", &net.forward(&x));
    });
    cases.expect("char_lm", &model, |all| {
        all.contains(&"LSTM") && all.contains(&"GRU")
    });

    let caption = Caption::new(seeds);
    cases.batched("caption", |io, batch| {
        let net = io.module(&caption);
        let x = io.input("x", &pixels(batch));
        let given = io.input("given", &steps(4, batch));
        io.output("y", &net.forward(&x, &given));
    });

    let gpt = Gpt::new(seeds, 2);
    let model = cases.batched("gpt", |io, batch| {
        let net = io.module(&gpt);
        let x = io.input("ids", &ids(batch, 8, 0));
        let mut caches: Caches<4, 4> = Caches::none();
        io.output("y", &net.forward(&x, &mut caches));
    });
    cases.expect("gpt", &model, |all| {
        let norms = all.iter().filter(|o| **o == "LayerNormalization").count();
        norms == 5 && !all.contains(&"Expand") && !all.contains(&"Identity")
    });

    let translator = Translator::new(seeds);
    let translate = |io: &mut Io<'_>, batch: usize, lengths: Vec<i64>| {
        let net = io.module(&translator);
        let s = Tensor::from_fn_with((Batch(batch), Source(6)), |i| (i * 3 % 19) as i64);
        let s = io.input("source", &s);
        let t = io.input("target", &ids(batch, 5, 2));
        let y = net.forward(&s, &Keys::first(lengths), &t, &mut Ctx::eval());
        io.output("y", &y);
    };
    cases.batched("translate", |io, batch| {
        translate(io, batch, vec![4; batch])
    });
    cases.run("translate_padded", |io| translate(io, 3, vec![6, 2, 4]));

    let vit = Vit::new(seeds);
    cases.batched("vit", |io, batch| {
        let net = io.module(&vit);
        let x = io.input("x", &pixels(batch));
        io.output("y", &net.forward(&x, &mut Ctx::eval()));
    });

    let pairs = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (0, 5)];
    let edges = || Edges::new(Sz, pairs).unwrap().undirected().with_loops();
    let club = Club::new(seeds);
    cases.run("gnn", |io| {
        let net = io.module(&club);
        let x = io.input("x", &Tensor::from_fn(wave));
        io.output("y", &net.forward(&x, &edges().normalised()));
    });

    let mixture = Mixture::new(seeds);
    cases.batched("moe", |io, batch| {
        let net = io.module(&mixture);
        let x = io.input("x", &Tensor::from_fn_with((Batch(batch), Sz), wave));
        io.output("y", &net.forward(&x));
    });

    let vae = Vae::new(seeds);
    cases.batched("vae", |io, batch| {
        let net = io.module(&vae);
        let x = io.input("x", &pixels(batch));
        let (mean, log_var) = net.encode(&x);
        io.output("image", &net.decode(&mean));
        io.output("mean", &mean);
        io.output("log_var", &log_var);
    });

    let trees = TreeNet::new(seeds);
    let leaf = |x| Box::new(Tree::Leaf(x));
    let tree = Tree::And(
        Box::new(Tree::Not(leaf(true))),
        Box::new(Tree::And(leaf(false), leaf(true))),
    );
    cases.run("tree", |io| {
        let net = io.module(&trees);
        io.output("y", &net.forward(&tree));
    });

    let velocity = Velocity::new(seeds);
    cases.batched("neural_ode", |io, batch| {
        let net = io.module(&velocity);
        let x = io.input("x", &Tensor::from_fn_with((Batch(batch), Sz), wave));
        io.output("y", &net.forward(&x));
    });
}
