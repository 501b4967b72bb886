//! Calls that change an active value and whose result is a condition or a number.

use crate::check;
use differentiable::prelude::*;

#[differentiable]
fn scale(a: &mut [f64]) -> Result<(), usize> {
    if a[0] < 0.0 {
        return Err(0);
    }
    for i in 0..a.len() {
        a[i] = a[i] * a[i];
    }
    Ok(())
}
#[differentiable]
fn scale_flag(a: &mut [f64]) -> bool {
    for i in 0..a.len() {
        a[i] = a[i] * a[i];
    }
    a[0] > 0.0
}
#[differentiable]
fn f(x: f64) -> f64 {
    let mut k = vec![x, 2.0];
    if scale(&mut k).is_err() {
        return 1e10;
    }
    k[0] + k[1]
}
#[differentiable]
fn g(x: f64) -> f64 {
    let mut k = vec![x, 2.0];
    if !scale_flag(&mut k) {
        return 1e10;
    }
    k[0] + k[1]
}
#[differentiable]
fn h(x: f64) -> f64 {
    let mut k = vec![x, 2.0];
    let ok = scale(&mut k).is_ok();
    if ok { k[0] + k[1] } else { 0.0 }
}
#[differentiable]
fn h2(x: f64) -> f64 {
    let mut k = vec![x, 2.0];
    match scale(&mut k) {
        Ok(()) => k[0] + k[1],
        Err(_) => 0.0,
    }
}
#[differentiable]
fn h5(x: f64) -> f64 {
    let mut k = vec![x, 2.0];
    let mut n = 0;
    while scale_flag(&mut k) && n < 2 {
        n += 1;
    }
    k[0]
}
#[differentiable]
fn h4(x: f64) -> f64 {
    let mut k = vec![x, 2.0];
    assert!(scale_flag(&mut k), "wrong {}", k[0]);
    k[0]
}
#[differentiable]
fn bump(s: &mut f64) -> f64 {
    *s = *s * 2.0;
    *s
}
#[differentiable]
fn order(x: f64) -> f64 {
    let mut s = x;
    let a = s * bump(&mut s);
    if s > bump(&mut s) {
        return 0.0;
    }
    let ok = x < 100.0 && bump(&mut s) > 1.0 || bump(&mut s) > 7.0;
    let n = (bump(&mut s) > 3.0) as usize + 1;
    let v = [x, x * x, 1.0];
    a + s + v[(bump(&mut s) > 0.0) as usize] * n as f64 + if ok { s * s } else { 0.0 }
}
#[derive(Clone, Debug, Differentiable)]
struct St {
    a: f64,
    n: usize,
}
#[differentiable]
impl St {
    fn advance(&mut self) -> bool {
        self.a = self.a * 1.5;
        self.n += 1;
        self.n < 4
    }
    fn run(&mut self) -> f64 {
        while self.advance() {
            self.a += 1.0;
        }
        if self.advance() || self.advance() {
            self.a
        } else {
            self.a * 3.0
        }
    }
    fn through(&mut self, k: &mut [f64]) -> f64 {
        if scale_flag(k) && self.advance() {
            k[0] * self.a
        } else {
            0.0
        }
    }
}
#[differentiable]
fn st(a: f64) -> f64 {
    let mut s = St { a, n: 0 };
    let mut k = [a, 2.0];
    let r = s.run();
    r + s.a
        + s.through(&mut k)
        + match scale_flag(&mut k) {
            true => k[0],
            false => 0.0,
        }
        + s.n as f64
}

#[differentiable]
fn added(x: f64, w: &[f64]) -> f64 {
    let (mut s, mut total, mut count) = (x, 0.0, 0);
    let mut v = vec![0.0; 3];
    for i in 0..3 {
        total += bump(&mut s) * w[i];
        total -= w[(bump(&mut s) > 1e9) as usize];
        v[i] = bump(&mut s);
        v[(bump(&mut s) > 1e9) as usize] *= s;
        count += (bump(&mut s) > 0.0) as usize;
    }
    total + v[0] * v[1] + s * count as f64
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Phase {
    Runs,
    Ends(usize),
}
#[differentiable]
impl St {
    fn phase(&mut self) -> Phase {
        match self.advance() {
            true => Phase::Runs,
            false => Phase::Ends(self.n),
        }
    }
    fn in_macros(&mut self, k: &mut [f64]) -> f64 {
        assert!(matches!(self.phase(), Phase::Runs | Phase::Ends(_)));
        assert!(matches!(scale(k), Ok(())), "{}", k[0]);
        println!("{} {flag}", bump(&mut self.a), flag = scale_flag(k));
        while matches!(self.phase(), Phase::Runs if k[0] > 0.0) {
            debug_assert_eq!(scale(k), Ok(()));
        }
        k[0] * k[1] + self.a
    }
}
#[differentiable]
fn in_macros(a: f64) -> f64 {
    let mut s = St { a, n: 0 };
    let mut k = [a * 0.9, 1.1];
    s.in_macros(&mut k)
}

#[test]
fn effects() {
    check::<in_macros, _>(&(0.9,));
    check::<added, _>(&(0.3, vec![0.4, 0.2, 1.3]));
    check::<f, _>(&(3.0,));
    check::<g, _>(&(3.0,));
    check::<h, _>(&(3.0,));
    check::<h2, _>(&(3.0,));
    check::<h4, _>(&(1.1,));
    check::<h5, _>(&(1.1,));
    check::<order, _>(&(0.7,));
    check::<st, _>(&(0.7,));
}
