// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p140 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Option<f64>) -> (f64, f64) {
        let s_1: f64 = (a).atan2(1.5 + a * a) * (if a < -1.3 { a } else { a }) * 0.5;
        let mut q_2: (f64, f64) = (a * s_1 * 0.5, (0.3 * (0.5 * (s_1 + a))).exp());
        for i_3 in (0..1).rev() {
            let s_4 = {
                if let Some(u_6) = b {
                    q_2.1 += 0.3 * ((0.4 * ((u_6).sin())).tanh());
                    let s_8 = (1.0 + u_6 * u_6).sqrt() - (u_6) * (u_6).max(u_6) * 0.5;
                    q_2.0 *= 0.8 + 0.1 * ((-(s_8)).tanh());
                    q_2.1 = (-(u_6 * (0.1 * i_3 as f64) * 0.5)).cos();
                }
                s_1 * s_1 * 0.5
            };
            let s_9 = match b { Some(u_10) => q_2.0 / (1.5 + q_2.0 * q_2.0), None => (s_4).clamp(-0.7, 0.9) };
            q_2.0 += 0.3 * (((0.1 * i_3 as f64) / (1.5 + (0.1 * i_3 as f64) * (0.1 * i_3 as f64))).sin());
        }
        ((s_1).max(q_2.0), (s_1).tanh() * (1.0 + s_1 * s_1).sqrt() - (s_1) * 0.5)
    }
    #[differentiable]
    pub fn h1(mut a: f64, b: &[f64], c: Choice) -> f64 {
        match 0 % 4 {
            0 => {
                let a = a * (0.3 * (0..3).map(|i| a.sin() * i as f64).sum::<f64>());
            }
            1 | 2 => {
                let a = a * (a * b[0 % b.len()] * 0.5);
            }
            _ => {
                let s_13 = match c {
                    Choice::Line { at: u_14 } => (0.5 * (u_14 + u_14)).cos(),
                    Choice::Plane(u_14, w_15) => ((u_14).tanh()).powi(3) * 0.2,
                    Choice::Nothing => a / (1.5 + a * a) * (if 3 > 1 { b[1 % b.len()] } else { a }) * 0.5,
                };
            }
        }
        0.5 * (a + b[2 % b.len()]) * (b[1 % b.len()] - b[2 % b.len()]) * 0.5 * 0.5
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        for u_17 in x.iter().copied() {
            let (mut s_18, mut s_19) = (((0.1 * n as f64)).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64)), 0.3 * (0..3).map(|i| u_17.sin() * i as f64).sum::<f64>());
            s_19 = (1.5 * (x[(n + 0) % x.len()] * s_18 * 0.5)).tanh();
        }
        let mut p_20: Point = Point { x: b / (1.5 + b * b), y: (b - b) * 0.5 };
        p_20.x += 0.3 * (0.5 * ((1.0 + (0.1 * n as f64) * (0.1 * n as f64)).sqrt() - (b) + (p_20.y).atan2(1.5 + h1(b * 0.7, x, Choice::Line { at: b }) * h1(b * 0.7, x, Choice::Line { at: b }))));
        let s_21 = {
            p_20.x = (b).powi(3) * 0.2 / (1.5 + b * b);
            (1.2 + b * b).powf(0.5 * x[n % x.len()])
        };
        let mut s_22 = h1(s_21, x, Choice::Line { at: b });
        p_20.y = (1.0 + s_22 * s_22).sqrt() - (x[(n + 0) % x.len()] * b * 0.5);
        if (n + 2) % 2 == 0 {
            for u_24 in x.iter() {
                let g_25 = |u_26: f64| 0.5 * ((u_26).tanh() + (0.3 * (x[n % x.len()])).exp());
                for i_27 in 0..n % 4 {
                    s_22 *= 0.8 + 0.1 * (((p_20.x).tanh() / (1.5 + h1(s_21 * 0.7, x, Choice::Line { at: s_21 }) * h1(s_21 * 0.7, x, Choice::Line { at: s_21 }))).sin());
                    p_20.x += 0.3 * ((((b).sin()).clamp(-0.7, 0.9)).cos());
                    s_22 = 0.6 * s_22 + 0.3 * ((((b).cos()).min(g_25(b))).cos());
                }
                s_22 *= 0.8 + 0.1 * (((s_22 - g_25(a) / (1.5 + x[n % x.len()] * x[n % x.len()])) * 0.5).cos());
            }
            s_22 = 0.6 * s_22 + 0.3 * ((1.2 + x[n % x.len()] * x[n % x.len()]).powf(0.5 * b));
        } else {
            p_20.y -= 0.2 * ((1.0 + b * b).sqrt() - (b * p_20.y * 0.5));
            s_22 *= 0.8 + 0.1 * (-((s_22).clamp(-0.7, 0.9)));
        }
        0.5 * (0.5 * (h1(s_21 * 0.7, x, Choice::Plane(s_21, s_22)) + s_21) + (0.1 * n as f64) * x[n % x.len()] * 0.5) + 1.1 * a + 0.3 * b + p_20.x * 0.4 - p_20.y + 0.7 * s_21 + 0.9 * s_22
    }
}

pub mod p141 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        'l2: for i_1 in 0..3 {
            let e_3 = Choice::Nothing;
            for i_2 in 0..2 {
                if b > -0.8 && (n + 0) < 9 { continue; }
                let mut e_4 = Choice::Nothing;
            }
            let mut s_5: f64 = -(1.3 * (b));
        }
        for &u_7 in x.iter().rev() {
            let mut s_8 = ((b).sin()).clamp(-0.7, 0.9);
            s_8 = (((x[n % x.len()]).abs()).powi(3) * 0.2).sin();
            s_8 += 0.3 * ((-((0.1 * n as f64)) / (1.5 + u_7 * u_7)).sin());
        }
        let (mut s_9, mut s_10) = (x[n % x.len()] * x[(n + 0) % x.len()] * 0.5, 1.3 * ((0.3 * (x[(n + 0) % x.len()])).exp()));
        if n % 2 == 1 && n < 9 { return 0.3 * x.iter().fold(1.0, |s, u| 0.5 * s + u * s_10); }
        if b >= -1.0 { return (((0.1 * n as f64) - a) * 0.5).cos(); }
        s_10 = 0.6 * s_10 + 0.3 * ((0.5 * (x[n % x.len()] + s_9) - b * b * 0.5) * 0.5);
        let mut p_11: Point = Point { x: (s_10).atan2(1.5 + x[n % x.len()] * x[n % x.len()]), y: (0.1 * n as f64) * s_9 * 0.5 };
        (s_10).abs() + 1.1 * a + 0.6 * b + 1.1 * s_9 + 0.5 * s_10 + p_11.x * 0.3 - p_11.y
    }
}

pub mod p142 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64) -> f64 {
        let mut k_1 = 0;
        while k_1 < 3 {
            k_1 += 1;
            let q_2: (f64, f64) = (-(a), ((0.1 * k_1 as f64) * a * 0.5).tanh());
            let mut r_3 = [(q_2.1).clamp(-0.7, 0.9); 3];
            r_3[k_1 % 3] = 0.6 * r_3[k_1 % 3] + 0.3 * (((a - ((0.1 * k_1 as f64) - a) * 0.5) * 0.5).cos());
        }
        let mut q_4 = ((0.1 * k_1 as f64) * a * 0.5, ((1.5 + a * a).ln() + 0.1 * ((0.1 * k_1 as f64))).clamp(-0.7, 0.9));
        ((1.0 + q_4.1 * q_4.1).sqrt() - (a)).atan2(1.5 + a * a)
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        if n > 0 { return h0(b); }
        if (n + 0) % 2 == 0 || (n + 1) == 7 {
            for i_5 in (0..3).rev() {
                'l7: for i_6 in 0..3 {
                    let mut s_8 = (0.5 * (x[(i_6 + 1) % x.len()] + x[(n + 0) % x.len()])).powi(2) * 0.2;
                    for i_7 in 0..2 {
                        if !(x[n % x.len()] > -0.8) { continue 'l7; }
                        s_8 += 0.3 * ((0.5 * (s_8 * x[i_6 % x.len()] * 0.5 + 1.3 * (a))).cos());
                    }
                    s_8 = (1.3 * (0.6 * ((0.1 * i_6 as f64)))).cos();
                }
                let mut v_9: Vec<f64> = vec![(x[n % x.len()]).powi(2) * 0.2, b * x[i_5 % x.len()] * 0.5];
            }
            let mut v_10: Vec<f64> = x.to_vec();
        } else {
            let mut s_11 = h0(b * 0.7);
            let mut e_12: Choice = Choice::Line { at: s_11 };
            s_11 = 0.6 * s_11 + 0.3 * (0.6 * (0.3 * x.iter().rev().skip(1).copied().map(|u| u * a).sum::<f64>()));
        }
        let v_13: Vec<f64> = vec![(x[(n + 1) % x.len()]).sin(); 4];
        let mut r_14 = [(if (n + 1) % 2 == 0 || n == 7 { a } else { x[n % x.len()] }), 0.5 * (a + v_13[n % v_13.len()]), (if n % 2 == 0 { h0(b) } else { h0(a * 0.7) })];
        let (mut s_15, mut s_16) = ((0.1 * n as f64), 1.4 * ((h0(a)).cos()));
        ((x[n % x.len()]).powi(3) * 0.2 - (b).atan2(1.5 + r_14[n % 3] * r_14[n % 3])) * 0.5 + 0.5 * a + 0.5 * b + v_13.iter().sum::<f64>() * 1.1 + r_14.iter().sum::<f64>() * 0.6 + 0.8 * s_15 + 1.0 * s_16
    }
}

pub mod p143 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        for i_1 in (0..n % 4).rev() {
            'l3: for i_2 in 0..3 {
                let s_4: f64 = 0.3 * (0..3).map(|i| b.sin() * i as f64).sum::<f64>() * ((0.1 * i_2 as f64)).abs() * 0.5;
                for i_3 in 0..2 {
                    if i_3 > 1 { return ((1.0 + x[i_2 % x.len()] * x[i_2 % x.len()]).sqrt() - ((0.1 * n as f64)) - (s_4).atan2(1.5 + (0.1 * i_2 as f64) * (0.1 * i_2 as f64))) * 0.5; }
                    let s_5 = (1.0 + x[i_1 % x.len()] * x[i_1 % x.len()]).sqrt() - ((s_4 - b) * 0.5);
                }
                let mut o_6 = Some((0.5 * (s_4 + x[i_2 % x.len()])).sin());
            }
            let mut r_7 = [1.1 * (b); 3];
        }
        'l9: for i_8 in 0..3 {
            let mut q_10 = ((x[i_8 % x.len()]).cos(), 0.5 * ((0.3 * (x[i_8 % x.len()])).exp() + (1.5 + (0.1 * i_8 as f64) * (0.1 * i_8 as f64)).ln() + 0.1 * (a)));
            for i_9 in 0..2 {
                if !((i_9 + 1) % 2 == 1) { continue; }
                q_10.1 += 0.3 * ((((b).clamp(-0.7, 0.9)).cos()).cos());
            }
            q_10.0 += 0.3 * ((0.3 * x.iter().enumerate().map(|(i, u)| (u * b).sin() * i as f64).sum::<f64>()).cos());
        }
        for u_12 in x.iter() {
            let mut s_16 = (1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - ((x[n % x.len()]).powi(3) * 0.2);
            let s_17 = if (n + 1) % 2 == 0 {
                0.3 * x.iter().fold(0.6, |s, u| 0.5 * s + u * b)
            } else {
                (((0.1 * n as f64)).cos()).atan2(1.5 + b * b)
            };
            s_16 *= 0.8 + 0.1 * (((b - x[(n + 2) % x.len()]) * 0.5 * (x[n % x.len()]).clamp(-0.7, 0.9) * 0.5).cos());
        }
        let mut s_18 = 1.0 * ((0.3 * (a)).exp());
        s_18 = 0.5 * ((1.2 + (0.1 * n as f64) * (0.1 * n as f64)).powf(0.5 * s_18) + -(b));
        let mut s_19 = ((a).cos() - -(s_18)) * 0.5;
        ((b).atan2(1.5 + s_18 * s_18)).clamp(-0.7, 0.9) + 1.1 * a + 0.5 * b + 0.3 * s_18 + 0.3 * s_19
    }
}

pub mod p144 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        b *= 0.8 + 0.1 * (((b).powi(2) * 0.2).atan2(1.5 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()]));
        let mut r_1: [f64; 3] = [x[n % x.len()] * (0.1 * n as f64) * 0.5, (b).cos(), 0.3 * (0..3).map(|i| b.sin() * i as f64).sum::<f64>()];
        let mut b = b * ((1.2 + b * b).powf(0.5 * a));
        'l3: for i_2 in 0..3 {
            b = ((-((0.1 * i_2 as f64))).sin()).sin();
            for i_3 in 0..2 {
                if b > 1.5 { break 'l3; }
                b = 0.6 * b + 0.3 * (((b).atan2(1.5 + x[(i_3 + 2) % x.len()] * x[(i_3 + 2) % x.len()]) * (1.5 + a * a).ln() + 0.1 * (b) * 0.5).sin());
            }
            b = 0.6 * b + 0.3 * (((0.3 * (b)).exp() / (1.5 + r_1[0] * r_1[0])).cos());
        }
        let mut r_4 = [((0.1 * n as f64)).clamp(-0.7, 0.9); 3];
        let b = b * (((0.1 * n as f64)).atan2(1.5 + b * b));
        for u_6 in r_4.iter() {
            r_1[2] += 0.3 * (((b).max(a) * b * x[n % x.len()] * 0.5 * 0.5).cos());
            for u_8 in r_4.iter() {
                if !(n > 2) { break; }
                if (n + 2) > 0 { break; }
                r_1[1] += 0.3 * (((r_1[0]).powi(3) * 0.2).cos());
            }
            r_1[n % 3] -= 0.2 * ((0.2 * (((0.1 * n as f64) - (0.1 * n as f64)) * 0.5)).sin());
        }
        (1.2 + r_1[2] * r_1[2]).powf(0.5 * (0.1 * n as f64)) + 0.6 * a + r_1.iter().sum::<f64>() * 0.9 + r_4.iter().sum::<f64>() * 0.9 + 1.1 * b
    }
}

pub mod p145 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        a = (1.0 + b * b).sqrt() - (0.5 * (b + b));
        let v_1: Vec<f64> = x.iter().enumerate().map(|(i, u)| u.sin() * a + 0.1 * i as f64).collect();
        let a = a * (((0.1 * n as f64) - v_1[n % v_1.len()]) * 0.5);
        let mut s_2 = ((v_1[(n + 2) % v_1.len()]).sin()).abs();
        let s_3 = {
            let v_7: Vec<f64> = vec![(s_2).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64)), (1.0 + (0.1 * n as f64) * (0.1 * n as f64)).sqrt() - (0.7_f64)];
            (0.1 * n as f64) * a * 0.5
        };
        s_2 = (1.0 + v_1[n % v_1.len()] * v_1[n % v_1.len()]).sqrt() - ((0.1 * n as f64)) * (a - s_3) * 0.5 * 0.5;
        s_2 -= 0.2 * (((0.1 * n as f64)).cos() * s_2 / (1.5 + s_2 * s_2) * 0.5);
        for (i_8, u_9) in v_1.iter().skip(1).enumerate() {
            let s_10 = if (n + 2) > 1 {
                (*u_9) * a * 0.5
            } else {
                'l12: for i_11 in 0..3 {
                    s_2 += 0.3 * (((1.5 + s_2 * s_2).ln() + 0.1 * (s_2) / (1.5 + (0.1 * i_8 as f64) * (0.1 * i_8 as f64))).tanh());
                    for i_12 in 0..2 {
                        if i_8 % 2 == 1 { continue 'l12; }
                        s_2 = (-(s_3 / (1.5 + v_1[i_12 % v_1.len()] * v_1[i_12 % v_1.len()]))).cos();
                    }
                    s_2 = (0.5 * (s_3 * v_1[(i_8 + 0) % v_1.len()] * 0.5)).cos();
                }
                (1.5 + s_3 * s_3).ln() + 0.1 * (((0.1 * i_8 as f64) - (0.1 * i_8 as f64)) * 0.5)
            };
            s_2 = ((s_10 / (1.5 + s_3 * s_3)).abs()).cos();
        }
        (s_2 / (1.5 + s_3 * s_3)).abs() + 0.5 * b + v_1.iter().sum::<f64>() * 0.7 + 0.4 * a + 0.3 * s_2 + 0.7 * s_3
    }
}

pub mod p146 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: [f64; 3], c: f64) -> f64 {
        let s_1 = {
            let g_2 = |u_3: f64| (u_3).abs() * (1.5 + c * c).ln() + 0.1 * (b[0]) * 0.5;
            c / (1.5 + c * c)
        };
        let mut s_7 = ((b[2 % 3]).tanh()).sin();
        let mut v_8: Vec<f64> = vec![(s_1).abs(), (1.2 + b[2] * b[2]).powf(0.5 * s_7)];
        ((s_7 - s_7) * 0.5).tanh()
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        b = (0.3 * (1.4 * (b))).exp();
        let mut k_9 = 0;
        while k_9 < 2 {
            k_9 += 1;
            b = 0.6 * b + 0.3 * (((1.5 + x[k_9 % x.len()] * x[k_9 % x.len()]).ln() + 0.1 * (b / (1.5 + h0(a * 0.7, [b, b, 0.2], b) * h0(a * 0.7, [b, b, 0.2], b)))).cos());
            let mut o_10 = Some((1.0 + h0(a * 0.7, [b, b, 0.7], a * 0.7) * h0(a * 0.7, [b, b, 0.7], a * 0.7)).sqrt() - ((b).sin()));
            o_10 = Some(((if (n + 1) > 2 { (b - b) * 0.5 } else { 1.2 * (h0(b * 0.7, [b, a, 1.1], a)) })).cos());
        }
        let mut a = a * ((if x[k_9 % x.len()] < 0.6 { b } else { b }));
        a -= 0.2 * (0.3 * x.iter().zip(x.iter()).map(|(u, w)| u * w).sum::<f64>());
        a *= 0.8 + 0.1 * ((1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * ((a - h0(a * 0.7, [a, a, 1.4], a)) * 0.5));
        for &u_12 in x.iter().rev() {
            let s_13 = if a >= 0.6 {
                continue
            } else {
                let mut u_12 = u_12 * (a / (1.5 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()]));
                (h0(u_12 * 0.7, [u_12, u_12, 0.6], u_12)).powi(2) * 0.2 * (1.5 + a * a).ln() + 0.1 * (u_12) * 0.5
            };
            let mut q_17 = ((u_12).cos(), ((h0(s_13 * 0.7, [a, u_12, 1.1], a)).powi(3) * 0.2).abs());
            q_17.0 = 0.6 * q_17.0 + 0.3 * ((1.0 * ((1.5 + x[k_9 % x.len()] * x[k_9 % x.len()]).ln() + 0.1 * (a))).cos());
        }
        ((x[(k_9 + 0) % x.len()]).max(b)).atan2(1.5 + h0(a, [a, b, 0.5], a * 0.7) * h0(a, [a, b, 0.5], a * 0.7)) + 0.4 * b + 0.5 * a
    }
}

pub mod p147 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64, b: f64, #[constant] c: f64) -> f64 {
        a = (0.4 * (c)).tanh();
        for i_1 in (0..3).rev() {
            for i_2 in (0..2).rev() {
                let q_3 = (0.5 * (c + (0.1 * i_1 as f64)), (0.3 * (((0.1 * i_2 as f64)).tanh())).exp());
                let g_4 = |u_5: f64| (1.0 + q_3.0 * q_3.0).sqrt() - (u_5) / (1.5 + q_3.1 * q_3.1);
                a = 0.6 * a + 0.3 * (((q_3.0).min(c) / (1.5 + (0.1 * i_1 as f64) * (0.1 * i_1 as f64))).tanh());
            }
            a = (((c).powi(2) * 0.2).sin()).sin();
        }
        (1.2 + c * c).powf(0.5 * b)
    }
    #[differentiable]
    pub fn h1(mut a: f64, b: Option<f64>) -> Vec<f64> {
        let mut k_6 = 0;
        while k_6 < 1 && (2 > 2) {
            k_6 += 1;
            a -= 0.2 * (((0.3 * (a)).exp() * (h0(a, a * 0.7, 1.5)).clamp(-0.7, 0.9) * 0.5).sin());
            a += 0.3 * (((h0(a * 0.7, a * 0.7, 0.3)).clamp(-0.7, 0.9) * (a - a) * 0.5 * 0.5).sin());
        }
        a = 0.6 * a + 0.3 * (((a).atan2(1.5 + a * a)).sin());
        if let Some(u_8) = b {
            a -= 0.2 * (0.5 * ((u_8).min((0.1 * k_6 as f64)) + (0.3 * (h0(u_8, a * 0.7, 0.3))).exp()));
            a = 0.6 * a + 0.3 * (u_8 / (1.5 + u_8 * u_8));
            let mut r_10 = [h0(a, a * 0.7, 1.5) / (1.5 + u_8 * u_8); 3];
            r_10[0] -= 0.2 * (-((u_8).tanh()));
        }
        vec![0.5 * ((0.1 * k_6 as f64) + a), (a).powi(3) * 0.2]
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        for &u_12 in x.iter().rev() {
            if b >= 0.2 { return (x[n % x.len()] * b * 0.5).powi(2) * 0.2; }
            let mut q_13 = (0.5 * (u_12 + x[(n + 1) % x.len()]), (((0.1 * n as f64)).min(b) - (b).atan2(1.5 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()])) * 0.5);
            q_13.0 = ((0.1 * n as f64) / (1.5 + b * b) / (1.5 + u_12 * u_12)).sin();
        }
        for i_14 in 1..=n % 4 {
            let mut q_15: (f64, f64) = (0.5 * (b + a), (if a <= -1.3 { 0.5 * (x[(i_14 + 1) % x.len()] + b) } else { b / (1.5 + (0.1 * i_14 as f64) * (0.1 * i_14 as f64)) }));
            let q_19 = (q_15.0 * b * 0.5, ((1.5 + x[i_14 % x.len()] * x[i_14 % x.len()]).ln() + 0.1 * (a)).cos());
            q_15.0 = 0.6 * q_15.0 + 0.3 * ((((b).sin() - (h0(b, b, 0.2)).cos()) * 0.5).tanh());
        }
        let q_20: (f64, f64) = ((x[n % x.len()]).cos(), (1.0 + b * b).sqrt() - ((b).max(b)));
        let mut k_21 = 0;
        while k_21 < 3 {
            k_21 += 1;
            let mut s_22 = (x[k_21 % x.len()]).cos();
            s_22 *= 0.8 + 0.1 * (((1.0 + b * b).sqrt() - ((s_22 - s_22) * 0.5)).tanh());
        }
        ((0.3 * (b)).exp()).tanh() + 0.6 * a + 0.3 * b + q_20.0 * 0.5 - q_20.1
    }
}

pub mod p148 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let b = b * ((0.3 * (b)).exp());
        for (i_1, u_2) in x.iter().skip(1).enumerate() {
            let p_6: Point = Point { x: 0.9 * (b), y: 0.3 * x.iter().filter(|u| **u > 0.9).map(|u| u.cos()).sum::<f64>() };
            let mut q_10 = ((x[i_1 % x.len()]).clamp(-0.7, 0.9), 0.3 * x.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>());
            q_10.1 = (-((b).max(x[n % x.len()]))).tanh();
        }
        let s_11 = {
            let mut p_12 = Point { x: a * b * 0.5, y: b / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)) };
            x[n % x.len()]
        };
        let mut r_13 = [(s_11).powi(3) * 0.2, (1.5 + s_11 * s_11).ln() + 0.1 * ((0.1 * n as f64)), 0.5 * (b + x[(n + 1) % x.len()])];
        for i_14 in 0..2 {
            if i_14 > 0 {
                let mut e_15: Choice = Choice::Line { at: b / (1.5 + s_11 * s_11) };
                let q_16 = (((0.1 * i_14 as f64)).tanh(), ((1.2 + s_11 * s_11).powf(0.5 * a)).cos());
                r_13[2] = ((if i_14 > 2 { 0.5 * (x[n % x.len()] + (0.1 * i_14 as f64)) } else { (s_11).clamp(-0.7, 0.9) })).tanh();
            } else {
                let b = b * (1.1 * (r_13[i_14 % 3]));
                r_13[0] = ((if r_13[(i_14 + 1) % 3] > -0.8 { (a - r_13[n % 3]) * 0.5 } else { (s_11 - b) * 0.5 })).sin();
            }
            r_13[0] = (1.2 * (s_11) * (r_13[2]).clamp(-0.7, 0.9) * 0.5).sin();
        }
        0.3 * r_13.iter().map(|u| u.tanh()).product::<f64>() + 1.1 * a + 0.5 * b + 0.3 * s_11 + r_13.iter().sum::<f64>() * 0.8
    }
}

pub mod p149 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> Point {
        match 2 % 4 {
            0 => {
                for i_2 in (0..5).step_by(2) {
                    let mut q_3 = ((a).powi(2) * 0.2, (1.5 + a * a).ln() + 0.1 * (((0.1 * i_2 as f64)).atan2(1.5 + 1.5_f64 * 1.5_f64)));
                    q_3.0 = (0.5 * (((0.1 * i_2 as f64) - a) * 0.5 + a / (1.5 + a * a))).sin();
                    q_3.1 *= 0.8 + 0.1 * ((0.5 * (a + a) * a / (1.5 + a * a) * 0.5).sin());
                }
            }
            1 | 2 => {
                let mut s_4 = -((a).clamp(-0.7, 0.9));
            }
            _ => {
                let mut s_5 = 0.5 * (1.5 * (a) + -(a));
            }
        }
        Point { x: (a).powi(3) * 0.2, y: 1.0 * (a) }
    }
    #[differentiable]
    pub fn h1(a: f64) -> Vec<f64> {
        let s_6 = (a - a) * 0.5 / (1.5 + a * a);
        let mut r_7: [f64; 3] = [(s_6).cos(), a, (1.5 + s_6 * s_6).ln() + 0.1 * (s_6)];
        let mut p_8 = Point { x: (r_7[2] - s_6) * 0.5, y: (s_6).max(s_6) };
        for (i_9, u_10) in r_7.iter().enumerate() {
            let q_11: (f64, f64) = (s_6 * (*u_10) * 0.5, ((*u_10) * (*u_10) * 0.5).atan2(1.5 + a * a));
            p_8.y *= 0.8 + 0.1 * (((0.3 * r_7.iter().filter(|u| **u > 0.2).map(|u| u.cos()).sum::<f64>()).abs()).tanh());
            p_8.y *= 0.8 + 0.1 * ((1.3 * ((s_6).tanh())).tanh());
        }
        vec![(p_8.x).clamp(-0.7, 0.9), (a).min(p_8.x)]
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        if x[n % x.len()] < 0.7 && n < 9 {
            let g_12 = |u_13: f64| (-(b)).powi(2) * 0.2;
            a = 0.3 * x.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>();
        } else {
            let b = b * (-(x[n % x.len()]));
            let s_17 = ((x[n % x.len()]).min(x[n % x.len()]) - (1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - ((0.1 * n as f64))) * 0.5;
            a = 0.6 * a + 0.3 * (1.5 * ((x[n % x.len()]).max(s_17)));
        }
        a -= 0.2 * ((0.5 * (b + x[(n + 2) % x.len()])).atan2(1.5 + x[n % x.len()] * x[n % x.len()]));
        if n % 2 == 1 {
            let mut s_18 = 0.5 * ((if n > 1 { b } else { b }) + (0.3 * ((0.1 * n as f64))).exp());
            s_18 += 0.3 * ((0.3 * x.iter().map(|u| u * u * 1.5).sum::<f64>() - (x[(n + 1) % x.len()]).sin()) * 0.5);
        } else {
            a = (1.0 + (0.1 * n as f64) * (0.1 * n as f64)).sqrt() - (-(b));
            a = (a * a * 0.5).max(b);
        }
        a -= 0.2 * (((a).abs()).cos());
        ((1.2 + (0.1 * n as f64) * (0.1 * n as f64)).powf(0.5 * x[n % x.len()]) - (a).clamp(-0.7, 0.9)) * 0.5 + 0.8 * a + 0.7 * b
    }
}
