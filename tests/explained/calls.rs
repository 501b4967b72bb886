#[differentiable(explain)]
fn tree(x: f64, y: f64, depth: usize) -> f64 {
    if depth == 0 {
        return leaf(x) * y;
    }
    tree(x * 0.5, y, depth - 1) + tree(x, y, depth - 1).sin()
}
