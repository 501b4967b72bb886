//! Tuples that hold references, which branches choose or which are kept: the parts are copies in the derivative.

use crate::check;
use differentiable::prelude::*;

each! { chosen kept jumps }

#[derive(Clone, Debug, Differentiable)]
enum Shape {
    Leaf {
        length: f64,
    },
    Node {
        children: Vec<Shape>,
        length: f64,
        name: String,
    },
}

#[derive(Clone, Debug, PartialEq, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

mod chosen {
    use super::*;

    #[differentiable]
    impl Shape {
        fn total(&self, scale: &f64) -> f64 {
            let (below, length, name) = match self {
                Shape::Leaf { length } => ([1.0, *scale], length, &"leaf".to_string()),
                Shape::Node {
                    children,
                    length,
                    name,
                } => {
                    let sum = children.iter().map(|c| c.total(scale)).sum::<f64>();
                    ([sum, sum * sum], length, name)
                }
            };
            let (a, (b, k)) = if length > &0.4 {
                (length, (scale, 1))
            } else {
                (scale, (length, 2))
            };
            below[0] * length + below[1].sin() * *a - b * name.len() as f64 * k as f64
        }
    }

    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let leaf = |length: f64| Shape::Leaf { length };
        let s = Shape::Node {
            children: vec![leaf(x[0]), leaf(x[1] * x[2])],
            length: x[3],
            name: "root".into(),
        };
        s.total(&x[1])
    }
}

/// The tuple has a name, its parts are read, lent, and replaced.
mod kept {
    use super::*;

    #[differentiable]
    fn norm(p: &Point, k: &f64) -> f64 {
        (p.x * p.x + p.y * p.y + k).sqrt()
    }

    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let points: Vec<Point> = x.iter().map(|&v| Point { x: v, y: v * v }).collect();
        let t = (2.0, &points[0], (&x[1], 3));
        let mut best = (t.0 * x[0], &points[3]);
        for (i, p) in points.iter().enumerate() {
            if p.x * p.y > best.0 && *t.2.0 > 0.0 {
                best = (p.x * p.y, p);
            }
            if i == 2 {
                best.0 += p.y;
            }
        }
        let (size, point) = best;
        let rows = if x[0] > 0.0 {
            (&x[1..], 1.0)
        } else {
            (&x[..2], 2.0)
        };
        let sum: f64 = rows.0.iter().map(|v| v * v).sum();
        size * norm(point, t.2.0) + t.1.y * *t.2.0 + sum * rows.1 + (t.2.1 as f64) * t.1.x
    }
}

mod jumps {
    use super::*;

    #[differentiable]
    fn first<'a>(x: &'a [f64], y: &'a f64) -> f64 {
        let (k, v) = 'found: {
            for i in 0..x.len() {
                if x[i] < 0.0 {
                    break 'found (i, &x[i]);
                }
            }
            (7, y)
        };
        *v * v * k as f64
    }

    #[differentiable]
    pub fn f(x: &[f64]) -> f64 {
        let (w, v) = match x.len() {
            0 => return 1.0,
            1 => (&1.5, x[0]),
            _ => (&x[1], x[2]),
        };
        first(x, w) + first(&x[..2], w) * w + v
    }
}
