//! Constants of types that know nothing of derivatives: parameters, locals, captures, receivers.
//!
//! In each module `f` is what is checked; it makes the constants and passes them on.

#![allow(dead_code, reason = "constants have fields of every kind")]

use crate::check;
use differentiable::ad::Inert;
use differentiable::prelude::*;
use std::collections::{BTreeMap, HashMap};

fn x() -> Vec<f64> {
    vec![0.31, 0.42, -0.55, 0.83]
}

each! { structs values tables methods captured programs generic calls maps wrapped }

mod structs {
    use super::*;

    #[derive(Clone)]
    struct Config {
        gain: f64,
        steps: usize,
        mode: Mode,
        name: String,
    }
    #[derive(Clone)]
    enum Mode {
        Fast,
        Slow { by: f64 },
    }
    #[differentiable]
    fn g(x: &[f64], #[constant] c: &Config) -> f64 {
        let mut s = 0.0;
        for i in 0..c.steps {
            s += c.gain * x[i] * x[i];
        }
        match &c.mode {
            Mode::Fast => s * 2.0,
            Mode::Slow { by } => s * *by * x[0],
        }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let c = Config {
            gain: 1.5,
            steps: 3,
            mode: Mode::Slow { by: 0.5 },
            name: "a".into(),
        };
        let d = Config {
            gain: 1.5,
            steps: 3,
            mode: Mode::Fast,
            name: "a".into(),
        };
        g(x, &c) + g(x, &d)
    }
}

mod values {
    use super::*;

    #[derive(Clone)]
    struct Config {
        gain: f64,
        table: BTreeMap<String, f64>,
    }
    fn config() -> Config {
        Config {
            gain: 2.0,
            table: BTreeMap::from([("a".to_string(), 0.7)]),
        }
    }
    #[differentiable]
    fn g(x: f64, #[constant] c: Config) -> f64 {
        let k = c.gain;
        let t = c.table["a"];
        x * x * k + t * x.sin()
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let c = config();
        let mut s = 0.0;
        for v in x {
            s += g(*v, c.clone()) * c.gain;
        }
        let mut i = 0;
        while i < 2 {
            s *= (0.1 * g(s.sin(), config())).cos();
            i += 1;
        }
        s + g(x[0], c)
    }
}

mod tables {
    use super::*;

    #[differentiable]
    fn g(x: &[f64], #[constant] t: &[(f64, usize)], #[constant] n: &[(String, f64)]) -> f64 {
        let mut s = 0.0;
        for (w, i) in t {
            s += w * x[*i] * x[*i];
        }
        for (name, w) in n {
            if name == "b" {
                s *= w * x[1];
            }
        }
        for k in 0..t.len() {
            s += t[k].0 * x[t[k].1].exp();
        }
        t.iter().map(|&(w, i)| w * x[i].sin()).sum::<f64>() + s
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let t = [(0.5, 1usize), (0.25, 3)];
        let t2 = vec![(0.5, 1usize), (0.25, 3)];
        g(x, &t, &[("a".to_string(), 1.0), ("b".to_string(), 2.0)])
            + g(x, &t2, &[])
            + g(x, &t2[1..], &[("b".to_string(), 3.0)])
    }
}

mod methods {
    use super::*;

    #[derive(Clone)]
    struct Model {
        a: f64,
        layers: Vec<(String, usize)>,
    }
    #[differentiable]
    impl Model {
        fn run(#[constant] &self, x: f64) -> f64 {
            self.a * x.sin() + self.layers[0].1 as f64 * x
        }
        fn twice(#[constant] &self, x: &[f64]) -> f64 {
            let y = self.run(x[0]);
            self.run(y) * x[1]
        }
    }
    #[differentiable]
    fn h(x: &[f64], #[constant] m: &Model) -> f64 {
        m.run(x[0] * x[1]) + m.twice(x)
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let m = Model {
            a: 0.5,
            layers: vec![("x".to_string(), 3)],
        };
        let mut s = m.run(x[0]);
        for i in 0..3 {
            s += m.run(s * x[i]);
        }
        s + h(x, &m)
    }
}

mod captured {
    use super::*;

    #[derive(Clone)]
    struct Config {
        gain: f64,
        v: Vec<f64>,
    }
    #[differentiable]
    fn apply(k: impl Fn(f64) -> f64, x: f64) -> f64 {
        k(x) * k(x * 2.0)
    }
    #[differentiable]
    fn g(x: &[f64], #[constant] c: &Config) -> f64 {
        let local = |t: f64| t * c.gain + x[1] * c.v[0];
        let s = local(x[0]);
        x.iter().map(|v| v * c.gain).sum::<f64>() + s + apply(|t| t.sin() * c.gain * x[2], x[0])
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let c = Config {
            gain: 0.7,
            v: vec![0.3],
        };
        let mut out = vec![0.0; 4];
        for i in 0..4 {
            out[i] = c.gain * x[i];
        }
        g(x, &c) + g(&out, &c)
    }
}

mod programs {
    use super::*;

    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        A,
        B,
    }
    #[derive(Clone)]
    struct Op {
        kind: Kind,
        arg: usize,
    }
    static OPS: [(f64, usize); 2] = [(0.5, 0), (0.25, 2)];
    const NAMES: &[(&str, f64)] = &[("a", 0.5), ("b", 1.5)];
    #[differentiable]
    fn eval(ops: &[f64], #[constant] prog: &Vec<Op>) -> f64 {
        let mut s = ops[0];
        for op in prog {
            match op.kind {
                Kind::A => s += ops[op.arg],
                Kind::B => s *= ops[op.arg],
            }
        }
        s
    }
    #[differentiable]
    fn one(x: f64, #[constant] k: Kind) -> f64 {
        if k == Kind::A { x * x } else { x.exp() }
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let prog = vec![
            Op {
                kind: Kind::A,
                arg: 1,
            },
            Op {
                kind: Kind::B,
                arg: 2,
            },
        ];
        let mut s = eval(x, &prog) + one(x[0], Kind::A) + one(x[1], Kind::B);
        for (w, i) in &OPS {
            s += w * x[*i] * s;
        }
        for (_, w) in NAMES {
            s = s * w + x[3];
        }
        for op in &prog {
            s += one(x[op.arg], op.kind);
        }
        let k = prog[1].kind;
        s + one(s, k)
    }
}

mod generic {
    use super::*;

    trait Profile {
        fn at(&self, t: usize) -> f64;
    }
    #[derive(Clone)]
    struct P(f64);
    impl Profile for P {
        fn at(&self, t: usize) -> f64 {
            self.0 * t as f64
        }
    }
    #[differentiable]
    fn g<T: Profile>(x: &[f64], #[constant] p: &T) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            let w = p.at(i);
            s += w * x[i] * x[i];
        }
        s
    }
    #[differentiable]
    fn h(x: &[f64], #[constant] p: &Box<dyn Profile>) -> f64 {
        p.at(2) * x[0] * x[1]
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let p = P(2.0);
        g(x, &p)
    }
}

mod calls {
    use super::*;

    #[derive(Clone)]
    struct Config {
        gain: f64,
        steps: usize,
    }
    #[differentiable]
    fn rec(x: f64, n: usize, #[constant] c: &Config) -> f64 {
        if n == 0 {
            x
        } else {
            rec(x * c.gain + x.sin(), n - 1, c)
        }
    }
    #[differentiable]
    fn step(s: &mut Vec<f64>, x: f64, #[constant] c: &Config) {
        for i in 0..c.steps {
            s[i] = s[i] * c.gain + x * s[i];
        }
    }
    #[differentiable]
    fn early(x: &[f64], #[constant] c: &Option<Config>) -> f64 {
        let Some(c) = c else {
            return x[0] * x[0];
        };
        if c.gain > 10.0 {
            return x[1];
        }
        c.gain * x[2] * x[2]
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let c = Config {
            gain: 0.9,
            steps: 4,
        };
        let mut s = x.to_vec();
        #[checkpoint]
        for _ in 0..5 {
            step(&mut s, x[0], &c);
        }
        let n = c.steps;
        let o = Some(Config {
            gain: 2.0,
            steps: 1,
        });
        s[0] * s[1] + rec(x[3], n, &c) + early(x, &None) + early(x, &o)
    }
}

mod maps {
    use super::*;

    #[differentiable]
    fn g(x: &[f64], #[constant] m: &HashMap<String, Vec<u8>>) -> f64 {
        x[m["a"][0] as usize] * x[0]
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let m = no_grad!(HashMap::from([("a".to_string(), vec![1u8])]));
        g(x, &m) + g(x, &m) * g(x, &m)
    }
}

/// What has to have a type that is `Differentiable` gets one.
mod wrapped {
    use super::*;

    #[derive(Clone)]
    struct Table(Vec<(String, f64)>);
    #[differentiable]
    fn g<T: Differentiable + Clone + std::ops::Deref<Target = Table>>(
        x: f64,
        #[constant] t: &T,
    ) -> f64 {
        let mut sum = 0.0;
        for (name, w) in &t.0 {
            if name == "a" {
                sum += w * x * x;
            }
        }
        sum
    }
    #[differentiable]
    fn h(x: &[f64], #[constant] t: &Inert<Table>) -> f64 {
        g(x[0], t) * x[1]
    }
    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let t = Inert(Table(vec![("a".into(), 2.0), ("b".into(), 3.0)]));
        g(x[1], &t) + h(x, &t)
    }
    #[test]
    fn an_argument_of_check_grads() {
        check::<h, _>(&(x(), Inert(Table(vec![("a".into(), 2.0)]))));
    }
}

/// A constant of a type that also has a gradient: rustc 1.95 stopped with an internal error when it optimised the
/// function's trait, while that had a bound on the type itself.
#[test]
fn of_the_type_of_another_argument() {
    #[derive(Clone, Differentiable)]
    struct Layer {
        weight: Tensor![f64; 8, 8],
        scale: f64,
    }
    #[differentiable]
    fn apart(layer: &Layer, #[constant] from: &Layer, #[constant] x: &Tensor![f64; 4, 8]) -> f64 {
        let y = x.matmul(&layer.weight).matmul(&from.weight);
        layer.scale * from.scale * y.sum().item()
    }
    let layer = |seed, scale| Layer {
        weight: Tensor::randn(seed),
        scale,
    };
    let (a, b, x) = (layer(1, 2.0), layer(2, -1.5), Tensor::randn(3));
    let y = x.matmul(&a.weight).matmul(&b.weight).sum().item();
    let (by_layer, by_from, by_x) = <apart as DifferentiableFn<_>>::vjp(&(a, b, x), 1.0);
    assert!((by_layer.scale + 1.5 * y).abs() < 1e-12);
    assert_eq!(by_from.scale, 0.0);
    assert_eq!(by_x, Tensor::zeros());
}
