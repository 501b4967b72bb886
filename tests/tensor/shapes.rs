//! Every operation with the shape it infers. The stated types verify; none of them is needed.

use differentiable::prelude::*;
use differentiable::shape::arith::{DivExact, Minus, Plus, Times, Window};
use std::marker::PhantomData;

dim!(Batch, Time);

const B: Batch = Batch(2);
const T: Time = Time(3);

#[test]
fn products() {
    let a: Tensor![Batch, 6] = Tensor::zeros_with((B, Sz));
    let x4: Tensor![Batch, 2, 4, 6] = Tensor::zeros_with((B, Sz, Sz, Sz));
    let y4: Tensor![Batch, 2, 6, 5] = Tensor::zeros_with((B, Sz, Sz, Sz));
    let (w, v): (Tensor![6, 5], Tensor![6]) = (Tensor::zeros(), Tensor::zeros());
    let _: Tensor![Batch, 5] = a.matmul(&w);
    let _: Tensor![Batch, 2, 4, 5] = x4.matmul(&y4);
    let _: Tensor![Batch, 2, 4, 5] = x4.matmul(&w);
    let _: Tensor![5] = v.matmul(&w);
    let _: Tensor![Batch] = a.matmul(&v);
}

#[test]
fn axes() {
    let x4: Tensor![Batch, 2, 4, 6] = Tensor::zeros_with((B, Sz, Sz, Sz));
    let _: Tensor![Batch, 4, 2, 6] = x4.transpose::<1, 2>();
    let _: Tensor![4, 2, 6, Batch] = x4.permute::<2, 1, 3, 0>();
    let _: Tensor![Batch, 2, 24] = x4.merge_last();
    let _: Tensor![Batch, 48] = x4.flatten();
    let _: Tensor![Batch, 2, 4, 3, 2] = x4.split_last::<3>();
    let _: Tensor![Batch, 2, 1, 4, 6] = x4.unsqueeze::<2>();
    let _: Tensor![Batch, 2, 4, 6] = x4.unsqueeze::<-1>().squeeze::<4>();
    let _: Tensor![Batch, 4, 12] = x4.reshape();
    let x6: Tensor![1, 2, 3, 4, 5, 6] = Tensor::zeros();
    let _: Tensor![6, 5, 4, 3, 2, 1] = x6.permute::<5, 4, 3, 2, 1, 0>();
}

#[test]
fn joining_and_taking_apart() {
    let (a, b): (Tensor![Batch, 6], Tensor![Batch, 8]) =
        (Tensor::zeros_with((B, Sz)), Tensor::zeros_with((B, Sz)));
    let _: Tensor![Batch, 14] = a.concat::<1, _>(&b);
    let _: Tensor![Batch, 14] = a.concat::<-1, _>(&b);
    let (_l, _r): (Tensor![Batch, 2], Tensor![Batch, 4]) = a.split_at::<1, 2>();
    let [_p, _q]: [Tensor![Batch, 4]; 2] = b.chunk::<1, 2>();
    let _: Tensor![Batch, 3] = b.slice::<1, 2, 3>();
    let _: Tensor![Batch, 3, 6] = Tensor::stack::<1, 3>(&[a.clone(), a.clone(), a]);
}

#[test]
fn reductions_and_indices() {
    let x: Tensor![Batch, 4, 6] = Tensor::zeros_with((B, Sz, Sz));
    let _: Tensor![] = x.sum();
    let _: Tensor![Batch, 6] = x.mean_axis::<1>();
    let _: Tensor![Batch, 1, 6] = x.mean_axis_keepdim::<1>();
    let _: Tensor![i64; Batch, 4] = x.argmax::<-1>();
    let ids: Tensor![i64; Batch, Time] = Tensor::zeros_with((B, T));
    let table: Tensor![50257, 8] = Tensor::zeros();
    let _: Tensor![Batch, Time, 8] = table.embedding(&ids);
}

#[test]
fn broadcasting() {
    let x: Tensor![Batch, 4, 6] = Tensor::zeros_with((B, Sz, Sz));
    let m: Tensor![4, 6] = Tensor::zeros();
    let v: Tensor![6] = Tensor::zeros();
    let _: Tensor![Batch, 4, 6] = &x + &m;
    let _: Tensor![Batch, 4, 6] = &m * &x;
    let _: Tensor![Batch, 4, 6] = &x - &v;
    let _: Tensor![Batch, 4, 6] = &x + x.sum();
    let _: Tensor![Batch, 4, 6] = &x - x.mean_axis_keepdim::<1>().expand::<1, _>(x.shape().1);
}

/// Generic over any dimensions, without where clauses.
fn layer_norm<A: Dim, B: Dim, D: Dim>(
    x: &Tensor![A, B, D],
    g: &Tensor![D],
    b: &Tensor![D],
) -> Tensor![A, B, D] {
    let c = x - x.mean_axis_keepdim::<-1>().expand::<-1, _>(x.shape().2);
    let var = (&c * &c)
        .mean_axis_keepdim::<-1>()
        .expand::<-1, _>(x.shape().2);
    c / (var + 1e-5).sqrt() * g + b
}

fn residual<S: Shape>(x: Tensor<S>, f: impl Fn(&Tensor<S>) -> Tensor<S>) -> Tensor<S> {
    let y = f(&x);
    x + y
}

/// Arithmetic on constant parameters needs one clause for each operation.
fn join<B: Dim, const M: usize, const N: usize>(
    x: &Tensor![B, { M }],
    y: &Tensor![B, { N }],
) -> Tensor![B, ({ M } + { N })]
where
    Sz<M>: Plus<Sz<N>>,
{
    x.concat::<1, _>(y)
}

#[test]
fn generic_functions() {
    let x: Tensor![Batch, 2, 4] = Tensor::randn_with((B, Sz, Sz), 1);
    let y: Tensor![Batch, 2, 4] = layer_norm(&x, &Tensor::ones(), &Tensor::zeros());
    assert!(y.sum().item().abs() < 1e-5);
    assert_eq!(residual(x.clone(), |x| -x), Tensor::zeros_with(x.shape()));
    let j: Tensor![4, 8] = join(
        &Tensor::<shape![4, 3]>::ones(),
        &Tensor::<shape![4, 5]>::ones(),
    );
    assert_eq!(j.sum().item(), 32.0);
}

fn same<T>(_: PhantomData<T>, _: PhantomData<T>) {}
macro_rules! is {
    ($($a:ty = $n:literal;)*) => { $(same(PhantomData::<$a>, PhantomData::<Sz<$n>>);)* };
}

#[test]
fn arithmetic_in_types() {
    is! {
        <Sz<275> as Plus<Sz<1165>>>::Out = 1440;
        <Sz<0> as Plus<Sz<0>>>::Out = 0;
        <Sz<4095> as Plus<Sz<1>>>::Out = 4096;
        <Sz<1165> as Minus<Sz<275>>>::Out = 890;
        <Sz<4096> as Minus<Sz<4096>>>::Out = 0;
        <Sz<4096> as Minus<Sz<1>>>::Out = 4095;
        <Sz<26> as Times<Sz<12>>>::Out = 312;
        <Sz<0> as Times<Sz<57>>>::Out = 0;
        <Sz<512> as Times<Sz<128>>>::Out = 65536;
        <Sz<1598> as DivExact<Sz<47>>>::Out = 34;
        <Sz<65536> as DivExact<Sz<256>>>::Out = 256;
        <Sz<28> as Window<3, 1, 0>>::Out = 26;
        <Sz<26> as Window<2, 2, 0>>::Out = 13;
        <Sz<3660> as Window<7, 4, 4>>::Out = 916;
        <Sz<224> as Window<7, 2, 3>>::Out = 112;
    }
}
