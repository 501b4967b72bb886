//! What regions start from: the results of operations that do not go element by element themselves, by the list in
//! `autodiff-macros/src/knowledge/tensors.rs`. That they do start there is in `tests/explained/apart.md`.

use crate::points;
use differentiable::ad::check_grads;
use differentiable::prelude::*;

both! {
    fn image(x: &Tensor![f64; 2, 3, 4, 4], g: &Tensor![f64; 3], b: &Tensor![f64; 3]) -> Tensor![f64;] {
        let y = x.batch_norm(g, b, 1e-5).gelu() * 0.5;
        (y.avg_pool2d::<2, 2, _>(Win::new()).tanh() + 1.0).square().sum()
    }
    fn joined(a: &Tensor![f64; 3, 2], b: &Tensor![f64; 3, 4]) -> Tensor![f64;] {
        let c = a.concat::<1, _>(b).sigmoid() * 2.0;
        let d = (c.clone() - c.logsumexp_axis::<0>()).exp().sqrt();
        let (l, r) = d.split_at::<1, 2>();
        (l.exp() * 0.5).sum() + (r.sin() * 2.0).sum()
    }
    fn chosen(x: &Tensor![f64; 6], y: &Tensor![f64; 6]) -> Tensor![f64;] {
        let s = x.gt(y).select(x, y).exp() * 0.5;
        let parts = x.chunk::<0, 2>();
        let p = (parts[0].tanh() + 1.0).square();
        let q = (parts[1].tanh() * 3.0).exp();
        let o = (x.outer(y).abs() + 1.0).ln();
        s.sum() + (p * q).sum() + o.var_axis::<0>(1).sqrt().sum()
    }
}

#[test]
fn chains_behind_other_operations() {
    let x = &points(Default::default(), 1);
    let (g, b) = (
        &points(Default::default(), 2),
        &points(Default::default(), 3),
    );
    agree!(image(x, g, b));
    let (x, y) = (
        &points(Default::default(), 4),
        &points(Default::default(), 5),
    );
    agree!(joined(x, y));
    let (x, y) = (
        &points(Default::default(), 6),
        &points(Default::default(), 7),
    );
    agree!(chosen(x, y));
}
