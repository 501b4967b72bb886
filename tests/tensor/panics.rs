//! A panic of an operation names the line that the user wrote, also from generated code.

use differentiable::prelude::*;
use std::panic::{self, Location};
use std::sync::{Mutex, MutexGuard};

dim!(Batch);

type Ragged = Tensor![f64; Batch, 2];

fn ragged(n: usize) -> Ragged {
    Tensor::from_fn_with((Batch(n), Sz), |i| i as f64)
}

#[rustfmt::skip]
mod programs {
    use super::*;

    pub const FIRST: u32 = line!() + 2; // each on its line
    #[differentiable] pub fn add(x: &Ragged, y: &Ragged) -> Ragged { let z = x.sin(); &z + y }
    #[differentiable] pub fn owned(x: &Ragged, y: &Ragged) -> Ragged { x.sin() * y.cos() }
    #[differentiable] pub fn largest(x: &Ragged, y: &Ragged) -> Ragged { x.sin().maximum(y) }
    #[differentiable] pub fn joined(x: &Ragged, y: &Ragged) -> Ragged { let z = x.concat_to::<0, Batch, _>(y, Batch(9)); z }
    #[differentiable] pub fn mixed(x: &Ragged, y: &Ragged) -> Ragged { x.lerp(y, 0.5) }
    #[differentiable] pub fn losses(x: &Ragged, y: &Ragged) -> Tensor![f64; ] { x.mse_loss(y) }
    #[differentiable] pub fn narrowed(x: &Ragged, y: &Ragged) -> Ragged { let z = x.narrow::<0, _>(1, Batch(7)); z + y }
    #[differentiable] pub fn element(x: &Ragged, y: &Ragged) -> f64 { y[[0, 0]] * x[[8, 1]] }
    #[differentiable] pub fn stacked(x: &Ragged, y: &Ragged) -> Ragged { Tensor::stack::<0, 2>(&[x.clone(), y.clone()]).sum_axis::<0>() }
}

/// One test of this binary at a time replaces the hook.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(|e| e.into_inner())
}

static LAST: Mutex<Option<(String, u32)>> = Mutex::new(None);

/// Where a call panics.
fn place(call: impl FnOnce()) -> (String, u32) {
    *LAST.lock().unwrap() = None;
    assert!(panic::catch_unwind(panic::AssertUnwindSafe(call)).is_err());
    LAST.lock().unwrap().clone().expect("a panic has a place")
}

#[test]
fn the_line_of_the_user() {
    let _alone = alone();
    let before = panic::take_hook();
    let thread = std::thread::current().id();
    panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == thread {
            let at = |l: &Location<'_>| (l.file().to_string(), l.line());
            *LAST.lock().unwrap() = info.location().map(at);
        } else {
            before(info);
        }
    }));
    let (x, y) = (ragged(2), ragged(3));
    let mut found = Vec::new();
    macro_rules! each {
        ($($name:ident)*) => { $(
            found.push((stringify!($name), [
                place(|| { programs::$name(&x, &y); }),
                place(|| { let _ = programs::$name::vjp(&x, &y); }),
                place(|| { programs::$name::jvp((&x, &y), (&x, &y)); }),
            ]));
        )* };
    }
    each!(add owned largest joined mixed losses narrowed element stacked);
    let _ = panic::take_hook();
    for (k, (name, places)) in found.into_iter().enumerate() {
        let line = programs::FIRST - 1 + k as u32;
        for (mode, (file, at)) in ["value", "vjp", "jvp"].iter().zip(places) {
            assert_eq!((file.as_str(), at), (file!(), line), "{mode} of {name}");
        }
    }
}
