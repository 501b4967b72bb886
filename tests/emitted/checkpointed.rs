#[differentiable]
fn checkpointed(x0: f64, a: f64, n: usize, k: usize) -> f64 {
    let mut x = x0;
    let mut v = 0.0;
    #[checkpoint(every = k)]
    for _ in 0..n {
        v -= a * x.sin();
        x += v;
    }
    x
}
