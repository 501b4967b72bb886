//! What is in a `Box`: `*b` read and written, fields and elements behind it.

use crate::check;
use differentiable::prelude::*;

mod read {
    use super::*;

    #[differentiable]
    fn boxed(x: f64) -> f64 {
        let b = Box::new(x * x);
        *b * x
    }
    #[test]
    fn a_local() {
        check::<boxed, _>(&(1.3,));
    }
}

mod squared {
    use super::*;

    #[differentiable]
    fn boxed2(b: Box<f64>) -> f64 {
        *b * *b
    }
    #[test]
    fn a_parameter() {
        check::<boxed2, _>(&(Box::new(1.3),));
    }
}

mod fields {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    struct P {
        x: f64,
        y: f64,
    }
    #[differentiable]
    fn boxed3(x: f64, b: Box<P>) -> f64 {
        let mut c = Box::new(P { x, y: x * b.y });
        c.x += b.x * c.y;
        *c = P {
            x: c.x * c.y,
            y: c.x,
        };
        let r = &*c;
        r.x * r.y
    }
    #[test]
    fn of_a_struct() {
        check::<boxed3, _>(&(1.2, Box::new(P { x: 1.3, y: 0.4 })));
    }
}

mod written {
    use super::*;

    #[differentiable]
    fn boxed4(x: f64) -> f64 {
        let mut b = Box::new(x * x);
        *b = *b * x;
        *b += x.sin();
        let y = *b;
        let z = y * *b;
        b = Box::new(z);
        (*b).sin() * (*b).cos()
    }
    #[test]
    fn changed() {
        check::<boxed4, _>(&(1.3,));
    }
}

mod slices {
    use super::*;

    #[differentiable]
    fn boxed5(b: Box<[f64]>, v: Box<Vec<f64>>) -> f64 {
        let mut s = 0.0;
        for i in 0..b.len() {
            s += b[i] * v[i];
        }
        for x in b.iter() {
            s += x * x;
        }
        s + v.iter().sum::<f64>()
    }
    #[test]
    fn of_sequences() {
        check::<boxed5, _>(&(vec![1.3, 0.2].into_boxed_slice(), Box::new(vec![0.4, 0.5])));
    }
}

mod lent {
    use super::*;

    #[differentiable]
    fn boxed6(b: &Box<f64>, x: f64) -> f64 {
        let y = &**b;
        **b * y * x
    }
    #[differentiable]
    fn boxed7(x: f64) -> f64 {
        let b = Box::new(x * x);
        boxed6(&b, x)
    }
    #[test]
    fn behind_a_reference() {
        check::<boxed7, _>(&(1.3,));
    }
}

mod nested {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    struct P {
        x: f64,
        y: f64,
        rows: Vec<Vec<f64>>,
        next: Option<Box<f64>>,
        b: Box<f64>,
        o: Option<f64>,
    }
    #[differentiable]
    fn f(p: &P, ps: &[P]) -> f64 {
        let mut s = *p.b;
        for row in &p.rows {
            for v in row {
                s += *v * *v;
            }
        }
        for q in ps {
            s += *q.b * q.x;
            for row in q.rows.iter() {
                s += row.iter().map(|v| *v * *p.b).sum::<f64>();
                for (i, v) in row.iter().enumerate() {
                    s += *v * i as f64;
                }
            }
            if let Some(n) = &q.next {
                s += **n * q.y;
            }
            if let Some(z) = &q.o {
                s += *z;
            }
            match q.next {
                Some(ref n) => s *= **n,
                None => {}
            }
        }
        s
    }
    #[test]
    fn in_structs() {
        let p = P {
            x: 1.2,
            y: 0.3,
            rows: vec![vec![0.2, 0.3], vec![0.7]],
            next: Some(Box::new(0.6)),
            b: Box::new(0.9),
            o: Some(0.4),
        };
        check::<f, _>(&(
            p.clone(),
            vec![
                p.clone(),
                P {
                    next: None,
                    o: None,
                    ..p.clone()
                },
            ],
        ));
    }
}

mod lists {
    use super::*;

    #[derive(Clone, Debug, Differentiable)]
    struct Node {
        v: f64,
        next: Option<Box<Node>>,
    }
    #[differentiable]
    fn total(n: &Node) -> f64 {
        n.v * n.v
            + match &n.next {
                Some(m) => total(m) * n.v,
                None => 0.0,
            }
    }
    #[differentiable]
    fn total2(n: &Node) -> f64 {
        n.v * n.v
            + match &n.next {
                Some(m) => {
                    let m2 = &**m;
                    total2(m2) * n.v
                }
                None => 0.0,
            }
    }
    #[test]
    fn linked_lists() {
        let n = Node {
            v: 0.3,
            next: Some(Box::new(Node { v: 0.7, next: None })),
        };
        check::<total, _>(&(n.clone(),));
        check::<total2, _>(&(n,));
    }
}

mod generic {
    use super::*;

    #[differentiable]
    fn f<T: differentiable::ad::Scalar>(x: &[T], b: Box<T>) -> T {
        let mut s = x[0];
        for v in x.iter() {
            s += *v * *b;
        }
        for v in x {
            s = s + *v;
        }
        x.iter().zip(x).map(|(a, c)| *a * *c).fold(s, |a, b| a * b)
    }
    #[differentiable]
    fn g(x: &[f64], b: Box<f64>) -> f64 {
        f(x, b)
    }
    #[test]
    fn of_any_number() {
        check::<g, _>(&(vec![0.3, 0.4], Box::new(0.3)));
    }
}

mod mutably {
    use super::*;

    #[differentiable]
    fn g(b: &mut Box<f64>, x: f64) {
        **b *= x;
        **b += **b * x;
        let r = &mut **b;
        *r = *r * 2.0;
    }
    #[differentiable]
    fn f(x: f64) -> f64 {
        let mut b = Box::new(x);
        for _ in 0..3 {
            g(&mut b, x);
            *b -= 0.1 * *b * *b;
        }
        let c = *b;
        *b = 2.0;
        c * *b
    }
    #[test]
    fn lent_mutably() {
        check::<f, _>(&(0.3,));
    }
}
