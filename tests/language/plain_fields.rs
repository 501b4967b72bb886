//! Constant fields of types that know nothing of derivatives, in structs that have one.

use crate::check;
use differentiable::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Act {
    Relu,
    Tanh,
}

impl Act {
    fn index(self) -> usize {
        1
    }
    fn is_tanh(&self) -> bool {
        *self == Act::Tanh
    }
}

#[derive(Clone, Debug)]
enum Kind {
    Linear,
    Leaky(f64),
    Soft { k: f64, n: i32 },
}

#[derive(Clone, Debug)]
struct Settings {
    act: Act,
    gain: f64,
    label: String,
    order: Vec<usize>,
    kind: Kind,
}

#[derive(Clone, Differentiable)]
struct Layer {
    w: Vec<Vec<f64>>,
    b: Vec<f64>,
    #[constant]
    act: Act,
}

#[derive(Clone, Differentiable)]
struct Net {
    layers: Vec<Layer>,
    scale: Vec<f64>,
    #[constant]
    act: Act,
    #[constant]
    acts: [Act; 2],
    #[constant]
    kinds: Vec<Kind>,
    #[constant]
    settings: Option<Settings>,
    #[constant]
    table: Vec<(String, Act, f64)>,
}

fn net() -> Net {
    let layer = |act| Layer {
        w: vec![vec![0.3, -0.2], vec![0.5, 0.1]],
        b: vec![0.1, 0.2],
        act,
    };
    Net {
        layers: vec![layer(Act::Tanh), layer(Act::Relu)],
        scale: vec![0.7, -0.4],
        act: Act::Tanh,
        acts: [Act::Relu, Act::Tanh],
        kinds: vec![Kind::Linear, Kind::Leaky(0.3), Kind::Soft { k: 0.5, n: 2 }],
        settings: Some(Settings {
            act: Act::Tanh,
            gain: 1.7,
            label: "a".into(),
            order: vec![1, 0],
            kind: Kind::Leaky(0.2),
        }),
        table: vec![
            ("one".into(), Act::Relu, 0.5),
            ("two".into(), Act::Tanh, 1.5),
        ],
    }
}

#[differentiable]
fn apply(#[constant] act: Act, z: f64) -> f64 {
    match act {
        Act::Relu => z.max(0.0),
        Act::Tanh => z.tanh(),
    }
}

#[differentiable]
fn apply_ref(#[constant] act: &Act, z: f64) -> f64 {
    apply(*act, z)
}

#[differentiable]
fn of_kind(#[constant] kind: &Kind, z: f64) -> f64 {
    match kind {
        Kind::Linear => z,
        Kind::Leaky(a) => a * z,
        Kind::Soft { k, n } => (k * z).exp().powi(*n),
    }
}

fn number(act: &Act) -> usize {
    if *act == Act::Relu { 0 } else { 1 }
}

#[differentiable]
impl Layer {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        let mut out = Vec::new();
        for (row, b) in self.w.iter().zip(&self.b) {
            let mut z = *b;
            for (w, v) in row.iter().zip(x) {
                z += w * v;
            }
            out.push(match self.act {
                Act::Relu => z.max(0.0),
                Act::Tanh => z.tanh(),
            });
        }
        out
    }
}

#[differentiable]
impl Net {
    fn forward(&self, x: &[f64]) -> Vec<f64> {
        let mut h = x.to_vec();
        for layer in &self.layers {
            h = layer.forward(&h);
        }
        let mut out = Vec::new();
        for v in &h {
            out.push(apply(self.act, *v));
        }
        out
    }
}

#[test]
fn a_network_by_hand() {
    #[differentiable]
    fn f(net: &Net, x: &[f64]) -> f64 {
        let y = net.forward(x);
        y[0] * y[0] + 0.5 * y[1]
    }
    check::<f, _>(&(net(), vec![0.4, 0.7]));
}

#[test]
fn passed_on() {
    #[differentiable]
    fn f(net: &Net, x: f64) -> f64 {
        let act = net.act;
        let mut z = apply(act, x * net.scale[0]) + apply_ref(&net.act, x);
        for (i, a) in net.acts.iter().enumerate() {
            z += apply(*a, z * net.scale[i]);
        }
        for a in net.acts {
            z += apply(a, z);
        }
        for kind in &net.kinds {
            z += of_kind(kind, z * net.scale[1]);
        }
        for (name, a, c) in &net.table {
            z += if name == "one" {
                c * apply(*a, z)
            } else {
                apply_ref(a, z)
            };
        }
        z + net
            .scale
            .iter()
            .zip(&net.acts)
            .map(|(s, a)| apply(*a, s * x))
            .sum::<f64>()
    }
    check::<f, _>(&(net(), 0.45));
}

#[test]
fn matched() {
    #[differentiable]
    fn f(net: &Net, x: f64) -> f64 {
        let mut z = x;
        for kind in &net.kinds {
            z = match kind {
                Kind::Linear => z * net.scale[0],
                Kind::Leaky(a) => a * z,
                Kind::Soft { k, n } => (k * z).exp().powi(*n),
            };
        }
        let Some(settings) = &net.settings else {
            return z;
        };
        if let Some(s) = &net.settings {
            z *= s.gain * net.scale[s.order[0]];
            if s.label == "a" {
                z += apply(s.act, z);
            }
        }
        let kind = net.kinds[1].clone();
        let by = match kind {
            Kind::Leaky(a) => a * x,
            _ => x,
        };
        z * by + of_kind(&settings.kind, z)
    }
    check::<f, _>(&(net(), 0.45));
}

#[test]
fn asked() {
    #[differentiable]
    fn f(net: &Net, x: f64) -> f64 {
        let i = net.act.index();
        let z = x * net.scale[i] * net.scale[number(&net.acts[0])];
        if net.act.is_tanh() && net.settings.is_some() {
            z * net.scale[number(&net.act)]
        } else {
            z
        }
    }
    check::<f, _>(&(net(), 0.45));
}
