#[differentiable]
fn wave(x: &Tensor![64]) -> Tensor![] {
    (x * 0.5).sin().sum()
}
