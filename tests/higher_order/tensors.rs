//! Second derivatives of functions of tensors. What every operation does is in `tests/tensor/coverage*.rs`.

use differentiable::ad::{
    CheckOptions, Dual, GradientMismatch, Identity, check_hvp, check_hvp_with,
};
use differentiable::prelude::*;

dim!(Batch);

type W = Tensor![f64; 3, 2];
type B = Tensor![f64; 2];

/// Logistic regression with a penalty; `scale` is a number beside the tensors.
#[differentiable(higher_order)]
fn loss(
    w: &Tensor![f64; 3, 2],
    b: &Tensor![f64; 2],
    #[constant] x: &Tensor![f64; Batch, 3],
    y: &Tensor![i64; Batch],
    scale: f64,
) -> Tensor![f64;] {
    let logits = scale * (x.matmul(w) + b).gelu() / (1.0 + scale);
    logits.cross_entropy(y) + 0.01 * (w * w).sum()
}

struct Data {
    x: Tensor![f64; Batch, 3],
    y: Tensor![i64; Batch],
    w: W,
    b: B,
    dw: W,
    db: B,
}

fn data() -> Data {
    let x = [1.0, 2.0, 3.0, -1.0, 0.0, 1.0, 0.5, -0.5, 0.2];
    Data {
        x: Tensor::from_slice_with((Batch(3), Sz), &x).unwrap(),
        y: Tensor::from_slice_with((Batch(3),), &[0, 1, 1]).unwrap(),
        w: Tensor::from_slice(&[0.1, 0.2, -0.3, 0.05, 0.4, -0.2]).unwrap(),
        b: Tensor::from_slice(&[0.3, -0.2]).unwrap(),
        dw: Tensor::from_slice(&[1.0, -0.5, 0.25, 2.0, 0.3, -1.0]).unwrap(),
        db: Tensor::from_slice(&[0.5, 1.5]).unwrap(),
    }
}

pub fn far<S: Shape>(a: &Tensor<S, f64>, b: &Tensor<S, f64>) -> f64 {
    (a - b).abs().max().item()
}

#[test]
fn products_and_hessians() {
    let Data { x, y, w, b, dw, db } = &data();
    let (hw, hb, hs) = loss::hvp((w, dw), (b, db), x, y, (1.3, -0.7));
    let at = |h: f64| {
        let moved = (w + dw * h, b + db * h);
        loss::grad(&moved.0, &moved.1, x, y, 1.3 - 0.7 * h)
    };
    let ((pw, pb, ps), (mw, mb, ms)) = (at(1e-5), at(-1e-5));
    assert!(far(&hw, &((pw - mw) / 2e-5)) < 1e-9);
    assert!(far(&hb, &((pb - mb) / 2e-5)) < 1e-9);
    assert!((hs - (ps - ms) / 2e-5).abs() < 1e-9);

    let (gradient, product) = loss::grad_and_hvp((w, dw), (b, db), x, y, (1.3, -0.7));
    assert_eq!(gradient, loss::grad(w, b, x, y, 1.3));
    assert_eq!(product, (hw.clone(), hb, hs));

    // A row for each entry, in the order of `to_vec`; the Hessian times the direction is the product.
    let (of_w, of_b, of_scale) = loss::hessian(w, b, x, y, 1.3);
    assert_eq!((of_w.len(), of_b.len()), (6, 2));
    let rows = of_w
        .iter()
        .zip(dw.to_vec())
        .chain(of_b.iter().zip(db.to_vec()));
    let start = &of_scale.0 * -0.7;
    let sum = rows.fold(start, |sum, (row, t)| sum + &row.0 * t);
    assert!(far(&sum, &hw) < 1e-12);
    assert!(
        (of_w[4].1.to_vec()[1] - of_b[1].0.to_vec()[4]).abs() < 1e-14,
        "symmetric"
    );

    check_hvp::<loss, f64, _>(&(w.clone(), b.clone(), x.clone(), y.clone(), 1.3)).unwrap();
}

#[test]
fn a_linear_map() {
    let Data { x, y, w, b, dw, db } = &data();
    let (value, map) = loss::linearize(w, b, x, y, 1.3);
    assert_eq!(value, loss(w, b, x, y, 1.3));
    let (gw, gb, gs) = loss::grad(w, b, x, y, 1.3);
    let expected = (gw * dw).sum().item() + (gb * db).sum().item() + gs * 0.1;
    assert!((map(dw, db, 0.1).item() - expected).abs() < 1e-12);
}

/// In single precision, of an input of any length, also of none.
#[differentiable(higher_order)]
fn single(x: &Tensor![Batch, 3]) -> Tensor![] {
    (x.sigmoid() * 0.5 + x.exp().ln_1p() - 2.0 * x).sum()
}

#[test]
fn single_precision_and_empty() {
    let x: Tensor![Batch, 3] =
        Tensor::from_fn_with((Batch(2), Sz), |i| (i / 3) as f32 - 0.4 * (i % 3) as f32);
    let ones = Tensor::ones_with((Batch(2), Sz));
    let by_hand = x.to_vec().into_iter().map(|x| {
        let s = 1.0 / (1.0 + (-x).exp());
        0.5 * s * (1.0 - s) * (1.0 - 2.0 * s) + s * (1.0 - s)
    });
    // The Hessian is diagonal.
    for (found, expected) in single::hvp((&x, &ones)).to_vec().into_iter().zip(by_hand) {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    let empty: Tensor![Batch, 3] = Tensor::zeros_with((Batch(0), Sz));
    assert!(single::hvp((&empty, &empty)).to_vec().is_empty());
    assert!(single::hessian(&empty).is_empty());
}

#[test]
#[should_panic(expected = "a tangent has another shape than its tensor")]
fn a_tangent_of_another_shape() {
    let x: Tensor![Batch, 3] = Tensor::zeros_with((Batch(2), Sz));
    single::hvp((&x, &Tensor::zeros_with((Batch(3), Sz))));
}

/// A penalty on the gradient by the input, which needs a gradient inside.
#[differentiable]
fn smooth(
    w: &Tensor![f64; 3, 2],
    b: &Tensor![f64; 2],
    #[constant] x: &Tensor![f64; Batch, 3],
    y: &Tensor![i64; Batch],
) -> Tensor![f64;] {
    let (by_w, by_b, by_scale) = loss::grad(w, b, x, y, 1.0);
    loss(w, b, x, y, 1.0) + (&by_w * &by_w).sum() + 0.5 * by_b.square().sum() * by_scale
}

#[test]
fn a_gradient_inside() {
    let Data { x, y, w, b, dw, db } = &data();
    let (gw, gb) = smooth::grad(w, b, x, y);
    let at = |h: f64| smooth(&(w + dw * h), &(b + db * h), x, y).item();
    let numeric = (at(1e-5) - at(-1e-5)) / 2e-5;
    let found = (gw * dw).sum().item() + (gb * db).sum().item();
    assert!((found - numeric).abs() < 1e-9, "{found} {numeric}");
    let (_, forward) = smooth::jvp((w, dw), (b, db), x, y);
    assert!((forward.item() - found).abs() < 1e-12);
}

/// One step against the gradient, and the loss after it: what learning to learn differentiates.
#[differentiable(higher_order)]
fn adapted(
    w: &Tensor![f64; 3, 2],
    rate: f64,
    #[constant] b: &Tensor![f64; 2],
    #[constant] x: &Tensor![f64; Batch, 3],
    y: &Tensor![i64; Batch],
) -> Tensor![f64;] {
    let (by_w, _, _) = loss::grad(w, b, x, y, 1.0);
    loss(&(w - by_w * rate), b, x, y, 1.0)
}

#[test]
fn third_derivatives() {
    let Data { x, y, w, b, .. } = data();
    check_hvp::<adapted, f64, _>(&(w, 0.4, b, x, y)).unwrap();
}

#[derive(Clone, Debug, Differentiable)]
struct Mlp<T: Float = f64> {
    hidden: Linear<3, 4, T>,
    out: Linear<4, 2, T>,
    gain: T,
}

#[differentiable(higher_order)]
impl<T: Float> Mlp<T> {
    fn loss(&self, x: &Tensor![T; Batch, 3], y: &Tensor![i64; Batch]) -> Tensor![T;] {
        let h = self.hidden.forward(x).tanh();
        (self.out.forward(&h) * self.gain).cross_entropy(y)
    }
}

#[test]
fn networks() {
    let Data { x, y, .. } = &data();
    let seeds = &mut Seeds::new(3);
    let net = Mlp::<f64> {
        hidden: Linear::new(seeds),
        out: Linear::new(seeds),
        gain: 1.5,
    };
    let (direction, dx) = net.loss_grad(x, y);
    let (product, hx) = net.loss_hvp(&direction, (x, &dx), y);
    let at = |h: f64| {
        let (mut net, mut x) = (net.clone(), x.clone());
        net.add_scaled(h, &direction);
        x.add_scaled(h, &dx);
        net.loss_grad(&x, y)
    };
    let ((plus, px), (minus, mx)) = (at(1e-5), at(-1e-5));
    assert!((product.gain - (plus.gain - minus.gain) / 2e-5).abs() < 1e-8);
    assert!(far(&hx, &((px - mx) / 2e-5)) < 1e-8);
    let weight = (plus.hidden.weight - minus.hidden.weight) / 2e-5;
    assert!(far(&product.hidden.weight, &weight) < 1e-8);
}

/// Generic over the element type.
#[differentiable(higher_order)]
fn energy<T: Float>(x: &Tensor![T; 4]) -> Tensor![T;] {
    (x * x * x).sum() + x.softmax::<0>().ln().mean()
}

#[test]
fn generic_functions() {
    let x: Tensor![f64; 4] = Tensor::from_slice(&[0.3, -0.2, 0.9, 0.0]).unwrap();
    let v: Tensor![f64; 4] = Tensor::from_slice(&[1.0, 2.0, -1.0, 0.5]).unwrap();
    let at = |h: f64| energy::grad(&(&x + &v * h));
    let numeric = (at(1e-5) - at(-1e-5)) / 2e-5;
    assert!(far(&energy::hvp((&x, &v)), &numeric) < 1e-9);
    check_hvp::<energy, f64, _>(&(x,)).unwrap();
}

/// Duals are elements like others: the pullback of a function that is generic over them runs on them.
#[test]
fn tensors_of_duals() {
    let x: Vec<Dual<f64, 2>> = vec![Dual::new(0.5, [1.0, 0.0]), Dual::new(-0.2, [0.0, 1.0])];
    let x: Tensor![Dual<f64, 2>; 2] = Tensor::from_slice(&x).unwrap();
    let y = (&x * &x * Dual::constant(3.0)).sum().item();
    assert!((y.value - 3.0 * (0.25 + 0.04)).abs() < 1e-15);
    assert!((y.tangents[0] - 3.0).abs() < 1e-15 && (y.tangents[1] + 1.2).abs() < 1e-15);
    // A product of matrices, of which one does not change.
    let a: Tensor![Dual<f64, 2>; 2, 2] =
        Tensor::from_fn(|i| Dual::constant([1.0, 3.0, 2.0, 4.0][i]));
    let product = a.matmul(&x.unsqueeze::<1>()).to_vec();
    assert_eq!(
        product.iter().map(|d| d.tangents).collect::<Vec<_>>(),
        [[1.0, 3.0], [2.0, 4.0]]
    );
}

/// Functions of parameters that change with the scalar outside, which kernels take as plain numbers otherwise.
#[differentiable(higher_order)]
fn shaped(x: &Tensor![f64; 5], p: f64, slope: f64) -> Tensor![f64;] {
    let bounded = x.clamp(-slope, p) + x.leaky_relu(slope) + x.elu(p) * x.celu(p * slope);
    (bounded + x.square().powf(p)).sum() * x.lerp(&x.exp(), slope).mean()
}

#[test]
fn parameters_that_change() {
    let x = Tensor::from_slice(&[0.3, -0.2, 0.9, -1.4, 2.0]).unwrap();
    check_hvp::<shaped, f64, _>(&(x, 1.3, 0.6)).unwrap();
}

/// Its gradient leaves out what `stop_gradient` holds.
#[differentiable(higher_order)]
fn held(x: &Tensor![f64; 3]) -> Tensor![f64;] {
    (stop_gradient(x.clone()) * x).sum()
}

#[test]
fn a_wrong_product_is_found() {
    let x: Tensor![f64; 3] = Tensor::from_slice(&[0.3, -0.2, 0.9]).unwrap();
    let wrong = check_hvp::<held, f64, _>(&(x.clone(),)).unwrap_err();
    let of_second = |e: &GradientMismatch| {
        matches!(
            e,
            GradientMismatch::Direction {
                identity: Identity::Second,
                ..
            }
        )
    };
    assert!(of_second(&wrong), "{wrong}");
    let strict = CheckOptions {
        tolerance: Some(1e-30),
        ..CheckOptions::default()
    };
    assert!(check_hvp_with::<energy_of_three, f64, _>(&(x,), strict).is_err());
}

#[differentiable(higher_order)]
fn energy_of_three(x: &Tensor![f64; 3]) -> Tensor![f64;] {
    x.sin().sum()
}

/// Types by other names.
#[differentiable(higher_order)]
fn aliased(w: &W, b: &B) -> Tensor![f64;] {
    let h: W = w.tanh() * b;
    h.square().sum()
}

#[test]
fn aliases() {
    let Data { w, b, .. } = data();
    check_hvp::<aliased, f64, _>(&(w, b)).unwrap();
}

/// A struct of tensors and numbers, by its own derive.
#[derive(Clone, Differentiable)]
#[differentiable(higher_order)]
struct Affine {
    w: Tensor![f64; 3, 2],
    b: B,
    gain: f64,
}

#[differentiable(higher_order)]
impl Affine {
    fn out(&self, x: &Tensor![f64; 3]) -> Tensor![f64; 2] {
        (x.matmul(&self.w) + &self.b) * self.gain
    }
    fn energy(&self, x: &Tensor![f64; 3]) -> Tensor![f64;] {
        self.out(x).tanh().square().sum()
    }
}

#[differentiable(higher_order)]
fn energy_of(f: &Affine, x: &Tensor![f64; 3]) -> Tensor![f64;] {
    f.energy(x) + f.w.square().sum()
}

#[test]
fn structs_of_tensors() {
    let Data { w, b, .. } = data();
    let f = Affine { w, b, gain: 0.7 };
    let x: Tensor![f64; 3] = Tensor::from_slice(&[0.3, -0.2, 0.9]).unwrap();
    let (v, dx) = energy_of::grad(&f, &x);
    let at = |h: f64| {
        let (mut f, mut x) = (f.clone(), x.clone());
        f.add_scaled(h, &v);
        x.add_scaled(h, &dx);
        (energy_of::grad(&f, &x), f.energy_grad(&x))
    };
    let (((p, px), (q, qx)), ((m, mx), (n, nx))) = (at(1e-5), at(-1e-5));
    let (of_f, of_x) = energy_of::hvp((&f, &v), (&x, &dx));
    assert!((of_f.gain - (p.gain - m.gain) / 2e-5).abs() < 1e-8);
    assert!(far(&of_f.w, &((p.w - m.w) / 2e-5)) < 1e-8);
    assert!(far(&of_x, &((px - mx) / 2e-5)) < 1e-8);
    let (of_f, of_x) = f.energy_hvp(&v, (&x, &dx));
    assert!((of_f.gain - (q.gain - n.gain) / 2e-5).abs() < 1e-8);
    assert!(far(&of_x, &((qx - nx) / 2e-5)) < 1e-8);
    let (rows, of_x) = energy_of::hessian(&f, &x);
    assert_eq!((rows.len(), of_x.len()), (9, 3));
    assert!(
        (rows[8].1.to_vec()[2] - of_x[2].0.gain).abs() < 1e-14,
        "symmetric"
    );
}
