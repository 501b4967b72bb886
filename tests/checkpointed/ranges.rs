use differentiable::prelude::*;

macro_rules! scalars { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(x0: f64, a: f64, n: usize) -> f64 {
        let mut x = x0;
        let mut v = 0.5;
        $($at)*
        for i in 0..n {
            v -= 0.01 * (x.sin() * a + 0.1 * i as f64);
            x += 0.01 * v;
        }
        x * v
    }
} }
same!(scalar_state: scalars, n => (0.3, 1.7, n));

macro_rules! reversed { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(x: f64, n: usize) -> f64 {
        let mut s = x;
        $($at)*
        for i in (2..=n as i32).rev() {
            s = (s * x).sin() + 0.1 * i as f64;
        }
        s
    }
} }
same!(reversed_inclusive: reversed, n => (0.3, n));

macro_rules! stepped { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(x: f64, n: usize) -> f64 {
        let mut s = x;
        $($at)*
        for i in (1..3 * n).step_by(2) {
            s = (s * x).sin() + 0.1 * i as f64;
        }
        s
    }
} }
same!(by_steps: stepped, n => (0.3, n));

/// The numbers in the attribute are expressions, and names in them are used.
#[differentiable]
fn with_expressions(x: f64, n: usize, parts: usize) -> f64 {
    let mut s = x;
    let room = 3 * std::mem::size_of::<(usize, f64)>();
    #[checkpoint(every = n / parts + 1)]
    for _ in 0..n {
        s = (s * x).sin();
    }
    #[checkpoint(memory = room)]
    for i in 0..n {
        s += 0.1 * (s + i as f64).cos();
    }
    s
}

#[differentiable]
fn without(x: f64, n: usize) -> f64 {
    let mut s = x;
    for _ in 0..n {
        s = (s * x).sin();
    }
    for i in 0..n {
        s += 0.1 * (s + i as f64).cos();
    }
    s
}

#[test]
fn expressions_in_the_attribute() {
    for parts in [1, 3, 50] {
        let kept = with_expressions::value_and_grad(0.6, 50, parts);
        assert_eq!(kept, without::value_and_grad(0.6, 50));
    }
}

#[test]
#[should_panic(expected = "`#[checkpoint(every = ..)]` of a loop is 0: it has to be 1 at least")]
fn no_steps_between_snapshots() {
    mod zero {
        use super::*;
        scalars!(#[checkpoint(every = 0)]);
    }
    zero::f::grad(0.3, 1.7, 3);
}

#[test]
#[should_panic(expected = "`#[checkpoint(memory = ..)]` of a loop is 0")]
fn no_memory() {
    mod zero {
        use super::*;
        scalars!(#[checkpoint(memory = 0)]);
    }
    zero::f::grad(0.3, 1.7, 3);
}

/// The function itself is as it was: it knows no schedule.
#[test]
fn the_value_needs_no_snapshots() {
    mod zero {
        use super::*;
        scalars!(#[checkpoint(snapshots = 0)]);
    }
    mod plain {
        use super::*;
        scalars!();
    }
    assert_eq!(zero::f(0.3, 1.7, 3), plain::f(0.3, 1.7, 3));
    let forward = |x: f64| zero::f::jvp((x, 1.0), (1.7, 0.5), 3);
    assert_eq!(forward(0.3), plain::f::jvp((0.3, 1.0), (1.7, 0.5), 3));
}
