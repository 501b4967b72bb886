#[differentiable(higher_order)]
fn higher_order(x: &[f64], w: f64) -> f64 {
    let mut s = 0.5 * w;
    for i in 0..x.len() {
        s += square(x[i]) * w;
    }
    s / x.len() as f64
}
