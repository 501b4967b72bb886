#[differentiable]
fn generic<T: Scalar, const N: usize>(x: &[T; N], y: T) -> T {
    let mut s = y * y;
    for i in 0..N {
        s += x[i] * y;
    }
    s
}
