// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p000 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64, b: [f64; 3], c: f64) -> f64 {
        a += 0.3 * (0.3 * b.iter().map(|u| u * u * 0.9).sum::<f64>());
        a = 0.6 * a + 0.3 * (0.3 * b.iter().zip(b.iter()).map(|(u, w)| u * w).sum::<f64>());
        let v_4: Vec<f64> = b.iter().map(|u| u * 0.6).collect::<Vec<f64>>();
        let mut v_5: Vec<f64> = vec![-(b[0]), (1.0 + v_4[3 % v_4.len()] * v_4[3 % v_4.len()]).sqrt() - (c)];
        (1.2 + v_5[0 % v_5.len()] * v_5[0 % v_5.len()]).powf(0.5 * c)
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_6 = if n % 2 == 1 {
            let mut o_7 = Some(((h0(b * 0.7, [a, a, 0.3], b * 0.7)).clamp(-0.7, 0.9)).clamp(-0.7, 0.9));
            (x[n % x.len()]).min(x[n % x.len()]) * (b).powi(2) * 0.2 * 0.5
        } else {
            let s_8 = if h0(b, [b, b, 0.7], b * 0.7) >= 0.3 {
                match n % 4 {
                    0 => {
                        let mut q_10: (f64, f64) = ((a).powi(3) * 0.2, (0.3 * (1.5 * ((0.1 * n as f64)))).exp());
                    }
                    1 | 2 => {
                        let mut o_11: Option<f64> = Some((b - a) * 0.5 * -((0.1 * n as f64)) * 0.5);
                    }
                    _ => {
                        let mut s_12 = (0.5 * (b + b) - (b).cos()) * 0.5;
                    }
                }
                0.5 * (b + x[(n + 1) % x.len()] * a * 0.5)
            } else {
                (1.2 + (0.1 * n as f64) * (0.1 * n as f64)).powf(0.5 * h0(b, [b, b, 1.0], b))
            };
            (x[(n + 2) % x.len()]).powi(2) * 0.2 / (1.5 + h0(s_8, [s_8, s_8, 0.3], s_8) * h0(s_8, [s_8, s_8, 0.3], s_8))
        };
        let s_13 = if n % 2 == 0 {
            let g_14 = |u_15: f64| ((h0(b * 0.7, [s_6, u_15, 1.3], u_15)).tanh()).tanh();
            (-(x[(n + 0) % x.len()])).min(x[n % x.len()])
        } else {
            let s_16 = if !(n > 2) {
                (1.0 + h0(s_6, [s_6, b, 0.7], b) * h0(s_6, [s_6, b, 0.7], b)).sqrt() - (b * b * 0.5)
            } else {
                (h0(s_6 * 0.7, [b, s_6, 1.0], s_6)).tanh() * (if (n + 0) % 2 == 1 { x[(n + 1) % x.len()] } else { s_6 }) * 0.5
            };
            ((h0(b * 0.7, [b, s_6, 0.6], a * 0.7)).tanh()).clamp(-0.7, 0.9)
        };
        0.5 * (s_13 + s_13) / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)) + 0.5 * a + 1.0 * b + 0.6 * s_6 + 0.6 * s_13
    }
}

pub mod p001 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Choice) -> f64 {
        for i_1 in 0..3 {
            let mut s_2 = 0.5 * ((a).atan2(1.5 + a * a) + ((0.1 * i_1 as f64)).powi(3) * 0.2);
            s_2 = 0.6 * s_2 + 0.3 * (((a).cos() / (1.5 + a * a)).tanh());
        }
        let p_3 = Point { x: (a).sin(), y: 0.5 * (a + a) };
        let s_4: f64 = ((0.3 * (a)).exp()).abs();
        ((1.0 + p_3.x * p_3.x).sqrt() - (s_4) - (a).atan2(1.5 + p_3.y * p_3.y)) * 0.5
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut v_5: Vec<f64> = x.iter().map(|u| u * 1.0).collect::<Vec<f64>>();
        let b = b * (b * x[n % x.len()] * 0.5);
        let g_6 = |u_7: f64| (0.3 * ((x[(n + 0) % x.len()]).sin())).exp();
        if v_5.len() > 1 && let Some(top) = v_5.pop() {
            v_5[0] += 0.1 * top;
        }
        if (n + 0) > 2 {
            let (s_8, s_9) = ((if b > -0.8 { a } else { (0.1 * n as f64) }), 0.5 * ((0.1 * n as f64) * h0(b, Choice::Plane(a, a)) * 0.5));
            let mut q_10 = (v_5[(n + 2) % v_5.len()] * g_6(s_8) * 0.5, b * s_9 * 0.5 * (1.0 + s_9 * s_9).sqrt() - (h0(s_9 * 0.7, Choice::Plane(s_9, b))) * 0.5);
            let k_11 = (n + 2) % v_5.len();
            v_5[k_11] = -(x[(n + 2) % x.len()]) * s_9 / (1.5 + s_9 * s_9) * 0.5;
        }
        let v_15: Vec<f64> = vec![a * b * 0.5; 4];
        for (i_16, u_17) in v_15.iter().enumerate() {
            let k_18 = (i_16 + 2) % v_5.len();
            v_5[k_18] -= 0.2 * ((0.5 * (1.0 * ((0.1 * n as f64)) + (*u_17))).tanh());
            for (i_19, u_20) in v_5.iter_mut().enumerate() {
                *u_20 *= 0.8 + 0.1 * ((0.3 * (v_15[n % v_15.len()])).exp()).sin();
            }
            let k_21 = i_16 % v_5.len();
            v_5[k_21] -= 0.2 * (((((0.1 * k_21 as f64)).powi(2) * 0.2).powi(2) * 0.2).tanh());
        }
        (0.1 * n as f64) / (1.5 + v_15[(n + 2) % v_15.len()] * v_15[(n + 2) % v_15.len()]) * 0.9 * (b) * 0.5 + 0.9 * a + v_5.iter().sum::<f64>() * 1.0 + 0.3 * b + v_15.iter().sum::<f64>() * 0.5
    }
}

pub mod p002 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        'l2: for i_1 in 0..3 {
            a = (0.3 * (0..3).map(|i| b.sin() * i as f64).sum::<f64>() * (b).sin() * 0.5).tanh();
            for i_2 in 0..2 {
                if i_1 % 2 == 0 { continue; }
                a *= 0.8 + 0.1 * ((1.4 * (x[(i_2 + 0) % x.len()] * b * 0.5)).cos());
            }
            a += 0.3 * (((0.3 * ((1.2 + a * a).powf(0.5 * b))).exp()).cos());
        }
        let g_3 = |u_4: f64| (if (n + 1) % 2 == 1 { b * u_4 * 0.5 } else { (x[n % x.len()]).tanh() });
        match n % 4 {
            0 => {
                let mut s_6 = ((g_3(b)).max(x[n % x.len()])).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64));
            }
            1 | 2 => {
                let g_7 = |u_8: f64| (if b > -1.0 { 0.3 * x.iter().map(|u| u.tanh()).product::<f64>() } else { -(u_8) });
            }
            _ => {
                a += 0.3 * (0.3 * x.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>());
            }
        }
        'l10: for i_9 in 0..3 {
            a = 0.6 * a + 0.3 * ((0.3 * x.iter().rev().skip(1).copied().map(|u| u * a).sum::<f64>() / (1.5 + b * b)).tanh());
            for i_10 in 0..2 {
                if (i_9 + 0) % 2 == 0 { continue; }
                a = (b / (1.5 + b * b) / (1.5 + a * a)).tanh();
            }
            a += 0.3 * ((b * b * 0.5 / (1.5 + x[(i_9 + 2) % x.len()] * x[(i_9 + 2) % x.len()])).sin());
        }
        for (i_11, u_12) in x.iter().skip(1).enumerate() {
            a = 0.6 * a + 0.3 * ((b * a * 0.5 / (1.5 + b * b)).cos());
            let v_13: Vec<f64> = x.iter().map(|u| u * 0.7).collect::<Vec<f64>>();
            a *= 0.8 + 0.1 * ((b * (0.1 * i_11 as f64) * 0.5 * (if g_3(b) > 1.1 && i_11 < 9 { v_13[n % v_13.len()] } else { b }) * 0.5).sin());
        }
        ((x[(n + 0) % x.len()] - b) * 0.5 - a / (1.5 + x[(n + 1) % x.len()] * x[(n + 1) % x.len()])) * 0.5 + 1.1 * a + 0.7 * b
    }
}

pub mod p003 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: &[f64]) -> (f64, f64) {
        for u_2 in b.iter().copied() {
            let mut q_3 = ((u_2).cos(), ((if b[1 % b.len()] < 0.8 && 2 < 9 { u_2 } else { u_2 })).sin());
            let mut s_4 = 0.5 * (b[3 % b.len()] + b[3 % b.len()]) * (q_3.1).atan2(1.5 + b[3 % b.len()] * b[3 % b.len()]) * 0.5;
            s_4 *= 0.8 + 0.1 * ((0.5 * (0.3 * b.iter().map(|u| u * u * 1.1).sum::<f64>())).cos());
        }
        for i_5 in (0..5).step_by(2) {
            let mut e_6 = Choice::Line { at: a * (0.1 * i_5 as f64) * 0.5 };
            let mut s_7: f64 = (1.0 + (0.1 * i_5 as f64) * (0.1 * i_5 as f64)).sqrt() - (b[i_5 % b.len()] / (1.5 + b[i_5 % b.len()] * b[i_5 % b.len()]));
            s_7 -= 0.2 * ((((s_7 - b[i_5 % b.len()]) * 0.5).powi(3) * 0.2).cos());
        }
        (0.5 * (b[3 % b.len()] + b[1 % b.len()]), (a * a * 0.5).atan2(1.5 + a * a))
    }
    #[differentiable]
    pub fn h1(a: f64, b: (f64, f64), #[constant] c: f64) -> Option<f64> {
        let (s_8, s_9) = h0(a, &[c, c]);
        let o_10: Option<f64> = Some((if b.1 > -0.2 || 2 == 7 { (a).min(s_8) } else { 0.5 * (s_8 + s_8) }));
        let s_11 = {
            let s_12 = match o_10 { Some(u_13) => (u_13).powi(3) * 0.2, None => (c).powi(2) * 0.2 };
            (1.5 + b.1 * b.1).ln() + 0.1 * (s_12)
        };
        Some(((s_9).sin()).cos())
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_15 = {
            let g_16 = |u_17: f64| ((b).sin()).atan2(1.5 + u_17 * u_17);
            0.5 * (g_16(b) + (0.1 * n as f64))
        };
        let (s_18, s_19) = h0(b, x);
        for i_20 in 1..=2 {
            let mut v_21: Vec<f64> = x.iter().map(|u| u * 0.5).collect::<Vec<f64>>();
            for i_22 in 0..i_20 % 4 {
                let k_23 = i_20 % v_21.len();
                v_21[k_23] = ((1.0 + s_18 * s_18).sqrt() - ((s_18).clamp(-0.7, 0.9))).sin();
                let (i, j) = (i_20 % v_21.len(), i_20 % v_21.len());
                v_21.swap(i, j);
                let k_24 = (k_23 + 2) % v_21.len();
                v_21[k_24] = ((s_19).max(x[i_22 % x.len()]) * (1.2 + s_18 * s_18).powf(0.5 * s_15) * 0.5).cos();
            }
            let k_25 = (i_20 + 2) % v_21.len();
            v_21[k_25] = (0.2 * ((0.1 * i_20 as f64)) / (1.5 + s_18 * s_18)).cos();
        }
        for i_26 in (0..5).step_by(2) {
            let mut s_27 = (((0.1 * i_26 as f64)).cos()).max(s_19);
            if s_27 <= -0.2 {
                for &u_29 in x.iter().rev() {
                    s_27 = (0.3 * (0..3).map(|i| s_18.sin() * i as f64).sum::<f64>()).tanh();
                    s_27 *= 0.8 + 0.1 * (((1.0 + s_15 * s_15).sqrt() - ((u_29).clamp(-0.7, 0.9))).cos());
                }
                let mut q_30 = h0(s_15 * 0.7, x);
                q_30.0 += 0.3 * ((s_15 * s_27 * 0.5 * ((0.1 * i_26 as f64)).min(s_15) * 0.5).sin());
            }
            s_27 *= 0.8 + 0.1 * (((((0.1 * i_26 as f64)).max((0.1 * i_26 as f64))).sin()).tanh());
        }
        (s_19 * s_15 * 0.5 - (if n > 2 { x[n % x.len()] } else { s_19 })) * 0.5 + 1.0 * a + 0.3 * b + 0.5 * s_15 + 0.7 * s_18 + 0.9 * s_19
    }
}

pub mod p004 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> f64 {
        let s_1 = (a).clamp(-0.7, 0.9);
        let mut e_2: Choice = Choice::Line { at: -(s_1) };
        let p_3 = Point { x: s_1 * s_1 * 0.5, y: (s_1).atan2(1.5 + 0.6_f64 * 0.6_f64) };
        let (mut s_4, mut s_5) = ((1.2 + a * a).powf(0.5 * s_1), (p_3.y - a) * 0.5 * (s_1 - a) * 0.5 * 0.5);
        std::mem::swap(&mut s_4, &mut s_5);
        p_3.y * s_5 * 0.5
    }
    #[differentiable]
    pub fn h1(a: f64, b: [f64; 3]) -> Option<f64> {
        let mut q_6: (f64, f64) = ((a - a) * 0.5, (1.2 + a * a).powf(0.5 * a) / (1.5 + a * a));
        let mut r_7: [f64; 3] = [(b[0 % 3]).abs(); 3];
        for i_8 in 0..1 {
            let mut a = a * ((if !((i_8 + 2) > 2) { h0(a * 0.7) } else { r_7[2] }));
            q_6.0 += 0.3 * ((((0.3 * (a)).exp()).atan2(1.5 + r_7[0] * r_7[0])).sin());
        }
        Some((a).powi(3) * 0.2 / (1.5 + h0(a) * h0(a)))
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut e_9 = Choice::Plane(h0(b) / (1.5 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()]), (h0(a * 0.7)).max(x[n % x.len()]));
        let p_10: Point = Point { x: (0.3 * (x[n % x.len()])).exp(), y: 0.5 * (b + a) };
        let q_11 = (0.5 * (b + a), (x[n % x.len()]).tanh() / (1.5 + b * b));
        let (s_12, s_13) = q_11;
        let mut v_14: Vec<f64> = vec![(q_11.0).clamp(-0.7, 0.9), 0.5 * (x[(n + 0) % x.len()] + x[(n + 1) % x.len()])];
        v_14.reverse();
        let s_15 = ((b).sin()).powi(2) * 0.2;
        if (0.1 * n as f64) < -1.0 { return (s_13 / (1.5 + (0.1 * n as f64) * (0.1 * n as f64))).powi(2) * 0.2; }
        let k_16 = (n + 2) % v_14.len();
        v_14[k_16] *= 0.8 + 0.1 * (0.5 * ((q_11.0 - x[n % x.len()]) * 0.5 + v_14[(k_16 + 2) % v_14.len()] / (1.5 + s_15 * s_15)));
        (if h0(a * 0.7) > -1.0 { 0.9 * (x[k_16 % x.len()]) } else { ((0.1 * k_16 as f64)).atan2(1.5 + v_14[n % v_14.len()] * v_14[n % v_14.len()]) }) + 0.9 * a + 0.4 * b + p_10.x * 0.9 - p_10.y + q_11.0 * 0.7 - q_11.1 + 0.9 * s_12 + 0.5 * s_13 + v_14.iter().sum::<f64>() * 1.1 + 0.5 * s_15
    }
}

pub mod p005 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        for i_1 in (0..2).rev() {
            a = (((b).cos()).min((0.1 * i_1 as f64))).tanh();
            'l3: for i_2 in 0..3 {
                a = (1.1 * ((x[i_1 % x.len()]).abs())).sin();
                for i_3 in 0..2 {
                    if x[i_2 % x.len()] >= 1.5 { continue; }
                    a = 0.6 * a + 0.3 * ((b * x[i_2 % x.len()] * 0.5).tanh());
                }
                a = (1.3 * ((1.2 + b * b).powf(0.5 * a))).tanh();
            }
            a = ((b * x[i_1 % x.len()] * 0.5).tanh()).sin();
        }
        let mut r_4 = [(b - x[(n + 1) % x.len()]) * 0.5; 3];
        let mut s_8: f64 = ((0.3 * (a)).exp()).abs();
        'l10: for i_9 in 0..3 {
            s_8 += 0.3 * (((0.5 * (x[(n + 0) % x.len()] + s_8)).powi(3) * 0.2).sin());
            for i_10 in 0..2 {
                if n > 1 { continue; }
                s_8 = (0.3 * r_4.iter().map(|u| u * u * 0.7).sum::<f64>() / (1.5 + (0.1 * i_10 as f64) * (0.1 * i_10 as f64))).sin();
            }
            a = 0.6 * a + 0.3 * (((1.2 + r_4[i_9 % 3] * r_4[i_9 % 3]).powf(0.5 * s_8)).cos());
        }
        s_8 -= 0.2 * (((s_8 - (0.1 * n as f64)) * 0.5 - (1.0 + s_8 * s_8).sqrt() - (r_4[(n + 2) % 3])) * 0.5);
        if !(n % 2 == 0) {
            let (mut s_11, mut s_12) = ((r_4[(n + 2) % 3]).cos(), (if n % 2 == 0 { s_8 * r_4[0] * 0.5 } else { 0.5 * (s_8 + r_4[1]) }));
            let (s_13, s_14) = ((0.3 * (r_4[n % 3])).exp(), (-(b)).clamp(-0.7, 0.9));
            a *= 0.8 + 0.1 * ((if r_4[n % 3] > -0.4 { (r_4[0]).abs() } else { (s_12).sin() }));
        } else {
            for (i_15, u_16) in r_4.iter_mut().enumerate() {
                *u_16 = 0.5 * *u_16 + 0.2 * (0.5 * (a + (0.1 * n as f64)));
            }
            r_4[n % 3] = ((s_8).abs() - 0.3 * r_4.iter().enumerate().map(|(i, u)| (u * s_8).sin() * i as f64).sum::<f64>()) * 0.5;
        }
        b * b * 0.5 / (1.5 + s_8 * s_8) + 1.0 * a + 1.1 * b + r_4.iter().sum::<f64>() * 1.0 + 1.1 * s_8
    }
}

pub mod p006 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> Vec<f64> {
        let mut e_1 = Choice::Plane((a).tanh(), a);
        let s_2 = if 2 % 2 == 1 {
            (if !(1 > 1) { a / (1.5 + a * a) } else { (a - a) * 0.5 })
        } else {
            1.5 * (1.1 * (a))
        };
        if 0 % 2 == 0 && 0 < 9 { return vec![(s_2).abs(), (s_2 - s_2) * 0.5]; }
        let p_3: Point = Point { x: 1.1 * (s_2), y: s_2 };
        vec![(a).tanh(), p_3.x * a * 0.5]
    }
    #[differentiable]
    pub fn h1(a: f64, b: Option<f64>, c: f64) -> [f64; 3] {
        let mut e_4 = Choice::Nothing;
        let (mut s_5, mut s_6) = ((c).powi(2) * 0.2, (c - a) * 0.5);
        std::mem::swap(&mut s_5, &mut s_6);
        let s_7 = {
            let s_8 = if s_6 > -0.7 {
                0.5 * ((1.5 + s_6 * s_6).ln() + 0.1 * (a) + (1.0 + s_6 * s_6).sqrt() - (c))
            } else {
                0.2 * (s_5) / (1.5 + s_6 * s_6)
            };
            s_5 * s_6 * 0.5
        };
        [-(s_7), s_6 / (1.5 + s_6 * s_6), s_6 * s_6 * 0.5]
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut k_9 = 0;
        while k_9 < 2 {
            k_9 += 1;
            let (mut s_10, mut s_11) = ((1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * (b), (-(b)).powi(2) * 0.2);
            'l13: for i_12 in 0..3 {
                s_11 = (((0.1 * k_9 as f64) / (1.5 + b * b) - -(s_11)) * 0.5).sin();
                for i_13 in 0..2 {
                    if i_12 > 2 && (k_9 + 2) < 9 { continue 'l13; }
                    s_11 = ((if i_13 > 1 { (a).cos() } else { (1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * (b) })).sin();
                }
                s_10 = (0.2 * ((x[i_12 % x.len()]).tanh())).tanh();
            }
            s_10 = ((1.5 + (0.1 * k_9 as f64) * (0.1 * k_9 as f64)).ln() + 0.1 * ((a).powi(3) * 0.2)).sin();
        }
        let mut s_14: f64 = ((if n > 1 { a } else { a })).max(b);
        let (s_15, s_16) = (1.5 * (s_14), (0.5 * (x[(k_9 + 0) % x.len()] + s_14)).max(x[k_9 % x.len()]));
        match k_9 % 4 {
            0 => {
                let mut v_18: Vec<f64> = vec![0.5 * (s_14 + x[(n + 0) % x.len()]); 4];
            }
            1 | 2 => {
                'l20: for i_19 in 0..3 {
                    s_14 = 0.6 * s_14 + 0.3 * ((0.5 * ((x[i_19 % x.len()]).clamp(-0.7, 0.9) + 0.3 * (x[i_19 % x.len()]))).cos());
                    for i_20 in 0..2 {
                        if (i_19 + 1) > 0 { continue 'l20; }
                        s_14 -= 0.2 * (((if i_20 > 1 || n == 7 { (x[(i_19 + 2) % x.len()]).tanh() } else { (s_16).abs() })).sin());
                    }
                    s_14 = (0.3 * (0..3).map(|i| s_16.sin() * i as f64).sum::<f64>()).tanh();
                }
            }
            _ => {
                let (s_21, s_22) = ((x[k_9 % x.len()]).cos(), ((s_16).tanh()).clamp(-0.7, 0.9));
            }
        }
        ((1.0 + s_14 * s_14).sqrt() - ((0.1 * k_9 as f64)) - (s_16).min(x[(k_9 + 0) % x.len()])) * 0.5 + 0.7 * a + 0.3 * b + 0.7 * s_14 + 0.8 * s_15 + 0.4 * s_16
    }
}

pub mod p007 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        a += 0.3 * ((1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * (b) * a / (1.5 + b * b) * 0.5);
        'l2: for i_1 in 0..3 {
            a = (b * b * 0.5).tanh();
            for i_2 in 0..2 {
                if !(i_1 % 2 == 1) { continue 'l2; }
                a *= 0.8 + 0.1 * (((0.3 * ((b).sin())).exp()).cos());
            }
            a = ((x[i_1 % x.len()] - b) * 0.5 * 0.3 * x.iter().map(|u| u * u * 1.1).sum::<f64>() * 0.5).sin();
        }
        let mut b = b * (b * (0.1 * n as f64) * 0.5);
        let mut e_3 = Choice::Line { at: a * b * 0.5 };
        let s_4 = if (0.1 * n as f64) > 1.2 || n == 7 {
            let mut p_5 = Point { x: x[(n + 2) % x.len()] * x[n % x.len()] * 0.5, y: (b).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64)) };
            ((if x[n % x.len()] < -1.2 || n == 7 { x[n % x.len()] } else { x[n % x.len()] })).cos()
        } else {
            match n % 4 {
                0 => {
                    let b = b * ((x[n % x.len()]).cos());
                }
                1 | 2 => {
                    a = 0.6 * a + 0.3 * (((x[n % x.len()] - b) * 0.5).powi(2) * 0.2);
                }
                _ => {
                    let (mut s_7, mut s_8) = (a, ((1.0 + b * b).sqrt() - (a)).cos());
                }
            }
            ((a - (0.1 * n as f64)) * 0.5 - (if !(n % 2 == 0) { b } else { b })) * 0.5
        };
        ((0.1 * n as f64) / (1.5 + b * b)).cos() + 1.1 * a + 0.9 * b + 0.6 * s_4
    }
}

pub mod p008 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let mut p_1 = Point { x: b * b * 0.5, y: (1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - (x[(n + 1) % x.len()]) };
        p_1.x = b / (1.5 + b * b) / (1.5 + b * b);
        let mut e_2 = Choice::Nothing;
        let mut p_3 = Point { x: (x[n % x.len()]).atan2(1.5 + a * a), y: b / (1.5 + x[n % x.len()] * x[n % x.len()]) };
        for u_5 in x.iter().copied() {
            let mut k_6 = 0;
            loop {
                k_6 += 1;
                if k_6 > 4 { break; }
                for u_8 in x.iter() {
                    p_1.x = ((x[(k_6 + 2) % x.len()]).cos()).cos();
                    let mut e_9 = Choice::Nothing;
                    p_3.x = 0.6 * p_3.x + 0.3 * ((((1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - ((0.1 * k_6 as f64))).clamp(-0.7, 0.9)).tanh());
                }
                let mut o_10 = Some(x[(n + 1) % x.len()] * b * 0.5);
                p_3.y = ((1.5 + u_5 * u_5).ln() + 0.1 * (x[(k_6 + 1) % x.len()])).sin();
            }
            p_1.y = 0.6 * p_1.y + 0.3 * ((1.1 * (x[(k_6 + 0) % x.len()]) * (b).abs() * 0.5).tanh());
        }
        0.5 * ((p_3.x).clamp(-0.7, 0.9) + (x[n % x.len()] - b) * 0.5) + 0.9 * a + 0.4 * b + p_1.x * 1.1 - p_1.y + p_3.x * 0.8 - p_3.y
    }
}

pub mod p009 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut e_1 = Choice::Plane((a).atan2(1.5 + b * b), 0.3 * x.iter().sum::<f64>());
        let mut v_2: Vec<f64> = vec![(b - b) * 0.5; 4];
        let q_3 = (b * v_2[n % v_2.len()] * 0.5, (0.3 * (b * a * 0.5)).exp());
        if (n + 2) > 2 || n == 7 {
            let mut e_4 = Choice::Nothing;
            let k_5 = (n + 2) % v_2.len();
            v_2[k_5] += 0.3 * ((if a >= -1.2 { (1.5 + b * b).ln() + 0.1 * (v_2[n % v_2.len()]) } else { b }));
        } else {
            let mut e_6: Choice = Choice::Plane(b * b * 0.5, x[n % x.len()]);
            let k_7 = (n + 2) % v_2.len();
            v_2[k_7] = 1.5 * ((b).sin());
        }
        let k_8 = n % v_2.len();
        v_2[k_8] = 0.6 * v_2[k_8] + 0.3 * ((1.2 + (0.1 * k_8 as f64) * (0.1 * k_8 as f64)).powf(0.5 * b));
        let mut q_9 = (b * b * 0.5, ((a).powi(3) * 0.2).powi(3) * 0.2);
        let mut k_10 = 0;
        while k_10 < 4 {
            k_10 += 1;
            q_9.1 = 0.6 * q_9.1 + 0.3 * ((((a).clamp(-0.7, 0.9)).sin()).cos());
            let s_11 = if k_10 % 2 == 1 {
                let top = v_2.pop().unwrap();
                v_2.push(0.5 * top + 0.2 * ((1.1 * ((b - q_9.1) * 0.5)).sin()));
                (a).min(q_9.0) * (b).max(b) * 0.5
            } else {
                (1.5 + a * a).ln() + 0.1 * ((0.1 * k_10 as f64) / (1.5 + q_9.0 * q_9.0))
            };
            q_9.0 = ((-(s_11)).powi(2) * 0.2).cos();
        }
        1.4 * (1.4 * (q_9.0)) + 0.6 * a + 0.7 * b + v_2.iter().sum::<f64>() * 0.4 + q_3.0 * 0.6 - q_3.1 + q_9.0 * 0.5 - q_9.1
    }
}
