//! A state of tensors, with fused operations in the loop.

use differentiable::prelude::*;

macro_rules! recurrent { ($($at:tt)*) => {
    #[differentiable]
    pub fn f(w: &Tensor![3, 3; f64], x: &Tensor![3; f64], n: usize) -> f64 {
        let mut h = x.clone();
        let mut total = 0.0;
        $($at)*
        for _ in 0..n {
            let z = h.matmul(w);
            h = (z * 0.5 + x).tanh() * x;
            total += h.sum().item();
        }
        total
    }
} }

#[test]
fn of_tensors() {
    mod plain {
        use super::*;
        recurrent!();
    }
    mod kept {
        use super::*;
        recurrent!(#[checkpoint(snapshots = 2)]);
    }
    mod memory {
        use super::*;
        recurrent!(#[checkpoint(memory = 300)]);
    }
    let w = Tensor::from_fn(|[i, j]| 0.3 * (i as f64) - 0.2 * j as f64 + 0.1);
    let x = tensor([0.4, -0.3, 0.7]);
    for n in [0, 1, 2, 3, 8] {
        let (v, (dw, dx)) = plain::f::value_and_grad(&w, &x, n);
        for (kept, (kw, kx)) in [
            kept::f::value_and_grad(&w, &x, n),
            memory::f::value_and_grad(&w, &x, n),
        ] {
            assert!((v - kept).abs() < 1e-12);
            assert!((dw.clone() - kw).abs().max().item() < 1e-12);
            assert!((dx.clone() - kx).abs().max().item() < 1e-12);
        }
    }
}
