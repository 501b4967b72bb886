//! Chains whose items may be missing: `filter_map`, `map_while`, `try_fold`, `collect` into an `Option` or a `Result`.

use crate::check;
use differentiable::prelude::*;

mod left_out {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let a: f64 = w
            .iter()
            .filter_map(|v| if *v > 0.3 { Some(v.ln() * x) } else { None })
            .sum();
        let b: Vec<f64> = w
            .iter()
            .enumerate()
            .filter_map(|(i, &v)| (i != 1).then(|| v * v))
            .collect();
        let c: f64 = w
            .iter()
            .map_while(|&v| {
                if v > 0.6 {
                    return None;
                }
                let z = v * x;
                Some(z.sin())
            })
            .sum();
        let d = w.iter().find_map(|v| (*v > 0.3).then(|| v * x)).unwrap();
        let e = w.iter().find(|v| **v > 0.3).unwrap();
        a * b[1]
            + 2.0
                * w.iter()
                    .take_while(|v| **v < 0.5)
                    .map(|v| v * x)
                    .sum::<f64>()
                * c
            + d * e
    }
    #[test]
    fn items() {
        check::<f, _>(&(1.3, vec![0.2, 0.4, 0.7]));
    }
}

mod tried {
    use super::*;

    #[differentiable]
    fn root(x: f64) -> Result<f64, String> {
        if x < 0.0 {
            return Err(format!("the root of {x}"));
        }
        Ok(x.sqrt())
    }

    #[differentiable]
    fn roots(w: &[f64]) -> Result<Vec<f64>, String> {
        w.iter().map(|&v| root(v)).collect()
    }

    #[differentiable]
    fn steps(x: f64, w: &[f64]) -> Result<f64, String> {
        let all = roots(w)?;
        let folded: Result<f64, String> = w.iter().try_fold(1.0, |a, &v| Ok(a * x + root(a * v)?));
        let summed: Result<f64, String> = all.iter().map(|v| root(v * x)).sum();
        let mut longest = 0.0;
        w.iter().try_for_each(|v| {
            if *v < -5.0 {
                return Err("too small".to_string());
            }
            longest += v * v;
            Ok(())
        })?;
        Ok(folded? * summed? + all[0] * longest)
    }

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let good = match steps(x, w) {
            Ok(v) => v,
            Err(_) => 0.0,
        };
        let bad = steps(x, &[x, -x]).unwrap_or(x);
        let some = w
            .iter()
            .map(|v| (*v > 0.0).then(|| v * x))
            .collect::<Option<Vec<_>>>();
        let none: Option<f64> = w.iter().map(|v| (*v > 0.3).then_some(*v)).product();
        good * bad + some.unwrap()[1] + none.unwrap_or(x)
    }
    #[test]
    fn options_and_results() {
        assert!(roots(&[0.3, -1.0]).is_err());
        check::<f, _>(&(1.3, vec![0.2, 0.4, 0.7]));
    }
}

mod ended {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let a: f64 = w
            .iter()
            .scan(1.0, |s, v| {
                *s *= 1.0 + v * x;
                if *s > 2.5 { None } else { Some(*s) }
            })
            .sum();
        let mut b = 0.0;
        for v in w.chunks(2).flat_map(|c| c.iter()) {
            if *v > 0.5 {
                break;
            }
            b += v * x;
        }
        let c: f64 = w
            .chunks(2)
            .flat_map(|c| c.iter().map(|v| v * x))
            .take_while(|v| *v < 0.6)
            .sum();
        a * b * c
    }
    #[test]
    fn before_their_source() {
        check::<f, _>(&(1.3, vec![0.2, 0.4, 0.7]));
    }
}

mod names {
    use super::*;

    #[differentiable]
    fn f(a: f64, x: &[f64]) -> f64 {
        let p: f64 = x.iter().map(|a| a * 2.0).map(|b| b * a).sum();
        let q = x.iter().map(|a| a * a).fold(0.0, |s, b| s + b * a);
        let r: f64 = x
            .iter()
            .flat_map(|a| x.iter().map(move |c| c * a))
            .map(|v| v * a)
            .sum();
        let mut s = 0.0;
        for v in x.iter().map(|a| a.sin()) {
            s += v * a;
        }
        let t: f64 = x
            .iter()
            .map(|a| a * 3.0)
            .zip(x.iter().map(|b| b * a))
            .map(|(p, q)| p * q)
            .sum();
        p * q + r * s + t
    }
    #[test]
    fn parameters_hide_nothing() {
        check::<f, _>(&(1.3, vec![0.2, 0.4, 0.7]));
    }
}
