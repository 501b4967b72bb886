#[differentiable(explain, wrt(x))]
fn f(x: f64, y: f64, weight: f32) -> f64 {
    let a = x * y;
    let b = a.sin();
    b.max(x) + weight as f64
}
