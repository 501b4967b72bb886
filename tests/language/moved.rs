//! Values that a method takes and gives back in another shape, and values that get theirs late.

use crate::check;
use differentiable::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct List {
    v: Vec<f64>,
}
#[differentiable]
impl List {
    fn with(self, x: f64) -> List {
        let mut v = self.v;
        v.push(x);
        List { v }
    }
    fn also(&self, x: f64) -> List {
        let mut v = self.v.clone();
        v.push(x);
        List { v }
    }
    fn step(&mut self, x: f64) -> List {
        self.v.push(x);
        List {
            v: vec![x * self.v[0]; self.v.len() + 1],
        }
    }
    fn looped(x: f64) -> f64 {
        let mut b = List { v: vec![x] };
        for _ in 0..3 {
            b = b.step(x);
            b = b.with(x * x);
        }
        b.v[0] * b.v[1] * b.v[4]
    }
}

#[differentiable]
fn by_methods(x: f64) -> f64 {
    let mut l = List { v: vec![] };
    for i in 0..4 {
        l = l.with(x * i as f64);
        l = l.also(x).with(2.0);
    }
    let mut b = List { v: vec![x] };
    for _ in 0..2 {
        b = (&mut b).step(x);
    }
    b.v[0] * b.v[1] * l.v.iter().map(|v| v * v).sum::<f64>() + List::looped(x)
}

#[derive(Clone, Debug, Differentiable)]
struct Holder {
    list: List,
    k: f64,
}
#[differentiable]
fn in_a_field(x: f64) -> f64 {
    let mut s = Holder {
        list: List { v: vec![] },
        k: x,
    };
    for _ in 0..4 {
        s.list = s.list.with(x * s.k);
        s.k *= x;
    }
    s.list.v.iter().map(|v| v * v).sum()
}

#[derive(Clone, Debug, Differentiable)]
enum Formula {
    Leaf(f64),
    Minus(Box<Formula>),
}
#[differentiable]
impl Formula {
    fn minus(self) -> Formula {
        Formula::Minus(Box::new(self))
    }
    fn value(&self) -> f64 {
        match self {
            Formula::Leaf(x) => *x,
            Formula::Minus(e) => -1.5 * e.value(),
        }
    }
}
#[differentiable]
fn wrapped(x: f64) -> f64 {
    let mut e = Formula::Leaf(x);
    for _ in 0..3 {
        e = e.minus();
    }
    e.value() * x
}

#[differentiable]
fn grow(v: &mut Vec<f64>, x: f64) -> Vec<f64> {
    v.push(x);
    let mut w = v.clone();
    w.push(x * x);
    w.push(v[0]);
    w
}
#[differentiable]
fn by_a_call(x: f64) -> f64 {
    let mut v = vec![x];
    for _ in 0..3 {
        let k = x * v[v.len() - 1];
        v = grow(&mut v, k);
    }
    v.iter().map(|v| v * v).sum()
}

#[differentiable]
fn late(x: f64) -> f64 {
    let y: f64;
    let z: f64;
    if x > 0.0 {
        y = x * 2.0;
        z = y * y;
    } else {
        y = x;
        z = x;
    }
    let mut w;
    if x > 0.0 {
        w = x * y;
        w += x;
        w *= w;
    } else {
        w = x;
    }
    for _ in 0..2 {
        w = w * x;
    }
    let u;
    loop {
        u = w * w;
        let q = u * u;
        if q > 0.0 {
            w = q;
        }
        break;
    }
    y * z * w * u
}

#[differentiable]
fn doublings(x: f64) -> usize {
    let (mut n, mut y) = (0, x);
    while y < 10.0 {
        y *= 2.0;
        n += 1;
    }
    n
}
#[differentiable]
fn counted(x: f64) -> f64 {
    let mut k = 0usize;
    for i in 1..4 {
        k += doublings(x * i as f64);
    }
    k = doublings(k as f64 * x);
    let mut seen = vec![];
    let mut push = |v: f64| -> usize {
        seen.push(v);
        seen.len()
    };
    for i in 0..3 {
        k += push(x * i as f64);
    }
    k as f64 * seen.iter().map(|v| v * v).sum::<f64>()
}

#[test]
fn taken_and_given_back() {
    check::<by_methods, _>(&(0.7,));
    check::<in_a_field, _>(&(0.7,));
    check::<wrapped, _>(&(0.7,));
    check::<by_a_call, _>(&(0.7,));
}

#[test]
fn late_values_used_at_once() {
    check::<late, _>(&(0.7,));
}

#[test]
fn integers_counted_by_a_call() {
    check::<counted, _>(&(0.7,));
}

#[derive(Clone, Debug, Differentiable)]
struct Layered {
    s: f64,
    n: usize,
    o: Option<f64>,
    #[constant]
    name: String,
    v: Vec<f64>,
}
#[differentiable]
fn updated(x: f64, m: usize) -> f64 {
    let mut b = Layered {
        s: x,
        n: 0,
        o: None,
        name: "a".into(),
        v: vec![x; m],
    };
    for i in 0..3 {
        b = Layered {
            n: i,
            o: if i == 1 { Some(x * b.s) } else { None },
            name: "b".into(),
            v: vec![b.s; i],
            ..b
        };
        let k = Layered {
            v: vec![2.0],
            o: Some(1.5),
            ..b.clone()
        };
        b = Layered {
            s: b.s * x + b.o.unwrap_or(0.3) * k.v[0] * k.s,
            ..b
        };
    }
    b.s * b.v[1] + b.n as f64
}

#[differentiable]
fn from_itself(x: f64, n: usize) -> f64 {
    let mut v = vec![x];
    v = vec![v[0] * x, x];
    for i in 0..n {
        v = vec![v[i] * x * v[0]; v.len() + 1];
    }
    let mut m = vec![vec![x], vec![x * x]];
    m[0] = vec![m[0][0] * x; 2];
    let folded = v.iter().fold(vec![], |mut w, a| {
        w.push(a * 2.0);
        w
    });
    v[1] * v[0] * m[0][1] * m[1][0] * folded[0] * folded[1]
}

#[derive(Clone, Debug, Differentiable)]
enum Layer {
    Scale(f64),
    Dense(Vec<Vec<f64>>),
}
#[differentiable]
fn network(layers: &[Layer], x: &[f64]) -> f64 {
    let mut h = x.to_vec();
    for l in layers {
        h = match l {
            Layer::Scale(k) => h.iter().map(|v| v * k).collect(),
            Layer::Dense(w) => w
                .iter()
                .map(|r| r.iter().zip(&h).map(|(p, q)| p * q).sum::<f64>())
                .collect(),
        };
    }
    h.iter().sum()
}

#[derive(Clone, Debug, Differentiable)]
enum Phase {
    Rise(f64),
    Fall(f64),
}
#[differentiable]
impl Phase {
    fn next(&self, x: f64) -> Phase {
        match self {
            Phase::Rise(v) => Phase::Fall(v * x),
            Phase::Fall(v) => Phase::Rise(*v),
        }
    }
}
#[differentiable]
fn phases(x: f64) -> f64 {
    let mut all = [Phase::Rise(x), Phase::Fall(x * x)];
    for p in all.iter_mut() {
        *p = p.next(x);
    }
    all[0] = all[0].next(x * 2.0);
    let mut e = Some(x);
    let mut s = match &e {
        Some(v) => *v,
        None => 1.0,
    };
    e = None;
    let mut p = Phase::Rise(x);
    for _ in 0..4 {
        s += match &p {
            Phase::Rise(v) => *v,
            Phase::Fall(v) => v * v,
        };
        p = p.next(x);
    }
    match &all[0] {
        Phase::Rise(v) => *v + s + e.unwrap_or(x),
        Phase::Fall(v) => v * v * s + e.unwrap_or(x),
    }
}

#[test]
fn made_of_their_old_values() {
    check::<updated, _>(&(0.7, 0));
    check::<updated, _>(&(0.7, 3));
    check::<from_itself, _>(&(0.7, 2));
    let layers = vec![
        Layer::Dense(vec![vec![0.3, 0.2]]),
        Layer::Scale(0.7),
        Layer::Dense(vec![vec![0.5], vec![1.5], vec![-0.4]]),
    ];
    check::<network, _>(&(layers, vec![0.5, 0.9]));
    check::<phases, _>(&(0.7,));
}
