//! A pendulum by leapfrog steps, whose loop has a schedule or none: its time is measured by `benches/checkpoint.rs`, its
//! memory by `tests/memory.rs`.

/// A differentiable function of this name, with these attributes on its loop: its place and its speed are the state.
macro_rules! pendulum {
    ($name:ident: $($how:tt)*) => {
        #[differentiable]
        fn $name(start: [f64; 2], stiffness: f64, n: usize) -> f64 {
            let mut y = start;
            let h = 0.001;
            $($how)*
            for _ in 0..n {
                y[1] -= 0.5 * h * stiffness * y[0].sin();
                y[0] += h * y[1];
                y[1] -= 0.5 * h * stiffness * y[0].sin();
            }
            y[0] * y[1]
        }
    };
}
