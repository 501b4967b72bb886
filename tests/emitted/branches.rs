#[differentiable]
fn branches(x: f64, y: f64) -> f64 {
    let m = if x > y { x * x } else { y.exp() };
    if m > 1.0 { m.sqrt() } else { m * y }
}
