#[differentiable]
fn recursion(x: f64, n: usize) -> f64 {
    if n == 0 { 1.0 } else { x * recursion(x, n - 1) }
}
