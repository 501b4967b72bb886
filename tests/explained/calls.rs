#[differentiable(explain)]
fn tree(x: f64, depth: usize) -> f64 {
    if depth == 0 {
        return leaf(x) * x;
    }
    tree(x * 0.5, depth - 1) + tree(x, depth - 1).sin()
}
