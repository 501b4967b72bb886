//! Generators of random numbers: what has an effect is evaluated once and in its place, though the
//! code around it is emitted for the value, the tangent and the pullback.

use crate::check;
use differentiable::prelude::*;

struct Rng(u64);
impl Rng {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() * n as f64) as usize
    }
}
fn lcg(s: &mut u64) -> f64 {
    *s = s
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*s >> 11) as f64 / (1u64 << 53) as f64
}
#[differentiable]
fn two(x: f64, y: f64) -> f64 {
    x * y + y
}
#[differentiable]
fn in_operands(x: f64) -> f64 {
    let mut r = Rng(3);
    let mut s = 0.0;
    for _ in 0..4 {
        s += x * r.next() + (x * r.next()).sin() * r.next();
    }
    s
}
#[differentiable]
fn by_reference(x: f64) -> f64 {
    let mut g = 7u64;
    let mut s = x;
    for _ in 0..4 {
        s = s * lcg(&mut g) + x * lcg(&mut g);
    }
    s
}
#[differentiable]
fn in_arguments(x: f64) -> f64 {
    let mut r = Rng(3);
    two(x, r.next()) + two(r.next(), x).powf(r.next()) + x.powi(r.below(4) as i32)
}
#[differentiable]
fn as_indices(xs: &[f64]) -> f64 {
    let mut r = Rng(3);
    let mut s = 0.0;
    for _ in 0..5 {
        s += xs[r.below(3)] * xs[r.below(3)];
    }
    s
}
#[differentiable]
fn shuffled(xs: &[f64]) -> f64 {
    let mut r = Rng(9);
    let mut v = xs.to_vec();
    for i in (1..v.len()).rev() {
        let j = r.below(i + 1);
        v.swap(i, j);
    }
    v[0] * 2.0 + v[1] * v[2]
}
#[differentiable]
fn in_arrays(x: f64) -> f64 {
    let mut r = Rng(3);
    let v = [x, r.next(), r.next() * x];
    let n: Vec<f64> = (0..4).map(|_| r.next() * x).collect();
    v[0] * v[1] * v[2] + n.iter().sum::<f64>()
}
#[differentiable]
fn in_places(x: f64) -> f64 {
    let mut r = Rng(3);
    let mut v = vec![0.0; 3];
    for k in 0..3 {
        v[k] = x + r.next();
        v[r.below(3)] += x * x;
    }
    let t = (x, r.next());
    v[0] * v[1] * v[2] * t.1 + t.0
}
#[differentiable]
fn in_conditions(x: f64) -> f64 {
    let mut r = Rng(3);
    if r.next() > 0.5 {
        x * r.next()
    } else {
        x * x * r.next()
    }
}
#[differentiable]
fn with_jumps(x: f64, n: usize) -> f64 {
    let mut r = Rng(3);
    let mut s = 0.0;
    let mut acc = 0;
    while acc < n {
        acc += 1 + r.below(2);
        s += x * acc as f64;
        if r.next() < 0.3 {
            continue;
        }
        s *= 1.0 - 0.1 * r.next();
    }
    s
}
#[differentiable]
fn through_a_closure(x: f64) -> f64 {
    let mut r = Rng(3);
    let mut s = 0.0;
    let noise = |r: &mut Rng| r.next() - 0.5;
    for _ in 0..3 {
        s += x * noise(&mut r);
    }
    s.clamp(-r.next(), r.next() + 4.0) + s.max(r.next()) - s.hypot(r.next())
}
#[differentiable]
fn as_bounds(x: f64) -> f64 {
    let mut r = Rng(3);
    let mut s = 0.0;
    for i in 0..r.below(5) + 2 {
        s += x * i as f64 + r.next();
    }
    for i in (r.below(2)..5).rev() {
        s *= 1.0 + x * i as f64 * 0.01;
    }
    let v = vec![x * r.next(); r.below(3) + 1];
    let m = [x; 2];
    s + v.iter().sum::<f64>() + m[r.below(2)]
}
#[differentiable]
fn in_matches(xs: &[f64]) -> f64 {
    let mut r = Rng(3);
    let mut t = 0.0;
    for k in 0..3 {
        let w = &xs[r.below(2)..];
        t += w[0] * w.len() as f64;
        match r.below(3) {
            0 => t += w[1],
            1 => t *= 1.1 + r.next(),
            _ => {
                t -= r.next() * w[0];
            }
        }
        let z = if r.next() > 0.5 {
            w[0]
        } else {
            w[1] * r.next()
        };
        t += z * k as f64;
    }
    t
}
#[differentiable]
fn metropolis(x: f64, steps: usize) -> f64 {
    let mut r = Rng(11);
    let mut q = x;
    let mut lp = -0.5 * q * q;
    let mut i = 0;
    loop {
        if i == steps {
            break;
        }
        i += 1;
        let prop = q + 0.3 * (r.next() - 0.5);
        let lq = -0.5 * prop * prop;
        if r.next().ln() < no_grad!(lq - lp) {
            q = prop;
            lp = lq;
        }
    }
    q * lp
}
#[differentiable]
fn dropout(r: &mut u64, xs: &[f64]) -> f64 {
    let mut s = 0.0;
    for &x in xs {
        let keep = lcg(r) > 0.4;
        s += if keep { x * x / 0.6 } else { 0.0 };
    }
    s
}

#[test]
fn random_numbers() {
    check::<in_operands, _>(&(1.3,));
    check::<by_reference, _>(&(1.3,));
    check::<in_arguments, _>(&(1.3,));
    check::<as_indices, _>(&(vec![0.3, 1.1, -2.0],));
    check::<shuffled, _>(&(vec![0.3, 1.1, -2.0, 0.4],));
    check::<in_arrays, _>(&(1.3,));
    check::<in_places, _>(&(1.3,));
    check::<in_conditions, _>(&(1.3,));
    check::<with_jumps, _>(&(0.7, 6));
    check::<through_a_closure, _>(&(1.3,));
    check::<as_bounds, _>(&(1.3,));
    check::<in_matches, _>(&(vec![0.3, 1.1, -2.0],));
    check::<metropolis, _>(&(0.4, 9));
    check::<dropout, _>(&(5u64, vec![0.3, 1.1, -2.0]));
}
