#[differentiable(explain)]
fn newton(x: f64, #[constant] c: &[f64]) -> f64 {
    let mut y = 1.0;
    for k in c {
        y -= residual(y, *k) / (x + y);
    }
    y
}
