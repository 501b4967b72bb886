// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p160 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    #[differentiable(higher_order)]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let mut b = b * ((b - (0.1 * n as f64)) * 0.5);
        b += 0.3 * ((if b <= -0.5 { ((0.1 * n as f64)).sin() } else { (1.2 + b * b).powf(0.5 * (0.1 * n as f64)) }));
        b += 0.3 * (0.5 * (x[n % x.len()] + b) * x[n % x.len()] * (0.1 * n as f64) * 0.5 * 0.5);
        (b * x[(n + 2) % x.len()] * 0.5).cos() + 0.4 * a + 0.4 * b
    }
}

pub mod p161 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    #[differentiable]
    pub fn h0(a: f64, b: usize, c: f64) -> [f64; 3] {
        let mut o_1: Option<f64> = Some(((1.0 + (0.1 * b as f64) * (0.1 * b as f64)).sqrt() - ((0.1 * b as f64))).sin());
        [(1.0 + c * c).sqrt() - ((0.1 * b as f64)); 3]
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut s_2 = 0.4 * (b);
        let mut __value = -(s_2);
        #[cfg(any())] { __value = 4.0; }
        #[allow(unused)] { __value = 0.5 * (__value - -(s_2)); }
        let mut __value = __value * (b);
        (1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * ((1.5 + s_2 * s_2).ln() + 0.1 * (s_2)) + 0.4 * a + 0.8 * b + 0.9 * s_2 + 1.0 * __value
    }
}

pub mod p162 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable(higher_order)] pub fn $n($x: f64) -> f64 { let t = $k * $x; ($e).sin() * 0.5 - t } } }
    m0_made!(m0, u, (u).tanh(), 0.4 + 0.1);
    #[differentiable(higher_order)]
    pub fn h0(mut a: f64, b: f64) -> f64 {
        let mut branch1 = 0.5 * (a + b);
        #[cfg(any())] { branch1 = 4.0; }
        #[cfg(not(any()))] { branch1 = 0.5 * (branch1 - b); }
        ((0.3 * (branch1)).exp()).tanh()
    }
    #[differentiable(higher_order)]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut branch1: [f64; 3] = [0.5 * (h0(b, b * 0.7) + b), a / (1.5 + a * a), (h0(b * 0.7, b * 0.7)).clamp(-0.7, 0.9)];
        let mut b = b * ((1.2 + x[n % x.len()] * x[n % x.len()]).powf(0.5 * b));
        #[checkpoint(snapshots = 2)]
        'l1: for i_1 in 0..3 {
            branch1[i_1 % 3] -= 0.2 * ((((b - x[i_1 % x.len()]) * 0.5).powi(2) * 0.2).tanh());
            for __value in 0..2 {
                if (0.1 * __value as f64) >= 1.0 { continue; }
                b -= 0.2 * ((0.3 * x.iter().map(|u| u.tanh()).product::<f64>()).sin());
            }
            b = ((0.3 * ((b).cos())).exp()).tanh();
        }
        ((b - branch1[(n + 1) % 3]) * 0.5).cos() + 0.9 * a + branch1.iter().sum::<f64>() * 1.1 + 0.3 * b
    }
}

pub mod p163 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    #[differentiable]
    pub fn h0(a: f64) -> f64 {
        let mut c_1 = 1;
        let mut r_2 = [a, a, 0.5_f64];
        r_2[next(&mut c_1)] -= 0.3 * ([0.4_f64, 0.7][c_1 % [0.4_f64, 0.7].len()]).cos();
        r_2[next(&mut c_1)] -= 0.3 * (0.5 * ([0.4_f64, 0.7][c_1 % [0.4_f64, 0.7].len()] - [0.4_f64, 0.7][next(&mut c_1) % [0.4_f64, 0.7].len()])).cos();
        (r_2[std::mem::replace(&mut c_1, 0) % 3], r_2[c_1 % 3]) = ((0.5 * ({ c_1 += 1; [0.4_f64, 0.7][c_1 % [0.4_f64, 0.7].len()] } - [0.4_f64, 0.7][c_1 % [0.4_f64, 0.7].len()])).cos(), [0.4_f64, 0.7][c_1 % [0.4_f64, 0.7].len()]);
        let s_3 = r_2[c_1 % 3] - r_2[next(&mut c_1)] * r_2[c_1 % 3];
        0.3 * (0..3).map(|i| s_3.sin() * i as f64).sum::<f64>()
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut c_4 = 0;
        let mut r_5 = [a, a, 0.5_f64];
        r_5[(c_4 + next(&mut c_4)) % 3] = (x[c_4 % x.len()] * { c_4 += 1; x[c_4 % x.len()] }).sin();
        r_5[(c_4 + next(&mut c_4)) % 3] = ((x[c_4 % x.len()]).max(x[next(&mut c_4) % x.len()])).tanh();
        r_5[{ c_4 += 1; c_4 % 3 }] *= 0.8 + 0.1 * (x[c_4 % x.len()] * x[next(&mut c_4) % x.len()]).cos();
        let s_6 = r_5[c_4 % 3] - r_5[next(&mut c_4)] * r_5[c_4 % 3];
        for (i_7, __trip) in r_5.iter_mut().enumerate() {
            *__trip += 0.3 * ((0.3 * (b)).exp()).sin();
        }
        r_5[1] += 0.3 * (-((r_5[n % 3]).abs()));
        0.3 * r_5.iter().filter(|u| **u > 1.2).map(|u| u.cos()).sum::<f64>() + 0.6 * a + 0.3 * b + r_5.iter().sum::<f64>() * 0.9 + 0.7 * s_6
    }
}

pub mod p164 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable(higher_order)] pub fn $n($x: f64) -> f64 { let mut t = $x; for _ in 0..2 { t = t * $k - 0.3 * $e; } t.tanh() + $x } } }
    m0_made!(m0, u, (1.0 + u * u).sqrt() - (u), 1.0 + 0.1);
    #[differentiable(higher_order)]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        for (i_1, u_2) in x.iter().skip(1).enumerate() {
            'l4: for i_3 in 0..3 {
                let mut s_5 = m0(b * 0.7);
                for i_4 in 0..2 {
                    if m0(b) >= 0.2 { continue 'l4; }
                    s_5 -= 0.2 * ((((0.3 * (x[i_4 % x.len()])).exp()).sin()).cos());
                }
                s_5 *= 0.8 + 0.1 * (((if !(x[i_3 % x.len()] >= 1.4) { (x[(i_1 + 0) % x.len()]).abs() } else { 0.5 * (x[i_1 % x.len()] + b) })).tanh());
            }
            let mut s_6 = m0(b * 0.7);
        }
        let mut s_7 = (1.0 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()]).sqrt() - ((x[n % x.len()]).clamp(-0.7, 0.9));
        (s_7 * s_7 * 0.5 - x[n % x.len()] * (0.1 * n as f64) * 0.5) * 0.5 + 0.8 * a + 0.6 * b + 0.3 * s_7
    }
}

pub mod p165 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable] pub fn $n($x: f64) -> f64 { let mut t = $x; for _ in 0..2 { t = t * $k - 0.3 * $e; } t.tanh() + $x } } }
    m0_made!(m0, u, (u).max(u), 0.5 + 0.1);
    #[differentiable]
    pub fn h0(mut a: f64) -> f64 {
        a += 0.3 * ((if 0 > 1 { a } else { a }) / (1.5 + a * a));
        ((a - a) * 0.5 - (1.0 + m0(a) * m0(a)).sqrt() - (a)) * 0.5
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let b = b * (h0(b * 0.7));
        let d_a = if n > 2 && n < 9 {
            0.5 * ((a - b) * 0.5 + b * m0(b) * 0.5)
        } else {
            let mut t0 = 0.5 * (x[n % x.len()] + x[n % x.len()]);
            #[cfg(not(all()))] { t0 = 4.0; }
            #[cfg(not(any()))] { t0 = 0.5 * (t0 - (0.3 * (a)).exp()); }
            ((x[n % x.len()]).atan2(1.5 + t0 * t0)).powi(3) * 0.2
        };
        ((x[n % x.len()]).clamp(-0.7, 0.9) - (x[n % x.len()]).atan2(1.5 + x[n % x.len()] * x[n % x.len()])) * 0.5 + 0.3 * a + 0.7 * b + 0.3 * d_a
    }
}

pub mod p166 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable(higher_order)] pub fn $n($x: f64) -> f64 { let t = [$x, $k]; t[0] * $e - t[1] / (2.0 + $e * $e) } } }
    m0_made!(m0, __value, 0.2_f64, 1.4 + 0.1);
    #[differentiable(higher_order)]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut v_1: Vec<f64> = x.iter().map(|u| u * 1.1).collect::<Vec<f64>>();
        let mut k_2 = 0;
        while k_2 < 3 && ((n + 0) > 1) {
            k_2 += 1;
            let mut s_5: f64 = (v_1[k_2 % v_1.len()] * b * 0.5).powi(2) * 0.2;
            s_5 += 0.3 * (((b / (1.5 + s_5 * s_5)).abs()).cos());
        }
        ((1.2 + (0.1 * n as f64) * (0.1 * n as f64)).powf(0.5 * b)).clamp(-0.7, 0.9) + 0.6 * a + 0.7 * b + v_1.iter().sum::<f64>() * 0.9
    }
}

pub mod p167 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    macro_rules! m0_made { ($n:ident, $x:ident, $e:expr, $k:expr) => { #[differentiable] pub fn $n($x: f64) -> f64 { let t = $k * $x; ($e).sin() * 0.5 - t } } }
    m0_made!(m0, u, (u).atan2(1.5 + u * u), 1.4 + 0.1);
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut k_1 = 0;
        #[checkpoint(snapshots = 2)]
        while k_1 < 3 && ((0.1 * n as f64) <= 1.0) {
            k_1 += 1;
            let s_2 = match k_1 % 3 { #[cfg(not(all()))] 0 => 9.0, #[cfg(not(any()))] 1 => (if k_1 % 2 == 1 { b } else { x[(k_1 + 0) % x.len()] }), _ => -(x[k_1 % x.len()]) * (0.1 * n as f64) };
            let mut keep = Point { x: -((0.1 * n as f64)), y: x[(n + 2) % x.len()] };
        }
        for u_4 in x.iter().copied() {
            let mut u_4 = u_4 * ((m0(u_4)).clamp(-0.7, 0.9));
            u_4 -= 0.2 * ((0.5 * ((m0(b)).clamp(-0.7, 0.9) + b * u_4 * 0.5)).sin());
        }
        (0.3 * (x[k_1 % x.len()])).exp() * 1.2 * (b) * 0.5 + 0.3 * a + 0.3 * b
    }
}

pub mod p168 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    #[differentiable(higher_order)]
    pub fn h0(a: f64) -> Point {
        let s_1 = {
            let o_2 = Some(((a).tanh()).min(a));
            a
        };
        Point { x: s_1, y: (s_1).clamp(-0.7, 0.9) }
    }
    #[differentiable(higher_order)]
    pub fn h1(mut a: f64, #[constant] b: f64, c: Point) -> f64 {
        #[checkpoint(every = 1)]
        'l4: for i_3 in 0..3 {
            a = (((0.1 * i_3 as f64) / (1.5 + b * b)).sin()).tanh();
            for i_4 in 0..2 {
                if (i_3 + 2) > 0 && i_3 < 9 { break 'l4; }
                a = 0.6 * a + 0.3 * ((((0.3 * ((0.1 * i_4 as f64))).exp()).cos()).tanh());
            }
            a = ((1.5 + (0.1 * i_3 as f64) * (0.1 * i_3 as f64)).ln() + 0.1 * (-(b))).sin();
        }
        (b * b * 0.5).atan2(1.5 + b * b)
    }
    #[differentiable(higher_order)]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let mut s_5 = a * x[(n + 0) % x.len()] * 0.5;
        #[cfg(any())] if s_5 < 9.0 { s_5 += 2.0; }
        #[allow(unused)] if s_5 < 0.3 { s_5 = s_5 * 0.5 + 0.1; }
        let mut s_6 = (1.0 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()]).sqrt() - (s_5);
        #[cfg(any())] for _ in 0..3 { s_6 *= 3.0; }
        #[cfg(not(any()))] for _ in 0..2 { s_6 = 0.5 * s_6 + (if !(b < 0.4) { h1(s_5 * 0.7, 0.9, Point { x: b, y: s_5 }) } else { x[(n + 1) % x.len()] }); }
        let mut __ct: Option<f64> = Some((1.5 + h1(s_6, 1.2, Point { x: s_5, y: s_5 }) * h1(s_6, 1.2, Point { x: s_5, y: s_5 })).ln() + 0.1 * ((0.1 * n as f64)) * (1.0 + s_5 * s_5).sqrt() - (h1(s_5, 1.5, Point { x: s_6, y: s_6 })) * 0.5);
        (if n % 2 == 1 { -(s_5) } else { (1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - (s_6) }) + 0.5 * a + 1.0 * b + 1.0 * s_5 + 1.1 * s_6 + __ct.unwrap_or(1.1)
    }
}

pub mod p169 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    fn next(k: &mut usize) -> usize { *k = (*k + 1) % 3; *k }
    #[differentiable]
    pub fn h0(a: f64, b: usize) -> Point {
        let mut own_u = 2;
        let mut r_1 = [a, a, 0.5_f64];
        r_1[(own_u + next(&mut own_u)) % 3] += 0.3 * (0.5 * ([0.4_f64, 0.7][next(&mut own_u) % [0.4_f64, 0.7].len()] - [0.4_f64, 0.7][own_u % [0.4_f64, 0.7].len()])).tanh();
        let s_2 = r_1[own_u % 3] - r_1[next(&mut own_u)] * r_1[own_u % 3];
        Point { x: (if r_1[2] > 0.5 { a } else { (0.1 * b as f64) }), y: (s_2).abs() }
    }
    #[differentiable]
    pub fn h1(a: f64, b: f64, c: Option<f64>) -> Vec<f64> {
        let mut c_3 = 0;
        let mut t0 = [Point { x: a, y: b }, Point { x: b, y: 0.4 }, Point { x: 0.7, y: a }];
        t0[{ c_3 += 1; c_3 % 3 }].x -= 0.3 * (0.5 * ({ c_3 += 1; [0.4_f64, 0.7][c_3 % [0.4_f64, 0.7].len()] } - [0.4_f64, 0.7][c_3 % [0.4_f64, 0.7].len()])).cos();
        t0[std::mem::replace(&mut c_3, 1) % 3] += Point { x: [0.4_f64, 0.7][c_3 % [0.4_f64, 0.7].len()], y: ([0.4_f64, 0.7][c_3 % [0.4_f64, 0.7].len()] * [0.4_f64, 0.7][next(&mut c_3) % [0.4_f64, 0.7].len()]).tanh() };
        let s_4 = t0[next(&mut c_3)].x * t0[c_3 % 3].y;
        vec![(s_4).powi(3) * 0.2, (s_4).atan2(1.5 + s_4 * s_4)]
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut s_5 = (1.2 + x[n % x.len()] * x[n % x.len()]).powf(0.5 * x[n % x.len()]);
        #[cfg(not(all()))] { s_5 = 4.0; }
        #[allow(unused)] { s_5 = 0.5 * (s_5 - (b - (0.1 * n as f64)) * 0.5); }
        if n > 1 || (n + 2) == 7 { return (1.2 + s_5 * s_5).powf(0.5 * a) / (1.5 + s_5 * s_5); }
        a = 0.6 * a + 0.3 * ((0.3 * ((1.2 + x[(n + 1) % x.len()] * x[(n + 1) % x.len()]).powf(0.5 * x[(n + 1) % x.len()]))).exp());
        (1.2 + x[n % x.len()] * x[n % x.len()]).powf(0.5 * x[n % x.len()]) + 1.1 * a + 0.9 * b + 1.0 * s_5
    }
}
