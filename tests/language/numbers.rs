//! Methods of numbers, and values that the reverse run reads more than once.

use crate::check;
use differentiable::prelude::*;

mod methods {
    use super::*;

    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let (s, c) = x.sin_cos();
        let (s2, c2) = (x * y).sin_cos();
        let a = x.log(y)
            + (x * x).log(2.0)
            + x.copysign(y)
            + (-x).copysign(y) * y
            + y.copysign(-x)
            + x.rem_euclid(y)
            + (-x * 3.0).rem_euclid(y)
            + x.midpoint(y * y)
            + x.next_up()
            + y.next_down();
        let b = x.div_euclid(0.3) + y.signum() + x.round();
        let d = if x.is_subnormal() || x.classify() == std::num::FpCategory::Zero {
            0.0
        } else {
            x * 2.0
        };
        s * c + s2 * c2 + a * b + d + f64::rem_euclid(x, y) + f64::copysign(x, y)
    }
    #[test]
    fn methods_of_f64() {
        check::<f, _>(&(1.4, 0.33));
        check::<f, _>(&(7.3, 1.1));
    }
}

mod taken_apart {
    use super::*;

    #[differentiable]
    fn half(x: f64) -> f64 {
        0.5 * x * x
    }

    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let (s, c) = half(x).sin_cos();
        let (x, of_x): (f64, f64) = x.sin_cos();
        let both = (x * y).sin_cos();
        let ((a, b), z) = (y.sin_cos(), y * x);
        let mut total = s * c * c + x * of_x + both.0 * both.1;
        for k in 0..3 {
            let (mut t, u) = (z * k as f64).sin_cos();
            t *= u;
            total += t * a - b * u;
        }
        total
    }

    #[test]
    fn sine_and_cosine() {
        check::<f, _>(&(1.4, 0.33));
        check::<f, _>(&(0.0, 0.0));
    }
}

mod once {
    use super::*;

    #[differentiable]
    fn d(start: f64, rate: f64, n: usize) -> f64 {
        let mut x = start;
        for _ in 0..n {
            x -= rate * x * x;
        }
        x
    }
    #[test]
    fn a_value_used_twice() {
        check::<d, _>(&(0.9, 0.3, 4));
    }
}

mod changing {
    use super::*;

    #[differentiable]
    fn d(start: f64, rate: f64, n: usize) -> f64 {
        let mut x = start;
        let mut y = x;
        let mut a = [x, y, 0.5];
        for i in 0..n {
            x *= rate * x;
            y -= x.sin() * x;
            for j in 0..3 {
                a[j] *= x * y * a[j];
                a[0] += x * x;
                if x > 0.1 {
                    y += x * x * a[j];
                    x += 0.1 * x.sin();
                    y += x.cos() * a[j];
                }
                a[j] = a[j] * a[j];
            }
            x = x * x + a[i % 3];
        }
        x = x * y;
        x * x + y * y
    }
    #[test]
    fn values_that_change_in_nested_loops() {
        check::<d, _>(&(0.9, 0.3, 4));
    }
}

mod again {
    use super::*;

    #[differentiable]
    fn d(start: f64, rate: f64, n: usize) -> f64 {
        let mut x = start;
        let y = x * x;
        for _ in 0..n {
            let z = x * x;
            for _ in 0..2 {
                x = x * z + x * 0.1;
            }
            x += x * x * y;
        }
        while x * x > 0.1 {
            x = 0.5 * x * x.cos();
        }
        let w = x * rate;
        x = 2.0;
        w * x
    }
    #[test]
    fn values_kept_outside_a_loop() {
        check::<d, _>(&(0.5, 0.3, 4));
    }
}

mod panics {
    use super::*;

    #[differentiable]
    fn unreach(x: f64, k: u8) -> f64 {
        match k {
            0 => x,
            1 => x * x,
            _ => unreachable!("k {k}"),
        }
    }
    #[differentiable]
    fn p2(x: f64, w: &[f64]) -> f64 {
        let z = if x > 0.0 {
            w[0] * x
        } else {
            panic!("no {}", x)
        };
        let q = if x < 0.0 { todo!() } else { x };
        z * q
    }
    #[differentiable]
    fn p3(x: f64, k: u8) -> f64 {
        if k == 0 {
            return x * x;
        }
        unimplemented!("{}", k)
    }
    #[differentiable]
    fn p4(x: f64, k: u8) -> f64 {
        let y = match k {
            0 => x,
            1 => {
                let z = x * 2.0;
                panic!("{z}")
            }
            _ => {
                panic!("a");
            }
        };
        y * x
    }
    #[test]
    fn a_panic_as_a_value() {
        check::<unreach, _>(&(1.3, 1));
        check::<p2, _>(&(1.3, vec![0.2]));
        check::<p3, _>(&(1.3, 0));
        check::<p4, _>(&(1.3, 0));
    }
}

mod conversions {
    use super::*;

    #[differentiable]
    fn widened(x: f32, y: f64) -> f64 {
        let wide = f64::from(x) * y;
        let k = f64::from(3_i32) + f64::from(2.5_f32);
        wide * wide + k * f64::from(x * x) + y
    }

    /// A root by bisection, whose derivative is that of the Newton step behind it.
    #[differentiable]
    fn by_bisection(a: f64) -> f64 {
        let (mut low, mut high) = (0.0, 10.0);
        let root = loop {
            let middle = 0.5 * (low + high);
            if middle * middle > a {
                high = middle;
            } else {
                low = middle;
            }
            if high - low < 1e-13 {
                break middle;
            }
        };
        root - (root * root - a) / (2.0 * root)
    }

    #[test]
    fn conversions_and_roots_by_bisection() {
        check::<by_bisection, _>(&(3.7,));
        let g = widened::grad(1.5, 0.7);
        let wide = f64::from(1.5f32) * 0.7;
        assert!((f64::from(g.0) - (2.0 * wide * 0.7 + 5.5 * 2.0 * 1.5)).abs() < 1e-6);
        assert!((g.1 - (2.0 * wide * 1.5 + 1.0)).abs() < 1e-12);
        let (_, t) = widened::jvp((1.5, 1.0), (0.7, 0.0));
        assert!((t - f64::from(g.0)).abs() < 1e-5, "{t} {}", g.0);
    }
}
