// Written by the generator.
#![allow(warnings, clippy::all)]

pub mod p070 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64, b: Point, c: (f64, f64)) -> Option<f64> {
        if 0 % 2 == 1 {
            let a = a * ((b.y).cos());
            let mut s_1 = a * c.1 * 0.5 / (1.5 + a * a);
        } else {
            a = ((c.0 - c.0) * 0.5).abs();
            a -= 0.2 * ((-(c.1)).max(b.x));
            a = 0.6 * a + 0.3 * (0.5 * (a + a) * (a).abs() * 0.5);
        }
        if 0 % 2 == 1 { Some((c.1 - a) * 0.5) } else { None }
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        'l3: for i_2 in 0..3 {
            let v_4: Vec<f64> = vec![0.5 * (b + b); 4];
            for i_3 in 0..2 {
                if b < -1.5 { continue 'l3; }
                let mut v_5: Vec<f64> = v_4.iter().enumerate().map(|(i, u)| u.sin() * b + 0.1 * i as f64).collect();
            }
            let o_6 = Some((v_4[i_2 % v_4.len()] * (0.1 * i_2 as f64) * 0.5).atan2(1.5 + b * b));
        }
        let mut a = a * ((1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - (b));
        let mut s_7 = ((0.1 * n as f64) - x[(n + 0) % x.len()]) * 0.5;
        for (i_8, u_9) in x.iter().enumerate() {
            let mut r_10 = [s_7 / (1.5 + s_7 * s_7), (s_7).min(x[(i_8 + 0) % x.len()]), (a - s_7) * 0.5];
            r_10[2] -= 0.2 * ((0.5 * ((s_7 - r_10[i_8 % 3]) * 0.5 + (r_10[1]).sin())).cos());
        }
        s_7 = (1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - (b * x[n % x.len()] * 0.5);
        for i_11 in 0..3 {
            for (i_12, u_13) in x.iter().enumerate() {
                for (i_14, u_15) in x.iter().enumerate() {
                    let (s_16, s_17) = (x[i_12 % x.len()] * s_7 * 0.5, 0.3 * x.iter().map(|u| u.tanh()).product::<f64>());
                    let r_18 = [(x[(i_11 + 0) % x.len()] - x[i_12 % x.len()]) * 0.5, 0.5 * ((*u_15) + (0.1 * i_12 as f64)), (1.0 + x[(i_14 + 1) % x.len()] * x[(i_14 + 1) % x.len()]).sqrt() - (a)];
                    s_7 = ((if (*u_15) > -1.5 { (s_16).tanh() } else { (*u_13) })).tanh();
                }
                s_7 += 0.3 * ((((1.2 + x[i_12 % x.len()] * x[i_12 % x.len()]).powf(0.5 * (0.1 * i_12 as f64)) - (if i_12 % 2 == 0 && i_12 < 9 { (0.1 * i_11 as f64) } else { a })) * 0.5).cos());
            }
            s_7 = (0.5 * (0.5 * (s_7 + (0.1 * i_11 as f64)) + (x[i_11 % x.len()]).cos())).cos();
        }
        (1.2 + s_7 * s_7).powf(0.5 * x[n % x.len()]) + 0.7 * b + 0.3 * a + 0.7 * s_7
    }
}

pub mod p071 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let s_1 = match n % 4 {
            0 => {
                let p_2: Point = Point { x: (a).clamp(-0.7, 0.9), y: (0.1 * n as f64) * b * 0.5 };
                (1.0 + b * b).sqrt() - (b)
            }
            1 | 2 => {
                let e_3 = Choice::Line { at: b / (1.5 + b * b) };
                (if n % 2 == 1 && n < 9 { a } else { x[n % x.len()] })
            }
            _ => {
                let mut k_4 = 0;
                while k_4 < 1 && ((n + 2) % 2 == 1) {
                    k_4 += 1;
                    let q_5 = (b, (0.5 * (b + a)).max(x[k_4 % x.len()]));
                    let mut s_6 = 1.1 * (q_5.1) / (1.5 + x[k_4 % x.len()] * x[k_4 % x.len()]);
                }
                x[(k_4 + 0) % x.len()] * x[k_4 % x.len()] * 0.5
            }
        };
        let mut q_10 = (0.3 * x.iter().map(|u| u * u * 1.3).sum::<f64>(), ((x[n % x.len()]).powi(2) * 0.2).min(a));
        let s_1 = s_1 * ((x[n % x.len()]).min(b));
        let s_11 = {
            q_10.0 = 0.6 * q_10.0 + 0.3 * (-(1.3 * (b)));
            -(q_10.1)
        };
        s_1 * s_11 * 0.5 * (1.2 + a * a).powf(0.5 * x[n % x.len()]) * 0.5 + 0.9 * a + 1.1 * b + q_10.0 * 0.5 - q_10.1 + 0.3 * s_1 + 0.9 * s_11
    }
}

pub mod p072 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        for u_2 in x.iter() {
            let a = a * ((x[n % x.len()] - b) * 0.5);
            b = (((a).abs()).atan2(1.5 + b * b)).tanh();
        }
        let mut k_3 = 0;
        while k_3 < 3 {
            k_3 += 1;
            let v_4: Vec<f64> = vec![(b).sin(); 4];
            b += 0.3 * ((0.5 * (0.5 * (b + b) + (1.5 + x[k_3 % x.len()] * x[k_3 % x.len()]).ln() + 0.1 * (x[(k_3 + 2) % x.len()]))).tanh());
            b = ((1.5 + v_4[(k_3 + 0) % v_4.len()] * v_4[(k_3 + 0) % v_4.len()]).ln() + 0.1 * ((x[(n + 2) % x.len()]).cos())).tanh();
        }
        let g_5 = |u_6: f64| (u_6 - x[k_3 % x.len()]) * 0.5 / (1.5 + (0.1 * n as f64) * (0.1 * n as f64));
        b += 0.3 * ((1.5 + b * b).ln() + 0.1 * ((1.5 + a * a).ln() + 0.1 * (b)));
        let mut k_7 = 0;
        while k_7 < 1 {
            k_7 += 1;
            match n % 4 {
                0 => {
                    b = (((1.2 + g_5(b) * g_5(b)).powf(0.5 * b)).sin()).sin();
                }
                1 | 2 => {
                    b *= 0.8 + 0.1 * (((0.5 * (x[k_7 % x.len()] + b)).abs()).cos());
                }
                _ => {
                    b -= 0.2 * ((a / (1.5 + b * b)).tanh());
                }
            }
            b += 0.3 * ((((0.3 * (x[(k_7 + 0) % x.len()])).exp()).atan2(1.5 + x[k_3 % x.len()] * x[k_3 % x.len()])).tanh());
        }
        0.5 * (0.5 * (b + (0.1 * n as f64)) + g_5(b) * x[k_7 % x.len()] * 0.5) + 0.9 * a + 0.5 * b
    }
}

pub mod p073 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64) -> [f64; 3] {
        let s_1 = {
            let s_2 = if a >= -0.4 {
                let s_3 = if a > 1.4 || 3 == 7 {
                    let mut o_4: Option<f64> = Some((a).abs());
                    ((1.5 + a * a).ln() + 0.1 * (a)).abs()
                } else {
                    let a = a * (0.2 * (a));
                    (a - (a - a) * 0.5) * 0.5
                };
                -((s_3).cos())
            } else {
                (a / (1.5 + a * a)).abs()
            };
            (s_2).cos()
        };
        [(0.3 * (s_1)).exp(), (s_1).min(s_1), (s_1).min(s_1)]
    }
    #[differentiable]
    pub fn h1(a: f64) -> f64 {
        let o_5 = Some((if a > -0.8 { 0.5 * (a + a) } else { (a).max(a) }));
        let s_6 = match o_5 { Some(u_7) => (a).sin(), None => (a).abs() };
        for i_9 in 0..2 {
            let mut s_10 = (0.5 * ((0.1 * i_9 as f64) + s_6)).cos();
            let s_10 = s_10 * (s_6 * s_6 * 0.5);
            let mut q_11: (f64, f64) = (s_10 * s_10 * 0.5, ((s_10).min(s_10)).sin());
        }
        ((0.4_f64).clamp(-0.7, 0.9)).clamp(-0.7, 0.9)
    }
    #[differentiable]
    pub fn f(mut a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let r_12 = [0.3 * x.iter().sum::<f64>(), (0.3 * (b)).exp(), 1.2 * (b)];
        let mut v_13: Vec<f64> = vec![(1.5 + (0.1 * n as f64) * (0.1 * n as f64)).ln() + 0.1 * (b), (b).powi(3) * 0.2];
        for i_14 in 0..3 {
            for u_16 in v_13.iter_mut() {
                *u_16 += 0.3 * ((b).tanh()).sin();
            }
            for i_17 in (0..5).step_by(2) {
                let mut k_18 = 0;
                while k_18 < 2 {
                    k_18 += 1;
                    let k_19 = k_18 % v_13.len();
                    v_13[k_19] = 0.6 * v_13[k_19] + 0.3 * ((((0.1 * k_19 as f64)).cos() / (1.5 + b * b)).sin());
                    let mut p_20 = Point { x: -(b), y: 0.5 * (v_13[k_19 % v_13.len()] + (0.1 * k_19 as f64)) };
                    p_20.x -= 0.2 * ((1.1 * ((h1(b * 0.7) - b) * 0.5)).cos());
                }
                let mut v_21: Vec<f64> = vec![(b).sin(), 0.5 * (r_12[2] + h1(b))];
                let k_22 = k_18 % v_21.len();
                v_21[k_22] = (0.5 * (v_13[k_18 % v_13.len()])).sin();
            }
            b = 0.6 * b + 0.3 * ((((v_13[(n + 2) % v_13.len()] - b) * 0.5).atan2(1.5 + b * b)).cos());
        }
        (r_12[0]).clamp(-0.7, 0.9) * h1(b) / (1.5 + h1(b * 0.7) * h1(b * 0.7)) * 0.5 + 0.6 * a + 0.5 * b + r_12.iter().sum::<f64>() * 0.3 + v_13.iter().sum::<f64>() * 1.0
    }
}

pub mod p074 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(mut a: f64, b: f64, c: (f64, f64)) -> Vec<f64> {
        let s_1 = if 0 % 2 == 1 && 2 < 9 {
            for i_2 in 0..1 {
                let mut k_3 = 0;
                while k_3 < 2 {
                    k_3 += 1;
                    let b = b * (b * b * 0.5);
                    let mut s_4 = -((b).sin());
                    s_4 = 0.6 * s_4 + 0.3 * (((0.7 * ((0.1 * k_3 as f64))).clamp(-0.7, 0.9)).cos());
                }
                for i_5 in 1..=k_3 % 4 {
                    a = (b * a * 0.5 * (b - b) * 0.5 * 0.5).cos();
                    a -= 0.2 * (((1.5 + c.0 * c.0).ln() + 0.1 * ((1.0 + a * a).sqrt() - (a))).cos());
                }
                a *= 0.8 + 0.1 * (((1.0 + a * a).sqrt() - ((1.5 + a * a).ln() + 0.1 * (b))).cos());
            }
            0.5 * ((a).sin() + (b).clamp(-0.7, 0.9))
        } else {
            ((if 0 > 0 { b } else { b })).max(c.1)
        };
        vec![(if 3 > 0 { s_1 } else { c.1 }); 4]
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        b += 0.3 * ((1.0 + x[n % x.len()] * x[n % x.len()]).sqrt() - (((0.1 * n as f64)).tanh()));
        for i_6 in 0..n % 4 {
            let mut v_7: Vec<f64> = vec![-(x[n % x.len()]), (a - a) * 0.5];
            let mut p_8 = Point { x: (0.3 * (a)).exp(), y: (0.3 * (v_7[n % v_7.len()])).exp() };
            p_8.y = ((b / (1.5 + v_7[(i_6 + 1) % v_7.len()] * v_7[(i_6 + 1) % v_7.len()])).atan2(1.5 + a * a)).sin();
        }
        b = 0.6 * b + 0.3 * ((a * x[(n + 2) % x.len()] * 0.5).atan2(1.5 + b * b));
        let mut e_9: Choice = Choice::Line { at: (b).powi(2) * 0.2 };
        let mut o_10 = Some(0.5 * ((0.1 * n as f64) + (0.1 * n as f64)) * x[(n + 2) % x.len()] * x[n % x.len()] * 0.5 * 0.5);
        if n > 0 { return b * x[n % x.len()] * b * 0.5 * 0.5; }
        let mut o_11 = if (n + 1) > 0 { Some((0.1 * n as f64) * b * 0.5) } else { None };
        -((b).clamp(-0.7, 0.9)) + 0.4 * a + 1.1 * b + o_10.unwrap_or(1.1) + o_11.unwrap_or(0.7)
    }
}

pub mod p075 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> Option<f64> {
        let p_1 = Point { x: (a).sin(), y: a * a * 0.5 };
        let o_2 = Some(((a).clamp(-0.7, 0.9)).abs());
        match 3 % 4 {
            0 => {
                let r_4 = [a / (1.5 + a * a), (a).tanh(), -(p_1.y)];
            }
            1 | 2 => {
                for i_5 in 0..1 {
                    let mut v_6: Vec<f64> = vec![0.5 * ((0.1 * i_5 as f64) + a), a];
                    let k_7 = i_5 % v_6.len();
                    v_6[k_7] -= 0.2 * (((0.3 * (p_1.y)).exp()).cos());
                }
            }
            _ => {
                for i_8 in 0..1 {
                    let (s_9, s_10) = (a * a * 0.5, a * (p_1.y).tanh() * 0.5);
                    let mut r_11 = [((0.1 * i_8 as f64)).cos(); 3];
                }
            }
        }
        if 2 % 2 == 0 { Some(a * p_1.y * 0.5) } else { None }
    }
    #[differentiable]
    pub fn f(a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        let mut a = a * (0.5 * (a + a));
        let g_12 = |u_13: f64| (0.5 * (x[n % x.len()] + u_13)).abs();
        let mut s_14 = 1.2 * ((1.0 + a * a).sqrt() - (a));
        let (mut s_15, mut s_16) = (0.3 * x.iter().map(|u| u * u * 0.7).sum::<f64>(), 0.3 * x.iter().fold(1.1, |s, u| 0.5 * s + u * s_14));
        if n % 2 == 0 {
            s_14 += 0.3 * ((if n % 2 == 1 { s_15 * x[n % x.len()] * 0.5 } else { (s_14 - s_14) * 0.5 }));
            let s_17 = if n % 2 == 1 {
                (x[n % x.len()] * s_15 * 0.5).clamp(-0.7, 0.9)
            } else {
                s_15 += 0.3 * ((s_14 / (1.5 + x[n % x.len()] * x[n % x.len()])).atan2(1.5 + (0.1 * n as f64) * (0.1 * n as f64)));
                -(0.5 * (x[n % x.len()] + s_16))
            };
            s_14 = (0.2 * (s_17)).max((0.1 * n as f64));
        } else {
            let mut p_18 = Point { x: (s_15).powi(2) * 0.2, y: (1.0 + s_14 * s_14).sqrt() - ((0.1 * n as f64)) };
            let g_19 = |u_20: f64| (if u_20 < 0.2 { u_20 } else { x[(n + 0) % x.len()] });
            s_15 *= 0.8 + 0.1 * (((p_18.x).atan2(1.5 + x[n % x.len()] * x[n % x.len()]) - (b).atan2(1.5 + s_16 * s_16)) * 0.5);
        }
        0.5 * (b + s_15) * (g_12(s_16)).powi(2) * 0.2 * 0.5 + 0.9 * b + 0.8 * a + 0.7 * s_14 + 0.7 * s_15 + 0.3 * s_16
    }
}

pub mod p076 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> Option<f64> {
        let mut r_1 = [(a).abs(), (a - a) * 0.5, a / (1.5 + a * a)];
        'l3: for i_2 in 0..3 {
            r_1[1] = (((1.5 + (0.1 * i_2 as f64) * (0.1 * i_2 as f64)).ln() + 0.1 * (a)).min(r_1[i_2 % 3])).sin();
            for i_3 in 0..2 {
                if !(r_1[0] >= 0.8) { break 'l3; }
                r_1[(i_3 + 0) % 3] = (a * a * 0.5 / (1.5 + a * a)).cos();
            }
            r_1[1] += 0.3 * (((1.5 + a * a).ln() + 0.1 * ((a).cos())).tanh());
        }
        'l5: for i_4 in 0..3 {
            r_1[2] *= 0.8 + 0.1 * ((0.5 * ((0.3 * (a)).exp())).sin());
            for i_5 in 0..2 {
                if a >= 0.8 { continue; }
                r_1[2] = (1.3 * ((0.1 * i_5 as f64) * a * 0.5)).sin();
            }
            r_1[i_4 % 3] += 0.3 * (((0.3 * ((if a > -1.5 { a } else { a }))).exp()).cos());
        }
        let a = a * ((a).tanh());
        if r_1[2 % 3] >= -0.4 { Some(a / (1.5 + a * a)) } else { None }
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        if a <= 0.5 {
            let (mut s_6, mut s_7) = (0.5 * (b + a), 0.5 * ((0.3 * (b)).exp() + 0.9 * (x[n % x.len()])));
            std::mem::swap(&mut s_6, &mut s_7);
            s_7 = (1.0 + s_6 * s_6).sqrt() - (0.7 * (s_6));
        }
        let mut s_8 = 0.5 * ((a).tanh() + (if n % 2 == 0 && (n + 0) < 9 { x[n % x.len()] } else { b }));
        let mut e_12: Choice = Choice::Line { at: x[n % x.len()] * b * 0.5 };
        for u_14 in x.iter() {
            for (i_15, u_16) in x.iter().skip(1).enumerate() {
                let b = b * ((b - x[n % x.len()]) * 0.5);
                let g_17 = |u_18: f64| 0.5 * (((*u_14)).cos() + (x[n % x.len()] - x[i_15 % x.len()]) * 0.5);
                s_8 = (0.4 * (a) / (1.5 + g_17(b) * g_17(b))).sin();
            }
            s_8 = (-(s_8) * (1.5 + b * b).ln() + 0.1 * ((0.1 * n as f64)) * 0.5).sin();
        }
        let mut q_19 = (0.5 * ((0.1 * n as f64) + s_8), (1.2 + x[n % x.len()] * x[n % x.len()]).powf(0.5 * s_8));
        (0.5 * (q_19.0 + b)).abs() + 0.3 * a + 0.4 * b + 0.3 * s_8 + q_19.0 * 0.6 - q_19.1
    }
}

pub mod p077 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: [f64; 3]) -> Vec<f64> {
        let mut o_1 = if 1 > 0 { Some(0.5 * (a + a)) } else { None };
        let mut s_2: f64 = (if !(0 > 1) { a * b[1] * 0.5 } else { a * b[2] * 0.5 });
        let a = a * ((s_2 - b[1]) * 0.5);
        o_1 = Some((s_2 * s_2 * 0.5 - (0.3 * (a)).exp()) * 0.5);
        b.iter().map(|u| u * 0.5).collect::<Vec<f64>>()
    }
    #[differentiable]
    pub fn h1(a: f64, b: f64, mut c: f64) -> (f64, f64) {
        let g_3 = |u_4: f64| (a).cos() / (1.5 + b * b);
        let p_5: Point = Point { x: 0.5 * (g_3(c) + c), y: (g_3(b)).tanh() };
        let (s_6, s_7) = ((1.5 + g_3(a) * g_3(a)).ln() + 0.1 * (p_5.y), (-(b)).sin());
        if c >= -0.6 && 3 < 9 {
            let s_8 = {
                let s_6 = s_6 * (s_6 / (1.5 + a * a));
                1.1 * (s_7)
            };
            let r_9 = [g_3(c) * s_8 * 0.5; 3];
            c += 0.3 * (0.5 * (s_6 * r_9[2] * 0.5));
        }
        ((p_5.y).tanh(), ((0.3 * (s_7)).exp() - c) * 0.5)
    }
    #[differentiable]
    pub fn f(mut a: f64, mut b: f64, x: &[f64], n: usize) -> f64 {
        b = 0.6 * b + 0.3 * (((b - b) * 0.5).powi(2) * 0.2);
        let mut k_10 = 0;
        while k_10 < 2 && (!(n % 2 == 0)) {
            k_10 += 1;
            let b = b * (b * (0.1 * k_10 as f64) * 0.5);
            a *= 0.8 + 0.1 * ((((a).cos() - (b - a) * 0.5) * 0.5).tanh());
        }
        let mut b = b * ((a).abs());
        let r_11: [f64; 3] = [(1.0 + (0.1 * k_10 as f64) * (0.1 * k_10 as f64)).sqrt() - (b), (a).cos(), (x[(n + 1) % x.len()]).cos()];
        b = (0.1 * k_10 as f64) * x[k_10 % x.len()] * 0.5 * (if r_11[1] > 0.5 { b } else { b }) * 0.5;
        b = -((1.2 + (0.1 * k_10 as f64) * (0.1 * k_10 as f64)).powf(0.5 * r_11[2]));
        let mut a = a * ((if r_11[1] <= 0.6 && n < 9 { r_11[2] } else { b }));
        let (s_12, s_13) = (0.4 * (a), (0.5 * ((0.1 * k_10 as f64) + b)).powi(2) * 0.2);
        -((0.1 * k_10 as f64) * r_11[(k_10 + 1) % 3] * 0.5) + 0.8 * b + r_11.iter().sum::<f64>() * 1.0 + 0.7 * a + 0.5 * s_12 + 0.9 * s_13
    }
}

pub mod p078 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64, b: Option<f64>) -> f64 {
        let s_1 = match 0 % 4 {
            0 => {
                let o_2 = Some((a).cos() * a / (1.5 + a * a) * 0.5);
                a
            }
            1 | 2 => {
                let mut v_3: Vec<f64> = vec![(a).sin(), (1.2 + a * a).powf(0.5 * a)];
                (a).tanh()
            }
            _ => {
                if a > -0.3 {
                    let e_4: Choice = Choice::Line { at: (a).powi(3) * 0.2 };
                    let a = a * ((if a < -0.4 { a } else { a }));
                    let mut s_5: f64 = (-(a) - a * a * 0.5) * 0.5;
                } else {
                    let mut r_6: [f64; 3] = [(1.2 + 0.3_f64 * 0.3_f64).powf(0.5 * a); 3];
                    r_6[0] = 0.6 * r_6[0] + 0.3 * (((if r_6[3 % 3] >= 0.5 { a } else { a })).clamp(-0.7, 0.9));
                }
                a
            }
        };
        (s_1 / (1.5 + s_1 * s_1) - (1.2 + s_1 * s_1).powf(0.5 * s_1)) * 0.5
    }
    #[differentiable]
    pub fn f(a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        for (i_7, u_8) in x.iter().skip(1).enumerate() {
            let mut r_12: [f64; 3] = [0.5 * (b + b); 3];
            let g_13 = |u_14: f64| 0.5 * ((*u_8) * (0.1 * i_7 as f64) * 0.5 + (u_14).tanh());
            r_12[0] += 0.3 * (((0.5 * (r_12[i_7 % 3] + r_12[n % 3]) - ((*u_8)).cos()) * 0.5).cos());
        }
        let mut q_15: (f64, f64) = ((b).powi(3) * 0.2, ((b).cos()).sin());
        for (i_16, u_17) in x.iter().enumerate() {
            let s_18 = {
                if !(b > 1.4) {
                    q_15.1 *= 0.8 + 0.1 * (((((*u_17)).max(a) - (q_15.1).abs()) * 0.5).sin());
                    q_15.0 = 0.6 * q_15.0 + 0.3 * (((1.5 + x[i_16 % x.len()] * x[i_16 % x.len()]).ln() + 0.1 * (0.5 * (x[i_16 % x.len()] + b))).cos());
                }
                b * q_15.0 * 0.5
            };
            let mut s_18 = s_18 * (a);
            s_18 += 0.3 * (((q_15.0).tanh()).tanh());
        }
        (1.2 + b * b).powf(0.5 * b) + 0.9 * a + 0.8 * b + q_15.0 * 0.9 - q_15.1
    }
}

pub mod p079 {
    use crate::{Choice, Point};
    use differentiable::prelude::*;
    #[differentiable]
    pub fn h0(a: f64) -> Option<f64> {
        let mut v_1: Vec<f64> = vec![0.9 * (a); 4];
        for u_3 in v_1.iter_mut() {
            *u_3 += 0.3 * ((if 2 > 0 && 1 < 9 { a } else { a })).sin();
        }
        let mut k_4 = 0;
        while k_4 < 1 && (0 > 1) {
            k_4 += 1;
            let k_5 = k_4 % v_1.len();
            v_1[k_5] = 0.6 * v_1[k_5] + 0.3 * (((a).powi(2) * 0.2 * ((0.1 * k_5 as f64) - a) * 0.5 * 0.5).tanh());
            let a = a * ((0.3 * (a)).exp());
            let k_6 = k_5 % v_1.len();
            v_1[k_6] += 0.3 * ((((1.0 + a * a).sqrt() - (a)).max(a)).tanh());
        }
        Some((1.0 + v_1[k_4 % v_1.len()] * v_1[k_4 % v_1.len()]).sqrt() - ((a).cos()))
    }
    #[differentiable]
    pub fn f(mut a: f64, b: f64, x: &[f64], n: usize) -> f64 {
        let mut s_7: f64 = (x[n % x.len()]).powi(2) * 0.2;
        let g_8 = |u_9: f64| 0.5 * ((x[n % x.len()] - x[n % x.len()]) * 0.5 + (x[n % x.len()]).clamp(-0.7, 0.9));
        if b < 0.6 {
            s_7 *= 0.8 + 0.1 * (((1.5 + x[n % x.len()] * x[n % x.len()]).ln() + 0.1 * (s_7)).tanh());
            for (i_10, u_11) in x.iter().enumerate() {
                let mut e_12 = Choice::Nothing;
                s_7 = 0.6 * s_7 + 0.3 * (((1.0 + b * b).sqrt() - (a * a * 0.5)).sin());
            }
            s_7 = (s_7).min(x[n % x.len()]) / (1.5 + b * b);
        }
        let mut p_13 = Point { x: (0.3 * (a)).exp(), y: 0.5 * (g_8(s_7) + x[n % x.len()]) };
        let mut r_14 = [0.3 * x.iter().map(|u| u.tanh()).product::<f64>(), (s_7).sin(), (1.5 + x[(n + 0) % x.len()] * x[(n + 0) % x.len()]).ln() + 0.1 * (s_7)];
        let mut s_7 = s_7 * ((1.2 + s_7 * s_7).powf(0.5 * r_14[n % 3]));
        (b * r_14[0] * 0.5).max(r_14[1]) + 0.3 * a + 0.6 * b + p_13.x * 0.9 - p_13.y + r_14.iter().sum::<f64>() * 1.0 + 0.6 * s_7
    }
}
