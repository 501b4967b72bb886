// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p050 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> (f64, f64) {
        for i_1 in (0..5).step_by(2) {
            let mut v_2: Vec<f64> = vec![(0.1 * i_1 as f64), 1.3 * (a)];
            let k_3 = (i_1 + 2) % v_2.len();
            v_2[k_3] -= 0.2 * (((0.5 * (v_2[k_3 % v_2.len()] + v_2[i_1 % v_2.len()])).powi(2) * 0.2).sin());
        }
        let mut s_4 = (a * a * 0.5).abs();
        for i_5 in 0..1 {
            for i_6 in (0..5).step_by(2) {
                s_4 += 0.3 * (((0.3 * (a)).clamp(-0.7, 0.9)).cos());
                s_4 = 0.6 * s_4 + 0.3 * (((1.5 + (0.1 * i_6 as f64) * (0.1 * i_6 as f64)).ln() + 0.1 * (-(s_4))).cos());
                s_4 *= 0.8 + 0.1 * ((0.7 * ((0.1 * i_5 as f64) * 1.3_f64 * 0.5)).tanh());
            }
            for i_7 in (0..3).rev() {
                if (i_7 + 2) > 1 { continue; }
                s_4 = (0.5 * ((1.0 + a * a).sqrt() - (s_4))).cos();
            }
            s_4 = ((s_4).cos() / (1.5 + a * a)).cos();
        }
        ((a).cos(), (0.5 * (s_4 + s_4)).clamp(-0.7, 0.9))
    }
    #[differentiable]
    pub fn h1(a: f64) -> f64 {
        let mut r_8 = [(a - a) * 0.5, (1.5 + a * a).ln() + 0.1 * (a), -(a)];
        let mut p_9: Point = Point { x: 0.5 * (a + a), y: r_8[0 % 3] / (1.5 + a * a) };
        p_9.x += 0.3 * ((a).abs() * 0.5 * (a) * 0.5);
        match 0 % 4 {
            0 => {
                let a = a * (a / (1.5 + a * a));
            }
            1 | 2 => {
                p_9.y -= 0.2 * (((r_8[0 % 3]).atan2(1.5 + a * a)).sin());
            }
            _ => {
                r_8[0] = 0.6 * r_8[0] + 0.3 * (0.3 * r_8.iter().filter(|u| **u > 0.8).map(|u| u.cos()).sum::<f64>());
            }
        }
        (0.5 * (r_8[2] + p_9.y)).tanh()
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut b = b * ((b).abs());
        b += 0.3 * (-(a) / (1.5 + b * b));
        for i_11 in (0..5).step_by(2) {
            let mut o_12 = Some((h1(b)).clamp(-0.7, 0.9));
            o_12 = Some(((0.4 * (x[(i_11 + 0) % x.len()])).powi(2) * 0.2).cos());
        }
        let s_13 = if b >= -1.0 {
            let mut k_14 = 0;
            while k_14 < 1 {
                k_14 += 1;
                b = ((x[k_14 % x.len()] * x[k_14 % x.len()] * 0.5).tanh()).sin();
                b *= 0.8 + 0.1 * (((a).clamp(-0.7, 0.9) / (1.5 + x[k_14 % x.len()] * x[k_14 % x.len()])).cos());
            }
            0.5 * (b / (1.5 + (0.1 * k_14 as f64) * (0.1 * k_14 as f64)) + a * (0.1 * k_14 as f64) * 0.5)
        } else {
            let mut v_15: Vec<f64> = vec![(x[n % x.len()]).atan2(1.5 + b * b), 0.3 * x.iter().map(|u| u.tanh()).product::<f64>()];
            ((v_15[n % v_15.len()]).atan2(1.5 + x[n % x.len()] * x[n % x.len()]) - (v_15[n % v_15.len()]).powi(2) * 0.2) * 0.5
        };
        let mut o_16 = Some(((1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * (x[(n + 1) % x.len()])).tanh());
        (b - x[n % x.len()]) * 0.5 * s_13 * x[n % x.len()] * 0.5 * 0.5 + 1.0 * a + 1.1 * b + 0.3 * s_13 + o_16.unwrap_or(1.0)
    }
}

pub mod p051 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> f64 {
        let mut q_1: (f64, f64) = ((a - a) * 0.5, ((a).sin()).cos());
        let mut v_2: Vec<f64> = vec![a / (1.5 + a * a), (a).sin()];
        let mut o_3 = Some(0.5 * (a / (1.5 + a * a) + (0.3 * (a)).exp()));
        let s_4 = {
            let mut o_5: Option<f64> = Some((if v_2[0 % v_2.len()] >= 0.8 { 1.0 * (q_1.1) } else { (v_2[2 % v_2.len()]).clamp(-0.7, 0.9) }));
            (if a > -0.3 { v_2[1 % v_2.len()] } else { q_1.1 })
        };
        0.5 * ((s_4).powi(2) * 0.2 + (1.2 + s_4 * s_4).powf(0.5 * v_2[0 % v_2.len()]))
    }
    #[differentiable]
    pub fn h1(a: f64) -> (f64, f64) {
        let (s_6, s_7) = ((a).clamp(-0.7, 0.9), ((a).powi(3) * 0.2).max(a));
        let (mut s_8, mut s_9) = ((1.5 + s_7 * s_7).ln() + 0.1 * (s_7), (1.0 + s_7 * s_7).sqrt() - (s_7 * s_7 * 0.5));
        let mut s_13 = (0.3 * ((0.3 * (s_9)).exp())).exp();
        if 3 > 0 && 1 < 9 {
            match 3 % 4 {
                0 => {
                    let mut s_15 = h0(s_7 * 0.7);
                }
                1 | 2 => {
                    let g_16 = |u_17: f64| (s_7).sin();
                }
                _ => {
                    s_13 *= 0.8 + 0.1 * (s_13 / (1.5 + s_13 * s_13) / (1.5 + s_9 * s_9));
                }
            }
            s_13 += 0.3 * ((if !(s_6 >= 1.4) { s_7 * s_13 * 0.5 } else { s_7 * s_9 * 0.5 }));
        }
        (s_13 / (1.5 + s_7 * s_7), (0.3 * (h0(s_9 * 0.7))).exp() * (s_13).max(s_7) * 0.5)
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let mut s_18 = ((x[(n + 2) % x.len()]).clamp(-0.7, 0.9)).max((0.1 * n as f64));
        let mut o_19: Option<f64> = Some((b * h0(a) * 0.5).powi(3) * 0.2);
        for (i_20, u_21) in x.iter().enumerate() {
            for (i_22, u_23) in x.iter().enumerate() {
                if s_18 > -1.1 { return (x[i_22 % x.len()]).atan2(1.5 + s_18 * s_18) * a / (1.5 + b * b) * 0.5; }
                b += 0.3 * (((1.5 + b * b).ln() + 0.1 * (s_18 / (1.5 + b * b))).tanh());
                o_19 = Some((0.3 * x.iter().zip(x.iter()).map(|(u, w)| u * w).sum::<f64>()).sin());
            }
            let o_24 = Some(((s_18).clamp(-0.7, 0.9)).abs());
            b = (0.3 * (0..3).map(|i| b.sin() * i as f64).sum::<f64>()).sin();
        }
        let q_25 = h1(s_18);
        let s_26 = if n > 0 {
            (1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * ((1.2 + x[n % x.len()] * x[n % x.len()]).powf(0.5 * a))
        } else {
            (1.2 + (0.1 * n as f64) * (0.1 * n as f64)).powf(0.5 * (0.1 * n as f64))
        };
        ((x[n % x.len()]).max(s_26)).atan2(1.5 + q_25.1 * q_25.1) + 0.4 * a + 0.4 * b + 1.1 * s_18 + o_19.unwrap_or(0.7) + q_25.0 * 1.1 - q_25.1 + 1.0 * s_26
    }
}

pub mod p052 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> f64 {
        let mut q_1 = ((a - a) * 0.5, a * (a).clamp(-0.7, 0.9) * 0.5);
        let g_2 = |u_3: f64| u_3 * a * 0.5 * u_3 * 0.5;
        for i_4 in (0..5).step_by(2) {
            let mut s_5: f64 = (1.2 + a * a).powf(0.5 * a);
            s_5 += 0.3 * ((0.5 * ((g_2(a)).clamp(-0.7, 0.9) + (s_5 - s_5) * 0.5)).cos());
        }
        (a).powi(2) * 0.2 / (1.5 + a * a)
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        'l7: for i_6 in 0..3 {
            let mut o_8: Option<f64> = Some(((0.1 * i_6 as f64) / (1.5 + b * b)).cos());
            for i_7 in 0..2 {
                if h0(b * 0.7) < -0.7 { continue; }
                o_8 = Some((1.5 * (x[i_7 % x.len()])).tanh());
            }
            o_8 = Some((-(((0.1 * i_6 as f64)).atan2(1.5 + x[n % x.len()] * x[n % x.len()]))).sin());
        }
        match (n + 1) % 4 {
            0 => {
                'l11: for i_10 in 0..3 {
                    let mut e_12 = Choice::Plane((b).sin(), (a).cos());
                    for i_11 in 0..2 {
                        if b >= 0.8 && (i_10 + 0) < 9 { continue; }
                        let mut q_13 = ((a).clamp(-0.7, 0.9), (1.5 + b * b).ln() + 0.1 * ((x[i_11 % x.len()] - x[i_11 % x.len()]) * 0.5));
                    }
                    let p_14 = Point { x: (1.2 + (0.1 * i_10 as f64) * (0.1 * i_10 as f64)).powf(0.5 * b), y: (b - x[i_10 % x.len()]) * 0.5 };
                }
            }
            1 | 2 => {
                let mut r_15 = [(a).max(b), (0.3 * (h0(b))).exp(), (b).min(a)];
            }
            _ => {
                let mut p_16 = Point { x: (h0(b)).cos(), y: h0(a) * h0(b * 0.7) * 0.5 };
            }
        }
        for u_18 in x.iter().copied() {
            let mut o_19 = if (n + 2) % 2 == 0 && (n + 1) < 9 { Some(h0(b) / (1.5 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()])) } else { None };
            o_19 = Some((((0.3 * ((0.1 * n as f64))).exp()).tanh()).tanh());
            o_19 = Some((((1.2 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()]).powf(0.5 * u_18)).sin()).tanh());
        }
        let s_20 = h0(b * 0.7);
        1.2 * (h0(s_20)) * (s_20).sin() * 0.5 + 0.5 * a + 1.0 * b + 0.3 * s_20
    }
}

pub mod p053 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, mut b: f64, c: f64) -> Option<f64> {
        b = (c).abs() / (1.5 + b * b);
        let g_1 = |u_2: f64| (if 2 > 0 { (c).max(u_2) } else { (0.3 * (u_2)).exp() });
        let mut o_3 = Some(((0.3 * (c)).exp()).clamp(-0.7, 0.9));
        let s_4 = match o_3 { Some(u_5) => c * g_1(u_5) * 0.5, None => (c).cos() };
        Some((1.0 + g_1(s_4) * g_1(s_4)).sqrt() - (g_1(c)) * (1.2 + c * c).powf(0.5 * g_1(s_4)) * 0.5)
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        if n % 2 == 0 || n == 7 { return ((a).min(b)).tanh(); }
        let mut s_7: f64 = 0.3 * (((0.1 * n as f64)).sin());
        'l9: for i_8 in 0..3 {
            s_7 = ((1.2 + s_7 * s_7).powf(0.5 * x[i_8 % x.len()]) * (1.2 + s_7 * s_7).powf(0.5 * s_7) * 0.5).tanh();
            for i_9 in 0..2 {
                if s_7 > 0.6 || i_9 == 7 { break 'l9; }
                s_7 = ((x[i_9 % x.len()] * (0.1 * i_9 as f64) * 0.5 - a / (1.5 + s_7 * s_7)) * 0.5).cos();
            }
            s_7 *= 0.8 + 0.1 * (((1.2 + b * b).powf(0.5 * s_7)).tanh());
        }
        if n % 2 == 1 {
            let g_10 = |u_11: f64| (x[n % x.len()]).cos() / (1.5 + b * b);
            s_7 -= 0.2 * ((1.0 + s_7 * s_7).sqrt() - ((0.1 * n as f64)) * (b).abs() * 0.5);
        } else {
            let mut a = a * (((0.1 * n as f64) - x[(n + 1) % x.len()]) * 0.5);
            a = -((1.5 + b * b).ln() + 0.1 * (x[n % x.len()]));
        }
        let s_7 = s_7 * (0.5 * (x[n % x.len()] + b));
        let s_12 = 0.5 * (s_7 + b) * (if n % 2 == 0 { x[n % x.len()] } else { x[n % x.len()] }) * 0.5;
        let q_13 = ((x[(n + 0) % x.len()]).tanh(), (1.2 + b * b).powf(0.5 * s_7) * (s_7).tanh() * 0.5);
        (1.0 + s_12 * s_12).sqrt() - (0.3 * x.iter().rev().skip(1).copied().map(|u| u * s_7).sum::<f64>()) + 0.8 * a + 0.9 * b + 0.4 * s_7 + 1.1 * s_12 + q_13.0 * 0.5 - q_13.1
    }
}

pub mod p054 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: &[f64]) -> f64 {
        let g_1 = |u_2: f64| -(u_2) * 0.3 * b.iter().filter(|u| **u > 0.3).map(|u| u.cos()).sum::<f64>() * 0.5;
        let (mut s_3, mut s_4) = ((if 3 > 0 || 2 == 7 { a } else { g_1(a) }), (1.2 + a * a).powf(0.5 * b[3 % b.len()]));
        let mut s_5 = s_3 / (1.5 + b[3 % b.len()] * b[3 % b.len()]) / (1.5 + b[1 % b.len()] * b[1 % b.len()]);
        s_4 = (1.2 + b[0 % b.len()] * b[0 % b.len()]).powf(0.5 * g_1(s_5));
        (1.5 + s_4 * s_4).ln() + 0.1 * ((a - s_5) * 0.5)
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        'l7: for i_6 in 0..3 {
            let mut e_8 = Choice::Line { at: (b).sin() };
            for i_7 in 0..2 {
                if i_6 % 2 == 1 { return (1.4 * (a)).atan2(1.5 + a * a); }
                let mut s_9 = 0.5 * ((h0(b * 0.7, x)).powi(3) * 0.2 + (x[i_7 % x.len()]).abs());
            }
            let v_10: Vec<f64> = x.iter().map(|u| u * 0.2).collect::<Vec<f64>>();
        }
        let (mut s_11, mut s_12) = (h0(b, x) * x[n % x.len()] * 0.5, 0.5 * ((if x[n % x.len()] > 1.0 || n == 7 { x[n % x.len()] } else { b }) + 1.1 * (b)));
        for &u_14 in x.iter().rev() {
            let s_15 = {
                let u_14 = u_14 * ((0.3 * (u_14)).exp());
                s_12 * x[n % x.len()] * 0.5
            };
            if !(h0(s_15, x) < -0.8) {
                let mut k_16 = 0;
                while k_16 < 1 {
                    k_16 += 1;
                    s_11 = ((-(x[(k_16 + 1) % x.len()])).max((0.1 * k_16 as f64))).sin();
                    s_12 = ((-(x[(k_16 + 0) % x.len()])).sin()).sin();
                    s_12 = 0.6 * s_12 + 0.3 * ((0.3 * x.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>()).sin());
                }
                s_11 = (0.5 * ((0.1 * n as f64) + s_12) * ((0.1 * k_16 as f64)).cos() * 0.5).sin();
            } else {
                let mut k_17 = 0;
                loop {
                    k_17 += 1;
                    if k_17 > 2 { break; }
                    s_12 = (-(x[k_17 % x.len()] * h0(s_11, x) * 0.5)).sin();
                    s_12 = ((-(b)).max((0.1 * k_17 as f64))).cos();
                }
                s_12 = (((0.1 * n as f64)).abs() * 0.3 * x.iter().rev().skip(1).copied().map(|u| u * u_14).sum::<f64>() * 0.5).tanh();
            }
            s_12 -= 0.2 * ((0.5 * ((s_15).cos() + ((0.1 * n as f64)).cos())).sin());
        }
        -(0.5 * ((0.1 * n as f64) + (0.1 * n as f64))) + 1.1 * a + 0.4 * b + 0.7 * s_11 + 0.4 * s_12
    }
}

pub mod p055 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, #[constant] b: f64) -> [f64; 3] {
        let mut o_1: Option<f64> = if b >= -1.5 { Some((b - a) * 0.5) } else { None };
        'l3: for i_2 in 0..3 {
            o_1 = Some(((0.3 * (b)).exp()).cos());
            for i_3 in 0..2 {
                if b <= -1.1 && (i_3 + 0) < 9 { continue; }
                o_1 = Some(((1.5 + b * b).ln() + 0.1 * ((1.0 + 1.5_f64 * 1.5_f64).sqrt() - (b))).tanh());
            }
            o_1 = Some((0.5 * ((b).sin() + -(b))).sin());
        }
        let s_4 = match 3 % 4 {
            0 => {
                let (s_5, s_6) = ((a).cos(), ((a).max(b)).atan2(1.5 + b * b));
                b
            }
            1 | 2 => {
                o_1 = Some((a / (1.5 + a * a)).clamp(-0.7, 0.9));
                b
            }
            _ => {
                o_1 = Some((1.5 + b * b).ln() + 0.1 * (b));
                (a).sin()
            }
        };
        [s_4 * s_4 * 0.5; 3]
    }
    #[differentiable]
    pub fn h1(a: f64, b: f64) -> f64 {
        let mut s_7 = 0.5 * (0.5 * (b + b) + 0.9 * (b));
        let mut r_8: [f64; 3] = [(a).clamp(-0.7, 0.9), (b).atan2(1.5 + b * b), (s_7 - b) * 0.5];
        let s_9 = if r_8[3 % 3] <= -0.9 {
            0.4 * ((b - b) * 0.5)
        } else {
            (1.0 + a * a).sqrt() - ((if 3 > 1 { r_8[0 % 3] } else { r_8[1 % 3] }))
        };
        let mut k_10 = 0;
        while k_10 < 4 {
            k_10 += 1;
            let s_11 = {
                for i_12 in 0..3 {
                    r_8[i_12 % 3] *= 0.8 + 0.1 * (((1.0 + s_9 * s_9).sqrt() - ((1.5 + r_8[0] * r_8[0]).ln() + 0.1 * ((0.1 * i_12 as f64)))).cos());
                    let p_13 = Point { x: (1.5 + b * b).ln() + 0.1 * (s_7), y: s_9 };
                    s_7 = (0.5 * ((1.5 + b * b).ln() + 0.1 * (s_7) + (b).sin())).tanh();
                }
                (a - b) * 0.5
            };
            let s_14 = if r_8[1] <= 0.6 {
                continue
            } else {
                (1.2 + s_11 * s_11).powf(0.5 * a)
            };
            r_8[1] = (s_9 / (1.5 + s_11 * s_11)).tanh();
        }
        (1.5 + (0.1 * k_10 as f64) * (0.1 * k_10 as f64)).ln() + 0.1 * (0.8 * (s_9))
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut r_15 = h0(a, 0.6);
        r_15[0] *= 0.8 + 0.1 * (((x[n % x.len()]).sin()).sin());
        let s_16 = 0.5 * (b * r_15[0] * 0.5 + 0.5 * (a + (0.1 * n as f64)));
        let s_17 = h1(a, b);
        let p_18 = Point { x: s_17, y: 0.3 * x.iter().sum::<f64>() };
        let mut q_19: (f64, f64) = ((1.2 + b * b).powf(0.5 * s_17), ((0.3 * (r_15[0])).exp()).powi(2) * 0.2);
        match (n + 0) % 4 {
            0 => {
                q_19.0 -= 0.2 * ((0.3 * (s_17 * x[n % x.len()] * 0.5)).exp());
            }
            1 | 2 => {
                q_19.0 *= 0.8 + 0.1 * (0.4 * ((if n > 0 && n < 9 { p_18.x } else { s_16 })));
            }
            _ => {
                r_15[n % 3] = 0.6 * r_15[n % 3] + 0.3 * (-((x[n % x.len()]).tanh()));
            }
        }
        (1.0 + s_16 * s_16).sqrt() - ((b).clamp(-0.7, 0.9)) + 1.1 * a + 1.0 * b + r_15.iter().sum::<f64>() * 0.8 + 0.7 * s_16 + 0.3 * s_17 + p_18.x * 0.5 - p_18.y + q_19.0 * 0.3 - q_19.1
    }
}

pub mod p056 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        a += 0.3 * (0.8 * ((1.2 + b * b).powf(0.5 * b)));
        if (n + 1) % 2 == 0 || (n + 1) == 7 { return ((1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * (a)).powi(3) * 0.2; }
        let mut p_1 = Point { x: x[n % x.len()] * x[(n + 0) % x.len()] * 0.5, y: (0.1 * n as f64) };
        if n > 0 { return (0.3 * (-(b))).exp(); }
        let mut k_2 = 0;
        while k_2 < 3 && (n > 1) {
            k_2 += 1;
            p_1.y += 0.3 * ((((p_1.y).sin() - (0.3 * (a)).exp()) * 0.5).cos());
            p_1.x = 0.6 * p_1.x + 0.3 * ((-((if x[(k_2 + 1) % x.len()] >= 0.7 { b } else { x[(k_2 + 1) % x.len()] }))).sin());
        }
        if (n + 0) > 1 {
            let mut e_6: Choice = Choice::Line { at: b * a * 0.5 };
            let s_7 = match e_6 {
                Choice::Line { at: u_8 } => 0.7 * (0.5 * (b + u_8)),
                Choice::Plane(u_8, w_9) => (1.2 + x[(k_2 + 0) % x.len()] * x[(k_2 + 0) % x.len()]).powf(0.5 * w_9) / (1.5 + p_1.x * p_1.x),
                Choice::Nothing => -((x[k_2 % x.len()] - b) * 0.5),
            };
            a *= 0.8 + 0.1 * ((if (n + 2) % 2 == 1 { x[k_2 % x.len()] * (0.1 * k_2 as f64) * 0.5 } else { (x[k_2 % x.len()]).tanh() }));
        } else {
            let b = b * (b * a * 0.5);
            a -= 0.2 * (((0.3 * (a)).exp()).powi(2) * 0.2);
        }
        0.5 * (b * x[k_2 % x.len()] * 0.5 + (x[n % x.len()]).sin()) + 0.9 * a + 0.7 * b + p_1.x * 0.6 - p_1.y
    }
}

pub mod p057 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64) -> (f64, f64) {
        let p_4: Point = Point { x: (a - a) * 0.5, y: a * a * 0.5 };
        let mut k_5 = 0;
        while k_5 < 4 {
            k_5 += 1;
            let s_6 = {
                let mut r_7: [f64; 3] = [(a).tanh(), a, (0.1 * k_5 as f64) / (1.5 + a * a)];
                -(a)
            };
            a = 0.6 * a + 0.3 * ((((1.0 + (0.1 * k_5 as f64) * (0.1 * k_5 as f64)).sqrt() - (a)).powi(3) * 0.2).tanh());
        }
        ((1.2 + a * a).powf(0.5 * a), 0.5 * (a + -(a)))
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_8 = {
            let s_9 = {
                a += 0.3 * ((x[(n + 1) % x.len()] * b * 0.5 - (b).abs()) * 0.5);
                (1.2 + b * b).powf(0.5 * x[n % x.len()])
            };
            b * b * 0.5
        };
        a = ((s_8).abs()).tanh();
        let s_10 = {
            a *= 0.8 + 0.1 * (((0.1 * n as f64) / (1.5 + b * b)).atan2(1.5 + b * b));
            (x[n % x.len()]).cos()
        };
        a = 0.5 * (x[(n + 2) % x.len()] / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)) + b / (1.5 + s_8 * s_8));
        let mut p_14 = Point { x: s_10 / (1.5 + b * b), y: (0.3 * (x[(n + 2) % x.len()])).exp() };
        p_14.y = 0.6 * p_14.y + 0.3 * ((s_8 * (0.1 * n as f64) * 0.5).atan2(1.5 + s_10 * s_10));
        ((b).atan2(1.5 + s_10 * s_10)).clamp(-0.7, 0.9) + 0.5 * a + 0.3 * b + 0.3 * s_8 + 0.9 * s_10 + p_14.x * 1.1 - p_14.y
    }
}

pub mod p058 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: usize) -> (f64, f64) {
        let g_1 = |u_2: f64| u_2 * (0.1 * b as f64) * 0.5;
        for i_3 in 0..1 {
            let s_4 = {
                let mut s_5: f64 = ((a).atan2(1.5 + a * a) - (a).tanh()) * 0.5;
                a * g_1(s_5) * 0.5
            };
            let mut s_6 = (s_4 - s_4) * 0.5 / (1.5 + a * a);
            s_6 -= 0.2 * ((-((0.1 * i_3 as f64) * s_6 * 0.5)).sin());
        }
        ((a).abs(), ((g_1(a)).cos() - (a).cos()) * 0.5)
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let g_7 = |u_8: f64| ((u_8).abs()).tanh();
        for u_10 in x.iter().copied() {
            for &u_12 in x.iter().rev() {
                let s_13 = {
                    let mut u_10 = u_10 * ((x[n % x.len()]).tanh());
                    (u_10).cos()
                };
                a -= 0.2 * ((((g_7(u_10)).abs()).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64))).cos());
            }
            let mut o_14: Option<f64> = Some((x[n % x.len()] * x[(n + 2) % x.len()] * 0.5).atan2(1.5 + x[n % x.len()] * x[n % x.len()]));
            o_14 = Some((((1.5 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()]).ln() + 0.1 * (u_10) - (u_10 - b) * 0.5) * 0.5).sin());
        }
        let mut s_15 = ((g_7(b)).sin()).powi(3) * 0.2;
        let (s_16, s_17) = h0(b, n);
        let mut s_18 = 1.3 * ((x[(n + 0) % x.len()]).cos());
        0.3 * x.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>() + 0.4 * a + 0.3 * b + 0.3 * s_15 + 0.4 * s_16 + 0.6 * s_17 + 0.8 * s_18
    }
}

pub mod p059 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> [f64; 3] {
        let mut v_1: Vec<f64> = vec![(a).tanh(), (if a <= 0.6 || 3 == 7 { a } else { a })];
        let mut p_2: Point = Point { x: v_1[1 % v_1.len()] / (1.5 + a * a), y: (a).atan2(1.5 + v_1[3 % v_1.len()] * v_1[3 % v_1.len()]) };
        let g_3 = |u_4: f64| (1.0 + u_4 * u_4).sqrt() - ((a - a) * 0.5);
        let mut k_5 = 0;
        while k_5 < 3 && (g_3(a) < 0.3 || 1 == 7) {
            k_5 += 1;
            p_2.y = 0.6 * p_2.y + 0.3 * (((a).tanh() * ((0.1 * k_5 as f64)).abs() * 0.5).sin());
            let k_6 = (k_5 + 0) % v_1.len();
            v_1[k_6] = (0.5 * ((1.0 + a * a).sqrt() - (a) + (1.0 + a * a).sqrt() - (a))).sin();
            p_2.x = ((v_1[k_6 % v_1.len()]).cos() / (1.5 + a * a)).tanh();
        }
        [0.5 * (v_1[k_5 % v_1.len()] + a), ((0.1 * k_5 as f64)).clamp(-0.7, 0.9), (a).tanh()]
    }
    #[differentiable]
    pub fn h1(a: f64, b: &[f64]) -> (f64, f64) {
        let mut k_7 = 0;
        while k_7 < 1 && (a >= -0.3) {
            k_7 += 1;
            let mut e_8 = Choice::Plane((b[k_7 % b.len()]).tanh(), b[(k_7 + 0) % b.len()] * a * 0.5);
            let s_9 = (((0.1 * k_7 as f64)).max(a)).powi(3) * 0.2;
            let mut v_10: Vec<f64> = vec![0.3 * b.iter().map(|u| u * u * 0.5).sum::<f64>(); 4];
        }
        let mut q_14 = (-(b[(k_7 + 2) % b.len()]), -((b[k_7 % b.len()]).powi(2) * 0.2));
        (((0.1 * k_7 as f64)).abs(), ((b[k_7 % b.len()]).tanh()).atan2(1.5 + a * a))
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_15 = a * b * 0.5 / (1.5 + b * b);
        let v_16: Vec<f64> = x.to_vec();
        let e_17 = Choice::Plane((0.3 * ((0.1 * n as f64))).exp(), (if v_16[(n + 1) % v_16.len()] <= 1.2 { s_15 } else { (0.1 * n as f64) }));
        let o_18 = Some((0.3 * ((b).max(b))).exp());
        let s_15 = s_15 * (0.5 * (a + (0.1 * n as f64)));
        let s_19 = match e_17 {
            Choice::Line { at: u_20 } => (1.2 + v_16[(n + 2) % v_16.len()] * v_16[(n + 2) % v_16.len()]).powf(0.5 * s_15) * (v_16[n % v_16.len()] - b) * 0.5 * 0.5,
            Choice::Plane(u_20, w_21) => ((b).sin()).abs(),
            Choice::Nothing => 0.5 * (s_15 / (1.5 + s_15 * s_15) + 0.5 * (s_15 + s_15)),
        };
        let (s_22, s_23) = (x[n % x.len()] * a * 0.5, (-(b)).sin());
        let mut p_24 = Point { x: (0.3 * (s_19)).exp(), y: (s_22 - s_22) * 0.5 };
        p_24.x = 0.6 * p_24.x + 0.3 * ((b).sin());
        (1.5 + v_16[n % v_16.len()] * v_16[n % v_16.len()]).ln() + 0.1 * ((1.2 + v_16[(n + 1) % v_16.len()] * v_16[(n + 1) % v_16.len()]).powf(0.5 * s_22)) + 1.1 * a + 0.8 * b + v_16.iter().sum::<f64>() * 1.0 + o_18.unwrap_or(0.3) + 1.1 * s_15 + 0.6 * s_19 + 0.8 * s_22 + 0.4 * s_23 + p_24.x * 0.6 - p_24.y
    }
}
