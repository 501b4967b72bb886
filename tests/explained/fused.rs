#[differentiable(explain)]
fn loss(x: &Tensor![64, 32], w: &Tensor![32, 8], b: &Tensor![8], #[constant] y: &Tensor![64, 8]) -> Tensor![] {
    let h = (x.matmul(w) + b).tanh();
    let error = (h - y) / 2.0;
    error.square().mean()
}
