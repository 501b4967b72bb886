// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p030 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> Point {
        if a > -1.1 && 2 < 9 { return Point { x: (a).sin(), y: a * a * 0.5 }; }
        let mut a = a * (-(a));
        a = 0.6 * a + 0.3 * (a / (1.5 + a * a) * a * 0.5);
        a = a / (1.5 + a * a) * (a).cos() * 0.5;
        Point { x: (a).atan2(1.5 + a * a), y: (a).sin() }
    }
    #[differentiable]
    pub fn h1(mut a: f64, b: &[f64]) -> Point {
        a += 0.3 * (((1.2 + b[2 % b.len()] * b[2 % b.len()]).powf(0.5 * a)).sin());
        for i_1 in (0..3).rev() {
            let g_2 = |u_3: f64| 0.7 * ((u_3).cos());
            a *= 0.8 + 0.1 * (((0.3 * ((a - a) * 0.5)).exp()).sin());
        }
        let (s_4, s_5) = ((0.3 * (a)).exp(), 0.3 * b.iter().enumerate().map(|(i, u)| (u * a).sin() * i as f64).sum::<f64>());
        Point { x: (if 2 % 2 == 1 || 2 == 7 { s_5 } else { b[2 % b.len()] }), y: 0.5 * (s_4 + b[1 % b.len()]) }
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        b -= 0.2 * ((b).abs() * ((0.1 * n as f64)).clamp(-0.7, 0.9) * 0.5);
        b = (if b < 1.2 && n < 9 { 0.8 * (b) } else { (1.5 + b * b).ln() + 0.1 * (a) });
        let b = b * ((b).atan2(1.5 + b * b));
        let p_6: Point = Point { x: (b).cos(), y: ((0.1 * n as f64)).cos() };
        let b = b * ((b).cos());
        for i_7 in 0..n % 4 {
            let s_8: f64 = ((x[n % x.len()]).min(b)).min(a);
            let mut s_9: f64 = 0.3 * x.iter().map(|u| u.tanh()).product::<f64>();
            s_9 = (((p_6.x).atan2(1.5 + x[n % x.len()] * x[n % x.len()])).abs()).tanh();
        }
        let mut s_10 = (1.5 + b * b).ln() + 0.1 * (((0.1 * n as f64)).min((0.1 * n as f64)));
        0.5 * ((0.1 * n as f64) / (1.5 + s_10 * s_10) + s_10 * (0.1 * n as f64) * 0.5) + 0.6 * a + p_6.x * 1.1 - p_6.y + 1.1 * b + 0.9 * s_10
    }
}

pub mod p031 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut e_1 = Choice::Nothing;
        let (mut s_2, mut s_3) = (b / (1.5 + b * b), (b * x[n % x.len()] * 0.5).atan2(1.5 + x[n % x.len()] * x[n % x.len()]));
        let b = b * ((x[(n + 1) % x.len()]).sin());
        s_3 = (b).min(s_3);
        let (s_4, s_5) = ((x[n % x.len()]).min(x[n % x.len()]), (0.5 * (b + s_3)).max(s_2));
        let g_6 = |u_7: f64| ((u_7).cos()).tanh();
        let s_3 = s_3 * ((x[(n + 0) % x.len()]).clamp(-0.7, 0.9));
        let mut b = b * (0.5 * (s_5 + x[n % x.len()]));
        let (s_8, s_9) = ((s_3).sin(), (x[n % x.len()] - x[(n + 2) % x.len()]) * 0.5 * -(b) * 0.5);
        0.3 * x.iter().fold(0.9, |s, u| 0.5 * s + u * s_3) + 1.1 * a + 0.9 * s_2 + 0.5 * s_4 + 0.4 * s_5 + 0.6 * s_3 + 1.1 * b + 0.6 * s_8 + 0.6 * s_9
    }
}

pub mod p032 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Point, c: &[f64]) -> [f64; 3] {
        let e_1 = Choice::Line { at: 0.6 * (a) };
        for i_2 in 0..1 {
            let mut a = a * (b.x * c[i_2 % c.len()] * 0.5);
            a = (b.y * c[i_2 % c.len()] * a * 0.5 * 0.5).cos();
        }
        let mut s_3: f64 = ((1.2 + a * a).powf(0.5 * a) - c[0 % c.len()]) * 0.5;
        [0.3 * c.iter().sum::<f64>(), (1.0 + a * a).sqrt() - (b.x), 1.0 * (c[2 % c.len()])]
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut s_4 = (1.2 + b * b).powf(0.5 * b);
        'l6: for i_5 in 0..3 {
            s_4 *= 0.8 + 0.1 * ((((1.0 + x[(i_5 + 0) % x.len()] * x[(i_5 + 0) % x.len()]).sqrt() - (x[i_5 % x.len()])).sin()).sin());
            for i_6 in 0..2 {
                if i_6 % 2 == 0 || (i_5 + 0) == 7 { break 'l6; }
                s_4 -= 0.2 * ((0.5 * (((0.1 * i_6 as f64) - s_4) * 0.5 + (0.3 * (a)).exp())).tanh());
            }
            s_4 = ((0.1 * i_5 as f64) / (1.5 + x[i_5 % x.len()] * x[i_5 % x.len()]) * 0.3 * x.iter().enumerate().map(|(i, u)| (u * a).sin() * i as f64).sum::<f64>() * 0.5).cos();
        }
        let s_7 = if s_4 > 1.0 {
            (0.3 * ((b).powi(3) * 0.2)).exp()
        } else {
            let r_8 = h0(s_4 * 0.7, Point { x: b, y: s_4 }, x);
            ((1.5 + r_8[n % 3] * r_8[n % 3]).ln() + 0.1 * (a)).abs()
        };
        if (n + 0) % 2 == 1 { return ((0.1 * n as f64) * x[n % x.len()] * 0.5).tanh(); }
        let mut s_7 = s_7 * (s_4 * s_4 * 0.5);
        s_7 = 0.6 * s_7 + 0.3 * ((if (n + 1) % 2 == 0 { 0.5 * (b + x[(n + 1) % x.len()]) } else { (0.3 * (x[n % x.len()])).exp() }));
        let s_12 = ((0.1 * n as f64)).clamp(-0.7, 0.9) / (1.5 + (0.1 * n as f64) * (0.1 * n as f64));
        let v_13: Vec<f64> = x.iter().map(|u| u * 0.3).collect::<Vec<f64>>();
        0.2 * (v_13[n % v_13.len()] / (1.5 + s_12 * s_12)) + 1.0 * a + 0.6 * b + 0.8 * s_4 + 0.4 * s_7 + 1.1 * s_12 + v_13.iter().sum::<f64>() * 0.6
    }
}

pub mod p033 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> Vec<f64> {
        'l2: for i_1 in 0..3 {
            let mut o_3: Option<f64> = Some((a).atan2(1.5 + (0.1 * i_1 as f64) * (0.1 * i_1 as f64)) / (1.5 + (0.1 * i_1 as f64) * (0.1 * i_1 as f64)));
            for i_2 in 0..2 {
                if a >= -0.9 { break 'l2; }
                o_3 = Some(((a - a) * 0.5 / (1.5 + a * a)).sin());
            }
            o_3 = Some((-((a).min((0.1 * i_1 as f64)))).cos());
        }
        let a = a * ((1.5 + a * a).ln() + 0.1 * (a));
        let q_4: (f64, f64) = ((0.7_f64).powi(3) * 0.2, ((1.0 + a * a).sqrt() - (a)).max(a));
        let mut p_5: Point = Point { x: a, y: (if a > -0.9 && 2 < 9 { a } else { a }) };
        vec![a / (1.5 + p_5.y * p_5.y), a]
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut k_6 = 0;
        while k_6 < 4 {
            k_6 += 1;
            for (i_7, u_8) in x.iter().skip(1).enumerate() {
                let s_9 = {
                    let mut r_10 = [0.5 * (x[i_7 % x.len()] + (*u_8)), ((0.1 * i_7 as f64)).abs(), 0.3 * x.iter().rev().skip(1).copied().map(|u| u * b).sum::<f64>()];
                    (a).abs()
                };
                let mut r_11 = [(a).tanh(), (x[k_6 % x.len()]).tanh(), ((*u_8)).powi(2) * 0.2];
                r_11[i_7 % 3] *= 0.8 + 0.1 * ((r_11[2] * (0.1 * i_7 as f64) * 0.5).cos());
            }
            let mut s_12 = -(b * x[k_6 % x.len()] * 0.5);
            s_12 *= 0.8 + 0.1 * ((((x[k_6 % x.len()]).atan2(1.5 + s_12 * s_12)).powi(2) * 0.2).sin());
        }
        let s_13: f64 = 0.5 * ((a).min(x[k_6 % x.len()]) + 0.5 * (b + (0.1 * n as f64)));
        for (i_14, u_15) in x.iter().enumerate() {
            let s_19 = x[i_14 % x.len()] / (1.5 + x[i_14 % x.len()] * x[i_14 % x.len()]);
            let mut p_20: Point = Point { x: (*u_15) / (1.5 + b * b), y: (1.5 + (*u_15) * (*u_15)).ln() + 0.1 * ((*u_15)) };
        }
        0.3 * x.iter().filter(|u| **u > 0.8).map(|u| u.cos()).sum::<f64>() / (1.5 + x[(k_6 + 2) % x.len()] * x[(k_6 + 2) % x.len()]) + 1.0 * a + 0.9 * b + 1.0 * s_13
    }
}

pub mod p034 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        if (n + 2) % 2 == 1 { return (a).tanh(); }
        let mut r_1 = [(1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * (b); 3];
        let s_2 = match n % 4 {
            0 => {
                let b = b * ((b).min((0.1 * n as f64)));
                r_1[n % 3] * x[n % x.len()] * 0.5
            }
            1 | 2 => {
                let mut s_3 = (0.3 * r_1.iter().fold(1.5, |s, u| 0.5 * s + u * b)).max((0.1 * n as f64));
                r_1[0] * b * 0.5
            }
            _ => {
                let s_4 = match (n + 1) % 4 {
                    0 => {
                        let mut s_5 = (1.2 + b * b).powf(0.5 * r_1[n % 3]);
                        a * (0.1 * n as f64) * 0.5
                    }
                    1 | 2 => {
                        r_1[n % 3] -= 0.2 * ((x[n % x.len()]).clamp(-0.7, 0.9) * (b - x[(n + 2) % x.len()]) * 0.5 * 0.5);
                        (x[(n + 1) % x.len()]).atan2(1.5 + b * b)
                    }
                    _ => {
                        r_1[n % 3] = (if b > -0.6 { (b).min(x[(n + 1) % x.len()]) } else { (if n > 1 && n < 9 { a } else { a }) });
                        (r_1[(n + 0) % 3] - r_1[1]) * 0.5
                    }
                };
                (1.5 + s_4 * s_4).ln() + 0.1 * ((0.1 * n as f64))
            }
        };
        (1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * ((b).cos()) + 0.5 * a + 0.3 * b + r_1.iter().sum::<f64>() * 1.1 + 0.4 * s_2
    }
}

pub mod p035 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Point) -> f64 {
        for i_1 in 0..3 {
            for i_2 in 0..1 {
                for i_3 in 0..2 {
                    let mut p_4 = Point { x: -(a), y: (a).tanh() };
                    if !((i_3 + 0) % 2 == 0) { return (a).tanh(); }
                    p_4.x = (a / (1.5 + a * a)).tanh();
                }
                let (mut s_5, mut s_6) = ((b.y - a) * 0.5, (if (0.1 * i_1 as f64) <= 1.5 || i_2 == 7 { (a).powi(3) * 0.2 } else { (a).sin() }));
                std::mem::swap(&mut s_5, &mut s_6);
                s_5 *= 0.8 + 0.1 * (((1.5 + s_5 * s_5).ln() + 0.1 * ((if i_2 % 2 == 1 && i_1 < 9 { b.x } else { a }))).cos());
            }
            let mut s_7: f64 = (1.5 + a * a).ln() + 0.1 * (a) * -((0.1 * i_1 as f64)) * 0.5;
        }
        ((a - a) * 0.5 - (b.x).clamp(-0.7, 0.9)) * 0.5
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let o_8 = Some(0.5 * (b + (0.1 * n as f64)) * (x[(n + 1) % x.len()]).sin() * 0.5);
        let mut o_9 = Some((0.3 * ((x[n % x.len()]).clamp(-0.7, 0.9))).exp());
        if b <= 1.2 { return b * (h0(b * 0.7, Point { x: b, y: a })).abs() * 0.5; }
        for (i_10, u_11) in x.iter().skip(1).enumerate() {
            let (mut s_12, mut s_13) = ((1.2 + x[(i_10 + 0) % x.len()] * x[(i_10 + 0) % x.len()]).powf(0.5 * x[i_10 % x.len()]), (1.5 + x[i_10 % x.len()] * x[i_10 % x.len()]).ln() + 0.1 * ((x[i_10 % x.len()]).atan2(1.5 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()])));
            s_13 *= 0.8 + 0.1 * (((1.2 + s_12 * s_12).powf(0.5 * s_13)).tanh());
        }
        let g_14 = |u_15: f64| -((u_15).sin());
        'l17: for i_16 in 0..3 {
            o_9 = Some(((b).atan2(1.5 + x[n % x.len()] * x[n % x.len()]) * (0.1 * n as f64) / (1.5 + b * b) * 0.5).cos());
            for i_17 in 0..2 {
                if i_16 > 0 { break 'l17; }
                o_9 = Some((((1.2 + (0.1 * i_16 as f64) * (0.1 * i_16 as f64)).powf(0.5 * a) - (g_14(b)).atan2(1.5 + h0(a * 0.7, Point { x: b, y: a }) * h0(a * 0.7, Point { x: b, y: a }))) * 0.5).tanh());
            }
            o_9 = Some(((1.0 + x[i_16 % x.len()] * x[i_16 % x.len()]).sqrt() - (((0.1 * i_16 as f64)).tanh())).tanh());
        }
        let s_18 = {
            let s_19 = {
                o_9 = Some((h0(a * 0.7, Point { x: a, y: b })).abs() / (1.5 + g_14(b) * g_14(b)));
                (1.2 + g_14(b) * g_14(b)).powf(0.5 * x[(n + 0) % x.len()])
            };
            ((0.1 * n as f64)).powi(2) * 0.2
        };
        (0.5 * (b + b)).clamp(-0.7, 0.9) + 0.5 * a + 1.0 * b + o_8.unwrap_or(1.0) + o_9.unwrap_or(0.4) + 0.8 * s_18
    }
}

pub mod p036 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut o_1: Option<f64> = Some(((x[(n + 2) % x.len()]).powi(2) * 0.2).cos());
        let (s_2, s_3) = (b / (1.5 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()]), (1.0 + b * b).sqrt() - ((0.1 * n as f64) * a * 0.5));
        let mut v_4: Vec<f64> = x.iter().enumerate().map(|(i, u)| u.sin() * s_3 + 0.1 * i as f64).collect();
        for (i_5, u_6) in v_4.iter_mut().enumerate() {
            *u_6 = 0.5 * *u_6 + 0.2 * (((0.1 * n as f64)).atan2(1.5 + (0.1 * i_5 as f64) * (0.1 * i_5 as f64)));
        }
        let k_7 = n % v_4.len();
        v_4[k_7] = 0.6 * v_4[k_7] + 0.3 * (0.5 * (v_4[k_7 % v_4.len()] * x[(n + 1) % x.len()] * 0.5 + (0.3 * (x[n % x.len()])).exp()));
        v_4.push((s_2 - s_3) * 0.5);
        let k_8 = (k_7 + 0) % v_4.len();
        v_4[k_8] = 0.6 * v_4[k_8] + 0.3 * ((0.5 * (v_4[k_8 % v_4.len()] + s_3)).sin());
        'l10: for i_9 in 0..3 {
            let k_11 = (i_9 + 0) % v_4.len();
            v_4[k_11] -= 0.2 * ((((v_4[i_9 % v_4.len()] - s_2) * 0.5 - s_3 * v_4[k_11 % v_4.len()] * 0.5) * 0.5).sin());
            for i_10 in 0..2 {
                if b <= 1.3 { break 'l10; }
                let k_12 = i_10 % v_4.len();
                v_4[k_12] = 0.6 * v_4[k_12] + 0.3 * (((if k_8 % 2 == 0 { (s_3).atan2(1.5 + v_4[(k_12 + 2) % v_4.len()] * v_4[(k_12 + 2) % v_4.len()]) } else { ((0.1 * i_10 as f64)).cos() })).sin());
            }
            o_1 = Some(((1.2 + b * b).powf(0.5 * s_3)).sin());
        }
        let b = b * (s_3 / (1.5 + v_4[(k_8 + 2) % v_4.len()] * v_4[(k_8 + 2) % v_4.len()]));
        (0.3 * (b)).exp() / (1.5 + v_4[k_7 % v_4.len()] * v_4[k_7 % v_4.len()]) + 0.5 * a + o_1.unwrap_or(1.1) + 0.3 * s_2 + 0.3 * s_3 + v_4.iter().sum::<f64>() * 0.6 + 0.4 * b
    }
}

pub mod p037 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: &[f64]) -> Point {
        let mut p_1 = Point { x: a / (1.5 + a * a), y: (a).tanh() };
        let mut a = a * (a * a * 0.5);
        let mut s_2 = 0.6 * (0.5 * (a + p_1.y));
        s_2 = (0.3 * ((s_2).cos())).exp();
        Point { x: s_2 * b[1 % b.len()] * 0.5, y: (1.2 + s_2 * s_2).powf(0.5 * s_2) }
    }
    #[differentiable]
    pub fn f(mut a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let p_3 = h0(b * 0.7, x);
        let mut q_4: (f64, f64) = (0.3 * x.iter().sum::<f64>(), ((1.0 + b * b).sqrt() - ((0.1 * n as f64))).sin());
        let s_5 = {
            q_4.1 += 0.3 * ((1.2 + q_4.0 * q_4.0).powf(0.5 * x[n % x.len()]) * (q_4.0).max(p_3.y) * 0.5);
            (x[n % x.len()]).cos()
        };
        q_4.0 *= 0.8 + 0.1 * ((p_3.x).tanh() * 0.5 * (x[n % x.len()] + s_5) * 0.5);
        let v_9: Vec<f64> = x.to_vec();
        let mut p_10 = Point { x: (q_4.1).sin(), y: v_9[n % v_9.len()] / (1.5 + s_5 * s_5) };
        if n > 1 {
            let s_11 = if !(n > 1) {
                ((0.1 * n as f64)).abs()
            } else {
                if p_10.x > 1.3 { return (if (n + 1) % 2 == 1 && (n + 0) < 9 { (1.0 + (0.1 * n as f64) * (0.1 * n as f64)).sqrt() - (s_5) } else { (s_5).powi(2) * 0.2 }); }
                0.3 * v_9.iter().rev().skip(1).copied().map(|u| u * s_5).sum::<f64>()
            };
            let mut v_12: Vec<f64> = v_9.to_vec();
            let k_13 = n % v_12.len();
            v_12[k_13] += 0.3 * ((1.2 + v_12[(k_13 + 0) % v_12.len()] * v_12[(k_13 + 0) % v_12.len()]).powf(0.5 * v_9[k_13 % v_9.len()]));
        }
        0.5 * ((s_5).powi(3) * 0.2 + 0.5 * (s_5 + b)) + 0.5 * a + 0.7 * b + p_3.x * 0.3 - p_3.y + q_4.0 * 0.6 - q_4.1 + 0.7 * s_5 + v_9.iter().sum::<f64>() * 0.7 + p_10.x * 0.6 - p_10.y
    }
}

pub mod p038 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> Option<f64> {
        let g_1 = |u_2: f64| (0.4 * (u_2)).abs();
        let mut o_3 = Some(1.4 * ((1.5 + a * a).ln() + 0.1 * (a)));
        if 1 % 2 == 1 { return if a > 1.1 || 1 == 7 { Some(a / (1.5 + a * a)) } else { None }; }
        let s_4 = ((a).clamp(-0.7, 0.9)).abs();
        if 1 > 0 { Some((g_1(a) - g_1(s_4)) * 0.5) } else { None }
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        match (n + 2) % 4 {
            0 => {
                let mut r_6 = [b * x[n % x.len()] * 0.5, (b - b) * 0.5, (0.3 * (a)).exp()];
            }
            1 | 2 => {
                b = ((b).sin()).sin();
            }
            _ => {
                b *= 0.8 + 0.1 * (-(b * b * 0.5));
            }
        }
        let a = a * ((x[n % x.len()]).max((0.1 * n as f64)));
        let (s_7, s_8) = (((0.1 * n as f64) - x[n % x.len()]) * 0.5, b / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)) / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)));
        for (i_9, u_10) in x.iter().enumerate() {
            let mut o_11: Option<f64> = Some((if (i_9 + 1) > 0 || i_9 == 7 { b } else { (*u_10) }) / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)));
            o_11 = Some((((1.0 + (0.1 * i_9 as f64) * (0.1 * i_9 as f64)).sqrt() - (s_7)).abs()).sin());
        }
        let s_12 = if s_7 > 1.3 {
            let q_13: (f64, f64) = (0.3 * x.iter().enumerate().map(|(i, u)| (u * s_8).sin() * i as f64).sum::<f64>(), (0.5_f64 / (1.5 + x[n % x.len()] * x[n % x.len()]) - (if a < 0.7 { (0.1 * n as f64) } else { (0.1 * n as f64) })) * 0.5);
            (if n % 2 == 0 { s_8 } else { x[n % x.len()] }) / (1.5 + x[n % x.len()] * x[n % x.len()])
        } else {
            ((s_8).tanh()).cos()
        };
        ((1.5 + s_12 * s_12).ln() + 0.1 * (x[n % x.len()])).clamp(-0.7, 0.9) + 1.1 * b + 0.7 * a + 0.3 * s_7 + 0.7 * s_8 + 0.8 * s_12
    }
}

pub mod p039 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut r_1 = [(a).abs(); 3];
        let mut p_2 = Point { x: (b).clamp(-0.7, 0.9), y: (b - a) * 0.5 };
        for i_3 in 0..3 {
            p_2.y = ((b).atan2(1.5 + (0.1 * i_3 as f64) * (0.1 * i_3 as f64))).cos();
            let (mut s_4, mut s_5) = (0.5 * (b + b), (1.0 + r_1[2] * r_1[2]).sqrt() - (a) * (x[(n + 0) % x.len()] - (0.1 * i_3 as f64)) * 0.5 * 0.5);
            p_2.x = ((0.1 * i_3 as f64) / (1.5 + r_1[(i_3 + 0) % 3] * r_1[(i_3 + 0) % 3])).cos();
        }
        match n % 4 {
            0 => {
                let mut p_7: Point = Point { x: (0.1 * n as f64) * b * 0.5, y: (a).powi(2) * 0.2 };
            }
            1 | 2 => {
                let mut e_8: Choice = Choice::Plane((1.5 + b * b).ln() + 0.1 * (x[n % x.len()]), b);
            }
            _ => {
                let mut s_9: f64 = (if n > 2 { (0.3 * (r_1[2])).exp() } else { (a - (0.1 * n as f64)) * 0.5 });
            }
        }
        ((b).sin()).atan2(1.5 + b * b) + 0.8 * a + 0.6 * b + r_1.iter().sum::<f64>() * 0.4 + p_2.x * 0.4 - p_2.y
    }
}
