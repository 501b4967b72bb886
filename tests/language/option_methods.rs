//! Methods of `Option` and `Result` with closures.

use crate::check;
use differentiable::prelude::*;

mod options {
    use super::*;

    #[differentiable]
    fn f(o: Option<f64>, x: f64, w: &[f64]) -> f64 {
        let a = o.map(|v| v * x).unwrap_or(0.5 * x);
        let b = o.map_or(x, |v| v.sin() * x);
        let c = o.map_or_else(|| x * x, |v: f64| v + x);
        let d = o
            .and_then(|v| if v > 0.0 { Some(v * x) } else { None })
            .unwrap_or_else(|| x.sin());
        let e = w.get(5).map(|v| v * x).unwrap_or(x * 3.0)
            + w.first().map_or(0.0, |v| *v * x)
            + w.last().copied().map_or(1.0, |v| v.cos());
        let g =
            o.filter(|v| *v > 10.0).map_or(x, |v| v) + o.filter(|&v| v > 0.1).unwrap_or_default();
        let h = o.zip(Some(x)).map(|(p, q)| p * q).unwrap_or_default();
        let mut t = Some(x * x);
        let tt = t.take();
        let u = if t.is_none() && tt.is_some_and(|v| v > 0.0) {
            tt.unwrap()
        } else {
            0.0
        };
        let mut s = Some(x);
        let old = s.replace(x * x * x);
        let k = s.as_ref().map(|v| v * 2.0).unwrap_or(1.0) * old.unwrap();
        let l = *s.as_ref().unwrap() + s.as_ref().copied().unwrap_or(0.0);
        if let Some(z) = s.as_mut() {
            *z *= x;
        }
        let m = s.or(o).unwrap() + o.or_else(|| Some(x)).unwrap();
        a + b * c + d * e + g * h + u * k + l * m
    }
    #[test]
    fn of_options() {
        check::<f, _>(&(Some(0.4), 1.3, vec![0.2, 0.7]));
        check::<f, _>(&(None, 1.3, vec![0.2, 0.7]));
    }
}

mod results {
    use super::*;

    #[differentiable]
    fn safe(x: f64) -> Result<f64, String> {
        if x > 0.0 {
            Ok(x.ln())
        } else {
            Err(format!("no"))
        }
    }
    #[differentiable]
    fn g(x: f64, y: f64) -> Result<f64, usize> {
        let a = safe(x).map_err(|e| e.len())?;
        let b = safe(y).map_err(|e| e.len());
        let c = Some(x).filter(|v| *v < 5.0).ok_or(7usize)?;
        let d: Result<f64, usize> = Some(x * y).ok_or_else(|| 8usize);
        Ok(a * b.unwrap_or_else(|_| 0.3 * y) * c * d?)
    }
    #[differentiable]
    fn f(x: f64, y: f64) -> f64 {
        let r: Result<f64, usize> = g(x, y);
        let s: Result<f64, usize> = r
            .map(|v| v * x)
            .and_then(|v| if v > 100.0 { Err(3) } else { Ok(v + y) });
        let p = s.map_or(x, |v| v * v);
        let q = safe(y).ok().map(|v| v * x).unwrap_or(x * x);
        let z = safe(x).unwrap_or_else(|e| e.len() as f64 * x)
            + safe(y).map_or_else(|e| x * e.len() as f64, |v| v * x)
            + safe(y).unwrap_or_default();
        p + q * z + safe(y).or_else(|_| safe(x)).unwrap_or(0.0)
    }
    #[test]
    fn of_results() {
        check::<f, _>(&(1.4, 1.3));
        check::<f, _>(&(1.4, -1.3));
        check::<f, _>(&(-1.4, 1.3));
    }
}

mod taken {
    use super::*;

    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut o = Some(x * x);
        let a = o.take();
        let b = if o.is_none() { 2.0 } else { 3.0 };
        match a {
            Some(v) => v * b * x,
            None => 0.0,
        }
    }
    #[test]
    fn an_option_is_taken() {
        check::<f, _>(&(1.3,));
    }
}
