// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p010 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: &[f64], c: (f64, f64)) -> Vec<f64> {
        let a = a * (0.3 * b.iter().rev().skip(1).copied().map(|u| u * a).sum::<f64>());
        let s_4 = (a).tanh() * (0.3 * (b[2 % b.len()])).exp() * 0.5;
        let mut k_5 = 0;
        loop {
            k_5 += 1;
            if k_5 > 1 { break; }
            let mut s_6 = 0.3 * b.iter().map(|u| u * u * 0.7).sum::<f64>();
            let o_7 = Some((1.5 + s_6 * s_6).ln() + 0.1 * (s_6));
            s_6 = 0.6 * s_6 + 0.3 * ((((c.1).clamp(-0.7, 0.9)).atan2(1.5 + (0.1 * k_5 as f64) * (0.1 * k_5 as f64))).sin());
        }
        vec![(s_4 - a) * 0.5; 4]
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut e_8: Choice = Choice::Plane(b * b * 0.5, (x[(n + 1) % x.len()]).abs());
        let s_9 = {
            let s_10 = ((if !(n > 1) { b } else { a }) - (a).atan2(1.5 + a * a)) * 0.5;
            (1.2 + s_10 * s_10).powf(0.5 * a)
        };
        let mut s_11 = (s_9).abs() * (if !(n % 2 == 0) { x[(n + 2) % x.len()] } else { x[n % x.len()] }) * 0.5;
        for i_12 in 0..3 {
            if !(i_12 % 2 == 1) { continue; }
            s_11 = ((1.5 + x[i_12 % x.len()] * x[i_12 % x.len()]).ln() + 0.1 * (x[i_12 % x.len()])).cos();
        }
        let s_13 = {
            'l15: for i_14 in 0..3 {
                s_11 -= 0.2 * ((((x[i_14 % x.len()] - x[(i_14 + 0) % x.len()]) * 0.5).max(x[n % x.len()])).cos());
                for i_15 in 0..2 {
                    if !(i_15 > 2) { continue; }
                    s_11 += 0.3 * ((s_11 * x[i_15 % x.len()] * 0.5 / (1.5 + s_9 * s_9)).tanh());
                }
                s_11 = 0.6 * s_11 + 0.3 * (((x[n % x.len()]).sin()).sin());
            }
            a
        };
        s_11 = 0.6 * s_11 + 0.3 * ((s_13).powi(2) * 0.2 * (1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * (x[n % x.len()]) * 0.5);
        (x[n % x.len()] / (1.5 + x[n % x.len()] * x[n % x.len()])).atan2(1.5 + x[n % x.len()] * x[n % x.len()]) + 0.5 * a + 0.8 * b + 1.0 * s_9 + 0.4 * s_11 + 0.6 * s_13
    }
}

pub mod p011 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut e_1 = Choice::Nothing;
        let mut q_2 = (x[n % x.len()] / (1.5 + b * b), (if b < -0.3 { (x[(n + 0) % x.len()]).clamp(-0.7, 0.9) } else { (x[n % x.len()]).sin() }));
        q_2.1 = 0.6 * q_2.1 + 0.3 * ((if a <= -0.3 || n == 7 { (q_2.0 - x[n % x.len()]) * 0.5 } else { b * b * 0.5 }));
        let mut b = b * ((if (n + 2) > 2 { x[n % x.len()] } else { x[(n + 2) % x.len()] }));
        if (0.1 * n as f64) > -0.4 { return -((1.0 + b * b).sqrt() - ((0.1 * n as f64))); }
        q_2.0 *= 0.8 + 0.1 * ((0.5 * (b + a)).abs());
        let s_3 = {
            let g_4 = |u_5: f64| (u_5).tanh() * (if (0.1 * n as f64) > -0.5 { x[n % x.len()] } else { x[n % x.len()] }) * 0.5;
            (b).cos()
        };
        if s_3 >= 1.4 { return 0.3 * x.iter().map(|u| u.tanh()).product::<f64>(); }
        (a).powi(2) * 0.2 / (1.5 + s_3 * s_3) + 1.1 * a + q_2.0 * 0.3 - q_2.1 + 0.5 * b + 0.6 * s_3
    }
}

pub mod p012 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Point) -> Option<f64> {
        let mut v_1: Vec<f64> = vec![a, (a).powi(2) * 0.2];
        let mut q_5 = ((a - a) * 0.5, (if v_1[3 % v_1.len()] <= -1.1 { v_1[3 % v_1.len()] } else { b.y }) * 0.5 * (a + a) * 0.5);
        'l7: for i_6 in 0..3 {
            q_5.0 *= 0.8 + 0.1 * (((q_5.0 - (v_1[i_6 % v_1.len()] - v_1[(i_6 + 2) % v_1.len()]) * 0.5) * 0.5).sin());
            for i_7 in 0..2 {
                if v_1[i_7 % v_1.len()] > -1.2 { continue 'l7; }
                q_5.0 = (((a).cos()).sin()).tanh();
            }
            q_5.0 += 0.3 * ((v_1[i_6 % v_1.len()] / (1.5 + v_1[i_6 % v_1.len()] * v_1[i_6 % v_1.len()])).cos());
        }
        q_5.1 -= 0.2 * (((if 1 % 2 == 1 { v_1[2 % v_1.len()] } else { a })).max(v_1[0 % v_1.len()]));
        if 1 > 1 { Some(0.5 * (a + b.y)) } else { None }
    }
    #[differentiable]
    pub fn h1(a: f64, b: &[f64], c: usize) -> Vec<f64> {
        let a = a * (0.5 * (a + b[(c + 2) % b.len()]));
        let s_8: f64 = (a).abs() * (a - a) * 0.5 * 0.5;
        if a < -0.8 { return b.iter().map(|u| u * 0.2).collect::<Vec<f64>>(); }
        let mut v_9: Vec<f64> = b.iter().enumerate().map(|(i, u)| u.sin() * s_8 + 0.1 * i as f64).collect();
        vec![a / (1.5 + (0.1 * c as f64) * (0.1 * c as f64)); 4]
    }
    #[differentiable]
    pub fn f(mut a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        b = 0.3 * x.iter().sum::<f64>();
        b = (a * b * 0.5).atan2(1.5 + x[(n + 1) % x.len()] * x[(n + 1) % x.len()]);
        for (i_10, u_11) in x.iter().enumerate() {
            let g_12 = |u_13: f64| (-(u_13)).atan2(1.5 + u_13 * u_13);
            for u_15 in x.iter() {
                let s_16: f64 = ((b).powi(2) * 0.2 - (1.0 + (0.1 * i_10 as f64) * (0.1 * i_10 as f64)).sqrt() - (a)) * 0.5;
                let mut p_20: Point = Point { x: (1.0 + a * a).sqrt() - (g_12(s_16)), y: (0.1 * i_10 as f64) / (1.5 + a * a) };
                a = (0.5 * ((0.3 * (s_16)).exp() + -(s_16))).cos();
            }
            b *= 0.8 + 0.1 * ((((a - x[i_10 % x.len()]) * 0.5).tanh()).tanh());
        }
        b = 0.6 * b + 0.3 * ((0.3 * (1.3 * (x[(n + 1) % x.len()]))).exp());
        let (s_21, s_22) = (0.5 * (x[n % x.len()] + x[(n + 1) % x.len()]), 0.5 * (x[n % x.len()] * a * 0.5 + (0.1 * n as f64) * b * 0.5));
        ((b).abs()).sin() + 0.3 * a + 0.3 * b + 0.7 * s_21 + 0.4 * s_22
    }
}

pub mod p013 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut v_1: Vec<f64> = x.iter().map(|u| u * 0.6).collect::<Vec<f64>>();
        let mut p_5: Point = Point { x: (1.2 + x[n % x.len()] * x[n % x.len()]).powf(0.5 * b), y: (b).sin() };
        if (n + 0) % 2 == 0 { return -(0.3 * v_1.iter().map(|u| u * u * 0.9).sum::<f64>()); }
        let s_6 = if b > -1.0 || (n + 2) == 7 {
            let s_7 = {
                let (mut s_8, mut s_9) = (b * (0.1 * n as f64) * 0.5, ((a).abs()).cos());
                std::mem::swap(&mut s_8, &mut s_9);
                (if n % 2 == 1 { s_9 } else { s_9 })
            };
            (0.3 * ((if b <= -0.6 { b } else { v_1[n % v_1.len()] }))).exp()
        } else {
            let k_10 = n % v_1.len();
            v_1[k_10] *= 0.8 + 0.1 * ((1.0 + b * b).sqrt() - (b) * b / (1.5 + p_5.x * p_5.x) * 0.5);
            (1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * ((0.1 * n as f64) * b * 0.5)
        };
        let s_11 = match n % 4 {
            0 => {
                let g_12 = |u_13: f64| 0.5 * (u_13 / (1.5 + s_6 * s_6) + u_13);
                (a).clamp(-0.7, 0.9)
            }
            1 | 2 => {
                let s_14 = if (0.1 * n as f64) > 0.9 {
                    let k_15 = n % v_1.len();
                    v_1[k_15] += 0.3 * (((1.0 + (0.1 * k_15 as f64) * (0.1 * k_15 as f64)).sqrt() - (v_1[(k_15 + 0) % v_1.len()]) - (b).powi(2) * 0.2) * 0.5);
                    (v_1[k_15 % v_1.len()]).cos() * ((0.1 * k_15 as f64) - p_5.y) * 0.5 * 0.5
                } else {
                    p_5.y = -(0.5 * (s_6 + p_5.y));
                    0.5 * ((if (n + 1) > 1 { v_1[n % v_1.len()] } else { s_6 }) + p_5.y * b * 0.5)
                };
                0.5 * (v_1[(n + 0) % v_1.len()] + x[n % x.len()])
            }
            _ => {
                let mut o_16 = if n > 0 { Some((s_6).atan2(1.5 + v_1[(n + 1) % v_1.len()] * v_1[(n + 1) % v_1.len()])) } else { None };
                (x[n % x.len()]).cos()
            }
        };
        0.3 * x.iter().map(|u| u * u * 0.9).sum::<f64>() + 0.5 * a + 1.0 * b + v_1.iter().sum::<f64>() * 0.3 + p_5.x * 0.9 - p_5.y + 0.4 * s_6 + 0.3 * s_11
    }
}

pub mod p014 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        'l2: for i_1 in 0..3 {
            let e_3: Choice = Choice::Plane((0.3 * (b)).exp(), b / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)));
            for i_2 in 0..2 {
                if b <= 1.1 { break 'l2; }
                let o_4 = Some(((x[i_1 % x.len()]).tanh() - 0.3 * x.iter().map(|u| u.tanh()).product::<f64>()) * 0.5);
            }
            let mut p_5 = Point { x: (x[i_1 % x.len()]).abs(), y: 0.5 * (b + b) };
        }
        let mut b = b * ((a).min((0.1 * n as f64)));
        let s_6 = 1.2 * (b);
        b *= 0.8 + 0.1 * ((1.5 + b * b).ln() + 0.1 * (x[n % x.len()] * (0.1 * n as f64) * 0.5));
        b *= 0.8 + 0.1 * ((x[n % x.len()]).tanh() * (1.2 + s_6 * s_6).powf(0.5 * (0.1 * n as f64)) * 0.5);
        let p_7 = Point { x: 0.3 * x.iter().fold(0.7, |s, u| 0.5 * s + u * b), y: x[(n + 0) % x.len()] / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)) };
        let mut p_8 = Point { x: -((0.1 * n as f64)), y: (b).cos() };
        let s_9 = match n % 4 {
            0 => {
                b = (x[n % x.len()]).abs();
                (if n % 2 == 0 { s_6 } else { x[n % x.len()] })
            }
            1 | 2 => {
                let mut b = b * ((1.5 + b * b).ln() + 0.1 * (p_8.y));
                (b).powi(3) * 0.2
            }
            _ => {
                let mut q_10: (f64, f64) = (-((0.1 * n as f64)), (0.3 * x.iter().sum::<f64>()).tanh());
                (q_10.1).powi(2) * 0.2
            }
        };
        (0.5 * (x[(n + 0) % x.len()] + (0.1 * n as f64))).tanh() + 0.5 * a + 0.6 * b + 0.5 * s_6 + p_7.x * 0.6 - p_7.y + p_8.x * 1.1 - p_8.y + 0.9 * s_9
    }
}

pub mod p015 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut o_1 = Some(((1.5 + a * a).ln() + 0.1 * (x[n % x.len()])).clamp(-0.7, 0.9));
        let g_2 = |u_3: f64| (u_3 * (0.1 * n as f64) * 0.5).sin();
        'l5: for i_4 in 0..3 {
            o_1 = Some((0.2 * (b) * 0.5 * (x[i_4 % x.len()] + g_2(b)) * 0.5).sin());
            for i_5 in 0..2 {
                if b >= -0.4 || i_5 == 7 { break 'l5; }
                o_1 = Some(((g_2(b)).atan2(1.5 + x[(i_5 + 2) % x.len()] * x[(i_5 + 2) % x.len()])).tanh());
            }
            o_1 = Some((0.5 * ((0.1 * i_4 as f64) / (1.5 + (0.1 * i_4 as f64) * (0.1 * i_4 as f64)) + 0.3 * x.iter().map(|u| u * u * 1.3).sum::<f64>())).sin());
        }
        let mut p_6 = Point { x: (1.0 + (0.1 * n as f64) * (0.1 * n as f64)).sqrt() - (b), y: (1.5 + a * a).ln() + 0.1 * (g_2(b)) };
        let mut r_7 = [(0.3 * (b)).exp(), g_2(b) / (1.5 + b * b), (if !(n > 2) { x[n % x.len()] } else { (0.1 * n as f64) })];
        let g_8 = |u_9: f64| (0.5 * (u_9 + u_9)).cos();
        let mut q_10: (f64, f64) = (x[n % x.len()] / (1.5 + r_7[1] * r_7[1]), (r_7[2]).cos());
        q_10.1 = 0.6 * q_10.1 + 0.3 * ((x[(n + 1) % x.len()] - r_7[2]) * 0.5 / (1.5 + b * b));
        let s_11 = match n % 4 {
            0 => {
                let s_12 = if n % 2 == 1 || n == 7 {
                    let (mut s_13, mut s_14) = q_10;
                    std::mem::swap(&mut s_13, &mut s_14);
                    g_8(s_14) / (1.5 + s_14 * s_14) / (1.5 + x[(n + 1) % x.len()] * x[(n + 1) % x.len()])
                } else {
                    0.5 * ((0.3 * (r_7[(n + 0) % 3])).exp() + 0.5 * ((0.1 * n as f64) + g_2(b)))
                };
                0.5 * ((0.1 * n as f64) + p_6.y)
            }
            1 | 2 => {
                let mut v_15: Vec<f64> = x.iter().enumerate().map(|(i, u)| u.sin() * b + 0.1 * i as f64).collect();
                ((0.1 * n as f64)).powi(3) * 0.2
            }
            _ => {
                let b = b * ((x[n % x.len()]).abs());
                0.5 * (x[(n + 1) % x.len()] + g_8(b))
            }
        };
        0.5 * (r_7[n % 3] * g_8(b) * 0.5 + (r_7[2]).cos()) + 0.6 * a + 0.7 * b + o_1.unwrap_or(0.5) + p_6.x * 0.5 - p_6.y + r_7.iter().sum::<f64>() * 0.3 + q_10.0 * 0.4 - q_10.1 + 0.4 * s_11
    }
}

pub mod p016 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, mut b: f64) -> [f64; 3] {
        let e_1 = Choice::Line { at: (a - b) * 0.5 };
        let mut b = b * (-(b));
        b = -(b);
        let mut s_2 = (b / (1.5 + b * b)).min(b);
        [b / (1.5 + a * a), s_2, s_2 * b * 0.5]
    }
    #[differentiable]
    pub fn h1(a: f64, b: Option<f64>, c: (f64, f64)) -> Point {
        let s_3 = if 1 > 2 {
            (c.1).sin() * a / (1.5 + a * a) * 0.5
        } else {
            ((1.5 + c.1 * c.1).ln() + 0.1 * (a)).max(a)
        };
        let o_4: Option<f64> = Some(a / (1.5 + c.1 * c.1));
        let g_5 = |u_6: f64| ((s_3).clamp(-0.7, 0.9)).atan2(1.5 + u_6 * u_6);
        let mut q_7: (f64, f64) = ((c.1 - s_3) * 0.5, 0.5 * (s_3 + c.1) * (1.5 + s_3 * s_3).ln() + 0.1 * (a) * 0.5);
        Point { x: (s_3 - s_3) * 0.5, y: (c.0).powi(2) * 0.2 }
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_8 = if n > 0 {
            let mut v_9: Vec<f64> = x.iter().map(|u| u * 0.4).collect::<Vec<f64>>();
            1.2 * ((v_9[(n + 2) % v_9.len()]).powi(2) * 0.2)
        } else {
            (b).abs() * 0.5 * (x[(n + 2) % x.len()] + b) * 0.5
        };
        let mut p_10 = Point { x: s_8 * (0.1 * n as f64) * 0.5, y: x[n % x.len()] };
        let mut v_11: Vec<f64> = vec![(1.0 + b * b).sqrt() - (p_10.y); 4];
        let mut k_12 = 0;
        loop {
            k_12 += 1;
            if k_12 > 3 { break; }
            v_11.push(((1.5 + (0.1 * k_12 as f64) * (0.1 * k_12 as f64)).ln() + 0.1 * (s_8 / (1.5 + x[k_12 % x.len()] * x[k_12 % x.len()]))).sin());
            p_10.y = ((1.5 + v_11[(n + 0) % v_11.len()] * v_11[(n + 0) % v_11.len()]).ln() + 0.1 * ((v_11[(k_12 + 1) % v_11.len()]).abs())).sin();
            let k_13 = n % v_11.len();
            v_11[k_13] += 0.3 * (((a).min(p_10.x) * (s_8).abs() * 0.5).cos());
        }
        let mut s_14: f64 = (1.2 + b * b).powf(0.5 * p_10.y);
        for i_15 in (0..5).step_by(2) {
            let r_16 = h0(s_14 * 0.7, s_8);
            let k_17 = i_15 % v_11.len();
            v_11[k_17] -= 0.2 * (((0.3 * x.iter().fold(1.0, |s, u| 0.5 * s + u * s_8)).sin()).sin());
        }
        (s_8 * s_14 * 0.5).atan2(1.5 + s_8 * s_8) + 1.0 * a + 0.9 * b + 0.7 * s_8 + p_10.x * 0.6 - p_10.y + v_11.iter().sum::<f64>() * 1.1 + 0.9 * s_14
    }
}

pub mod p017 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: usize) -> Option<f64> {
        for i_1 in 0..b % 4 {
            let o_2 = if a <= -0.6 { Some(((0.1 * i_1 as f64)).max(a)) } else { None };
            let s_3 = {
                for i_4 in 0..1 {
                    let mut s_5: f64 = 0.7 * ((a - a) * 0.5);
                    s_5 *= 0.8 + 0.1 * (((1.2 + s_5 * s_5).powf(0.5 * s_5) / (1.5 + (0.1 * i_1 as f64) * (0.1 * i_1 as f64))).cos());
                }
                (a).powi(3) * 0.2
            };
            let mut v_6: Vec<f64> = vec![s_3 / (1.5 + a * a), (0.1 * i_1 as f64)];
        }
        Some((a).abs() * (if a <= -0.8 { a } else { a }) * 0.5)
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        if (n + 1) % 2 == 1 { return ((0.3 * ((0.1 * n as f64))).exp()).powi(3) * 0.2; }
        if a > 0.7 || n == 7 {
            let mut r_7: [f64; 3] = [(a - x[n % x.len()]) * 0.5, ((0.1 * n as f64)).cos(), (x[n % x.len()] - b) * 0.5];
            r_7[1] -= 0.2 * (b * a * 0.5);
        } else {
            for (i_8, u_9) in x.iter().enumerate() {
                let s_10 = if (i_8 + 0) > 2 {
                    (1.0 + (0.1 * i_8 as f64) * (0.1 * i_8 as f64)).sqrt() - ((x[i_8 % x.len()]).sin())
                } else {
                    if !(i_8 > 0) { break; }
                    (0.5 * (b + a)).atan2(1.5 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()])
                };
                let mut s_11: f64 = 0.5 * (b + x[(i_8 + 1) % x.len()]) / (1.5 + x[i_8 % x.len()] * x[i_8 % x.len()]);
                s_11 = ((s_11).min((*u_9)) * 0.8 * ((*u_9)) * 0.5).tanh();
            }
            let s_12 = (x[n % x.len()]).powi(3) * 0.2 * (0.1 * n as f64) * (0.1 * n as f64) * 0.5 * 0.5;
            b += 0.3 * ((1.5 + s_12 * s_12).ln() + 0.1 * (1.3 * ((0.1 * n as f64))));
        }
        b = 0.6 * b + 0.3 * ((a * x[(n + 0) % x.len()] * 0.5).atan2(1.5 + a * a));
        (b).cos() / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)) + 0.4 * a + 0.8 * b
    }
}

pub mod p018 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: (f64, f64)) -> f64 {
        let mut s_1 = 0.5 * (a + a);
        for i_2 in 1..=2 {
            let (s_3, s_4) = ((0.3 * (s_1)).exp(), (1.5 + a * a).ln() + 0.1 * (s_1) * b.0 * 0.5);
            let mut q_5 = ((s_3).tanh(), (((0.1 * i_2 as f64)).atan2(1.5 + s_3 * s_3)).clamp(-0.7, 0.9));
            q_5.1 -= 0.2 * ((((s_3).abs()).min(q_5.1)).sin());
        }
        (1.0 + a * a).sqrt() - ((s_1).sin())
    }
    #[differentiable]
    pub fn h1(mut a: f64, b: [f64; 3]) -> [f64; 3] {
        a = 0.6 * a + 0.3 * (((1.5 + h0(a, (a, a)) * h0(a, (a, a))).ln() + 0.1 * (b[0])).abs());
        let o_6 = Some(0.3 * (0.3 * b.iter().fold(1.5, |s, u| 0.5 * s + u * a)));
        let mut s_7 = h0(a, (a, a));
        let mut s_8 = (0.5 * (s_7 + s_7)).tanh();
        [(b[2]).tanh(), 0.3 * (b[1]), s_8 * b[1] * 0.5]
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        for &u_10 in x.iter().rev() {
            let mut o_11 = if !(n > 0) { Some(((0.1 * n as f64)).powi(2) * 0.2) } else { None };
            let s_12 = match n % 4 {
                0 => {
                    o_11 = Some(((0.5 * ((0.1 * n as f64) + b) - (x[(n + 1) % x.len()]).atan2(1.5 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()])) * 0.5).sin());
                    0.5 * (x[(n + 2) % x.len()] + (0.1 * n as f64))
                }
                1 | 2 => {
                    o_11 = Some((0.3 * x.iter().fold(0.6, |s, u| 0.5 * s + u * u_10)).tanh());
                    ((0.1 * n as f64) - u_10) * 0.5
                }
                _ => {
                    let g_13 = |u_14: f64| (u_14 * u_14 * 0.5).tanh();
                    x[n % x.len()] * a * 0.5
                }
            };
            o_11 = Some(((0.5 * (a + u_10)).clamp(-0.7, 0.9)).cos());
        }
        let mut s_18: f64 = h0(b * 0.7, (a, b));
        let mut s_19: f64 = h0(s_18 * 0.7, (s_18, s_18));
        let (mut s_20, mut s_21) = (((0.1 * n as f64)).atan2(1.5 + h0(s_19, (s_18, s_18)) * h0(s_19, (s_18, s_18))), (1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * ((s_18).atan2(1.5 + s_19 * s_19)));
        std::mem::swap(&mut s_20, &mut s_21);
        (1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * ((s_20).clamp(-0.7, 0.9)) + 0.7 * a + 0.7 * b + 0.4 * s_18 + 0.9 * s_19 + 0.6 * s_20 + 0.5 * s_21
    }
}

pub mod p019 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64, b: (f64, f64), mut c: f64) -> Vec<f64> {
        if 1 > 1 { return vec![(a).atan2(1.5 + c * c), c]; }
        'l2: for i_1 in 0..3 {
            c = (((c).min(b.0)).cos()).sin();
            for i_2 in 0..2 {
                if c <= 0.2 { break 'l2; }
                a = (((c).powi(2) * 0.2 - c * a * 0.5) * 0.5).cos();
            }
            c *= 0.8 + 0.1 * ((((c).clamp(-0.7, 0.9)).tanh()).sin());
        }
        for i_3 in (0..1).rev() {
            let v_4: Vec<f64> = vec![(c).max(c), (0.3 * (a)).exp()];
            let mut p_5 = Point { x: (0.3 * (c)).exp(), y: c / (1.5 + (0.1 * i_3 as f64) * (0.1 * i_3 as f64)) };
            c -= 0.2 * ((-((c - v_4[(i_3 + 2) % v_4.len()]) * 0.5)).cos());
        }
        vec![-(a), c / (1.5 + c * c)]
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let b = b * ((1.0 + a * a).sqrt() - (a));
        let o_6 = Some(0.5 * ((x[(n + 2) % x.len()]).atan2(1.5 + b * b) + b / (1.5 + a * a)));
        let s_7 = if (0.1 * n as f64) <= -1.4 {
            -(1.0 * (x[n % x.len()]))
        } else {
            (b).max(x[n % x.len()]) * (1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * ((0.1 * n as f64)) * 0.5
        };
        let o_8 = if !(x[n % x.len()] >= 0.3) { Some(0.5 * (x[n % x.len()] + s_7)) } else { None };
        let mut o_9 = Some(((1.5 + s_7 * s_7).ln() + 0.1 * ((0.1 * n as f64))).powi(3) * 0.2);
        let a = a * ((x[n % x.len()] - b) * 0.5);
        'l11: for i_10 in 0..3 {
            o_9 = Some((-((a).abs())).sin());
            for i_11 in 0..2 {
                if (i_10 + 2) > 2 || (i_11 + 2) == 7 { break 'l11; }
                o_9 = Some((((0.1 * n as f64) * x[(i_11 + 2) % x.len()] * 0.5).powi(3) * 0.2).sin());
            }
            o_9 = Some((((x[i_10 % x.len()]).cos()).atan2(1.5 + (0.1 * i_10 as f64) * (0.1 * i_10 as f64))).tanh());
        }
        for i_12 in (0..3).rev() {
            if let Some(u_14) = o_9 {
                o_9 = Some(((u_14).tanh()).cos());
                let mut e_16: Choice = Choice::Nothing;
                o_9 = Some(((0.3 * (x[i_12 % x.len()])).exp() / (1.5 + a * a)).tanh());
            }
            o_9 = Some(((x[i_12 % x.len()] * x[i_12 % x.len()] * 0.5).powi(3) * 0.2).cos());
        }
        ((s_7).abs()).sin() + 0.8 * b + o_6.unwrap_or(0.8) + 1.0 * s_7 + o_8.unwrap_or(0.8) + o_9.unwrap_or(0.5) + 0.3 * a
    }
}
