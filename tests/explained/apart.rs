#[differentiable(explain)]
fn image(x: &Tensor![8, 4, 16, 16], g: &Tensor![4], b: &Tensor![4], r: &Row, n: usize) -> Tensor![] {
    let y = x.batch_norm(g, b, 1e-5).gelu() * 0.5;
    let u = y.avg_pool2d::<2, 2, _>(Win::new()).tanh().exp();
    let v = &u * &u;
    let mut s = v.softmax::<1>();
    for _ in 0..n {
        s = s * 0.5;
    }
    let t: Tensor![8, 4, 8, 8] = mixed(&s);
    let w = if n > 2 { t.relu() * 2.0 } else { t.clone() };
    (w.exp() + v).sum() + r.gelu().sum()
}
