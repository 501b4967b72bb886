//! Types of the fields of enums, of tuples and of what branches give, as the file tells them; values that are copied; operators of
//! the file's own types, whose pullbacks get their operands again.

use differentiable::ad::{check_grads, check_hvp};
use differentiable::prelude::*;
use std::ops::{Add, Mul, Sub};

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Layer {
    Scale(f64),
    Dense {
        rows: Vec<[f64; 3]>,
        shift: [f64; 3],
    },
    Chain(Box<Layer>, Box<Layer>),
    Mix(Vec<Layer>, #[constant] f64),
    Nothing,
}

#[differentiable]
impl Layer {
    fn apply(&self, x: [f64; 3]) -> [f64; 3] {
        match self {
            Layer::Scale(k) => [x[0] * k, x[1] * k, x[2] * k],
            Layer::Dense { rows, shift } => {
                let mut y = *shift;
                for i in 0..3 {
                    for j in 0..3 {
                        y[i] += rows[i][j] * x[j];
                    }
                    y[i] = y[i].tanh();
                }
                y
            }
            Self::Chain(a, b) => b.apply(a.apply(x)),
            Layer::Mix(all, weight) => {
                let mut y = [0.0; 3];
                for one in all {
                    let z = one.apply(x);
                    for k in 0..3 {
                        y[k] += weight * z[k] * z[k];
                    }
                }
                y
            }
            Layer::Nothing => x,
        }
    }
}

#[differentiable]
fn score(l: &Layer, x: [f64; 3]) -> f64 {
    let y = l.apply(x);
    y[0] * y[1] - y[2] * y[2]
}

fn layer() -> Layer {
    let dense = |k: f64| Layer::Dense {
        rows: vec![[0.3, -0.2 * k, 0.5], [k, 0.1, -0.4], [0.2, 0.6, -0.3 * k]],
        shift: [0.1, -0.2, 0.3 * k],
    };
    let chain = Layer::Chain(Box::new(dense(0.7)), Box::new(Layer::Scale(1.3)));
    let mix = Layer::Mix(vec![dense(0.4), Layer::Nothing, Layer::Scale(0.6)], 0.8);
    Layer::Chain(Box::new(chain), Box::new(mix))
}

/// The fields of options and results, and tuples that branches give.
#[differentiable]
fn parts(x: &[f64], limit: Option<f64>, row: Option<Vec<f64>>) -> f64 {
    let (low, mut rest) = if x[0] > 0.5 {
        (x[0] * x[1], vec![x[2], x[3] * x[0]])
    } else {
        (x[3], x.to_vec())
    };
    let (kept, way) = match limit {
        Some(l) if low > l => (l * l, true),
        Some(l) => (low * l, false),
        None => (low, false),
    };
    for r in rest.iter_mut() {
        *r *= kept;
    }
    rest[0] += low;
    let mut total = if way { rest[1] } else { rest[0] * rest[1] };
    if let Some(row) = &row {
        for (a, b) in row.iter().zip(&rest) {
            total += a * b * kept;
        }
    }
    let halves: Result<f64, String> = if total > 100.0 {
        Err("large".into())
    } else {
        Ok(total / 2.0)
    };
    match halves {
        Ok(half) => half * total,
        Err(_) => total,
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Pair {
    x: f64,
    y: f64,
}

#[differentiable]
impl Add for Pair {
    type Output = Pair;
    fn add(self, o: Pair) -> Pair {
        Pair {
            x: self.x + o.x,
            y: self.y + o.y,
        }
    }
}

#[differentiable]
impl Sub for Pair {
    type Output = Pair;
    fn sub(self, o: Pair) -> Pair {
        // Its pullback reads both operands.
        Pair {
            x: self.x - o.x * o.y,
            y: self.y * self.x - o.y,
        }
    }
}

#[differentiable]
impl Mul for Pair {
    type Output = Pair;
    fn mul(self, o: Pair) -> Pair {
        Pair {
            x: self.x * o.x - self.y * o.y,
            y: self.x * o.y + self.y * o.x,
        }
    }
}

#[differentiable]
impl Mul<f64> for Pair {
    type Output = Pair;
    fn mul(self, k: f64) -> Pair {
        Pair {
            x: self.x * k,
            y: self.y * k,
        }
    }
}

#[differentiable]
impl Mul<Pair> for f64 {
    type Output = Pair;
    fn mul(self, p: Pair) -> Pair {
        Pair {
            x: self * p.x,
            y: self * p.y * p.y,
        }
    }
}

#[differentiable]
impl Pair {
    fn dot(&self, o: &Pair) -> f64 {
        self.x * o.x + self.y * o.y
    }
}

/// A state that is copied, with values of which some are read after the state has changed.
#[differentiable]
fn steps(p: Pair, k: f64, #[constant] wind: Pair, n: usize) -> f64 {
    let mut state = p;
    let mut before = p;
    let mut total = 0.0;
    for i in 0..n {
        let a = state * p;
        let moved = state - a * 0.1;
        before = state;
        state = moved;
        if i % 3 == 1 {
            state = state + wind * k;
            state = 0.9 * state;
            total += state.dot(&before);
        } else if i % 3 == 2 {
            before = wind - state;
            state = state * 0.8 - before * 0.05;
        }
        let b = state;
        state.x += 0.1 * b.y * before.x;
        total += b.dot(&state) * k;
    }
    total + before.x * before.y
}

/// Copies in nested loops, and one that is made in an arm alone.
#[differentiable]
fn nested(all: &[Pair], k: f64) -> f64 {
    let mut centre = Pair { x: k, y: 0.3 };
    let mut sum = 0.0;
    for a in all {
        let start = centre;
        for b in all {
            let d = *a - *b;
            centre = centre + d * (0.1 * k);
            let other = if d.x > 0.0 { centre * *a } else { start };
            sum += other.dot(&centre);
        }
        centre = centre * 0.5 + start * 0.5;
    }
    sum
}

type State = (Pair, [f64; 2]);

#[differentiable]
fn pushed(s: State, k: f64) -> State {
    let (p, v) = s;
    (
        p + Pair { x: v[0], y: v[1] } * k,
        [v[0] - p.x * k, v[1] - p.y * k],
    )
}

#[differentiable]
fn orbit(p: Pair, k: f64) -> f64 {
    let mut s = (p, [0.2, -0.1]);
    let mut far = 0.0;
    for _ in 0..5 {
        s = pushed(s, k);
        let (q, v) = s;
        far += q.dot(&q) + v[0] * v[1];
    }
    far
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Three(f64, Vec<f64>, f64);

#[differentiable]
impl Three {
    fn from_fn(n: usize, f: impl Fn(usize) -> f64) -> Three {
        let all: Vec<f64> = (0..n).map(|i| f(i)).collect();
        Three(f(0), all, f(n))
    }

    /// What the closure captures is a tuple: its parts are not the fields of `Three`.
    fn mixed(&self, others: &[f64], k: f64) -> Three {
        let squares = [k, k * k];
        Three::from_fn(others.len(), |i| {
            k * others[i % 2] + squares[i % 2] * self.0 - self.1[i % 3] * self.2
        })
    }

    fn shifted(&self, by: usize) -> Three {
        Three::from_fn(self.1.len(), |i| self.1[(i + by) % self.1.len()] * self.0)
    }
}

#[differentiable]
fn mixture(t: &Three, x: &[f64]) -> f64 {
    let mut state = t.mixed(x, x[0]);
    for _ in 0..3 {
        let around = [state.shifted(1), state.shifted(2)];
        state = Three::from_fn(3, |i| {
            around.iter().map(|a| a.1[i % 3]).sum::<f64>() * x[1] + state.1[i % 3]
        });
    }
    state.0 * state.2 + state.1.iter().sum::<f64>()
}

#[test]
fn what_closures_capture_in_methods() {
    let t = Three(0.3, vec![0.5, -0.2, 0.9], 0.7);
    check_grads::<mixture, _>(&(t, vec![0.4, -0.3, 0.8])).unwrap();
}

/// `Layer` is another type here, and `Pair` too.
mod others {
    use differentiable::ad::check_grads;
    use differentiable::prelude::*;

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    enum Layer {
        Scale(f32),
        Dense { rows: Vec<f32>, shift: f64 },
    }

    #[differentiable]
    fn apply(l: &Layer, x: f64) -> f64 {
        match l {
            Layer::Scale(k) => x * f64::from(*k),
            Layer::Dense { rows, shift } => {
                let mut y = *shift;
                for r in rows {
                    y += f64::from(*r) * x * y;
                }
                y
            }
        }
    }

    #[differentiable]
    fn local(x: &[f64]) -> f64 {
        #[derive(Clone, Copy)]
        struct Pair(usize, usize);
        let p = Pair(1, 2);
        x[p.0] * x[p.1]
    }

    #[test]
    fn names_of_another_module() {
        let dense = Layer::Dense {
            rows: vec![0.5, -0.25],
            shift: 0.4,
        };
        // Differences of an `f32` are coarse: `f64` fields and `x` alone are compared closely.
        let grad = apply::grad(&dense, 0.7);
        let h = 1e-6;
        let differences = (apply(&dense, 0.7 + h) - apply(&dense, 0.7 - h)) / (2.0 * h);
        assert!((grad.1 - differences).abs() < 1e-8);
        let LayerTangent::Dense { rows, shift } = grad.0 else {
            panic!("another variant");
        };
        // y = s (1 + r0 x) (1 + r1 x)
        let (a, b) = (1.0 + 0.5 * 0.7, 1.0 - 0.25 * 0.7);
        assert!((shift - a * b).abs() < 1e-12);
        assert!((f64::from(rows[0]) - 0.4 * 0.7 * b).abs() < 1e-6);
        assert!((f64::from(rows[1]) - 0.4 * 0.7 * a).abs() < 1e-6);
        assert_eq!(apply::grad(&Layer::Scale(0.5), 0.7).1, 0.5);
        check_grads::<local, _>(&(vec![0.3, 0.5, 0.7],)).unwrap();
    }
}

/// The same in derivatives of second order.
#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
struct Twist {
    a: f64,
    b: f64,
}

#[differentiable(higher_order)]
impl Mul for Twist {
    type Output = Twist;
    fn mul(self, o: Twist) -> Twist {
        Twist {
            a: self.a * o.a - self.b * o.b,
            b: self.a * o.b + self.b * o.a,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
#[differentiable(higher_order)]
enum Shape {
    Turn(Twist),
    Both { first: f64, rest: Vec<f64> },
}

#[differentiable(higher_order)]
fn bent(s: &Shape, x: f64) -> f64 {
    let (size, angle) = match s {
        Shape::Turn(t) => {
            let mut state = *t;
            for _ in 0..3 {
                state = state * *t;
            }
            (state.a * x, state.b)
        }
        Shape::Both { first, rest } => {
            let mut sum = first * x;
            for r in rest {
                sum += r * r * sum;
            }
            (sum, x * first)
        }
    };
    size * size * angle
}

#[test]
fn fields_of_variants() {
    check_grads::<score, _>(&(layer(), [0.3, -0.4, 0.6])).unwrap();
}

#[test]
fn tuples_of_branches() {
    for x in [[0.7, 0.4, -0.3, 1.1], [0.2, 0.4, -0.3, 1.1]] {
        for limit in [None, Some(0.1), Some(3.0)] {
            for row in [None, Some(vec![0.4, -0.6])] {
                check_grads::<parts, _>(&(x.to_vec(), limit, row.clone())).unwrap();
            }
        }
    }
}

#[test]
fn values_that_are_copied() {
    let (p, wind) = (Pair { x: 0.6, y: -0.4 }, Pair { x: 0.2, y: 0.5 });
    for n in [0, 1, 2, 3, 7] {
        check_grads::<steps, _>(&(p, 0.3, wind, n)).unwrap();
    }
    let all: Vec<Pair> = (0..4)
        .map(|i| Pair {
            x: (1.3 * f64::from(i) + 0.4).sin(),
            y: (0.7 * f64::from(i) + 0.3).cos(),
        })
        .collect();
    check_grads::<nested, _>(&(all, 0.4)).unwrap();
    check_grads::<orbit, _>(&(p, 0.3)).unwrap();
}

#[test]
fn derivatives_of_second_order() {
    let turn = Shape::Turn(Twist { a: 0.8, b: -0.5 });
    let both = Shape::Both {
        first: 0.7,
        rest: vec![0.3, -0.6],
    };
    for s in [turn, both] {
        check_grads::<bent, _>(&(s.clone(), 1.2)).unwrap();
        check_hvp::<bent, f64, _>(&(s.clone(), 1.2)).unwrap();
    }
}

/// Operators of a type that is moved: what their pullbacks read is still there in the reverse pass.
mod moved {
    use differentiable::ad::check_grads;
    use differentiable::prelude::*;
    use std::ops::{Add, Mul, Neg, Sub};

    #[derive(Clone, Debug, PartialEq, Differentiable)]
    struct Series(Vec<f64>);

    #[differentiable]
    impl Series {
        fn one(n: usize) -> Series {
            Series((0..n).map(|i| f64::from(i == 0)).collect())
        }
        fn at(&self, x: f64) -> f64 {
            self.0.iter().rev().fold(0.0, |sum, c| sum * x + c)
        }
        fn cut(mut self, n: usize) -> Series {
            self.0.truncate(n);
            self
        }
    }

    #[differentiable]
    impl Add for Series {
        type Output = Series;
        fn add(mut self, o: Series) -> Series {
            for (a, b) in self.0.iter_mut().zip(&o.0) {
                *a += b;
            }
            self
        }
    }

    #[differentiable]
    impl Sub<&Series> for Series {
        type Output = Series;
        fn sub(self, o: &Series) -> Series {
            Series(self.0.iter().zip(&o.0).map(|(a, b)| a - b * b).collect())
        }
    }

    #[differentiable]
    impl Mul<&Series> for &Series {
        type Output = Series;
        fn mul(self, o: &Series) -> Series {
            let mut all = vec![0.0; self.0.len()];
            for i in 0..self.0.len() {
                for j in 0..self.0.len() - i {
                    all[i + j] += self.0[i] * o.0[j];
                }
            }
            Series(all)
        }
    }

    #[differentiable]
    impl Mul<Series> for f64 {
        type Output = Series;
        fn mul(self, o: Series) -> Series {
            Series(o.0.iter().map(|c| self * c).collect())
        }
    }

    #[differentiable]
    impl Neg for Series {
        type Output = Series;
        fn neg(self) -> Series {
            Series(self.0.iter().map(|c| -c).collect())
        }
    }

    #[differentiable]
    fn inverse(s: &Series, steps: usize) -> Series {
        let n = s.0.len();
        let mut inverse = (1.0 / s.0[0]) * Series::one(n);
        for _ in 0..steps {
            // Newton: y (2 − s y)
            let product = s * &inverse;
            inverse = &inverse * &(2.0 * Series::one(n) + -product);
        }
        inverse.cut(n)
    }

    #[differentiable]
    fn value(s: &Series, #[constant] fixed: &Series, x: f64) -> f64 {
        let mut sum = s.clone() + fixed.clone();
        let kept = x * sum.clone();
        for k in 0..3 {
            let before = sum.clone();
            sum = sum - &before;
            if k == 1 {
                sum = sum + Series::one(4) - fixed;
                sum = x * sum + before;
            }
        }
        let other = fixed.clone() + kept.clone();
        (&kept * &other).at(x) + (&(fixed.clone() - &other) * fixed).at(x) + inverse(&sum, 3).at(x)
    }

    #[test]
    fn operands_that_are_moved() {
        let s = Series(vec![1.3, -0.4, 0.2, 0.6]);
        let fixed = Series(vec![0.3, 0.1, -0.5, 0.4]);
        check_grads::<value, _>(&(s, fixed, 0.4)).unwrap();
    }
}
