//! `+ - * /` with broadcasting and scalars, `maximum`, `minimum`.

use crate::check::{between, check, finish, start};
use differentiable::__rt as ad;
use differentiable::__rt::{Differentiable, On, Tangent};
use differentiable::prelude::*;

dim!(Batch);

/// Checks the rules of the four operators at one pair of operands.
macro_rules! operators {
    ($a:expr, $b:expr) => {{
        operators!(@ "+", $a, $b, |a, b| a.clone() + b.clone(), add, |a, b, y, wa, wb| (wa, wb), (wa, wb));
        operators!(@ "-", $a, $b, |a, b| a.clone() - b.clone(), sub, |a, b, y, wa, wb| (wa, wb), (wa, wb));
        operators!(@ "*", $a, $b, |a, b| a.clone() * b.clone(), mul, |a, b, y, wa, wb| (wa, b), (a, wb));
        operators!(@ "/", $a, $b, |a, b| a.clone() / b.clone(), div, |a, b, y, wa, wb| (wa, b), (wa, b, y));
    }};
    (@ $name:literal, $a:expr, $b:expr, |$x:ident, $y:ident| $value:expr, $rule:ident,
     |$va:ident, $vb:ident, $out:ident, $wa:ident, $wb:ident| ($($l:ident),*), ($($r:ident),*)) => {
        check(
            $name,
            &($a, $b),
            |($x, $y)| $value,
            |($va, $vb), ct| {
                let ($x, $y) = ($va, $vb);
                let out = $value;
                let ($wa, $wb, $out) = (&ad::wit($va), &ad::wit($vb), &out);
                let _ = ($wa, $wb, $out);
                let (mut da, mut db) = ($va.zero_adj(On), $vb.zero_adj(On));
                ad::$rule::pull_l($($l,)* &ct, &mut da);
                ad::$rule::pull_r($($r,)* &ct, &mut db);
                let grads = (finish($va, da), finish($vb, db));
                (out, grads)
            },
            |($va, $vb), (ta, tb)| {
                let ($x, $y) = ($va, $vb);
                let out = $value;
                let t = ad::$rule::push_l($va, $vb, &out, ta).add(ad::$rule::push_r($va, $vb, &out, tb));
                (out, t)
            },
        )
    };
}

fn sample<S: Shape>(shape: S, seed: u64) -> Tensor<S, f64> {
    between(shape, seed, 0.5, 2.0)
}

#[test]
fn equal_shapes() {
    operators!(
        sample(<shape![3, 5]>::default(), 1),
        sample(<shape![3, 5]>::default(), 2)
    );
    operators!(sample((), 1), sample((), 2));
    operators!(
        sample((Batch(3), Sz::<17>), 1),
        sample((Batch(3), Sz::<17>), 2)
    );
    operators!(
        sample((Batch(0), Sz::<2>), 1),
        sample((Batch(0), Sz::<2>), 2)
    );
}

#[test]
fn missing_leading_dimensions() {
    operators!(
        sample(<shape![3, 5]>::default(), 1),
        sample(<shape![5]>::default(), 2)
    );
    operators!(
        sample(<shape![5]>::default(), 1),
        sample(<shape![3, 5]>::default(), 2)
    );
    operators!(
        sample(<shape![2, 3, 4]>::default(), 1),
        sample(<shape![]>::default(), 2)
    );
    operators!(
        sample(<shape![]>::default(), 1),
        sample(<shape![2, 3, 4]>::default(), 2)
    );
    operators!(
        sample((Batch(4), Sz::<2>, Sz::<3>), 1),
        sample(<shape![2, 3]>::default(), 2)
    );
    operators!(
        sample((Batch(0), Sz::<3>), 1),
        sample(<shape![3]>::default(), 2)
    );
    operators!(
        sample(<shape![1, 1]>::default(), 1),
        sample(<shape![1]>::default(), 2)
    );
}

#[test]
fn scalars() {
    operators!(sample(<shape![3, 5]>::default(), 1), 1.7f64);
    operators!(1.7f64, sample(<shape![3, 5]>::default(), 1));
    operators!(sample((Batch(0),), 1), 0.7f64);
    operators!(0.7f64, sample((Batch(2), Batch(1)), 1));
}

#[test]
fn strided_operands() {
    operators!(
        sample(<shape![5, 3]>::default(), 1).transpose::<0, 1>(),
        sample(<shape![1, 5]>::default(), 2).expand::<0, _>(Sz::<3>)
    );
}

macro_rules! extremum {
    ($a:expr, $b:expr, $name:ident $vjp:ident $jvp:ident) => {
        check(
            stringify!($name),
            &($a, $b),
            |(a, b)| a.$name(b),
            |(a, b), ct| {
                let (y, pull) = a.$vjp((On, On), b);
                let (mut da, mut db) = (a.zero_adj(On), b.zero_adj(On));
                pull(ct, a, b, &mut da, &mut db);
                (y, (finish(a, da), finish(b, db)))
            },
            |(a, b), (ta, tb)| a.$jvp(ta, b, tb),
        )
    };
}

#[test]
fn maximum_and_minimum() {
    let s = <shape![3, 5]>::default();
    extremum!(sample(s, 1), sample(s, 2), maximum __maximum_vjp __maximum_jvp);
    extremum!(sample(s, 1), sample(s, 2), minimum __minimum_vjp __minimum_jvp);
    extremum!(sample(s, 1), sample((Sz::<5>,), 2), maximum __maximum_vjp __maximum_jvp);
    extremum!(sample((Sz::<5>,), 2), sample((Batch(3), Sz::<5>), 2), minimum __minimum_vjp __minimum_jvp);
}

#[test]
fn ties_of_maximum_share_half_and_half() {
    let a: Tensor![f64; 3] = tensor([1.0, 2.0, 3.0]);
    let b = tensor([2.0, 2.0, 2.0]);
    let (_, pull) = a.__maximum_vjp((On, On), &b);
    let (mut da, mut db) = (a.zero_adj(On), b.zero_adj(On));
    pull(start(tensor([1.0, 1.0, 1.0])), &a, &b, &mut da, &mut db);
    assert_eq!(finish(&a, da).to_vec(), [0.0, 0.5, 1.0]);
    assert_eq!(finish(&b, db).to_vec(), [1.0, 0.5, 0.0]);
}
