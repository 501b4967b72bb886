//! What only types tell: `map` of fields, of what functions give, and of parts of patterns.

use crate::check;
use differentiable::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Body {
    position: [f64; 3],
    limit: Option<f64>,
    tested: Result<f64, String>,
    #[constant]
    cap: Option<f64>,
    rows: [[f64; 2]; 2],
}

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn spread(x: f64) -> [f64; 3] {
    [x, x * x, x.sin()]
}

#[differentiable]
fn fields(b: &Body, k: f64) -> f64 {
    let a = b.position.map(|v| v * k).map(square);
    let l = b.limit.map(|v| v * v * k);
    let t = b.tested.clone().map(|v| v * k);
    let sums = b.rows.map(|r| r.iter().sum::<f64>() * k);
    a[0] * a[1] + l.unwrap_or(k) + t.unwrap_or(1.0) * sums[0] + b.cap.map(|c| c * k).unwrap_or(k)
}

#[differentiable]
fn branches(b: &Body, k: f64) -> f64 {
    let o = if k > 0.0 { Some(k) } else { None };
    let y = match b {
        Body { limit, rows, .. } => limit.map(|v| v + k).unwrap_or(0.5) * rows[1].map(f64::exp)[0],
    };
    let z = spread(k).map(|v| v * k);
    let f = |v: f64| if v > 0.2 { v } else { 2.0 } * k;
    y + z[1] * z[2] + o.map(|v| v * v).unwrap_or(0.0) + f(k) * f(0.1)
}

#[test]
fn maps() {
    let b = Body {
        position: [0.3, 0.7, -1.1],
        limit: Some(0.4),
        tested: Ok(0.7),
        cap: Some(0.3),
        rows: [[0.1, 0.2], [0.3, 0.4]],
    };
    let none = Body {
        limit: None,
        tested: Err("untested".into()),
        cap: None,
        ..b.clone()
    };
    for b in [b, none] {
        check::<fields, _>(&(b.clone(), 0.8));
        check::<branches, _>(&(b, 0.8));
    }
}

#[differentiable]
fn path(k: f64, n: usize) -> Vec<[f64; 2]> {
    (0..n)
        .map(|i| [k * i as f64, (k + i as f64).sin()])
        .collect()
}

#[differentiable]
fn items_of_calls(k: f64, [a, b]: [f64; 2]) -> f64 {
    let tip = *path(k, 3).last().unwrap();
    let all = |c: &[f64]| c.iter().map(|c| c * k).sum::<f64>();
    let d = if let Some(p) = path(b, 4).get(2) {
        p[0] * p[1]
    } else {
        0.0
    };
    let top = tip.iter().cloned().fold(0.0, f64::max);
    tip[0] * tip[1] + path(a, 2).first().unwrap()[1] + d + top + all(&[k, a])
}

#[differentiable]
fn doubled(v: &[f64]) -> Vec<f64> {
    v.iter().map(|v| 2.0 * v).collect()
}

#[differentiable]
fn apart(a: &f64, b: &f64) -> f64 {
    (a - b) * a
}

/// Calls keep their turn among the effects of a statement.
#[differentiable]
fn after_a_change(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = v.pop().unwrap() * 3.0 + *doubled(&v).last().unwrap();
    s += v.pop().unwrap() * doubled(&v).last().copied().unwrap();
    s += apart(
        doubled(&v).first().unwrap(),
        doubled(&x[1..]).get(v.len()).unwrap(),
    );
    let mut i = 0;
    while i < 3 && *doubled(&v[i..]).first().unwrap() > 0.0 {
        i += 1;
        s += doubled(&v).get(i).copied().unwrap_or(0.5) * v[0];
    }
    s
}

#[differentiable]
fn owned(x: &[f64], a: &[f64; 2]) -> f64 {
    let (mut y, mut b) = (x.to_owned(), a.to_owned());
    y.push(x[0]);
    b[1] += y[0];
    y.iter().sum::<f64>() * b[1] * b[0] + x[1..].to_owned()[0]
}

#[test]
fn items_of_what_calls_give() {
    check::<owned, _>(&(vec![0.3, 0.2], [0.4, 0.5]));
    check::<items_of_calls, _>(&(0.7, [0.3, 0.8]));
    let x = [0.5, 0.7, 1.1, 1.3, 1.7];
    assert_eq!(after_a_change::value_and_grad(&x).0, after_a_change(&x));
    check::<after_a_change, _>(&(x.to_vec(),));
}

#[derive(Clone, Debug, Differentiable)]
enum Term {
    Variable(usize),
    Call(String, Vec<Term>),
}

#[differentiable]
impl Term {
    fn value(&self, x: &[f64]) -> Result<f64, String> {
        Ok(match self {
            Term::Variable(i) => *x.get(*i).ok_or_else(|| format!("no variable {i}"))?,
            Term::Call(name, args) => {
                let args = args
                    .iter()
                    .map(|a| a.value(x))
                    .collect::<Result<Vec<_>, _>>()?;
                match (name.as_str(), args.as_slice()) {
                    ("sin", [a]) => a.sin(),
                    ("mul", [a, b]) => a * b,
                    _ => return Err(format!("unknown {name}")),
                }
            }
        })
    }
}

#[differentiable]
fn term(t: &Term, x: &[f64]) -> f64 {
    t.value(x).unwrap_or(-1.0)
}

#[test]
fn texts_that_name_parts() {
    let sin = Term::Call("sin".into(), vec![Term::Variable(0)]);
    let t = Term::Call("mul".into(), vec![sin, Term::Variable(1)]);
    check::<term, _>(&(t.clone(), vec![0.4, 0.7]));
    check::<term, _>(&(t, vec![0.4]));
}
