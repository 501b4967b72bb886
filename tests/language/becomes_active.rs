//! Values that are constant where they are declared, and carry a derivative because of what is stored
//! in them later, directly or through a reference.

use crate::check;
use differentiable::prelude::*;

#[derive(Clone, Debug, Default, PartialEq, Differentiable)]
struct Buf {
    n: usize,
    data: Vec<f64>,
    total: f64,
}
#[differentiable]
impl Buf {
    fn new(n: usize) -> Self {
        Buf {
            n,
            data: vec![0.0; n],
            total: 0.0,
        }
    }
    fn set(&mut self, i: usize, v: f64) {
        self.data[i] = v;
        self.total += v;
    }
    fn add_all(&mut self, xs: &[f64]) {
        for (d, x) in self.data.iter_mut().zip(xs) {
            *d += x;
        }
    }
    fn fill_into(&self, out: &mut [f64], k: f64) {
        for o in out.iter_mut() {
            *o = k * self.n as f64;
        }
    }
    fn bump(&mut self, v: f64) -> f64 {
        self.total += v * v;
        self.total
    }
}
#[differentiable]
fn store(out: &mut [f64], x: f64) {
    out[0] = x * x;
}
#[differentiable]
fn by_a_method(x: f64) -> f64 {
    let mut b = Buf::new(3);
    b.set(1, x);
    b.data[1] * b.total
}
#[differentiable]
fn by_a_loop_in_a_method(xs: &[f64]) -> f64 {
    let mut b = Buf::new(3);
    b.add_all(xs);
    b.data.iter().map(|v| v * v).sum()
}
#[differentiable]
fn lent_to_a_method(x: f64) -> f64 {
    let b = Buf::new(3);
    let mut out = vec![0.0; 4];
    b.fill_into(&mut out, x);
    out[2] * out[3]
}
#[differentiable]
fn used_as_it_changes(x: f64) -> f64 {
    let mut b = Buf::default();
    let y = b.bump(x);
    y + b.total * b.bump(2.0)
}
#[differentiable]
fn slice_lent_to_a_function(x: f64) -> f64 {
    let mut m = vec![0.0; 6];
    let row = &mut m[2..4];
    store(row, x);
    m[2] * 3.0
}
#[differentiable]
fn last_entry(x: f64) -> f64 {
    let mut m = vec![0.0; 6];
    if let Some(l) = m.last_mut() {
        *l = x * x;
    }
    m[5]
}
#[differentiable]
fn halves(x: f64) -> f64 {
    let mut m = [0.0; 4];
    let (a, b) = m.split_at_mut(2);
    a[0] = x;
    b[1] = x * x;
    m[0] * m[3]
}
#[differentiable]
fn rows_and_entries(x: f64) -> f64 {
    let mut m = vec![vec![0.0; 3]; 2];
    for row in m.iter_mut() {
        for (j, c) in row.iter_mut().enumerate() {
            *c = x * j as f64;
        }
    }
    m[1][2] * m[0][1]
}
#[differentiable]
fn by_for_each(x: f64) -> f64 {
    let mut m = vec![0.0; 4];
    m.iter_mut().for_each(|v| *v += x * x);
    m.iter().sum()
}
#[differentiable]
fn struct_in_a_vector(x: f64) -> f64 {
    let mut bs = vec![Buf::new(2), Buf::new(2)];
    bs[1].set(0, x);
    for b in bs.iter_mut() {
        b.set(1, x * x);
    }
    bs.iter().map(|b| b.total).sum()
}
#[differentiable]
fn struct_in_an_option(x: f64) -> f64 {
    let mut o: Option<Buf> = Some(Buf::new(2));
    if let Some(b) = &mut o {
        b.set(0, x);
    }
    match o {
        Some(b) => b.total * b.total,
        None => 0.0,
    }
}
#[differentiable]
fn struct_in_a_tuple(x: f64) -> f64 {
    let mut t = (0.0, Buf::new(2));
    t.1.set(0, x);
    t.0 += x;
    t.0 * t.1.total
}
#[differentiable]
fn by_a_closure(x: f64) -> f64 {
    let mut total = 0.0;
    let mut add = |v: f64| total += v * x;
    add(2.0);
    add(x);
    total
}
#[differentiable]
fn swapped_in(x: f64) -> f64 {
    let mut v = Vec::new();
    v.push(0.0);
    v[0] = x;
    let mut w = vec![1.0];
    std::mem::swap(&mut v, &mut w);
    w[0] * v[0]
}
#[differentiable]
fn filled_and_copied(x: f64) -> f64 {
    let mut a = [0.0; 3];
    a.fill(x);
    let mut b = [0.0; 3];
    b.copy_from_slice(&a);
    b.swap(0, 1);
    b[0] * b[2]
}
#[differentiable]
fn entry_if_there(x: f64) -> f64 {
    let mut a = vec![0.0; 3];
    if let Some(v) = a.get_mut(1) {
        *v = x;
    }
    a[1] * a[1]
}
#[differentiable]
fn chunks(x: f64) -> f64 {
    let mut a = vec![0.0; 4];
    for c in a.chunks_mut(2) {
        c[0] = x;
        c[1] = x * x;
    }
    a[2] * a[3]
}
#[differentiable]
fn by_a_reference(x: f64) -> f64 {
    let mut a = 0.0;
    let r = &mut a;
    *r = x;
    *r += x * x;
    a
}
#[differentiable]
fn entry_at_once(x: f64) -> f64 {
    let mut a = vec![1.0, 2.0];
    *a.last_mut().unwrap() = x;
    *a.first_mut().unwrap() += x;
    a[0] * a[1]
}
#[derive(Clone, Debug, Differentiable)]
struct Sim {
    a: Buf,
    b: Buf,
}
#[differentiable]
impl Sim {
    fn go(&mut self, x: f64) {
        self.a.set(0, x);
        let b = &mut self.b;
        b.set(1, x * self.a.total);
    }
}
#[differentiable]
fn parts_of_a_struct(x: f64) -> f64 {
    let mut s = Sim {
        a: Buf::new(2),
        b: Buf::new(2),
    };
    s.go(x);
    {
        let inner = &mut s.a;
        inner.set(1, x);
    }
    s.a.total * s.b.total
}
#[differentiable]
fn by_a_reference_to_a_struct(x: f64) -> f64 {
    let mut b = Buf::new(2);
    {
        let c = &mut b;
        c.set(0, x);
        c.total *= x;
    }
    b.total
}
#[differentiable]
fn grows(x: f64, buf: &mut Vec<f64>) -> f64 {
    buf.push(x * x);
    buf.extend_from_slice(&[x, 1.0]);
    buf.iter().sum()
}
#[differentiable]
fn grown_twice(x: f64) -> f64 {
    let mut buf = Vec::with_capacity(3);
    grows(x, &mut buf);
    let y = grows(x, &mut buf);
    buf[0] * y + buf.len() as f64
}
#[test]
fn what_becomes_active() {
    check::<by_a_method, _>(&(1.3,));
    check::<by_a_loop_in_a_method, _>(&(vec![1.0, 2.0, 0.3],));
    check::<lent_to_a_method, _>(&(1.3,));
    check::<used_as_it_changes, _>(&(1.3,));
    check::<slice_lent_to_a_function, _>(&(1.3,));
    check::<last_entry, _>(&(1.3,));
    check::<halves, _>(&(1.3,));
    check::<rows_and_entries, _>(&(1.3,));
    check::<by_for_each, _>(&(1.3,));
    check::<struct_in_a_vector, _>(&(1.3,));
    check::<struct_in_an_option, _>(&(1.3,));
    check::<struct_in_a_tuple, _>(&(1.3,));
    check::<by_a_closure, _>(&(1.3,));
    check::<swapped_in, _>(&(1.3,));
    check::<filled_and_copied, _>(&(1.3,));
    check::<entry_if_there, _>(&(1.3,));
    check::<chunks, _>(&(1.3,));
    check::<by_a_reference, _>(&(1.3,));
    check::<entry_at_once, _>(&(1.3,));
    check::<parts_of_a_struct, _>(&(1.3,));
    check::<by_a_reference_to_a_struct, _>(&(1.3,));
    check::<grown_twice, _>(&(1.3,));
}
