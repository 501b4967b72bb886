//! What runs where, and what is sent.

use crate::training::{Batch, Net};
use crate::{bits, threads};
use differentiable::graph::{Feeds, Recording, Session};
use differentiable::optim::*;
use differentiable::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn what_flows_is_sent_once_to_each() {
    let given: Tensor![4] = tensor([0.1, 0.2, 0.3, 0.4]);
    let (a, b) = (given.exp(), given.exp() * 2.0 + given.exp());
    let expected = bits(&((&b + &a).sin() + &b));
    let all = threads(3, |ranks| {
        let r = Recording::new();
        let x: Tensor![4] = r.input("x", Default::default());
        let a = r.on_rank(0, || x.exp());
        let b = r.on_rank(1, || &a * 2.0 + &a);
        let c = r.on_rank(2, || (&b + &a).sin());
        let d = &c + &b;
        let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
        let parts = session.rank_parts(&d).unwrap();
        assert_eq!(
            parts[0].sends().map(|(_, to)| to).collect::<Vec<_>>(),
            [1, 2]
        );
        assert_eq!(parts[1].sends().map(|(_, to)| to).collect::<Vec<_>>(), [2]);
        assert_eq!(parts[2].sends().count(), 2, "what is fetched, to both");
        let text = parts[1].to_string();
        assert!(text.starts_with("rank 1:\n"), "{text}");
        assert!(text.contains(": f32 [4] = receive from rank 0\n"), "{text}");
        assert!(text.contains(" to rank 2\n"), "{text}");
        let dot = parts[1].to_dot();
        assert!(dot.contains("shape=house, label=\"%"), "{dot}");
        assert!(dot.contains("shape=invhouse, label=\"send %"), "{dot}");
        assert!(dot.contains("n0 -> n1;"), "{dot}");
        // The input is given where it is read.
        let feeds = match ranks.rank() {
            0 => Feeds::new().with(&x, &given),
            _ => Feeds::new(),
        };
        bits(&session.run(&d, &feeds).unwrap())
    });
    assert!(all.iter().all(|got| *got == expected));
}

/// A scope, with its derivatives and its variables, is where it is placed.
#[test]
fn layers_live_on_their_ranks() {
    threads(2, |ranks| {
        let r = Recording::new();
        let net = r.module(&Net::new(&mut Seeds::new(1)));
        let x = r.input("x", (Batch(16), Sz));
        let y = r.input("y", (Batch(16),));
        let hidden = r.on_rank(0, || net.first.forward(&x).relu());
        let hidden = r.on_rank(1, || net.second.forward(&hidden).tanh());
        let loss = net.out.forward(&hidden).cross_entropy(&y);
        let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
        let feeds = Feeds::new()
            .with(&x, &Tensor::randn_with((Batch(16), Sz), 1))
            .with(&y, &Tensor::from_fn_with((Batch(16),), |i| i as i64 % 3));
        session.run(&loss, &feeds).unwrap();
        let look = |x: &Tensor![12]| {
            let look = AssertUnwindSafe(|| session.variable(x).to_vec());
            catch_unwind(look).map_err(|panic| *panic.downcast::<String>().unwrap())
        };
        let (first, second) = (look(&net.first.bias), look(&net.second.bias));
        let (here, there, other) = match ranks.rank() {
            0 => (first, second, 1),
            _ => (second, first, 0),
        };
        assert!(here.is_ok());
        let said = format!("on rank {other}: fetch it in a run");
        assert!(there.unwrap_err().contains(&said));
    });
}

#[derive(Clone)]
struct Double;

#[differentiable]
impl Double {
    fn of(#[constant] &self, x: &Tensor![3]) -> Tensor![3] {
        x * x
    }
}

#[differentiable]
fn summed(x: &Tensor![3]) -> Tensor![] {
    (Double.of(x) * 2.0).sum()
}

#[test]
fn a_scope_is_placed_with_its_derivatives() {
    threads(2, |ranks| {
        let r = Recording::new();
        let x: Tensor![3] = r.input("x", Default::default());
        r.place_on_rank("Double::of", 1);
        let (value, gradient) = r.scope(|| summed::value_and_grad(&x));
        let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
        let feeds = Feeds::new().with(&x, &tensor([1.0, 2.0, 3.0]));
        let (value, gradient) = session.run((&value, &gradient), &feeds).unwrap();
        assert_eq!(
            (value.item(), gradient.to_vec()),
            (28.0, vec![4.0, 8.0, 12.0])
        );
    });
}

#[test]
fn variables_are_assigned_where_they_live() {
    threads(2, |ranks| {
        let r = Recording::new();
        let w: Tensor![2] = r.variable("w", &tensor([1.0, 2.0]));
        let v: Tensor![2] = r.variable("v", &tensor([3.0, 4.0]));
        let a = r.on_rank(0, || &w * 2.0);
        let b = r.on_rank(1, || &v + &a);
        let exchange = (r.assign(&w, &b), r.assign(&v, &a));
        let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
        session.run(&exchange, &Feeds::new()).unwrap();
        let (ws, vs) = session.run((&w, &v), &Feeds::new()).unwrap();
        assert_eq!((ws.to_vec(), vs.to_vec()), (vec![5.0, 8.0], vec![2.0, 4.0]));
        // One that a run is given stays as it is.
        let feeds = Feeds::new().with(&w, &Tensor::zeros());
        assert_eq!(session.run(&b, &feeds).unwrap().to_vec(), [2.0, 4.0]);
        session.set_variable(&w, &tensor([7.0, 7.0])).unwrap();
        assert_eq!(session.run(&w, &Feeds::new()).unwrap().to_vec(), [7.0, 7.0]);
        session.reset();
        assert_eq!(session.run(&w, &Feeds::new()).unwrap().to_vec(), [1.0, 2.0]);
        // A value in the middle is given on all ranks.
        let feeds = Feeds::new().with(&a, &Tensor::ones());
        assert_eq!(session.run(&b, &feeds).unwrap().to_vec(), [4.0, 5.0]);
        // What is recorded later has its place too.
        let later = r.on_rank(0, || &b * 10.0);
        let later = session.run(&later, &Feeds::new()).unwrap();
        assert_eq!(later.to_vec(), [50.0, 80.0]);
    });
}

/// The moments of a parameter are where the parameter is.
#[test]
fn moments_live_with_their_variables() {
    let names = threads(2, |ranks| {
        let r = Recording::new();
        let w: Tensor![2] = r.variable("w", &tensor([1.0, 2.0]));
        let v: Tensor![2] = r.variable("v", &tensor([3.0, 4.0]));
        let (dw, dv) = (r.on_rank(0, || &w * 2.0), r.on_rank(1, || &v + 1.0));
        let train = r.minimize(&(w, v), &(dw, dv), Adam::new(0.1));
        let mut session = Session::new(&r, &Device::cpu()).over(&ranks);
        session.run(&train, &Feeds::new()).unwrap();
        let state = session.optimizer(&train).state();
        state.tensors.into_keys().collect::<Vec<_>>()
    });
    assert!(!names[0].is_empty() && !names[1].is_empty());
    assert!(
        names[0].iter().all(|name| !names[1].contains(name)),
        "{names:?}"
    );
}
