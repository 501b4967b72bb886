// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p020 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> f64 {
        let mut s_1 = (a).atan2(1.5 + a * a) / (1.5 + a * a);
        for i_2 in 0..2 {
            let mut v_3: Vec<f64> = vec![(s_1).powi(3) * 0.2; 4];
            let k_4 = i_2 % v_3.len();
            v_3[k_4] = 0.6 * v_3[k_4] + 0.3 * (((0.3 * (((0.1 * k_4 as f64)).clamp(-0.7, 0.9))).exp()).cos());
        }
        let mut k_5 = 0;
        while k_5 < 4 && (a >= 0.5 || 0 == 7) {
            k_5 += 1;
            let mut r_6 = [(s_1).cos(), 0.5 * ((0.1 * k_5 as f64) + s_1), (a).atan2(1.5 + s_1 * s_1)];
            s_1 -= 0.2 * (((1.2 + s_1 * s_1).powf(0.5 * r_6[k_5 % 3])).cos());
            r_6[(k_5 + 1) % 3] *= 0.8 + 0.1 * ((0.3 * r_6.iter().map(|u| u * u * 0.7).sum::<f64>()).sin());
        }
        (1.2 + a * a).powf(0.5 * s_1) * (s_1).powi(3) * 0.2 * 0.5
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        if n % 2 == 0 { return 0.3 * x.iter().filter(|u| **u > 0.9).map(|u| u.cos()).sum::<f64>(); }
        let s_7 = if n % 2 == 0 {
            (0.5 * (b + b)).min(b)
        } else {
            let mut v_8: Vec<f64> = x.iter().enumerate().map(|(i, u)| u.sin() * a + 0.1 * i as f64).collect();
            (1.5 + v_8[n % v_8.len()] * v_8[n % v_8.len()]).ln() + 0.1 * (b / (1.5 + b * b))
        };
        let s_12 = h0(b * 0.7);
        for i_13 in 0..1 {
            a -= 0.2 * (((-(s_12)).abs()).tanh());
            a = 0.6 * a + 0.3 * ((((0.1 * n as f64)).abs() / (1.5 + x[i_13 % x.len()] * x[i_13 % x.len()])).tanh());
        }
        let s_14 = {
            let mut v_15: Vec<f64> = vec![0.5 * (x[(n + 2) % x.len()] + s_12); 4];
            0.3 * x.iter().map(|u| u.tanh()).product::<f64>()
        };
        let mut s_12 = s_12 * (x[n % x.len()] / (1.5 + s_14 * s_14));
        0.6 * ((s_12).sin()) + 0.5 * a + 0.3 * b + 0.4 * s_7 + 0.3 * s_14 + 1.0 * s_12
    }
}

pub mod p021 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut k_1 = 0;
        while k_1 < 3 && (x[n % x.len()] <= 1.4) {
            k_1 += 1;
            let s_2 = if n % 2 == 1 || k_1 == 7 {
                let mut e_3 = Choice::Nothing;
                ((0.3 * (b)).exp()).tanh()
            } else {
                let mut p_4: Point = Point { x: (1.5 + b * b).ln() + 0.1 * (b), y: (1.0 + (0.1 * k_1 as f64) * (0.1 * k_1 as f64)).sqrt() - (b) };
                ((b).clamp(-0.7, 0.9) - (if x[(k_1 + 1) % x.len()] < 1.1 { b } else { (0.1 * k_1 as f64) })) * 0.5
            };
            let mut k_5 = 0;
            loop {
                k_5 += 1;
                if k_5 > 1 { break; }
                let mut p_6: Point = Point { x: s_2 * x[(k_5 + 0) % x.len()] * 0.5, y: (b).tanh() };
                p_6.x = 0.6 * p_6.x + 0.3 * ((0.3 * x.iter().zip(x.iter()).map(|(u, w)| u * w).sum::<f64>()).tanh());
            }
            let mut s_7: f64 = b / (1.5 + (0.1 * k_1 as f64) * (0.1 * k_1 as f64)) / (1.5 + b * b);
        }
        let o_8: Option<f64> = if !(b >= 1.0) { Some(0.5 * (b + x[(n + 1) % x.len()])) } else { None };
        for i_9 in 0..k_1 % 4 {
            let mut o_10: Option<f64> = Some(1.0 * ((if k_1 > 0 { x[n % x.len()] } else { (0.1 * i_9 as f64) })));
            o_10 = Some(((b).tanh() / (1.5 + b * b)).sin());
        }
        0.5 * ((b - a) * 0.5 + (x[n % x.len()] - b) * 0.5) + 0.7 * a + 0.6 * b + o_8.unwrap_or(1.1)
    }
}

pub mod p022 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let s_1 = {
            let mut k_2 = 0;
            while k_2 < 4 {
                k_2 += 1;
                let s_3 = {
                    b = ((x[n % x.len()] * a * 0.5).min(x[n % x.len()])).cos();
                    (a).tanh()
                };
                b = 0.6 * b + 0.3 * ((((if !(k_2 % 2 == 1) { b } else { x[k_2 % x.len()] })).sin()).cos());
            }
            (a - a) * 0.5
        };
        b = 0.3 * x.iter().zip(x.iter()).map(|(u, w)| u * w).sum::<f64>();
        let mut o_7 = Some(((s_1).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64))).cos());
        let mut s_8 = (1.0 + s_1 * s_1).sqrt() - ((0.3 * (x[(n + 0) % x.len()])).exp());
        for (i_9, u_10) in x.iter().enumerate() {
            let mut e_11: Choice = Choice::Plane(x[(i_9 + 2) % x.len()] / (1.5 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()]), (x[n % x.len()]).max((0.1 * i_9 as f64)));
            b += 0.3 * ((0.5 * ((x[(i_9 + 2) % x.len()]).tanh() + (0.3 * (s_8)).exp())).tanh());
        }
        (1.2 + s_8 * s_8).powf(0.5 * x[n % x.len()]) + 0.6 * a + 0.9 * b + 0.4 * s_1 + o_7.unwrap_or(0.7) + 0.9 * s_8
    }
}

pub mod p023 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> Option<f64> {
        let s_1 = 1.0 * (a);
        'l3: for i_2 in 0..3 {
            let mut p_4 = Point { x: s_1, y: (s_1 - s_1) * 0.5 };
            for i_3 in 0..2 {
                if (0.1 * i_2 as f64) >= 0.7 { break 'l3; }
                p_4.x += 0.3 * (((0.1 * i_3 as f64) / (1.5 + (0.1 * i_3 as f64) * (0.1 * i_3 as f64)) * 0.4 * (s_1) * 0.5).cos());
            }
            p_4.x = 0.6 * p_4.x + 0.3 * (((1.5 + s_1 * s_1).ln() + 0.1 * (0.5 * (s_1 + s_1))).sin());
        }
        if s_1 < -0.9 {
            let mut v_5: Vec<f64> = vec![(s_1 - s_1) * 0.5, s_1 * s_1 * 0.5];
            let k_6 = 3 % v_5.len();
            v_5[k_6] = (if s_1 >= 1.2 { (s_1 - s_1) * 0.5 } else { s_1 / (1.5 + v_5[k_6 % v_5.len()] * v_5[k_6 % v_5.len()]) });
        } else {
            let mut r_7 = [(s_1).cos(), (s_1 - s_1) * 0.5, s_1 / (1.5 + s_1 * s_1)];
            r_7[3 % 3] -= 0.2 * (r_7[1 % 3] * r_7[2 % 3] * 0.5 * (s_1).cos() * 0.5);
        }
        Some((s_1).tanh())
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        match (n + 1) % 4 {
            0 => {
                let mut k_9 = 0;
                while k_9 < 2 {
                    k_9 += 1;
                    let mut r_10: [f64; 3] = [(1.2 + x[(k_9 + 0) % x.len()] * x[(k_9 + 0) % x.len()]).powf(0.5 * (0.1 * k_9 as f64)); 3];
                    let mut p_11 = Point { x: (1.0 + b * b).sqrt() - (r_10[k_9 % 3]), y: (1.2 + x[(k_9 + 0) % x.len()] * x[(k_9 + 0) % x.len()]).powf(0.5 * b) };
                    r_10[k_9 % 3] = 0.6 * r_10[k_9 % 3] + 0.3 * (((-(p_11.y)).powi(3) * 0.2).cos());
                }
            }
            1 | 2 => {
                for &u_13 in x.iter().rev() {
                    let mut v_14: Vec<f64> = vec![(x[n % x.len()]).min(b), (1.0 + (0.1 * n as f64) * (0.1 * n as f64)).sqrt() - (b)];
                    let k_15 = n % v_14.len();
                    v_14[k_15] = (0.5 * (b + (u_13).tanh())).tanh();
                }
            }
            _ => {
                match (n + 0) % 4 {
                    0 => {
                        let mut p_17: Point = Point { x: (x[n % x.len()]).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64)), y: 0.5 * (a + b) };
                    }
                    1 | 2 => {
                        let mut s_18 = (if (n + 2) > 1 { a } else { (0.1 * n as f64) }) * x[n % x.len()] * x[n % x.len()] * 0.5 * 0.5;
                    }
                    _ => {
                        let p_19 = Point { x: 0.3 * x.iter().fold(0.5, |s, u| 0.5 * s + u * b), y: (1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * ((0.1 * n as f64)) };
                    }
                }
            }
        }
        ((if b > -0.5 || n == 7 { b } else { b })).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64)) + 0.4 * a + 1.1 * b
    }
}

pub mod p024 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> [f64; 3] {
        let s_1 = match 3 % 4 {
            0 => {
                let mut q_2 = ((a).powi(2) * 0.2, (a).abs());
                (a).max(q_2.0)
            }
            1 | 2 => {
                let g_3 = |u_4: f64| (u_4).clamp(-0.7, 0.9);
                (a - a) * 0.5
            }
            _ => {
                if !(1 > 1) { return [a, a, (1.5 + a * a).ln() + 0.1 * (a)]; }
                (a).powi(2) * 0.2
            }
        };
        [0.5 * (s_1 + s_1); 3]
    }
    #[differentiable]
    pub fn h1(a: f64) -> f64 {
        let mut v_5: Vec<f64> = vec![a, a / (1.5 + a * a)];
        let a = a * (0.7 * (a));
        let (s_6, s_7) = ((v_5[1 % v_5.len()] - a) * 0.5, (0.5 * (v_5[0 % v_5.len()])).clamp(-0.7, 0.9));
        let k_8 = 1 % v_5.len();
        v_5[k_8] = (0.3 * v_5.iter().zip(v_5.iter()).map(|(u, w)| u * w).sum::<f64>()).atan2(1.5 + s_7 * s_7);
        (1.5 + s_7 * s_7).ln() + 0.1 * (-(v_5[k_8 % v_5.len()]))
    }
    #[differentiable]
    pub fn f(mut a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let (s_9, s_10) = (0.5 * (a + b), ((b).cos()).sin());
        b = 0.6 * b + 0.3 * ((s_10).cos() / (1.5 + s_9 * s_9));
        let s_10 = s_10 * (((0.1 * n as f64)).atan2(1.5 + b * b));
        let s_11: f64 = h1(b * 0.7);
        let mut p_15 = Point { x: (if x[n % x.len()] < -0.9 { s_10 } else { h1(s_11) }), y: (s_9).min(s_11) };
        let s_11 = s_11 * (a * s_11 * 0.5);
        'l17: for i_16 in 0..3 {
            p_15.x = ((0.3 * ((1.2 + p_15.x * p_15.x).powf(0.5 * x[(i_16 + 2) % x.len()]))).exp()).sin();
            for i_17 in 0..2 {
                if i_17 > 2 { continue; }
                b = (((b).abs()).max(p_15.y)).tanh();
            }
            p_15.y = 0.6 * p_15.y + 0.3 * (((x[i_16 % x.len()]).powi(2) * 0.2).tanh());
        }
        let mut k_18 = 0;
        loop {
            k_18 += 1;
            if k_18 > 4 { break; }
            let mut k_19 = 0;
            while k_19 < 3 {
                k_19 += 1;
                match k_19 % 4 {
                    0 => {
                        let mut r_21 = h0(b * 0.7);
                    }
                    1 | 2 => {
                        let s_11 = s_11 * ((b).cos());
                    }
                    _ => {
                        p_15.x -= 0.2 * ((((s_9).cos()).atan2(1.5 + h1(s_10) * h1(s_10))).tanh());
                    }
                }
                match n % 4 {
                    0 => {
                        p_15.y -= 0.2 * ((0.5 * (x[k_18 % x.len()] * s_10 * 0.5 + s_9 * a * 0.5)).cos());
                    }
                    1 | 2 => {
                        p_15.y = ((0.2 * (s_10)).powi(2) * 0.2).sin();
                    }
                    _ => {
                        b *= 0.8 + 0.1 * ((((p_15.x - x[k_19 % x.len()]) * 0.5).atan2(1.5 + h1(s_9 * 0.7) * h1(s_9 * 0.7))).sin());
                    }
                }
                p_15.y += 0.3 * ((0.5 * ((1.5 + s_11 * s_11).ln() + 0.1 * (s_11) + s_9 / (1.5 + s_11 * s_11))).tanh());
            }
            b += 0.3 * ((((s_11).clamp(-0.7, 0.9)).min((0.1 * k_18 as f64))).cos());
        }
        x[k_18 % x.len()] * x[(k_18 + 2) % x.len()] * 0.5 * ((0.1 * n as f64)).clamp(-0.7, 0.9) * 0.5 + 1.1 * a + 0.9 * b + 1.1 * s_9 + 0.4 * s_10 + p_15.x * 0.7 - p_15.y + 0.5 * s_11
    }
}

pub mod p025 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> f64 {
        let s_1 = if 3 % 2 == 1 {
            (a - a * a * 0.5) * 0.5
        } else {
            (0.3 * ((1.5 + a * a).ln() + 0.1 * (a))).exp()
        };
        let s_2 = (1.0 + s_1 * s_1).sqrt() - (s_1) * s_1 * 0.5;
        let v_3: Vec<f64> = vec![s_1 / (1.5 + s_2 * s_2), (1.0 + s_2 * s_2).sqrt() - (a)];
        let s_4 = {
            let mut s_5 = 0.3 * ((s_1 - s_2) * 0.5);
            (s_1).tanh()
        };
        (v_3[1 % v_3.len()]).powi(3) * 0.2 * (s_4 - v_3[0 % v_3.len()]) * 0.5 * 0.5
    }
    #[differentiable]
    pub fn h1(a: f64, b: Option<f64>, c: Choice) -> Point {
        let mut r_6 = [(a).atan2(1.5 + a * a), (a).atan2(1.5 + h0(a * 0.7) * h0(a * 0.7)), (1.2 + a * a).powf(0.5 * a)];
        let (mut s_7, mut s_8) = (0.9 * (r_6[0]), 0.3 * r_6.iter().fold(0.3, |s, u| 0.5 * s + u * a));
        let s_9 = match c {
            Choice::Line { at: u_10 } => (r_6[3 % 3] / (1.5 + h0(u_10) * h0(u_10))).cos(),
            Choice::Plane(u_10, w_11) => ((if 1 % 2 == 0 { r_6[2 % 3] } else { w_11 })).clamp(-0.7, 0.9),
            Choice::Nothing => (r_6[3 % 3]).sin() / (1.5 + h0(s_8 * 0.7) * h0(s_8 * 0.7)),
        };
        let mut k_12 = 0;
        loop {
            k_12 += 1;
            if k_12 > 4 { break; }
            let mut o_13 = Some((r_6[1]).atan2(1.5 + h0(s_7 * 0.7) * h0(s_7 * 0.7)));
            for u_15 in r_6.iter_mut() {
                *u_15 = 0.5 * *u_15 + 0.2 * ((1.2 + s_9 * s_9).powf(0.5 * a));
            }
            o_13 = Some(((s_8 * s_8 * 0.5).abs()).cos());
        }
        Point { x: (r_6[0] - s_8) * 0.5, y: (h0(s_8 * 0.7)).powi(3) * 0.2 }
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let g_16 = |u_17: f64| 0.3 * x.iter().fold(1.0, |s, u| 0.5 * s + u * u_17) / (1.5 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()]);
        for (i_18, u_19) in x.iter().skip(1).enumerate() {
            let g_20 = |u_21: f64| (1.2 + h0(u_21 * 0.7) * h0(u_21 * 0.7)).powf(0.5 * h0(b));
            let mut p_22 = Point { x: x[i_18 % x.len()] * b * 0.5, y: (1.2 + a * a).powf(0.5 * b) };
        }
        for (i_23, u_24) in x.iter().skip(1).enumerate() {
            let s_25 = if (i_23 + 2) % 2 == 0 {
                0.8 * ((x[n % x.len()]).tanh())
            } else {
                let mut s_26 = (1.5 + h0(a * 0.7) * h0(a * 0.7)).ln() + 0.1 * ((b).abs());
                (1.5 + s_26 * s_26).ln() + 0.1 * (s_26) / (1.5 + a * a)
            };
            let mut s_27 = b * b * 0.5 * h0(s_25) / (1.5 + g_16(a) * g_16(a)) * 0.5;
            s_27 = ((if (i_23 + 1) % 2 == 0 { b * (*u_24) * 0.5 } else { (x[n % x.len()] - s_27) * 0.5 })).tanh();
        }
        let mut o_28 = Some(0.5 * ((b).powi(3) * 0.2 + -(g_16(b))));
        let mut e_29 = Choice::Plane((x[n % x.len()]).clamp(-0.7, 0.9), x[n % x.len()] * b * 0.5);
        (1.5 + b * b).ln() + 0.1 * ((1.2 + (0.1 * n as f64) * (0.1 * n as f64)).powf(0.5 * b)) + 0.5 * a + 0.4 * b + o_28.unwrap_or(0.8)
    }
}

pub mod p026 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64, #[constant] b: f64) -> Point {
        let mut r_1 = [b * a * 0.5, (a - b) * 0.5, (0.3 * (b)).exp()];
        let p_2 = Point { x: 0.5 * (r_1[2] + r_1[0]), y: (1.0 + r_1[0] * r_1[0]).sqrt() - (r_1[2]) };
        let mut b = b * (0.3 * r_1.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>());
        let r_3 = [(r_1[2 % 3]).abs(); 3];
        Point { x: (1.5 + b * b).ln() + 0.1 * (r_3[3 % 3]), y: (b).tanh() }
    }
    #[differentiable]
    pub fn h1(mut a: f64, #[constant] b: f64) -> f64 {
        let g_4 = |u_5: f64| b / (1.5 + u_5 * u_5) * (u_5).max(b) * 0.5;
        let mut k_6 = 0;
        loop {
            k_6 += 1;
            if k_6 > 2 { break; }
            let mut v_7: Vec<f64> = vec![0.5 * (b + b), (if b >= 0.4 && (k_6 + 0) < 9 { b } else { a })];
            let b = b * ((b).cos());
            a += 0.3 * ((((v_7[k_6 % v_7.len()]).abs()).abs()).cos());
        }
        (0.1 * k_6 as f64) / (1.5 + b * b) * (b).powi(3) * 0.2 * 0.5
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        b *= 0.8 + 0.1 * (b / (1.5 + a * a));
        b = 0.6 * b + 0.3 * (0.3 * x.iter().map(|u| u.tanh()).product::<f64>());
        b += 0.3 * ((1.0 + b * b).sqrt() - (a * h1(b, 1.3) * 0.5));
        for i_8 in (0..5).step_by(2) {
            let v_12: Vec<f64> = x.iter().map(|u| u * 1.5).collect::<Vec<f64>>();
            b = ((h1(b * 0.7, 0.2) / (1.5 + h1(a, 0.5) * h1(a, 0.5))).powi(2) * 0.2).cos();
        }
        'l14: for i_13 in 0..3 {
            b -= 0.2 * (((0.3 * ((x[i_13 % x.len()]).clamp(-0.7, 0.9))).exp()).sin());
            for i_14 in 0..2 {
                if i_14 > 2 { continue; }
                b = 0.6 * b + 0.3 * ((((a).sin()).atan2(1.5 + a * a)).cos());
            }
            b = 0.6 * b + 0.3 * (((b).abs()).sin());
        }
        for u_16 in x.iter().copied() {
            let mut k_17 = 0;
            while k_17 < 3 {
                k_17 += 1;
                for i_18 in (0..5).step_by(2) {
                    b *= 0.8 + 0.1 * ((0.5 * (0.5 * (x[(k_17 + 2) % x.len()] + b) + 0.4 * ((0.1 * n as f64)))).tanh());
                    if i_18 > 2 { return (u_16).abs(); }
                    b *= 0.8 + 0.1 * ((((u_16 - x[i_18 % x.len()]) * 0.5).clamp(-0.7, 0.9)).cos());
                }
                b = ((1.0 + (0.1 * k_17 as f64) * (0.1 * k_17 as f64)).sqrt() - ((if (0.1 * k_17 as f64) < -0.5 || k_17 == 7 { h1(u_16 * 0.7, 0.6) } else { x[(k_17 + 0) % x.len()] }))).sin();
            }
            let v_22: Vec<f64> = vec![(u_16).min(u_16), (if k_17 % 2 == 1 { (0.1 * k_17 as f64) } else { x[n % x.len()] })];
            b = 0.6 * b + 0.3 * (((v_22[k_17 % v_22.len()] / (1.5 + b * b)).cos()).tanh());
        }
        (1.2 + b * b).powf(0.5 * (0.1 * n as f64)) + 0.6 * a + 1.0 * b
    }
}

pub mod p027 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Choice) -> Option<f64> {
        let s_1 = {
            let mut e_2 = Choice::Plane(a * a * 0.5, -(a));
            (a).abs()
        };
        let o_3: Option<f64> = if 3 > 0 { Some((s_1).max(s_1)) } else { None };
        for i_4 in 0..3 {
            if (i_4 + 0) % 2 == 0 { return Some((0.3 * (s_1 / (1.5 + s_1 * s_1))).exp()); }
            let mut e_5 = Choice::Nothing;
        }
        if !(s_1 >= -1.5) { Some((s_1).clamp(-0.7, 0.9)) } else { None }
    }
    #[differentiable]
    pub fn h1(a: f64, b: (f64, f64)) -> (f64, f64) {
        let mut o_6 = h0(a * 0.7, Choice::Line { at: a });
        let s_7 = if a <= 1.3 {
            ((if !(3 > 2) { a } else { a })).clamp(-0.7, 0.9)
        } else {
            let mut a = a * ((0.3 * (a)).exp());
            (a).max(a) / (1.5 + b.1 * b.1)
        };
        let s_7 = s_7 * ((1.0 + a * a).sqrt() - (s_7));
        (1.1 * (s_7), (0.3 * (0.8 * (s_7))).exp())
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut p_8 = Point { x: (x[n % x.len()]).sin(), y: b * x[(n + 2) % x.len()] * 0.5 };
        let r_9 = [(a).tanh(), (b).abs(), (a).atan2(1.5 + b * b)];
        let mut o_10: Option<f64> = h0(b, Choice::Plane(a, b));
        p_8.y -= 0.2 * ((1.2 + (0.1 * n as f64) * (0.1 * n as f64)).powf(0.5 * (0.1 * n as f64)) * (0.1 * n as f64) / (1.5 + r_9[(n + 1) % 3] * r_9[(n + 1) % 3]) * 0.5);
        let mut r_11: [f64; 3] = [0.3 * r_9.iter().rev().skip(1).copied().map(|u| u * b).sum::<f64>(); 3];
        r_11[1] = (1.2 + b * b).powf(0.5 * r_9[1]) / (1.5 + r_11[(n + 2) % 3] * r_11[(n + 2) % 3]);
        let s_12 = {
            let p_13 = Point { x: (if (n + 1) % 2 == 1 { b } else { r_11[0] }), y: p_8.y };
            (1.2 + r_11[n % 3] * r_11[n % 3]).powf(0.5 * p_13.x)
        };
        match n % 4 {
            0 => {
                for u_16 in r_11.iter_mut() {
                    *u_16 *= 0.8 + 0.1 * ((b).min(b)).sin();
                }
            }
            1 | 2 => {
                r_11[n % 3] -= 0.2 * (b * p_8.y * 0.5);
            }
            _ => {
                'l18: for i_17 in 0..3 {
                    r_11[0] += 0.3 * ((((0.1 * i_17 as f64)).clamp(-0.7, 0.9) * (1.2 + b * b).powf(0.5 * r_9[2]) * 0.5).tanh());
                    for i_18 in 0..2 {
                        if i_18 > 2 { continue; }
                        o_10 = Some((s_12 * r_9[i_18 % 3] * 0.5 * ((0.1 * i_18 as f64) - s_12) * 0.5 * 0.5).tanh());
                    }
                    o_10 = Some((((b).clamp(-0.7, 0.9) - -(s_12)) * 0.5).tanh());
                }
            }
        }
        (1.0 + r_11[2] * r_11[2]).sqrt() - (0.3 * r_9.iter().rev().skip(1).copied().map(|u| u * a).sum::<f64>()) + 0.5 * a + 1.1 * b + p_8.x * 0.5 - p_8.y + r_9.iter().sum::<f64>() * 0.8 + o_10.unwrap_or(0.4) + r_11.iter().sum::<f64>() * 0.5 + 0.9 * s_12
    }
}

pub mod p028 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        if a >= -1.2 && (n + 1) < 9 { return (0.3 * (0.5 * (b + x[n % x.len()]))).exp(); }
        for (i_1, u_2) in x.iter().enumerate() {
            for &u_4 in x.iter().rev() {
                let g_5 = |u_6: f64| (1.5 + u_4 * u_4).ln() + 0.1 * (0.5 * (b + a));
                let mut v_7: Vec<f64> = x.iter().enumerate().map(|(i, u)| u.sin() * u_4 + 0.1 * i as f64).collect();
                let k_8 = i_1 % v_7.len();
                v_7[k_8] = (0.5 * ((0.1 * k_8 as f64) * (0.1 * k_8 as f64) * 0.5 + (u_4 - u_4) * 0.5)).cos();
            }
            let g_9 = |u_10: f64| (u_10).sin() / (1.5 + u_10 * u_10);
            let mut v_11: Vec<f64> = x.to_vec();
        }
        let p_12 = Point { x: (1.5 + b * b).ln() + 0.1 * (b), y: ((0.1 * n as f64)).powi(2) * 0.2 };
        let mut s_13 = b / (1.5 + a * a) * (0.3 * (b)).exp() * 0.5;
        for (i_14, u_15) in x.iter().enumerate() {
            s_13 = ((((*u_15)).atan2(1.5 + b * b)).cos()).tanh();
            let s_16 = match (n + 2) % 4 {
                0 => {
                    let mut v_17: Vec<f64> = vec![0.5 * (x[(i_14 + 2) % x.len()] + a); 4];
                    (v_17[(i_14 + 2) % v_17.len()]).min(v_17[i_14 % v_17.len()])
                }
                1 | 2 => {
                    s_13 = ((-((0.1 * i_14 as f64))).tanh()).tanh();
                    (1.5 + x[(i_14 + 2) % x.len()] * x[(i_14 + 2) % x.len()]).ln() + 0.1 * ((0.1 * i_14 as f64))
                }
                _ => {
                    s_13 += 0.3 * ((((0.1 * i_14 as f64) / (1.5 + s_13 * s_13)).clamp(-0.7, 0.9)).sin());
                    (0.1 * i_14 as f64) * x[i_14 % x.len()] * 0.5
                }
            };
            s_13 *= 0.8 + 0.1 * (((1.5 + x[i_14 % x.len()] * x[i_14 % x.len()]).ln() + 0.1 * (((*u_15)).abs())).tanh());
        }
        (0.3 * ((1.2 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()]).powf(0.5 * s_13))).exp() + 0.5 * a + 0.7 * b + p_12.x * 1.0 - p_12.y + 0.7 * s_13
    }
}

pub mod p029 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_1 = {
            let mut s_5: f64 = ((0.1 * n as f64) / (1.5 + b * b)).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64));
            -(x[(n + 0) % x.len()])
        };
        if n > 0 {
            let mut v_6: Vec<f64> = x.iter().map(|u| u * 1.0).collect::<Vec<f64>>();
            let k_7 = n % v_6.len();
            v_6[k_7] = 0.6 * v_6[k_7] + 0.3 * (-(0.5 * ((0.1 * k_7 as f64) + s_1)));
        }
        let mut s_8 = (if (0.1 * n as f64) >= -0.3 { x[(n + 2) % x.len()] } else { x[n % x.len()] }) * b * x[n % x.len()] * 0.5 * 0.5;
        let s_9 = if (n + 1) % 2 == 1 {
            for (i_10, u_11) in x.iter().enumerate() {
                s_8 = 0.6 * s_8 + 0.3 * (((s_8 * x[(i_10 + 2) % x.len()] * 0.5 - -((*u_11))) * 0.5).cos());
                if s_1 > 0.2 {
                    let mut s_12 = (s_1 * b * 0.5).atan2(1.5 + x[i_10 % x.len()] * x[i_10 % x.len()]);
                    s_8 -= 0.2 * ((((s_8 - x[i_10 % x.len()]) * 0.5).sin()).sin());
                    s_12 = (-(-(x[i_10 % x.len()]))).tanh();
                }
                s_8 = ((((0.1 * i_10 as f64)).tanh()).sin()).cos();
            }
            ((x[n % x.len()]).powi(3) * 0.2 - x[(n + 1) % x.len()] * x[n % x.len()] * 0.5) * 0.5
        } else {
            let e_13: Choice = Choice::Nothing;
            (s_1 / (1.5 + x[n % x.len()] * x[n % x.len()])).powi(3) * 0.2
        };
        ((s_8).sin()).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64)) + 0.7 * a + 0.5 * b + 0.5 * s_1 + 0.5 * s_8 + 1.0 * s_9
    }
}
