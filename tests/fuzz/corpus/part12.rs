// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p120 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: usize) -> Point {
        let mut r_1 = [(a).cos(); 3];
        let o_5 = Some(r_1[b % 3] / (1.5 + a * a) * (0.3 * (a)).exp() * 0.5);
        for (i_6, u_7) in r_1.iter_mut().enumerate() {
            *u_7 += 0.3 * (a / (1.5 + a * a)).sin();
        }
        r_1[1] += 0.3 * (0.5 * (r_1[2] + a) * -(r_1[b % 3]) * 0.5);
        Point { x: (r_1[b % 3] - (0.1 * b as f64)) * 0.5, y: (a).min(a) }
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        for i_8 in (0..n % 4).rev() {
            let mut q_9 = ((b).abs(), 0.5 * ((1.2 + a * a).powf(0.5 * b) + 0.5 * ((0.1 * n as f64) + b)));
            q_9.0 *= 0.8 + 0.1 * (((0.3 * (x[i_8 % x.len()])).exp() * (b).atan2(1.5 + b * b) * 0.5).sin());
        }
        let mut s_10 = (b - x[(n + 2) % x.len()]) * 0.5;
        s_10 = 0.6 * s_10 + 0.3 * (1.3 * (x[n % x.len()] * (0.1 * n as f64) * 0.5));
        let s_11: f64 = (s_10 * b * 0.5).atan2(1.5 + a * a);
        let s_12 = match n % 4 {
            0 => {
                let mut q_13 = (b * x[n % x.len()] * 0.5, 0.5 * ((1.0 + s_10 * s_10).sqrt() - (s_10) + 0.5 * (s_10 + (0.1 * n as f64))));
                x[n % x.len()] / (1.5 + s_10 * s_10)
            }
            1 | 2 => {
                s_10 = 0.6 * s_10 + 0.3 * ((s_10).atan2(1.5 + x[n % x.len()] * x[n % x.len()]) / (1.5 + b * b));
                0.5 * (s_10 + x[(n + 0) % x.len()])
            }
            _ => {
                match n % 4 {
                    0 => {
                        s_10 = (0.5 * ((0.1 * n as f64) + s_11)).sin();
                    }
                    1 | 2 => {
                        s_10 += 0.3 * (((b).atan2(1.5 + x[n % x.len()] * x[n % x.len()]) - (if s_11 < -1.1 || n == 7 { s_11 } else { x[(n + 1) % x.len()] })) * 0.5);
                    }
                    _ => {
                        let mut s_15: f64 = (1.2 + s_10 * s_10).powf(0.5 * x[n % x.len()]);
                    }
                }
                s_10
            }
        };
        (1.2 + x[n % x.len()] * x[n % x.len()]).powf(0.5 * x[(n + 0) % x.len()]) + 1.0 * a + 0.7 * b + 0.3 * s_10 + 0.9 * s_11 + 0.9 * s_12
    }
}

pub mod p121 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        b += 0.3 * (((b).atan2(1.5 + x[n % x.len()] * x[n % x.len()])).abs());
        for i_1 in 1..=1 {
            b += 0.3 * ((((a).tanh()).min((0.1 * n as f64))).tanh());
            b -= 0.2 * (((b).clamp(-0.7, 0.9) / (1.5 + b * b)).tanh());
        }
        let r_2 = [-(b); 3];
        for i_3 in 0..2 {
            for i_4 in 1..=2 {
                let mut r_8: [f64; 3] = [0.5 * (a + b), -((0.1 * i_4 as f64)), ((0.1 * i_3 as f64) - b) * 0.5];
                b = (0.3 * x.iter().fold(0.6, |s, u| 0.5 * s + u * b)).sin();
                r_8[i_4 % 3] = ((1.2 + r_8[i_4 % 3] * r_8[i_4 % 3]).powf(0.5 * r_8[1])).tanh();
            }
            let mut p_9: Point = Point { x: (r_2[2]).min(x[(n + 1) % x.len()]), y: x[(i_3 + 1) % x.len()] / (1.5 + (0.1 * n as f64) * (0.1 * n as f64)) };
            p_9.y = 0.6 * p_9.y + 0.3 * (((a).sin() * (b).sin() * 0.5).cos());
        }
        ((1.5 + b * b).ln() + 0.1 * (r_2[n % 3]) - 0.5 * (a + r_2[n % 3])) * 0.5 + 0.8 * a + 1.0 * b + r_2.iter().sum::<f64>() * 0.4
    }
}

pub mod p122 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: [f64; 3], c: (f64, f64)) -> [f64; 3] {
        let r_1: [f64; 3] = [1.2 * (b[0 % 3]), (1.0 + a * a).sqrt() - (b[1]), b[0] * c.1 * 0.5];
        let (s_2, s_3) = ((b[3 % 3] - b[2]) * 0.5, (0.3 * (c.1)).exp() * (c.1 - r_1[0]) * 0.5 * 0.5);
        let mut v_4: Vec<f64> = r_1.iter().map(|u| u * 0.2).collect::<Vec<f64>>();
        let s_3 = s_3 * (s_2 / (1.5 + s_3 * s_3));
        [(if s_2 < -1.0 { s_3 } else { s_2 }), 1.3 * (s_3), s_3 / (1.5 + s_2 * s_2)]
    }
    #[differentiable]
    pub fn h1(a: f64) -> f64 {
        for i_5 in 0..3 {
            let mut s_6: f64 = ((0.1 * i_5 as f64)).sin();
            let mut k_7 = 0;
            while k_7 < 2 {
                k_7 += 1;
                for i_8 in (0..5).step_by(2) {
                    s_6 += 0.3 * (((1.0 + s_6 * s_6).sqrt() - (s_6 / (1.5 + s_6 * s_6))).sin());
                    s_6 = ((1.5 + a * a).ln() + 0.1 * ((0.1 * i_8 as f64))).cos();
                    s_6 = 0.6 * s_6 + 0.3 * (((s_6).sin()).sin());
                }
                s_6 = (-(((0.1 * k_7 as f64)).tanh())).cos();
            }
            s_6 *= 0.8 + 0.1 * ((0.5 * ((s_6).atan2(1.5 + s_6 * s_6) + -(s_6))).tanh());
        }
        ((a).clamp(-0.7, 0.9) - a * a * 0.5) * 0.5
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut r_9: [f64; 3] = h0(b * 0.7, [b, b, 1.2], (b, a));
        r_9[(n + 1) % 3] += 0.3 * ((h1(b) - b) * 0.5);
        let s_10 = if b > -0.9 || n == 7 {
            r_9[1] = 0.6 * r_9[1] + 0.3 * ((b / (1.5 + (0.1 * n as f64) * (0.1 * n as f64))).abs());
            (a * b * 0.5 - 0.2 * (b)) * 0.5
        } else {
            (0.3 * ((0.3 * (b)).exp())).exp()
        };
        let (s_11, s_12) = (h1(b * 0.7) / (1.5 + h1(a) * h1(a)), ((0.3 * ((0.1 * n as f64))).exp()).clamp(-0.7, 0.9));
        if n > 2 && (n + 2) < 9 {
            let mut e_13 = Choice::Plane(x[n % x.len()] * r_9[(n + 1) % 3] * 0.5, ((0.1 * n as f64) - b) * 0.5);
            r_9[n % 3] += 0.3 * (0.5 * ((1.5 + h1(s_10) * h1(s_10)).ln() + 0.1 * (r_9[1]) + -(s_12)));
        } else {
            if s_11 <= -1.1 { return (0.5 * (r_9[0] + s_11)).powi(3) * 0.2; }
            r_9[0] += 0.3 * ((1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * (-(s_11)));
        }
        if b >= -1.1 {
            for i_14 in (0..3).rev() {
                let mut s_12 = s_12 * ((s_12).atan2(1.5 + (0.1 * i_14 as f64) * (0.1 * i_14 as f64)));
                s_12 += 0.3 * (((1.0 + (0.1 * i_14 as f64) * (0.1 * i_14 as f64)).sqrt() - ((1.0 + s_11 * s_11).sqrt() - (h1(s_10 * 0.7)))).cos());
            }
            let s_15 = if !(x[n % x.len()] >= -0.5) {
                (1.2 * (s_11) - s_11 / (1.5 + h1(s_11) * h1(s_11))) * 0.5
            } else {
                let s_16 = {
                    r_9[1] = (1.5 + s_10 * s_10).ln() + 0.1 * ((s_10 - x[(n + 1) % x.len()]) * 0.5);
                    ((0.1 * n as f64)).powi(2) * 0.2
                };
                (x[n % x.len()] / (1.5 + x[n % x.len()] * x[n % x.len()]) - 1.5 * (h1(s_16 * 0.7))) * 0.5
            };
            r_9[(n + 2) % 3] -= 0.2 * ((s_10 / (1.5 + b * b)).clamp(-0.7, 0.9));
        }
        (1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - (-(r_9[2])) + 0.8 * a + 1.0 * b + r_9.iter().sum::<f64>() * 1.1 + 0.9 * s_10 + 0.4 * s_11 + 0.5 * s_12
    }
}

pub mod p123 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: (f64, f64)) -> f64 {
        let a = a * (1.0 * (b.0));
        let e_1 = Choice::Nothing;
        let e_2: Choice = Choice::Plane(-(a), (a - a) * 0.5);
        let s_3 = match e_2 {
            Choice::Line { at: u_4 } => 0.2 * ((a).abs()),
            Choice::Plane(u_4, w_5) => (if 0 > 2 || 0 == 7 { b.1 } else { 0.5 * (u_4 + b.1) }),
            Choice::Nothing => ((a).atan2(1.5 + a * a)).atan2(1.5 + b.0 * b.0),
        };
        (s_3 * s_3 * 0.5 - (0.3 * (a)).exp()) * 0.5
    }
    #[differentiable]
    pub fn h1(a: f64, b: (f64, f64)) -> Option<f64> {
        let a = a * (0.9 * (a));
        let (mut s_6, mut s_7) = b;
        let mut s_7 = s_7 * (0.5 * (s_6 + a));
        s_7 += 0.3 * ((0.3 * (s_7)).exp());
        Some((1.5 + s_6 * s_6).ln() + 0.1 * ((1.5 + s_7 * s_7).ln() + 0.1 * (s_6)))
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        for u_9 in x.iter().copied() {
            b *= 0.8 + 0.1 * ((h0(a, (u_9, u_9)) * h0(b, (a, u_9)) * 0.5 / (1.5 + u_9 * u_9)).sin());
            b *= 0.8 + 0.1 * (((u_9 / (1.5 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()]) - (u_9).powi(3) * 0.2) * 0.5).sin());
        }
        let s_13 = 0.7 * (b);
        b -= 0.2 * ((1.5 + h0(s_13, (s_13, b)) * h0(s_13, (s_13, b))).ln() + 0.1 * ((s_13).powi(2) * 0.2));
        let (s_14, s_15) = ((1.2 + a * a).powf(0.5 * x[(n + 2) % x.len()]), 0.3 * x.iter().map(|u| u * u * 0.8).sum::<f64>());
        let mut s_16: f64 = h0(s_14 * 0.7, (s_15, s_14));
        let mut s_16 = s_16 * ((0.1 * n as f64));
        s_16 = (((0.1 * n as f64)).clamp(-0.7, 0.9)).clamp(-0.7, 0.9);
        let g_17 = |u_18: f64| ((1.2 + (0.1 * n as f64) * (0.1 * n as f64)).powf(0.5 * s_15)).powi(3) * 0.2;
        0.5 * (s_16 * s_14 * 0.5 + (0.1 * n as f64)) + 0.3 * a + 0.7 * b + 0.9 * s_13 + 0.5 * s_14 + 0.3 * s_15 + 1.1 * s_16
    }
}

pub mod p124 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(mut a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        b *= 0.8 + 0.1 * ((1.0 + b * b).sqrt() - (b) / (1.5 + x[n % x.len()] * x[n % x.len()]));
        let mut a = a * ((1.5 + b * b).ln() + 0.1 * ((0.1 * n as f64)));
        let s_1 = if n % 2 == 0 {
            a -= 0.2 * (x[n % x.len()] / (1.5 + a * a) * (x[n % x.len()]).tanh() * 0.5);
            0.5 * (a / (1.5 + x[(n + 1) % x.len()] * x[(n + 1) % x.len()]) + 0.5 * (a + x[(n + 0) % x.len()]))
        } else {
            a = 0.6 * a + 0.3 * (((0.1 * n as f64) - b) * 0.5 * a * a * 0.5 * 0.5);
            (0.3 * (x[n % x.len()])).exp() * (a - x[n % x.len()]) * 0.5 * 0.5
        };
        let s_2 = {
            let r_3 = [(x[n % x.len()] - (0.1 * n as f64)) * 0.5, a * x[(n + 0) % x.len()] * 0.5, (a - x[n % x.len()]) * 0.5];
            (if n > 1 { b } else { r_3[0] })
        };
        let mut q_4: (f64, f64) = ((s_2).cos(), (x[n % x.len()]).tanh() * (1.0 + s_1 * s_1).sqrt() - (s_1) * 0.5);
        match n % 4 {
            0 => {
                match n % 4 {
                    0 => {
                        let s_7 = (1.5 + q_4.0 * q_4.0).ln() + 0.1 * ((s_2).atan2(1.5 + q_4.1 * q_4.1));
                    }
                    1 | 2 => {
                        let mut s_8 = ((1.5 + a * a).ln() + 0.1 * (s_1)).clamp(-0.7, 0.9);
                    }
                    _ => {
                        q_4.0 = (s_2).cos();
                    }
                }
            }
            1 | 2 => {
                let mut p_9 = Point { x: s_2 * s_1 * 0.5, y: 0.3 * x.iter().rev().skip(1).copied().map(|u| u * s_2).sum::<f64>() };
            }
            _ => {
                q_4.1 = ((x[n % x.len()]).abs()).cos();
            }
        }
        (s_2).clamp(-0.7, 0.9) * 1.4 * (s_2) * 0.5 + 1.0 * b + 0.9 * a + 0.4 * s_1 + 1.1 * s_2 + q_4.0 * 0.7 - q_4.1
    }
}

pub mod p125 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> f64 {
        let mut e_1 = Choice::Line { at: (0.3 * (a)).exp() };
        let mut a = a * (a * a * 0.5);
        let s_2: f64 = ((0.6_f64).max(a)).atan2(1.5 + a * a);
        for i_3 in (0..5).step_by(2) {
            for i_4 in 0..2 {
                for i_5 in (0..3).rev() {
                    let g_6 = |u_7: f64| (if !(i_5 > 2) { u_7 } else { u_7 / (1.5 + u_7 * u_7) });
                    a = ((a / (1.5 + g_6(s_2) * g_6(s_2))).powi(2) * 0.2).sin();
                    a = (((g_6(s_2)).cos()).atan2(1.5 + (0.1 * i_5 as f64) * (0.1 * i_5 as f64))).cos();
                }
                let a = a * (s_2);
                let mut v_8: Vec<f64> = vec![(s_2).powi(2) * 0.2, a];
            }
            a += 0.3 * (((1.0 + s_2 * s_2).sqrt() - ((s_2).max(a))).cos());
        }
        (a * s_2 * 0.5).tanh()
    }
    #[differentiable]
    pub fn h1(a: f64) -> [f64; 3] {
        if a < 1.0 { return [(h0(a)).min(a), (1.5 + h0(a * 0.7) * h0(a * 0.7)).ln() + 0.1 * (a), (a).powi(2) * 0.2]; }
        let v_9: Vec<f64> = vec![(1.2 + h0(a * 0.7) * h0(a * 0.7)).powf(0.5 * a), a * a * 0.5];
        let a = a * (0.5 * (a + v_9[3 % v_9.len()]));
        let mut v_10: Vec<f64> = v_9.to_vec();
        [(a).cos(); 3]
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        for (i_11, u_12) in x.iter().enumerate() {
            let mut a = a * ((b).abs());
            for (i_13, u_14) in x.iter().enumerate() {
                let s_15 = {
                    let mut a = a * ((x[i_11 % x.len()]).powi(3) * 0.2);
                    (a).abs()
                };
                a = (0.3 * x.iter().fold(1.4, |s, u| 0.5 * s + u * s_15)).sin();
            }
            a += 0.3 * (((a).max(a) / (1.5 + b * b)).cos());
        }
        let mut p_16: Point = Point { x: -(h0(b * 0.7)), y: (1.2 + x[n % x.len()] * x[n % x.len()]).powf(0.5 * b) };
        p_16.x *= 0.8 + 0.1 * (((0.1 * n as f64) * b * 0.5 - (b).clamp(-0.7, 0.9)) * 0.5);
        if x[(n + 2) % x.len()] > -0.8 { return ((b - a) * 0.5).max(b); }
        let s_17 = if (n + 1) % 2 == 1 {
            0.5 * (0.5 * (a + a) + x[n % x.len()] / (1.5 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()]))
        } else {
            ((0.1 * n as f64)).cos()
        };
        (b - p_16.y) * 0.5 / (1.5 + s_17 * s_17) + 0.5 * a + 1.0 * b + p_16.x * 0.8 - p_16.y + 1.0 * s_17
    }
}

pub mod p126 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut o_4: Option<f64> = Some((a / (1.5 + b * b)).max(b));
        for i_5 in (0..5).step_by(2) {
            let s_6 = match i_5 % 4 {
                0 => {
                    o_4 = Some(((0.5 * ((0.1 * n as f64) + (0.1 * i_5 as f64)) - 0.6 * (a)) * 0.5).tanh());
                    (1.5 + (0.1 * i_5 as f64) * (0.1 * i_5 as f64)).ln() + 0.1 * ((0.1 * i_5 as f64))
                }
                1 | 2 => {
                    let (s_7, s_8) = (-(x[(i_5 + 2) % x.len()]), ((b).sin()).sin());
                    0.7 * (s_8)
                }
                _ => {
                    o_4 = Some((((x[i_5 % x.len()] - b) * 0.5).powi(2) * 0.2).tanh());
                    (1.0 + a * a).sqrt() - (b)
                }
            };
            for i_9 in 0..n % 4 {
                let (s_10, s_11) = (((0.1 * n as f64)).sin(), (0.5 * ((0.1 * i_9 as f64) + (0.1 * i_9 as f64))).abs());
                let s_12 = if i_9 % 2 == 1 && i_9 < 9 {
                    continue
                } else {
                    let mut s_13 = 0.5 * (((0.1 * i_9 as f64)).sin() + (1.5 + x[(i_9 + 2) % x.len()] * x[(i_9 + 2) % x.len()]).ln() + 0.1 * (s_6));
                    (a * (0.1 * i_5 as f64) * 0.5).atan2(1.5 + x[i_9 % x.len()] * x[i_9 % x.len()])
                };
                o_4 = Some((-(s_11) * 0.5 * (x[(i_9 + 2) % x.len()] + s_12) * 0.5).cos());
            }
            o_4 = Some((((x[(i_5 + 2) % x.len()]).sin()).cos()).sin());
        }
        ((b - x[(n + 0) % x.len()]) * 0.5 - (a - b) * 0.5) * 0.5 + 1.1 * a + 0.3 * b + o_4.unwrap_or(0.7)
    }
}

pub mod p127 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: usize) -> f64 {
        let mut q_4 = (((0.1 * b as f64)).powi(3) * 0.2, ((a).sin()).sin());
        let (s_5, s_6) = q_4;
        if s_5 > 1.4 {
            let mut a = a * ((if (b + 1) % 2 == 1 { s_6 } else { s_5 }));
            let mut k_7 = 0;
            while k_7 < 2 {
                k_7 += 1;
                let mut v_8: Vec<f64> = vec![((0.1 * k_7 as f64) - q_4.1) * 0.5, (0.3 * (a)).exp()];
                q_4.1 = ((v_8[(b + 0) % v_8.len()]).tanh()).sin();
            }
            a = (1.5 + s_6 * s_6).ln() + 0.1 * (a * s_6 * 0.5);
        } else {
            let (mut s_9, mut s_10) = q_4;
            let mut s_10 = s_10 * ((q_4.0).atan2(1.5 + s_10 * s_10));
            s_10 = ((0.1 * b as f64)).tanh();
        }
        s_6 * s_6 * 0.5 * (s_6).min(s_6) * 0.5
    }
    #[differentiable]
    pub fn f(mut a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        a = (b / (1.5 + b * b)).min(x[(n + 2) % x.len()]);
        let mut b = b * (-(b));
        a = (if n > 1 { 0.6 * ((0.1 * n as f64)) } else { (1.5 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()]).ln() + 0.1 * (x[(n + 0) % x.len()]) });
        let mut v_11: Vec<f64> = vec![(0.1 * n as f64) / (1.5 + h0(b * 0.7, n) * h0(b * 0.7, n)), (0.1 * n as f64) / (1.5 + h0(b * 0.7, n) * h0(b * 0.7, n))];
        let k_12 = n % v_11.len();
        v_11[k_12] = (0.5 * (x[k_12 % x.len()] + v_11[(k_12 + 1) % v_11.len()])).min(a);
        'l14: for i_13 in 0..3 {
            b = (0.3 * v_11.iter().map(|u| u.tanh()).product::<f64>() * (b).powi(3) * 0.2 * 0.5).cos();
            for i_14 in 0..2 {
                if i_14 % 2 == 1 { return ((b).cos()).tanh(); }
                let k_15 = i_14 % v_11.len();
                v_11[k_15] = ((b).abs() * (0.1 * k_15 as f64) * b * 0.5 * 0.5).tanh();
            }
            let k_16 = i_13 % v_11.len();
            v_11[k_16] = 0.6 * v_11[k_16] + 0.3 * ((0.5 * (0.5 * (h0(b, k_16) + (0.1 * n as f64)) + (b).atan2(1.5 + b * b))).cos());
        }
        let mut k_17 = 0;
        while k_17 < 4 {
            k_17 += 1;
            let k_18 = k_12 % v_11.len();
            v_11[k_18] -= 0.2 * (((h0(a, k_17)).tanh() * b * b * 0.5 * 0.5).cos());
            let k_19 = k_18 % v_11.len();
            v_11[k_19] += 0.3 * (((b / (1.5 + a * a) - 0.3 * x.iter().map(|u| u.tanh()).product::<f64>()) * 0.5).tanh());
        }
        let k_20 = k_17 % v_11.len();
        v_11[k_20] += 0.3 * (((0.1 * k_20 as f64) - h0(b, k_12)) * 0.5 * (1.5 + v_11[k_20 % v_11.len()] * v_11[k_20 % v_11.len()]).ln() + 0.1 * (b) * 0.5);
        (if b <= -0.9 { (a).cos() } else { v_11[(k_20 + 1) % v_11.len()] / (1.5 + h0(b, k_20) * h0(b, k_20)) }) + 0.4 * a + 0.6 * b + v_11.iter().sum::<f64>() * 1.1
    }
}

pub mod p128 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> f64 {
        let v_1: Vec<f64> = vec![a / (1.5 + a * a), a];
        match 1 % 4 {
            0 => {
                let mut p_3 = Point { x: (1.5 + a * a).ln() + 0.1 * (a), y: 0.5 * (v_1[0 % v_1.len()] + v_1[2 % v_1.len()]) };
            }
            1 | 2 => {
                let mut v_4: Vec<f64> = vec![a * v_1[1 % v_1.len()] * 0.5, 0.5 * (a + a)];
            }
            _ => {
                let g_5 = |u_6: f64| 1.5 * (0.5 * (u_6 + u_6));
            }
        }
        0.3 * v_1.iter().enumerate().map(|(i, u)| (u * a).sin() * i as f64).sum::<f64>() * (if a < 0.3 { v_1[2 % v_1.len()] } else { a }) * 0.5
    }
    #[differentiable]
    pub fn h1(a: f64) -> f64 {
        for i_7 in (0..1).rev() {
            let a = a * (a * a * 0.5);
            let mut q_8 = (0.5 * (a + a), (1.2 + a * a).powf(0.5 * h0(a)));
        }
        let mut o_9: Option<f64> = if a > -0.9 { Some((a).sin()) } else { None };
        o_9 = Some(0.5 * (a * a * 0.5 + a));
        h0(a)
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut o_10 = Some(0.5 * ((0.3 * (b)).exp() + (if n > 1 || n == 7 { a } else { h0(b) })));
        let mut v_11: Vec<f64> = x.iter().map(|u| u * 1.3).collect::<Vec<f64>>();
        for i_12 in (0..5).step_by(2) {
            'l14: for i_13 in 0..3 {
                let k_15 = (i_13 + 2) % v_11.len();
                v_11[k_15] = ((0.7 * (x[i_13 % x.len()]) - ((0.1 * k_15 as f64)).min((0.1 * k_15 as f64))) * 0.5).sin();
                for i_14 in 0..2 {
                    if i_14 > 2 && i_13 < 9 { break 'l14; }
                    let k_16 = (i_14 + 1) % v_11.len();
                    v_11[k_16] *= 0.8 + 0.1 * ((b * b / (1.5 + (0.1 * k_15 as f64) * (0.1 * k_15 as f64)) * 0.5).tanh());
                }
                let k_17 = (i_12 + 2) % v_11.len();
                v_11[k_17] += 0.3 * ((-(b / (1.5 + v_11[(n + 0) % v_11.len()] * v_11[(n + 0) % v_11.len()]))).cos());
            }
            for i_18 in (0..2).rev() {
                let mut b = b * (h1(b * 0.7) * h0(b * 0.7) * 0.5);
                let b = b * ((b).cos());
                o_10 = Some(((b).cos() * (0.1 * n as f64) * v_11[i_12 % v_11.len()] * 0.5 * 0.5).tanh());
            }
            o_10 = Some((0.3 * x.iter().filter(|u| **u > 0.9).map(|u| u.cos()).sum::<f64>()).sin());
        }
        let mut q_19 = ((b).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64)), 0.3 * x.iter().map(|u| u * u * 1.2).sum::<f64>());
        o_10 = Some(((b).clamp(-0.7, 0.9)).sin());
        (0.5 * (b + a)).powi(2) * 0.2 + 0.4 * a + 0.5 * b + o_10.unwrap_or(1.0) + v_11.iter().sum::<f64>() * 0.6 + q_19.0 * 0.6 - q_19.1
    }
}

pub mod p129 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, #[constant] b: f64, c: (f64, f64)) -> Option<f64> {
        let g_1 = |u_2: f64| ((b).sin() - u_2) * 0.5;
        let (s_3, s_4) = ((1.0 + g_1(b) * g_1(b)).sqrt() - (b), ((g_1(b)).sin()).clamp(-0.7, 0.9));
        let mut r_5: [f64; 3] = [a / (1.5 + s_4 * s_4); 3];
        let mut s_4 = s_4 * (0.5 * (s_4 + s_4));
        Some((r_5[2] / (1.5 + r_5[3 % 3] * r_5[3 % 3])).sin())
    }
    #[differentiable]
    pub fn h1(mut a: f64) -> (f64, f64) {
        a = (1.0 + a * a).sqrt() - (a) * (a).clamp(-0.7, 0.9) * 0.5;
        let g_6 = |u_7: f64| (if u_7 <= 0.7 { u_7 } else { u_7 }) * -(u_7) * 0.5;
        for i_8 in 1..=2 {
            a = 0.6 * a + 0.3 * ((0.5 * ((a).min((0.1 * i_8 as f64)) + (1.5 + (0.1 * i_8 as f64) * (0.1 * i_8 as f64)).ln() + 0.1 * (a))).sin());
            a *= 0.8 + 0.1 * ((a * a * 0.5).cos());
        }
        ((a).sin(), (a).max(a) * (a).atan2(1.5 + a * a) * 0.5)
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let mut q_12: (f64, f64) = h1(b);
        b = 0.6 * b + 0.3 * ((if n % 2 == 0 { q_12.1 } else { (0.1 * n as f64) }) * (a - b) * 0.5 * 0.5);
        let q_13 = ((1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - (q_12.0), 1.2 * ((a).max(x[n % x.len()])));
        for i_14 in 0..n % 4 {
            let mut b = b * ((q_13.1 - q_13.1) * 0.5);
            b = 0.6 * b + 0.3 * (((1.0 + b * b).sqrt() - (b * b * 0.5)).sin());
        }
        let p_15 = Point { x: a * b * 0.5, y: (b - (0.1 * n as f64)) * 0.5 };
        if b >= -0.9 {
            for i_16 in (0..5).step_by(2) {
                let s_17 = {
                    q_12.1 -= 0.2 * (((x[i_16 % x.len()] * p_15.y * 0.5).tanh()).cos());
                    (x[(i_16 + 1) % x.len()] - b) * 0.5
                };
                let s_18 = {
                    if (i_16 + 0) % 2 == 1 { continue; }
                    -(p_15.y)
                };
                q_12.1 += 0.3 * (((1.0 + b * b).sqrt() - (p_15.x) / (1.5 + s_18 * s_18)).tanh());
            }
            q_12.1 += 0.3 * (((1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * ((0.1 * n as f64))).clamp(-0.7, 0.9));
        }
        0.5 * ((x[n % x.len()] - b) * 0.5 + 0.5 * (a + x[(n + 0) % x.len()])) + 0.5 * a + 0.5 * b + q_12.0 * 0.4 - q_12.1 + q_13.0 * 0.4 - q_13.1 + p_15.x * 0.9 - p_15.y
    }
}
