#[differentiable]
fn tuples(a: f64, b: f64) -> (f64, f64) {
    let (s, p) = (a + b, a * b);
    (s * p, p)
}
