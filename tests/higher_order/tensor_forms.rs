//! How functions of tensors may be written with `higher_order`: types by other names, scalars at the left of
//! operators, settings, operators of structs of tensors.

use super::tensors::far;
use differentiable::ad::{check_grads, check_hvp};
use differentiable::prelude::*;
use std::ops::{Add, Mul};

type Weight = Tensor![f64; 3, 2];
type Row = Tensor![f64; 2];

fn weight() -> Weight {
    Tensor::from_slice(&[0.1, 0.2, -0.3, 0.05, 0.4, -0.2]).unwrap()
}
fn row() -> Row {
    Tensor::from_slice(&[0.3, -0.7]).unwrap()
}

/// Nothing in the function says `Tensor`.
#[differentiable(higher_order(Tensor))]
fn behind_names(w: &Weight, b: &Row, k: f64) -> f64 {
    let h = w.tanh() * k + b;
    (k * h.square()).sum().item()
}

#[test]
fn tensors_behind_names() {
    check_hvp::<behind_names, f64, _>(&(weight(), row(), 0.8)).unwrap();
}

#[derive(Clone, Differentiable)]
#[differentiable(higher_order(Tensor))]
struct Layer {
    weight: Weight,
    bias: Row,
    gain: f64,
    #[constant]
    keep: f64,
    #[constant]
    eps: f64,
}

fn layer() -> Layer {
    Layer {
        weight: weight(),
        bias: row(),
        gain: 0.7,
        keep: 0.8,
        eps: 1e-3,
    }
}

#[differentiable(higher_order(Tensor))]
impl Layer {
    fn energy(&self, k: f64) -> f64 {
        let h = self.gain * &self.weight + &self.bias;
        let s = self.gain * k;
        let g = s * h.tanh();
        let factors = [k, 0.5];
        (factors[0] * g.exp() + -k * &g - (k + 1.0) / g.cosh() + k * k * g)
            .sum()
            .item()
            * k.sin()
    }

    /// Settings that are no literals.
    fn regular(&self) -> f64 {
        let (keep, eps) = (stop_gradient(self.keep), stop_gradient(self.eps));
        let h = self.weight.dropout(1.0 - keep, 7);
        let h = h.layer_norm(&self.bias.exp(), &self.bias, eps) * self.gain;
        let h = h.dropout(0.1, 3).rms_norm(&self.bias, eps + 1e-3);
        h.norm_p(2.0 + 1.0).item() + self.scaled(self.gain).scale(2.0, 1)
    }

    /// Its name is that of a method with a setting.
    fn scale(&self, factor: f64, power: usize) -> f64 {
        let mut y = self.weight.sum().item();
        for _ in 0..power {
            y = factor * y * y;
        }
        y
    }

    fn scaled(&self, k: f64) -> Layer {
        Layer {
            weight: k * &self.weight,
            bias: self.bias.clone(),
            gain: k,
            keep: stop_gradient(self.keep),
            eps: stop_gradient(self.eps),
        }
    }
}

#[differentiable(higher_order(Tensor))]
fn energy(f: &Layer, k: f64) -> f64 {
    f.energy(k) + k * f.regular() + 2.0 * f.scale(k, 2) / 10.0
}

#[differentiable(higher_order(Tensor))]
impl Add for Layer {
    type Output = Layer;
    fn add(self, other: Layer) -> Layer {
        Layer {
            weight: self.weight * &other.weight + other.gain * &other.weight,
            bias: self.bias + other.bias,
            gain: self.gain * other.gain,
            keep: stop_gradient(self.keep),
            eps: stop_gradient(self.eps),
        }
    }
}

#[differentiable(higher_order(Tensor))]
impl Mul<f64> for Layer {
    type Output = Layer;
    fn mul(self, k: f64) -> Layer {
        self.scaled(k)
    }
}

#[differentiable(higher_order(Tensor))]
fn of_operators(f: &Layer, k: f64) -> f64 {
    let g = f.clone() * k + f.clone();
    g.energy(k)
}

#[test]
fn structs_with_tensors_behind_names() {
    check_grads::<energy, _>(&(layer(), 0.8)).unwrap();
    check_grads::<of_operators, _>(&(layer(), 0.8)).unwrap();
    type Product = fn((&Layer, &LayerTangent), (f64, f64)) -> (LayerTangent, f64);
    type Gradient = fn(&Layer, f64) -> (LayerTangent, f64);
    let both: [(Product, Gradient); 2] = [
        (energy::hvp, energy::grad),
        (of_operators::hvp, of_operators::grad),
    ];
    for (hvp, grad) in both {
        let f = layer();
        let v = energy::grad(&f, 0.8).0;
        let (product, by_k) = hvp((&f, &v), (0.8, 0.3));
        let at = |h: f64| {
            let mut f = f.clone();
            f.add_scaled(h, &v);
            grad(&f, 0.8 + 0.3 * h)
        };
        let ((plus, plus_k), (minus, minus_k)) = (at(1e-5), at(-1e-5));
        assert!(far(&product.weight, &((plus.weight - minus.weight) / 2e-5)) < 1e-7);
        assert!(far(&product.bias, &((plus.bias - minus.bias) / 2e-5)) < 1e-7);
        super::near(product.gain, (plus.gain - minus.gain) / 2e-5, 1e-8);
        super::near(by_k, (plus_k - minus_k) / 2e-5, 1e-8);
    }
    let f = layer();
    let v = f.energy_grad(0.8).0;
    let (product, by_k) = f.energy_hvp(&v, (0.8, 0.3));
    let (rows, last) = f.energy_hessian(0.8);
    let entries = |t: &LayerTangent| {
        let mut all = t.weight.to_vec();
        all.extend(t.bias.to_vec());
        all.push(t.gain);
        all
    };
    let direction = entries(&v);
    let mut sum = 0.3 * last.1;
    for (row, t) in rows.iter().zip(&direction) {
        sum += row.1 * t;
    }
    super::near(sum, by_k, 1e-12);
    assert_eq!(rows.len(), entries(&product).len());
}

/// Jacobians of structs and methods, also as a matrix.
#[differentiable(higher_order(Tensor))]
fn out(f: &Layer, x: [f64; 2]) -> [f64; 2] {
    let h = f.weight.sum_axis::<0>();
    [x[0] * h.sum().item(), x[1] * f.gain]
}

#[test]
fn matrices_of_jacobians() {
    let m = out::jacobian_matrix(&layer(), [1.0, 2.0]);
    assert_eq!(m.shape(), (2, 11));
    assert_eq!(m.row(1)[6..], [0.0, 0.0, 2.0, 0.0, 0.7]);
}

mod r#gen {
    use super::*;
    #[derive(Clone, Copy, Debug, Differentiable)]
    #[differentiable(higher_order)]
    pub struct Spring {
        pub r#type: f64,
        pub rest: f64,
    }
    #[derive(Clone, Copy, Debug, Differentiable)]
    #[differentiable(higher_order)]
    pub enum Shape {
        Round { r#type: f64 },
        Flat(f64),
    }
}

/// Raw identifiers in paths and fields.
#[differentiable(higher_order)]
fn raw(s: r#gen::Spring, shape: r#gen::Shape, r#in: f64) -> f64 {
    let t = r#gen::Spring {
        r#type: s.r#type * r#in,
        ..s
    };
    let other = match shape {
        r#gen::Shape::Round { r#type } => r#gen::Shape::Flat(r#type * r#type),
        r#gen::Shape::Flat(x) => r#gen::Shape::Round { r#type: x },
    };
    let size = match other {
        r#gen::Shape::Round { r#type: x } => x,
        r#gen::Shape::Flat(x) => x,
    };
    t.r#type * t.r#type * size + t.rest
}

#[test]
fn raw_identifiers() {
    let s = r#gen::Spring {
        r#type: 2.0,
        rest: 1.0,
    };
    let shape = r#gen::Shape::Round { r#type: 3.0 };
    let (_, _, by_in) = raw::hvp(
        (s, s.zero_tangent()),
        (shape, shape.zero_tangent()),
        (0.5, 1.0),
    );
    // (2·in)²·9
    assert_eq!(by_in, 72.0);
}
