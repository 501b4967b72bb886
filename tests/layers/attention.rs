use differentiable::ad::{DifferentiableFn, check_grads};
use differentiable::nn::*;
use differentiable::prelude::*;

fn seeds() -> Seeds {
    Seeds::new(0)
}

/// The keys of two examples of which the second has padding.
fn lengths(first: i64, second: i64) -> Tensor![i64; 2] {
    tensor([first, second])
}

parity! { "attention":
    multi_head(net: MultiHead<4, 2, 2, f64> = MultiHead::new(&mut seeds()), x [2, 3, 4], w [2, 3, 4]) {
        let keys = no_grad!(Keys::All);
        (net.forward(x, x, &keys) * w).sum()
    }
    multi_head_one(net: MultiHead<4, 2, 2, f64> = MultiHead::new(&mut seeds()), x [1, 1, 4], w [1, 1, 4]) {
        let keys = no_grad!(Keys::All);
        (net.forward(x, x, &keys) * w).sum()
    }
    multi_head_cross(net: MultiHead<4, 2, 2, f64> = MultiHead::new(&mut seeds()), x [2, 3, 4], m [2, 5, 4], w [2, 3, 4]) {
        let keys = no_grad!(Keys::All);
        (net.forward(x, m, &keys) * w).sum()
    }
    multi_head_causal(net: MultiHead<4, 2, 2, f64> = MultiHead::new(&mut seeds()), x [2, 4, 4], w [2, 4, 4]) {
        let keys = no_grad!(Keys::Causal);
        (net.forward(x, x, &keys) * w).sum()
    }
    multi_head_padded(net: MultiHead<4, 2, 2, f64> = MultiHead::new(&mut seeds()), x [2, 3, 4], m [2, 5, 4], w [2, 3, 4]) {
        let keys = no_grad!(Keys::first(&lengths(5, 2)));
        (net.forward(x, m, &keys) * w).sum()
    }
    multi_head_causal_padded(net: MultiHead<4, 2, 2, f64> = MultiHead::new(&mut seeds()), x [2, 4, 4], w [2, 4, 4]) {
        let keys = no_grad!(Keys::causal_first(&lengths(4, 2)));
        (net.forward(x, x, &keys) * w).sum()
    }
    multi_head_weights(net: MultiHead<4, 2, 2, f64> = MultiHead::new(&mut seeds()), x [2, 4, 4], w [2, 4, 4], wa [2, 2, 4, 4]) {
        let keys = no_grad!(Keys::causal_first(&lengths(4, 2)));
        let (y, weights) = net.forward_with_weights(x, x, &keys);
        (y * w).sum() + (weights * wa).sum()
    }
    multi_head_masked(net: MultiHead<4, 2, 2, f64> = MultiHead::new(&mut seeds()), x [2, 4, 4], w [2, 4, 4]) {
        let near: Tensor![bool; 4, 4] = no_grad!(Tensor::from_fn(|i| (i / 4).abs_diff(i % 4) < 2));
        (net.forward_masked(x, x, &near) * w).sum()
    }
    multi_head_biased(net: MultiHead<4, 2, 2, f64> = MultiHead::new(&mut seeds()), x [2, 3, 4], m [2, 5, 4], bias [2, 3, 5], w [2, 3, 4]) {
        (net.forward_biased(x, m, bias) * w).sum()
    }
    rotary(net: Rotary<6> = Rotary { base: 100.0 }, x [2, 5, 6], w [2, 5, 6]) {
        (net.forward(x, 3) * w).sum()
    }
    grouped(net: GroupedMultiHead<5, 2, 3, 4, f64> = GroupedMultiHead::new(&mut seeds()), x [2, 3, 5], w [2, 3, 5]) {
        let mut cache = no_grad!(KvCache::none());
        (net.causal(x, &mut cache) * w).sum()
    }
    patches(net: PatchEmbedding<3, 2, 6, 4, f64> = PatchEmbedding::new(&mut seeds()), x [2, 3, 4, 6], w [2, 6, 4]) {
        (net.forward(x) * w).sum()
    }
    linear_positions(net: LinearPositions<3, f64> = LinearPositions::new(&mut seeds()), w [4, 3]) {
        (net.forward(Sz::<4>) * w).sum()
    }
}

/// A sequence read piece by piece through a cache gives what it gives at once.
#[test]
fn a_cache_changes_no_output() {
    dim!(Batch, Time);
    let many = MultiHead::<4, 2, 2, f64>::new(&mut seeds());
    let grouped = GroupedMultiHead::<4, 2, 3, 2, f64>::new(&mut seeds());
    let x = Tensor::<(Batch, Time, Sz<4>), f64>::randn_with((Batch(2), Time(7), Sz), 1);
    let all = many.causal(&x, &mut KvCache::none());
    assert_eq!(all, many.forward(&x, &x, &Keys::Causal));
    let grouped_all = grouped.causal(&x, &mut KvCache::none());

    let (mut cache, mut grouped_cache) = (KvCache::empty(), KvCache::empty());
    let mut from = 0;
    for piece in [3, 1, 1, 2] {
        let part = x.narrow::<1, _>(from, Time(piece));
        for (all, y) in [
            (&all, many.causal(&part, &mut cache)),
            (&grouped_all, grouped.causal(&part, &mut grouped_cache)),
        ] {
            let expected = all.narrow::<1, _>(from, Time(piece));
            crate::golden::same("piece", &y.to_vec(), &expected.to_vec());
        }
        from += piece;
        assert_eq!((cache.len(), grouped_cache.len()), (from, from));
    }
}

#[test]
#[should_panic(expected = "the cache was filled by a batch of 2, and this one has 3 examples")]
fn a_cache_belongs_to_its_batch() {
    dim!(Batch);
    let net = MultiHead::<4, 2, 2>::new(&mut seeds());
    let mut cache = KvCache::empty();
    for batch in [2, 3] {
        let x = Tensor::<(Batch, Sz<2>, Sz<4>)>::ones_with((Batch(batch), Sz, Sz));
        net.causal(&x, &mut cache);
    }
}

/// A key that no query may see has the weight 0, and where there is none at all the output is the bias.
#[test]
fn hidden_keys_have_no_weight() {
    let net = MultiHead::<4, 2, 2, f64>::new(&mut seeds());
    let x = Tensor::<(Sz<2>, Sz<3>, Sz<4>), f64>::randn(1);
    let keys = Keys::first(&lengths(3, 0));
    let (y, weights) = net.forward_with_weights(&x, &x, &keys);
    crate::golden::same("outputs", &y.to_vec(), &net.forward(&x, &x, &keys).to_vec());
    for at in 0..weights.len() {
        let [b, h, i, j] = [at / 18, at / 9 % 2, at / 3 % 3, at % 3];
        assert_eq!(weights[[b, h, i, j]] == 0.0, b == 1);
    }
}

/// Dropout of weights: none in inference, and in training about its share of them, with the same mask for the derivative.
#[test]
fn weights_are_left_out_in_training_only() {
    #[differentiable]
    fn total(
        net: &MultiHead<4, 2, 2, f64>,
        x: &Tensor![f64; 2, 3, 4],
        #[constant] drop: &Dropout,
        ctx: &mut Ctx,
    ) -> Tensor![f64;] {
        let keys = no_grad!(Keys::Causal);
        let y = net.forward_with_dropout(x, x, &keys, drop, ctx);
        y.square().sum()
    }
    let net = MultiHead::<4, 2, 2, f64>::new(&mut seeds());
    let x = Tensor::<(Sz<2>, Sz<3>, Sz<4>), f64>::randn(1);
    let drop = Dropout::new(0.5);
    let plain = net.forward(&x, &x, &Keys::Causal).square().sum().item();
    let eval = total(&net, &x, &drop, &mut Ctx::eval()).item();
    crate::golden::same("inference", &[eval], &[plain]);
    let train = |seed| total(&net, &x, &drop, &mut Ctx::train(&net, seed)).item();
    assert!(train(1) != plain && train(1) != train(2) && train(1) == train(1));
    let ctx = Ctx::train(&net, 1);
    check_grads::<total, _>(&(net, x, drop, ctx)).unwrap();
}

/// The layers hand their own dropout of weights on.
#[test]
fn a_transformer_leaves_weights_out() {
    #[differentiable]
    fn total(
        net: &Transformer<4, 2, 2, 6, f64>,
        x: &Tensor![f64; 2, 3, 4],
        ctx: &mut Ctx,
    ) -> Tensor![f64;] {
        let keys = no_grad!(Keys::All);
        net.forward(x, x, &keys, ctx).square().sum()
    }
    let mut net = Transformer::<4, 2, 2, 6, f64>::new(&mut seeds(), 1, 0.0);
    let x = Tensor::<(Sz<2>, Sz<3>, Sz<4>), f64>::randn(1);
    let of = |net: &Transformer<4, 2, 2, 6, f64>, mut ctx: Ctx| total(net, &x, &mut ctx).item();
    let plain = of(&net, Ctx::eval());
    crate::golden::same("no dropout", &[of(&net, Ctx::train(&net, 1))], &[plain]);
    net.encoder.layers[0].attention_drop.p = 0.5;
    let once = of(&net, Ctx::train(&net, 1));
    assert!(once != plain);
    net.decoder.layers[0].attention_drop.p = 0.5;
    assert!(of(&net, Ctx::train(&net, 1)) != once);
    crate::golden::same("inference", &[of(&net, Ctx::eval())], &[plain]);
    let ctx = Ctx::train(&net, 1);
    check_grads::<total, _>(&(net, x, ctx)).unwrap();
}

/// The rotation keeps lengths, and products of queries and keys depend on the distance alone.
#[test]
fn rotary_positions_are_relative() {
    let turn = Rotary::<4> { base: 10.0 };
    let [q, k]: [Tensor![f64; 1, 4]; 2] = [1, 2].map(Tensor::randn);
    let at = |i, j| (turn.forward(&q, i) * turn.forward(&k, j)).sum().item();
    crate::golden::same("shifted", &[at(9, 5)], &[at(4, 0)]);
    crate::golden::same(
        "length",
        &[turn.forward(&q, 5).norm().item()],
        &[q.norm().item()],
    );
}

#[test]
fn tables_of_positions() {
    let case = crate::golden::Case::read("attention", "sinusoidal");
    let table: Tensor![f64; 7, 6] = sinusoidal(Sz::<7>);
    case.gradient("w", &table);
    let case = crate::golden::Case::read("attention", "alibi");
    let bias: Tensor![f64; 4, 3, 5] = alibi(Sz::<3>, Sz::<5>);
    case.gradient("w", &bias);
    let learned = Embedding::<5, 2>::new(&mut seeds());
    let rows: Tensor![3, 2] = learned.forward(&positions(Sz::<3>));
    assert_eq!(rows.to_vec(), learned.weight.to_vec()[..6]);
}
