//! `#[differentiable]` on methods and `impl` blocks, with struct parameters.
#![allow(missing_docs)]

use differentiable::prelude::*;

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Spring {
    stiffness: f64,
    damping: f64,
    steps: usize,
}

#[derive(Clone, Debug, Differentiable)]
struct Pair<const N: usize> {
    first: Spring,
    weights: [f64; N],
    #[constant]
    label: &'static str,
}

#[differentiable]
impl Spring {
    fn new(stiffness: f64) -> Spring {
        Spring {
            stiffness,
            damping: stiffness * 0.1,
            steps: 3,
        }
    }

    /// Explicit Euler.
    pub fn travel(&self, x0: f64) -> f64 {
        let mut x = x0;
        let mut v = 0.0;
        for _ in 0..self.steps {
            let a = -self.stiffness * x - self.damping * v;
            v += 0.1 * a;
            x += 0.1 * v;
        }
        x
    }

    fn energy(&self, x: f64) -> f64 {
        0.5 * self.stiffness * x * x + Self::square(x)
    }

    fn square(x: f64) -> f64 {
        x * x
    }

    #[no_grad]
    fn describe(&self) -> String {
        format!("{self:?}")
    }
}

impl<const N: usize> Pair<N> {
    #[differentiable]
    fn loss(&self, x: f64) -> f64 {
        let t = self.first.travel(x);
        let mut s = self.first.energy(t);
        for i in 0..N {
            s += self.weights[i] * t;
        }
        s
    }

    #[differentiable]
    fn by_value(self, x: f64) -> f64 {
        self.weights[0] * x
    }
}

#[differentiable]
fn fit(p: &Pair<2>, k: f64) -> f64 {
    let s = Spring::new(k);
    p.loss(k) * s.travel(p.weights[0]) + s.stiffness
}

fn pair() -> Pair<2> {
    Pair {
        first: Spring {
            stiffness: 1.5,
            damping: 0.2,
            steps: 7,
        },
        weights: [0.5, -0.25],
        label: "p",
    }
}

fn slope(f: impl Fn(f64) -> f64) -> f64 {
    let h = 1e-5;
    (f(h) - f(-h)) / (2.0 * h)
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-8 * (1.0 + a.abs()), "{a} {b}");
}

#[test]
fn gradients_of_structs() {
    let p = pair();
    assert!(p.first.describe().contains("stiffness"));
    assert_eq!(p.label, "p");
    let (v, (g, gx)) = p.loss_value_and_grad(0.7);
    assert_eq!(v, p.loss(0.7));
    let moved = |e: &dyn Fn(&mut Pair<2>, f64)| {
        slope(|h| {
            let mut q = pair();
            e(&mut q, h);
            q.loss(0.7)
        })
    };
    close(g.first.stiffness, moved(&|q, h| q.first.stiffness += h));
    close(g.first.damping, moved(&|q, h| q.first.damping += h));
    close(g.weights[1], moved(&|q, h| q.weights[1] += h));
    close(gx, slope(|h| pair().loss(0.7 + h)));
    let () = g.first.steps;

    let (v, (g, gk)) = fit::value_and_grad(&p, 0.9);
    assert_eq!(v, fit(&p, 0.9));
    close(gk, slope(|h| fit(&pair(), 0.9 + h)));
    close(
        g.weights[0],
        slope(|h| {
            let mut q = pair();
            q.weights[0] += h;
            fit(&q, 0.9)
        }),
    );
    let (_, tangent) = p.loss_jvp(&g, (0.7, 0.3));
    let (gl, glx) = p.loss_grad(0.7);
    close(tangent, gl.dot(&g) + 0.3 * glx);
    let (v, pullback) = p.loss_vjp(0.7);
    assert_eq!(v, p.loss(0.7));
    close(pullback(2.0).1, 2.0 * glx);
    assert_eq!(pair().by_value_grad(3.0).1, 0.5);
}
