#[differentiable]
fn network(w: &Tensor![4, 3], b: &Tensor![3], #[constant] x: &Tensor![Batch, 4], t: &Tensor![i64; Batch]) -> Tensor![] {
    let h = (x.matmul(w) + b).relu();
    h.cross_entropy(t)
}
