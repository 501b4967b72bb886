//! Independent nodes at the same time, and graphs on several devices: the same bits.

use crate::bits;
use crate::minimize::{Net, batch};
use differentiable::graph::{Feeds, GraphError, Recording, Session, cond, while_loop};
use differentiable::optim::*;
use differentiable::prelude::*;

#[differentiable]
fn branches(a: &Tensor![40, 40], b: &Tensor![40, 40]) -> Tensor![] {
    let (mut x, mut y) = (a.clone(), b.clone());
    for _ in 0..4 {
        x = x.matmul(a).tanh();
        y = y.matmul(b).sin();
    }
    (x * y).sum()
}

#[test]
fn at_the_same_time() {
    let a: Tensor![40, 40] = Tensor::randn(1);
    let b: Tensor![40, 40] = Tensor::randn(2);
    let r = Recording::new();
    let (ra, rb) = (r.input("a", a.shape()), r.input("b", b.shape()));
    let (value, (by_a, by_b)) = r.scope(|| branches::value_and_grad(&ra, &rb));
    let mut session = Session::new(&r, &Device::cpu()).parallel(true);
    for _ in 0..20 {
        let feeds = Feeds::new().with(&ra, &a).with(&rb, &b);
        let got = session.run((&value, &by_a, &by_b), &feeds).unwrap();
        let (value, (by_a, by_b)) = branches::value_and_grad(&a, &b);
        assert_eq!(bits(&got.0), bits(&value));
        assert_eq!(bits(&got.1), bits(&by_a));
        assert_eq!(bits(&got.2), bits(&by_b));
    }
    let error = session
        .run(&value, &Feeds::new().with(&ra, &a))
        .unwrap_err();
    assert!(matches!(error, GraphError::Missing { .. }), "{error}");
}

#[test]
fn training_at_the_same_time() {
    let r = Recording::new();
    let net = r.module(&Net::new(&mut Seeds::new(1)));
    let (x, y) = batch(0);
    let (rx, ry) = (r.input("x", x.shape()), r.input("y", y.shape()));
    let (loss, gradient) = r.scope(|| net.loss_value_and_grad(&rx, &ry));
    let train = r.minimize(&net, &gradient, Adam::new(1e-2));
    let mut in_order = Session::new(&r, &Device::cpu());
    let mut parallel = Session::new(&r, &Device::cpu()).parallel(true);
    for step in 0..10 {
        let (x, y) = batch(step);
        let feeds = Feeds::new().with(&rx, &x).with(&ry, &y);
        let (a, ()) = in_order.run((&loss, &train), &feeds).unwrap();
        let (b, ()) = parallel.run((&loss, &train), &feeds).unwrap();
        assert_eq!(bits(&a), bits(&b));
    }
}

#[test]
fn an_index_outside_is_an_error_of_all_ways_to_run() {
    for placed in [false, true] {
        let r = Recording::new();
        let x: Tensor![3, 2] = r.input("x", Default::default());
        let index: Tensor![i64; 2] = r.input("index", Default::default());
        if placed {
            r.place("rows", &Device::far());
        }
        let rows = r.named("rows", || x.index_select::<0, _, _>(&index));
        let y = &rows * 2.0;
        let mut session = Session::new(&r, &Device::cpu()).parallel(true);
        let feeds = |at| {
            Feeds::new()
                .with(&x, &Tensor::ones())
                .with(&index, &tensor([0, at]))
        };
        assert_eq!(session.run(&y, &feeds(1)).unwrap().to_vec(), [2.0; 4]);
        let error = session.run(&y, &feeds(3)).unwrap_err();
        assert!(error.to_string().contains("index 3"), "{error}");
        // The next run is fine.
        assert_eq!(session.run(&y, &feeds(2)).unwrap().to_vec(), [2.0; 4]);
    }
}

#[derive(Clone)]
struct Square;

#[differentiable]
impl Square {
    fn of(#[constant] &self, x: &Tensor![3]) -> Tensor![3] {
        x * x
    }
}

#[differentiable]
fn doubled(x: &Tensor![3]) -> Tensor![] {
    (Square.of(x) * 2.0).sum()
}

#[test]
fn a_scope_is_placed_with_its_derivatives() {
    let run = |placed: &[&str]| {
        let far = Device::far();
        let r = Recording::new();
        let x: Tensor![3] = r.input("x", Default::default());
        placed.iter().for_each(|scope| r.place(scope, &far));
        let (value, gradient) = r.scope(|| doubled::value_and_grad(&x));
        let mut session = Session::new(&r, &Device::cpu());
        let parts = session.parts((&value, &gradient))?;
        let text: Vec<String> = parts.iter().map(ToString::to_string).collect();
        let feeds = Feeds::new().with(&x, &tensor([1.0, 2.0, 3.0]));
        let (value, gradient) = session.run((&value, &gradient), &feeds)?;
        assert_eq!(
            (value.item(), gradient.to_vec()),
            (28.0, vec![4.0, 8.0, 12.0])
        );
        Ok::<_, GraphError>(text.get(1).cloned().unwrap_or_default())
    };
    let (all, back) = (
        run(&["doubled"]).unwrap(),
        run(&["doubled.pullback"]).unwrap(),
    );
    assert!(all.lines().count() > back.lines().count(), "{all}{back}");
    assert!(back.lines().count() > 1, "{back}");
    let error = run(&["doubl"]).unwrap_err().to_string();
    assert!(
        error.contains("the scope `doubl` is placed here, and nothing is recorded in it"),
        "{error}"
    );
}

#[test]
fn parts_on_two_devices() {
    let far = Device::far();
    let r = Recording::new();
    let net = r.module(&Net::new(&mut Seeds::new(1)));
    let (x, y) = batch(0);
    let (rx, ry) = (r.input("x", x.shape()), r.input("y", y.shape()));
    let one = Recording::new();
    let same = one.module(&Net::new(&mut Seeds::new(1)));
    let (ox, oy) = (one.input("x", x.shape()), one.input("y", y.shape()));
    let (loss, gradient) = r.on(&far, || net.loss_value_and_grad(&rx, &ry));
    let train = r.minimize(&net, &gradient, Sgd::new(0.1));
    let (expected, gradient) = one.scope(|| same.loss_value_and_grad(&ox, &oy));
    let step = one.minimize(&same, &gradient, Sgd::new(0.1));
    let mut session = Session::new(&r, &Device::cpu());
    let mut here = Session::new(&one, &Device::cpu());
    for k in 0..5 {
        let (x, y) = batch(k);
        let feeds = Feeds::new().with(&rx, &x).with(&ry, &y);
        let (a, ()) = session.run((&loss, &train), &feeds).unwrap();
        let feeds = Feeds::new().with(&ox, &x).with(&oy, &y);
        let (b, ()) = here.run((&expected, &step), &feeds).unwrap();
        assert_eq!(bits(&a), bits(&b));
        assert_eq!(*a.device(), Device::cpu());
    }
    let Device::Far(counts) = &far else {
        unreachable!()
    };
    assert!(counts.counts().launches > 0);
}

#[test]
fn what_flows_is_sent_once() {
    let (far, further) = (Device::far(), Device::far());
    let r = Recording::new();
    let x: Tensor![4] = r.input("x", Default::default());
    let a = x.exp();
    let b = r.on(&far, || &a * 2.0 + &a);
    let c = r.on(&further, || (&b + &a).sin());
    let d = &c + &b;
    let mut session = Session::new(&r, &Device::cpu());
    let parts = session.parts(&d).unwrap();
    assert_eq!(parts.len(), 3);
    assert_eq!(parts[0].sends().count(), 2, "`a`, to both");
    assert_eq!(parts[0].receives().count(), 2);
    assert_eq!(parts[1].sends().count(), 2, "`b`, to both");
    let text: String = parts.iter().map(ToString::to_string).collect();
    assert!(text.contains("part 1 on the far device:"), "{text}");
    assert!(
        text.contains("receive from part 0") && text.contains("send %"),
        "{text}"
    );
    let given: Tensor![4] = tensor([0.1, 0.2, 0.3, 0.4]);
    let got = session.run(&d, &Feeds::new().with(&x, &given)).unwrap();
    let a = given.exp();
    let b = &a * 2.0 + &a;
    assert_eq!(bits(&got), bits(&((&b + &a).sin() + &b)));
}

#[test]
fn control_flow_runs_on_one_device() {
    let far = Device::far();
    let r = Recording::new();
    let x: Tensor![2] = r.input("x", Default::default());
    let small = |x: &Tensor![2]| x.sum().lt(100.0);
    let y = r.on(&far, || while_loop(small, |x: &Tensor![2]| x * 2.0, &x));
    let big = y.sum().gt(150.0);
    let z = cond(
        &big,
        |y: &Tensor![2]| y * 0.5,
        |y: &Tensor![2]| y.clone(),
        &y,
    );
    let mut session = Session::new(&r, &Device::cpu());
    let z = session
        .run(&z, &Feeds::new().with(&x, &tensor([1.0, 2.0])))
        .unwrap();
    assert_eq!(z.to_vec(), [32.0, 64.0]);
}

#[test]
fn a_part_that_fails_ends_all() {
    let far = Device::far();
    let Device::Far(sealed) = far.clone() else {
        unreachable!()
    };
    let r = Recording::new();
    let x: Tensor![2] = r.input("x", Default::default());
    let y = r.on(&far, || x.exp());
    let z = &y + 1.0;
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&x, &Tensor::ones());
    // The far device panics at what is copied to it.
    let error = sealed.without_transfers(|| session.run(&z, &feeds).unwrap_err());
    assert!(matches!(error, GraphError::Part { .. }), "{error}");
    assert!(
        error.to_string().contains("transfers are forbidden"),
        "{error}"
    );
    let s = Recording::new();
    let w = r.on(s.device(), || &x + 1.0);
    let error = session.run(&w, &feeds).unwrap_err();
    assert!(matches!(error, GraphError::Placement { .. }), "{error}");
}

/// Scopes that are placed after a run: the next run is another one.
#[test]
fn what_is_placed_later_runs_there() {
    let r = Recording::new();
    let x: Tensor![2] = r.input("x", Default::default());
    let y = x.exp() + r.named("there", || x.exp());
    let mut session = Session::new(&r, &Device::cpu());
    let feeds = Feeds::new().with(&x, &Tensor::zeros());
    assert_eq!(session.run(&y, &feeds).unwrap().to_vec(), [2.0; 2]);
    assert_eq!(session.parts(&y).unwrap().len(), 1);
    r.place("there", &Device::far());
    assert_eq!(session.parts(&y).unwrap().len(), 2);
    assert_eq!(session.run(&y, &feeds).unwrap().to_vec(), [2.0; 2]);
}
