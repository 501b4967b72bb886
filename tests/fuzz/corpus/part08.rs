// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p080 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> f64 {
        let (mut s_1, mut s_2) = ((1.0 + a * a).sqrt() - (a), (1.5 + a * a).ln() + 0.1 * ((a).abs()));
        std::mem::swap(&mut s_1, &mut s_2);
        if 2 > 1 {
            let s_3 = if 3 > 1 || 2 == 7 {
                (s_2 - s_2) * 0.5 / (1.5 + s_1 * s_1)
            } else {
                let o_4 = if s_2 <= -0.2 { Some((if 2 > 1 { s_2 } else { 1.3_f64 })) } else { None };
                ((1.2 + s_2 * s_2).powf(0.5 * 0.6_f64)).clamp(-0.7, 0.9)
            };
            s_1 = (1.0 + s_1 * s_1).sqrt() - ((s_2).abs());
        }
        0.7 * (s_2)
    }
    #[differentiable]
    pub fn h1(a: f64) -> [f64; 3] {
        if !(1 > 0) {
            let g_5 = |u_6: f64| 1.3 * (a) / (1.5 + a * a);
            let mut o_7 = if 1 % 2 == 1 { Some((a - a) * 0.5) } else { None };
        } else {
            let mut s_8: f64 = 0.6 * (0.5 * (a + a));
            s_8 = (1.2 + s_8 * s_8).powf(0.5 * a) / (1.5 + s_8 * s_8);
        }
        let v_9: Vec<f64> = vec![(1.0 + a * a).sqrt() - (a), a];
        [0.5 * (a + a), (v_9[2 % v_9.len()] - v_9[0 % v_9.len()]) * 0.5, (1.5 + a * a).ln() + 0.1 * (a)]
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        for &u_11 in x.iter().rev() {
            let s_12 = {
                let mut s_13 = h0(b * 0.7);
                h0(u_11)
            };
            let mut v_14: Vec<f64> = vec![((0.1 * n as f64)).powi(2) * 0.2; 4];
        }
        let a = a * ((b).powi(2) * 0.2);
        let q_15: (f64, f64) = ((0.3 * (b)).exp(), ((1.2 + x[n % x.len()] * x[n % x.len()]).powf(0.5 * (0.1 * n as f64))).clamp(-0.7, 0.9));
        match (n + 1) % 4 {
            0 => {
                let mut v_17: Vec<f64> = vec![h0(b) * a * 0.5; 4];
            }
            1 | 2 => {
                let v_18: Vec<f64> = vec![0.5 * (a + q_15.0); 4];
            }
            _ => {
                if n % 2 == 1 {
                    let mut r_19: [f64; 3] = [-((0.1 * n as f64)); 3];
                    r_19[2] *= 0.8 + 0.1 * (0.9 * ((r_19[2]).clamp(-0.7, 0.9)));
                } else {
                    let mut v_20: Vec<f64> = vec![a * a * 0.5, 0.5 * (a + x[n % x.len()])];
                    let k_21 = n % v_20.len();
                    v_20[k_21] = -((0.3 * (a)).exp());
                    let k_22 = n % v_20.len();
                    v_20[k_22] += 0.3 * (((0.3 * ((0.1 * k_22 as f64))).exp()).powi(3) * 0.2);
                }
            }
        }
        ((a).abs()).powi(3) * 0.2 + 0.8 * b + 0.6 * a + q_15.0 * 0.4 - q_15.1
    }
}

pub mod p081 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(mut a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        for (i_1, u_2) in x.iter().enumerate() {
            let s_3 = if (*u_2) > 0.2 {
                0.5 * ((*u_2) + x[(n + 2) % x.len()]) / (1.5 + x[(i_1 + 2) % x.len()] * x[(i_1 + 2) % x.len()])
            } else {
                for u_5 in x.iter().copied() {
                    b = 0.6 * b + 0.3 * ((((u_5).cos()).cos()).sin());
                    let b = b * ((x[(i_1 + 1) % x.len()]).clamp(-0.7, 0.9));
                    a -= 0.2 * ((((1.2 + x[i_1 % x.len()] * x[i_1 % x.len()]).powf(0.5 * (*u_2))).clamp(-0.7, 0.9)).tanh());
                }
                ((1.2 + (0.1 * i_1 as f64) * (0.1 * i_1 as f64)).powf(0.5 * b)).sin()
            };
            b = (0.3 * x.iter().zip(x.iter()).map(|(u, w)| u * w).sum::<f64>()).sin();
        }
        b += 0.3 * (-(b * b * 0.5));
        for (i_6, u_7) in x.iter().enumerate() {
            let mut b = b * ((0.1 * i_6 as f64) / (1.5 + b * b));
            b = 0.6 * b + 0.3 * ((0.5 * (b * a * 0.5)).tanh());
        }
        a = 0.6 * a + 0.3 * ((1.0 + b * b).sqrt() - (((0.1 * n as f64)).atan2(1.5 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()])));
        (if b >= 1.5 && n < 9 { 0.3 * x.iter().rev().skip(1).copied().map(|u| u * b).sum::<f64>() } else { 0.5 * ((0.1 * n as f64) + a) }) + 0.4 * a + 0.4 * b
    }
}

pub mod p082 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64, b: [f64; 3]) -> Vec<f64> {
        let mut v_1: Vec<f64> = b.iter().map(|u| u * 1.2).collect::<Vec<f64>>();
        let s_2 = (1.5 + a * a).ln() + 0.1 * ((b[1 % 3]).atan2(1.5 + a * a));
        let mut s_2 = s_2 * (0.4 * (s_2));
        match 2 % 4 {
            0 => {
                let mut s_2 = s_2 * ((1.2 + a * a).powf(0.5 * s_2));
            }
            1 | 2 => {
                v_1.reverse();
            }
            _ => {
                let s_4 = if !(a >= -1.0) {
                    s_2 = 0.6 * s_2 + 0.3 * (((s_2).powi(3) * 0.2).powi(3) * 0.2);
                    (if v_1[0 % v_1.len()] >= -0.3 { 1.0 * (s_2) } else { -(s_2) })
                } else {
                    s_2 = 0.6 * s_2 + 0.3 * (((s_2 - v_1[0 % v_1.len()]) * 0.5 - (a).cos()) * 0.5);
                    ((a).cos()).cos()
                };
            }
        }
        v_1.to_vec()
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_5: f64 = (0.3 * x.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>()).atan2(1.5 + b * b);
        match (n + 2) % 4 {
            0 => {
                for u_8 in x.iter().copied() {
                    let mut q_9 = (u_8 * x[n % x.len()] * 0.5, (b * s_5 * 0.5 - a * x[n % x.len()] * 0.5) * 0.5);
                    q_9.1 *= 0.8 + 0.1 * ((0.4 * ((1.5 + b * b).ln() + 0.1 * (u_8))).cos());
                    q_9.0 += 0.3 * (((0.3 * x.iter().zip(x.iter()).map(|(u, w)| u * w).sum::<f64>()).powi(3) * 0.2).cos());
                }
            }
            1 | 2 => {
                let mut s_10 = (b * a * 0.5).powi(2) * 0.2;
            }
            _ => {
                let mut q_11 = ((1.0 + a * a).sqrt() - (s_5), ((s_5).powi(2) * 0.2).abs());
            }
        }
        'l13: for i_12 in 0..3 {
            let mut v_14: Vec<f64> = h0(s_5 * 0.7, [s_5, s_5, 0.2]);
            for i_13 in 0..2 {
                if v_14[(i_12 + 2) % v_14.len()] < -0.8 { continue; }
                let k_15 = i_13 % v_14.len();
                v_14[k_15] = ((1.5 + v_14[k_15 % v_14.len()] * v_14[k_15 % v_14.len()]).ln() + 0.1 * (((0.1 * k_15 as f64)).powi(2) * 0.2)).sin();
            }
            let k_16 = n % v_14.len();
            v_14[k_16] -= 0.2 * (((if v_14[i_12 % v_14.len()] <= -1.3 || i_12 == 7 { (s_5).tanh() } else { v_14[(k_16 + 2) % v_14.len()] * a * 0.5 })).cos());
        }
        for (i_17, u_18) in x.iter().enumerate() {
            'l20: for i_19 in 0..3 {
                let mut v_21: Vec<f64> = vec![(b).sin(); 4];
                for i_20 in 0..2 {
                    if i_19 > 2 || i_19 == 7 { break 'l20; }
                    let k_22 = (i_19 + 0) % v_21.len();
                    v_21[k_22] += 0.3 * (((1.0 + (*u_18) * (*u_18)).sqrt() - ((v_21[k_22 % v_21.len()]).tanh())).cos());
                }
                let k_23 = i_17 % v_21.len();
                v_21[k_23] += 0.3 * (((s_5).abs() / (1.5 + b * b)).tanh());
            }
            for &u_25 in x.iter().rev() {
                'l27: for i_26 in 0..3 {
                    let mut v_28: Vec<f64> = x.iter().enumerate().map(|(i, u)| u.sin() * u_25 + 0.1 * i as f64).collect();
                    for i_27 in 0..2 {
                        if (i_17 + 1) % 2 == 1 { continue; }
                        let k_29 = i_26 % v_28.len();
                        v_28[k_29] -= 0.2 * ((((*u_18) - s_5) * 0.5 * u_25 * x[i_27 % x.len()] * 0.5 * 0.5).tanh());
                    }
                    let k_30 = i_26 % v_28.len();
                    v_28[k_30] -= 0.2 * ((((if (*u_18) >= -1.5 { u_25 } else { (0.1 * i_26 as f64) })).max(a)).tanh());
                }
                let mut s_5 = s_5 * ((s_5).atan2(1.5 + b * b));
                s_5 = (s_5 * b * 0.5 * b * (*u_18) * 0.5 * 0.5).tanh();
            }
            let mut s_31 = (1.0 + (0.1 * i_17 as f64) * (0.1 * i_17 as f64)).sqrt() - ((0.3 * (b)).exp());
        }
        (s_5).abs() * 0.5 * (x[n % x.len()] + s_5) * 0.5 + 0.3 * a + 1.0 * b + 0.7 * s_5
    }
}

pub mod p083 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut p_1 = Point { x: (0.3 * (x[n % x.len()])).exp(), y: -(x[n % x.len()]) };
        let s_2 = {
            let mut k_3 = 0;
            loop {
                k_3 += 1;
                if k_3 > 4 { break; }
                if k_3 % 2 == 0 { break; }
                p_1.x = 0.6 * p_1.x + 0.3 * ((((b).abs()).tanh()).sin());
                p_1.y *= 0.8 + 0.1 * ((0.3 * x.iter().fold(1.1, |s, u| 0.5 * s + u * b) * (b - (0.1 * n as f64)) * 0.5 * 0.5).tanh());
            }
            b * x[k_3 % x.len()] * 0.5
        };
        let s_4 = {
            let mut r_5 = [(p_1.y - (0.1 * n as f64)) * 0.5, (x[(n + 0) % x.len()]).cos(), x[n % x.len()] * (0.1 * n as f64) * 0.5];
            (0.3 * (s_2)).exp()
        };
        let mut e_6: Choice = Choice::Line { at: (x[(n + 2) % x.len()]).clamp(-0.7, 0.9) };
        match n % 4 {
            0 => {
                for u_9 in x.iter().copied() {
                    let mut p_10 = Point { x: 0.3 * x.iter().sum::<f64>(), y: (p_1.x).powi(2) * 0.2 };
                    p_10.y = (0.5 * ((x[n % x.len()]).abs() + ((0.1 * n as f64)).tanh())).sin();
                    p_10.y = ((s_2).min((0.1 * n as f64))).sin();
                }
            }
            1 | 2 => {
                let s_11 = if (n + 0) > 2 {
                    ((s_4).cos()).clamp(-0.7, 0.9)
                } else {
                    -((s_4).cos())
                };
            }
            _ => {
                p_1.y = (if (n + 1) % 2 == 1 || n == 7 { x[n % x.len()] } else { s_4 }) / (1.5 + s_2 * s_2);
            }
        }
        0.3 * ((s_4 - s_2) * 0.5) + 0.9 * a + 0.6 * b + p_1.x * 0.6 - p_1.y + 1.1 * s_2 + 0.8 * s_4
    }
}

pub mod p084 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut r_1: [f64; 3] = [(if b > -1.0 && n < 9 { b } else { b }), (if b < -1.0 && (n + 0) < 9 { (0.1 * n as f64) } else { b }), x[(n + 2) % x.len()] * (0.1 * n as f64) * 0.5];
        let g_2 = |u_3: f64| (1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - ((1.5 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()]).ln() + 0.1 * (x[n % x.len()]));
        let (mut s_4, mut s_5) = (-((0.1 * n as f64)), (1.0 + g_2(b) * g_2(b)).sqrt() - (0.5 * (r_1[2] + a)));
        std::mem::swap(&mut s_4, &mut s_5);
        let s_6 = {
            let mut s_5 = s_5 * ((1.0 + r_1[n % 3] * r_1[n % 3]).sqrt() - (g_2(s_4)));
            (1.2 + r_1[(n + 1) % 3] * r_1[(n + 1) % 3]).powf(0.5 * s_5)
        };
        if s_6 > 1.1 {
            let mut q_7: (f64, f64) = ((s_6).sin(), (r_1[2] * r_1[0] * 0.5 - 0.3 * r_1.iter().fold(0.9, |s, u| 0.5 * s + u * s_6)) * 0.5);
            r_1[0] += 0.3 * (0.8 * ((s_4).clamp(-0.7, 0.9)));
        } else {
            let (mut s_8, mut s_9) = (s_4 / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)), 0.5 * ((r_1[2]).sin() + (s_5).sin()));
            std::mem::swap(&mut s_8, &mut s_9);
            'l11: for i_10 in 0..3 {
                s_8 += 0.3 * (((0.5 * (x[i_10 % x.len()] + r_1[2])).cos()).tanh());
                for i_11 in 0..2 {
                    if i_11 > 2 || (i_11 + 0) == 7 { return 1.0 * ((1.2 + s_5 * s_5).powf(0.5 * r_1[i_10 % 3])); }
                    s_8 -= 0.2 * (((1.5 + s_5 * s_5).ln() + 0.1 * (-(s_6))).sin());
                }
                s_8 = (((1.0 + g_2(s_8) * g_2(s_8)).sqrt() - ((0.1 * i_10 as f64))).abs()).sin();
            }
            s_5 = ((if g_2(s_9) < -1.4 || (n + 1) == 7 { s_9 } else { s_5 })).tanh();
        }
        (1.2 + (0.1 * n as f64) * (0.1 * n as f64)).powf(0.5 * s_4) + 1.0 * a + 0.8 * b + r_1.iter().sum::<f64>() * 1.1 + 0.6 * s_4 + 1.0 * s_5 + 0.7 * s_6
    }
}

pub mod p085 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: &[f64]) -> [f64; 3] {
        for i_1 in 0..2 {
            let r_2 = [0.3 * b.iter().sum::<f64>(); 3];
            let mut r_3 = [0.3 * r_2.iter().sum::<f64>(), 0.2 * (a), (a).clamp(-0.7, 0.9)];
        }
        let mut k_4 = 0;
        while k_4 < 1 {
            k_4 += 1;
            let a = a * ((1.5 + b[k_4 % b.len()] * b[k_4 % b.len()]).ln() + 0.1 * (b[k_4 % b.len()]));
            let mut e_5 = Choice::Plane(a * a * 0.5, 0.3 * b.iter().enumerate().map(|(i, u)| (u * a).sin() * i as f64).sum::<f64>());
        }
        [(a).sin(), (b[k_4 % b.len()]).tanh(), ((0.1 * k_4 as f64) - a) * 0.5]
    }
    #[differentiable]
    pub fn h1(mut a: f64, b: Option<f64>, c: usize) -> Option<f64> {
        a = 0.5 * (a / (1.5 + a * a) + (if a <= 1.0 { (0.1 * c as f64) } else { a }));
        let mut s_6 = (a).tanh();
        let s_7 = match (c + 0) % 4 {
            0 => {
                let s_6 = s_6 * ((s_6).powi(2) * 0.2);
                s_6 * (0.1 * c as f64) * 0.5
            }
            1 | 2 => {
                a *= 0.8 + 0.1 * (((s_6).min(s_6)).tanh());
                (0.1 * c as f64) * s_6 * 0.5
            }
            _ => {
                if (c + 0) > 2 { return if !(s_6 > 1.0) { Some(s_6 * s_6 * 0.5) } else { None }; }
                a * s_6 * 0.5
            }
        };
        Some(-(0.4 * (a)))
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        b = ((b - b) * 0.5).clamp(-0.7, 0.9);
        for &u_9 in x.iter().rev() {
            let s_10 = if u_9 < -1.5 || (n + 1) == 7 {
                b = 0.6 * b + 0.3 * ((0.3 * x.iter().fold(0.9, |s, u| 0.5 * s + u * u_9)).sin());
                -(-(u_9))
            } else {
                let s_11 = if n % 2 == 0 {
                    (u_9 * (0.1 * n as f64) * 0.5).powi(2) * 0.2
                } else {
                    ((x[(n + 2) % x.len()]).abs()).powi(3) * 0.2
                };
                0.5 * (b + a)
            };
            b += 0.3 * (((b / (1.5 + x[n % x.len()] * x[n % x.len()])).abs()).sin());
        }
        let mut o_12 = if b <= 0.7 { Some(b * a * 0.5) } else { None };
        for i_13 in 1..=n % 4 {
            let g_14 = |u_15: f64| (0.5 * (u_15 + x[n % x.len()])).max(x[(i_13 + 2) % x.len()]);
            o_12 = Some((((0.3 * (b)).exp()).tanh()).cos());
        }
        if (n + 0) % 2 == 1 && n < 9 {
            let mut e_16 = Choice::Plane(0.5 * (a + (0.1 * n as f64)), (if !(n % 2 == 0) { b } else { (0.1 * n as f64) }));
            o_12 = Some((1.2 + (0.1 * n as f64) * (0.1 * n as f64)).powf(0.5 * (0.1 * n as f64)));
            o_12 = Some((0.3 * ((b - b) * 0.5)).exp());
        }
        ((b).powi(3) * 0.2).tanh() + 0.5 * a + 0.9 * b + o_12.unwrap_or(0.7)
    }
}

pub mod p086 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        if b > -1.0 {
            let mut s_1 = (x[(n + 0) % x.len()] * b * 0.5 - -(b)) * 0.5;
            s_1 = 0.6 * s_1 + 0.3 * ((b / (1.5 + s_1 * s_1)).powi(3) * 0.2);
        }
        if b <= -1.0 {
            for (i_2, u_3) in x.iter().enumerate() {
                for u_5 in x.iter() {
                    a += 0.3 * ((((*u_5) / (1.5 + b * b)).max((*u_5))).cos());
                    a = 0.6 * a + 0.3 * (((0.3 * (((0.1 * i_2 as f64)).cos())).exp()).cos());
                }
                let mut e_6 = Choice::Line { at: ((0.1 * i_2 as f64)).sin() };
                a = (((if (i_2 + 0) % 2 == 1 { b } else { x[i_2 % x.len()] })).clamp(-0.7, 0.9)).sin();
            }
            a = ((b - x[n % x.len()]) * 0.5 - 0.2 * (a)) * 0.5;
        }
        a = ((0.1 * n as f64)).powi(2) * 0.2 * (1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - (b) * 0.5;
        a *= 0.8 + 0.1 * ((1.5 + a * a).ln() + 0.1 * (b) / (1.5 + b * b));
        (0.5 * (a + x[n % x.len()])).clamp(-0.7, 0.9) + 0.8 * a + 0.5 * b
    }
}

pub mod p087 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Option<f64>) -> Option<f64> {
        if a < -1.4 {
            'l2: for i_1 in 0..3 {
                let mut v_3: Vec<f64> = vec![(1.0 + a * a).sqrt() - (a), (a - a) * 0.5];
                for i_2 in 0..2 {
                    if i_2 % 2 == 1 { continue; }
                    let k_4 = (i_2 + 2) % v_3.len();
                    v_3[k_4] *= 0.8 + 0.1 * ((((if !(i_1 > 1) { v_3[k_4 % v_3.len()] } else { v_3[k_4 % v_3.len()] })).tanh()).sin());
                }
                let k_5 = (i_1 + 2) % v_3.len();
                v_3[k_5] = ((1.2 + v_3[i_1 % v_3.len()] * v_3[i_1 % v_3.len()]).powf(0.5 * v_3[(k_5 + 1) % v_3.len()])).sin();
            }
            let mut q_6: (f64, f64) = ((1.0 + a * a).sqrt() - (a), ((a).clamp(-0.7, 0.9)).sin());
            q_6.0 = 0.6 * q_6.0 + 0.3 * ((if a <= -0.8 || 1 == 7 { a } else { a }));
        } else {
            let mut p_7: Point = Point { x: (a).abs(), y: 1.1_f64 * a * 0.5 };
            let g_8 = |u_9: f64| (u_9).tanh() * a / (1.5 + u_9 * u_9) * 0.5;
            p_7.y += 0.3 * ((1.0 + a * a).sqrt() - (g_8(a) * a * 0.5));
        }
        Some(((a).min(a)).powi(3) * 0.2)
    }
    #[differentiable]
    pub fn h1(a: f64, mut b: f64) -> (f64, f64) {
        if a > -1.3 { return (b, (a - b) * 0.5 / (1.5 + b * b)); }
        let mut b = b * ((a - b) * 0.5);
        let b = b * ((a).tanh());
        if !(b >= -0.9) { return ((a - b) * 0.5, ((1.5 + a * a).ln() + 0.1 * (a)).max(b)); }
        ((b).powi(2) * 0.2, (b).max(b) * (b).min(a) * 0.5)
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut s_10: f64 = 0.3 * x.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>();
        s_10 = (if x[n % x.len()] <= -0.3 { s_10 / (1.5 + s_10 * s_10) } else { (s_10).min(s_10) });
        let g_11 = |u_12: f64| ((1.0 + b * b).sqrt() - (x[n % x.len()])).min(x[n % x.len()]);
        s_10 += 0.3 * (0.5 * (s_10 / (1.5 + s_10 * s_10) + -(b)));
        let r_13 = [s_10; 3];
        let mut s_14 = ((g_11(s_10)).max(s_10)).abs();
        let s_15 = (if n % 2 == 1 { (a).cos() } else { 0.5 * (b + s_10) });
        let mut e_16 = Choice::Line { at: 0.5 * (s_15 + g_11(s_14)) };
        s_14 = 0.6 * s_14 + 0.3 * (((s_10).cos()).atan2(1.5 + s_10 * s_10));
        (0.1 * n as f64) / (1.5 + s_14 * s_14) / (1.5 + r_13[(n + 2) % 3] * r_13[(n + 2) % 3]) + 0.7 * a + 0.7 * b + 0.7 * s_10 + r_13.iter().sum::<f64>() * 0.9 + 0.8 * s_14 + 0.7 * s_15
    }
}

pub mod p088 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        'l2: for i_1 in 0..3 {
            b = (((b).powi(2) * 0.2).sin()).tanh();
            for i_2 in 0..2 {
                if x[i_1 % x.len()] <= -1.4 || i_2 == 7 { break 'l2; }
                b = ((1.5 + b * b).ln() + 0.1 * (0.5 * (b + x[i_2 % x.len()]))).sin();
            }
            b *= 0.8 + 0.1 * (((-(b)).atan2(1.5 + a * a)).cos());
        }
        let s_3 = match n % 4 {
            0 => {
                let mut e_4 = Choice::Line { at: x[n % x.len()] / (1.5 + b * b) };
                b * x[(n + 0) % x.len()] * 0.5
            }
            1 | 2 => {
                let mut s_5 = (if x[n % x.len()] >= -0.9 && n < 9 { x[n % x.len()] * x[n % x.len()] * 0.5 } else { x[n % x.len()] / (1.5 + b * b) });
                s_5 / (1.5 + s_5 * s_5)
            }
            _ => {
                let mut s_6: f64 = ((1.5 + a * a).ln() + 0.1 * (a)).max(x[(n + 0) % x.len()]);
                (x[n % x.len()]).cos()
            }
        };
        let mut o_7: Option<f64> = if (n + 1) % 2 == 0 { Some((x[(n + 2) % x.len()] - x[(n + 2) % x.len()]) * 0.5) } else { None };
        'l9: for i_8 in 0..3 {
            b *= 0.8 + 0.1 * (((s_3 * s_3 * 0.5).powi(2) * 0.2).tanh());
            for i_9 in 0..2 {
                if !((n + 2) > 2) { continue; }
                o_7 = Some((0.5 * ((1.2 + s_3 * s_3).powf(0.5 * a) + b * x[(i_9 + 1) % x.len()] * 0.5)).cos());
            }
            o_7 = Some(((x[i_8 % x.len()] * (0.1 * i_8 as f64) * 0.5 - ((0.1 * i_8 as f64) - x[i_8 % x.len()]) * 0.5) * 0.5).cos());
        }
        let (mut s_10, mut s_11) = ((s_3).tanh(), -(b) * s_3 * 0.5);
        std::mem::swap(&mut s_10, &mut s_11);
        let mut s_12 = (-(s_11)).powi(2) * 0.2;
        (-(s_10)).abs() + 0.5 * a + 0.9 * b + 0.3 * s_3 + o_7.unwrap_or(0.6) + 0.5 * s_10 + 0.9 * s_11 + 0.4 * s_12
    }
}

pub mod p089 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_1 = ((b).sin() - b / (1.5 + x[n % x.len()] * x[n % x.len()])) * 0.5;
        for (i_2, u_3) in x.iter().skip(1).enumerate() {
            let (mut s_4, mut s_5) = ((b).tanh(), (0.3 * ((1.2 + s_1 * s_1).powf(0.5 * (*u_3)))).exp());
            std::mem::swap(&mut s_4, &mut s_5);
            s_5 *= 0.8 + 0.1 * ((-(((*u_3)).atan2(1.5 + s_1 * s_1))).tanh());
        }
        match n % 4 {
            0 => {
                let mut v_7: Vec<f64> = vec![(1.0 + b * b).sqrt() - ((0.1 * n as f64)); 4];
            }
            1 | 2 => {
                let g_8 = |u_9: f64| (u_9 - 0.3 * x.iter().sum::<f64>()) * 0.5;
            }
            _ => {
                if n > 0 || n == 7 { return s_1 * ((0.1 * n as f64)).cos() * 0.5; }
            }
        }
        let mut k_10 = 0;
        loop {
            k_10 += 1;
            if k_10 > 2 { break; }
            let o_14 = Some(((0.3 * (x[k_10 % x.len()])).exp()).powi(2) * 0.2);
            let mut v_15: Vec<f64> = x.iter().enumerate().map(|(i, u)| u.sin() * b + 0.1 * i as f64).collect();
        }
        0.5 * ((0.1 * k_10 as f64) * s_1 * 0.5 + (1.2 + b * b).powf(0.5 * x[k_10 % x.len()])) + 1.1 * a + 0.3 * b + 1.0 * s_1
    }
}
