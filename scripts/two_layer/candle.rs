//! The network of `examples/two_layer_net.rs` with candle, whose build `scripts/measure_build.sh` measures.

use candle_core::{Device, Result, Tensor, Var};
use candle_nn::{Optimizer, SGD};

fn normal(rows: usize, columns: usize) -> Result<Tensor> {
    Tensor::randn(0f32, 1.0, (rows, columns), &Device::Cpu)
}

fn main() -> Result<()> {
    let (x, y) = (normal(64, 1000)?, normal(64, 10)?);
    let w1 = Var::from_tensor(&normal(1000, 100)?)?;
    let w2 = Var::from_tensor(&normal(100, 10)?)?;
    let mut optimizer = SGD::new(vec![w1.clone(), w2.clone()], 1e-6)?;
    for step in 0..500 {
        let error = (x.matmul(&w1)?.relu()?.matmul(&w2)? - &y)?;
        let loss = error.sqr()?.sum_all()?;
        optimizer.backward_step(&loss)?;
        if step % 100 == 99 {
            println!("step {:3}: loss {:.6}", step + 1, loss.to_scalar::<f32>()?);
        }
    }
    Ok(())
}
