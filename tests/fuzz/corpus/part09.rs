// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p090 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Option<f64>) -> f64 {
        let mut p_1 = Point { x: (1.2 + a * a).powf(0.5 * a), y: a * a * 0.5 };
        p_1.y *= 0.8 + 0.1 * ((1.2 + a * a).powf(0.5 * a) / (1.5 + a * a));
        let g_2 = |u_3: f64| u_3 * u_3 * 0.5;
        let s_4 = if !(2 % 2 == 0) {
            (if 0 > 2 { a } else { p_1.x }) / (1.5 + p_1.x * p_1.x)
        } else {
            if 1 > 2 {
                let mut a = a * (0.5 * (g_2(a) + g_2(a)));
                if 2 % 2 == 1 { return (if a <= 0.2 { a } else { a }) * a * a * 0.5 * 0.5; }
                a *= 0.8 + 0.1 * ((if a > 0.7 || 3 == 7 { a } else { p_1.y }) * (a).atan2(1.5 + a * a) * 0.5);
            }
            (if p_1.y >= -0.3 { p_1.y / (1.5 + g_2(a) * g_2(a)) } else { (a).abs() })
        };
        (p_1.x * s_4 * 0.5).max(p_1.y)
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        for (i_5, u_6) in x.iter().skip(1).enumerate() {
            if (i_5 + 2) % 2 == 0 { continue; }
            let mut r_7 = [(0.3 * (h0(b * 0.7, Some(b)))).exp(), (h0(b, Some(b))).sin(), (b).tanh()];
            r_7[1] = (0.5 * (h0(b, Some(b)) + (*u_6)) / (1.5 + a * a)).tanh();
        }
        for u_9 in x.iter().copied() {
            'l11: for i_10 in 0..3 {
                let p_12 = Point { x: x[(i_10 + 2) % x.len()] / (1.5 + x[i_10 % x.len()] * x[i_10 % x.len()]), y: (b - x[i_10 % x.len()]) * 0.5 };
                for i_11 in 0..2 {
                    if (i_10 + 2) > 2 { continue 'l11; }
                    let mut p_13 = Point { x: p_12.x * u_9 * 0.5, y: (x[i_10 % x.len()]).sin() };
                }
                let mut p_14 = Point { x: 0.3 * x.iter().filter(|u| **u > 0.9).map(|u| u.cos()).sum::<f64>(), y: (x[(i_10 + 2) % x.len()]).atan2(1.5 + b * b) };
            }
            let mut r_15 = [(u_9).sin(), (h0(u_9 * 0.7, Some(u_9))).powi(3) * 0.2, a];
        }
        for i_16 in (0..5).step_by(2) {
            let g_17 = |u_18: f64| (1.5 + b * b).ln() + 0.1 * (0.3 * x.iter().map(|u| u * u * 0.2).sum::<f64>());
            if b > 0.5 { return h0(b * 0.7, Some(b)); }
            let mut p_19 = Point { x: (1.2 + x[i_16 % x.len()] * x[i_16 % x.len()]).powf(0.5 * g_17(b)), y: -(b) };
        }
        let p_20 = Point { x: 0.9 * (b), y: (b - (0.1 * n as f64)) * 0.5 };
        ((p_20.y - a) * 0.5).max(h0(b, Some(b))) + 1.1 * a + 0.4 * b + p_20.x * 0.9 - p_20.y
    }
}

pub mod p091 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> Vec<f64> {
        let mut s_1 = (1.2 * (a)).powi(3) * 0.2;
        let g_2 = |u_3: f64| (0.3 * (a)).exp() / (1.5 + u_3 * u_3);
        for i_4 in 0..2 {
            s_1 *= 0.8 + 0.1 * (((((0.1 * i_4 as f64) - (0.1 * i_4 as f64)) * 0.5).abs()).cos());
            for i_5 in (0..2).rev() {
                let s_6 = {
                    let mut q_7: (f64, f64) = ((if g_2(a) >= -1.1 { s_1 } else { g_2(s_1) }), (1.0 + a * a).sqrt() - ((0.1 * i_5 as f64)));
                    (s_1).clamp(-0.7, 0.9)
                };
                for i_8 in 0..i_4 % 4 {
                    let mut q_9 = ((1.0 + s_1 * s_1).sqrt() - (s_6), s_1 * (1.2 + s_6 * s_6).powf(0.5 * g_2(s_6)) * 0.5);
                    s_1 = ((if !(i_8 % 2 == 0) { (1.0 + g_2(s_6) * g_2(s_6)).sqrt() - ((0.1 * i_8 as f64)) } else { ((0.1 * i_8 as f64)).cos() })).tanh();
                }
                s_1 = (((a).tanh()).max(s_6)).tanh();
            }
            s_1 -= 0.2 * (((s_1 / (1.5 + a * a)).clamp(-0.7, 0.9)).cos());
        }
        vec![(1.5 + a * a).ln() + 0.1 * (s_1), (s_1).powi(3) * 0.2]
    }
    #[differentiable]
    pub fn h1(a: f64) -> f64 {
        let mut v_10: Vec<f64> = vec![(a).atan2(1.5 + a * a); 4];
        let k_11 = 0 % v_10.len();
        v_10[k_11] -= 0.2 * (0.5 * (0.5 * (a + a) + (1.0 + v_10[(k_11 + 2) % v_10.len()] * v_10[(k_11 + 2) % v_10.len()]).sqrt() - ((0.1 * k_11 as f64))));
        let mut r_15: [f64; 3] = [(a).max(a), (if (k_11 + 0) > 0 && (k_11 + 0) < 9 { (0.1 * k_11 as f64) } else { v_10[k_11 % v_10.len()] }), (a - v_10[k_11 % v_10.len()]) * 0.5];
        let mut e_16 = Choice::Nothing;
        (((0.1 * k_11 as f64)).clamp(-0.7, 0.9)).powi(2) * 0.2
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let (s_17, s_18) = ((x[(n + 0) % x.len()]).powi(3) * 0.2, (1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * (b) * ((0.1 * n as f64)).powi(2) * 0.2 * 0.5);
        let mut s_17 = s_17 * (b);
        let mut v_19: Vec<f64> = h0(s_18 * 0.7);
        let top = v_19.pop().unwrap();
        v_19.push(0.5 * top + 0.2 * ((1.0 + v_19[n % v_19.len()] * v_19[n % v_19.len()]).sqrt() - (0.5 * (s_17 + s_17))));
        match (n + 0) % 4 {
            0 => {
                let mut b = b * (0.5 * ((0.1 * n as f64) + x[n % x.len()]));
            }
            1 | 2 => {
                let g_21 = |u_22: f64| 0.5 * (u_22 / (1.5 + s_18 * s_18) + s_18 * x[(n + 2) % x.len()] * 0.5);
            }
            _ => {
                for (i_23, u_24) in v_19.iter().enumerate() {
                    s_17 -= 0.2 * ((((*u_24) - x[(i_23 + 0) % x.len()]) * 0.5).cos());
                    s_17 = ((s_17 / (1.5 + v_19[i_23 % v_19.len()] * v_19[i_23 % v_19.len()]) - (1.5 + (*u_24) * (*u_24)).ln() + 0.1 * (v_19[i_23 % v_19.len()])) * 0.5).sin();
                    s_17 *= 0.8 + 0.1 * ((0.5 * (((0.1 * i_23 as f64)).min(s_17) + ((*u_24) - h1(s_17)) * 0.5)).sin());
                }
            }
        }
        h1(s_18) * v_19[(n + 0) % v_19.len()] * 0.5 * s_17 * 0.5 + 1.1 * a + 1.1 * b + 0.4 * s_18 + 0.9 * s_17 + v_19.iter().sum::<f64>() * 1.1
    }
}

pub mod p092 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_1 = if x[(n + 2) % x.len()] < 0.2 {
            ((b - b) * 0.5).powi(2) * 0.2
        } else {
            let s_2 = if n > 1 && (n + 2) < 9 {
                0.5 * (b + x[n % x.len()])
            } else {
                (-(b)).powi(2) * 0.2
            };
            ((1.2 + s_2 * s_2).powf(0.5 * s_2)).clamp(-0.7, 0.9)
        };
        'l4: for i_3 in 0..3 {
            let mut e_5: Choice = Choice::Nothing;
            for i_4 in 0..2 {
                if !(i_4 > 0) { return (0.5 * ((0.1 * i_4 as f64) + x[i_4 % x.len()])).abs(); }
                let mut s_6 = (x[(i_3 + 1) % x.len()] / (1.5 + b * b)).atan2(1.5 + b * b);
            }
            let s_7 = (1.0 + (0.1 * n as f64) * (0.1 * n as f64)).sqrt() - (0.5 * (x[i_3 % x.len()] + s_1));
        }
        for i_8 in 1..=n % 4 {
            let s_1 = s_1 * (s_1 * b * 0.5);
            let v_9: Vec<f64> = x.to_vec();
        }
        let s_10 = {
            let mut k_11 = 0;
            while k_11 < 1 {
                k_11 += 1;
                let mut o_12 = Some((1.2 + b * b).powf(0.5 * x[n % x.len()]) * s_1 * b * 0.5 * 0.5);
                o_12 = Some((x[n % x.len()] * x[k_11 % x.len()] * 0.5).sin());
            }
            -((0.1 * k_11 as f64))
        };
        for u_14 in x.iter().copied() {
            let mut k_15 = 0;
            loop {
                k_15 += 1;
                if k_15 > 4 { break; }
                let u_14 = u_14 * (((0.1 * k_15 as f64)).min(s_10));
                let mut p_16 = Point { x: (s_10).tanh(), y: 0.5 * (s_10 + u_14) };
            }
            let mut o_20: Option<f64> = Some((0.5 * (x[(k_15 + 0) % x.len()] + (0.1 * k_15 as f64)) - (1.2 + x[(n + 1) % x.len()] * x[(n + 1) % x.len()]).powf(0.5 * x[(k_15 + 2) % x.len()])) * 0.5);
            o_20 = Some((x[k_15 % x.len()] * 0.4 * ((0.1 * k_15 as f64)) * 0.5).tanh());
        }
        ((if b < 0.5 && (n + 2) < 9 { x[(n + 1) % x.len()] } else { x[(n + 0) % x.len()] })).clamp(-0.7, 0.9) + 0.3 * a + 0.8 * b + 1.0 * s_1 + 0.5 * s_10
    }
}

pub mod p093 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> (f64, f64) {
        match 0 % 4 {
            0 => {
                let mut a = a * (a);
            }
            1 | 2 => {
                let mut s_2 = 0.5 * (a + a) * 0.8 * (a) * 0.5;
            }
            _ => {
                let mut s_3: f64 = (if !(3 % 2 == 0) { (if 0 > 2 { a } else { a }) } else { (a).clamp(-0.7, 0.9) });
            }
        }
        (a * a * 0.5, (a - a) * 0.5)
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_4 = if n > 1 {
            ((b).clamp(-0.7, 0.9)).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64))
        } else {
            (x[n % x.len()]).min((0.1 * n as f64)) / (1.5 + b * b)
        };
        for &u_6 in x.iter().rev() {
            let v_7: Vec<f64> = vec![(1.0 + u_6 * u_6).sqrt() - ((0.1 * n as f64)); 4];
            for u_9 in v_7.iter().copied() {
                for (i_10, u_11) in v_7.iter().skip(1).enumerate() {
                    let mut s_12: f64 = (1.0 + v_7[i_10 % v_7.len()] * v_7[i_10 % v_7.len()]).sqrt() - ((x[i_10 % x.len()]).cos());
                    s_12 *= 0.8 + 0.1 * ((1.5 * ((if i_10 % 2 == 1 { s_12 } else { (0.1 * n as f64) }))).sin());
                }
                a *= 0.8 + 0.1 * (((0.3 * (1.5 * (u_6))).exp()).sin());
            }
            a = (0.5 * ((a).powi(3) * 0.2 + s_4 * x[n % x.len()] * 0.5)).cos();
        }
        let q_13 = ((x[n % x.len()]).atan2(1.5 + s_4 * s_4), ((x[n % x.len()]).max(s_4)).powi(2) * 0.2);
        a = 0.5 * ((1.2 + b * b).powf(0.5 * x[(n + 0) % x.len()]) + (1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * (s_4));
        let r_14 = [(s_4).tanh(), (q_13.1 - b) * 0.5, (q_13.0).abs()];
        -((s_4).cos()) + 0.8 * a + 0.8 * b + 1.0 * s_4 + q_13.0 * 1.1 - q_13.1 + r_14.iter().sum::<f64>() * 0.9
    }
}

pub mod p094 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64, b: Point) -> Point {
        let (mut s_1, mut s_2) = (a * a * 0.5, (1.0 + b.x * b.x).sqrt() - (a * a * 0.5));
        let mut s_1 = s_1 * (-(s_2));
        let q_3 = ((s_2).cos(), ((s_1).tanh()).clamp(-0.7, 0.9));
        let mut q_4 = ((1.2 + s_1 * s_1).powf(0.5 * s_2), ((if 2 % 2 == 0 { s_1 } else { s_1 })).abs());
        Point { x: (s_1).atan2(1.5 + b.x * b.x), y: (s_1).powi(3) * 0.2 }
    }
    #[differentiable]
    pub fn h1(a: f64, b: (f64, f64), c: Option<f64>) -> f64 {
        let a = a * ((1.0 + a * a).sqrt() - (a));
        let (mut s_5, mut s_6) = b;
        'l8: for i_7 in 0..3 {
            s_6 -= 0.2 * ((((b.0).tanh()).cos()).cos());
            for i_8 in 0..2 {
                if i_8 % 2 == 0 || i_8 == 7 { continue; }
                s_6 = 0.6 * s_6 + 0.3 * (((if s_6 < 1.0 && (i_7 + 1) < 9 { s_6 } else { (0.1 * i_8 as f64) }) / (1.5 + b.0 * b.0)).cos());
            }
            s_6 -= 0.2 * (((1.2 + s_5 * s_5).powf(0.5 * s_6)).sin());
        }
        s_6 = (1.0 + s_6 * s_6).sqrt() - ((s_5).sin());
        ((b.0 - s_6) * 0.5).sin()
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        for i_9 in (0..5).step_by(2) {
            let s_10 = {
                let s_11 = if !((n + 1) % 2 == 0) {
                    let a = a * ((if !((0.1 * i_9 as f64) > -0.9) { h1(b, (b, b), Some(b)) } else { b }));
                    (0.3 * x.windows(2).map(|w| w[1] * w[0] - w[0]).sum::<f64>()).powi(3) * 0.2
                } else {
                    a * b * 0.5 / (1.5 + b * b)
                };
                (b).sin()
            };
            b += 0.3 * (((1.5 + x[i_9 % x.len()] * x[i_9 % x.len()]).ln() + 0.1 * ((x[i_9 % x.len()]).clamp(-0.7, 0.9))).tanh());
            b = 0.6 * b + 0.3 * ((x[n % x.len()] / (1.5 + (0.1 * i_9 as f64) * (0.1 * i_9 as f64)) / (1.5 + (0.1 * i_9 as f64) * (0.1 * i_9 as f64))).tanh());
        }
        let b = b * ((b).cos());
        let b = b * ((if n > 1 { h1(b, (b, b), Some(b)) } else { x[n % x.len()] }));
        let mut v_12: Vec<f64> = x.iter().enumerate().map(|(i, u)| u.sin() * b + 0.1 * i as f64).collect();
        let k_13 = (n + 2) % v_12.len();
        v_12[k_13] = (if k_13 % 2 == 1 { (v_12[k_13 % v_12.len()]).tanh() } else { 0.5 * (x[n % x.len()] + v_12[k_13 % v_12.len()]) });
        ((h1(b, (b, b), Some(b)) - (0.1 * k_13 as f64)) * 0.5 - (0.3 * ((0.1 * n as f64))).exp()) * 0.5 + 0.5 * a + 0.9 * b + v_12.iter().sum::<f64>() * 0.4
    }
}

pub mod p095 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> [f64; 3] {
        if 0 > 0 {
            let mut s_1 = (if a < -1.4 { (a).sin() } else { (a).cos() });
            s_1 = (a).abs();
        }
        let s_2 = {
            let g_3 = |u_4: f64| (u_4 * u_4 * 0.5 - u_4 * a * 0.5) * 0.5;
            (0.3 * (a)).exp()
        };
        [0.4_f64 / (1.5 + s_2 * s_2), (if s_2 > -1.3 { s_2 } else { a }), (1.1_f64 - a) * 0.5]
    }
    #[differentiable]
    pub fn h1(a: f64) -> f64 {
        let mut a = a * ((a).clamp(-0.7, 0.9));
        if a > 0.6 || 1 == 7 {
            a *= 0.8 + 0.1 * ((1.5 + a * a).ln() + 0.1 * ((1.5 + a * a).ln() + 0.1 * (a)));
            let mut v_5: Vec<f64> = vec![(0.3 * (1.0_f64)).exp(), (a - a) * 0.5];
            let k_6 = 3 % v_5.len();
            v_5[k_6] = 0.6 * v_5[k_6] + 0.3 * (0.6 * (a / (1.5 + v_5[k_6 % v_5.len()] * v_5[k_6 % v_5.len()])));
        }
        (0.5 * (a + a) - (a).tanh()) * 0.5
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut o_7: Option<f64> = Some((0.5 * (b + a)).tanh());
        match (n + 0) % 4 {
            0 => {
                let b = b * (-(b));
            }
            1 | 2 => {
                if n > 1 && (n + 1) < 9 {
                    let mut e_9 = Choice::Nothing;
                    o_7 = Some(((0.3 * (h1(b))).exp()).sin());
                } else {
                    let mut o_10: Option<f64> = if n % 2 == 0 { Some((0.3 * (b)).exp()) } else { None };
                    o_7 = Some((x[(n + 2) % x.len()]).abs() / (1.5 + x[(n + 1) % x.len()] * x[(n + 1) % x.len()]));
                }
            }
            _ => {
                if a > -0.2 { return h1(a * 0.7); }
            }
        }
        o_7 = Some((0.5 * (h1(a * 0.7) + b)).sin());
        o_7 = Some((1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * (((0.1 * n as f64)).powi(2) * 0.2));
        ((x[n % x.len()]).sin()).powi(3) * 0.2 + 1.0 * a + 0.6 * b + o_7.unwrap_or(0.6)
    }
}

pub mod p096 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        b += 0.3 * (0.5 * ((x[n % x.len()]).tanh() + (0.1 * n as f64) / (1.5 + x[(n + 2) % x.len()] * x[(n + 2) % x.len()])));
        match (n + 0) % 4 {
            0 => {
                let g_2 = |u_3: f64| (if (0.1 * n as f64) <= 0.3 { u_3 } else { x[n % x.len()] }) * 0.7 * (x[n % x.len()]) * 0.5;
            }
            1 | 2 => {
                if !(b > -1.2) { return ((x[n % x.len()]).tanh()).atan2(1.5 + a * a); }
            }
            _ => {
                let b = b * ((1.0 + b * b).sqrt() - (b));
            }
        }
        let mut q_7 = ((x[n % x.len()] - (0.1 * n as f64)) * 0.5, (x[n % x.len()]).cos() * 0.5 * (x[n % x.len()] + b) * 0.5);
        'l9: for i_8 in 0..3 {
            q_7.1 = 0.6 * q_7.1 + 0.3 * ((((q_7.0).tanh()).max(b)).tanh());
            for i_9 in 0..2 {
                if i_9 % 2 == 1 && i_8 < 9 { return (1.5 + a * a).ln() + 0.1 * (a) * (b).tanh() * 0.5; }
                b = (((q_7.0 - a) * 0.5).clamp(-0.7, 0.9)).sin();
            }
            q_7.0 = 0.6 * q_7.0 + 0.3 * (((1.0 + b * b).sqrt() - ((0.1 * i_8 as f64) * (0.1 * i_8 as f64) * 0.5)).tanh());
        }
        for u_11 in x.iter().copied() {
            let s_12 = q_7.0 * (b - x[n % x.len()]) * 0.5 * 0.5;
            for u_14 in x.iter() {
                let r_15: [f64; 3] = [x[(n + 2) % x.len()] / (1.5 + q_7.1 * q_7.1), b * (*u_14) * 0.5, q_7.1];
                b *= 0.8 + 0.1 * ((((s_12 - s_12) * 0.5).abs()).tanh());
            }
            b = 0.6 * b + 0.3 * ((s_12 * (0.1 * n as f64) * 0.5 / (1.5 + b * b)).tanh());
        }
        ((0.1 * n as f64)).sin() * (1.2 + x[n % x.len()] * x[n % x.len()]).powf(0.5 * q_7.0) * 0.5 + 1.1 * a + 0.3 * b + q_7.0 * 0.9 - q_7.1
    }
}

pub mod p097 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut p_1: Point = Point { x: 1.1 * (b), y: 1.0 * (x[(n + 1) % x.len()]) };
        let s_2 = match (n + 1) % 4 {
            0 => {
                let s_3 = {
                    let mut q_4 = ((x[n % x.len()] - a) * 0.5, ((p_1.x - x[n % x.len()]) * 0.5 - (b).powi(3) * 0.2) * 0.5);
                    x[n % x.len()]
                };
                (1.5 + b * b).ln() + 0.1 * (x[n % x.len()])
            }
            1 | 2 => {
                let r_8 = [(1.2 + b * b).powf(0.5 * b), -(a), (p_1.x).powi(2) * 0.2];
                (p_1.y).atan2(1.5 + p_1.x * p_1.x)
            }
            _ => {
                let mut s_9 = (0.5 * (x[n % x.len()] + p_1.y)).tanh();
                ((0.1 * n as f64)).clamp(-0.7, 0.9)
            }
        };
        p_1.y = ((s_2).clamp(-0.7, 0.9)).tanh();
        let (mut s_10, mut s_11) = (b / (1.5 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()]), 0.2 * (0.3 * x.iter().map(|u| u.tanh()).product::<f64>()));
        let mut s_10 = s_10 * ((if b > 0.6 { s_2 } else { s_11 }));
        (if n % 2 == 0 { (x[n % x.len()]).atan2(1.5 + x[n % x.len()] * x[n % x.len()]) } else { s_10 / (1.5 + a * a) }) + 0.5 * a + 0.4 * b + p_1.x * 0.6 - p_1.y + 0.7 * s_2 + 0.5 * s_11 + 1.0 * s_10
    }
}

pub mod p098 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64, b: Option<f64>, c: f64) -> Vec<f64> {
        a *= 0.8 + 0.1 * (-((a).sin()));
        let s_1 = {
            match 0 % 4 {
                0 => {
                    a = ((if !(1 % 2 == 1) { a } else { c }) - (c).atan2(1.5 + a * a)) * 0.5;
                }
                1 | 2 => {
                    a += 0.3 * (0.5 * (0.6 * (c) + -(c)));
                }
                _ => {
                    a = 0.6 * a + 0.3 * (((a).min(c)).clamp(-0.7, 0.9));
                }
            }
            (a).atan2(1.5 + c * c)
        };
        vec![-(s_1); 4]
    }
    #[differentiable]
    pub fn h1(a: f64, b: f64) -> Option<f64> {
        let e_3 = Choice::Nothing;
        'l5: for i_4 in 0..3 {
            let mut r_6 = [b * b * 0.5; 3];
            for i_5 in 0..2 {
                if i_5 % 2 == 0 { break 'l5; }
                r_6[(i_5 + 0) % 3] = ((1.2 + b * b).powf(0.5 * b)).tanh();
            }
            r_6[2] -= 0.2 * ((((b).tanh()).min(r_6[(i_4 + 2) % 3])).sin());
        }
        let mut q_7: (f64, f64) = ((b).cos(), (1.0 + a * a).sqrt() - ((1.5 + a * a).ln() + 0.1 * (b)));
        for i_8 in (0..5).step_by(2) {
            let b = b * ((1.5 + b * b).ln() + 0.1 * (b));
            q_7.0 += 0.3 * ((((b).min((0.1 * i_8 as f64))).max(b)).cos());
        }
        Some(0.5 * (b + 0.9_f64))
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_9 = (0.5 * (a + a)).abs();
        let g_10 = |u_11: f64| 0.5 * (a * s_9 * 0.5 + (x[n % x.len()]).max(s_9));
        let mut e_12 = Choice::Plane(b * (0.1 * n as f64) * 0.5, (1.2 + (0.1 * n as f64) * (0.1 * n as f64)).powf(0.5 * g_10(a)));
        let s_13 = {
            let (s_14, s_15) = ((1.0 + a * a).sqrt() - (g_10(a)), 0.2 * (0.3 * x.iter().sum::<f64>()));
            (1.2 + x[n % x.len()] * x[n % x.len()]).powf(0.5 * s_14)
        };
        let mut k_16 = 0;
        loop {
            k_16 += 1;
            if k_16 > 1 { break; }
            let (mut s_17, mut s_18) = ((1.2 + s_13 * s_13).powf(0.5 * x[k_16 % x.len()]), ((if g_10(b) < 0.4 || (k_16 + 1) == 7 { (0.1 * k_16 as f64) } else { x[(k_16 + 0) % x.len()] })).sin());
            s_18 += 0.3 * (((if k_16 > 1 { -(b) } else { s_18 * g_10(s_17) * 0.5 })).tanh());
        }
        match (n + 2) % 4 {
            0 => {
                let (mut s_20, mut s_21) = ((0.1 * k_16 as f64) * s_9 * 0.5, ((0.3 * (s_13)).exp()).clamp(-0.7, 0.9));
                std::mem::swap(&mut s_20, &mut s_21);
            }
            1 | 2 => {
                let s_22 = match e_12 {
                    Choice::Line { at: u_23 } => (s_13 / (1.5 + x[n % x.len()] * x[n % x.len()])).cos(),
                    Choice::Plane(u_23, w_24) => (b / (1.5 + (0.1 * n as f64) * (0.1 * n as f64))).clamp(-0.7, 0.9),
                    Choice::Nothing => (g_10(s_13) * x[n % x.len()] * 0.5).sin(),
                };
            }
            _ => {
                let s_25 = match e_12 {
                    Choice::Line { at: u_26 } => (if k_16 % 2 == 0 { g_10(u_26) } else { x[(k_16 + 1) % x.len()] }) / (1.5 + (0.1 * k_16 as f64) * (0.1 * k_16 as f64)),
                    Choice::Plane(u_26, w_27) => (1.5 + x[k_16 % x.len()] * x[k_16 % x.len()]).ln() + 0.1 * ((x[k_16 % x.len()]).tanh()),
                    Choice::Nothing => 1.2 * ((0.3 * (g_10(s_13))).exp()),
                };
            }
        }
        (0.3 * ((0.1 * k_16 as f64))).exp() + 0.6 * a + 0.3 * b + 0.5 * s_9 + 0.4 * s_13
    }
}

pub mod p099 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64, b: (f64, f64)) -> f64 {
        a = 0.6 * a + 0.3 * ((if a >= 0.9 { (a).max(a) } else { 1.2 * (b.1) }));
        if a >= -1.5 {
            if b.0 >= 0.4 {
                let mut v_4: Vec<f64> = vec![(1.5 + b.0 * b.0).ln() + 0.1 * (a), (b.0).tanh()];
                for u_6 in v_4.iter_mut() {
                    *u_6 *= 0.8 + 0.1 * ((a).abs()).sin();
                }
                let k_7 = 2 % v_4.len();
                v_4[k_7] = ((if (k_7 + 1) > 1 { b.1 } else { a }) - ((0.1 * k_7 as f64) - (0.1 * k_7 as f64)) * 0.5) * 0.5;
            } else {
                for i_8 in (0..5).step_by(2) {
                    a -= 0.2 * ((0.5 * ((a).cos() + a / (1.5 + a * a))).sin());
                    a = ((1.5 + (0.1 * i_8 as f64) * (0.1 * i_8 as f64)).ln() + 0.1 * ((0.1 * i_8 as f64) * a * 0.5)).tanh();
                }
                a *= 0.8 + 0.1 * ((if a >= 1.0 { a } else { b.0 * a * 0.5 }));
            }
            let mut r_12: [f64; 3] = [-(a), (1.0 + a * a).sqrt() - (a), (0.3 * (a)).exp()];
            r_12[0] = 0.6 * r_12[0] + 0.3 * ((a).sin());
        }
        (1.5 + a * a).ln() + 0.1 * ((b.0).atan2(1.5 + a * a))
    }
    #[differentiable]
    pub fn h1(a: f64) -> [f64; 3] {
        let mut k_13 = 0;
        loop {
            k_13 += 1;
            if k_13 > 1 { break; }
            let s_14 = {
                let mut k_15 = 0;
                while k_15 < 2 {
                    k_15 += 1;
                    let g_16 = |u_17: f64| 0.3 * ((1.0 + u_17 * u_17).sqrt() - (u_17));
                    let mut e_18: Choice = Choice::Line { at: (a - (0.1 * k_15 as f64)) * 0.5 };
                }
                -((0.1 * k_15 as f64))
            };
            for i_19 in (0..1).rev() {
                for i_20 in 1..=i_19 % 4 {
                    let mut v_21: Vec<f64> = vec![(h0(s_14 * 0.7, (s_14, s_14))).sin(), (1.2 + s_14 * s_14).powf(0.5 * (0.1 * i_20 as f64))];
                    let k_22 = (i_20 + 2) % v_21.len();
                    v_21[k_22] += 0.3 * (((s_14 * s_14 * 0.5).sin()).sin());
                }
                let mut e_23: Choice = Choice::Line { at: 0.5 * (s_14 + s_14) };
            }
            let mut e_24 = Choice::Line { at: (1.0 + (0.1 * k_13 as f64) * (0.1 * k_13 as f64)).sqrt() - (s_14) };
        }
        [(a).clamp(-0.7, 0.9), (h0(a * 0.7, (a, a)) - h0(a, (a, a))) * 0.5, a]
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let s_25 = {
            for i_26 in (0..5).step_by(2) {
                let s_27 = if a > -1.4 && i_26 < 9 {
                    let mut e_28: Choice = Choice::Line { at: (h0(a * 0.7, (b, b))).abs() };
                    continue
                } else {
                    ((a - (0.1 * i_26 as f64)) * 0.5).sin()
                };
                let mut q_29: (f64, f64) = (0.5 * (b + b), (1.2 + a * a).powf(0.5 * b));
                q_29.0 -= 0.2 * ((((0.3 * (x[i_26 % x.len()])).exp()).abs()).tanh());
            }
            ((0.1 * n as f64)).powi(3) * 0.2
        };
        let mut b = b * ((0.1 * n as f64) * h0(b, (a, s_25)) * 0.5);
        let s_25 = s_25 * ((if !((n + 2) % 2 == 0) { b } else { h0(b, (a, s_25)) }));
        for u_31 in x.iter().copied() {
            let g_32 = |u_33: f64| (u_33 * h0(u_33, (s_25, u_31)) * 0.5).tanh();
            let mut r_34: [f64; 3] = [s_25 / (1.5 + u_31 * u_31), (u_31).cos(), x[n % x.len()] * (0.1 * n as f64) * 0.5];
            b = ((1.5 + u_31 * u_31).ln() + 0.1 * (h0(b, (b, b))) * (1.2 + g_32(b) * g_32(b)).powf(0.5 * r_34[n % 3]) * 0.5).sin();
        }
        0.5 * ((b - h0(b, (s_25, s_25))) * 0.5 + 0.8 * (s_25)) + 0.8 * a + 1.0 * b + 0.5 * s_25
    }
}
