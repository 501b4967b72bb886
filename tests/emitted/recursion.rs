#[differentiable]
fn recursion(x: f64, y: f64, n: usize) -> f64 {
    if n == 0 { y } else { x * recursion(x, y, n - 1) }
}
