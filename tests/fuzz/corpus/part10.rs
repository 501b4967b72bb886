// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p100 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> Option<f64> {
        let mut p_1 = Point { x: 0.5 * (a + a), y: (a).powi(2) * 0.2 };
        let mut k_2 = 0;
        loop {
            k_2 += 1;
            if k_2 > 2 { break; }
            for i_3 in (0..5).step_by(2) {
                let s_4 = if (i_3 + 0) > 1 {
                    continue
                } else {
                    (a).abs() * a * a * 0.5 * 0.5
                };
                let mut s_8: f64 = 1.4 * ((s_4).sin());
                s_8 += 0.3 * (((s_8 / (1.5 + s_8 * s_8) - 0.5 * (p_1.x + (0.1 * k_2 as f64))) * 0.5).sin());
            }
            p_1.x = (((a).max(a)).powi(2) * 0.2).tanh();
        }
        Some((1.2 + a * a).powf(0.5 * (0.1 * k_2 as f64)))
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut p_9 = Point { x: (1.5 + a * a).ln() + 0.1 * (a), y: 0.5 * (a + a) };
        if (n + 1) > 1 || (n + 2) == 7 { return ((b).abs()).sin(); }
        let mut e_13: Choice = Choice::Nothing;
        for u_15 in x.iter() {
            p_9.x *= 0.8 + 0.1 * ((0.3 * x.iter().map(|u| u * u * 1.1).sum::<f64>() * -(p_9.y) * 0.5).sin());
            p_9.x -= 0.2 * (((if (n + 1) > 2 { (b).tanh() } else { x[(n + 1) % x.len()] * b * 0.5 })).cos());
        }
        let s_16 = a * b * 0.5 * b / (1.5 + x[(n + 1) % x.len()] * x[(n + 1) % x.len()]) * 0.5;
        let mut s_17 = ((1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * (s_16)).abs();
        for u_19 in x.iter().copied() {
            let mut o_20: Option<f64> = if x[(n + 1) % x.len()] < 1.3 { Some((1.0 + b * b).sqrt() - (x[n % x.len()])) } else { None };
            o_20 = Some(((if (0.1 * n as f64) <= -0.3 { (s_16).max(x[(n + 1) % x.len()]) } else { 0.5 * ((0.1 * n as f64) + s_16) })).tanh());
        }
        0.8 * (-(x[(n + 0) % x.len()])) + 1.1 * a + 1.1 * b + p_9.x * 1.0 - p_9.y + 0.8 * s_16 + 0.3 * s_17
    }
}

pub mod p101 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let p_1: Point = Point { x: (1.2 + x[n % x.len()] * x[n % x.len()]).powf(0.5 * x[n % x.len()]), y: 0.5 * (a + b) };
        let mut q_2 = ((1.5 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()]).ln() + 0.1 * (x[(n + 2) % x.len()]), (1.2 + (0.1 * n as f64) * (0.1 * n as f64)).powf(0.5 * x[n % x.len()]));
        for (i_3, u_4) in x.iter().skip(1).enumerate() {
            q_2.1 = (((x[(i_3 + 2) % x.len()] - b) * 0.5).clamp(-0.7, 0.9)).sin();
            q_2.0 = ((b).tanh() * 0.5 * (q_2.0 + p_1.x) * 0.5).cos();
            a = 0.6 * a + 0.3 * ((0.3 * x.iter().map(|u| u * u * 1.3).sum::<f64>()).sin());
        }
        for u_6 in x.iter() {
            for u_8 in x.iter().copied() {
                let mut k_9 = 0;
                loop {
                    k_9 += 1;
                    if k_9 > 4 { break; }
                    q_2.1 *= 0.8 + 0.1 * (((0.9 * (q_2.0)).tanh()).sin());
                    q_2.0 = ((b * a * 0.5).sin()).sin();
                }
                q_2.0 = 0.6 * q_2.0 + 0.3 * ((((p_1.x).sin()).powi(2) * 0.2).sin());
            }
            a = 0.6 * a + 0.3 * ((((b).tanh()).cos()).cos());
        }
        (0.5 * (b + a) - 0.3 * x.iter().rev().skip(1).copied().map(|u| u * b).sum::<f64>()) * 0.5 + 1.0 * a + 1.1 * b + p_1.x * 0.7 - p_1.y + q_2.0 * 0.8 - q_2.1
    }
}

pub mod p102 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: [f64; 3], c: (f64, f64)) -> Option<f64> {
        let (mut s_1, mut s_2) = ((a).tanh(), (-(a)).tanh());
        std::mem::swap(&mut s_1, &mut s_2);
        'l4: for i_3 in 0..3 {
            s_1 *= 0.8 + 0.1 * (((-(b[2])).cos()).cos());
            for i_4 in 0..2 {
                if !(b[i_4 % 3] >= -0.9) { continue; }
                s_2 = (((1.5 + b[1] * b[1]).ln() + 0.1 * (s_2)).abs()).cos();
            }
            s_2 = (-((if (i_3 + 1) > 0 { b[2] } else { b[2] }))).cos();
        }
        for u_6 in b.iter().copied() {
            let s_7 = {
                let mut k_8 = 0;
                while k_8 < 1 && (b[3 % 3] > 1.5) {
                    k_8 += 1;
                    let mut u_6 = u_6 * (b[2] / (1.5 + c.0 * c.0));
                    u_6 *= 0.8 + 0.1 * ((b[k_8 % 3] / (1.5 + s_2 * s_2)).cos());
                    s_2 -= 0.2 * ((a * u_6 * 0.5).cos());
                }
                (1.0 + u_6 * u_6).sqrt() - (u_6)
            };
            s_2 -= 0.2 * ((0.3 * ((b[0]).sin())).sin());
        }
        Some((0.5 * (s_1 + s_2) - (1.0 + b[1] * b[1]).sqrt() - (c.0)) * 0.5)
    }
    #[differentiable]
    pub fn h1(a: f64, b: Option<f64>) -> [f64; 3] {
        'l10: for i_9 in 0..3 {
            let mut r_11 = [-((0.1 * i_9 as f64)), (a - a) * 0.5, a * a * 0.5];
            for i_10 in 0..2 {
                if i_10 % 2 == 0 || i_9 == 7 { continue; }
                r_11[1] = ((1.0 + a * a).sqrt() - (0.5 * (r_11[(i_10 + 1) % 3] + a))).sin();
            }
            r_11[i_9 % 3] = (((r_11[1]).abs()).atan2(1.5 + a * a)).cos();
        }
        let mut p_12: Point = Point { x: a, y: (1.5 + a * a).ln() + 0.1 * (a) };
        let mut k_13 = 0;
        while k_13 < 3 {
            k_13 += 1;
            let s_14 = match k_13 % 4 {
                0 => {
                    if k_13 % 2 == 1 { return [(0.3 * ((0.1 * k_13 as f64))).exp(), a * a * 0.5, (0.3 * (a)).exp()]; }
                    a / (1.5 + (0.1 * k_13 as f64) * (0.1 * k_13 as f64))
                }
                1 | 2 => {
                    let p_15 = Point { x: 0.5 * (a + a), y: (a - p_12.x) * 0.5 };
                    ((0.1 * k_13 as f64) - (0.1 * k_13 as f64)) * 0.5
                }
                _ => {
                    let mut p_16 = Point { x: p_12.x * a * 0.5, y: (a).tanh() };
                    (p_16.y - (0.1 * k_13 as f64)) * 0.5
                }
            };
            let s_17 = ((s_14).min(s_14) - (1.2 + s_14 * s_14).powf(0.5 * s_14)) * 0.5;
            p_12.x -= 0.2 * ((s_17 * (s_17).abs() * 0.5).sin());
        }
        [(1.5 + (0.1 * k_13 as f64) * (0.1 * k_13 as f64)).ln() + 0.1 * (a); 3]
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        b -= 0.2 * (((0.3 * (b)).exp()).clamp(-0.7, 0.9));
        b += 0.3 * (((x[(n + 1) % x.len()]).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64))).powi(2) * 0.2);
        let mut s_18: f64 = 1.1 * ((x[(n + 0) % x.len()]).clamp(-0.7, 0.9));
        let p_22 = Point { x: -(s_18), y: x[(n + 0) % x.len()] };
        b = 0.6 * b + 0.3 * (((0.1 * n as f64)).sin());
        let s_23 = match n % 4 {
            0 => {
                s_18 *= 0.8 + 0.1 * ((if (0.1 * n as f64) >= 1.5 { b * p_22.y * 0.5 } else { (if s_18 < -0.7 { (0.1 * n as f64) } else { b }) }));
                (x[(n + 1) % x.len()]).cos()
            }
            1 | 2 => {
                let s_18 = s_18 * ((p_22.y).cos());
                (p_22.x).cos()
            }
            _ => {
                s_18 = (0.3 * (x[(n + 2) % x.len()] * b * 0.5)).exp();
                (0.1 * n as f64) * x[n % x.len()] * 0.5
            }
        };
        (1.1 * ((0.1 * n as f64)) - 1.1 * (s_23)) * 0.5 + 0.6 * a + 0.5 * b + 0.7 * s_18 + p_22.x * 0.6 - p_22.y + 0.8 * s_23
    }
}

pub mod p103 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(mut a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let (mut s_1, mut s_2) = (b * b * 0.5, (0.1 * n as f64) * a * 0.5 * (b).tanh() * 0.5);
        let mut s_3 = (1.2 + b * b).powf(0.5 * s_2);
        let mut s_4 = (s_2).max((0.1 * n as f64)) * (s_3).abs() * 0.5;
        let g_5 = |u_6: f64| 0.5 * (0.5 * (u_6 + u_6) + (1.2 + u_6 * u_6).powf(0.5 * u_6));
        s_4 = -(x[(n + 1) % x.len()]) / (1.5 + (0.1 * n as f64) * (0.1 * n as f64));
        match n % 4 {
            0 => {
                s_1 += 0.3 * ((s_4 * x[n % x.len()] * 0.5).atan2(1.5 + x[n % x.len()] * x[n % x.len()]));
            }
            1 | 2 => {
                let mut e_11 = Choice::Plane((s_3).powi(3) * 0.2, -(g_5(s_4)));
            }
            _ => {
                s_4 += 0.3 * (0.3 * x.iter().zip(x.iter()).map(|(u, w)| u * w).sum::<f64>());
            }
        }
        0.9 * ((s_4 - g_5(s_4)) * 0.5) + 0.6 * a + 0.4 * b + 0.6 * s_1 + 0.3 * s_2 + 0.6 * s_3 + 0.4 * s_4
    }
}

pub mod p104 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64) -> Option<f64> {
        a = (1.2 + a * a).powf(0.5 * a);
        a = ((0.6_f64).powi(3) * 0.2).clamp(-0.7, 0.9);
        if 0 > 2 {
            let (s_1, s_2) = ((a).clamp(-0.7, 0.9), -((0.3 * (a)).exp()));
            a += 0.3 * (0.5 * ((s_2).powi(2) * 0.2 + (s_2).max(s_1)));
            a += 0.3 * ((1.5 + s_2 * s_2).ln() + 0.1 * (-(s_1)));
        } else {
            let mut r_3 = [(a).min(a); 3];
            r_3[0] -= 0.2 * (((1.2 + r_3[0 % 3] * r_3[0 % 3]).powf(0.5 * a) - (a).cos()) * 0.5);
        }
        Some((0.8_f64 - (a).tanh()) * 0.5)
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_4 = if n > 0 {
            'l6: for i_5 in 0..3 {
                let r_7 = [(1.5 + b * b).ln() + 0.1 * (x[i_5 % x.len()]), -(b), 0.3 * x.iter().zip(x.iter()).map(|(u, w)| u * w).sum::<f64>()];
                for i_6 in 0..2 {
                    if !((i_6 + 0) > 0) { continue 'l6; }
                    let mut s_8 = 0.8 * (b / (1.5 + b * b));
                }
                let mut s_9 = ((1.0 + b * b).sqrt() - (r_7[1]) - (a).sin()) * 0.5;
            }
            (1.0 + b * b).sqrt() - (b * a * 0.5)
        } else {
            (1.2 + b * b).powf(0.5 * b)
        };
        let mut p_10: Point = Point { x: (s_4).cos(), y: 0.5 * (b + (0.1 * n as f64)) };
        let s_11 = if (0.1 * n as f64) >= 0.8 {
            (0.3 * x.iter().zip(x.iter()).map(|(u, w)| u * w).sum::<f64>()).max((0.1 * n as f64))
        } else {
            let mut b = b * ((b).powi(3) * 0.2);
            0.5 * (0.7 * (b) + (x[(n + 2) % x.len()] - p_10.x) * 0.5)
        };
        p_10.x = s_11 * x[(n + 2) % x.len()] * 0.5 / (1.5 + s_11 * s_11);
        let s_12 = if n > 0 && (n + 2) < 9 {
            0.3 * x.iter().zip(x.iter()).map(|(u, w)| u * w).sum::<f64>()
        } else {
            let mut q_13 = (s_4 * (0.1 * n as f64) * 0.5, (s_4 / (1.5 + p_10.x * p_10.x)).atan2(1.5 + b * b));
            ((if n % 2 == 0 { s_11 } else { b })).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64))
        };
        let s_14 = if x[(n + 2) % x.len()] < 1.0 && n < 9 {
            let mut q_15: (f64, f64) = (1.4 * (s_12), (1.5 + s_12 * s_12).ln() + 0.1 * ((0.1 * n as f64) * s_12 * 0.5));
            (0.5 * (x[n % x.len()] + s_11) - p_10.x / (1.5 + q_15.0 * q_15.0)) * 0.5
        } else {
            let e_16 = Choice::Plane((x[n % x.len()]).abs(), (s_11).powi(3) * 0.2);
            ((x[n % x.len()]).atan2(1.5 + b * b)).min(x[(n + 1) % x.len()])
        };
        (s_14 / (1.5 + p_10.x * p_10.x)).abs() + 1.0 * a + 0.6 * b + 0.5 * s_4 + p_10.x * 0.8 - p_10.y + 1.0 * s_11 + 1.0 * s_12 + 0.7 * s_14
    }
}

pub mod p105 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> Vec<f64> {
        let mut a = a * (0.5 * (a + a));
        a = ((a).atan2(1.5 + a * a)).cos();
        let mut o_1 = if 0 > 1 { Some(a * 1.4_f64 * 0.5) } else { None };
        o_1 = Some((1.2 + a * a).powf(0.5 * a));
        vec![(a - a) * 0.5, 0.5 * (a + a)]
    }
    #[differentiable]
    pub fn h1(mut a: f64, b: f64, c: &[f64]) -> Option<f64> {
        'l3: for i_2 in 0..3 {
            a -= 0.2 * (((1.5 + (0.1 * i_2 as f64) * (0.1 * i_2 as f64)).ln() + 0.1 * (a) / (1.5 + b * b)).tanh());
            for i_3 in 0..2 {
                if b <= -1.5 { continue 'l3; }
                a += 0.3 * ((0.5 * (b + c[i_3 % c.len()]) / (1.5 + c[i_3 % c.len()] * c[i_3 % c.len()])).cos());
            }
            a = 0.6 * a + 0.3 * (((1.5 + b * b).ln() + 0.1 * ((0.1 * i_2 as f64))).tanh());
        }
        let b = b * (c[0 % c.len()] * c[2 % c.len()] * 0.5);
        let g_4 = |u_5: f64| (0.6 * (u_5) - (u_5 - c[1 % c.len()]) * 0.5) * 0.5;
        let s_6 = {
            let mut v_7: Vec<f64> = h0(a * 0.7);
            b / (1.5 + b * b)
        };
        Some(0.3 * c.iter().sum::<f64>() * s_6 * c[2 % c.len()] * 0.5 * 0.5)
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        'l9: for i_8 in 0..3 {
            b = (0.5 * (b + a / (1.5 + x[(i_8 + 0) % x.len()] * x[(i_8 + 0) % x.len()]))).tanh();
            for i_9 in 0..2 {
                if b < -1.5 { return (x[i_9 % x.len()] / (1.5 + b * b)).atan2(1.5 + x[(i_9 + 0) % x.len()] * x[(i_9 + 0) % x.len()]); }
                b += 0.3 * ((((b).atan2(1.5 + a * a)).tanh()).cos());
            }
            b += 0.3 * ((0.3 * x.iter().sum::<f64>()).tanh());
        }
        let mut q_10 = ((if b < -0.9 || n == 7 { b } else { b }), b * b * 0.5);
        let p_11: Point = Point { x: (1.2 + b * b).powf(0.5 * b), y: (b - (0.1 * n as f64)) * 0.5 };
        for u_13 in x.iter() {
            match n % 4 {
                0 => {
                    q_10.0 = ((if n > 0 && (n + 2) < 9 { 0.5 * (b + b) } else { (x[n % x.len()]).powi(2) * 0.2 })).tanh();
                }
                1 | 2 => {
                    let b = b * (((*u_13)).powi(2) * 0.2);
                }
                _ => {
                    let mut v_15: Vec<f64> = h0(a);
                }
            }
            let s_16 = if x[n % x.len()] > 0.5 {
                let mut b = b * (0.5 * (b + x[n % x.len()]));
                continue
            } else {
                0.5 * (((0.1 * n as f64) - b) * 0.5 + (q_10.1).tanh())
            };
            q_10.1 = ((1.0 + a * a).sqrt() - ((p_11.x).tanh())).tanh();
        }
        ((if q_10.0 <= -0.9 { b } else { p_11.x })).sin() + 0.3 * a + 0.5 * b + q_10.0 * 0.6 - q_10.1 + p_11.x * 1.1 - p_11.y
    }
}

pub mod p106 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> (f64, f64) {
        for i_1 in (0..5).step_by(2) {
            let mut r_2: [f64; 3] = [a, (a).tanh(), (if i_1 % 2 == 1 { (0.1 * i_1 as f64) } else { a })];
            r_2[1] += 0.3 * (((1.2 + a * a).powf(0.5 * a)).tanh());
            r_2[(i_1 + 1) % 3] -= 0.2 * ((0.3 * r_2.iter().map(|u| u * u * 0.6).sum::<f64>()).sin());
        }
        if a > -1.0 { return ((if 1 % 2 == 1 { a } else { a }), (1.5 + a * a).ln() + 0.1 * ((1.2 + a * a).powf(0.5 * a))); }
        (a, a * a * 0.5 / (1.5 + a * a))
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut o_3 = Some(0.5 * ((0.3 * (a)).exp() + x[(n + 2) % x.len()] * (0.1 * n as f64) * 0.5));
        let mut k_4 = 0;
        while k_4 < 4 {
            k_4 += 1;
            o_3 = Some((((b).sin()).abs()).tanh());
            o_3 = Some((((b).clamp(-0.7, 0.9)).tanh()).sin());
            o_3 = Some((0.5 * ((b).abs() + x[(k_4 + 2) % x.len()] / (1.5 + x[k_4 % x.len()] * x[k_4 % x.len()]))).cos());
        }
        let mut k_5 = 0;
        while k_5 < 2 {
            k_5 += 1;
            let s_6 = match o_3 { Some(u_7) => a * b * 0.5, None => ((0.1 * k_5 as f64)).cos() };
            let mut r_9 = [(x[(k_5 + 1) % x.len()]).min(b); 3];
            r_9[(k_5 + 1) % 3] += 0.3 * ((-((if (k_4 + 2) % 2 == 0 { s_6 } else { r_9[1] }))).sin());
        }
        for u_11 in x.iter().copied() {
            let mut e_12 = Choice::Nothing;
            let mut q_13 = ((a - (0.1 * k_5 as f64)) * 0.5, (0.3 * (0.7 * (a))).exp());
            q_13.0 = ((((0.1 * k_4 as f64)).cos()).abs()).tanh();
        }
        (0.5 * (b + b)).min(x[k_5 % x.len()]) + 0.5 * a + 0.8 * b + o_3.unwrap_or(0.4)
    }
}

pub mod p107 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> [f64; 3] {
        let (s_1, s_2) = (a * a * 0.5, 0.8 * ((1.2 + a * a).powf(0.5 * a)));
        let mut q_3: (f64, f64) = ((1.5 + s_2 * s_2).ln() + 0.1 * (s_2), (0.5 * (s_2 + s_2)).min(s_2));
        let mut k_4 = 0;
        while k_4 < 1 {
            k_4 += 1;
            let mut k_5 = 0;
            while k_5 < 4 && (s_1 < 1.3) {
                k_5 += 1;
                let mut s_6: f64 = (q_3.1).abs() / (1.5 + (0.1 * k_4 as f64) * (0.1 * k_4 as f64));
                for i_7 in 0..k_4 % 4 {
                    s_6 *= 0.8 + 0.1 * ((0.5 * (s_6 * s_1 * 0.5 + (q_3.1).clamp(-0.7, 0.9))).cos());
                    s_6 -= 0.2 * ((-(((0.1 * i_7 as f64)).tanh())).tanh());
                }
                q_3.1 = ((if k_4 > 1 { (q_3.0).sin() } else { s_6 })).cos();
            }
            let s_8 = {
                match k_5 % 4 {
                    0 => {
                        if (k_5 + 0) % 2 == 1 { break; }
                    }
                    1 | 2 => {
                        let mut r_10 = [(0.3 * (s_1)).exp(); 3];
                    }
                    _ => {
                        q_3.0 = (((0.1 * k_4 as f64) * s_1 * 0.5).cos()).sin();
                    }
                }
                (s_2).sin()
            };
            q_3.1 -= 0.2 * ((0.5 * ((s_8).abs() + a)).sin());
        }
        [(1.5 + s_2 * s_2).ln() + 0.1 * (s_2); 3]
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let (mut s_11, mut s_12) = (((0.1 * n as f64)).abs(), (0.3 * x.iter().map(|u| u.tanh()).product::<f64>()).powi(3) * 0.2);
        std::mem::swap(&mut s_11, &mut s_12);
        let mut p_13: Point = Point { x: (s_12).min(x[n % x.len()]), y: 0.5 * (x[n % x.len()] + s_12) };
        s_12 *= 0.8 + 0.1 * (a / (1.5 + s_11 * s_11) / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)));
        let mut p_14: Point = Point { x: (s_11).atan2(1.5 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()]), y: (x[n % x.len()]).max(s_12) };
        match n % 4 {
            0 => {
                let mut p_16: Point = Point { x: s_12 / (1.5 + x[n % x.len()] * x[n % x.len()]), y: (0.1 * n as f64) * s_11 * 0.5 };
            }
            1 | 2 => {
                for u_18 in x.iter() {
                    p_14.x *= 0.8 + 0.1 * ((((1.0 + (*u_18) * (*u_18)).sqrt() - ((*u_18))).powi(3) * 0.2).sin());
                    s_12 *= 0.8 + 0.1 * ((((s_12).min(a)).abs()).cos());
                    p_14.x = ((-(s_11)).tanh()).tanh();
                }
            }
            _ => {
                let s_12 = s_12 * ((p_14.y).sin());
            }
        }
        ((p_13.y).clamp(-0.7, 0.9)).abs() + 0.6 * a + 0.8 * b + 1.1 * s_11 + 1.0 * s_12 + p_13.x * 0.5 - p_13.y + p_14.x * 0.7 - p_14.y
    }
}

pub mod p108 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let mut e_1: Choice = Choice::Plane((1.2 + b * b).powf(0.5 * x[n % x.len()]), x[(n + 1) % x.len()] * (0.1 * n as f64) * 0.5);
        'l3: for i_2 in 0..3 {
            b -= 0.2 * ((b * (0.3 * (b)).exp() * 0.5).sin());
            for i_3 in 0..2 {
                if (i_3 + 1) % 2 == 1 { break 'l3; }
                b = 0.6 * b + 0.3 * ((0.3 * x.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>() / (1.5 + b * b)).tanh());
            }
            b = (0.5 * ((a).atan2(1.5 + x[i_2 % x.len()] * x[i_2 % x.len()]) + (0.1 * i_2 as f64) * x[i_2 % x.len()] * 0.5)).cos();
        }
        let g_4 = |u_5: f64| ((x[n % x.len()]).tanh()).tanh();
        for i_6 in 1..=1 {
            b = ((b - (0.1 * i_6 as f64)) * 0.5 * (if b < 0.4 { (0.1 * i_6 as f64) } else { x[n % x.len()] }) * 0.5).sin();
            b = ((0.3 * (x[(i_6 + 0) % x.len()])).exp() / (1.5 + (0.1 * n as f64) * (0.1 * n as f64))).tanh();
        }
        let mut q_7: (f64, f64) = ((if x[n % x.len()] > -0.3 || n == 7 { g_4(b) } else { b }), ((x[n % x.len()]).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64))).sin());
        let q_8: (f64, f64) = (0.3 * x.iter().sum::<f64>(), (if n > 1 { x[n % x.len()] / (1.5 + b * b) } else { 0.5 * (b + b) }));
        q_7.1 = ((q_8.1).powi(2) * 0.2).clamp(-0.7, 0.9);
        let mut b = b * ((b).clamp(-0.7, 0.9));
        0.3 * x.iter().enumerate().map(|(i, u)| (u * a).sin() * i as f64).sum::<f64>() + 1.1 * a + q_7.0 * 0.6 - q_7.1 + q_8.0 * 0.7 - q_8.1 + 1.1 * b
    }
}

pub mod p109 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: [f64; 3], c: usize) -> [f64; 3] {
        let mut p_1: Point = Point { x: (a).powi(3) * 0.2, y: b[1] * a * 0.5 };
        let mut r_2 = [(1.2 + a * a).powf(0.5 * b[0]); 3];
        let mut k_3 = 0;
        loop {
            k_3 += 1;
            if k_3 > 4 { break; }
            let mut s_7 = 1.1 * ((a).min(a));
            for i_8 in 0..3 {
                r_2[k_3 % 3] = 0.6 * r_2[k_3 % 3] + 0.3 * (((if s_7 > -0.5 { s_7 } else { s_7 })).tanh());
                p_1.x -= 0.2 * ((0.5 * (0.3 * b.iter().map(|u| u.tanh()).product::<f64>() + -(s_7))).tanh());
            }
            r_2[0] = (0.5 * (a / (1.5 + p_1.x * p_1.x) + 0.5 * (r_2[1] + a))).cos();
        }
        [0.8 * (a), (1.0 + r_2[k_3 % 3] * r_2[k_3 % 3]).sqrt() - (a), (a).powi(2) * 0.2]
    }
    #[differentiable]
    pub fn h1(mut a: f64) -> Point {
        let mut r_9: [f64; 3] = [(1.5 + 1.3_f64 * 1.3_f64).ln() + 0.1 * (a), a * a * 0.5, -(a)];
        let mut r_10 = [(a).clamp(-0.7, 0.9), (a - a) * 0.5, (1.5 + a * a).ln() + 0.1 * (a)];
        let s_11 = {
            let mut s_12: f64 = ((1.0 + r_10[1] * r_10[1]).sqrt() - (a)).clamp(-0.7, 0.9);
            (s_12 - s_12) * 0.5
        };
        Point { x: (s_11).min(r_9[1 % 3]), y: (1.2 + s_11 * s_11).powf(0.5 * a) }
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut o_13 = Some(0.5 * ((0.1 * n as f64) + a) * 0.5 * (x[n % x.len()] + b) * 0.5);
        let q_14 = ((b).max(x[n % x.len()]), ((1.0 + b * b).sqrt() - (x[(n + 0) % x.len()])).cos());
        if let Some(u_16) = o_13 {
            o_13 = Some(0.3 * x.iter().fold(1.4, |s, u| 0.5 * s + u * a));
            let (s_18, s_19) = q_14;
            o_13 = Some(-(s_18 * s_18 * 0.5));
        }
        o_13 = Some((1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - (a / (1.5 + x[n % x.len()] * x[n % x.len()])));
        let mut v_20: Vec<f64> = vec![(b).atan2(1.5 + x[n % x.len()] * x[n % x.len()]), 0.3 * x.iter().filter(|u| **u > 1.3).map(|u| u.cos()).sum::<f64>()];
        o_13 = Some(0.3 * v_20.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>());
        let k_21 = n % v_20.len();
        v_20[k_21] = (a).sin() / (1.5 + b * b);
        o_13 = Some((0.5 * (x[k_21 % x.len()] + v_20[k_21 % v_20.len()]) - (1.0 + b * b).sqrt() - (v_20[n % v_20.len()])) * 0.5);
        0.5 * (v_20[n % v_20.len()] + b) + 0.4 * a + 0.6 * b + o_13.unwrap_or(0.4) + q_14.0 * 0.3 - q_14.1 + v_20.iter().sum::<f64>() * 0.8
    }
}
