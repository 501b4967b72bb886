//! Entries of a sequence moved about, added and taken out.

use crate::check;
use differentiable::prelude::*;

mod all {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let mut v = vec![x, x * x, x.sin(), w[0], w[1] * x];
        v.rotate_left(2);
        v[0] *= x;
        v.rotate_right(1);
        v.copy_within(1..3, 0);
        v.copy_within(..2, 3);
        let tail = v.split_off(3);
        let mut z = [tail, v.clone(), w.to_vec()].concat();
        z.retain(|u| *u > 0.1);
        z.retain(|&q| q < 100.0);
        let mut s = 0.0;
        for q in z.drain(1..3) {
            s += q * q * x;
        }
        let r: Vec<f64> = z.drain(..=1).map(|q| q * x).collect();
        v.sort_by(|a, b| b.partial_cmp(a).unwrap());
        for (i, q) in v.iter().enumerate() {
            s += q * (i + 1) as f64;
        }
        let rows = vec![vec![x, s], vec![x * s], r];
        let flat = rows.concat();
        for q in z.iter() {
            s *= *q;
        }
        z.drain(..);
        flat.iter().map(|q| q.sin()).sum::<f64>() * s + z.len() as f64
    }
    #[test]
    fn many_at_once() {
        check::<f, _>(&(1.3, vec![0.2, 0.7, 0.4]));
    }
}

mod sorted {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let mut v = vec![x, x * x, x.sin(), w[0], w[1] * x];
        v.sort_by(|a, b| b.partial_cmp(a).unwrap());
        v[0] * v[2]
    }
    #[test]
    fn sorted_by_value() {
        check::<f, _>(&(1.3, vec![0.2, 0.7, 0.4]));
    }

    #[differentiable]
    fn by_keys(w: &[f64]) -> f64 {
        let mut v = w.to_vec();
        v.sort_unstable_by(|a, b| b.partial_cmp(a).unwrap());
        let mut pairs: Vec<(f64, usize)> =
            v.iter().enumerate().map(|(i, a)| (*a, i * 7 % 4)).collect();
        pairs.sort_unstable_by_key(|p| p.1);
        v.sort_unstable_by(f64::total_cmp);
        pairs[0].0 * pairs[1].0 * v[0] - pairs[2].0 * v[3]
    }
    #[test]
    fn sorted_by_keys() {
        check::<by_keys, _>(&(vec![0.2, 0.7, 0.4, -0.3],));
    }
}

mod drained {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let mut v = vec![x, x * x, x.sin(), w[0], w[1] * x];
        let r: Vec<f64> = v.drain(..=1).map(|q| q * x).collect();
        v.drain(1..);
        v[0] * r[0] * r[1]
    }
    #[test]
    fn drained() {
        check::<f, _>(&(1.3, vec![0.2, 0.7, 0.4]));
    }
}

mod kept {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let mut z = vec![x, x * x, x.sin(), w[0], w[1] * x];
        z.retain(|u| *u > 0.1);
        z.retain(|&q| q < 100.0);
        z.iter().product()
    }
    #[test]
    fn retained() {
        check::<f, _>(&(1.3, vec![0.2, 0.7, 0.4]));
    }
}

mod joined {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let z = [vec![x], vec![x * x], w.to_vec()].concat();
        let rows = vec![vec![x, z[1]], vec![x * z[2]], w.to_vec()];
        let flat = rows.concat();
        flat.iter().product::<f64>() * z.iter().sum::<f64>()
    }
    #[test]
    fn concatenated() {
        check::<f, _>(&(1.3, vec![0.2, 0.7, 0.4]));
    }
}

mod extended {
    use super::*;

    #[differentiable]
    fn f(x: f64, w: &[f64]) -> f64 {
        let mut v = vec![x];
        v.extend(vec![x, x * x]);
        v.extend(w.iter().cloned());
        v.extend(w.iter().copied());
        v.extend(w.iter().map(|u| u * x));
        v.extend([x, 2.0 * x]);
        v.extend(&[x, 3.0 * x]);
        let tail = vec![x.sin(); 2];
        v.extend(&tail);
        v.extend(tail);
        v.extend(w);
        v.extend(w.iter());
        let z = w.to_vec();
        v.extend(z.into_iter().map(|q| q.sin()));
        v.extend(w.iter().filter(|u| **u > 0.5).map(|u| u.cos()));
        let mut s = 0.0;
        for i in 0..v.len() {
            s += v[i] * v[i] * (i + 1) as f64;
        }
        s
    }
    #[test]
    fn extended() {
        check::<f, _>(&(1.3, vec![1.0, 0.3]));
    }
}

mod inserted {
    use super::*;

    #[differentiable]
    fn f(x: f64, k: usize) -> f64 {
        let mut v = vec![x, x * x];
        v.insert(k, x * 3.0);
        v[0] + v[1] * v[2]
    }
    #[test]
    fn inserted() {
        check::<f, _>(&(1.4, 2));
    }
    #[test]
    #[should_panic(expected = "insertion index")]
    fn an_index_behind_the_end() {
        f::grad(1.4, 3);
    }
}

mod structs {
    use super::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct P {
        x: f64,
        y: f64,
    }
    #[differentiable]
    fn vecstruct(x: f64) -> f64 {
        let mut v = vec![P { x, y: 2.0 }; 3];
        v[1].x = x * x;
        v[2] = P { x: v[1].x, y: x };
        for p in v.iter_mut() {
            p.y *= p.x;
        }
        for p in &mut v {
            p.x += p.y;
        }
        v.iter().map(|p| p.x * p.y).sum()
    }
    #[test]
    fn structs_changed_by_field() {
        check::<vecstruct, _>(&(1.3,));
    }
}

mod fields {
    use super::*;

    #[derive(Clone, Copy, Debug, Differentiable)]
    struct P {
        x: f64,
        y: f64,
    }
    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut v = vec![P { x, y: 2.0 }; 3];
        v[2].y += v[1].x;
        v[2].y -= v[2].x * v[2].y;
        v[2].y * x
    }
    #[test]
    fn one_field_added_to_another() {
        check::<f, _>(&(1.3,));
    }
}
