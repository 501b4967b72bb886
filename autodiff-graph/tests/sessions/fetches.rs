//! What is fetched, and what is given in place of what would be computed.

use differentiable::graph::{Feeds, Gradient, GraphError, Recording, Session, Whole};
use differentiable::nn::*;
use differentiable::prelude::*;

#[test]
fn tuples_arrays_and_vecs_are_fetched() {
    let r = Recording::new();
    let x: Tensor![] = r.input("x", ());
    let all: Vec<Tensor![]> = (1..=12).map(|k| &x * k as f32).collect();
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&x, &tensor(2.0));
    let items = |all: &[Tensor![]]| all.iter().map(|x| x.item()).collect::<Vec<_>>();
    let expected: Vec<f32> = (1..=12).map(|k| 2.0 * k as f32).collect();
    assert_eq!(items(&session.run(&all, &feeds).unwrap()), expected);
    assert_eq!(items(&session.run(&all[..3], &feeds).unwrap()), expected[..3]);
    let [a, b] = session.run([&all[0], &all[1]], &feeds).unwrap();
    assert_eq!((a.item(), b.item()), (2.0, 4.0));
    let (a, (b, c), rest, ()) = session
        .run((&all[0], (&all[1], &all[2]), vec![&all[3], &all[4]], ()), &feeds)
        .unwrap();
    assert_eq!((a.item(), b.item(), c.item()), (2.0, 4.0, 6.0));
    assert_eq!(items(&rest), [8.0, 10.0]);
    let twelve = session
        .run(
            (
                &all[0], &all[1], &all[2], &all[3], &all[4], &all[5], &all[6], &all[7], &all[8],
                &all[9], &all[10], &all[11],
            ),
            &feeds,
        )
        .unwrap();
    assert_eq!(twelve.11.item(), 24.0);
}

#[module]
struct Net {
    hidden: Linear<3, 4>,
    out: Linear<4, 1>,
}

#[differentiable]
impl Net {
    fn loss(&self, x: &Tensor![5, 3]) -> Tensor![] {
        self.out.forward(&self.hidden.forward(x).tanh()).square().mean()
    }
}

#[test]
fn modules_and_their_gradients_are_fetched_whole() {
    let net = Net::new(&mut Seeds::new(3));
    let x = Tensor::randn(1);
    let r = Recording::new();
    let (recorded, rx) = (r.module(&net), r.input("x", Default::default()));
    let (_, gradient) = r.scope(|| recorded.loss_value_and_grad(&rx));
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&rx, &x);
    let (same, by_net) = session
        .run((Whole(&recorded), Gradient(&gradient)), &feeds)
        .unwrap();
    assert_eq!(same.out.weight.to_vec(), net.out.weight.to_vec());
    let (_, eager) = net.loss_value_and_grad(&x);
    assert_eq!(by_net.hidden.weight.to_vec(), eager.hidden.weight.to_vec());
    assert_eq!(by_net.out.bias.to_vec(), eager.out.bias.to_vec());
}

#[test]
fn a_value_in_the_middle_is_given() {
    let r = Recording::new();
    let x: Tensor![2] = r.input("x", Default::default());
    let hidden = x.exp();
    let (y, z) = (&hidden * 2.0, hidden.sum());
    let mut session = Session::new(&r, &Device::cpu());
    let given: Tensor![2] = tensor([1.0, 2.0]);
    // `x` is not needed then.
    let feeds = Feeds::new().with(&hidden, &given);
    let (y1, z1, h1) = session.run((&y, &z, &hidden), &feeds).unwrap();
    assert_eq!((y1.to_vec(), z1.item()), (vec![2.0, 4.0], 3.0));
    assert_eq!(h1.to_vec(), given.to_vec());
    assert_eq!(given.to_vec(), [1.0, 2.0]);
    // Computed again without it.
    let feeds = Feeds::new().with(&x, &Tensor::zeros());
    assert_eq!(session.run(&y, &feeds).unwrap().to_vec(), [2.0, 2.0]);
    // Both: what is given counts, and `x` is not looked at.
    let feeds = feeds.with(&hidden, &given);
    assert_eq!(session.run(&z, &feeds).unwrap().item(), 3.0);
}

#[differentiable]
fn loss(w: &Tensor![3], x: &Tensor![3]) -> Tensor![] {
    (w * x - 1.0).square().sum()
}

#[test]
fn one_result_of_an_operation_is_given_and_the_other_computed() {
    let r = Recording::new();
    let (w, x) = (r.input("w", Default::default()), r.input("x", Default::default()));
    let (value, _) = r.scope(|| loss::value_and_grad(&w, &x));
    let double = &value * 2.0;
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&value, &tensor(21.0));
    assert_eq!(session.run(&double, &feeds).unwrap().item(), 42.0);
}

#[test]
fn what_cannot_be_given() {
    let r = Recording::new();
    let x: Tensor![2] = r.input("x", Default::default());
    let c: Tensor![2] = r.scope(|| tensor([1.0, 2.0]));
    let y = &x + &c;
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&x, &Tensor::ones()).with(&x, &Tensor::ones());
    let error = session.run(&y, &feeds).unwrap_err();
    assert_eq!(error.to_string(), "`x` is given twice, expected once");
    let feeds = Feeds::new().with(&x, &Tensor::ones()).with(&c, &Tensor::ones());
    let error = session.run(&y, &feeds).unwrap_err();
    assert!(matches!(error, GraphError::NoInput { .. }), "{error}");
    // What is not needed may be given.
    let z: Tensor![2] = r.input("z", Default::default());
    let feeds = Feeds::new().with(&x, &Tensor::ones()).with(&z, &Tensor::ones());
    assert_eq!(session.run(&y, &feeds).unwrap().to_vec(), [2.0, 3.0]);
}

#[test]
fn rates_by_hand_are_inputs() {
    let r = Recording::new();
    let w: Tensor![2] = r.variable("w", &tensor([1.0, 2.0]));
    let rate: Tensor![] = r.input("rate", ());
    let step = r.assign(&w, &(&w - &w * &rate));
    let mut session = Session::new(&r, &Device::cpu());
    for rate_now in [0.5, 0.1] {
        let before = session.variable(&w).to_vec();
        let feeds = Feeds::new().with(&rate, &tensor(rate_now));
        session.run(&step, &feeds).unwrap();
        let expected: Vec<f32> = before.iter().map(|w| w - w * rate_now).collect();
        assert_eq!(session.variable(&w).to_vec(), expected);
    }
    session.reset();
    assert_eq!(session.variable(&w).to_vec(), [1.0, 2.0]);
    session.set_variable(&w, &tensor([7.0, 8.0])).unwrap();
    assert_eq!(session.run(&w, &Feeds::new()).unwrap().to_vec(), [7.0, 8.0]);
}

#[test]
fn variables_that_are_recorded_later_are_known() {
    let r = Recording::new();
    let x: Tensor![2] = r.input("x", Default::default());
    let mut session = Session::new(&r, &Device::cpu());
    let v: Tensor![2] = r.variable("v", &tensor([1.0, 2.0]));
    let y = session
        .run(&(&x + &v), &Feeds::new().with(&x, &Tensor::ones()))
        .unwrap();
    assert_eq!(y.to_vec(), [2.0, 3.0]);
}
