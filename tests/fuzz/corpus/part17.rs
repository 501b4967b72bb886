// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p170 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable(higher_order)] pub fn $n($x: f64) -> f64 { let t = $k * $x; ($e).sin() * 0.5 - t } } }
    m0_made!(m0, t, 0.7 * (t), 0.6 + 0.1);
    #[differentiable(higher_order)]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut __modes = 1;
        let mut keep = [Point { x: b, y: b }, Point { x: b, y: 0.4 }, Point { x: 0.7, y: b }];
        keep[next(&mut __modes)].x -= 0.3 * (0.5 * (x[__modes % x.len()] - x[next(&mut __modes) % x.len()])).sin();
        let s_1 = keep[next(&mut __modes)].x * keep[__modes % 3].y;
        let mut s_2 = 0.3 * x.iter().fold(1.3, |s, u| 0.5 * s + u * s_1);
        #[cfg(any())] if s_2 < 9.0 { s_2 += 2.0; }
        #[cfg(not(any()))] if s_2 < 0.3 { s_2 = s_2 * 0.5 + 0.1; }
        let s_3 = match n % 3 { #[cfg(not(all()))] 0 => 9.0, #[cfg(not(any()))] 1 => (1.5 + m0(a * 0.7) * m0(a * 0.7)).ln() + 0.1 * (s_2), _ => m0(b * 0.7) * s_2 * 0.5 * (0.1 * n as f64) };
        (0.1 * n as f64) * s_3 * 0.5 + 1.0 * a + 0.5 * b + 1.1 * s_1 + 0.6 * s_2 + 0.9 * s_3
    }
}

pub mod p171 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    #[differentiable]
    pub fn h0(a: f64) -> Point {
        let mut own_u = 0;
        let mut r_1 = [a, a, 0.5_f64];
        r_1[(own_u + next(&mut own_u)) % 3] *= 0.8 + 0.1 * ([0.4_f64, 0.7][own_u % [0.4_f64, 0.7].len()] * [0.4_f64, 0.7][next(&mut own_u) % [0.4_f64, 0.7].len()]).cos();
        let s_2 = r_1[own_u % 3] - r_1[next(&mut own_u)] * r_1[own_u % 3];
        Point { x: (if s_2 > 1.1 { s_2 } else { s_2 }), y: (r_1[2]).cos() }
    }
    #[differentiable]
    pub fn h1(a: f64) -> Option<f64> {
        let tape1: f64 = a * -(a) * 0.5;
        if tape1 > -0.4 { Some((tape1).sin()) } else { None }
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        for u_4 in x.iter().copied() {
            let mut s_5 = (a).cos();
            #[cfg(not(all()))] for _ in 0..3 { s_5 *= 3.0; }
            #[cfg(not(any()))] for _ in 0..2 { s_5 = 0.5 * s_5 + -(x[n % x.len()]); }
            a *= 0.8 + 0.1 * ((u_4 / (1.5 + x[n % x.len()] * x[n % x.len()]) * ((0.1 * n as f64)).atan2(1.5 + x[n % x.len()] * x[n % x.len()]) * 0.5).tanh());
        }
        let mut a = a * (x[n % x.len()] * b * 0.5);
        0.3 * (0..3).map(|i| a.sin() * i as f64).sum::<f64>() / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)) + 0.5 * b + 0.8 * a
    }
}

pub mod p172 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    #[differentiable(higher_order)]
    pub fn h0(a: f64) -> Option<f64> {
        let mut w_x = ((0.3 * (a)).exp(), ((a).sin()).abs());
        if 2 > 0 { Some(a / (1.5 + a * a)) } else { None }
    }
    #[differentiable(higher_order)]
    pub fn h1(a: f64, mut b: f64) -> (f64, f64) {
        let mut c_1 = 1;
        let mut r_2 = [Point { x: b, y: b }, Point { x: b, y: 0.4 }, Point { x: 0.7, y: b }];
        r_2[(c_1 + next(&mut c_1)) % 3] += Point { x: [0.4_f64, 0.7][next(&mut c_1) % [0.4_f64, 0.7].len()], y: ([0.4_f64, 0.7][next(&mut c_1) % [0.4_f64, 0.7].len()] * { c_1 += 1; [0.4_f64, 0.7][c_1 % [0.4_f64, 0.7].len()] }).cos() };
        r_2[{ c_1 += 1; c_1 % 3 }] += Point { x: { c_1 += 1; [0.4_f64, 0.7][c_1 % [0.4_f64, 0.7].len()] }, y: ({ c_1 += 1; [0.4_f64, 0.7][c_1 % [0.4_f64, 0.7].len()] }).tanh() };
        r_2[std::mem::replace(&mut c_1, 0) % 3] = Point { y: (([0.4_f64, 0.7][c_1 % [0.4_f64, 0.7].len()]).max([0.4_f64, 0.7][c_1 % [0.4_f64, 0.7].len()])).sin(), x: [0.4_f64, 0.7][c_1 % [0.4_f64, 0.7].len()] };
        let s_3 = r_2[next(&mut c_1)].x * r_2[c_1 % 3].y;
        ((s_3).tanh(), (0.3 * (s_3 * b * 0.5)).exp())
    }
    #[differentiable(higher_order)]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        #[cfg(any())] let s_4 = 7.0;
        #[allow(unused)] let s_4 = x[n % x.len()] / (1.5 + a * a) * 0.5;
        let mut s_5: f64 = -(x[(n + 1) % x.len()]) * 0.3 * x.iter().filter(|u| **u > 0.5).map(|u| u.cos()).sum::<f64>() * 0.5;
        let mut c_6 = 0;
        let mut branch1 = [s_4, b, 0.5_f64];
        branch1[{ c_6 += 1; c_6 % 3 }] = (x[next(&mut c_6) % x.len()]).cos();
        branch1[{ c_6 += 1; c_6 % 3 }] *= 0.8 + 0.1 * (0.5 * ({ c_6 += 1; x[c_6 % x.len()] } - x[c_6 % x.len()])).cos();
        let s_7 = branch1[c_6 % 3] - branch1[next(&mut c_6)] * branch1[c_6 % 3];
        (0.3 * ((1.0 + s_4 * s_4).sqrt() - (s_5))).exp() + 0.5 * a + 0.5 * b + 0.6 * s_4 + 0.6 * s_5 + branch1.iter().sum::<f64>() * 0.8 + 0.7 * s_7
    }
}

pub mod p173 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable] pub fn $n($x: f64) -> f64 { let mut t = $x; for _ in 0..2 { t = t * $k - 0.3 * $e; } t.tanh() + $x } } }
    m0_made!(m0, __value, (1.2 + __value * __value).powf(0.5 * __value), 1.1 + 0.1);
    #[differentiable]
    pub fn h0(a: f64, b: (f64, f64)) -> Option<f64> {
        let mut __modes = 1;
        let mut r_1 = [a, a, 0.5_f64];
        r_1[next(&mut __modes)] = (([0.4_f64, 0.7][next(&mut __modes) % [0.4_f64, 0.7].len()]).max([0.4_f64, 0.7][__modes % [0.4_f64, 0.7].len()])).sin();
        let s_2 = r_1[__modes % 3] - r_1[next(&mut __modes)] * r_1[__modes % 3];
        Some(0.5 * ((b.0).max(a) + (b.1).sin()))
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        #[checkpoint(every = 1)]
        for d_a in 1..=1 {
            let a = a * ((0.3 * (b)).exp());
            #[cfg(not(all()))] let __ct = 7.0;
            #[cfg(not(any()))] let __ct = a * a * 0.5 * 0.5;
            let mut d_x = Some((1.0 + a * a).sqrt() - (a) / (1.5 + x[n % x.len()] * x[n % x.len()]));
        }
        (b).clamp(-0.7, 0.9) + 0.5 * a + 0.5 * b
    }
}

pub mod p174 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    #[differentiable(higher_order)]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_1: f64 = (if b > 0.5 && n < 9 { (0.1 * n as f64) * b * 0.5 } else { b * b * 0.5 });
        let mut __ct = (1.5 + x[(n + 1) % x.len()] * x[(n + 1) % x.len()]).ln() + 0.1 * (s_1);
        #[cfg(not(all()))] { __ct = 4.0; }
        #[cfg(not(any()))] { __ct = 0.5 * (__ct - (b).cos()); }
        let mut w_x = 0.5 * (x[(n + 1) % x.len()] + __ct) * (0.3 * (s_1)).exp() * 0.5;
        (1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * ((s_1 - w_x) * 0.5) + 0.5 * a + 0.9 * b + 1.1 * s_1 + 0.3 * __ct + 0.9 * w_x
    }
}

pub mod p175 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable] pub fn $n($x: f64) -> f64 { let t = [$x, $k]; t[0] * $e - t[1] / (2.0 + $e * $e) } } }
    m0_made!(m0, d_t, (d_t).powi(3) * 0.2, 0.6 + 0.1);
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let g_1 = |__value: f64| (1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - (a) / (1.5 + __value * __value);
        let mut t0 = (x[n % x.len()]).powi(2) * 0.2;
        #[cfg(not(all()))] { t0 = 4.0; }
        #[cfg(not(any()))] { t0 = 0.5 * (t0 - m0(b * 0.7) * (0.1 * n as f64) * 0.5); }
        let mut r_2 = [-(a); 3];
        (0.3 * (a)).exp() + 0.6 * a + 1.1 * b + 0.9 * t0 + r_2.iter().sum::<f64>() * 1.0
    }
}

pub mod p176 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    #[differentiable(higher_order)]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let __ct = if x[(n + 1) % x.len()] <= 0.6 {
            let s_1 = match (n + 0) % 4 {
                0 => {
                    let mut __value = (0.3 * x.iter().map(|u| u.tanh()).product::<f64>()).clamp(-0.7, 0.9);
                    x[n % x.len()] / (1.5 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()])
                }
                1 | 2 => {
                    let mut __modes = a;
                    #[cfg(not(all()))] if __modes < 9.0 { __modes += 2.0; }
                    #[cfg(not(any()))] if __modes < 0.3 { __modes = __modes * 0.5 + 0.1; }
                    (__modes).powi(2) * 0.2
                }
                _ => {
                    b += 0.3 * ((b / (1.5 + a * a)).abs());
                    (1.0 + (0.1 * n as f64) * (0.1 * n as f64)).sqrt() - ((0.1 * n as f64))
                }
            };
            (if (0.1 * n as f64) > 0.8 { s_1 } else { x[(n + 0) % x.len()] }) / (1.5 + (0.1 * n as f64) * (0.1 * n as f64))
        } else {
            let mut ad = 0;
            let mut r_2 = [Point { x: a, y: a }, Point { x: a, y: 0.4 }, Point { x: 0.7, y: a }];
            r_2[std::mem::replace(&mut ad, 0) % 3] += Point { x: { ad += 1; x[ad % x.len()] }, y: ({ ad += 1; x[ad % x.len()] } * x[ad % x.len()]).sin() };
            r_2[{ ad += 1; ad % 3 }] += Point { x: x[ad % x.len()], y: ((x[ad % x.len()]).max(x[ad % x.len()])).sin() };
            r_2[(ad + next(&mut ad)) % 3] += Point { x: x[next(&mut ad) % x.len()], y: (x[next(&mut ad) % x.len()]).tanh() };
            let s_3 = r_2[next(&mut ad)].x * r_2[ad % 3].y;
            (if n % 2 == 1 { x[(n + 0) % x.len()] } else { b }) * (s_3).powi(3) * 0.2 * 0.5
        };
        ((1.2 + b * b).powf(0.5 * x[n % x.len()])).tanh() + 0.9 * a + 0.6 * b + 1.1 * __ct
    }
}

pub mod p177 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable] pub fn $n($x: f64) -> f64 { let mut t = $x; for _ in 0..2 { t = t * $k - 0.3 * $e; } t.tanh() + $x } } }
    m0_made!(m0, __value, (1.2 + __value * __value).powf(0.5 * __value), 0.2 + 0.1);
    #[differentiable]
    pub fn h0(a: f64, b: &[f64], c: (f64, f64)) -> Point {
        let mut o_4 = if c.1 > -0.3 { Some((a - a) * 0.5) } else { None };
        Point { x: (0.3 * (a)).exp(), y: a / (1.5 + a * a) }
    }
    #[differentiable]
    pub fn h1(a: f64, mut b: f64) -> (f64, f64) {
        'l6: for i_5 in 0..3 {
            b -= 0.2 * ((0.8 * (b) * (b).powi(3) * 0.2 * 0.5).tanh());
            for i_6 in 0..2 {
                if i_5 > 0 { break 'l6; }
                b = (b / (1.5 + m0(b) * m0(b))).cos();
            }
            b = (((0.1 * i_5 as f64) - b) * 0.5 * a * a * 0.5 * 0.5).sin();
        }
        (m0(b), 0.5 * (b * a * 0.5 + b * m0(a) * 0.5))
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        b *= 0.8 + 0.1 * ((0.1 * n as f64) / (1.5 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()]) * (a).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64)) * 0.5);
        let s_7 = if n > 2 {
            let mut branch1 = 2;
            let mut r_8 = [b, b, 0.5_f64];
            r_8[next(&mut branch1)] -= 0.3 * ({ branch1 += 1; x[branch1 % x.len()] }).tanh();
            (r_8[next(&mut branch1)], r_8[branch1 % 3]) = ((0.5 * ({ branch1 += 1; x[branch1 % x.len()] } - x[next(&mut branch1) % x.len()])).cos(), x[next(&mut branch1) % x.len()]);
            r_8[next(&mut branch1)] *= 0.8 + 0.1 * (0.5 * (x[next(&mut branch1) % x.len()] - x[next(&mut branch1) % x.len()])).tanh();
            let s_9 = r_8[branch1 % 3] - r_8[next(&mut branch1)] * r_8[branch1 % 3];
            0.5 * (0.3 * r_8.iter().enumerate().map(|(i, u)| (u * s_9).sin() * i as f64).sum::<f64>() + m0(b) / (1.5 + s_9 * s_9))
        } else {
            (1.2 + b * b).powf(0.5 * x[n % x.len()])
        };
        (-(b)).sin() + 0.6 * a + 1.0 * b + 1.1 * s_7
    }
}

pub mod p178 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable(higher_order)] pub fn $n($x: f64) -> f64 { let t = [$x, $k]; t[0] * $e - t[1] / (2.0 + $e * $e) } } }
    m0_made!(m0, d_t, (d_t - d_t) * 0.5, 1.3 + 0.1);
    #[differentiable(higher_order)]
    pub fn h0(mut a: f64, b: [f64; 3]) -> f64 {
        let mut v_1: Vec<f64> = b.to_vec();
        (1.5 + a * a).ln() + 0.1 * ((a).powi(2) * 0.2)
    }
    #[differentiable(higher_order)]
    pub fn h1(mut a: f64, mut b: f64) -> f64 {
        #[checkpoint(every = 1)]
        for __modes in 0..2 {
            for i_2 in 0..__modes % 4 {
                let mut s_3 = 1.5 * (m0(b));
                #[cfg(not(all()))] { s_3 = 4.0; }
                #[cfg(not(any()))] { s_3 = 0.5 * (s_3 - (if __modes % 2 == 1 || __modes == 7 { m0(b) } else { a })); }
                b = (-((s_3).abs())).sin();
            }
            b = ((b).max(b)).cos();
        }
        h0(b * 0.7, [a, a, 0.4])
    }
    #[differentiable(higher_order)]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut c_4 = 2;
        let mut r_5 = [b, a, 0.5_f64];
        (r_5[{ c_4 += 1; c_4 % 3 }], r_5[c_4 % 3]) = (((x[next(&mut c_4) % x.len()]).max({ c_4 += 1; x[c_4 % x.len()] })).cos(), { c_4 += 1; x[c_4 % x.len()] });
        let s_6 = r_5[c_4 % 3] - r_5[next(&mut c_4)] * r_5[c_4 % 3];
        let mut a = a * (0.5 * (r_5[0] + (0.1 * n as f64)));
        #[checkpoint]
        'l7: for i_7 in 0..3 {
            r_5[0] = (((r_5[(i_7 + 2) % 3]).min(a) - (a).tanh()) * 0.5).sin();
            for tape1 in 0..2 {
                if (tape1 + 2) % 2 == 0 { return h1(a, a * 0.7); }
                a = (0.5 * ((h0(s_6 * 0.7, [a, a, 0.9])).abs() + (s_6).abs())).tanh();
            }
            a = (((r_5[2]).min(h0(a * 0.7, r_5))).clamp(-0.7, 0.9)).sin();
        }
        (0.3 * ((1.2 + m0(a * 0.7) * m0(a * 0.7)).powf(0.5 * a))).exp() + 1.0 * b + r_5.iter().sum::<f64>() * 0.5 + 1.0 * s_6 + 1.0 * a
    }
}

pub mod p179 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable] pub fn $n($x: f64) -> f64 { let t = $k * $x; ($e).sin() * 0.5 - t } } }
    m0_made!(m0, d_t, (1.2 + d_t * d_t).powf(0.5 * d_t), 1.2 + 0.1);
    #[differentiable]
    pub fn h0(a: f64, b: &[f64]) -> Point {
        let (s_1, s_2) = (m0(a * 0.7) / (1.5 + a * a), (if a <= -0.8 || 0 == 7 { b[2 % b.len()] } else { b[1 % b.len()] }) * a / (1.5 + a * a) * 0.5);
        Point { x: s_2 * s_2 * 0.5, y: s_1 * b[0 % b.len()] * 0.5 }
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut v_5: Vec<f64> = vec![b / (1.5 + m0(a) * m0(a)); 4];
        v_5.reverse();
        let mut tape1 = 0.5 * (m0(b * 0.7) + a);
        #[cfg(not(all()))] if tape1 < 9.0 { tape1 += 2.0; }
        #[allow(unused)] if tape1 < 0.3 { tape1 = tape1 * 0.5 + 0.1; }
        (-((0.1 * n as f64))).atan2(1.5 + tape1 * tape1) + 0.5 * a + 0.4 * b + v_5.iter().sum::<f64>() * 0.6 + 0.6 * tape1
    }
}
