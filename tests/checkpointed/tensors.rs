//! A state of tensors, with fused operations in the loop.

use differentiable::prelude::*;

macro_rules! recurrent {
    ($($at:tt)*) => {
        #[differentiable]
        pub fn f(w: &Tensor![f64; 3, 3], x: &Tensor![f64; 2, 3], n: usize) -> f64 {
            let mut h = x * 1.0;
            let mut total = 0.0;
            $($at)*
            for _ in 0..n {
                let z = h.matmul(w);
                h = (z * 0.5 + x).tanh() * x;
                total += h.sum().item();
            }
            total
        }
    };
}

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
    let w: Tensor![f64; 3, 3] = Tensor::from_fn(|i| 0.3 * (i as f64).sin());
    let x: Tensor![f64; 2, 3] = Tensor::from_fn(|i| 0.1 + 0.2 * (i as f64).cos());
    for n in [0, 1, 2, 3, 8] {
        let (v, (dw, dx)) = plain::f::value_and_grad(&w, &x, n);
        for (kept, (kw, kx)) in [
            kept::f::value_and_grad(&w, &x, n),
            memory::f::value_and_grad(&w, &x, n),
        ] {
            assert_eq!(v, kept);
            assert_eq!(dw.to_vec(), kw.to_vec());
            assert_eq!(dx.to_vec(), kx.to_vec());
        }
    }
    differentiable::ad::check_grads::<kept::f, _>(&(w, x, 4)).expect("a gradient");
}
