//! Values and gradients.

use crate::{bits, threads};
use differentiable::graph::{Everything, Feeds, Recording, Session, while_loop};
use differentiable::prelude::*;

#[differentiable]
fn attention(
    wq: &Tensor![8, 8],
    wk: &Tensor![8, 8],
    wv: &Tensor![8, 8],
    #[constant] x: &Tensor![5, 8],
) -> Tensor![] {
    let (q, k, v) = (x.matmul(wq), x.matmul(wk), x.matmul(wv));
    let weights = (q.matmul(&k.t()) * 0.35).softmax::<1>();
    weights.matmul(&v).tanh().square().mean()
}

#[test]
fn attention_and_its_gradients() {
    let x: Tensor![5, 8] = Tensor::randn(4);
    let w: [Tensor![8, 8]; 3] = core::array::from_fn(|k| Tensor::randn(k as u64));
    let (value, (dq, dk, dv)) = attention::value_and_grad(&w[0], &w[1], &w[2], &x);
    let expected = [bits(&value), bits(&dq), bits(&dk), bits(&dv)];
    for size in 1..=4 {
        let all = threads(size, |ranks| {
            let r = Recording::new();
            let own: [Tensor![8, 8]; 3] =
                ["wq", "wk", "wv"].map(|name| r.input(name, Default::default()));
            let rx = r.input("x", Default::default());
            let (value, (dq, dk, dv)) =
                r.scope(|| attention::value_and_grad(&own[0], &own[1], &own[2], &rx));
            let wanted = (&value, &dq, &dk, &dv);
            let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
            let parts = session.rank_parts(wanted).unwrap();
            assert_eq!(parts.len(), size);
            assert!(parts.iter().all(|part| part.nodes().count() > 0));
            let feeds = Feeds::new().with(&rx, &x);
            let feeds = own.iter().zip(&w).fold(feeds, |f, (r, w)| f.with(r, w));
            let (value, dq, dk, dv) = session.run(wanted, &feeds).unwrap();
            [bits(&value), bits(&dq), bits(&dk), bits(&dv)]
        });
        assert!(all.iter().all(|got| *got == expected), "{size} ranks");
    }
}

/// An input is given where it is read; integers, truth values and half precision travel too.
#[test]
fn other_types_travel() {
    let all = threads(2, |ranks| {
        let r = Recording::new();
        let x: Tensor![4] = r.input("x", Default::default());
        let (big, index, half) = r.on_rank(0, || {
            let half = x.cast::<half::bf16>();
            (x.gt(1.5), x.argmax::<0>(), half)
        });
        let y = r.on_rank(1, || big.select(&x, &(&x * 10.0)) + half.cast::<f32>());
        let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
        let feeds = Feeds::new().with(&x, &tensor([1.0, 2.0, 3.0, 0.5]));
        let (y, big, index) = session.run((&y, &big, &index), &feeds).unwrap();
        (y.to_vec(), big.to_vec(), index.to_vec())
    });
    let y = vec![11.0, 4.0, 6.0, 5.5];
    let expected = (y, vec![false, true, true, false], vec![2]);
    assert_eq!(all, [expected.clone(), expected]);
}

#[differentiable]
fn grown(x: &Tensor![2], factor: &Tensor![2]) -> Tensor![] {
    let y = while_loop(
        |x: &Tensor![2]| no_grad!(x.sum().lt(100.0)),
        |x: &Tensor![2]| x * factor,
        &x.exp(),
    );
    y.sum().ln()
}

/// What a loop keeps stays where it runs.
#[test]
fn loops_and_their_gradients() {
    let (x, factor) = (tensor([0.1, 0.2]), tensor([1.5, 2.0]));
    let (value, (by_x, by_factor)) = grown::value_and_grad(&x, &factor);
    let expected = (bits(&value), bits(&by_x), bits(&by_factor));
    for size in 1..=3 {
        let all = threads(size, |ranks| {
            let r = Recording::new();
            let rx = r.input("x", x.shape());
            let rf = r.input("factor", factor.shape());
            let (value, (by_x, by_factor)) = r.scope(|| grown::value_and_grad(&rx, &rf));
            r.output("value", &value);
            r.output("by_x", &by_x);
            let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
            let feeds = Feeds::new().with(&rx, &x).with(&rf, &factor);
            let values = session.run(&Everything, &feeds).unwrap();
            assert!(values.get(0).is_some());
            let got = session.run((&value, &by_x, &by_factor), &feeds).unwrap();
            (bits(&got.0), bits(&got.1), bits(&got.2))
        });
        assert!(all.iter().all(|got| *got == expected), "{size} ranks");
    }
}

/// The same random numbers as in one process, and others for another seed.
#[test]
fn random_numbers_are_those_of_one_process() {
    let record = || {
        let r = Recording::new();
        let x: Tensor![64] = r.input("x", Default::default());
        let y = r.scope(|| &x.dropout(0.5, 1) * &x.dropout(0.5, 2)).sum();
        (r, x, y)
    };
    let given: Tensor![64] = Tensor::randn(3);
    let (r, x, y) = record();
    let mut one = Session::new(&r, &Device::cpu());
    let mut run = |seed| {
        let feeds = Feeds::new().with(&x, &given).seed(seed);
        bits(&one.run(&y, &feeds).unwrap())
    };
    let expected = [run(1), run(2)];
    assert_ne!(expected[0], expected[1]);
    let all = threads(2, |ranks| {
        let (r, x, y) = record();
        let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
        [1, 2].map(|seed| {
            let feeds = Feeds::new().with(&x, &given).seed(seed);
            bits(&session.run(&y, &feeds).unwrap())
        })
    });
    assert_eq!(all, [expected.clone(), expected]);
}
