// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p110 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64) -> Vec<f64> {
        let mut o_1 = Some((if 1 % 2 == 0 { 1.1 * (a) } else { (a).atan2(1.5 + a * a) }));
        'l3: for i_2 in 0..3 {
            o_1 = Some((0.2 * ((0.1 * i_2 as f64)) * a * a * 0.5 * 0.5).tanh());
            for i_3 in 0..2 {
                if (i_3 + 0) > 1 { return vec![a, a / (1.5 + a * a)]; }
                o_1 = Some(((1.5 + a * a).ln() + 0.1 * ((a).tanh())).tanh());
            }
            o_1 = Some(((-(a) - (0.3 * (a)).exp()) * 0.5).tanh());
        }
        for i_4 in (0..2).rev() {
            let g_5 = |u_6: f64| (1.0 + u_6 * u_6).sqrt() - ((1.2 + (0.1 * i_4 as f64) * (0.1 * i_4 as f64)).powf(0.5 * u_6));
            o_1 = Some((0.4 * (-(a))).sin());
            o_1 = Some((-(a) * (0.1 * i_4 as f64) * a * 0.5 * 0.5).sin());
        }
        vec![(a - 0.7_f64) * 0.5; 4]
    }
    #[differentiable]
    pub fn h1(a: f64) -> Point {
        let e_7 = Choice::Line { at: 0.5 * (a + a) };
        let p_8: Point = Point { x: (if 0 % 2 == 1 { a } else { a }), y: a / (1.5 + a * a) };
        let s_9 = match e_7 {
            Choice::Line { at: u_10 } => (1.2 * (u_10)).powi(3) * 0.2,
            Choice::Plane(u_10, w_11) => (u_10).atan2(1.5 + w_11 * w_11) * (u_10).min(w_11) * 0.5,
            Choice::Nothing => ((1.2 + a * a).powf(0.5 * a)).powi(2) * 0.2,
        };
        if s_9 < -1.1 && 0 < 9 { return Point { x: (s_9 - p_8.y) * 0.5, y: 0.5 * (s_9 + s_9) }; }
        Point { x: a, y: a * p_8.x * 0.5 }
    }
    #[differentiable]
    pub fn f(mut a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let s_12 = ((a).tanh() - (b).cos()) * 0.5;
        let mut k_13 = 0;
        while k_13 < 1 {
            k_13 += 1;
            let mut k_14 = 0;
            while k_14 < 1 && (s_12 <= 1.1) {
                k_14 += 1;
                let g_15 = |u_16: f64| (0.1 * k_13 as f64) * u_16 * 0.5 * (1.5 + u_16 * u_16).ln() + 0.1 * (u_16) * 0.5;
                if g_15(b) >= 0.4 {
                    b = 0.6 * b + 0.3 * ((((0.3 * (b)).exp()).cos()).sin());
                    a = ((b - s_12) * 0.5 * (1.5 + g_15(b) * g_15(b)).ln() + 0.1 * (s_12) * 0.5).cos();
                }
                a = ((g_15(s_12) / (1.5 + s_12 * s_12) - (0.3 * (s_12)).exp()) * 0.5).sin();
            }
            b = 0.6 * b + 0.3 * ((((s_12 - x[k_14 % x.len()]) * 0.5).atan2(1.5 + b * b)).tanh());
        }
        b += 0.3 * ((1.2 + x[k_13 % x.len()] * x[k_13 % x.len()]).powf(0.5 * (0.1 * k_13 as f64)));
        let mut k_17 = 0;
        while k_17 < 4 {
            k_17 += 1;
            let mut k_18 = 0;
            loop {
                k_18 += 1;
                if k_18 > 2 { break; }
                let (s_19, s_20) = ((1.2 + b * b).powf(0.5 * s_12), (0.3 * ((0.1 * k_13 as f64))).exp() * 1.2 * (s_12) * 0.5);
                let e_21 = Choice::Line { at: (x[(k_13 + 0) % x.len()]).atan2(1.5 + s_20 * s_20) };
                b = ((1.2 + a * a).powf(0.5 * s_19)).tanh();
            }
            a = ((s_12 * s_12 * 0.5).sin()).tanh();
        }
        (1.1 * (s_12)).tanh() + 0.9 * a + 0.8 * b + 0.5 * s_12
    }
}

pub mod p111 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Point) -> f64 {
        let (mut s_1, mut s_2) = ((a).min(a), (1.2 + a * a).powf(0.5 * a) * (b.y).atan2(1.5 + a * a) * 0.5);
        let mut s_3 = (0.5 * (s_2 + b.y)).abs();
        let mut s_7 = ((b.x).abs()).abs();
        'l9: for i_8 in 0..3 {
            s_7 -= 0.2 * ((0.5 * (0.5 * (b.y + s_1) + 1.3 * (b.x))).tanh());
            for i_9 in 0..2 {
                if b.x >= -1.1 || (i_9 + 0) == 7 { continue; }
                s_2 *= 0.8 + 0.1 * ((((0.1 * i_9 as f64)).abs()).tanh());
            }
            s_2 = (b.x / (1.5 + s_1 * s_1) * (0.1 * i_8 as f64) / (1.5 + s_2 * s_2) * 0.5).tanh();
        }
        ((1.2 + s_3 * s_3).powf(0.5 * s_1)).max(s_1)
    }
    #[differentiable]
    pub fn h1(a: f64) -> f64 {
        let mut v_10: Vec<f64> = vec![a / (1.5 + a * a), h0(a, Point { x: a, y: a }) * a * 0.5];
        let k_11 = 3 % v_10.len();
        v_10[k_11] = 0.6 * v_10[k_11] + 0.3 * (((1.0 + a * a).sqrt() - (v_10[(k_11 + 0) % v_10.len()])).clamp(-0.7, 0.9));
        let mut a = a * (((0.1 * k_11 as f64)).powi(2) * 0.2);
        let v_12: Vec<f64> = v_10.to_vec();
        h0(a, Point { x: a, y: a })
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_13 = match n % 4 {
            0 => {
                let s_14 = if b > 0.4 {
                    (1.0 + b * b).sqrt() - (b / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)))
                } else {
                    (-(a)).sin()
                };
                (b).sin()
            }
            1 | 2 => {
                let s_15 = if !(a < 0.3) {
                    ((1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - ((0.1 * n as f64))).powi(3) * 0.2
                } else {
                    let mut q_16: (f64, f64) = ((b).atan2(1.5 + a * a), ((b).clamp(-0.7, 0.9)).atan2(1.5 + x[n % x.len()] * x[n % x.len()]));
                    0.5 * ((b).sin() + (x[n % x.len()]).cos())
                };
                s_15 * s_15 * 0.5
            }
            _ => {
                let r_17 = [(1.5 + b * b).ln() + 0.1 * (x[n % x.len()]), (1.5 + b * b).ln() + 0.1 * (b), (h0(b * 0.7, Point { x: b, y: a })).max(b)];
                (a - a) * 0.5
            }
        };
        match n % 4 {
            0 => {
                let mut k_19 = 0;
                while k_19 < 3 {
                    k_19 += 1;
                    if (n + 1) % 2 == 1 && (k_19 + 2) < 9 { break; }
                    let o_20: Option<f64> = Some(0.5 * ((1.0 + h1(s_13) * h1(s_13)).sqrt() - ((0.1 * k_19 as f64)) + (h0(s_13 * 0.7, Point { x: s_13, y: b }) - x[k_19 % x.len()]) * 0.5));
                    let mut s_21 = -(-(b));
                }
            }
            1 | 2 => {
                let mut s_22 = h0(b, Point { x: b, y: s_13 });
            }
            _ => {
                let o_23: Option<f64> = Some(-((1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - (x[n % x.len()])));
            }
        }
        (1.2 + a * a).powf(0.5 * s_13) / (1.5 + h1(a * 0.7) * h1(a * 0.7)) + 1.0 * a + 0.6 * b + 1.1 * s_13
    }
}

pub mod p112 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut b = b * (0.5 * (b + x[n % x.len()]));
        for i_1 in 0..n % 4 {
            let g_2 = |u_3: f64| -((u_3).abs());
            b *= 0.8 + 0.1 * (((0.5 * (g_2(b) + g_2(b))).atan2(1.5 + x[(i_1 + 1) % x.len()] * x[(i_1 + 1) % x.len()])).sin());
            b = 0.6 * b + 0.3 * ((0.5 * ((b).abs() + (1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - (x[(i_1 + 0) % x.len()]))).cos());
        }
        b = 0.6 * b + 0.3 * (((b).tanh() - b * a * 0.5) * 0.5);
        b = 0.6 * b + 0.3 * ((1.5 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()]).ln() + 0.1 * ((x[n % x.len()]).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64))));
        if !(b > 0.4) { return ((0.1 * n as f64) / (1.5 + a * a)).tanh(); }
        if (0.1 * n as f64) <= -0.6 || n == 7 {
            let mut k_4 = 0;
            loop {
                k_4 += 1;
                if k_4 > 4 { break; }
                if x[k_4 % x.len()] >= -1.2 && k_4 < 9 {
                    let mut s_5 = (if b <= 1.1 || k_4 == 7 { x[n % x.len()] / (1.5 + b * b) } else { (1.0 + b * b).sqrt() - (b) });
                    b -= 0.2 * (((0.3 * ((s_5 - b) * 0.5)).exp()).tanh());
                } else {
                    b = ((0.3 * ((b).powi(3) * 0.2)).exp()).tanh();
                    b = 0.6 * b + 0.3 * (((b).min(a) * (b - x[k_4 % x.len()]) * 0.5 * 0.5).tanh());
                }
                b += 0.3 * ((((b).powi(3) * 0.2).max(b)).tanh());
            }
            b = ((x[(k_4 + 1) % x.len()]).atan2(1.5 + b * b)).powi(2) * 0.2;
        } else {
            b = (a).min(x[(n + 0) % x.len()]) * (b - (0.1 * n as f64)) * 0.5 * 0.5;
            b = 0.6 * b + 0.3 * (((x[n % x.len()] - (0.1 * n as f64)) * 0.5 - b / (1.5 + b * b)) * 0.5);
        }
        ((if a <= -1.3 { a } else { b })).atan2(1.5 + b * b) + 0.6 * a + 0.5 * b
    }
}

pub mod p113 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: f64) -> f64 {
        if !(2 > 2) {
            let mut v_1: Vec<f64> = vec![b / (1.5 + b * b), -(b)];
            let k_2 = 3 % v_1.len();
            v_1[k_2] = (1.0 + b * b).sqrt() - ((a).powi(2) * 0.2);
        }
        let mut v_3: Vec<f64> = vec![(0.3 * (0.6_f64)).exp(); 4];
        if 1 > 2 && 0 < 9 {
            if v_3.len() > 1 && let Some(top) = v_3.pop() {
                v_3[0] += 0.1 * top;
            }
            let mut k_4 = 0;
            while k_4 < 1 && (b <= -0.4) {
                k_4 += 1;
                let b = b * ((b).abs());
                let s_5 = {
                    let o_6 = Some((0.5 * ((0.1 * k_4 as f64) + b) - (b).max(a)) * 0.5);
                    (v_3[(k_4 + 1) % v_3.len()]).abs()
                };
                let k_7 = (k_4 + 2) % v_3.len();
                v_3[k_7] *= 0.8 + 0.1 * (((s_5 * a * 0.5 - (if s_5 < -1.2 && k_7 < 9 { (0.1 * k_4 as f64) } else { b })) * 0.5).sin());
            }
            let k_8 = (k_4 + 1) % v_3.len();
            v_3[k_8] += 0.3 * ((0.3 * ((1.0 + b * b).sqrt() - (a))).exp());
        }
        ((b).atan2(1.5 + a * a)).sin()
    }
    #[differentiable]
    pub fn h1(a: f64, mut b: f64) -> f64 {
        let b = b * (b * b * 0.5);
        if 0 > 1 && 2 < 9 { return (-(b)).powi(3) * 0.2; }
        for i_9 in 1..=1 {
            let s_10: f64 = (if (i_9 + 1) % 2 == 1 || (i_9 + 0) == 7 { 0.5 * (b + b) } else { (b).sin() });
            let mut r_11 = [(1.0 + (0.1 * i_9 as f64) * (0.1 * i_9 as f64)).sqrt() - (s_10), (b).cos(), (if i_9 % 2 == 0 { s_10 } else { (0.1 * i_9 as f64) })];
        }
        0.5 * ((h0(b, a * 0.7) - h0(b, b * 0.7)) * 0.5 + (if b > -1.0 { b } else { a }))
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut p_12 = Point { x: -(b), y: (a).powi(2) * 0.2 };
        let mut b = b * (((0.1 * n as f64)).atan2(1.5 + x[n % x.len()] * x[n % x.len()]));
        let mut s_13 = h0(b * 0.7, b);
        let q_17: (f64, f64) = (0.2 * ((0.1 * n as f64)), 0.5 * (-(b) + 0.5 * (x[n % x.len()] + p_12.x)));
        let s_18 = if x[n % x.len()] <= 0.8 && n < 9 {
            let g_19 = |u_20: f64| (u_20).cos();
            ((b).powi(2) * 0.2 - 0.4 * (s_13)) * 0.5
        } else {
            (1.0 + q_17.0 * q_17.0).sqrt() - ((0.1 * n as f64) * h1(b, s_13) * 0.5)
        };
        let mut r_21 = [-(x[(n + 1) % x.len()]); 3];
        let mut q_22: (f64, f64) = ((1.0 + q_17.0 * q_17.0).sqrt() - (b), ((p_12.y - x[n % x.len()]) * 0.5).max(r_21[n % 3]));
        let g_23 = |u_24: f64| 0.5 * ((h0(u_24, u_24)).abs() + (1.2 + u_24 * u_24).powf(0.5 * x[(n + 2) % x.len()]));
        ((if n > 2 && (n + 1) < 9 { s_18 } else { (0.1 * n as f64) })).cos() + 0.6 * a + p_12.x * 0.8 - p_12.y + 0.8 * b + 1.1 * s_13 + q_17.0 * 0.6 - q_17.1 + 0.8 * s_18 + r_21.iter().sum::<f64>() * 0.7 + q_22.0 * 1.0 - q_22.1
    }
}

pub mod p114 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let mut o_1 = Some(0.5 * (0.3 * x.iter().zip(x.iter()).map(|(u, w)| u * w).sum::<f64>() + (1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * (a)));
        o_1 = Some((0.3 * x.iter().map(|u| u.tanh()).product::<f64>() - x[(n + 0) % x.len()] * x[(n + 0) % x.len()] * 0.5) * 0.5);
        let b = b * ((x[n % x.len()] - b) * 0.5);
        if b <= -1.2 {
            let mut v_2: Vec<f64> = x.to_vec();
            let k_3 = n % v_2.len();
            v_2[k_3] += 0.3 * (0.5 * (a + (0.1 * k_3 as f64)) * (if k_3 % 2 == 0 { a } else { v_2[k_3 % v_2.len()] }) * 0.5);
        }
        o_1 = Some((0.3 * (x[n % x.len()])).exp() / (1.5 + b * b));
        for (i_4, u_5) in x.iter().enumerate() {
            let mut k_6 = 0;
            loop {
                k_6 += 1;
                if k_6 > 1 { break; }
                for i_7 in (0..i_4 % 4).rev() {
                    o_1 = Some((((b).clamp(-0.7, 0.9)).max(b)).sin());
                    o_1 = Some((((1.0 + (0.1 * k_6 as f64) * (0.1 * k_6 as f64)).sqrt() - (x[k_6 % x.len()])).cos()).cos());
                    o_1 = Some((b / (1.5 + (*u_5) * (*u_5)) * (0.1 * i_4 as f64) / (1.5 + (0.1 * k_6 as f64) * (0.1 * k_6 as f64)) * 0.5).tanh());
                }
                'l9: for i_8 in 0..3 {
                    o_1 = Some(((b).tanh() / (1.5 + b * b)).cos());
                    for i_9 in 0..2 {
                        if b >= 0.8 { break 'l9; }
                        o_1 = Some(((0.5 * (b + (0.1 * i_8 as f64))).abs()).sin());
                    }
                    o_1 = Some((0.5 * (b + b) / (1.5 + b * b)).cos());
                }
                o_1 = Some(((x[k_6 % x.len()] * x[i_4 % x.len()] * 0.5).tanh()).sin());
            }
            let q_10 = ((if x[k_6 % x.len()] > 1.1 { b } else { (0.1 * n as f64) }), (if (k_6 + 2) % 2 == 1 { x[k_6 % x.len()] / (1.5 + b * b) } else { a }));
            o_1 = Some((((0.3 * (x[(k_6 + 0) % x.len()])).exp()).cos()).tanh());
        }
        (0.3 * x.iter().map(|u| u * u * 0.4).sum::<f64>()).tanh() + 0.3 * a + o_1.unwrap_or(0.5) + 0.6 * b
    }
}

pub mod p115 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: [f64; 3]) -> [f64; 3] {
        let mut s_4 = ((a).cos()).clamp(-0.7, 0.9);
        let s_8 = -((a).powi(3) * 0.2);
        let s_9 = if 0 > 0 {
            0.3 * b.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>()
        } else {
            ((s_8).max(s_4)).tanh()
        };
        s_4 *= 0.8 + 0.1 * ((0.5 * (s_9 + s_9)).clamp(-0.7, 0.9));
        [-(b[0 % 3]), (s_4).min(b[1]), 0.3 * b.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>()]
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        'l11: for i_10 in 0..3 {
            let mut s_12 = ((0.1 * i_10 as f64) - (0.1 * i_10 as f64)) * 0.5 / (1.5 + (0.1 * i_10 as f64) * (0.1 * i_10 as f64));
            for i_11 in 0..2 {
                if i_11 > 2 { continue; }
                s_12 += 0.3 * ((0.3 * x.iter().sum::<f64>()).cos());
            }
            s_12 -= 0.2 * (((1.2 + x[(i_10 + 0) % x.len()] * x[(i_10 + 0) % x.len()]).powf(0.5 * x[(i_10 + 2) % x.len()]) / (1.5 + s_12 * s_12)).tanh());
        }
        for (i_13, u_14) in x.iter().enumerate() {
            let s_15 = {
                let g_16 = |u_17: f64| 0.3 * x.iter().map(|u| u.tanh()).product::<f64>();
                a / (1.5 + (0.1 * i_13 as f64) * (0.1 * i_13 as f64))
            };
            let mut o_18 = Some(-((*u_14)));
        }
        if b < 0.2 {
            let mut r_19: [f64; 3] = [0.3 * x.iter().rev().skip(1).copied().map(|u| u * a).sum::<f64>(), (b).cos(), 0.3 * x.iter().enumerate().map(|(i, u)| (u * b).sin() * i as f64).sum::<f64>()];
            r_19[n % 3] = 1.2 * (b * x[n % x.len()] * 0.5);
            r_19[1] = 0.5 * (b + a) * (b).cos() * 0.5;
        } else {
            let s_20 = if n > 2 {
                let mut p_21 = Point { x: ((0.1 * n as f64) - x[n % x.len()]) * 0.5, y: (x[n % x.len()]).powi(2) * 0.2 };
                (1.0 + a * a).sqrt() - (p_21.y) * (b).abs() * 0.5
            } else {
                let s_22 = match n % 4 {
                    0 => {
                        let mut e_23 = Choice::Plane((if (0.1 * n as f64) >= -1.2 { (0.1 * n as f64) } else { (0.1 * n as f64) }), (x[(n + 1) % x.len()] - b) * 0.5);
                        (1.2 + b * b).powf(0.5 * b)
                    }
                    1 | 2 => {
                        let g_24 = |u_25: f64| (1.5 + b * b).ln() + 0.1 * ((1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - (a));
                        (b).atan2(1.5 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()])
                    }
                    _ => {
                        let s_26: f64 = (1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * (((0.1 * n as f64) - b) * 0.5);
                        (x[n % x.len()]).sin()
                    }
                };
                ((s_22).min(x[n % x.len()])).cos()
            };
            let mut s_20 = s_20 * ((s_20).cos());
            s_20 = (1.0 + b * b).sqrt() - ((1.2 + x[n % x.len()] * x[n % x.len()]).powf(0.5 * x[(n + 1) % x.len()]));
        }
        (((0.1 * n as f64)).tanh()).cos() + 1.1 * a + 0.5 * b
    }
}

pub mod p116 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Point, c: f64) -> Option<f64> {
        for i_1 in (0..5).step_by(2) {
            for i_2 in (0..5).step_by(2) {
                if !(a > 0.6) {
                    let mut o_3 = if c < 1.0 { Some(-(c)) } else { None };
                    o_3 = Some(((0.1 * i_2 as f64) / (1.5 + a * a) * ((0.1 * i_2 as f64)).atan2(1.5 + c * c) * 0.5).cos());
                    o_3 = Some((-(a)).tanh());
                } else {
                    let e_4: Choice = Choice::Plane((1.2 + c * c).powf(0.5 * c), a / (1.5 + c * c));
                    let mut r_5 = [((0.1 * i_2 as f64)).max(c); 3];
                }
                let mut s_6: f64 = b.y / (1.5 + c * c);
            }
            let r_7: [f64; 3] = [b.x / (1.5 + c * c), ((0.1 * i_1 as f64) - a) * 0.5, c * a * 0.5];
        }
        Some(0.5 * (c + 0.5 * (c + c)))
    }
    #[differentiable]
    pub fn h1(mut a: f64, b: f64, c: Option<f64>) -> (f64, f64) {
        a = ((0.3 * (a)).exp()).max(a);
        for i_8 in 0..2 {
            let (mut s_9, mut s_10) = (b, (b).clamp(-0.7, 0.9) / (1.5 + b * b));
            std::mem::swap(&mut s_9, &mut s_10);
            s_9 = ((1.2 + b * b).powf(0.5 * s_10)).sin();
        }
        let s_11 = {
            let mut k_12 = 0;
            loop {
                k_12 += 1;
                if k_12 > 3 { break; }
                let s_13 = {
                    a = ((b * b * 0.5).cos()).sin();
                    (a).clamp(-0.7, 0.9)
                };
                a += 0.3 * (((0.3 * (s_13 * b * 0.5)).exp()).cos());
            }
            a / (1.5 + a * a)
        };
        (s_11, 0.8 * ((b).clamp(-0.7, 0.9)))
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        a = (if (0.1 * n as f64) >= -1.0 { (a).max(x[n % x.len()]) } else { (b).tanh() });
        if (0.1 * n as f64) >= 0.6 {
            a = (if b <= 1.5 || (n + 0) == 7 { b } else { x[(n + 2) % x.len()] * x[n % x.len()] * 0.5 });
            let mut q_14: (f64, f64) = ((x[n % x.len()]).powi(2) * 0.2, (b - b) * 0.5 / (1.5 + b * b));
            a = (0.3 * (-(a))).exp();
        } else {
            let g_15 = |u_16: f64| ((b - (0.1 * n as f64)) * 0.5).sin();
            a *= 0.8 + 0.1 * ((a - (a).tanh()) * 0.5);
            a *= 0.8 + 0.1 * ((1.5 + b * b).ln() + 0.1 * (((0.1 * n as f64)).tanh()));
        }
        for (i_17, u_18) in x.iter().skip(1).enumerate() {
            let mut s_19 = ((*u_18)).clamp(-0.7, 0.9);
            s_19 = ((((0.1 * i_17 as f64)).atan2(1.5 + x[i_17 % x.len()] * x[i_17 % x.len()])).tanh()).cos();
        }
        let mut k_20 = 0;
        while k_20 < 2 && (b < -0.7) {
            k_20 += 1;
            if k_20 % 2 == 0 { continue; }
            a += 0.3 * ((0.5 * ((0.1 * k_20 as f64) / (1.5 + b * b) + a * b * 0.5)).tanh());
        }
        a * a * 0.5 / (1.5 + b * b) + 0.5 * a + 0.4 * b
    }
}

pub mod p117 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> f64 {
        let s_1 = {
            let s_2 = {
                let mut e_3 = Choice::Nothing;
                (a - a) * 0.5
            };
            (a).powi(2) * 0.2
        };
        if 0 > 1 {
            let mut e_4 = Choice::Plane((s_1 - s_1) * 0.5, s_1 * s_1 * 0.5);
            let mut p_5 = Point { x: (s_1).min(s_1), y: s_1 * s_1 * 0.5 };
            p_5.x *= 0.8 + 0.1 * ((p_5.x - (a).tanh()) * 0.5);
        }
        (if 1 % 2 == 0 { s_1 } else { 0.3 * (s_1) })
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        a = ((b - x[n % x.len()]) * 0.5 - x[(n + 0) % x.len()] * x[n % x.len()] * 0.5) * 0.5;
        let mut o_6 = Some((if a < 0.6 { 0.3 * x.iter().filter(|u| **u > 1.0).map(|u| u.cos()).sum::<f64>() } else { -(x[n % x.len()]) }));
        let s_7 = {
            if n > 0 { return h0(a); }
            (x[(n + 2) % x.len()] - b) * 0.5
        };
        'l9: for i_8 in 0..3 {
            a = (-(0.5 * (s_7 + s_7))).sin();
            for i_9 in 0..2 {
                if (n + 0) > 2 { continue 'l9; }
                o_6 = Some(((-(b)).sin()).cos());
            }
            o_6 = Some((-(0.5 * ((0.1 * i_8 as f64) + b))).sin());
        }
        o_6 = Some((if x[(n + 0) % x.len()] < 0.6 { b * x[n % x.len()] * 0.5 } else { -(b) }));
        let s_10 = if n % 2 == 1 || n == 7 {
            (x[(n + 1) % x.len()]).clamp(-0.7, 0.9) * x[n % x.len()] / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)) * 0.5
        } else {
            ((x[(n + 1) % x.len()] - s_7) * 0.5 - s_7 / (1.5 + b * b)) * 0.5
        };
        o_6 = Some(((s_10).min(s_10)).cos());
        let s_11 = match n % 4 {
            0 => {
                let mut o_12 = if n > 2 { Some((0.2_f64).max(b)) } else { None };
                1.2 * (s_10)
            }
            1 | 2 => {
                a = x[n % x.len()] / (1.5 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()]);
                (x[n % x.len()]).cos()
            }
            _ => {
                let s_13 = match o_6 { Some(u_14) => ((0.1 * n as f64)).tanh(), None => (h0(b)).powi(3) * 0.2 };
                0.5 * ((0.1 * n as f64) + s_13)
            }
        };
        0.5 * ((x[n % x.len()]).clamp(-0.7, 0.9) + (0.3 * (s_10)).exp()) + 0.3 * a + 0.9 * b + o_6.unwrap_or(0.3) + 1.0 * s_7 + 0.6 * s_10 + 0.4 * s_11
    }
}

pub mod p118 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Option<f64>) -> f64 {
        let s_1 = {
            let a = a * (a);
            a * a * 0.5
        };
        let mut s_2: f64 = (1.5 + s_1 * s_1).ln() + 0.1 * ((0.3 * (s_1)).exp());
        s_2 = (0.3 * (s_1)).exp() * s_1 * s_1 * 0.5 * 0.5;
        ((s_2).powi(2) * 0.2).atan2(1.5 + s_1 * s_1)
    }
    #[differentiable]
    pub fn h1(a: f64, b: (f64, f64), c: usize) -> Point {
        let g_3 = |u_4: f64| 0.5 * ((0.1 * c as f64) * u_4 * 0.5 + (0.1 * c as f64) * u_4 * 0.5);
        let mut k_5 = 0;
        while k_5 < 1 {
            k_5 += 1;
            let s_6 = match k_5 % 4 {
                0 => {
                    let mut q_7: (f64, f64) = (0.5 * (a + b.1), (h0(a * 0.7, Some(a))).tanh() / (1.5 + a * a));
                    a * q_7.0 * 0.5
                }
                1 | 2 => {
                    let a = a * (0.5 * (g_3(a) + h0(a, Some(a))));
                    (g_3(a) - a) * 0.5
                }
                _ => {
                    let mut s_8: f64 = 0.5 * ((0.3 * ((0.1 * c as f64))).exp() + 0.5 * (a + a));
                    (if g_3(s_8) >= -0.9 { a } else { b.1 })
                }
            };
            let s_9 = (if !(b.1 <= -1.3) { b.1 } else { (0.1 * k_5 as f64) }) * (1.2 + s_6 * s_6).powf(0.5 * s_6) * 0.5;
            let s_10: f64 = (1.5 + g_3(s_9) * g_3(s_9)).ln() + 0.1 * (-(s_6));
        }
        Point { x: (b.0 - a) * 0.5, y: (a).clamp(-0.7, 0.9) }
    }
    #[differentiable]
    pub fn f(mut a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let mut b = b * ((a).powi(2) * 0.2);
        let mut q_11 = (h0(b * 0.7, Some(b)) * a * 0.5, -((0.3 * ((0.1 * n as f64))).exp()));
        let mut k_12 = 0;
        while k_12 < 4 {
            k_12 += 1;
            let mut v_13: Vec<f64> = vec![0.5 * (h0(a * 0.7, Some(b)) + q_11.1); 4];
            let mut k_14 = 0;
            while k_14 < 2 && ((0.1 * n as f64) >= 0.8 || (k_12 + 2) == 7) {
                k_14 += 1;
                b = ((0.3 * (a)).exp() * a / (1.5 + h0(b, Some(b)) * h0(b, Some(b))) * 0.5).cos();
                let s_15 = if v_13[k_14 % v_13.len()] > -0.7 || (k_14 + 2) == 7 {
                    (0.5 * (b + b)).atan2(1.5 + v_13[k_12 % v_13.len()] * v_13[k_12 % v_13.len()])
                } else {
                    (a * (0.1 * n as f64) * 0.5).sin()
                };
                a -= 0.2 * ((((0.1 * k_14 as f64)).powi(2) * 0.2 * (s_15 - b) * 0.5 * 0.5).tanh());
            }
            q_11.0 *= 0.8 + 0.1 * (((0.7 * ((0.1 * n as f64))).clamp(-0.7, 0.9)).cos());
        }
        if a < 1.1 { return h0(b, Some(b)); }
        let b = b * ((0.3 * (q_11.0)).exp());
        0.5 * ((1.0 + q_11.0 * q_11.0).sqrt() - (b) + b * b * 0.5) + 0.3 * a + q_11.0 * 0.5 - q_11.1 + 0.8 * b
    }
}

pub mod p119 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: f64) -> f64 {
        let (mut s_1, mut s_2) = ((if 1 > 0 && 0 < 9 { b } else { a }), ((b).abs() - b) * 0.5);
        std::mem::swap(&mut s_1, &mut s_2);
        let s_3 = if s_1 < 1.4 {
            (1.0 + s_1 * s_1).sqrt() - ((b - s_2) * 0.5)
        } else {
            (s_2).atan2(1.5 + s_1 * s_1) * b * b * 0.5 * 0.5
        };
        for i_4 in 1..=3 {
            let mut p_5: Point = Point { x: (1.2 + (0.1 * i_4 as f64) * (0.1 * i_4 as f64)).powf(0.5 * s_2), y: (s_2).atan2(1.5 + a * a) };
            let mut v_6: Vec<f64> = vec![(if (0.1 * i_4 as f64) <= -0.7 { b } else { (0.1 * i_4 as f64) }); 4];
            let k_7 = (i_4 + 1) % v_6.len();
            v_6[k_7] = ((0.3 * (s_3 / (1.5 + v_6[k_7 % v_6.len()] * v_6[k_7 % v_6.len()]))).exp()).sin();
        }
        -(s_3)
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut e_8: Choice = Choice::Plane(a * b * 0.5, (0.3 * (b)).exp());
        if !((n + 1) > 1) {
            let mut b = b * ((a).atan2(1.5 + b * b));
            let s_9 = match n % 4 {
                0 => {
                    b += 0.3 * (0.3 * (0..3).map(|i| a.sin() * i as f64).sum::<f64>() / (1.5 + x[n % x.len()] * x[n % x.len()]));
                    0.5 * (h0(b, a * 0.7) + b)
                }
                1 | 2 => {
                    b = 0.6 * b + 0.3 * (((x[n % x.len()]).sin() - (x[(n + 0) % x.len()]).abs()) * 0.5);
                    (b).clamp(-0.7, 0.9)
                }
                _ => {
                    let mut o_10 = Some((b).tanh() / (1.5 + h0(a, a * 0.7) * h0(a, a * 0.7)));
                    a
                }
            };
            b = (b).clamp(-0.7, 0.9);
        } else {
            if b >= -1.4 && n < 9 {
                'l12: for i_11 in 0..3 {
                    let mut p_13 = Point { x: (b - b) * 0.5, y: 0.5 * (b + h0(a * 0.7, b * 0.7)) };
                    for i_12 in 0..2 {
                        if b <= 0.4 { continue 'l12; }
                        p_13.x += 0.3 * (((1.5 + x[i_12 % x.len()] * x[i_12 % x.len()]).ln() + 0.1 * ((0.1 * i_11 as f64)) / (1.5 + (0.1 * i_12 as f64) * (0.1 * i_12 as f64))).tanh());
                    }
                    p_13.x = 0.6 * p_13.x + 0.3 * ((1.1 * ((p_13.x - b) * 0.5)).sin());
                }
                let mut o_14: Option<f64> = if a < 0.2 { Some((x[n % x.len()]).cos()) } else { None };
            }
            let mut e_15 = Choice::Plane(0.5 * (x[(n + 0) % x.len()] + b), (h0(b * 0.7, a * 0.7) - b) * 0.5);
            let mut s_16 = h0(b, b);
        }
        (a).sin() / (1.5 + b * b) + 1.0 * a + 0.4 * b
    }
}
