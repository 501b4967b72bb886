use differentiable::prelude::*;

#[differentiable]
fn plain(x0: f64, a: f64, n: usize) -> f64 {
    let mut x = x0;
    let mut v = 0.5;
    for i in 0..n {
        v -= 0.01 * (x.sin() * a + 0.1 * i as f64);
        x += 0.01 * v;
    }
    x * v
}

#[differentiable]
fn every(x0: f64, a: f64, n: usize, k: usize) -> f64 {
    let mut x = x0;
    let mut v = 0.5;
    #[checkpoint(every = k)]
    for i in 0..n {
        v -= 0.01 * (x.sin() * a + 0.1 * i as f64);
        x += 0.01 * v;
    }
    x * v
}

#[differentiable]
fn snapshots(x0: f64, a: f64, n: usize, k: usize) -> f64 {
    let mut x = x0;
    let mut v = 0.5;
    #[checkpoint(snapshots = k)]
    for i in 0..n {
        v -= 0.01 * (x.sin() * a + 0.1 * i as f64);
        x += 0.01 * v;
    }
    x * v
}

#[differentiable]
fn memory(x0: f64, a: f64, n: usize, k: usize) -> f64 {
    let mut x = x0;
    let mut v = 0.5;
    #[checkpoint(memory = k)]
    for i in 0..n {
        v -= 0.01 * (x.sin() * a + 0.1 * i as f64);
        x += 0.01 * v;
    }
    x * v
}

#[differentiable]
fn balanced(x0: f64, a: f64, n: usize) -> f64 {
    let mut x = x0;
    let mut v = 0.5;
    #[checkpoint]
    for i in 0..n {
        v -= 0.01 * (x.sin() * a + 0.1 * i as f64);
        x += 0.01 * v;
    }
    x * v
}

#[test]
fn a_loop_over_a_range() {
    for n in [0, 1, 2, 6, 7, 8, 13, 100] {
        let expected = plain::value_and_grad(0.3, 1.7, n);
        assert_eq!(balanced::value_and_grad(0.3, 1.7, n), expected);
        for k in [1, 2, 7, 1000] {
            assert_eq!(every::value_and_grad(0.3, 1.7, n, k), expected);
            assert_eq!(snapshots::value_and_grad(0.3, 1.7, n, k), expected);
            assert_eq!(memory::value_and_grad(0.3, 1.7, n, 40 * k), expected);
        }
    }
}
