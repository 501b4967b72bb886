// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p040 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_1 = ((a).sin()).cos();
        let r_5 = [((0.1 * n as f64)).clamp(-0.7, 0.9), (s_1).abs(), s_1 * b * 0.5];
        'l7: for i_6 in 0..3 {
            let mut o_8 = Some(b / (1.5 + (0.1 * i_6 as f64) * (0.1 * i_6 as f64)) / (1.5 + s_1 * s_1));
            for i_7 in 0..2 {
                if i_7 > 2 { continue; }
                o_8 = Some((((s_1).powi(3) * 0.2).cos()).sin());
            }
            o_8 = Some(((s_1 * (0.1 * n as f64) * 0.5 - (s_1 - s_1) * 0.5) * 0.5).tanh());
        }
        for u_10 in x.iter() {
            for i_11 in 0..n % 4 {
                let mut b = b * ((*u_10) * x[n % x.len()] * 0.5);
                let mut e_12 = Choice::Line { at: a * b * 0.5 };
                b -= 0.2 * (((s_1 / (1.5 + r_5[i_11 % 3] * r_5[i_11 % 3]) - b * b * 0.5) * 0.5).tanh());
            }
            let mut e_13 = Choice::Nothing;
        }
        let r_14 = [0.5 * (s_1 + s_1); 3];
        let mut r_15: [f64; 3] = [(1.5 + b * b).ln() + 0.1 * (x[(n + 0) % x.len()]), 0.3 * x.iter().map(|u| u * u * 1.1).sum::<f64>(), (b).powi(2) * 0.2];
        (0.5 * (b + s_1)).powi(2) * 0.2 + 0.7 * a + 1.0 * b + 0.8 * s_1 + r_5.iter().sum::<f64>() * 0.4 + r_14.iter().sum::<f64>() * 0.8 + r_15.iter().sum::<f64>() * 0.8
    }
}

pub mod p041 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> Point {
        let mut v_1: Vec<f64> = vec![(a).clamp(-0.7, 0.9), (a).powi(2) * 0.2];
        for u_3 in v_1.iter() {
            let mut v_4: Vec<f64> = v_1.iter().map(|u| u * 1.5).collect::<Vec<f64>>();
            let k_5 = 3 % v_4.len();
            v_4[k_5] = ((1.5 + v_4[k_5 % v_4.len()] * v_4[k_5 % v_4.len()]).ln() + 0.1 * (a)).cos();
        }
        let k_6 = 1 % v_1.len();
        v_1[k_6] -= 0.2 * ((0.3 * ((a - a) * 0.5)).exp());
        Point { x: (1.2 + v_1[(k_6 + 1) % v_1.len()] * v_1[(k_6 + 1) % v_1.len()]).powf(0.5 * v_1[(k_6 + 2) % v_1.len()]), y: (v_1[(k_6 + 2) % v_1.len()]).abs() }
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut r_7 = [(a - x[n % x.len()]) * 0.5, (if !(b < 0.8) { x[n % x.len()] } else { (0.1 * n as f64) }), 0.3 * x.iter().sum::<f64>()];
        let mut s_8: f64 = (1.2 + b * b).powf(0.5 * (0.1 * n as f64));
        let s_8 = s_8 * ((s_8 - s_8) * 0.5);
        let mut s_12: f64 = (0.3 * r_7.iter().zip(r_7.iter()).map(|(u, w)| u * w).sum::<f64>()).atan2(1.5 + r_7[0] * r_7[0]);
        let r_13: [f64; 3] = [((0.1 * n as f64)).powi(2) * 0.2; 3];
        let mut o_14: Option<f64> = Some((s_8).min(r_13[n % 3]) / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)));
        r_7[0] += 0.3 * (((a - b) * 0.5 - 0.3 * r_13.iter().sum::<f64>()) * 0.5);
        let s_8 = s_8 * ((1.0 + r_13[0] * r_13[0]).sqrt() - (s_12));
        if let Some(u_16) = o_14 {
            s_12 *= 0.8 + 0.1 * (-((u_16 - b) * 0.5));
            o_14 = Some((1.2 + b * b).powf(0.5 * s_12));
            o_14 = Some((if r_7[1] >= -1.3 { 0.5 * (r_7[2] + u_16) } else { r_13[n % 3] * (0.1 * n as f64) * 0.5 }));
        }
        -(((0.1 * n as f64)).tanh()) + 0.7 * a + 0.4 * b + r_7.iter().sum::<f64>() * 0.7 + 0.9 * s_12 + r_13.iter().sum::<f64>() * 0.8 + o_14.unwrap_or(0.7) + 0.8 * s_8
    }
}

pub mod p042 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64, b: &[f64], c: [f64; 3]) -> (f64, f64) {
        let p_1: Point = Point { x: (b[3 % b.len()]).tanh(), y: 0.3 * c.iter().map(|u| u.tanh()).product::<f64>() };
        a -= 0.2 * ((1.5 + c[2 % 3] * c[2 % 3]).ln() + 0.1 * (0.3 * c.iter().map(|u| u.tanh()).product::<f64>()));
        let s_2: f64 = (if !(a > -0.2) { (1.0 + p_1.x * p_1.x).sqrt() - (c[3 % 3]) } else { 0.3 * c.iter().fold(1.4, |s, u| 0.5 * s + u * a) });
        let p_3 = Point { x: (1.0 + p_1.x * p_1.x).sqrt() - (s_2), y: (s_2).sin() };
        ((1.5 + s_2 * s_2).ln() + 0.1 * (p_3.x), 0.5 * ((1.2 + s_2 * s_2).powf(0.5 * a) + (p_3.y).atan2(1.5 + s_2 * s_2)))
    }
    #[differentiable]
    pub fn h1(a: f64) -> f64 {
        let mut k_4 = 0;
        loop {
            k_4 += 1;
            if k_4 > 4 { break; }
            let mut r_5 = [0.5 * ((0.1 * k_4 as f64) + a), 0.5 * (a + a), a * (0.1 * k_4 as f64) * 0.5];
            r_5[k_4 % 3] -= 0.2 * ((0.5 * (r_5[1] * a * 0.5 + ((0.1 * k_4 as f64) - a) * 0.5)).cos());
        }
        if !((k_4 + 1) > 0) {
            let o_6: Option<f64> = Some(((a).sin()).sin());
            let q_7 = h0(a * 0.7, &[a, a], [a, a, 1.4]);
        }
        (-(a)).sin()
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        b = (b).cos() * (1.5 + h1(b * 0.7) * h1(b * 0.7)).ln() + 0.1 * (b) * 0.5;
        let s_8 = if !(n % 2 == 0) {
            b / (1.5 + b * b) * (1.5 + a * a).ln() + 0.1 * (x[(n + 2) % x.len()]) * 0.5
        } else {
            let p_9: Point = Point { x: b / (1.5 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()]), y: b / (1.5 + h1(b * 0.7) * h1(b * 0.7)) };
            (1.0 + b * b).sqrt() - ((p_9.x).atan2(1.5 + x[n % x.len()] * x[n % x.len()]))
        };
        'l11: for i_10 in 0..3 {
            b = 0.6 * b + 0.3 * (((b * b * 0.5 - (1.5 + b * b).ln() + 0.1 * (h1(s_8 * 0.7))) * 0.5).cos());
            for i_11 in 0..2 {
                if i_11 % 2 == 1 { return h1(s_8); }
                b -= 0.2 * ((-(((0.1 * n as f64)).clamp(-0.7, 0.9))).sin());
            }
            b = (1.4 * (s_8) * -(b) * 0.5).sin();
        }
        let mut k_12 = 0;
        while k_12 < 4 {
            k_12 += 1;
            b = 0.6 * b + 0.3 * (((1.0 + (0.1 * k_12 as f64) * (0.1 * k_12 as f64)).sqrt() - (x[n % x.len()] / (1.5 + b * b))).sin());
            b += 0.3 * (((1.0 + x[k_12 % x.len()] * x[k_12 % x.len()]).sqrt() - ((1.0 + s_8 * s_8).sqrt() - (b))).cos());
        }
        let mut o_13 = if b >= -1.3 || (k_12 + 0) == 7 { Some((s_8).max(h1(s_8 * 0.7))) } else { None };
        let p_14 = Point { x: 0.5 * (s_8 + (0.1 * k_12 as f64)), y: 1.2 * (h1(s_8 * 0.7)) };
        let mut p_15: Point = Point { x: (b).tanh(), y: (0.1 * k_12 as f64) * x[k_12 % x.len()] * 0.5 };
        ((1.2 + s_8 * s_8).powf(0.5 * x[n % x.len()])).abs() + 0.3 * a + 0.9 * b + 0.8 * s_8 + o_13.unwrap_or(0.4) + p_14.x * 1.0 - p_14.y + p_15.x * 0.3 - p_15.y
    }
}

pub mod p043 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut e_1: Choice = Choice::Line { at: (x[(n + 2) % x.len()]).max(b) };
        let s_2 = match e_1 {
            Choice::Line { at: u_3 } => 0.8 * ((b).clamp(-0.7, 0.9)),
            Choice::Plane(u_3, w_4) => (0.5 * (a + w_4)).tanh(),
            Choice::Nothing => 0.5 * ((0.1 * n as f64) * x[(n + 1) % x.len()] * 0.5 + 0.3 * x.iter().filter(|u| **u > 1.5).map(|u| u.cos()).sum::<f64>()),
        };
        'l6: for i_5 in 0..3 {
            let mut r_7 = [(x[i_5 % x.len()]).tanh(), (a).tanh(), (1.0 + (0.1 * n as f64) * (0.1 * n as f64)).sqrt() - (s_2)];
            for i_6 in 0..2 {
                if (i_5 + 1) % 2 == 0 { continue 'l6; }
                r_7[(i_6 + 0) % 3] *= 0.8 + 0.1 * ((0.3 * r_7.iter().zip(r_7.iter()).map(|(u, w)| u * w).sum::<f64>()).tanh());
            }
            r_7[i_5 % 3] *= 0.8 + 0.1 * ((0.5 * (b * r_7[i_5 % 3] * 0.5 + ((0.1 * i_5 as f64) - x[i_5 % x.len()]) * 0.5)).cos());
        }
        let mut s_8 = s_2 * (0.3 * ((0.1 * n as f64))).exp() * 0.5;
        if !(n > 1) {
            let mut k_9 = 0;
            while k_9 < 3 {
                k_9 += 1;
                for &u_11 in x.iter().rev() {
                    s_8 += 0.3 * (((u_11).tanh()).tanh());
                    let mut r_12 = [(x[k_9 % x.len()]).sin(), 0.3 * x.iter().sum::<f64>(), (1.0 + s_2 * s_2).sqrt() - (x[k_9 % x.len()])];
                    r_12[0] *= 0.8 + 0.1 * ((((a).atan2(1.5 + r_12[1] * r_12[1])).max(s_8)).cos());
                }
                s_8 = 0.6 * s_8 + 0.3 * ((0.3 * x.iter().map(|u| u * u * 0.5).sum::<f64>()).tanh());
            }
            s_8 = 0.6 * s_8 + 0.3 * ((x[(k_9 + 2) % x.len()] / (1.5 + x[(k_9 + 0) % x.len()] * x[(k_9 + 0) % x.len()])).atan2(1.5 + s_2 * s_2));
        }
        0.3 * x.iter().rev().skip(1).copied().map(|u| u * b).sum::<f64>() * (x[n % x.len()]).max(s_2) * 0.5 + 0.8 * a + 0.6 * b + 0.6 * s_2 + 1.1 * s_8
    }
}

pub mod p044 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut k_1 = 0;
        while k_1 < 1 && ((0.1 * n as f64) >= 1.5) {
            k_1 += 1;
            let mut k_2 = 0;
            loop {
                k_2 += 1;
                if k_2 > 4 { break; }
                let mut e_3 = Choice::Nothing;
                match k_2 % 4 {
                    0 => {
                        if x[(k_1 + 2) % x.len()] >= -0.5 { return -(x[(k_1 + 0) % x.len()]) / (1.5 + x[k_2 % x.len()] * x[k_2 % x.len()]); }
                    }
                    1 | 2 => {
                        if n % 2 == 1 && (k_2 + 1) < 9 { break; }
                    }
                    _ => {
                        let (mut s_5, mut s_6) = (x[k_1 % x.len()] * a * 0.5, (a * (0.1 * k_2 as f64) * 0.5).max(b));
                        std::mem::swap(&mut s_5, &mut s_6);
                    }
                }
                a += 0.3 * (((if !(a >= 1.5) { 1.4 * ((0.1 * k_1 as f64)) } else { (b).max(b) })).sin());
            }
            for (i_7, u_8) in x.iter().enumerate() {
                for u_10 in x.iter().copied() {
                    let mut e_11 = Choice::Line { at: ((0.1 * k_1 as f64) - u_10) * 0.5 };
                    a = ((u_10).tanh() / (1.5 + u_10 * u_10)).sin();
                    a -= 0.2 * (((0.3 * (0.3 * x.iter().rev().skip(1).copied().map(|u| u * u_10).sum::<f64>())).exp()).sin());
                }
                let mut v_12: Vec<f64> = vec![(a - b) * 0.5, 0.5 * (b + b)];
                a = ((x[(i_7 + 2) % x.len()] / (1.5 + b * b)).tanh()).cos();
            }
            a *= 0.8 + 0.1 * (((a * a * 0.5).cos()).cos());
        }
        (1.2 + b * b).powf(0.5 * a) + 0.8 * a + 0.9 * b
    }
}

pub mod p045 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Point) -> f64 {
        let mut e_1 = Choice::Line { at: 0.5 * (a + a) };
        let g_2 = |u_3: f64| 0.5 * ((u_3).atan2(1.5 + u_3 * u_3) + (u_3).cos());
        let mut k_4 = 0;
        while k_4 < 4 {
            k_4 += 1;
            if a > -0.3 || k_4 == 7 { return (0.5 * ((0.1 * k_4 as f64) + a)).sin(); }
            let mut v_5: Vec<f64> = vec![g_2(a), 0.5 * (g_2(a) + a)];
        }
        (((0.1 * k_4 as f64)).clamp(-0.7, 0.9)).max(a)
    }
    #[differentiable]
    pub fn h1(a: f64) -> f64 {
        'l7: for i_6 in 0..3 {
            let v_8: Vec<f64> = vec![(0.1 * i_6 as f64); 4];
            for i_7 in 0..2 {
                if a < -1.1 { break 'l7; }
                let q_9 = ((0.1 * i_6 as f64) / (1.5 + a * a), (1.2 + h0(a, Point { x: a, y: a }) * h0(a, Point { x: a, y: a })).powf(0.5 * v_8[i_6 % v_8.len()]));
            }
            let mut p_10: Point = Point { x: (if h0(a, Point { x: a, y: a }) < 0.2 || i_6 == 7 { a } else { v_8[(i_6 + 1) % v_8.len()] }), y: 0.5 * (a + a) };
        }
        let e_11 = Choice::Line { at: 0.5 * (a + a) };
        let mut s_12 = ((a).cos()).abs();
        for i_13 in 0..2 {
            let mut e_14 = Choice::Nothing;
            s_12 = 0.6 * s_12 + 0.3 * ((0.5 * ((0.1 * i_13 as f64) * a * 0.5 + (s_12 - h0(s_12, Point { x: s_12, y: s_12 })) * 0.5)).cos());
        }
        (s_12).cos()
    }
    #[differentiable]
    pub fn f(mut a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let mut e_15 = Choice::Line { at: ((0.1 * n as f64)).abs() };
        let s_16 = if x[n % x.len()] < -0.2 {
            (1.5 + b * b).ln() + 0.1 * (x[n % x.len()]) * (a).powi(2) * 0.2 * 0.5
        } else {
            ((b).abs() - (a).tanh()) * 0.5
        };
        let (s_17, s_18) = (0.5 * (h1(a * 0.7) + (0.1 * n as f64)), ((x[n % x.len()]).sin()).tanh());
        let mut s_17 = s_17 * (0.5 * (h1(a * 0.7) + h0(s_18, Point { x: s_17, y: b })));
        let p_19 = Point { x: (1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - (h1(s_18 * 0.7)), y: (s_18).abs() };
        for &u_21 in x.iter().rev() {
            let g_22 = |u_23: f64| (x[(n + 2) % x.len()] * (0.1 * n as f64) * 0.5).abs();
            let mut k_24 = 0;
            while k_24 < 4 && (s_18 <= 0.3 || n == 7) {
                k_24 += 1;
                for u_26 in x.iter() {
                    let mut p_27: Point = Point { x: g_22(u_21) / (1.5 + x[(k_24 + 1) % x.len()] * x[(k_24 + 1) % x.len()]), y: (g_22(a)).clamp(-0.7, 0.9) };
                    b -= 0.2 * ((((x[n % x.len()]).min(a) - (if !((n + 1) % 2 == 0) { x[(k_24 + 2) % x.len()] } else { u_21 })) * 0.5).tanh());
                    p_27.x *= 0.8 + 0.1 * ((-(p_27.y * u_21 * 0.5)).tanh());
                }
                let p_28 = Point { x: (1.2 + x[(k_24 + 1) % x.len()] * x[(k_24 + 1) % x.len()]).powf(0.5 * u_21), y: (1.5 + (0.1 * k_24 as f64) * (0.1 * k_24 as f64)).ln() + 0.1 * (h1(b)) };
                b *= 0.8 + 0.1 * (((0.5 * (x[(k_24 + 0) % x.len()] + (0.1 * n as f64))).cos()).tanh());
            }
            s_17 -= 0.2 * ((s_16 / (1.5 + g_22(s_18) * g_22(s_18))).cos());
        }
        (s_18).abs() * ((0.1 * n as f64)).clamp(-0.7, 0.9) * 0.5 + 1.0 * a + 0.5 * b + 0.5 * s_16 + 0.4 * s_18 + 0.4 * s_17 + p_19.x * 0.7 - p_19.y
    }
}

pub mod p046 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: (f64, f64)) -> [f64; 3] {
        let a = a * (a * a * 0.5);
        let mut s_1 = (a / (1.5 + a * a) - 1.1 * (b.0)) * 0.5;
        let g_2 = |u_3: f64| (1.5 + a * a).ln() + 0.1 * ((u_3).cos());
        let a = a * (s_1 / (1.5 + s_1 * s_1));
        [(a).atan2(1.5 + a * a), (s_1).clamp(-0.7, 0.9), (1.5 + g_2(a) * g_2(a)).ln() + 0.1 * (s_1)]
    }
    #[differentiable]
    pub fn h1(mut a: f64, b: Option<f64>, c: &[f64]) -> Vec<f64> {
        if 2 > 0 { return vec![(1.2 + c[0 % c.len()] * c[0 % c.len()]).powf(0.5 * a); 4]; }
        let mut a = a * ((0.3 * (c[1 % c.len()])).exp());
        if let Some(u_5) = b {
            a *= 0.8 + 0.1 * (-((u_5).atan2(1.5 + u_5 * u_5)));
            let s_7 = match 2 % 4 {
                0 => {
                    let u_5 = u_5 * ((1.2 + c[3 % c.len()] * c[3 % c.len()]).powf(0.5 * c[2 % c.len()]));
                    (c[3 % c.len()]).sin()
                }
                1 | 2 => {
                    let mut s_8 = ((1.2 + a * a).powf(0.5 * c[2 % c.len()])).tanh();
                    (if 0 > 2 { c[1 % c.len()] } else { s_8 })
                }
                _ => {
                    a -= 0.2 * ((1.5 + u_5 * u_5).ln() + 0.1 * (u_5 * c[1 % c.len()] * 0.5));
                    (if u_5 > 0.2 { c[1 % c.len()] } else { a })
                }
            };
            let s_7 = s_7 * (1.2 * (u_5));
            a *= 0.8 + 0.1 * (0.5 * (u_5 + c[0 % c.len()]) * (s_7 - s_7) * 0.5 * 0.5);
        }
        c.iter().enumerate().map(|(i, u)| u.sin() * a + 0.1 * i as f64).collect()
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let p_9 = Point { x: (0.1 * n as f64) / (1.5 + b * b), y: (b).sin() };
        let mut e_10 = Choice::Plane((a).cos(), (1.2 + b * b).powf(0.5 * x[n % x.len()]));
        let s_11 = if b > 1.0 || (n + 1) == 7 {
            ((0.3 * (a)).exp()).min(b)
        } else {
            (if x[n % x.len()] > 0.3 { (0.1 * n as f64) * b * 0.5 } else { (1.2 + p_9.y * p_9.y).powf(0.5 * x[n % x.len()]) })
        };
        let mut k_12 = 0;
        while k_12 < 4 {
            k_12 += 1;
            'l14: for i_13 in 0..3 {
                let mut v_15: Vec<f64> = x.iter().map(|u| u * 1.3).collect::<Vec<f64>>();
                for i_14 in 0..2 {
                    if i_14 % 2 == 1 && k_12 < 9 { continue; }
                    let k_16 = (i_14 + 0) % v_15.len();
                    v_15[k_16] = (0.8 * ((1.2 + x[i_14 % x.len()] * x[i_14 % x.len()]).powf(0.5 * p_9.y))).tanh();
                }
                let k_17 = (i_13 + 2) % v_15.len();
                v_15[k_17] += 0.3 * ((0.3 * v_15.iter().rev().skip(1).copied().map(|u| u * s_11).sum::<f64>()).sin());
            }
            let mut s_18: f64 = (b).sin() / (1.5 + (0.1 * k_12 as f64) * (0.1 * k_12 as f64));
        }
        let mut v_19: Vec<f64> = h1(b * 0.7, Some(a), x);
        let mut e_20: Choice = Choice::Nothing;
        let g_21 = |u_22: f64| ((u_22 - b) * 0.5 - ((0.1 * n as f64)).clamp(-0.7, 0.9)) * 0.5;
        if (k_12 + 2) % 2 == 1 && k_12 < 9 { return (s_11 * (0.1 * n as f64) * 0.5).sin(); }
        0.5 * (0.5 * (b + (0.1 * n as f64)) + ((0.1 * n as f64) - v_19[k_12 % v_19.len()]) * 0.5) + 0.5 * a + 0.8 * b + p_9.x * 1.1 - p_9.y + 0.5 * s_11 + v_19.iter().sum::<f64>() * 1.1
    }
}

pub mod p047 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut a = a * (0.3 * x.iter().rev().skip(1).copied().map(|u| u * b).sum::<f64>());
        let mut o_1 = Some(-((0.1 * n as f64) / (1.5 + a * a)));
        for i_2 in 0..1 {
            if a >= -1.2 { break; }
            o_1 = Some(((1.0 + (0.1 * i_2 as f64) * (0.1 * i_2 as f64)).sqrt() - (a)).cos());
        }
        let g_3 = |u_4: f64| (0.1 * n as f64) * u_4 * 0.5 / (1.5 + (0.1 * n as f64) * (0.1 * n as f64));
        for (i_5, u_6) in x.iter().skip(1).enumerate() {
            for &u_8 in x.iter().rev() {
                let g_9 = |u_10: f64| ((u_10).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64))).tanh();
                o_1 = Some((((x[n % x.len()]).sin() - (u_8).cos()) * 0.5).sin());
            }
            let s_11 = {
                let mut o_12: Option<f64> = Some((*u_6) * a * 0.5);
                (g_3(b)).sin()
            };
            o_1 = Some((0.5 * (x[i_5 % x.len()] * g_3(s_11) * 0.5 + (0.1 * n as f64) / (1.5 + (0.1 * i_5 as f64) * (0.1 * i_5 as f64)))).tanh());
        }
        a * (0.1 * n as f64) * 0.5 / (1.5 + a * a) + 1.0 * b + 0.9 * a + o_1.unwrap_or(0.3)
    }
}

pub mod p048 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: (f64, f64), c: f64) -> Point {
        let v_1: Vec<f64> = vec![(a).abs(), (1.0 + b.0 * b.0).sqrt() - (c)];
        let s_2 = {
            let v_3: Vec<f64> = vec![(1.5 + v_1[2 % v_1.len()] * v_1[2 % v_1.len()]).ln() + 0.1 * (a); 4];
            (1.2 + c * c).powf(0.5 * v_3[0 % v_3.len()])
        };
        let mut e_4 = Choice::Line { at: (s_2).sin() };
        Point { x: (s_2 - b.1) * 0.5, y: 0.5 * (s_2 + v_1[1 % v_1.len()]) }
    }
    #[differentiable]
    pub fn h1(a: f64, b: &[f64], c: [f64; 3]) -> Point {
        'l6: for i_5 in 0..3 {
            let mut p_7: Point = h0(a * 0.7, (a, a), a);
            for i_6 in 0..2 {
                if i_5 % 2 == 1 || i_5 == 7 { break 'l6; }
                p_7.x = ((p_7.x - a) * 0.5 * c[1] * 0.5).cos();
            }
            p_7.y *= 0.8 + 0.1 * ((0.5 * (-((0.1 * i_5 as f64)) + p_7.x / (1.5 + c[i_5 % 3] * c[i_5 % 3]))).cos());
        }
        let mut e_8 = Choice::Line { at: 0.9 * (c[1 % 3]) };
        let mut r_9: [f64; 3] = [(a).powi(3) * 0.2, a * a * 0.5, (a).abs()];
        'l11: for i_10 in 0..3 {
            r_9[i_10 % 3] += 0.3 * ((0.3 * r_9.iter().map(|u| u * u * 0.8).sum::<f64>()).tanh());
            for i_11 in 0..2 {
                if a > 0.4 { continue; }
                r_9[1] = ((0.3 * (a * a * 0.5)).exp()).sin();
            }
            r_9[1] *= 0.8 + 0.1 * ((((a).powi(3) * 0.2).abs()).tanh());
        }
        Point { x: (if a >= 0.5 { r_9[1] } else { b[2 % b.len()] }), y: (if 1 > 0 && 0 < 9 { a } else { a }) }
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let a = a * ((0.1 * n as f64) * b * 0.5);
        let g_12 = |u_13: f64| (0.3 * (u_13)).exp();
        'l15: for i_14 in 0..3 {
            let mut e_16 = Choice::Plane((b).powi(3) * 0.2, x[i_14 % x.len()] / (1.5 + x[i_14 % x.len()] * x[i_14 % x.len()]));
            for i_15 in 0..2 {
                if a > 1.1 && i_15 < 9 { break 'l15; }
                let p_17 = Point { x: (a).atan2(1.5 + x[i_14 % x.len()] * x[i_14 % x.len()]), y: (a).atan2(1.5 + g_12(a) * g_12(a)) };
            }
            let mut o_18: Option<f64> = Some((if !(a <= 0.4) { (a).atan2(1.5 + x[i_14 % x.len()] * x[i_14 % x.len()]) } else { -(g_12(a)) }));
        }
        let mut r_22: [f64; 3] = [0.5 * (x[(n + 2) % x.len()] + b); 3];
        let mut o_23 = Some((1.2 + b * b).powf(0.5 * a));
        if let Some(u_25) = o_23 {
            o_23 = Some((r_22[n % 3]).clamp(-0.7, 0.9));
            if let Some(u_28) = o_23 {
                o_23 = Some(((if a >= -0.8 { u_25 } else { u_28 }) - x[n % x.len()] / (1.5 + u_25 * u_25)) * 0.5);
                o_23 = Some((1.2 + b * b).powf(0.5 * x[n % x.len()]));
                for i_30 in (0..5).step_by(2) {
                    let mut v_31: Vec<f64> = x.to_vec();
                    r_22[i_30 % 3] -= 0.2 * (((0.5 * (g_12(u_25) + (0.1 * i_30 as f64))).powi(2) * 0.2).tanh());
                }
                o_23 = Some(((if n % 2 == 1 { (0.1 * n as f64) } else { u_25 }) - u_28) * 0.5);
            }
            o_23 = Some((0.3 * ((if b >= -1.2 && (n + 1) < 9 { x[n % x.len()] } else { u_25 }))).exp());
        }
        ((r_22[n % 3]).cos() - 1.3 * (r_22[(n + 0) % 3])) * 0.5 + 0.4 * b + 0.9 * a + r_22.iter().sum::<f64>() * 0.4 + o_23.unwrap_or(0.9)
    }
}

pub mod p049 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let b = b * ((1.0 + a * a).sqrt() - ((0.1 * n as f64)));
        let mut e_1 = Choice::Line { at: 0.5 * (b) };
        let (s_2, s_3) = ((a - (0.1 * n as f64)) * 0.5, ((a).sin()).powi(3) * 0.2);
        let p_4 = Point { x: (0.3 * ((0.1 * n as f64))).exp(), y: (if n > 0 { s_3 } else { x[n % x.len()] }) };
        let s_5 = {
            let mut v_6: Vec<f64> = vec![(s_2).sin(), (1.0 + (0.1 * n as f64) * (0.1 * n as f64)).sqrt() - (s_3)];
            s_2 * v_6[(n + 2) % v_6.len()] * 0.5
        };
        let mut o_7 = Some((1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * ((0.1 * n as f64) * s_3 * 0.5));
        let mut v_8: Vec<f64> = vec![(0.1 * n as f64) / (1.5 + x[n % x.len()] * x[n % x.len()]); 4];
        let s_9 = if !((n + 0) % 2 == 0) {
            v_8.push(((1.5 + v_8[n % v_8.len()] * v_8[n % v_8.len()]).ln() + 0.1 * (v_8[n % v_8.len()])).max((0.1 * n as f64)));
            (0.3 * (s_3 * s_3 * 0.5)).exp()
        } else {
            (1.5 + p_4.y * p_4.y).ln() + 0.1 * (s_2 / (1.5 + s_5 * s_5))
        };
        (s_9 / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)) - (1.2 + s_5 * s_5).powf(0.5 * v_8[n % v_8.len()])) * 0.5 + 0.5 * a + 0.3 * b + 0.4 * s_2 + 0.7 * s_3 + p_4.x * 0.6 - p_4.y + 0.3 * s_5 + o_7.unwrap_or(0.5) + v_8.iter().sum::<f64>() * 1.0 + 0.3 * s_9
    }
}
