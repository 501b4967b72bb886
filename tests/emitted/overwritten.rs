#[differentiable]
fn overwritten(x: f64, y: f64, n: usize) -> f64 {
    let mut s = x;
    for _ in 0..n {
        s = s.sin() * s * y;
    }
    s
}
