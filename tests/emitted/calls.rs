#[differentiable]
fn calls(x: f64, #[constant] k: f64) -> f64 {
    let y = helpers::square(x);
    helpers::scale(y, k, 3) + helpers::scale(y, y, 2)
}
