#[differentiable]
fn straight_line(x1: f64, x2: f64) -> f64 {
    x1.ln() + x1 * x2 - x2.sin()
}
