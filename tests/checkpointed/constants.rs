//! Loops that change constants: what a call writes there is part of their state.

use differentiable::prelude::*;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Noise {
    seed: u64,
    #[constant]
    log: Vec<f64>,
}

#[differentiable]
impl Noise {
    fn add(#[constant] &mut self, x: f64) -> f64 {
        self.seed = self
            .seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        self.log.push(stop_gradient(x));
        x * ((self.seed >> 33) as f64 / 2147483648.0)
    }
}

#[differentiable]
fn scaled(x: f64, #[constant] noise: &mut Noise) -> f64 {
    noise.add(x) + 0.1 * x
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Sources {
    one: Noise,
    all: Vec<Noise>,
}

fn sources() -> Sources {
    let noise = |seed| Noise {
        seed,
        log: Vec::new(),
    };
    Sources {
        one: noise(5),
        all: vec![noise(6), noise(7)],
    }
}

macro_rules! programs {
    ($name:ident $($at:tt)*) => {
        mod $name {
            use super::*;

            #[differentiable]
            pub fn counted(x: f64, #[constant] s: &mut Sources) -> f64 {
                let mut y = x;
                $($at)*
                for i in 0..12 {
                    let one = &mut s.one;
                    y = y.sin() + 0.3 * scaled(y, one);
                    y += 0.1 * scaled(y, &mut s.all[i % 2]);
                    for n in s.all.iter_mut() {
                        y += 0.1 * scaled(y, n);
                    }
                    y += s.one.log.len() as f64 * y * 0.01;
                }
                y
            }

            #[differentiable]
            pub fn until(x: f64, #[constant] s: &mut Sources) -> f64 {
                let mut y = x;
                $($at)*
                while s.one.log.len() < 15 {
                    y = y.sin() + 0.3 * scaled(y, &mut s.one);
                }
                y
            }

            #[differentiable]
            pub fn active(x: f64, s: &mut Sources) -> f64 {
                let mut y = x;
                $($at)*
                for i in 0..12 {
                    s.all[i % 2].log.push(stop_gradient(y));
                    s.one.seed = s.one.seed.wrapping_mul(25214903917).wrapping_add(11);
                    y = y.sin() + 0.3 * y * (s.one.seed % 8) as f64 / 8.0;
                }
                y
            }
        }
    };
}
programs!(plain);
programs!(kept #[checkpoint]);

/// Gradient, value and state as without the attribute, and differences.
macro_rules! same {
    ($f:ident, $gradient:expr) => {{
        let gradient: fn(_) -> f64 = $gradient;
        let (mut a, mut b) = (sources(), sources());
        let (value, g) = plain::$f::value_and_grad(0.7, &mut a);
        let (found, again) = kept::$f::value_and_grad(0.7, &mut b);
        assert_eq!((value, &a), (found, &b));
        let (g, again) = (gradient(g), gradient(again));
        assert_eq!(g, again);
        let at = |h: f64| plain::$f(0.7 + h, &mut sources());
        let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!((difference - g).abs() < 1e-6, "{difference} {g}");
    }};
}

#[test]
fn calls_change_constants() {
    same!(counted, |g| g);
    same!(until, |g| g);
    same!(active, |g: (f64, SourcesTangent)| g.0);
}
