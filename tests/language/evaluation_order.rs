//! Operands are evaluated from left to right, also where a later one changes an earlier one.

use crate::check;
use differentiable::prelude::*;

#[derive(Clone, Debug, Differentiable)]
struct Acc {
    t: f64,
    k: usize,
}
#[differentiable]
impl Acc {
    fn next(&mut self, v: f64) -> f64 {
        self.t = self.t * v + 1.0;
        self.k += 1;
        self.t
    }
    fn idx(&mut self) -> usize {
        self.k += 1;
        self.t *= 2.0;
        self.k % 3
    }
    fn own(&mut self) -> f64 {
        self.t * self.next(2.0) + self.t
    }
    fn pair(&mut self, x: f64) -> (f64, f64, f64) {
        (self.t, self.next(x), self.t)
    }
    fn arr(&mut self, x: f64) -> [f64; 3] {
        [self.t, self.next(x), self.t]
    }
}
#[differentiable]
fn bump(s: &mut f64) -> f64 {
    *s = *s * 1.5;
    *s + 1.0
}
#[differentiable]
fn three(a: f64, b: f64, c: f64) -> f64 {
    a + 2.0 * b + 3.0 * c
}
#[differentiable]
fn arguments(x: f64) -> f64 {
    let mut a = Acc { t: x, k: 0 };
    three(a.t, a.next(x), a.t)
}
#[differentiable]
fn entries(x: f64) -> f64 {
    let mut a = Acc { t: x, k: 0 };
    let [p, q, r] = [a.t, a.next(x), a.t];
    p + 2.0 * q + 3.0 * r + a.own()
}
#[differentiable]
fn tuples_and_arrays(x: f64) -> f64 {
    let mut a = Acc { t: x, k: 0 };
    let p = a.pair(x);
    let q = a.arr(x);
    p.0 + 2.0 * p.1 + 3.0 * p.2 + q[0] * 4.0 + q[1] * 5.0 + q[2] * 6.0
}
#[differentiable]
fn index(x: f64) -> f64 {
    let mut a = Acc { t: x, k: 0 };
    let v = [x, x * x, 3.0];
    let (i, j) = (a.idx(), a.idx());
    v[i] * a.t + v[j] * v[i]
}
#[differentiable]
fn popped(x: f64) -> f64 {
    let mut v = vec![x, 2.0 * x, 3.0 * x];
    let n = v.len();
    v[n - 2] - v.pop().unwrap() * v[0] - v.pop().unwrap()
}
#[differentiable]
fn lent_again(k: &mut f64) -> f64 {
    *k * bump(k) + *k * bump(k) - three(*k, bump(k), *k)
}
#[differentiable]
fn lent(x: f64) -> f64 {
    let mut k = x;
    lent_again(&mut k) + k
}
#[differentiable]
fn compound_assignment(x: f64) -> f64 {
    let mut a = Acc { t: x, k: 0 };
    a.t += a.next(x);
    a.t *= a.next(0.5) + a.t;
    a.t.max(a.next(x))
}
#[differentiable]
fn closure(x: f64) -> f64 {
    let mut t = x;
    let mut add = |v: f64| {
        t += v;
        t * v
    };
    add(x) + add(2.0) * add(x)
}
#[differentiable]
fn struct_literals(x: f64) -> f64 {
    let mut a = Acc { t: x, k: 0 };
    let b = Acc { t: a.t, k: a.idx() };
    let s = Acc { k: a.idx(), t: a.t };
    b.t + s.t + s.k as f64
}
#[differentiable]
fn lists(x: f64) -> f64 {
    let mut a = Acc { t: x, k: 0 };
    let v = vec![a.t, a.next(x), a.t];
    let w: Vec<f64> = (0..3).map(|_| a.t * a.next(x)).collect();
    v[0] + v[1] * w[2] + w[0] * v[2]
}
#[differentiable]
fn condition(x: f64) -> f64 {
    let mut a = Acc { t: x, k: 0 };
    let q = a.t;
    let m = a.next(x);
    let n = q < m;
    if n && a.t > 0.0 {
        a.t - a.next(1.0)
    } else {
        a.t
    }
}
#[differentiable]
fn blocks(x: f64) -> f64 {
    let mut a = Acc { t: x, k: 0 };
    let y = {
        a.next(x);
        a.t
    } * a.t;
    let z = a.t * {
        let q = a.next(x);
        if q > 0.0 { a.t } else { 1.0 }
    };
    y - z
}
#[differentiable]
fn assigned_in_operands(x: f64) -> f64 {
    let mut s = x;
    let y = s * {
        s *= 2.0;
        s
    };
    let z = s * match bump(&mut s) {
        t if t > 0.0 => s,
        t => t,
    };
    y + z
}
#[differentiable]
fn in_a_loop(x: f64, n: usize) -> f64 {
    let mut a = Acc { t: x, k: 0 };
    for _ in 0..n {
        a.t = a.t + a.next(x) * a.t;
        let old = a.t;
        a.next(old);
        a.t -= old * a.next(0.1);
    }
    a.t
}
#[test]
fn evaluation_order() {
    check::<arguments, _>(&(1.3,));
    check::<entries, _>(&(1.3,));
    check::<tuples_and_arrays, _>(&(1.3,));
    check::<index, _>(&(1.3,));
    check::<popped, _>(&(1.3,));
    check::<lent, _>(&(1.3,));
    check::<compound_assignment, _>(&(1.3,));
    check::<closure, _>(&(1.3,));
    check::<struct_literals, _>(&(1.3,));
    check::<lists, _>(&(1.3,));
    check::<condition, _>(&(1.3,));
    check::<blocks, _>(&(1.3,));
    check::<assigned_in_operands, _>(&(1.3,));
    check::<in_a_loop, _>(&(0.3, 3));
}

#[derive(Clone, Debug, Differentiable)]
struct Account {
    sum: f64,
    v: Vec<f64>,
}
#[differentiable]
impl Account {
    fn add(&mut self, x: f64) {
        self.sum += x;
        self.v[0] *= x;
    }
    fn added(&mut self, x: f64) -> f64 {
        self.sum += x;
        self.sum
    }
}
#[differentiable]
fn twice(a: f64, b: f64) -> f64 {
    a * b * b
}
#[differentiable]
fn by_closures(x: f64) -> f64 {
    let mut a = Account {
        sum: 0.0,
        v: vec![x],
    };
    let mut g = |t: f64| {
        a.add(t);
        a.sum
    };
    let s = g(1.0) * g(x) + g(1.0) + twice(g(1.0), g(x)) + g(0.3).max(g(-0.2));
    let k = [g(0.1), g(x), g(x)];
    let mut q = |t: f64| {
        a.add(t);
        a.v[0]
    };
    let r: Vec<f64> = k.iter().map(|t| q(*t * 0.1) * q(0.5)).collect();
    let last = (q(0.5) - q(x)).abs().powf(q(0.3).abs());
    s * k[0] + r[0] + r[1] + last + a.added(a.sum) * a.added(a.v[0])
}

#[test]
fn closures_that_change_what_they_read() {
    check::<by_closures, _>(&(0.7,));
}

/// The bounds of a part are evaluated once, before the loop over it, whatever the loop changes.
mod parts_that_loops_go_over {
    use differentiable::ad::check_grads;
    use differentiable::prelude::*;

    /// A generator of indices and numbers.
    #[derive(Clone, Debug)]
    struct Draws {
        at: usize,
    }

    impl Draws {
        fn index(&mut self, below: usize) -> usize {
            self.at = (5 * self.at + 3) % 7;
            self.at % below
        }
    }

    #[differentiable]
    fn drawn(x: &[f64], k: f64) -> f64 {
        let mut draws = Draws { at: 4 };
        let mut t = k;
        for a in x[..draws.index(4) + 1].iter() {
            t *= 1.0 + a;
        }
        for a in &x[draws.index(3)..] {
            t *= 1.0 + a * k;
        }
        let sum: f64 = x[draws.index(2)..draws.index(2) + 2]
            .iter()
            .map(|a| a * t)
            .sum();
        t + sum
    }

    #[differentiable]
    fn moving(x: &[f64], rows: &[Vec<f64>], k: f64) -> f64 {
        let (mut n, mut t) = (1, k);
        for a in &x[n..] {
            t *= 1.0 + a;
            n += 1;
        }
        n -= 3;
        for (i, a) in x[..=n].iter().enumerate() {
            t += a * a * i as f64;
            n = 0;
        }
        for a in &rows[n] {
            t *= 1.0 + a * a;
            n = 1;
        }
        for (a, b) in rows[n].iter().zip(&x[n..]) {
            t += a * b * t;
            n += 1;
        }
        t * n as f64
    }

    #[differentiable]
    fn blocks(x: &[f64], sizes: &[usize]) -> f64 {
        let (mut start, mut t) = (0, 1.0);
        for size in sizes {
            let mut sum = 0.0;
            for a in &x[start..start + size] {
                sum += a * a * t;
            }
            start += size;
            t += sum.sin();
        }
        t
    }

    trait Taken {
        fn taken(self) -> usize;
    }

    impl Taken for &mut Draws {
        fn taken(self) -> usize {
            self.index(4)
        }
    }

    /// A method by value of a mutable reference changes what that leads to.
    #[differentiable]
    fn taken(x: &[f64], k: f64) -> f64 {
        let mut draws = Draws { at: 2 };
        draws.at = 3;
        let mut v = x.to_vec();
        v[draws.taken()] = k * draws.taken() as f64;
        v[draws.taken()] += k * x[draws.taken()];
        v[0] * v[1] + v[2] * v[3]
    }

    #[test]
    fn bounds_are_evaluated_once() {
        let x = vec![0.3, 0.6, 0.8, -0.4];
        let rows = vec![vec![0.4, -0.2, 0.5], vec![0.7, 0.1, -0.3]];
        check_grads::<drawn, _>(&(x.clone(), 0.6)).unwrap();
        check_grads::<moving, _>(&(x.clone(), rows.clone(), 0.6)).unwrap();
        check_grads::<blocks, _>(&(x.clone(), vec![1, 2, 1])).unwrap();
        check_grads::<taken, _>(&(x.clone(), 0.6)).unwrap();
        assert_eq!(drawn(&x, 0.6), drawn::value_and_grad(&x, 0.6).0);
        assert_eq!(
            moving(&x, &rows, 0.6),
            moving::value_and_grad(&x, &rows, 0.6).0
        );
        assert_eq!(taken(&x, 0.6), taken::value_and_grad(&x, 0.6).0);
    }
}
