//! Views, parts, and entries that integers name.

use crate::harness::{Cases, wave};
use crate::models::Batch;
use crate::rules;
use differentiable::prelude::*;

pub fn cases(cases: &mut Cases) {
    rules! { cases;
        permute (x: [2, 3, 4]) -> [4, 2, 3] = x.permute::<2, 0, 1>() * 2.0;
        reshape (x: [2, 3, 4]) -> [6, 4] = x.reshape::<shape![6, 4]>().sin();
        heads (x: [2, 5, 12]) -> [2, 3, 5, 4] = x.split_last::<3>().transpose::<1, 2>().sin();
        joined (x: [2, 3, 5, 4]) -> [2, 5, 12] = x.transpose::<1, 2>().merge_last();
        concat (a: [2, 3], b: [2, 4]) -> [2, 7] = a.concat::<1, _>(b);
        concat_rows (a: [2, 3], b: [5, 3]) -> [7, 3] = a.concat::<0, _>(b);
        slices (x: [4, 7]) -> [4, 2] = x.slice::<1, 1, 2>() * x.slice::<1, 4, 2>();
        steps (x: [4, 7]) -> [4, 3] = x.slice_step::<1, 1, 7, 2>() * 2.0;
        row (x: [4, 7]) -> [7] = x.index::<0>(2) * 2.0;
        column (x: [4, 7]) -> [4] = x.index::<1>(2) * 2.0;
        expand (x: [1, 5]) -> [3, 5] = x.expand::<0, _>(Sz::<3>) * 2.0;
        stack (a: [2, 3], b: [2, 3]) -> [2, 2, 3] = Tensor::stack::<1, 2>(&[a.clone(), b.clone()]);
        chunks (x: [3, 9]) -> [3, 3] = {
            let part = x.chunk::<1, 3>();
            &part[0] * &part[1] + &part[2]
        };
        pads (x: [3, 4]) -> [3, 7] = x.pad::<1, 1, 2>(0.5) * 2.0;
        reflected (x: [3, 4]) -> [3, 9] = x.pad_reflect::<1, 3, 2>();
        replicated (x: [3, 4]) -> [3, 9] = x.pad_replicate::<1, 3, 2>();
        flip (x: [3, 4]) -> [3, 4] = x.flip::<1>() * 2.0;
        roll (x: [3, 4]) -> [3, 4] = x.roll::<1>(3);
        tril (x: [2, 4, 4]) -> [2, 4, 4] = x.tril(0);
        triu (x: [4, 5]) -> [4, 5] = x.triu(-1);
        repeat (x: [3, 5]) -> [3, 15] = x.repeat::<1, 3>();
        interleaved (x: [3, 5]) -> [3, 15] = x.repeat_interleave::<1, 3>();
        diag (x: [4]) -> [4, 4] = x.diag();
        diagonal (x: [4, 4]) -> [4] = x.diagonal();
        unfold (x: [3, 9]) -> [3, 4, 3] = x.unfold::<1, 3, 2>();
        outer_sum (a: [4], b: [3, 1]) -> [3, 4] = (b.expand::<1, _>(Sz::<4>) + a).sin();
        embedding (table: [7, 4]; i: [2, 5] below 7) -> [2, 5, 4] = table.embedding(i);
        gather (x: [3, 5]; i: [3, 4] below 5) -> [3, 4] = x.gather::<1, _, _>(i);
        index_select (x: [3, 5, 2]; i: [4] below 5) -> [3, 4, 2] = x.index_select::<1, _, _>(i);
        index_add (x: [3, 5], y: [3, 4]; i: [4] below 5) -> [3, 5] = x.index_add::<1, _, _>(i, y);
        scatter (x: [3, 5], y: [3, 2]; i: [3, 2] below 5) -> [3, 5] = x.scatter::<1, _, _>(i, y);
        scatter_add (x: [3, 5], y: [3, 4]; i: [3, 4] below 5) -> [3, 5] = x.scatter_add::<1, _, _>(i, y);
        sorted (x: [3, 5]) -> [3, 5] = x.sort::<1>();
        summed (x: [3, 5]) -> [3, 5] = x.cumsum::<1>() * x.cumsum::<0>();
        extremes (x: [3, 5]) -> [5] = x.max_axis::<0>() * x.min_axis::<0>();
        spread (x: [3, 5]) -> [3] = x.var_axis::<1>(1) + x.std_axis::<1>(0) + x.norm_axis::<1>() * x.norm_l1_axis::<1>();
        powers (x: [3, 5]) -> [3] = x.norm_p_axis::<1>(2.5) + x.logsumexp_axis::<1>();
        soft (x: [3, 5]) -> [3, 5] = x.softmax::<0>() * x.log_softmax::<1>();
        entropy (x: [6, 5]; i: [6] below 5) -> [] = x.cross_entropy(i);
        products (a: [2, 5, 7], b: [7, 4]) -> [2, 5, 4] = a.matmul(b).tanh();
        squares (a: [2, 5, 7]) -> [2, 5, 5] = a.matmul(&a.transpose::<1, 2>());
        vectors (a: [5, 7], b: [7]) -> [5] = a.matmul(b);
        totals (x: [4, 3], y: [3]) -> [] = (x * y + 1.0).square().mean();
        along (x: [70, 3], y: [3]) -> [3] = (x * y).sin().sum_axis::<0>();
        distances (x: [4, 3], y: [4, 3]) -> [] = x.huber_loss(y, 1.0) + x.l1_loss(y) + x.mse_loss(y) + x.smooth_l1_loss(y, 0.5);
        chances (x: [4, 3], y: [4, 3]) -> [] = x.bce_with_logits(&y.sigmoid());
        layer (x: [2, 3, 8], w: [8], b: [8]) -> [2, 3, 8] = x.layer_norm(w, b, 1e-5);
        root (x: [2, 3, 8], w: [8]) -> [2, 3, 8] = x.rms_norm(w, 1e-5);
        groups (x: [2, 6, 3, 4], w: [6], b: [6]) -> [2, 6, 3, 4] = x.group_norm::<2>(w, b, 1e-5);
        batches (x: [4, 3, 3, 4], w: [3], b: [3]) -> [4, 3, 3, 4] = x.batch_norm(w, b, 1e-5);
        crossed (x: [4, 3], y: [3, 5]) -> [4, 5] = einsum!("ij,jk->ik", x, y).transpose::<0, 1>().t().sin();
        nested (x: [4, 6]) -> [2, 3] = x.slice::<0, 1, 2>().slice::<1, 2, 3>() * 2.0;
        twisted (x: [2, 3, 4, 5]) -> [5, 3, 2, 4] = x.permute::<3, 1, 0, 2>().slice::<1, 0, 3>() * 1.5;
        instances (x: [2, 6, 3, 4], w: [6], b: [6]) -> [2, 6, 3, 4] = x.instance_norm(w, b, 1e-5);
    }
    let model = cases.run("clean_layer_norm", |io| {
        let x = io.input("x", &Tensor::<shape![2, 3, 8]>::from_fn(wave));
        let w = io.variable("w", &Tensor::<shape![8]>::from_fn(wave));
        io.output("y", &x.layer_norm(&w, &Tensor::ones(), 1e-5));
    });
    cases.expect("layer norm", &model, |all| {
        all.ends_with(&["LayerNormalization"])
    });
    let model = cases.run("clean_softmax", |io| {
        let x = io.input("x", &Tensor::<shape![3, 4, 5]>::from_fn(wave));
        io.output("y", &x.softmax::<1>());
    });
    cases.expect("softmax", &model, |all| all == ["Softmax"]);
    cases.run("same", |io| {
        let x = io.input("x", &Tensor::<shape![3, 4]>::from_fn(wave));
        let y = x.relu();
        io.output("input", &x);
        io.output("twice", &y);
        io.output("again", &y);
        io.output("turned", &x.t());
        io.output("constant", &Tensor::<shape![2]>::ones());
        io.output("table", &tensor([1.0f32, 2.0, 3.0]));
        let w = io.variable("block/0.weight", &Tensor::<shape![2, 3]>::from_fn(wave));
        io.output("out/w.0", &w);
        io.output("w.turned", &w.t());
        io.output("w.row", &w.index::<0>(1));
    });
    // Sizes that are those of the batches with which programs are recorded.
    cases.batched("same_sizes", |io, batch| {
        let x = io.input("x", &Tensor::from_fn_with((Batch(batch), Sz::<11>), wave));
        let w = io.variable("w", &Tensor::<shape![11, 13]>::from_fn(wave));
        let v = io.variable("v", &Tensor::<shape![13, 38]>::from_fn(wave));
        let h = x.matmul(&w).tanh();
        let y = h.matmul(&v);
        io.output("y", &y.softmax::<0>());
        io.output("turned", &y.t());
        io.output("square", &x.t().matmul(&h));
    });
    cases.batched("moved_batch", |io, batch| {
        let x = io.input(
            "x",
            &Tensor::from_fn_with((Batch(batch), Sz::<4>, Sz::<6>), wave),
        );
        io.output("turned", &x.permute::<2, 0, 1>());
        io.output("heads", &x.split_last::<2>().transpose::<1, 2>());
        io.output("first", &x.index::<1>(0));
        io.output("flat", &x.flatten());
        io.output("flipped", &x.flip::<1>());
        io.output("sum", &x.sum_axis::<0>());
        io.output("mean", &x.mean());
        io.output("scaled", &(&x * (1.0 / batch as f32)));
        io.output("soft", &x.softmax::<0>());
        io.output("twice", &x.concat_to::<0, _, _>(&x, Batch(2 * batch)));
        io.output("ones", &(x.zeros_like() + 1.0));
        io.output("over", &x.cumsum::<0>());
        io.output("best", &x.argmax::<0>());
    });
    cases.batched("attention_batch", |io, batch| {
        let q = io.input(
            "q",
            &Tensor::from_fn_with((Batch(batch), Sz::<2>, Sz::<5>, Sz::<4>), wave),
        );
        let n = io.input(
            "n",
            &Tensor::from_fn_with((Batch(batch),), |i| (i % 5) as i64),
        );
        let m = io.input(
            "m",
            &Tensor::from_fn_with((Batch(batch), Sz::<1>, Sz::<1>, Sz::<5>), |i| i % 3 > 0),
        );
        io.output("causal", &q.attention(&q, &q, Attention::new().causal()));
        io.output("padded", &q.attention_padded(&q, &q, &n, Attention::new()));
        let m = m.expand::<1, _>(Sz::<2>).expand::<2, _>(Sz::<5>);
        io.output("masked", &q.attention_masked(&q, &q, &m, Attention::new()));
    });
    cases.run("doubles", |io| {
        #[differentiable]
        fn loss(w: &Tensor![f64; 4, 3], #[constant] x: &Tensor![f64; 5, 4]) -> Tensor![f64;] {
            let h = x.matmul(w).tanh();
            (h.softmax::<1>() * &h).sum_axis::<1>().sigmoid().mean()
        }
        let w = io.input("w", &Tensor::from_fn(|i| f64::from(wave(i))));
        let x = io.input("x", &Tensor::from_fn(|i| f64::from(wave(i + 7))));
        let (value, slope) = loss::value_and_grad(&w, &x);
        io.output("loss", &value);
        io.output("d_w", &slope);
    });
    cases.run("more", |io| {
        let x = io.input("x", &Tensor::<shape![4, 4]>::from_fn(wave));
        let y = io.input("y", &Tensor::<shape![4, 3]>::from_fn(wave));
        let i = io.input("i", &Tensor::<shape![4], i64>::from_fn(|k| (k % 3) as i64));
        io.output("ignored", &y.cross_entropy_with(&i, Loss::ignore(1)));
        io.output("smooth", &y.cross_entropy_with(&i, Loss::smoothing(0.1)));
        io.output("hot", &i.one_hot::<3, f32>());
        io.output("trace", &x.trace());
        io.output("cube", &x.matrix_power(3));
        io.output("cross", &y.cross(&y.flip::<0>()));
        io.output("outer", &x.index::<0>(1).outer(&y.index::<1>(0)));
        io.output("dot", &x.index::<0>(1).dot(&y.index::<1>(0)));
        io.output("quantile", &x.quantile_axis::<1>(0.3));
        let mut sum = x.clone();
        for k in 0..3 {
            sum += &x * (k as f32);
        }
        io.output("sum", &sum);
        io.output(
            "one",
            &Tensor::<shape![1]>::from_fn(wave).expand::<0, _>(Sz::<3>),
        );
    });
    cases.run("det", |io| {
        let x = io.input("x", &Tensor::<shape![2, 4, 4]>::from_fn(wave));
        io.output("y", &x.det());
    });
    cases.run("optimizers", |io| {
        let w = io.input("w", &Tensor::<shape![3, 4]>::from_fn(wave));
        let g = io.input("g", &Tensor::<shape![3, 4]>::from_fn(|i| wave(i + 7)));
        let mut rules: [(&str, Box<dyn FnMut(&mut Tensor![3, 4])>); 3] = [
            (
                "sgd",
                Box::new(|w| {
                    let mut rule = Sgd::new(0.1).momentum(0.9).weight_decay(0.01);
                    rule.step(w, &g);
                    rule.step(w, &g);
                }),
            ),
            (
                "adam",
                Box::new(|w| {
                    let mut rule = Adam::new(0.1);
                    rule.step(w, &g);
                    rule.step(w, &g);
                }),
            ),
            (
                "adamw",
                Box::new(|w| {
                    AdamW::new(0.1).step(w, &g);
                }),
            ),
        ];
        for (name, step) in &mut rules {
            let mut after = w.clone();
            step(&mut after);
            io.output(name, &after);
        }
    });
}
use differentiable::optim::{Adam, AdamW, Sgd};
