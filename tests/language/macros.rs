//! The macros of the standard library, and those of users.

use crate::check;
use differentiable::prelude::*;

macro_rules! report {
    ($list:ident, $e:expr) => {
        $list.push($e)
    };
}

#[differentiable]
fn checked(x: f64, w: &[f64], kind: u8) -> f64 {
    assert!(x.is_finite() && !w.is_empty(), "x is {x}");
    debug_assert!(w[0] < 10.0);
    assert_eq!(w.len(), 2, "{}", w[0]);
    assert_ne!(w[1], 0.0);
    debug_assert_eq!(w.len(), 2);
    debug_assert_ne!(w.len(), 3);
    if x > 1e9 {
        println!("x = {x}, {}", w[0] * x);
        eprintln!("{:?}", w);
        print!("{x}");
        eprint!("{x}");
    }
    let v = vec![x * w[0], w[1], 1.0];
    let u = vec![x; 3];
    let s = if matches!(kind, 0 | 1) && matches!(v.len(), 1..=3) {
        v[0] * u[1]
    } else {
        v[1]
    };
    let t = match kind {
        0 => s * x,
        1 => s,
        2 => unreachable!(),
        _ => panic!("{kind}"),
    };
    let mut seen: Vec<String> = Vec::new();
    no_grad! {
        report!(seen, format!("{t}"));
    }
    t * seen.len() as f64
}

#[test]
fn macros_of_the_standard_library_and_of_users() {
    check::<checked, _>(&(0.7, vec![0.3, 0.8], 0));
    check::<checked, _>(&(0.7, vec![0.3, 0.8], 1));
    assert!(std::panic::catch_unwind(|| checked::grad(0.7, &[0.3, 0.8], 7)).is_err());
}
