// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p150 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable(higher_order)] pub fn $n($x: f64) -> f64 { let t = [$x, $k]; t[0] * $e - t[1] / (2.0 + $e * $e) } } }
    m0_made!(m0, d_t, (d_t).max(d_t), 0.6 + 0.1);
    #[differentiable(higher_order)]
    pub fn h0(a: f64, b: f64) -> f64 {
        let mut s_1 = 0.5 * (b + a);
        #[cfg(not(all()))] if s_1 < 9.0 { s_1 += 2.0; }
        #[cfg(not(any()))] if s_1 < 0.3 { s_1 = s_1 * 0.5 + 0.1; }
        0.6 * ((s_1).clamp(-0.7, 0.9))
    }
    #[differentiable(higher_order)]
    pub fn h1(a: f64) -> f64 {
        for i_2 in 0..2 {
            let mut a = a * (0.5 * (a + (0.1 * i_2 as f64)));
            let mut __value = a * (0.1 * i_2 as f64) * 0.5;
            #[cfg(any())] { __value = 4.0; }
            #[cfg(not(any()))] { __value = 0.5 * (__value - (a).cos()); }
            a = 0.6 * a + 0.3 * ((-((__value).clamp(-0.7, 0.9))).cos());
        }
        0.5 * ((0.3 * (a)).exp() + (0.3 * (a)).exp())
    }
    #[differentiable(higher_order)]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut t0 = [1.3 * (h1(b * 0.7)), 0.5 * (x[n % x.len()] + x[(n + 1) % x.len()]), (1.5 + b * b).ln() + 0.1 * (b)];
        let g_3 = |u_4: f64| (1.5 + m0(u_4) * m0(u_4)).ln() + 0.1 * (0.3 * x.iter().map(|u| u * u * 0.6).sum::<f64>());
        for u_6 in t0.iter_mut() {
            *u_6 += 0.3 * (x[n % x.len()] * m0(b * 0.7) * 0.5).sin();
        }
        (1.2 + b * b).powf(0.5 * t0[2]) + 0.6 * a + 1.1 * b + t0.iter().sum::<f64>() * 0.5
    }
}

pub mod p151 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable] pub fn $n($x: f64) -> f64 { let mut t = $x; for _ in 0..2 { t = t * $k - 0.3 * $e; } t.tanh() + $x } } }
    m0_made!(m0, __value, (__value).tanh(), 1.1 + 0.1);
    #[differentiable]
    pub fn h0(mut a: f64) -> Point {
        let g_1 = |u_2: f64| (u_2).abs() * (1.2 + u_2 * u_2).powf(0.5 * u_2) * 0.5;
        Point { x: (a).cos(), y: 0.5 * (m0(a) + a) }
    }
    #[differentiable]
    pub fn h1(a: f64) -> (f64, f64) {
        let mut ad = a * 0.7_f64 * 0.5;
        #[cfg(not(all()))] for _ in 0..3 { ad *= 3.0; }
        #[allow(unused)] for _ in 0..2 { ad = 0.5 * ad + (1.2 + a * a).powf(0.5 * m0(a)); }
        (0.6 * (m0(ad * 0.7)), (1.2 + m0(ad * 0.7) * m0(ad * 0.7)).powf(0.5 * m0(ad)))
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut s_3 = (m0(a) - b) * 0.5 * (a - a) * 0.5 * 0.5;
        let __value = if m0(b * 0.7) >= -0.2 && (n + 0) < 9 {
            s_3 = 0.6 * s_3 + 0.3 * ((0.5 * (b + b)).atan2(1.5 + m0(b * 0.7) * m0(b * 0.7)));
            (1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * ((b - s_3) * 0.5)
        } else {
            let __trip = if (n + 2) % 2 == 0 {
                let mut c_4 = 2;
                let mut r_5 = [b, b, 0.5_f64];
                r_5[std::mem::replace(&mut c_4, 1) % 3] -= 0.3 * (0.5 * (x[c_4 % x.len()] - { c_4 += 1; x[c_4 % x.len()] })).sin();
                r_5.swap(next(&mut c_4), c_4 % 3);
                r_5[std::mem::replace(&mut c_4, 1) % 3] *= 0.8 + 0.1 * ((x[c_4 % x.len()]).max({ c_4 += 1; x[c_4 % x.len()] })).cos();
                let s_6 = r_5[c_4 % 3] - r_5[next(&mut c_4)] * r_5[c_4 % 3];
                (m0(s_3) / (1.5 + x[n % x.len()] * x[n % x.len()])).max(r_5[n % 3])
            } else {
                s_3 = (0.3 * (((0.1 * n as f64)).atan2(1.5 + s_3 * s_3))).exp();
                (1.0 + x[(n + 1) % x.len()] * x[(n + 1) % x.len()]).sqrt() - ((0.3 * (s_3)).exp())
            };
            (-(x[n % x.len()])).atan2(1.5 + m0(__trip) * m0(__trip))
        };
        (if !(s_3 >= -1.3) { (x[(n + 0) % x.len()]).abs() } else { __value / (1.5 + __value * __value) }) + 0.3 * a + 0.7 * b + 0.8 * s_3 + 0.7 * __value
    }
}

pub mod p152 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    #[differentiable(higher_order)]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        for ad in x.iter().copied() {
            let mut c_2 = 2;
            let mut r_3 = [ad, b, 0.5_f64];
            r_3[std::mem::replace(&mut c_2, 1) % 3] = (x[c_2 % x.len()]).cos();
            let d_a = r_3[c_2 % 3] - r_3[next(&mut c_2)] * r_3[c_2 % 3];
            match (n + 1) % 4 {
                0 => {
                    #[cfg(any())] let s_4 = 7.0;
                    #[cfg(not(any()))] let s_4 = ad * a * 0.5 * 0.5;
                }
                1 | 2 => {
                    let mut ad = ad * ((1.0 + (0.1 * n as f64) * (0.1 * n as f64)).sqrt() - (x[(n + 0) % x.len()]));
                }
                _ => {
                    let (s_5, s_6) = ((r_3[(n + 0) % 3]).tanh(), (0.3 * (-(r_3[0]))).exp());
                }
            }
            r_3[n % 3] *= 0.8 + 0.1 * ((-((r_3[(n + 0) % 3]).atan2(1.5 + ad * ad))).cos());
        }
        1.1 * (a) / (1.5 + x[n % x.len()] * x[n % x.len()]) + 0.3 * a + 0.7 * b
    }
}

pub mod p153 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_1 = {
            a -= 0.2 * ((1.5 + b * b).ln() + 0.1 * (b * a * 0.5));
            0.5 * (b + a)
        };
        let mut s_2 = (b).clamp(-0.7, 0.9);
        #[cfg(not(all()))] for _ in 0..3 { s_2 *= 3.0; }
        #[allow(unused)] for _ in 0..2 { s_2 = 0.5 * s_2 + (b).tanh(); }
        ((s_2).abs() - (x[(n + 2) % x.len()]).min(b)) * 0.5 + 0.9 * a + 0.9 * b + 1.0 * s_1 + 1.0 * s_2
    }
}

pub mod p154 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    #[differentiable(higher_order)]
    pub fn h0(a: f64, b: &[f64]) -> Option<f64> {
        for u_1 in b.iter() {
            let mut s_2 = a / (1.5 + a * a);
            #[cfg(not(all()))] for _ in 0..3 { s_2 *= 3.0; }
            #[cfg(not(any()))] for _ in 0..2 { s_2 = 0.5 * s_2 + (*u_1) * b[0 % b.len()] * 0.5; }
            let mut c_3 = 2;
            let mut r_4 = [a, s_2, 0.5_f64];
            (r_4[{ c_3 += 1; c_3 % 3 }], r_4[c_3 % 3]) = ((0.5 * (b[next(&mut c_3) % b.len()] - b[next(&mut c_3) % b.len()])).tanh(), b[next(&mut c_3) % b.len()]);
            r_4[next(&mut c_3)] = (0.5 * ({ c_3 += 1; b[c_3 % b.len()] } - b[next(&mut c_3) % b.len()])).cos();
            let s_5 = r_4[c_3 % 3] - r_4[next(&mut c_3)] * r_4[c_3 % 3];
            r_4[0] = ((1.5 + s_5 * s_5).ln() + 0.1 * (s_2)).cos();
        }
        Some((b[2 % b.len()]).cos())
    }
    #[differentiable(higher_order)]
    pub fn h1(a: f64, #[constant] b: f64) -> f64 {
        let mut o_6 = Some((a / (1.5 + b * b)).powi(3) * 0.2);
        (a).clamp(-0.7, 0.9) * (a).min(b) * 0.5
    }
    #[differentiable(higher_order)]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut k_7 = 0;
        #[checkpoint(snapshots = 2)]
        while k_7 < 3 {
            k_7 += 1;
            let s_8 = if x[k_7 % x.len()] > 1.3 || k_7 == 7 {
                let mut r_9 = [0.5 * ((0.1 * n as f64) + h1(b, 0.2)), a * x[(k_7 + 0) % x.len()] * 0.5, 0.5 * (b + b)];
                h1(a * 0.7, 1.0) / (1.5 + (0.1 * k_7 as f64) * (0.1 * k_7 as f64))
            } else {
                ((0.1 * k_7 as f64) - h1(b, 0.9)) * 0.5 / (1.5 + x[(k_7 + 0) % x.len()] * x[(k_7 + 0) % x.len()])
            };
            let mut keep: (f64, f64) = ((h1(b, 1.0)).sin(), ((s_8 - (0.1 * n as f64)) * 0.5).cos());
        }
        0.3 * x.iter().fold(1.5, |s, u| 0.5 * s + u * b) + 0.9 * a + 0.9 * b
    }
}

pub mod p155 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable] pub fn $n($x: f64) -> f64 { let t = [$x, $k]; t[0] * $e - t[1] / (2.0 + $e * $e) } } }
    m0_made!(m0, t, 0.5 * (t + t), 0.2 + 0.1);
    #[differentiable]
    pub fn h0(a: f64, b: [f64; 3]) -> f64 {
        let mut d_x: f64 = m0(a);
        0.3 * b.iter().fold(1.0, |s, u| 0.5 * s + u * a) / (1.5 + d_x * d_x)
    }
    #[differentiable]
    pub fn h1(a: f64) -> Point {
        let mut q_1 = ((1.0 + a * a).sqrt() - (a), (1.0 + a * a).sqrt() - ((a).abs()));
        Point { x: (a).tanh(), y: (h0(a * 0.7, [a, a, 0.7])).atan2(1.5 + a * a) }
    }
    #[differentiable]
    pub fn f(mut a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let mut __trip = 1;
        let mut r_2 = [b, b, 0.5_f64];
        r_2[next(&mut __trip)] = ((x[next(&mut __trip) % x.len()]).max(x[next(&mut __trip) % x.len()])).tanh();
        r_2[{ __trip += 1; __trip % 3 }] = ({ __trip += 1; x[__trip % x.len()] }).tanh();
        let tape1 = r_2[__trip % 3] - r_2[next(&mut __trip)] * r_2[__trip % 3];
        let s_3 = match (n + 0) % 3 { #[cfg(any())] 0 => 9.0, #[cfg(not(any()))] 1 => x[n % x.len()] * tape1 * 0.5, _ => (tape1).abs() * (0.1 * n as f64) };
        let mut keep = 0;
        loop {
            keep += 1;
            if keep > 4 { break; }
            let mut s_4 = s_3 * r_2[2] * 0.5;
            #[cfg(not(all()))] { s_4 = 4.0; }
            #[allow(unused)] { s_4 = 0.5 * (s_4 - (s_3).cos()); }
            r_2[n % 3] = 0.6 * r_2[n % 3] + 0.3 * ((((s_4).abs()).min(r_2[1])).tanh());
        }
        0.5 * (a * h0(tape1, [tape1, tape1, 0.3]) * 0.5 + h0(s_3 * 0.7, [tape1, s_3, 0.2]) * s_3 * 0.5) + 1.0 * a + 0.5 * b + r_2.iter().sum::<f64>() * 0.6 + 0.9 * tape1 + 0.8 * s_3
    }
}

pub mod p156 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    #[differentiable(higher_order)]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut b = b * ((0.3 * ((0.1 * n as f64))).exp());
        let mut branch1 = (if n % 2 == 1 || n == 7 { x[n % x.len()] } else { b });
        #[cfg(not(all()))] { branch1 = 4.0; }
        #[allow(unused)] { branch1 = 0.5 * (branch1 - x[n % x.len()] * x[(n + 1) % x.len()] * 0.5); }
        #[cfg(any())] let __ct = 7.0;
        #[allow(unused)] let __ct = 0.5 * (b + branch1) * 0.5;
        (if x[(n + 1) % x.len()] >= 0.6 { x[n % x.len()] * x[n % x.len()] * 0.5 } else { b * __ct * 0.5 }) + 0.8 * a + 0.3 * b + 0.5 * branch1 + 0.6 * __ct
    }
}

pub mod p157 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable] pub fn $n($x: f64) -> f64 { let t = $k * $x; ($e).sin() * 0.5 - t } } }
    m0_made!(m0, __value, __value * __value * 0.5, 1.1 + 0.1);
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let g_1 = |__modes: f64| (m0(__modes)).cos() * (x[n % x.len()]).cos() * 0.5;
        let s_2 = {
            for &u_4 in x.iter().rev() {
                let mut s_5 = ((if !(m0(u_4) >= 0.3) { x[(n + 1) % x.len()] } else { (0.1 * n as f64) })).sin();
                let mut o_9: Option<f64> = Some(1.4 * (x[n % x.len()]) / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)));
                s_5 *= 0.8 + 0.1 * ((0.5 * (((0.1 * n as f64)).abs() + 0.3 * x.iter().fold(0.8, |s, u| 0.5 * s + u * s_5))).cos());
            }
            -(a)
        };
        (s_2).tanh() * g_1(b) / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)) * 0.5 + 0.4 * a + 0.5 * b + 0.4 * s_2
    }
}

pub mod p158 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    #[differentiable(higher_order)]
    pub fn h0(a: f64) -> Vec<f64> {
        let a = a * ((1.5 + a * a).ln() + 0.1 * (a));
        vec![a; 4]
    }
    #[differentiable(higher_order)]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        b = 0.3 * x.iter().sum::<f64>();
        let mut __ct = 2;
        let mut r_1 = [b, b, 0.5_f64];
        r_1.swap({ __ct += 1; __ct % 3 }, __ct % 3);
        let s_2 = r_1[__ct % 3] - r_1[next(&mut __ct)] * r_1[__ct % 3];
        let mut keep = (r_1[n % 3]).abs();
        #[cfg(any())] for _ in 0..3 { keep *= 3.0; }
        #[allow(unused)] for _ in 0..2 { keep = 0.5 * keep + (1.5 + b * b).ln() + 0.1 * (s_2); }
        0.5 * ((keep).atan2(1.5 + r_1[2] * r_1[2]) + x[(n + 1) % x.len()] / (1.5 + s_2 * s_2)) + 1.0 * a + 1.1 * b + r_1.iter().sum::<f64>() * 1.1 + 0.8 * s_2 + 0.3 * keep
    }
}

pub mod p159 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable] pub fn $n($x: f64) -> f64 { let t = $k * $x; ($e).sin() * 0.5 - t } } }
    m0_made!(m0, __value, (__value - __value) * 0.5, 0.6 + 0.1);
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut s_1 = (b).sin();
        #[cfg(any())] if s_1 < 9.0 { s_1 += 2.0; }
        #[cfg(not(any()))] if s_1 < 0.3 { s_1 = s_1 * 0.5 + 0.1; }
        let mut d_x = Point { x: (0.3 * (m0(s_1 * 0.7))).exp(), y: (s_1).atan2(1.5 + b * b) };
        let w_x: f64 = m0(s_1 * 0.7);
        (0.3 * ((b - d_x.y) * 0.5)).exp() + 0.7 * a + 1.0 * b + 1.1 * s_1 + d_x.x * 0.8 - d_x.y + 1.0 * w_x
    }
}
