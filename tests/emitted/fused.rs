#[differentiable]
fn gate(x: &Tensor![64], w: &Tensor![64], k: f32) -> Tensor![64] {
    (x * w - 0.5).gelu() * k
}
