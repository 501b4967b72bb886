// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p130 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Choice, c: f64) -> f64 {
        let mut r_1 = [(c - a) * 0.5, (c).sin(), (1.5 + c * c).ln() + 0.1 * (c)];
        let c = c * ((c).sin());
        let o_2: Option<f64> = Some(-(c) / (1.5 + a * a));
        r_1[2] -= 0.2 * (((r_1[1 % 3]).powi(2) * 0.2).min(r_1[2 % 3]));
        (1.0 + a * a).sqrt() - ((c).powi(3) * 0.2)
    }
    #[differentiable]
    pub fn h1(a: f64, b: Option<f64>, c: (f64, f64)) -> f64 {
        let s_3 = {
            let a = a * ((a - a) * 0.5);
            (a).powi(3) * 0.2
        };
        if !(s_3 >= 0.6) { return (0.5 * (s_3)).powi(2) * 0.2; }
        let s_3 = s_3 * ((c.0).min(h0(a * 0.7, Choice::Line { at: a }, s_3)));
        h0(s_3, Choice::Line { at: s_3 }, a)
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        for i_4 in (0..2).rev() {
            let s_5 = ((b).powi(3) * 0.2).tanh();
            a = ((1.5 + h1(s_5, Some(s_5), (b, s_5)) * h1(s_5, Some(s_5), (b, s_5))).ln() + 0.1 * ((x[i_4 % x.len()]).tanh())).cos();
        }
        let v_6: Vec<f64> = vec![(b).clamp(-0.7, 0.9), (b).atan2(1.5 + b * b)];
        let s_7 = if n > 0 {
            -((a).clamp(-0.7, 0.9))
        } else {
            ((if h1(b * 0.7, Some(b), (b, b)) <= -1.2 { (0.1 * n as f64) } else { b })).tanh()
        };
        for i_8 in 0..n % 4 {
            let q_9 = (0.5 * (s_7 + s_7), (0.3 * ((h1(s_7 * 0.7, Some(s_7), (s_7, s_7))).powi(2) * 0.2)).exp());
            a = 0.6 * a + 0.3 * (((b - (1.2 + (0.1 * i_8 as f64) * (0.1 * i_8 as f64)).powf(0.5 * a)) * 0.5).cos());
        }
        a += 0.3 * (1.4 * (-(s_7)));
        let mut o_10 = Some((s_7 * s_7 * 0.5).powi(2) * 0.2);
        let mut p_11 = Point { x: (x[n % x.len()] - h1(s_7, o_10, (b, b))) * 0.5, y: 0.5 * ((0.1 * n as f64) + b) };
        ((1.2 + x[n % x.len()] * x[n % x.len()]).powf(0.5 * b)).tanh() + 0.8 * a + 0.6 * b + v_6.iter().sum::<f64>() * 0.5 + 1.1 * s_7 + o_10.unwrap_or(0.9) + p_11.x * 1.1 - p_11.y
    }
}

pub mod p131 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_1 = {
            let o_2 = Some(0.5 * ((b).atan2(1.5 + b * b) + (b).sin()));
            b * a * 0.5
        };
        let g_3 = |u_4: f64| 0.4 * (-(x[(n + 0) % x.len()]));
        let mut k_5 = 0;
        while k_5 < 1 && (s_1 < -1.3) {
            k_5 += 1;
            let g_6 = |u_7: f64| (1.5 + s_1 * s_1).ln() + 0.1 * (u_7);
            let s_8 = if a > 1.0 || k_5 == 7 {
                for u_10 in x.iter() {
                    let mut r_11: [f64; 3] = [(1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * (b), 0.5 * (x[k_5 % x.len()] + (0.1 * k_5 as f64)), 0.5 * (g_3(s_1) + x[k_5 % x.len()])];
                    r_11[2] = ((1.2 + b * b).powf(0.5 * s_1)).sin();
                }
                (1.2 + s_1 * s_1).powf(0.5 * b)
            } else {
                0.5 * ((1.5 + a * a).ln() + 0.1 * ((0.1 * k_5 as f64)) + -(s_1))
            };
            let mut s_12 = ((1.2 + g_3(b) * g_3(b)).powf(0.5 * x[k_5 % x.len()])).abs();
        }
        let r_13 = [x[k_5 % x.len()] * (0.1 * k_5 as f64) * 0.5, 0.5 * (x[n % x.len()] + s_1), (b).abs()];
        ((r_13[2] - b) * 0.5).powi(3) * 0.2 + 0.7 * a + 1.0 * b + 0.7 * s_1 + r_13.iter().sum::<f64>() * 1.0
    }
}

pub mod p132 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64, b: [f64; 3], c: f64) -> Point {
        let v_1: Vec<f64> = b.iter().map(|u| u * 1.2).collect::<Vec<f64>>();
        let g_2 = |u_3: f64| (0.5 * (u_3 + u_3) - 0.9 * (u_3)) * 0.5;
        let mut o_4 = Some(((c).tanh()).sin());
        let s_5 = match o_4 { Some(u_6) => (u_6).abs(), None => (1.5 + c * c).ln() + 0.1 * (v_1[0 % v_1.len()]) };
        Point { x: (v_1[1 % v_1.len()]).sin(), y: (b[2]).tanh() }
    }
    #[differentiable]
    pub fn h1(a: f64, b: Choice) -> Vec<f64> {
        let mut q_8: (f64, f64) = (0.5 * (a + a), ((1.2 + 1.1_f64 * 1.1_f64).powf(0.5 * a)).min(a));
        'l10: for i_9 in 0..3 {
            q_8.0 = 0.6 * q_8.0 + 0.3 * (((0.1 * i_9 as f64) / (1.5 + a * a) * (a).sin() * 0.5).tanh());
            for i_10 in 0..2 {
                if i_9 > 0 || (i_10 + 1) == 7 { continue; }
                q_8.0 = 0.6 * q_8.0 + 0.3 * ((((a - (0.1 * i_10 as f64)) * 0.5).abs()).tanh());
            }
            q_8.0 *= 0.8 + 0.1 * ((a * a * 0.5).cos());
        }
        let mut p_11: Point = h0(a * 0.7, [a, a, 0.6], a);
        let s_12 = match 3 % 4 {
            0 => {
                let mut r_13 = [p_11.y / (1.5 + a * a), (if 1 % 2 == 0 { q_8.0 } else { p_11.y }), (q_8.0).powi(3) * 0.2];
                p_11.y * r_13[1] * 0.5
            }
            1 | 2 => {
                for i_14 in 1..=1 {
                    p_11.x += 0.3 * (((0.5 * (p_11.x + a)).clamp(-0.7, 0.9)).tanh());
                    p_11.y *= 0.8 + 0.1 * (((((0.1 * i_14 as f64)).atan2(1.5 + q_8.1 * q_8.1)).clamp(-0.7, 0.9)).sin());
                }
                (if !(3 % 2 == 1) { a } else { a })
            }
            _ => {
                let mut k_15 = 0;
                while k_15 < 4 && (a < -1.0) {
                    k_15 += 1;
                    p_11.y += 0.3 * (((1.5 + a * a).ln() + 0.1 * ((a).max((0.1 * k_15 as f64)))).cos());
                    q_8.0 *= 0.8 + 0.1 * ((0.5 * ((1.2 + p_11.x * p_11.x).powf(0.5 * (0.1 * k_15 as f64)) + a * a * 0.5)).cos());
                    q_8.1 = 0.6 * q_8.1 + 0.3 * ((1.4 * (a) / (1.5 + a * a)).cos());
                }
                (p_11.x).tanh()
            }
        };
        vec![0.5 * (a); 4]
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        for (i_16, u_17) in x.iter().skip(1).enumerate() {
            a = ((a - x[i_16 % x.len()]) * 0.5).cos();
            a += 0.3 * ((0.3 * x.iter().filter(|u| **u > 0.2).map(|u| u.cos()).sum::<f64>()).cos());
        }
        if b < 0.4 || n == 7 { return 1.0 * (b); }
        a += 0.3 * ((x[n % x.len()]).sin());
        let (mut s_18, mut s_19) = (x[(n + 1) % x.len()] * b * 0.5, b / (1.5 + x[n % x.len()] * x[n % x.len()]));
        std::mem::swap(&mut s_18, &mut s_19);
        let mut k_20 = 0;
        while k_20 < 3 && (b >= 0.6 || (n + 0) == 7) {
            k_20 += 1;
            let s_21 = match k_20 % 4 {
                0 => {
                    let mut v_22: Vec<f64> = x.iter().enumerate().map(|(i, u)| u.sin() * s_19 + 0.1 * i as f64).collect();
                    (b).clamp(-0.7, 0.9)
                }
                1 | 2 => {
                    let (s_23, s_24) = ((1.0 + x[(k_20 + 0) % x.len()] * x[(k_20 + 0) % x.len()]).sqrt() - (x[k_20 % x.len()]), ((s_18).clamp(-0.7, 0.9) - 0.5 * (x[n % x.len()] + s_19)) * 0.5);
                    x[k_20 % x.len()] / (1.5 + x[(k_20 + 0) % x.len()] * x[(k_20 + 0) % x.len()])
                }
                _ => {
                    s_19 += 0.3 * (((s_18).sin() * (0.1 * k_20 as f64) / (1.5 + x[(k_20 + 1) % x.len()] * x[(k_20 + 1) % x.len()]) * 0.5).cos());
                    b / (1.5 + s_18 * s_18)
                }
            };
            s_19 -= 0.2 * (((x[k_20 % x.len()]).sin() * (b).atan2(1.5 + s_21 * s_21) * 0.5).tanh());
        }
        (1.2 + s_19 * s_19).powf(0.5 * (0.1 * n as f64)) + 0.8 * a + 0.7 * b + 0.8 * s_18 + 0.4 * s_19
    }
}

pub mod p133 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: &[f64], c: (f64, f64)) -> Vec<f64> {
        let s_1 = if b[3 % b.len()] > 0.7 {
            let mut e_2 = Choice::Nothing;
            (b[0 % b.len()]).clamp(-0.7, 0.9)
        } else {
            for i_3 in 0..2 {
                let mut v_4: Vec<f64> = b.iter().map(|u| u * 1.3).collect::<Vec<f64>>();
                let s_5 = match (i_3 + 2) % 4 {
                    0 => {
                        let k_6 = (i_3 + 2) % v_4.len();
                        v_4[k_6] = 0.6 * v_4[k_6] + 0.3 * ((((1.0 + v_4[(k_6 + 1) % v_4.len()] * v_4[(k_6 + 1) % v_4.len()]).sqrt() - (a) - (if a > 1.4 { (0.1 * k_6 as f64) } else { a })) * 0.5).cos());
                        (b[(i_3 + 0) % b.len()]).powi(3) * 0.2
                    }
                    1 | 2 => {
                        let k_7 = i_3 % v_4.len();
                        v_4[k_7] *= 0.8 + 0.1 * ((0.3 * v_4.iter().map(|u| u * u * 1.0).sum::<f64>()).cos());
                        a * v_4[k_7 % v_4.len()] * 0.5
                    }
                    _ => {
                        let k_8 = i_3 % v_4.len();
                        v_4[k_8] -= 0.2 * ((((a - a) * 0.5).clamp(-0.7, 0.9)).sin());
                        (c.0).min((0.1 * i_3 as f64))
                    }
                };
                let k_9 = i_3 % v_4.len();
                v_4[k_9] = ((0.1 * k_9 as f64) * a * 0.5 / (1.5 + s_5 * s_5)).sin();
            }
            0.5 * (a * a * 0.5 + (1.5 + a * a).ln() + 0.1 * (a))
        };
        b.iter().map(|u| u * 1.0).collect::<Vec<f64>>()
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        if (0.1 * n as f64) < -0.6 { return 0.5 * (0.3 * (b) + (x[(n + 2) % x.len()] - b) * 0.5); }
        let s_10 = {
            if !(a >= -0.7) { return ((if n > 0 && n < 9 { (0.1 * n as f64) } else { b })).max(x[n % x.len()]); }
            (a).abs()
        };
        if !(x[n % x.len()] >= 0.2) {
            let mut r_11 = [s_10 * x[(n + 2) % x.len()] * 0.5, x[n % x.len()] / (1.5 + s_10 * s_10), (1.0 + b * b).sqrt() - ((0.1 * n as f64))];
            for i_12 in 0..n % 4 {
                let mut o_13 = Some(((r_11[0]).abs()).atan2(1.5 + a * a));
                o_13 = Some(((0.3 * r_11.iter().map(|u| u.tanh()).product::<f64>()).tanh()).tanh());
            }
            r_11[0] -= 0.2 * ((a).powi(3) * 0.2);
        }
        let (mut s_14, mut s_15) = ((x[(n + 1) % x.len()]).abs(), (1.2 + s_10 * s_10).powf(0.5 * x[n % x.len()]));
        let s_16 = {
            if s_10 <= 0.6 { return (1.5 + s_10 * s_10).ln() + 0.1 * (0.5 * (s_14 + s_14)); }
            (s_10 - s_14) * 0.5
        };
        0.3 * x.iter().enumerate().map(|(i, u)| (u * s_14).sin() * i as f64).sum::<f64>() + 1.1 * a + 0.3 * b + 0.8 * s_10 + 0.5 * s_14 + 0.7 * s_15 + 0.6 * s_16
    }
}

pub mod p134 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, #[constant] b: f64) -> [f64; 3] {
        let mut o_1 = Some(0.5 * (b + b) * (b - a) * 0.5 * 0.5);
        o_1 = Some(((b - b) * 0.5).abs());
        for i_2 in (0..5).step_by(2) {
            o_1 = Some(((1.2 + (0.1 * i_2 as f64) * (0.1 * i_2 as f64)).powf(0.5 * a)).sin());
            o_1 = Some(((if (i_2 + 2) % 2 == 1 { (b).abs() } else { (1.2 + b * b).powf(0.5 * a) })).sin());
        }
        [-(b), -(b), (1.5_f64).sin()]
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        a = (1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * ((1.2 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()]).powf(0.5 * a));
        if (n + 0) % 2 == 0 {
            let g_3 = |u_4: f64| (0.3 * x.iter().rev().skip(1).copied().map(|u| u * u_4).sum::<f64>() - 0.3 * x.iter().zip(x.iter()).map(|(u, w)| u * w).sum::<f64>()) * 0.5;
            a *= 0.8 + 0.1 * (((1.2 + g_3(b) * g_3(b)).powf(0.5 * x[n % x.len()])).clamp(-0.7, 0.9));
        } else {
            let s_5 = {
                'l7: for i_6 in 0..3 {
                    a += 0.3 * (((a * b * 0.5).cos()).cos());
                    for i_7 in 0..2 {
                        if b <= -0.9 { continue; }
                        a *= 0.8 + 0.1 * ((0.5 * ((x[i_7 % x.len()] - (0.1 * i_7 as f64)) * 0.5 + (if i_6 % 2 == 0 { b } else { x[(i_7 + 0) % x.len()] }))).cos());
                    }
                    a = (((0.1 * i_6 as f64) - x[n % x.len()]) * 0.5 * -(b) * 0.5).tanh();
                }
                (x[(n + 0) % x.len()]).clamp(-0.7, 0.9)
            };
            a -= 0.2 * ((1.2 + (0.1 * n as f64) * (0.1 * n as f64)).powf(0.5 * s_5));
        }
        let (mut s_8, mut s_9) = ((b).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64)), b);
        let mut v_10: Vec<f64> = vec![(0.3 * (a)).exp(); 4];
        let k_11 = n % v_10.len();
        v_10[k_11] = ((v_10[k_11 % v_10.len()]).atan2(1.5 + a * a)).tanh();
        let mut s_12: f64 = (1.5 + v_10[k_11 % v_10.len()] * v_10[k_11 % v_10.len()]).ln() + 0.1 * (0.5 * (s_9 + s_9));
        (-(x[(k_11 + 2) % x.len()]) - -(s_8)) * 0.5 + 0.6 * a + 0.9 * b + 0.6 * s_8 + 0.9 * s_9 + v_10.iter().sum::<f64>() * 0.7 + 0.7 * s_12
    }
}

pub mod p135 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: (f64, f64), c: &[f64]) -> f64 {
        let mut s_1: f64 = 0.3 * c.iter().zip(c.iter()).map(|(u, w)| u * w).sum::<f64>();
        'l3: for i_2 in 0..3 {
            s_1 = (-(0.3 * c.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>())).sin();
            for i_3 in 0..2 {
                if (i_2 + 2) > 2 && (i_3 + 2) < 9 { continue 'l3; }
                s_1 = 0.6 * s_1 + 0.3 * ((((b.0).abs()).atan2(1.5 + s_1 * s_1)).sin());
            }
            s_1 = ((b.0 / (1.5 + c[i_2 % c.len()] * c[i_2 % c.len()]) - (if (i_2 + 2) > 0 { c[(i_2 + 2) % c.len()] } else { s_1 })) * 0.5).sin();
        }
        let s_4 = {
            s_1 *= 0.8 + 0.1 * ((c[0 % c.len()]).abs() * (b.0 - s_1) * 0.5 * 0.5);
            (s_1).atan2(1.5 + s_1 * s_1)
        };
        (0.3 * (s_4)).exp()
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let (s_5, s_6) = (b * (0.1 * n as f64) * 0.5, (b).powi(3) * 0.2 * (0.3 * (a)).exp() * 0.5);
        let p_7: Point = Point { x: (if !(s_5 > -0.7) { (0.1 * n as f64) } else { b }), y: 0.5 * (x[n % x.len()] + h0(s_5 * 0.7, (s_5, s_6), x)) };
        let mut v_8: Vec<f64> = vec![(h0(s_5, (b, a), x)).sin(); 4];
        let k_9 = n % v_8.len();
        v_8[k_9] = 0.6 * v_8[k_9] + 0.3 * (1.4 * ((0.3 * (v_8[k_9 % v_8.len()])).exp()));
        for (i_10, u_11) in v_8.iter().enumerate() {
            let s_12 = -(s_5) * v_8[k_9 % v_8.len()] * v_8[(k_9 + 0) % v_8.len()] * 0.5 * 0.5;
            let mut o_13: Option<f64> = Some(0.8 * ((if s_6 >= -0.9 && i_10 < 9 { s_5 } else { (*u_11) })));
            o_13 = Some((((0.3 * (s_12)).exp()).clamp(-0.7, 0.9)).tanh());
        }
        'l15: for i_14 in 0..3 {
            let k_16 = i_14 % v_8.len();
            v_8[k_16] = 0.6 * v_8[k_16] + 0.3 * ((((p_7.y).tanh()).sin()).tanh());
            for i_15 in 0..2 {
                if h0(s_6 * 0.7, (s_6, s_5), &v_8) >= 0.9 { return h0(s_6 * 0.7, (s_6, b), x); }
                let k_17 = k_16 % v_8.len();
                v_8[k_17] = (0.3 * v_8.iter().filter(|u| **u > 0.2).map(|u| u.cos()).sum::<f64>()).cos();
            }
            let k_18 = k_16 % v_8.len();
            v_8[k_18] *= 0.8 + 0.1 * ((((p_7.x).clamp(-0.7, 0.9)).clamp(-0.7, 0.9)).sin());
        }
        for i_19 in 1..=3 {
            let mut s_5 = s_5 * ((if s_6 > -0.3 || i_19 == 7 { h0(s_6 * 0.7, (b, b), &v_8) } else { x[i_19 % x.len()] }));
            s_5 *= 0.8 + 0.1 * (((if v_8[k_9 % v_8.len()] >= -0.7 && i_19 < 9 { s_5 * s_5 * 0.5 } else { (h0(s_5, (s_6, s_6), x)).abs() })).cos());
        }
        -((1.2 + p_7.y * p_7.y).powf(0.5 * s_5)) + 0.8 * a + 0.3 * b + 0.3 * s_5 + 0.6 * s_6 + p_7.x * 0.4 - p_7.y + v_8.iter().sum::<f64>() * 0.6
    }
}

pub mod p136 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: (f64, f64)) -> f64 {
        let mut p_1 = Point { x: (a).clamp(-0.7, 0.9), y: (1.2 + a * a).powf(0.5 * a) };
        p_1.y = 0.6 * p_1.y + 0.3 * (((p_1.x).sin()).max(a));
        p_1.x *= 0.8 + 0.1 * (((a).min(b.0)).cos());
        let mut q_2 = ((a).clamp(-0.7, 0.9), ((a).cos()).clamp(-0.7, 0.9));
        ((a).sin()).atan2(1.5 + a * a)
    }
    #[differentiable]
    pub fn h1(a: f64, mut b: f64, c: [f64; 3]) -> Option<f64> {
        b -= 0.2 * ((if 0 % 2 == 0 && 0 < 9 { 1.3 * (h0(a, (b, b))) } else { (1.5 + c[3 % 3] * c[3 % 3]).ln() + 0.1 * (b) }));
        let v_3: Vec<f64> = c.to_vec();
        let s_4 = if v_3[2 % v_3.len()] > -1.5 && 1 < 9 {
            match 1 % 4 {
                0 => {
                    let g_6 = |u_7: f64| (0.3 * ((1.0 + u_7 * u_7).sqrt() - (u_7))).exp();
                }
                1 | 2 => {
                    b -= 0.2 * (((b - b) * 0.5).sin());
                }
                _ => {
                    let a = a * (b * a * 0.5);
                }
            }
            (1.2 + h0(b * 0.7, (a, a)) * h0(b * 0.7, (a, a))).powf(0.5 * b)
        } else {
            (b).sin() / (1.5 + v_3[0 % v_3.len()] * v_3[0 % v_3.len()])
        };
        Some(((c[2 % 3]).powi(2) * 0.2).atan2(1.5 + b * b))
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let o_8 = h1(b * 0.7, a * 0.7, [b, b, 0.2]);
        if !((n + 2) % 2 == 1) { return (0.3 * (b / (1.5 + b * b))).exp(); }
        b *= 0.8 + 0.1 * ((0.1 * n as f64) * a * 0.5 / (1.5 + h0(b, (a, a)) * h0(b, (a, a))));
        'l10: for i_9 in 0..3 {
            b += 0.3 * ((((0.1 * i_9 as f64)).clamp(-0.7, 0.9)).sin());
            for i_10 in 0..2 {
                if i_10 % 2 == 1 { continue 'l10; }
                b = 0.6 * b + 0.3 * ((x[(i_9 + 2) % x.len()] / (1.5 + x[n % x.len()] * x[n % x.len()]) / (1.5 + (0.1 * i_10 as f64) * (0.1 * i_10 as f64))).sin());
            }
            b = 0.6 * b + 0.3 * (((0.1 * i_9 as f64) / (1.5 + x[(i_9 + 1) % x.len()] * x[(i_9 + 1) % x.len()]) * b / (1.5 + a * a) * 0.5).tanh());
        }
        b = (x[n % x.len()] - (0.1 * n as f64)) * 0.5;
        let mut v_11: Vec<f64> = x.to_vec();
        let mut s_12: f64 = (b).clamp(-0.7, 0.9) * (if b < 1.2 && (n + 2) < 9 { v_11[n % v_11.len()] } else { (0.1 * n as f64) }) * 0.5;
        'l14: for i_13 in 0..3 {
            s_12 *= 0.8 + 0.1 * ((0.5 * ((h0(s_12, (a, s_12))).tanh() + h0(b * 0.7, (s_12, s_12)))).sin());
            for i_14 in 0..2 {
                if (0.1 * i_13 as f64) > -1.0 { break 'l14; }
                s_12 = (0.5 * (0.5 * (a + (0.1 * i_14 as f64)) + v_11[i_14 % v_11.len()] / (1.5 + v_11[i_14 % v_11.len()] * v_11[i_14 % v_11.len()]))).sin();
            }
            s_12 = 0.6 * s_12 + 0.3 * ((0.5 * (v_11[i_13 % v_11.len()] + (0.1 * i_13 as f64)) * (v_11[i_13 % v_11.len()] - (0.1 * i_13 as f64)) * 0.5 * 0.5).cos());
        }
        for &u_16 in v_11.iter().rev() {
            let mut u_16 = u_16 * ((1.2 + v_11[n % v_11.len()] * v_11[n % v_11.len()]).powf(0.5 * h0(u_16, (s_12, u_16))));
            u_16 = (((v_11[(n + 0) % v_11.len()]).atan2(1.5 + x[n % x.len()] * x[n % x.len()]) - (1.2 + u_16 * u_16).powf(0.5 * v_11[n % v_11.len()])) * 0.5).tanh();
        }
        (1.2 + h0(b * 0.7, (s_12, s_12)) * h0(b * 0.7, (s_12, s_12))).powf(0.5 * x[n % x.len()]) + 0.6 * a + 0.8 * b + o_8.unwrap_or(0.7) + v_11.iter().sum::<f64>() * 1.0 + 0.5 * s_12
    }
}

pub mod p137 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Choice) -> Point {
        let mut a = a * ((a).clamp(-0.7, 0.9));
        for i_1 in 0..1 {
            let s_2 = {
                a *= 0.8 + 0.1 * ((-((a).max((0.1 * i_1 as f64)))).sin());
                (1.0 + a * a).sqrt() - (a)
            };
            for i_3 in 0..2 {
                let s_4 = if s_2 >= 1.0 {
                    a = ((if (0.1 * i_3 as f64) <= 0.8 { -((0.1 * i_3 as f64)) } else { 0.7 * (a) })).cos();
                    continue
                } else {
                    let mut s_5: f64 = (if i_1 % 2 == 0 { 0.2 * ((0.1 * i_3 as f64)) } else { (0.1 * i_1 as f64) / (1.5 + s_2 * s_2) });
                    (s_2).sin() * (1.2 + 0.4_f64 * 0.4_f64).powf(0.5 * a) * 0.5
                };
                if s_4 > 0.7 {
                    let mut r_6: [f64; 3] = [(s_2).clamp(-0.7, 0.9), 1.3 * (s_4), s_2 * s_4 * 0.5];
                    r_6[2] += 0.3 * ((s_4 / (1.5 + r_6[i_3 % 3] * r_6[i_3 % 3]) * (s_4).cos() * 0.5).sin());
                    r_6[(i_3 + 0) % 3] = (((s_4).sin()).powi(2) * 0.2).sin();
                }
                a = ((s_2 / (1.5 + s_4 * s_4)).tanh()).tanh();
            }
            a = 0.6 * a + 0.3 * ((0.5 * (0.4 * (s_2) + (1.2 + (0.1 * i_1 as f64) * (0.1 * i_1 as f64)).powf(0.5 * (0.1 * i_1 as f64)))).cos());
        }
        Point { x: 0.5 * (a + a), y: (if a < -1.4 { a } else { a }) }
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let e_7 = Choice::Line { at: 0.5 * (b + a) };
        if (n + 1) % 2 == 1 && n < 9 {
            let mut k_8 = 0;
            while k_8 < 1 && (n % 2 == 1) {
                k_8 += 1;
                let g_9 = |u_10: f64| (x[(k_8 + 2) % x.len()]).abs() * x[k_8 % x.len()] * b * 0.5 * 0.5;
                let mut e_11 = Choice::Plane((1.5 + a * a).ln() + 0.1 * (x[k_8 % x.len()]), -(b));
            }
            let s_12 = match e_7 {
                Choice::Line { at: u_13 } => 0.3 * x.iter().fold(0.3, |s, u| 0.5 * s + u * a),
                Choice::Plane(u_13, w_14) => ((if (k_8 + 1) > 2 && n < 9 { b } else { a })).abs(),
                Choice::Nothing => (1.2 + b * b).powf(0.5 * x[k_8 % x.len()]),
            };
            let mut q_15: (f64, f64) = ((s_12 - b) * 0.5, x[(k_8 + 2) % x.len()] / (1.5 + s_12 * s_12));
        }
        let e_16 = Choice::Nothing;
        match n % 4 {
            0 => {
                let o_18 = Some(((0.1 * n as f64) * b * 0.5).powi(3) * 0.2);
            }
            1 | 2 => {
                let mut s_19: f64 = (a).abs();
            }
            _ => {
                let mut s_20 = 0.5 * ((0.1 * n as f64) * b * 0.5 + (x[n % x.len()]).atan2(1.5 + x[n % x.len()] * x[n % x.len()]));
            }
        }
        (if n % 2 == 0 { x[(n + 0) % x.len()] } else { (0.1 * n as f64) }) / (1.5 + b * b) + 0.5 * a + 0.5 * b
    }
}

pub mod p138 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let r_1: [f64; 3] = [(if !(n > 1) { b } else { a }), (x[n % x.len()]).sin(), -(x[(n + 2) % x.len()])];
        let mut b = b * (((0.1 * n as f64)).powi(3) * 0.2);
        for u_3 in x.iter() {
            let mut o_4: Option<f64> = Some((0.3 * (b / (1.5 + r_1[2] * r_1[2]))).exp());
            let (s_5, s_6) = ((b).sin(), (1.2 + a * a).powf(0.5 * b));
            o_4 = Some(((r_1[1] * (0.1 * n as f64) * 0.5).abs()).tanh());
        }
        let q_10 = (1.5 * (b), (1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - (b) * (1.0 + 0.4_f64 * 0.4_f64).sqrt() - ((0.1 * n as f64)) * 0.5);
        if !(n > 1) { return ((r_1[2]).clamp(-0.7, 0.9)).tanh(); }
        let s_11 = {
            let r_12 = [0.8 * (b); 3];
            q_10.0 / (1.5 + r_1[n % 3] * r_1[n % 3])
        };
        1.5 * (s_11) * ((0.1 * n as f64)).min(s_11) * 0.5 + 0.7 * a + r_1.iter().sum::<f64>() * 0.6 + 1.0 * b + q_10.0 * 0.3 - q_10.1 + 1.1 * s_11
    }
}

pub mod p139 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: f64) -> f64 {
        let mut e_1: Choice = Choice::Nothing;
        let b = b * ((0.3 * (b)).exp());
        if b < 0.3 {
            let s_2 = match 3 % 4 {
                0 => {
                    let mut p_3 = Point { x: (b - b) * 0.5, y: (0.3 * (b)).exp() };
                    (1.2 + p_3.y * p_3.y).powf(0.5 * b)
                }
                1 | 2 => {
                    if 1 > 0 { return (0.5 * (b + a)).clamp(-0.7, 0.9); }
                    (1.5 + b * b).ln() + 0.1 * (a)
                }
                _ => {
                    let mut o_4 = Some((a - b) * 0.5 / (1.5 + b * b));
                    0.5 * (a + b)
                }
            };
            for i_5 in (0..1).rev() {
                let mut o_6 = Some((1.2 + b * b).powf(0.5 * s_2));
                o_6 = Some((((b).min((0.1 * i_5 as f64)) - (1.5 + a * a).ln() + 0.1 * (s_2)) * 0.5).tanh());
            }
            let mut r_7 = [(1.0 + b * b).sqrt() - (s_2); 3];
        } else {
            let a = a * (a / (1.5 + b * b));
            let mut q_8 = (b * b * 0.5, -(a * a * 0.5));
        }
        ((a - b) * 0.5).abs()
    }
    #[differentiable]
    pub fn h1(a: f64, b: Point, c: f64) -> [f64; 3] {
        'l10: for i_9 in 0..3 {
            let mut r_11 = [(1.0 + h0(c * 0.7, c) * h0(c * 0.7, c)).sqrt() - (c); 3];
            for i_10 in 0..2 {
                if (i_10 + 0) > 0 || i_10 == 7 { break 'l10; }
                r_11[0] = ((if b.x >= -0.7 { r_11[1] } else { c }) * (h0(c, c * 0.7) - c) * 0.5 * 0.5).cos();
            }
            r_11[i_9 % 3] = 0.6 * r_11[i_9 % 3] + 0.3 * ((0.3 * r_11.iter().fold(1.2, |s, u| 0.5 * s + u * c)).cos());
        }
        if c < -0.2 { return [(c).abs(), 0.5 * (c + c), (1.2 + c * c).powf(0.5 * c)]; }
        let mut k_12 = 0;
        loop {
            k_12 += 1;
            if k_12 > 1 { break; }
            let p_13 = Point { x: 1.5 * (h0(a * 0.7, c)), y: h0(a * 0.7, c * 0.7) * (0.1 * k_12 as f64) * 0.5 };
            let mut s_14 = ((1.2 + p_13.x * p_13.x).powf(0.5 * a)).sin();
        }
        [(c).cos(), c, ((0.1 * k_12 as f64)).tanh()]
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut k_15 = 0;
        loop {
            k_15 += 1;
            if k_15 > 2 { break; }
            let mut k_16 = 0;
            while k_16 < 1 && (k_15 % 2 == 0) {
                k_16 += 1;
                let mut q_17 = ((x[n % x.len()]).sin(), 0.5 * (b + b) * (b).clamp(-0.7, 0.9) * 0.5);
                q_17.0 += 0.3 * ((((0.1 * k_16 as f64)).min(b) * (x[k_16 % x.len()]).atan2(1.5 + (0.1 * k_15 as f64) * (0.1 * k_15 as f64)) * 0.5).cos());
            }
            let mut k_18 = 0;
            while k_18 < 3 {
                k_18 += 1;
                let mut r_19 = [1.4 * (x[(k_18 + 1) % x.len()]); 3];
                r_19[1] = 0.6 * r_19[1] + 0.3 * ((b * b * 0.5 * (0.3 * ((0.1 * k_15 as f64))).exp() * 0.5).sin());
            }
            let mut o_20 = Some(0.5 * ((b).atan2(1.5 + h0(b, a) * h0(b, a)) + 0.5 * (x[(k_18 + 1) % x.len()] + (0.1 * n as f64))));
        }
        let mut q_21 = ((x[k_15 % x.len()]).min(x[k_15 % x.len()]), ((x[k_15 % x.len()]).sin()).abs());
        let b = b * ((b).powi(2) * 0.2);
        let mut p_25 = Point { x: (b).powi(3) * 0.2, y: (h0(b, b * 0.7) - q_21.0) * 0.5 };
        let mut k_26 = 0;
        while k_26 < 3 {
            k_26 += 1;
            let mut v_27: Vec<f64> = x.to_vec();
            let mut p_28 = Point { x: 0.5 * (a + b), y: (b).max(v_27[k_26 % v_27.len()]) };
            p_28.x -= 0.2 * (((1.2 + b * b).powf(0.5 * b)).tanh());
        }
        ((1.0 + b * b).sqrt() - (h0(b, b))).clamp(-0.7, 0.9) + 1.0 * a + q_21.0 * 0.7 - q_21.1 + 1.0 * b + p_25.x * 1.0 - p_25.y
    }
}
