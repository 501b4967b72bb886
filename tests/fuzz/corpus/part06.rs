// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p060 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let mut r_1: [f64; 3] = [(1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * (a), 0.5 * (x[(n + 1) % x.len()] + x[n % x.len()]), (x[n % x.len()] - x[n % x.len()]) * 0.5];
        if n % 2 == 0 { return ((a - b) * 0.5).cos(); }
        let e_2: Choice = Choice::Line { at: (r_1[2]).sin() };
        let mut o_3: Option<f64> = Some((1.0 + b * b).sqrt() - (x[(n + 0) % x.len()]) * (0.3 * (b)).exp() * 0.5);
        let mut s_4: f64 = (1.0 + b * b).sqrt() - ((if !(a < 0.6) { (0.1 * n as f64) } else { (0.1 * n as f64) }));
        b = 0.6 * b + 0.3 * (0.5 * (b + s_4) * 1.2 * (s_4) * 0.5);
        o_3 = Some(0.5 * ((0.1 * n as f64) * r_1[n % 3] * 0.5 + (if r_1[n % 3] <= 0.4 || (n + 1) == 7 { s_4 } else { b })));
        let mut q_5 = ((x[n % x.len()] - b) * 0.5, ((1.0 + b * b).sqrt() - (x[n % x.len()])).min(b));
        let s_6 = if !(x[(n + 0) % x.len()] > 0.9) {
            q_5.1 *= 0.8 + 0.1 * (0.5 * ((1.5 + a * a).ln() + 0.1 * (r_1[2]) + (0.3 * (a)).exp()));
            0.5 * (b + q_5.1) / (1.5 + x[n % x.len()] * x[n % x.len()])
        } else {
            (0.3 * (0.3 * ((0.1 * n as f64)))).exp()
        };
        (1.3 * (q_5.0)).sin() + 1.0 * a + 1.0 * b + r_1.iter().sum::<f64>() * 0.8 + o_3.unwrap_or(1.0) + 0.6 * s_4 + q_5.0 * 0.7 - q_5.1 + 1.0 * s_6
    }
}

pub mod p061 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> f64 {
        let (s_1, s_2) = (a / (1.5 + a * a), ((a).sin()).sin());
        let mut s_6 = (1.0 + a * a).sqrt() - ((s_1).atan2(1.5 + s_2 * s_2));
        for i_7 in 1..=2 {
            for i_8 in 0..i_7 % 4 {
                s_6 = ((1.0 + a * a).sqrt() - ((0.1 * i_8 as f64))).tanh();
                for i_9 in 1..=i_8 % 4 {
                    s_6 -= 0.2 * (((s_6 * 1.4_f64 * 0.5).cos()).cos());
                    let mut s_1 = s_1 * ((s_2).powi(3) * 0.2);
                    s_1 = ((-(s_1)).atan2(1.5 + s_1 * s_1)).sin();
                }
                s_6 = 0.6 * s_6 + 0.3 * (((1.0_f64 - s_6) * 0.5).tanh());
            }
            s_6 *= 0.8 + 0.1 * ((-(-(s_6))).cos());
        }
        (0.5 * (s_6 + s_6)).powi(3) * 0.2
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        for u_11 in x.iter().copied() {
            let mut p_12 = Point { x: x[(n + 2) % x.len()] * a * 0.5, y: (u_11 - b) * 0.5 };
            p_12.x = (0.5 * (u_11 + (0.1 * n as f64)) / (1.5 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()])).cos();
        }
        let s_13: f64 = ((a - (0.1 * n as f64)) * 0.5).powi(2) * 0.2;
        for &u_15 in x.iter().rev() {
            let g_16 = |u_17: f64| -((1.0 + h0(u_17) * h0(u_17)).sqrt() - (x[n % x.len()]));
            b -= 0.2 * ((((1.5 + x[(n + 1) % x.len()] * x[(n + 1) % x.len()]).ln() + 0.1 * (x[n % x.len()])).powi(2) * 0.2).cos());
            b -= 0.2 * ((((g_16(s_13)).cos()).cos()).sin());
        }
        if h0(a * 0.7) <= -1.4 { return h0(s_13); }
        let s_18: f64 = h0(s_13 * 0.7);
        let o_22 = if b >= -1.5 { Some(h0(a) * (0.1 * n as f64) * 0.5) } else { None };
        (if !(h0(s_18) > 0.5) { (if n > 2 || (n + 1) == 7 { s_13 } else { x[n % x.len()] }) } else { ((0.1 * n as f64)).tanh() }) + 0.3 * a + 0.7 * b + 0.8 * s_13 + 0.4 * s_18 + o_22.unwrap_or(1.0)
    }
}

pub mod p062 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: (f64, f64), c: [f64; 3]) -> [f64; 3] {
        let mut s_1 = 0.5 * ((b.0).powi(3) * 0.2 + b.1 * a * 0.5);
        for i_2 in 0..2 {
            for (i_3, u_4) in c.iter().enumerate() {
                let s_5 = {
                    s_1 = (((s_1).abs()).atan2(1.5 + (0.1 * i_3 as f64) * (0.1 * i_3 as f64))).cos();
                    (s_1).powi(2) * 0.2
                };
                s_1 *= 0.8 + 0.1 * ((-(b.1) * (s_1).abs() * 0.5).sin());
            }
            let mut o_6 = Some(-(s_1 * s_1 * 0.5));
            o_6 = Some((-(c[0]) / (1.5 + c[(i_2 + 1) % 3] * c[(i_2 + 1) % 3])).cos());
        }
        [0.3 * c.iter().filter(|u| **u > 0.7).map(|u| u.cos()).sum::<f64>(); 3]
    }
    #[differentiable]
    pub fn h1(a: f64) -> Vec<f64> {
        let r_7 = [a * a * 0.5, a * a * 0.5, (a).sin()];
        let (mut s_8, mut s_9) = ((a - a) * 0.5, 0.5 * (0.5 * (a + a) + r_7[2] * a * 0.5));
        std::mem::swap(&mut s_8, &mut s_9);
        s_9 *= 0.8 + 0.1 * (0.5 * (a + r_7[3 % 3]) * (1.2 + s_9 * s_9).powf(0.5 * s_9) * 0.5);
        let mut q_10: (f64, f64) = (s_8 * r_7[0] * 0.5, ((r_7[0] - a) * 0.5).sin());
        vec![(1.2 + q_10.0 * q_10.0).powf(0.5 * s_9); 4]
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        a = -(x[n % x.len()] * x[n % x.len()] * 0.5);
        let a = a * (b / (1.5 + b * b));
        let s_11 = {
            for i_12 in 1..=1 {
                let (mut s_13, mut s_14) = ((0.3 * ((0.1 * i_12 as f64))).exp(), (((0.1 * i_12 as f64)).clamp(-0.7, 0.9)).atan2(1.5 + a * a));
                std::mem::swap(&mut s_13, &mut s_14);
                s_14 *= 0.8 + 0.1 * ((0.3 * (0.3 * x.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>())).tanh());
            }
            b / (1.5 + b * b)
        };
        let v_15: Vec<f64> = vec![(s_11).sin(); 4];
        let s_11 = s_11 * ((x[n % x.len()]).atan2(1.5 + s_11 * s_11));
        let mut e_16 = Choice::Nothing;
        let s_11 = s_11 * ((s_11).sin());
        ((1.5 + v_15[n % v_15.len()] * v_15[n % v_15.len()]).ln() + 0.1 * (a) - (s_11).sin()) * 0.5 + 0.7 * b + 0.4 * a + v_15.iter().sum::<f64>() * 1.0 + 0.6 * s_11
    }
}

pub mod p063 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Option<f64>, c: f64) -> Vec<f64> {
        let mut p_1 = Point { x: (a).cos(), y: (c).tanh() };
        for i_2 in 0..2 {
            let c = c * ((a).cos());
            p_1.y *= 0.8 + 0.1 * (((1.5 + (0.1 * i_2 as f64) * (0.1 * i_2 as f64)).ln() + 0.1 * ((p_1.x).min(c))).cos());
        }
        let mut c = c * ((c).max(c));
        vec![0.3 * (a), (c).atan2(1.5 + c * c)]
    }
    #[differentiable]
    pub fn h1(a: f64, b: (f64, f64), c: Option<f64>) -> f64 {
        let (s_3, s_4) = b;
        let mut q_5: (f64, f64) = (-(s_3), ((s_4).cos()).sin());
        let s_6: f64 = ((s_3).abs()).sin();
        let mut q_7 = (b.0 * q_5.0 * 0.5, (s_3).clamp(-0.7, 0.9));
        (1.0 + s_6 * s_6).sqrt() - ((1.0 + s_4 * s_4).sqrt() - (s_3))
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let mut b = b * ((0.3 * (x[(n + 1) % x.len()])).exp());
        let mut p_8 = Point { x: 1.5 * (x[n % x.len()]), y: (if (n + 2) % 2 == 1 && n < 9 { a } else { (0.1 * n as f64) }) };
        let s_9 = {
            let mut r_10: [f64; 3] = [-(b); 3];
            (r_10[n % 3]).min(r_10[n % 3])
        };
        let s_11 = {
            let mut k_12 = 0;
            while k_12 < 1 && (b >= -1.1 && n < 9) {
                k_12 += 1;
                b *= 0.8 + 0.1 * (((1.0 + a * a).sqrt() - ((x[(n + 1) % x.len()]).powi(2) * 0.2)).sin());
                p_8.x *= 0.8 + 0.1 * ((((1.0 + b * b).sqrt() - (x[k_12 % x.len()])).tanh()).cos());
            }
            (x[k_12 % x.len()]).min(h1(s_9 * 0.7, (b, b), Some(b)))
        };
        for (i_13, u_14) in x.iter().skip(1).enumerate() {
            let mut o_15: Option<f64> = Some((1.5 + s_11 * s_11).ln() + 0.1 * ((0.1 * i_13 as f64)));
            o_15 = Some((b / (1.5 + x[n % x.len()] * x[n % x.len()]) / (1.5 + s_11 * s_11)).tanh());
        }
        ((h1(s_9, (b, b), Some(a))).clamp(-0.7, 0.9)).cos() + 0.4 * a + 0.7 * b + p_8.x * 0.3 - p_8.y + 1.0 * s_9 + 0.9 * s_11
    }
}

pub mod p064 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64, b: [f64; 3]) -> Point {
        let a = a * ((1.5 + a * a).ln() + 0.1 * (a));
        if 3 % 2 == 1 { return Point { x: (b[2 % 3]).cos(), y: -(b[1 % 3]) }; }
        let (s_1, s_2) = ((b[1]).sin(), ((b[1]).atan2(1.5 + b[1] * b[1])).powi(2) * 0.2);
        if s_1 > 0.7 { return Point { x: (a - s_1) * 0.5, y: (s_2).powi(2) * 0.2 }; }
        Point { x: (s_2).atan2(1.5 + s_2 * s_2), y: (1.2 + a * a).powf(0.5 * s_2) }
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        if (n + 2) > 2 || n == 7 {
            let r_6 = [0.5 * (b + b), (x[n % x.len()]).max(b), ((0.1 * n as f64)).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64))];
            a = 0.6 * a + 0.3 * ((1.0 + (0.1 * n as f64) * (0.1 * n as f64)).sqrt() - (r_6[1] * (0.1 * n as f64) * 0.5));
        } else {
            let b = b * ((0.3 * (b)).exp());
            for i_7 in 1..=n % 4 {
                let s_8 = if i_7 % 2 == 0 {
                    a = ((b).min(x[(i_7 + 2) % x.len()]) * ((0.1 * i_7 as f64)).powi(2) * 0.2 * 0.5).cos();
                    continue
                } else {
                    a = ((if x[n % x.len()] <= -0.2 { x[i_7 % x.len()] * b * 0.5 } else { (1.2 + x[i_7 % x.len()] * x[i_7 % x.len()]).powf(0.5 * x[i_7 % x.len()]) })).tanh();
                    -((x[n % x.len()]).min(x[i_7 % x.len()]))
                };
                a -= 0.2 * (((1.2 + b * b).powf(0.5 * s_8)).sin());
                a = 0.6 * a + 0.3 * (((b - b) * 0.5 * -(x[n % x.len()]) * 0.5).tanh());
            }
            a = 0.6 * a + 0.3 * (((a - b) * 0.5 - (b).powi(3) * 0.2) * 0.5);
        }
        let mut q_9 = ((1.5 + a * a).ln() + 0.1 * (a), ((b).atan2(1.5 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()])).min(x[(n + 0) % x.len()]));
        (1.2 + b * b).powf(0.5 * x[n % x.len()]) + 0.5 * a + 0.4 * b + q_9.0 * 0.4 - q_9.1
    }
}

pub mod p065 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        if b < 1.4 {
            let r_4: [f64; 3] = [(b).clamp(-0.7, 0.9), (0.1 * n as f64), 0.2 * ((0.1 * n as f64))];
            let mut p_5 = Point { x: (a).atan2(1.5 + b * b), y: (b - b) * 0.5 };
            p_5.y = 0.5 * ((r_4[n % 3]).cos() + (0.3 * (b)).exp());
        } else {
            let mut k_6 = 0;
            loop {
                k_6 += 1;
                if k_6 > 4 { break; }
                let s_7 = (b).cos() * (b - b) * 0.5 * 0.5;
                let mut q_8: (f64, f64) = (s_7 / (1.5 + s_7 * s_7), (1.0 + s_7 * s_7).sqrt() - ((0.1 * n as f64)) * (a - (0.1 * k_6 as f64)) * 0.5 * 0.5);
                q_8.1 = ((if k_6 % 2 == 1 { q_8.1 * b * 0.5 } else { (x[(n + 1) % x.len()]).cos() })).cos();
            }
            'l10: for i_9 in 0..3 {
                let mut o_11: Option<f64> = if (0.1 * i_9 as f64) <= 1.2 { Some((b).max(a)) } else { None };
                for i_10 in 0..2 {
                    if !(b <= -0.2) { continue 'l10; }
                    o_11 = Some((-(x[i_9 % x.len()]) * ((0.1 * i_10 as f64)).sin() * 0.5).tanh());
                }
                o_11 = Some(((x[n % x.len()] * x[(i_9 + 1) % x.len()] * 0.5).max((0.1 * i_9 as f64))).sin());
            }
            let e_12 = Choice::Plane(b * (0.1 * n as f64) * 0.5, ((0.1 * n as f64)).cos());
        }
        let (s_13, s_14) = ((b).atan2(1.5 + b * b), (1.5 + b * b).ln() + 0.1 * ((0.3 * (a)).exp()));
        let o_15 = if !(a <= -0.2) { Some((0.3 * ((0.1 * n as f64))).exp()) } else { None };
        1.5 * (x[n % x.len()] * x[n % x.len()] * 0.5) + 0.4 * a + 0.4 * b + 0.9 * s_13 + 1.0 * s_14 + o_15.unwrap_or(0.5)
    }
}

pub mod p066 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: usize, c: f64) -> f64 {
        'l2: for i_1 in 0..3 {
            let mut p_3 = Point { x: (1.2 + c * c).powf(0.5 * c), y: (c).clamp(-0.7, 0.9) };
            for i_2 in 0..2 {
                if (0.1 * b as f64) < 1.4 { continue 'l2; }
                p_3.y = ((1.5 + c * c).ln() + 0.1 * (p_3.x) * -(c) * 0.5).cos();
            }
            p_3.x += 0.3 * ((((c - c) * 0.5).abs()).sin());
        }
        'l5: for i_4 in 0..3 {
            let mut o_6 = Some(((c).powi(3) * 0.2 - (if !(c > -1.1) { c } else { a })) * 0.5);
            for i_5 in 0..2 {
                if c <= -1.0 { continue; }
                o_6 = Some((((c).max(c)).powi(3) * 0.2).tanh());
            }
            o_6 = Some((-((0.3 * (c)).exp())).tanh());
        }
        let v_7: Vec<f64> = vec![0.5 * (a + c), ((0.1 * b as f64)).clamp(-0.7, 0.9)];
        for &u_9 in v_7.iter().rev() {
            let (mut s_10, mut s_11) = (v_7[b % v_7.len()], (v_7[b % v_7.len()] - u_9) * 0.5 * c * a * 0.5 * 0.5);
            let mut q_12 = ((v_7[b % v_7.len()]).cos(), (1.0 + v_7[b % v_7.len()] * v_7[b % v_7.len()]).sqrt() - ((if !((b + 2) % 2 == 0) { v_7[(b + 0) % v_7.len()] } else { s_10 })));
            q_12.0 -= 0.2 * (((0.3 * v_7.iter().rev().skip(1).copied().map(|u| u * c).sum::<f64>()).cos()).sin());
        }
        ((a).clamp(-0.7, 0.9)).sin()
    }
    #[differentiable]
    pub fn h1(a: f64, b: Choice, c: Choice) -> f64 {
        let mut q_13 = ((a).cos(), (0.5 * (a + h0(a, 0, a))).sin());
        let (s_14, s_15) = q_13;
        if s_15 < -1.4 { return (1.2 + s_15 * s_15).powf(0.5 * s_15); }
        let p_16 = Point { x: (1.0 + h0(s_15 * 0.7, 0, s_14 * 0.7) * h0(s_15 * 0.7, 0, s_14 * 0.7)).sqrt() - (s_15), y: 1.4 * (s_14) };
        (s_15 - s_15) * 0.5 * (if 1 % 2 == 1 { q_13.1 } else { h0(a, 1, s_15 * 0.7) }) * 0.5
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut p_20 = Point { x: -(x[n % x.len()]), y: (b - a) * 0.5 };
        if p_20.y < -1.2 { return h1(b, Choice::Line { at: b }, Choice::Plane(b, a)); }
        let q_21: (f64, f64) = (0.2 * (x[n % x.len()]), 1.5 * (0.5 * (b + b)));
        let mut r_22 = [(q_21.0).powi(2) * 0.2, x[n % x.len()], (b).powi(2) * 0.2];
        match n % 4 {
            0 => {
                let mut s_27 = h1(a, Choice::Plane(b, b), Choice::Line { at: b });
            }
            1 | 2 => {
                let s_28 = x[n % x.len()] * b * 0.5 * 1.3 * (h1(a, Choice::Line { at: b }, Choice::Plane(a, a))) * 0.5;
            }
            _ => {
                let r_29: [f64; 3] = [b / (1.5 + q_21.0 * q_21.0), (b - q_21.0) * 0.5, (h1(b * 0.7, Choice::Line { at: b }, Choice::Line { at: b })).cos()];
            }
        }
        if a <= 1.3 { return (0.1 * n as f64) * b * 0.5 / (1.5 + r_22[0] * r_22[0]); }
        (r_22[2] * h0(b * 0.7, n, b) * 0.5).tanh() + 0.8 * a + 1.1 * b + p_20.x * 1.0 - p_20.y + q_21.0 * 1.0 - q_21.1 + r_22.iter().sum::<f64>() * 1.0
    }
}

pub mod p067 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: (f64, f64), c: f64) -> [f64; 3] {
        let a = a * ((c).max(c));
        let (mut s_1, mut s_2) = (0.5 * (b.0 + b.0), (1.5 + b.0 * b.0).ln() + 0.1 * ((0.9_f64).powi(2) * 0.2));
        std::mem::swap(&mut s_1, &mut s_2);
        let s_2 = s_2 * (-(s_2));
        let r_3: [f64; 3] = [b.0 / (1.5 + s_1 * s_1); 3];
        [(s_2).tanh(), r_3[3 % 3] * b.1 * 0.5, s_2]
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let (s_4, s_5) = ((x[(n + 2) % x.len()]).powi(3) * 0.2, 0.5 * ((x[n % x.len()]).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64)) + a * b * 0.5));
        let mut r_6 = [1.0 * (b); 3];
        let (s_7, s_8) = ((s_4).clamp(-0.7, 0.9), ((s_5).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64)) - (r_6[2]).tanh()) * 0.5);
        if x[n % x.len()] > 1.0 && (n + 2) < 9 { return 0.5 * (((0.1 * n as f64)).clamp(-0.7, 0.9) + r_6[n % 3]); }
        let s_9 = if n % 2 == 1 && n < 9 {
            ((1.2 + s_8 * s_8).powf(0.5 * s_8)).atan2(1.5 + s_5 * s_5)
        } else {
            let mut k_10 = 0;
            while k_10 < 4 {
                k_10 += 1;
                let s_11 = match k_10 % 4 {
                    0 => {
                        let mut o_12 = Some((((0.1 * n as f64) - s_7) * 0.5).max(s_4));
                        s_5
                    }
                    1 | 2 => {
                        let (mut s_13, mut s_14) = (((0.1 * k_10 as f64)).tanh(), r_6[k_10 % 3] / (1.5 + s_8 * s_8) / (1.5 + s_7 * s_7));
                        std::mem::swap(&mut s_13, &mut s_14);
                        s_14 / (1.5 + s_13 * s_13)
                    }
                    _ => {
                        r_6[2] += 0.3 * ((((s_8).clamp(-0.7, 0.9)).max(x[n % x.len()])).cos());
                        (s_4 - r_6[0]) * 0.5
                    }
                };
                r_6[0] -= 0.2 * (((r_6[(k_10 + 0) % 3]).clamp(-0.7, 0.9)).cos());
            }
            (b).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64)) * (a).tanh() * 0.5
        };
        (x[n % x.len()] / (1.5 + x[n % x.len()] * x[n % x.len()])).min(s_9) + 0.8 * a + 1.1 * b + 0.8 * s_4 + 0.3 * s_5 + r_6.iter().sum::<f64>() * 0.3 + 0.3 * s_7 + 0.6 * s_8 + 0.3 * s_9
    }
}

pub mod p068 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Point) -> Vec<f64> {
        let v_1: Vec<f64> = vec![a / (1.5 + b.y * b.y), b.x * a * 0.5];
        let s_2 = if a >= 0.8 {
            (if b.y > 1.1 { v_1[3 % v_1.len()] } else { v_1[3 % v_1.len()] }) * b.y * v_1[3 % v_1.len()] * 0.5 * 0.5
        } else {
            let mut k_3 = 0;
            while k_3 < 1 && (3 % 2 == 1) {
                k_3 += 1;
                let mut s_4 = (1.0 + a * a).sqrt() - (v_1[k_3 % v_1.len()] / (1.5 + (0.1 * k_3 as f64) * (0.1 * k_3 as f64)));
                let mut v_5: Vec<f64> = v_1.iter().map(|u| u * 1.4).collect::<Vec<f64>>();
                let k_6 = k_3 % v_5.len();
                v_5[k_6] = (((1.2 + v_1[k_3 % v_1.len()] * v_1[k_3 % v_1.len()]).powf(0.5 * (0.1 * k_6 as f64))).abs()).cos();
            }
            0.5 * ((v_1[(k_3 + 1) % v_1.len()]).abs() + a / (1.5 + a * a))
        };
        vec![-(a), (1.2 + a * a).powf(0.5 * b.y)]
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_7 = {
            a = (0.3 * (0.8 * (b))).exp();
            (x[n % x.len()]).abs()
        };
        'l9: for i_8 in 0..3 {
            a *= 0.8 + 0.1 * (((0.3 * ((s_7).powi(3) * 0.2)).exp()).sin());
            for i_9 in 0..2 {
                if (i_9 + 1) % 2 == 1 && i_9 < 9 { continue; }
                a = ((1.5 + x[(i_8 + 1) % x.len()] * x[(i_8 + 1) % x.len()]).ln() + 0.1 * (x[i_9 % x.len()])).tanh();
            }
            a -= 0.2 * ((0.3 * x.iter().rev().skip(1).copied().map(|u| u * s_7).sum::<f64>()).cos());
        }
        let mut k_10 = 0;
        while k_10 < 2 && ((n + 0) % 2 == 1) {
            k_10 += 1;
            let g_11 = |u_12: f64| ((u_12).cos()).abs();
            a = (((0.1 * n as f64) / (1.5 + x[k_10 % x.len()] * x[k_10 % x.len()]) - (g_11(a)).max(b)) * 0.5).cos();
        }
        let mut k_13 = 0;
        while k_13 < 1 {
            k_13 += 1;
            let g_14 = |u_15: f64| b * (0.1 * k_13 as f64) * 0.5 * (s_7).sin() * 0.5;
            let g_16 = |u_17: f64| ((u_17).atan2(1.5 + x[k_10 % x.len()] * x[k_10 % x.len()])).atan2(1.5 + u_17 * u_17);
            a = ((1.0 + g_16(s_7) * g_16(s_7)).sqrt() - ((a).cos())).sin();
        }
        let p_18 = Point { x: (a).max(x[k_13 % x.len()]), y: 0.5 * (s_7 + x[k_13 % x.len()]) };
        (1.2 * (x[k_13 % x.len()]) - x[k_13 % x.len()] * s_7 * 0.5) * 0.5 + 0.8 * a + 0.7 * b + 0.7 * s_7 + p_18.x * 0.3 - p_18.y
    }
}

pub mod p069 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> f64 {
        for i_1 in 1..=1 {
            let mut e_2 = Choice::Nothing;
            let mut q_3 = ((a - a) * 0.5, (a).max(a) * 1.2_f64 * a * 0.5 * 0.5);
        }
        let v_4: Vec<f64> = vec![(a).tanh(), a * a * 0.5];
        let (mut s_5, mut s_6) = ((if 1 > 0 { a } else { a }), 0.4 * ((1.0 + a * a).sqrt() - (v_4[1 % v_4.len()])));
        (s_6 / (1.5 + s_6 * s_6)).powi(2) * 0.2
    }
    #[differentiable]
    pub fn h1(a: f64, b: [f64; 3], c: &[f64]) -> f64 {
        for &u_8 in c.iter().rev() {
            let mut e_9 = Choice::Plane((c[1 % c.len()]).clamp(-0.7, 0.9), u_8 * u_8 * 0.5);
            let mut s_10 = h0(u_8 * 0.7);
        }
        let s_11 = match 2 % 4 {
            0 => {
                let mut a = a * ((b[3 % 3]).clamp(-0.7, 0.9));
                c[0 % c.len()] * h0(a * 0.7) * 0.5
            }
            1 | 2 => {
                let s_12 = {
                    let mut r_13: [f64; 3] = [a * a * 0.5; 3];
                    (r_13[3 % 3] - a) * 0.5
                };
                (b[0 % 3]).cos()
            }
            _ => {
                let (mut s_14, mut s_15) = (a * a * 0.5, -(a * a * 0.5));
                (h0(s_15)).tanh()
            }
        };
        h0(s_11 * 0.7)
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut s_16 = h1(b * 0.7, [a, a, 1.3], x);
        let mut q_17: (f64, f64) = ((b).clamp(-0.7, 0.9), (if n > 2 && (n + 0) < 9 { (b).clamp(-0.7, 0.9) } else { b / (1.5 + s_16 * s_16) }));
        let (s_18, s_19) = (b * s_16 * 0.5, ((h1(s_16 * 0.7, [s_16, a, 1.2], x)).min(x[n % x.len()])).clamp(-0.7, 0.9));
        let mut q_23: (f64, f64) = (((0.1 * n as f64)).atan2(1.5 + h0(s_18) * h0(s_18)), -(x[n % x.len()] / (1.5 + s_19 * s_19)));
        for i_24 in (0..5).step_by(2) {
            let mut p_25 = Point { x: (x[(i_24 + 2) % x.len()]).powi(3) * 0.2, y: (s_18).cos() };
            let (mut s_26, mut s_27) = q_23;
            p_25.y = (((if (0.1 * n as f64) >= -1.5 { x[(n + 2) % x.len()] } else { p_25.x })).cos()).sin();
        }
        q_23.0 -= 0.2 * ((1.0 + s_18 * s_18).sqrt() - (s_18) / (1.5 + s_19 * s_19));
        let s_18 = s_18 * ((1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * (s_19));
        0.3 * x.iter().filter(|u| **u > 0.3).map(|u| u.cos()).sum::<f64>() + 0.8 * a + 0.9 * b + 1.1 * s_16 + q_17.0 * 0.9 - q_17.1 + 0.5 * s_19 + q_23.0 * 0.9 - q_23.1 + 1.1 * s_18
    }
}
