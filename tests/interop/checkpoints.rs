//! Values of other crates in the state of a loop that keeps snapshots.

use crate::check;
use differentiable::ad::HeapSize;
use differentiable::prelude::*;
use glam::DVec3;
use nalgebra::{DVector, Matrix2, Vector2};
use ndarray::{Array1, arr1};

#[derive(Clone, Differentiable, HeapSize)]
struct State<T> {
    position: DVec3,
    turned: Vector2<f64>,
    lengths: DVector<f64>,
    heights: Array1<f64>,
    #[constant]
    label: String,
    more: T,
}

#[derive(Clone, Differentiable, HeapSize)]
enum Kind {
    Point,
    Line(Vec<f64>),
    Box { side: Array1<f64> },
}

#[test]
fn sizes() {
    let mut state = State {
        position: DVec3::ONE,
        turned: Vector2::new(1.0, 2.0),
        lengths: DVector::zeros(3),
        heights: Array1::zeros(5),
        label: "four".to_string(),
        more: Kind::Point,
    };
    assert_eq!(state.heap_size(), 24 + 40 + 4);
    state.more = Kind::Line(vec![0.0; 2]);
    assert_eq!(state.heap_size(), 68 + 16);
    state.more = Kind::Box {
        side: Array1::zeros(1),
    };
    assert_eq!(state.heap_size(), 68 + 8);
}

macro_rules! steps { ($($at:tt)*) => {
    #[differentiable]
    pub fn run(start: &Array1<f64>, p: DVec3, k: f64, n: usize) -> f64 {
        let mut s = State {
            position: p,
            turned: Vector2::new(k, 1.0),
            lengths: DVector::from_vec(vec![k, 2.0]),
            heights: start.clone(),
            label: String::new(),
            more: k,
        };
        let turn = Matrix2::new(1.0, -0.1 * k, 0.1 * k, 1.0);
        $($at)*
        for _ in 0..n {
            s.position = s.position + s.position.cross(p) * (0.1 * k);
            s.turned = turn * s.turned;
            s.lengths = &s.lengths * (1.0 + 0.01 * s.turned[0]);
            s.heights = (&s.heights * k).sin() + s.position.x;
            s.more = s.more * 0.9 + s.heights[1];
        }
        s.position.dot(p) + s.turned[1] + s.lengths.sum() + s.heights.sum() + s.more
    }
} }

mod plain {
    use super::*;
    steps!();
}
mod kept {
    use super::*;
    steps!(#[checkpoint(memory = 1500)]);
}

#[test]
fn gradients_with_snapshots() {
    let (start, p) = (arr1(&[0.3, -0.2, 0.5]), DVec3::new(0.4, 1.0, -0.3));
    for n in [0, 1, 7, 20] {
        check::<kept::run, _>(&(start.clone(), p, 0.7, n));
        let found = kept::run::grad(&start, p, 0.7, n);
        let expected = plain::run::grad(&start, p, 0.7, n);
        assert_eq!(
            (found.0, found.1, found.2),
            (expected.0, expected.1, expected.2)
        );
    }
}
